"""Replay the hands of a part as arrays: each hand under its rules, and each table from hand to hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN, format_cards
from ofclab.kernels.placement import BACK, DISCARD, NO_CARD
from ofclab.log import arrays
from ofclab.log.checks import misalignment
from ofclab.log.schema import Completeness
from ofclab.log.score import score_frames
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules

Bools = NDArray[np.bool_]


class Finding(NamedTuple):
    """Something wrong with a hand, or with one seat of it."""

    hand_id: int | None
    seat: int | None
    what: str


class _Part:
    """Columns of a part as arrays; ``hand`` is the row of each seat's hand."""

    def __init__(self, hands: pl.DataFrame, seats: pl.DataFrame) -> None:
        self.hands, self.seats = hands, seats
        self.n_seats = hands["n_seats"].to_numpy()
        self.starts = arrays.first_seats(self.n_seats)
        self.hand = arrays.hand_of_seat(self.n_seats)
        self.ids = hands["hand_id"].to_numpy()
        self.tables = hands["table_id"].to_numpy()
        self.hand_no = hands["hand_no"].to_numpy()
        self.seat = seats["seat"].to_numpy()
        self.came_in = seats["fl_cards"].to_numpy()
        self.width = int(self.seat.max(initial=0)) + 1
        # An import may know one player's board alone; a simulated hand never does.
        self.simulated = hands["seed_key"].is_not_null().to_numpy()

    def seat_findings(self, wrong: Bools, what: Callable[[int], str]) -> Iterator[Finding]:
        """A finding for each row of the seats table that is wrong."""
        for row in np.flatnonzero(wrong).tolist():
            hand, seat = self.hand[row], int(self.seat[row])
            yield Finding(int(self.ids[hand]), seat, f"{self.name(hand)}, seat {seat}: {what(row)}")

    def hand_findings(self, wrong: Bools, what: Callable[[int], str]) -> Iterator[Finding]:
        """A finding for each row of the hands table that is wrong."""
        for row in np.flatnonzero(wrong).tolist():
            yield Finding(int(self.ids[row]), None, f"{self.name(row)}: {what(row)}")

    def name(self, hand: int) -> str:
        return f"hand {self.ids[hand]} (table {self.tables[hand]}, number {self.hand_no[hand]})"


def misplaced(hands: pl.DataFrame, seats: pl.DataFrame) -> Finding | None:
    """What keeps the two tables from standing side by side, if anything."""
    what = misalignment(hands, seats)
    return None if what is None else Finding(None, None, what)


def hand_findings(hands: pl.DataFrame, seats: pl.DataFrame, rulesets: Mapping[str, Rules]) -> Iterator[Finding]:
    """Hands that were not dealt and placed as their rules say."""
    part = _Part(hands, seats)
    cards, codes = arrays.card_array(seats), arrays.placement_array(seats)
    full = (hands["completeness"] == Completeness.FULL.value).to_numpy()[part.hand]
    for ruleset_id in hands["ruleset_id"].unique().sort().to_list():
        rules = rulesets[ruleset_id]
        under = (hands["ruleset_id"] == ruleset_id).to_numpy()
        yield from part.hand_findings(
            under & ((part.n_seats > rules.players.max) | ((part.n_seats < 2) & part.simulated)),
            lambda row, most=rules.players.max: f"{part.n_seats[row]} seats where the rules seat 2 to {most}",  # type: ignore[misc]
        )
        yield from _deals(part, cards, codes, under[part.hand], full, rules)
    yield from _positions(part)


