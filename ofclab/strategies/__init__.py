"""Strategies by name: one file each, found by a scan of this package."""

from __future__ import annotations

import ast
import re
from typing import Any

from ofclab.engine import Strategy, as_strategy
from ofclab.registry import members, unknown

_CALL = re.compile(r"^\s*([a-z_0-9]+)\s*(?:\((.*)\))?\s*$", re.DOTALL)


class UnknownStrategy(ValueError):
    """A name or parameter no strategy has."""


def names() -> list[str]:
    """Names of the built-in strategies."""
    return sorted(members(__name__, "STRATEGY"))


def get(strategy: Any) -> Strategy:
    """A strategy from its name, ``random_legal`` or ``cutoff_rows(front_max=5)``, or from an object.

    An object is taken as it is when it places batches, and wrapped when it has ``choose(view)``. Raises UnknownStrategy
    naming the choices, TypeError for an object that is no strategy.
    """
    if not isinstance(strategy, str):
        return as_strategy(strategy)
    match = _CALL.match(strategy)
    known = members(__name__, "STRATEGY")
    if match is None or match[1] not in known:
        raise UnknownStrategy(unknown("strategy", match[1] if match else strategy, list(known)))
    kind = known[match[1]]
    try:
        built: Strategy = kind(**_parameters(match[2] or ""))
    except (SyntaxError, TypeError, ValueError) as error:
        fields = ", ".join(f"{field.name}={field.default!r}" for field in kind.__dataclass_fields__.values())
        raise UnknownStrategy(
            f"cannot read {strategy!r} ({error}); {match[1]} takes {fields or 'no parameters'}"
        ) from None
    return built


def _parameters(text: str) -> dict[str, Any]:
    """Read ``front_max=5, base='hindsight'``: names and plain values, as a label prints them."""
    call = ast.parse(f"_({text})", mode="eval").body
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
        return {keyword.arg or "**": ast.literal_eval(keyword.value) for keyword in call.keywords}
    raise ValueError("write name=value, name=value")
