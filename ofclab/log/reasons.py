"""Why a recorded result may differ from the score: jokers read otherwise, capped stacks, slips of the pen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.cards import DECK, Card
from ofclab.kernels.scoring import STAY_CARDS
from ofclab.log.recorded import Recorded
from ofclab.log.variants import FOUL as FOUL
from ofclab.log.variants import JOKER as JOKER
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.settlement import settle

CAPPED = "a capped stack"
TYPING = "a typing error"
UNKNOWN = "no reason found"
RAKE = "rake"
_ROWS = ("front",) * 3 + ("middle",) * 5 + ("back",) * 5
_POINTS, _ROYALTIES, _FOUL, _NEXT = range(4)


@dataclass(frozen=True)
class Reason:
    """One possible reason: its kind, what would make the recorded figure true, and how many hands that explains."""

    kind: str
    words: str
    explains: int = 1
    settings: str = ""


def joker_reason(group: Recorded, hand: int, seat: int, rules: Rules, measures: Sequence[int]) -> Reason | None:
    """Another reading of a board's jokers that makes some measures of a seat true; None where there is none.

    The rows may be compared by one reading and paid by another: some programs do. Boards with a 2-7 middle are left
    out.
    """
    board = group.boards[hand, seat]
    places = np.flatnonzero(board >= DECK)
    if not places.size or rules.ranking.middle != "high":
        return None
    compiled = compile_rules(rules)
    readings = _readings(board, places)
    codes = read_codes(readings, compiled)
    known, told = group.known[hand, seat], group.values[hand, seat]
    fits = np.ones(len(codes), np.bool_)
    fouled = _fouled(codes, compiled)
    foul_told = bool(known[_FOUL] and told[_FOUL])
    if _FOUL in measures and foul_told:
        fits &= fouled
    elif not foul_told:
        if _ROYALTIES in measures and known[_ROYALTIES]:
            paid = sum(compiled.royalty[row, codes[:, row]].astype(np.int64) for row in range(3))
            fits &= np.asarray(paid == told[_ROYALTIES])
        if _NEXT in measures and known[_NEXT]:
            fits &= _next(codes, compiled, int(group.came_in[hand, seat])) == told[_NEXT]
    elif _ROYALTIES not in measures and _NEXT not in measures:
        return None
    if not fits.any():
        return None
    # The reading that changes least is the first that fouls no more than it must.
    chosen = readings[np.flatnonzero(fits)[np.argmin(fouled[fits])]]
    said = [f"{Card(int(board[at]))} in the {_ROWS[at]} as {Card(int(chosen[at]))}" for at in places]
    return Reason(JOKER, f"with {' and '.join(said)}")


def _readings(board: NDArray[np.uint8], places: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The board with every choice of natural cards for its jokers."""
    choices = np.meshgrid(*[np.arange(DECK, dtype=np.uint8)] * len(places), indexing="ij")
    boards = np.tile(board, (choices[0].size, 1))
    for at, choice in zip(places, choices, strict=True):
        boards[:, at] = choice.ravel()
    return boards


def _fouled(codes: NDArray[np.uint16], compiled: CompiledRules) -> NDArray[np.bool_]:
    alone = score_codes(codes[:, None, :], compiled, np.zeros((len(codes), 1), np.uint8))
    return alone.fouled[:, 0]


def _next(codes: NDArray[np.uint16], compiled: CompiledRules, came_in: int) -> NDArray[np.int64]:
    """Cards of the next Fantasyland hand by these codes, fouls aside."""
    if not came_in:
        return np.asarray(compiled.entry[0, codes[:, 0]], np.int64)
    stays = np.any([compiled.stay[row, codes[:, row]] for row in range(3)], axis=0)
    return np.where(stays, int(compiled.switches[STAY_CARDS]) or came_in, 0)


def capped_points(group: Recorded, hand: int, points: NDArray[np.int64], rules: Rules) -> Reason | None:
    """Whether the recorded points are the score cut to what the losers had in front of them."""
    before = _stacks(group, hand, "stack_before")
    if before is None or not group.known[hand, :, _POINTS].all():
        return None
    unit = rules.stakes.unit
    told = group.values[hand, :, _POINTS] * unit
    short = [i for i, stack in enumerate(before) if points[i] < 0 and stack < -points[i] * unit]
    cut = [max(int(points[i]) * unit, -stack) for i, stack in enumerate(before)]
    if not short or any(told[i] != cut[i] for i in range(len(before)) if points[i] < 0):
        return None
    seat = short[0]
    return Reason(CAPPED, f"seat {seat} had {before[seat]} and lost {-points[seat] * unit}")


