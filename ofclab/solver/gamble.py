"""How good a gamble for Fantasyland must be: the chance at which it is worth as much as the safe play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from ofclab.kernels import tables as t
from ofclab.rules import Rules, load_rules
from ofclab.rules.compiled import CompiledRules, compile_rules, front_name
from ofclab.solver.evaluate import fantasyland_points

SAFE_PLAYS = (-2.0, -1.0, 0.0, 1.0, 2.0, 4.0)


def gamble_break_even(safe: float, success: float, foul_cost: float = 6.0) -> float:
    """The chance p* at which a gamble is worth as much as the safe play: p* = (S + L) / (R + L).

    ``safe``: points S the safe play is worth; ``success``: points R the gamble is worth when it comes in;
    ``foul_cost``: points L it loses when it fouls instead. More than 1 means never, less than 0 always. Raises
    ValueError when a success is worth no more than a foul.

    >>> round(gamble_break_even(safe=0, success=7 + 9.6 + 1.7), 3)
    0.247
    """
    if success <= -foul_cost:
        raise ValueError(f"success ({success} points) must be worth more than a foul ({-foul_cost} points)")
    return (safe + foul_cost) / (success + foul_cost)


def gamble_table(
    rules: Rules | str | Path,
    fantasyland_values: float | Mapping[int, float] | None = None,
    safe: Sequence[float] = SAFE_PLAYS,
    rows: float = 0.0,
    seats: int = 2,
) -> pl.DataFrame:
    """Break-even chances of a gamble under a ruleset, a row per way into Fantasyland and value of the safe play.

    Columns: front (the weakest that earns it, or ``75432`` for the low), cards, royalty, fantasyland, rows, success: R,
    the royalty and the rows won from every opponent and the value of Fantasyland; foul_cost: L, the penalty to every
    opponent; safe: S; break_even: p*. ``fantasyland_values``: points, one number or by number of cards, None:
    the fixed point under the rules; ``rows``: points the rows of a successful board win from an opponent in the mean.
    """
    ruleset = load_rules(rules)
    compiled = compile_rules(ruleset)
    values = fantasyland_points(fantasyland_values, ruleset, seats)
    others, found = seats - 1, []
    for front, cards, royalty in _entries(compiled):
        success = others * (royalty + rows) + values[cards]
        cost = float(others * ruleset.foul.penalty)
        for points in safe:
            chance = gamble_break_even(points, success, cost)
            found.append((front, cards, royalty, values[cards], rows, success, cost, float(points), chance))
    names = ("front", "cards", "royalty", "fantasyland", "rows", "success", "foul_cost", "safe", "break_even")
    schema = {**dict.fromkeys(names, pl.Float64), "front": pl.String, "cards": pl.Int64, "royalty": pl.Int64}
    return pl.DataFrame(found, schema, orient="row")


def _entries(compiled: CompiledRules) -> list[tuple[str, int, int]]:
    """The weakest front for each number of Fantasyland cards, and the low that earns them: name, cards, royalty."""
    found: dict[int, tuple[str, int, int]] = {}
    for strength, code in t.HIGH_CODES.items():
        cards = int(compiled.entry[0, code])
        if cards and cards not in found:
            found[cards] = front_name(strength), cards, int(compiled.paid[0, code])
    ways = list(found.values())
    by_low = int(compiled.entry[1, t.WHEEL_LOW])
    if by_low:
        ways.append(("75432", by_low, int(compiled.paid[1, t.WHEEL_LOW])))
    return ways
