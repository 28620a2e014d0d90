"""Chances of drawing outs and of completing rows, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import comb

import numpy as np
import polars as pl

from ofclab.board import Board, Row, as_board, street_of
from ofclab.cards import DECK, Cards, parse_cards, require_distinct
from ofclab.kernels import tables as t
from ofclab.kernels.judge import GRAIN, LOW, N_SCALARS, PLAIN, SWEEP, WHEEL, WORST, Payoff
from ofclab.kernels.scoring import FIVE_OF_A_KIND_ALLOWED
from ofclab.rules import CATEGORIES, FRONT_HANDS, LOW_HANDS, Rules
from ofclab.rules.compiled import CompiledRules, compile_rules, front_name, is_front, low_name
from ofclab.solver.payoff import Valuation
from ofclab.solver.playout import board_array
from ofclab.solver.streets import ToCome, value
from ofclab.spot import Spot, SpotError
from ofclab.strategies.payoffs import NO_LIMIT, legal_limits

_FRONT_CATEGORIES = ("high_card", "pair", "trips")
_ROWS = tuple(Row)


def draw_chance(outs: int, unseen: int, cards: int, at_least: int = 1) -> float:
    """Chance that `cards` drawn from `unseen` hold at least so many of `outs` cards (hypergeometric).

    Dead outs are simply not counted: three queens of which one is out are two outs.

    >>> round(draw_chance(4, 27, 3), 4)
    0.3945
    """
    for name, number in (("outs", outs), ("unseen", unseen), ("cards", cards), ("at_least", at_least)):
        if number < 0:
            raise ValueError(f"{name} cannot be negative, got {number}")
    if outs > unseen or cards > unseen:
        raise ValueError(f"{unseen} unseen cards cannot hold {outs} outs and {cards} draws")
    misses = sum(comb(outs, hits) * comb(unseen - outs, cards - hits) for hits in range(min(at_least, cards + 1)))
    return 1 - misses / comb(unseen, cards)


def best_draw_chance(outs: Sequence[int], unseen: int, shown: int, cards: int) -> float:
    """Chance to hit when the best of several disjoint sets of outs is chosen after seeing `shown` of the cards.

    Trips and two singles on the first street with the full house behind either single: ``best_draw_chance((3, 3), 47,
    5 * seat, 8)`` for one-card play, as the later seats see who holds their outs.

    >>> round(best_draw_chance((3, 3), 47, 5, 8), 4)
    0.4692
    """
    others = unseen - sum(outs)
    if others < 0 or shown + cards > unseen:
        raise ValueError(f"{unseen} unseen cards cannot hold {sum(outs)} outs, or show {shown} and deal {cards}")
    total = 0.0
    for dead in product(*(range(n + 1) for n in outs)):
        rest = shown - sum(dead)
        if 0 <= rest <= others:
            ways = comb(others, rest)
            for n, gone in zip(outs, dead, strict=True):
                ways *= comb(n, gone)
            live = max(n - gone for n, gone in zip(outs, dead, strict=True))
            total += ways * draw_chance(live, unseen - shown, cards)
    return total / comb(unseen, shown)


def row_chances(spot: Spot | Board | str, unseen: Cards | None = None, rules: Rules | None = None) -> pl.DataFrame:
    """Chance that each row ends at least, and exactly, at each category, played for it as well as can be.

    A board is taken as it stands; a spot with dealt cards also places these. ``unseen``: the cards still to be drawn
    from, by default all that the board or spot does not show. Columns: row; category; ``at_least``: chance of this
    category or a better one when every card is placed for it; ``exactly``: of this category and no better (at_least
    less that of the next category; null for lines that are no category); ways, draws: at_least as whole numbers.

    Further lines: the fronts that earn Fantasyland ("QQ": that pair or better), "over the front" and "over the middle"
    for rows that must be no weaker, and the whole board ("legal"). Other lines let the board foul.
    Raises SpotError where the streets to come cannot all be counted: more than two draws of three, four single cards or
    one street of another kind.
    """
    counter = _Counter(spot, unseen, rules)
    lines: list[tuple[str, str, int, int | None]] = []
    for row in Row:
        names, ways = _category_names(row, counter.compiled), [counter.draws]
        for name in names[1:]:
            ways.append(counter.ways({row: name}) if ways[-1] else 0)
        for i, name in enumerate(names):
            better = ways[i + 1] if i + 1 < len(names) else 0
            lines.append((row.value, name, ways[i], ways[i] - better))
        if row is Row.FRONT and counter.rules.fantasyland.enabled:
            for entry in counter.rules.fantasyland.entry_front:
                lines.append((row.value, entry.min, counter.ways({row: entry.min}), None))
    if not counter.compiled.low_middle:
        lines.append(("middle", "over the front", counter.ways({}, front=True), None))
        lines.append(("back", "over the middle", counter.ways({}, middle=True), None))
    lines.append(("board", "legal", counter.ways({}, front=True, middle=True), None))
    return pl.DataFrame(
        {
            "row": [line[0] for line in lines],
            "category": [line[1] for line in lines],
            "at_least": [line[2] / counter.draws for line in lines],
            "exactly": [None if line[3] is None else line[3] / counter.draws for line in lines],
            "ways": [line[2] for line in lines],
            "draws": [counter.draws] * len(lines),
        },
        schema_overrides={"exactly": pl.Float64},
    )


def goal_chance(
    spot: Spot | Board | str,
    goals: Mapping[str, str],
    unseen: Cards | None = None,
    rules: Rules | None = None,
    legal: bool = True,
) -> float:
    """Chance that several rows reach their goals at once, and the board is legal, when every card is placed for it.

    ``goals``: by row the category ("flush"), front ("QQ") or 2-7 low ("8-low") to reach or better. Exact, as
    `row_chances`.

    >>> from ofclab.rules import load_rules
    >>> board = "Ac 2h Ad / 9d 5h 5c 3d 9c / Ks Qs 8s"
    >>> round(goal_chance(board, {"back": "flush"}, rules=load_rules("american-pineapple")), 4)
    0.1421
    """
    counter = _Counter(spot, unseen, rules)
    wanted = {}
    for name, goal in goals.items():
        if name not in _ROWS:
            raise ValueError(f"no row {name!r}; have {', '.join(_ROWS)}")
        wanted[Row(name)] = goal
    return counter.ways(wanted, front=legal, middle=legal) / counter.draws


class _Counter:
    """Counts the draws after which goals can be reached from one position."""

    def __init__(self, spot: Spot | Board | str, unseen: Cards | None, rules: Rules | None) -> None:
        position = spot if isinstance(spot, Spot) else Spot(as_board(spot))
        found = rules or position.rules
        if found is None:
            raise SpotError("no rules: give row_chances rules, or the spot its own")
        self.rules, self.compiled = found, compile_rules(found)
        board = position.board
        street = street_of(board, found) if not board.is_complete else len(self.compiled.rounds) + 1
        if position.dealt:
            position.check(found)
        cards = parse_cards(unseen) if unseen is not None else position.unseen(found)
        require_distinct((*board.cards, *position.dealt, *cards), "the position and the unseen cards")
        rounds = [(int(d), int(p), int(x)) for d, p, x in self.compiled.rounds[street - 1 :]]
        self.street = rounds.pop(0) if position.dealt else None
        self.to_come = ToCome(tuple(rounds))
        if len(cards) < sum(deal for deal, _, _ in rounds):
            raise SpotError(
                f"{sum(deal for deal, _, _ in rounds)} cards are still to be dealt, {len(cards)} are unseen"
            )
        self.jokers = any(card >= DECK for card in (*board.cards, *position.dealt, *cards))
        self.board, self.dealt = board_array(board)[None], np.array([position.dealt], np.uint8).reshape(1, -1)
        self.unseen = np.array([cards], np.uint8).reshape(1, -1)
        self.draws = self.to_come.draws(len(cards))
        seconds = self.to_come.seconds(len(cards), self._valuation({}, False, False), 2 if self.jokers else 0)
        if seconds > 5:
            raise SpotError(
                f"{len(rounds)} streets are still to come with {len(cards)} unseen cards: too many to count; "
                "chances are exact for the last one or two draws"
            )

    def ways(self, goals: Mapping[Row, str], front: bool = False, middle: bool = False) -> int:
        """Draws after which all goals can be reached, in order where `front` and `middle` say so."""
        found = value(
            self.board, self.dealt, self.unseen, self.street, self.to_come, self._valuation(goals, front, middle), 1
        )
        return int(found.units[0])

    def _valuation(self, goals: Mapping[Row, str], front: bool, middle: bool) -> Valuation:
        """One point for a board that reaches all goals: the sum of one row, or a sweep against an imagined opponent."""
        n = t.N_CODES
        legal, worst = legal_limits(self.compiled)
        limits = legal.copy()
        if not front:
            limits[0] = NO_LIMIT
        if not middle:
            limits[1] = NO_LIMIT
        rows, masks = np.zeros((3, n), np.int32), np.ones((1, 6, n), np.uint64)
        masks[:, 3:] = 0
        rows[0] = 1
        for row, goal in goals.items():
            masks[0, _ROWS.index(row)] = np.arange(n) >= _least_code(row, goal, self.compiled)
        single = len(goals) <= 1
        if single:
            row = next(iter(goals), Row.BACK)
            rows[_ROWS.index(row)] += (GRAIN * masks[0, _ROWS.index(row)]).astype(np.int32)
        scalars = np.zeros(N_SCALARS, np.int64)
        scalars[LOW], scalars[WHEEL], scalars[PLAIN] = self.compiled.low_middle, -1, single
        scalars[SWEEP] = GRAIN
        if front and self.compiled.low_middle:
            scalars[WORST] = worst
        payoff = Payoff(
            np.concatenate((rows, limits)), scalars, np.zeros(n, np.int32), masks, np.zeros((3, n), np.int32),
            np.zeros((1, 8), np.uint64), self.compiled.switches, self.compiled.cross,
        )  # fmt: skip
        return Valuation(payoff, 1, ())


def _category_names(row: Row, compiled: CompiledRules) -> tuple[str, ...]:
    """Categories of a row from the weakest on."""
    if row is Row.FRONT:
        return _FRONT_CATEGORIES
    if row is Row.MIDDLE and compiled.low_middle:
        return ("no_low", *reversed(LOW_HANDS))
    return tuple(CATEGORIES) if compiled.switches[FIVE_OF_A_KIND_ALLOWED] else tuple(CATEGORIES[:-1])


def _codes(row: Row, name: str, compiled: CompiledRules) -> Iterator[int]:
    """Codes that the name of a category, front or low stands for."""
    if row is Row.MIDDLE and compiled.low_middle:
        for strength, code in t.LOW_CODES.items():
            if name == "no_low" or low_name(strength) == name:
                yield code
        return
    for strength, code in t.HIGH_CODES.items():
        named = front_name(strength) if is_front(strength) else ""
        if name in (t.CATEGORIES[strength[0]], named):
            yield code


def _least_code(row: Row, name: str, compiled: CompiledRules) -> int:
    known = (*_category_names(row, compiled), *(FRONT_HANDS if row is Row.FRONT else ()))
    if name not in known:
        raise ValueError(f"no {row} {name!r}; have {', '.join(known)}")
    return min(_codes(row, name, compiled))
