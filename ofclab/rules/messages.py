"""Turn what pydantic reports into problems that name the key, the value and the choices."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ofclab.rules.errors import Problem, RulesError, suggest
from ofclab.rules.parameters import CONSTANTS, GROUPS, PARTS, allowed, parameters
from ofclab.rules.values import Allowed

METADATA = ("extends", "title", "description", "source", "weak_spots")
"""Keys of a rules file that say nothing about play."""


def problems_of(error: ValidationError) -> list[Problem]:
    """Return one problem for each thing pydantic found wrong with a ruleset."""
    problems: list[Problem] = []
    for found in error.errors(include_url=False):
        key = _dotted(found["loc"])
        cause: Mapping[str, Any] = found.get("ctx") or {}
        if isinstance(inner := cause.get("error"), RulesError):
            problems += [problem.under(key) for problem in inner.problems]
        elif found["type"] == "extra_forbidden":
            problems.append(unknown_parameter(key))
        elif found["type"] == "missing":
            problems.append(Problem(key, f"is missing; want {_accepts(key).words}"))
        else:
            accepts, value = _accepts(key), found["input"]
            near = suggest(value, accepts.choices) if isinstance(value, str) else ""
            problems.append(Problem(key, f"want {accepts.words}{near}", value))
    return problems


def unknown_parameter(name: str) -> Problem:
    """Say that a ruleset has no such key, with the nearest one and the keys there are."""
    group, _, rest = name.partition(".")
    if group not in GROUPS:
        tables = (*GROUPS, *METADATA)
        near = suggest(name, (*tables, *parameters()))
        owners = [known for known in parameters() if known.endswith(f".{group}")]
        hint = f"; did you mean {owners[0]!r}?" if owners and not rest else near
        return Problem(name, f"unknown key{hint}; a ruleset has {', '.join(tables)}")
    whole, last = _parameter_of(name), name.rpartition(".")[2]
    if whole in PARTS and name != whole:
        parts = tuple(PARTS[whole].model_fields)
        return Problem(name, f"unknown key{suggest(last, parts)}; want {', '.join(parts)}")
    keys = [key.partition(".")[2] for key in (*parameters(), *CONSTANTS) if key.startswith(f"{group}.")]
    if not rest:
        return Problem(name, f"names a group; name one of its keys, such as {group}.{keys[0]}: {', '.join(keys)}")
    return Problem(name, f"unknown key{suggest(rest, keys)}; {group} has {', '.join(keys)}")


def _dotted(loc: tuple[int | str, ...]) -> str:
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


def _parameter_of(key: str) -> str:
    """Return the parameter a longer key belongs to: fantasyland.entry_front for fantasyland.entry_front[0].min."""
    return ".".join(key.split("[")[0].split(".")[:2])


def _accepts(key: str) -> Allowed:
    name, last = _parameter_of(key), key.rpartition(".")[2]
    if name in PARTS and key != name and last in PARTS[name].model_fields:
        return allowed(PARTS[name].model_fields[last])
    if name in parameters():
        return Allowed(parameters()[name].allowed, parameters()[name].choices)
    if name in GROUPS:
        return Allowed(f"a table of {', '.join(GROUPS[name].model_fields)}")
    return Allowed("text")