def chips_reason(
    group: Recorded, hand: int, points: NDArray[np.int64], rules: Rules
) -> tuple[list[int], Reason] | None:
    """Chips that moved and why they are not the points; None where they are, or nobody recorded stacks."""
    before, after = _stacks(group, hand, "stack_before"), _stacks(group, hand, "stack_after")
    if before is None or after is None:
        return None
    unit = rules.stakes.unit
    moved = [b - a for a, b in zip(before, after, strict=True)]
    owed = [int(won) * unit for won in points]
    if moved == owed or rules.stakes.settle_when == "end_of_game":
        return None
    short = [i for i, stack in enumerate(before) if owed[i] < 0 and stack < -owed[i]]
    if short and all(moved[i] == max(owed[i], -before[i]) for i in range(len(owed)) if owed[i] < 0):
        lost, won = -sum(chips for chips in moved if chips < 0), sum(chips for chips in moved if chips > 0)
        more = f"; the winners were paid {won}, {won - lost} more than was lost" if won > lost else ""
        seat = short[0]
        return moved, Reason(CAPPED, f"seat {seat} had {before[seat]} of the {-owed[seat]} he owed{more}")
    for cap in ("own_start_stack", "current_stack", "none"):
        if min(before) >= 0 and _settled(group, hand, points, before, rules, cap) == moved:
            words = f"as table stakes are paid with the win cap {cap}"
            return moved, Reason(CAPPED, words, settings=f"stakes.win_cap={cap}")
    house = -sum(moved)
    if house > 0 and all(m == o for m, o in zip(moved, owed, strict=True) if o <= 0):
        return moved, Reason(RAKE, f"the winners got {house} less than was lost")
    return moved, Reason(UNKNOWN, "the stacks moved by something else than the points")


def _settled(
    group: Recorded, hand: int, points: NDArray[np.int64], before: Sequence[int], rules: Rules, cap: str
) -> list[int]:
    if len(before) != 2:
        return []
    first = int(points[0])
    paid = settle([(0, 1, first)], list(before), rules.replace({"stakes.win_cap": cap, "stakes.table_stakes": True}))
    return [after - stack for after, stack in zip(paid.stacks, before, strict=True)]


def _stacks(group: Recorded, hand: int, name: str) -> list[int] | None:
    size = group.n_seats
    found = group.seats[name].slice(hand * size, size).to_list()
    return None if None in found else found


def slip(told: NDArray[np.int64], known: NDArray[np.bool_], score: NDArray[np.int64]) -> Reason | None:
    """A slip of the pen that turns the score's points into the recorded ones; None where none does."""
    if not known.all():
        return None
    said, right = told.tolist(), score.tolist()
    if said == [-points for points in right]:
        return Reason(TYPING, "signs the other way round")
    if sorted(said) == sorted(right):
        return Reason(TYPING, "the points stand under other seats")
    if sum(said):
        wrong = [i for i in range(len(said)) if said[i] != right[i]]
        more = f"; with seat {wrong[0]} at {right[wrong[0]]:+d} they would cancel" if len(wrong) == 1 else ""
        return Reason(TYPING, f"the recorded points add up to {sum(said):+d}{more}")
    if all(_alike(a, b) for a, b in zip(said, right, strict=True)):
        return Reason(TYPING, "a digit missing, doubled, swapped or mistyped")
    return None


def _alike(a: int, b: int) -> bool:
    """Whether two numbers of one sign differ by one digit, or by two neighbours swapped."""
    if a == b:
        return True
    one, other = str(abs(a)), str(abs(b))
    if (a < 0) != (b < 0) or max(len(one), len(other)) < 2:
        return False
    if len(one) == len(other):
        wrong = [i for i in range(len(one)) if one[i] != other[i]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(one) == sorted(other)
        return len(wrong) == 1 or swapped
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(longer) == len(shorter) + 1 and any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
