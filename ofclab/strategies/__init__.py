"""Strategies by name: one file each, found by a scan of this package."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, Strategy, as_strategy
from ofclab.registry import members, unknown
from ofclab.rules import Rules, load_rules

_CALL = re.compile(r"^\s*([a-z_0-9]+)\s*(?:\((.*)\))?\s*$", re.DOTALL)


class UnknownStrategy(ValueError):
    """A name or parameter no strategy has."""


def names() -> list[str]:
    """Names of the built-in strategies."""
    return sorted(members(__name__, "STRATEGY"))


def get(strategy: Any) -> Strategy:
    """A strategy from its name, ``random_legal``, ``cutoff_rows(front_max=5)`` or ``expert(fast)``, or from an object.

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
        built: Strategy = kind(**_parameters(match[2] or "", list(kind.__dataclass_fields__)))
    except (SyntaxError, TypeError, ValueError) as error:
        fields = ", ".join(f"{field.name}={field.default!r}" for field in kind.__dataclass_fields__.values())
        raise UnknownStrategy(
            f"cannot read {strategy!r} ({error}); {match[1]} takes {fields or 'no parameters'}"
        ) from None
    return built


def default_strategy(rules: Rules | str | Path) -> str:
    """The strongest strategy that is quick enough for simulations: Expert where its nets play, else Hindsight."""
    # Expert asks this module for the strategy it falls back on.
    from ofclab.strategies.expert_choice import has_nets

    return "expert(fast)" if has_nets(load_rules(rules)) else "hindsight"


def usual_fantasyland_values(rules: Rules | str | Path, seats: int = 2) -> dict[int, float]:
    """Points that Fantasyland is worth beyond a normal hand, by number of cards (13..17), under rules and seats.

    The fixed point among Experts, as far as there are weights of the deal: the rules' own, else those of the nearest
    rules. For other deals, and for numbers of cards the weights' rules do not deal, the engine's rough default.
    """
    from ofclab.strategies.expert_choice import find_weights, has_nets

    ruleset = load_rules(rules)
    return (
        find_weights(ruleset, max(2, seats)).weights.values if has_nets(ruleset) else dict(DEFAULT_FANTASYLAND_VALUES)
    )


def _parameters(text: str, fields: list[str]) -> dict[str, Any]:
    """Read ``front_max=5, base='hindsight'``: names and plain values, as a label prints them.

    A bare word in front is the text of the first parameter: ``fast`` is ``level='fast'``.
    """
    call = ast.parse(f"_({text})", mode="eval").body
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) <= min(1, len(fields)):
        words = {field: word.id for field, word in zip(fields, call.args, strict=False) if isinstance(word, ast.Name)}
        named = {keyword.arg or "**": ast.literal_eval(keyword.value) for keyword in call.keywords}
        if len(words) == len(call.args) and not words.keys() & named.keys():
            return words | named
    raise ValueError("write name=value, name=value")
