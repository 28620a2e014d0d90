"""Find strategies and importers by scanning their package: one file each, no list to keep."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Any


@cache
def members(package: str, attribute: str) -> dict[str, Any]:
    """What `attribute` is in every module of a package that defines it, by module name."""
    found = {}
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = importlib.import_module(f"{package}.{info.name}")
        if hasattr(module, attribute):
            found[info.name] = getattr(module, attribute)
    return found


def unknown(kind: str, name: str, known: list[str]) -> str:
    """The message for a name nobody registered, with the nearest known one."""
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"no {kind} {name!r}; have {', '.join(sorted(known))}{hint}"