def _deals(
    part: _Part, cards: arrays.Cards, codes: arrays.Cards, under: Bools, full: Bools, rules: Rules
) -> Iterator[Finding]:
    came_in = part.came_in
    foreign = (cards >= rules.deck.cards) & (cards != UNSEEN)
    yield from part.seat_findings(
        under & foreign.any(axis=1),
        lambda row: f"{format_cards(cards[row][foreign[row]].tolist())} is not in a deck of {rules.deck.cards}",
    )
    allowed = (came_in == 0) | ((came_in >= 13) & (came_in <= 17) & rules.fantasyland.enabled)
    yield from part.seat_findings(
        under & ~allowed, lambda row: f"came in with {came_in[row]} Fantasyland cards, which {rules.name} never deals"
    )
    rounds = compile_rules(rules).rounds
    want = np.where(came_in > 0, came_in, rounds[:, 0].sum())
    dealt = codes != NO_CARD
    count = dealt.sum(axis=1)
    in_order = ~(dealt[:, 1:] & ~dealt[:, :-1]).any(axis=1)
    under = under & full
    yield from part.seat_findings(
        under & ((count != want) | ~in_order), lambda row: f"{count[row]} cards dealt in a row, want {want[row]}"
    )
    yield from part.seat_findings(
        under & (dealt & (cards == UNSEEN)).any(axis=1), lambda row: "a dealt card is unseen in a full hand"
    )
    first = 0
    for street, (deal, place, discard) in enumerate(rounds.tolist(), 1):
        of_street = codes[:, first : first + deal]
        placed, thrown = (of_street <= BACK).sum(axis=1), (of_street == DISCARD).sum(axis=1)
        wrong = under & (came_in == 0) & (count == want) & ((placed != place) | (thrown != discard))
        yield from part.seat_findings(
            wrong,
            lambda row, street=street, placed=placed, thrown=thrown, place=place, discard=discard: (  # type: ignore[misc]
                f"street {street} places {placed[row]} and discards {thrown[row]} cards, want {place} and {discard}"
            ),
        )
        first += deal


def _positions(part: _Part) -> Iterator[Finding]:
    """Positions count the seats from the button's left."""
    button, position = part.hands["button"], part.seats["position"]
    known = button.is_not_null().to_numpy()[part.hand] & position.is_not_null().to_numpy()
    # As u8 the seats right of the button wrap behind those left of it.
    steps = part.seat - button.fill_null(0).to_numpy()[part.hand] - np.uint8(1)
    want = np.empty(len(steps), np.int64)
    order = np.lexsort((steps, part.hand))
    want[order] = np.arange(len(steps)) - part.starts[part.hand] + 1
    found = position.fill_null(0).to_numpy()
    yield from part.seat_findings(known & (found != want), lambda row: f"position {found[row]}, want {want[row]}")


def plan_findings(hands: pl.DataFrame, source: Mapping[str, Any], number: int) -> Iterator[Finding]:
    """Whether part ``number`` of a simulated log holds the tables that were planned for it."""
    first, per_part = number * source["tables_per_part"], source["tables_per_part"]
    planned = np.arange(first, min(first + per_part, source["tables"]), dtype=np.uint64)
    found = np.unique(hands["table_id"].to_numpy() - np.uint64(int(source["run_key"], 16)))
    if not np.array_equal(found, planned):
        yield Finding(None, None, f"part {number} holds {len(found)} tables, not the {len(planned)} planned for it")


def table_findings(
    hands: pl.DataFrame,
    seats: pl.DataFrame,
    scores: pl.DataFrame,
    rulesets: Mapping[str, Rules],
    source: Mapping[str, Any],
) -> Iterator[Finding]:
    """What does not follow from hand to hand at simulated tables, each of them whole."""
    if not hands.height:
        return
    part = _Part(hands, seats)
    part.width = len(source["strategies"])
    first = np.ones(hands.height, np.bool_)
    first[1:] = part.tables[1:] != part.tables[:-1]
    yield from part.hand_findings(
        np.where(first, part.hand_no != 0, part.hand_no != np.roll(part.hand_no, 1) + np.uint32(1)),
        lambda row: "a table's hands must be numbered 0, 1, 2, ... without a gap",
    )
    key = np.uint64(int(source["run_key"], 16))
    want = key + (part.tables - key) * np.uint64(source["hands"]) + part.hand_no
    yield from part.hand_findings(part.ids != want, lambda row: f"its id should be {want[row]}")
    yield from part.seat_findings(
        first[part.hand] & (part.came_in > 0), lambda row: "a table's first hand cannot be in Fantasyland"
    )
    following = np.flatnonzero(~first)
    yield from _carried_over(part, scores, following, rulesets)
    yield from _matches(part, following)
    if seats["stack_before"].null_count() == 0:
        yield from _stacks(part, scores, following, rulesets)


