"""Write a complete ruleset as TOML that loads back to the same rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ofclab.rules.parameters import parameters
from ofclab.rules.values import NOTHING

if TYPE_CHECKING:
    from ofclab.rules.model import Rules


def rules_to_toml(rules: Rules) -> str:
    """Return every parameter of a ruleset as TOML, each with its meaning; loading it gives the same id."""
    lines = [
        f"{key} = {_text(getattr(rules, key))}" for key in ("title", "description", "source") if getattr(rules, key)
    ]
    for group, table in rules.nested().items():
        lines += ["", f"[{group}]"]
        for key, value in table.items():
            parameter = parameters()[f"{group}.{key}"]
            lines.append(f"# {parameter.meaning}")
            lines.append(f"{key} = {_value(value, parameter.default, parameter.choices)}")
    if rules.weak_spots:
        lines += ["", "[weak_spots]"]
        lines += [f"{_text(spot.parameter)} = {_text(spot.text)}" for spot in rules.weak_spots]
    return "\n".join(lines).lstrip("\n") + "\n"


def _value(value: Any, default: Any, order: tuple[str, ...]) -> str:
    if isinstance(value, Mapping):
        # What a file leaves out keeps its default, so an entry that is not there must be written as nothing.
        left_out = {key: 0 for key in default or {} if key not in value}
        entries = {**left_out, **value}
        keys = sorted(entries, key=order.index) if order else list(entries)
        return _inline({key: entries[key] for key in keys}) if value else _text(NOTHING)
    if isinstance(value, list):
        return "\n".join(["[", *(f"    {_inline(entry)}," for entry in value), "]"]) if value else "[]"
    return _plain(value)


def _inline(table: Mapping[str, Any]) -> str:
    return f"{{ {', '.join(_pairs(table))} }}"


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{key} = {_plain(value)}" for key, value in table.items())


def _plain(value: Any) -> str:
    if value is None:
        return _text(NOTHING)
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    # JSON and TOML agree on basic strings but for the DEL character, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
