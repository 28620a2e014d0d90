"""House rules as the few lines of TOML that change a ruleset: written, read back, and each fault with its line."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ofclab as ofc

_TABLES = ("royalties.front", "royalties.middle", "royalties.back", "royalties.middle_low", "fantasyland.stay")
MOST_CHARACTERS = 20_000
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_HEAD = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"' -]+?)\s*=")


@dataclass(frozen=True)
class Fault:
    """One thing wrong with the text: the line (None: of no one line) and what it is."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.text}" if self.line else self.text


def changes_of(base: ofc.Rules, rules: ofc.Rules) -> dict[str, Any]:
    """The settings that lead from one ruleset to another, tables entry by entry."""
    old, new = base.flat(), rules.flat()
    changes: dict[str, Any] = {}
    for name in new:
        before, after = old[name], new[name]
        if before == after:
            continue
        if name in _TABLES and isinstance(before, Mapping) and isinstance(after, Mapping):
            gone = False if name.endswith("stay") else 0
            for entry in [*after, *(entry for entry in before if entry not in after)]:
                if before.get(entry) != after.get(entry, gone):
                    changes[f"{name}.{entry}"] = after.get(entry, gone)
        else:
            changes[name] = after
    return changes


def write_changes(changes: Mapping[str, Any]) -> str:
    """Changes as TOML, a line each."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in changes.items())


def _key(name: str) -> str:
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else json.dumps(part) for part in name.split("."))


def _value(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def read_changes(text: str, base: ofc.Rules) -> tuple[dict[str, Any], list[Fault]]:
    """The settings a text makes, and what is wrong with it; with a fault there are no settings."""
    if len(text) > MOST_CHARACTERS:
        return {}, [Fault(None, f"the text has {len(text):,} characters; want at most {MOST_CHARACTERS:,}")]
    try:
        said = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = str(error) or "nested too deep"
        where = _AT_LINE.search(message)
        line = int(where[1]) if where and where[1] else len(text.rstrip().splitlines()) or 1
        return {}, [Fault(line, f"this is not TOML: {_AT_LINE.sub('', message)[:200]}")]
    changes = dict(_flatten(said))
    try:
        base.replace(changes)
    except ofc.RulesError as error:
        return {}, [Fault(line_of(text, problem.key), str(problem)) for problem in error.problems]
    return changes, []


def _flatten(said: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Settings by dotted name; a table inside a table of points is opened, so that it changes only what it names."""
    found: list[tuple[str, Any]] = []
    for group, table in said.items():
        if not isinstance(table, Mapping):
            found.append((group, table))
            continue
        for key, value in table.items():
            name = f"{group}.{key}"
            if name in _TABLES and isinstance(value, Mapping):
                found += [(f"{name}.{entry}", points) for entry, points in value.items()]
            else:
                found.append((name, value))
    return found


def line_of(text: str, key: str) -> int | None:
    """The line a setting stands on, or the table or entry it is a part of."""
    table = ""
    found = None
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            table = _plain(head[1])
            if table == key:
                found = number
        elif said := _KEY.match(line):
            name = f"{table}.{_plain(said[1])}" if table else _plain(said[1])
            if key == name or key.startswith(f"{name}.") or name.startswith(f"{key}."):
                found = number
    return found


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def read_address(said: str | None, base: ofc.Rules) -> dict[str, Any]:
    """The settings of an address, as `to_address` wrote them. RulesError for what cannot be used."""
    if not said:
        return {}
    try:
        changes = json.loads(said) if len(said) <= MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        changes = None
    if not isinstance(changes, dict):
        raise ofc.RulesError("the address does not hold changes of rules")
    base.replace(changes)
    return changes


def to_address(changes: Mapping[str, Any]) -> str:
    """Settings as they stand in an address."""
    return json.dumps(changes, separators=(",", ":"))


# ---- one setting as a line of text, for the form


def setting_text(name: str, value: Any) -> str:
    """A setting as people write it: ``66 1, 77 2``, ``QQ 14, KK 15``, ``3/2/1, 3/2/1``, ``none``."""
    if value is None or value in ({}, []):
        return "none"
    if name == "deal.rounds":
        return ", ".join(f"{each['deal']}/{each['place']}/{each['discard']}" for each in value)
    if name == "fantasyland.entry_front":
        return ", ".join(f"{each['min']} {each['cards']}" for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in value.items() if each not in (None, False))
    return str(value)


def setting_value(name: str, text: str) -> Any:
    """A setting from its text; what makes no sense stays text, and the rules say what is wrong with it."""
    text = text.strip()
    if text.lower() in ("none", ""):
        return None
    parts = [part.split() for part in text.split(",") if part.strip()]
    if name == "deal.rounds":
        numbers = [[_scalar(number) for number in part.strip().split("/")] for part in text.split(",") if part.strip()]
        return [dict(zip(("deal", "place", "discard"), each, strict=False)) for each in numbers]
    if name == "fantasyland.entry_front":
        return [dict(zip(("min", "cards"), (part[0], *map(_scalar, part[1:])), strict=False)) for part in parts]
    if name == "fantasyland.stay":
        return {part[0]: _scalar(part[1]) if part[0] == "low_wheel" else part[1] for part in parts if len(part) > 1}
    if name in _TABLES:
        return {part[0]: _scalar(part[1]) if len(part) > 1 else None for part in parts}
    return _scalar(text)


def _scalar(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