def _by_seat(part: _Part, values: NDArray[Any], empty: int) -> NDArray[np.int64]:
    """A seat column as (hands, seats at the table), ``empty`` where nobody sits."""
    wide = np.full((len(part.ids), part.width), empty, np.int64)
    wide[part.hand, part.seat] = values
    return wide


def _carried_over(
    part: _Part, scores: pl.DataFrame, following: NDArray[np.int64], rulesets: Mapping[str, Rules]
) -> Iterator[Finding]:
    """Fantasyland as it was earned, and the button where it belongs."""
    earned = _by_seat(part, scores["next_fl"].fill_null(0).to_numpy(), -1)
    came_in = _by_seat(part, part.came_in, -1)
    button = part.hands["button"].fill_null(0).to_numpy().astype(np.int64)
    frozen = {key: rules.fantasyland.button == "frozen" for key, rules in rulesets.items()}
    freezes = np.array([frozen[key] for key in part.hands["ruleset_id"].to_list()], np.bool_)
    before = following - 1
    playing = came_in[following] >= 0
    for row, seat in np.argwhere(playing & (earned[before] != came_in[following])).tolist():
        hand = int(following[row])
        won = max(0, earned[hand - 1, seat])
        what = f"came in with {came_in[hand, seat]} Fantasyland cards, but earned {won} in the hand before"
        yield Finding(int(part.ids[hand]), seat, f"{part.name(hand)}, seat {seat}: {what}")
    goes_on = (playing & (earned[before] > 0)).any(axis=1)
    want, found = button[before].copy(), goes_on & freezes[before]
    for step in range(1, playing.shape[1] + 1):
        seat_there = (button[before] + step) % playing.shape[1]
        here = ~found & playing[np.arange(len(before)), seat_there]
        want[here] = seat_there[here]
        found |= here
    wrong = np.zeros(len(part.ids), np.bool_)
    wrong[following] = button[following] != want
    wanted = np.zeros(len(part.ids), np.int64)
    wanted[following] = want
    yield from part.hand_findings(wrong, lambda row: f"seat {button[row]} has the button, want seat {wanted[row]}")


def _matches(part: _Part, following: NDArray[np.int64]) -> Iterator[Finding]:
    """A Fantasyland hand belongs to the match of the hand before, any other begins one."""
    match = part.hands["match_id"].fill_null(0).to_numpy()
    in_fantasyland = np.maximum.reduceat(part.came_in, part.starts) > 0
    want = part.ids.copy()
    for row in following[in_fantasyland[following]]:
        want[row] = want[row - 1]
    yield from part.hand_findings(match != want, lambda row: f"match_id {match[row]}, want {want[row]}")


def _stacks(
    part: _Part, scores: pl.DataFrame, following: NDArray[np.int64], rulesets: Mapping[str, Rules]
) -> Iterator[Finding]:
    """Chips move as the settlement says, and lie before each player as the hand before left them."""
    stack_before, stack_after = (part.seats[name].to_numpy() for name in ("stack_before", "stack_after"))
    settled_anew, _ = score_frames(part.hands, part.seats.with_columns(stack_after=pl.lit(None, pl.Int64)), rulesets)
    moved, told = settled_anew["settled"], stack_after - stack_before
    wrong = (moved.is_not_null() & (moved != pl.Series(told))).to_numpy()
    yield from part.seat_findings(
        wrong, lambda row: f"won {told[row]} chips by its stacks, {moved[row]} by the settlement"
    )
    rebuys = {key: rules.stakes.rebuy == "each_hand" for key, rules in rulesets.items()}
    buy_in = {key: rules.stakes.buy_in or 0 for key, rules in rulesets.items()}
    left, found = _by_seat(part, stack_after, -1), _by_seat(part, stack_before, -1)
    for hand in following.tolist():
        key = part.hands["ruleset_id"][hand]
        for seat in np.flatnonzero((found[hand] >= 0) & (found[hand] != left[hand - 1])).tolist():
            if left[hand - 1, seat] == 0 and rebuys[key] and found[hand, seat] == buy_in[key]:
                continue
            what = f"{found[hand, seat]} chips where the hand before left {left[hand - 1, seat]}"
            yield Finding(int(part.ids[hand]), seat, f"{part.name(hand)}, seat {seat}: {what}")
