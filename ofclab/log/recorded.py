"""What sources recorded of finished hands, beside what any rules make of the same boards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import DECK
from ofclab.log import arrays
from ofclab.log.schema import SCORABLE
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes, seat_pairs

if TYPE_CHECKING:
    from ofclab.log.scan import Log

MEASURES = ("points", "royalties", "foul", "next_fantasyland")
"""What a source may record of a seat, in the order of the last axis of `Outcome` arrays."""
_COLUMNS = ("points_recorded", "royalties_recorded", "foul_recorded", "next_fl_recorded")
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What rules make of n hands of the same number of seats.

    ``values`` i64 (n, seats, 4): points, royalties, foul, next Fantasyland; ``codes`` u16 (n, seats, 3); ``rows`` i64
    (n, pairs, 3): front, middle, back won by the first of each pair.
    """

    values: Ints
    codes: NDArray[np.uint16]
    royalties: NDArray[np.int32]
    rows: Ints


@dataclass(frozen=True, eq=False)
class Recorded:
    """Finished hands of the same number of seats of which a source recorded something.

    ``hands``: the hands table's rows with their source; ``seats``: n x seats rows, hand by hand; ``boards`` u8
    (n, seats, 13); ``came_in`` u8, ``announced`` bool (n, seats); ``values`` i64 (n, seats, 4) what was recorded where
    ``known`` (n, seats, 4).
    """

    hands: pl.DataFrame
    seats: pl.DataFrame
    boards: NDArray[np.uint8]
    came_in: NDArray[np.uint8]
    announced: Bools
    values: Ints
    known: Bools
    _codes: dict[object, NDArray[np.uint16]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.boards)

    @property
    def n_seats(self) -> int:
        """Seats of each hand."""
        return int(self.boards.shape[1])

    def take(self, rows: Bools | Ints) -> Recorded:
        """Some of the hands."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else np.asarray(rows, np.int64)
        seats = (places[:, None] * self.n_seats + np.arange(self.n_seats)).ravel()
        return Recorded(
            self.hands[places], self.seats[seats], self.boards[places], self.came_in[places], self.announced[places],
            self.values[places], self.known[places],
        )  # fmt: skip

    def codes(self, rules: Rules) -> NDArray[np.uint16]:
        """Row codes u16 (n, seats, 3) as the rules read them; kept, because few rules read cards differently."""
        jokers = bool((self.boards >= DECK).any())
        # Without jokers only the ranking of the middle decides how a row reads.
        key = (rules.ranking, rules.jokers, rules.foul) if jokers else rules.ranking.middle
        if (key_text := repr(key)) not in self._codes:
            self._codes[key_text] = read_codes(self.boards, compile_rules(rules))
        return self._codes[key_text]

    def under(self, rules: Rules) -> Outcome:
        """What rules make of the hands."""
        compiled = compile_rules(rules)
        scores = score_codes(self.codes(rules), compiled, self.came_in, self.announced)
        royalties = scores.royalties.sum(axis=2)
        parts = (scores.points, royalties, scores.fouled, scores.next_fantasyland)
        values = np.stack([part.astype(np.int64) for part in parts], axis=2)
        return Outcome(values, scores.codes, scores.royalties, scores.pairs[:, :, :3].astype(np.int64))

    def agrees(self, outcome: Outcome) -> Bools:
        """Where an outcome is what was recorded, or nothing was, bool (n, seats, 4)."""
        return np.asarray((outcome.values == self.values) | ~self.known)


def recorded(log: Log, most: int | None = None) -> list[Recorded]:
    """The finished hands of a log whose source recorded points, royalties, fouls or Fantasyland, by number of seats.

    Hands stand in the order they were played (time, then file and line, then table and number). ``most``: only the
    first so many hands, spread evenly over the log.
    """
    found = []
    scorable = [word.value for word in SCORABLE]
    told = pl.any_horizontal(pl.col(name).is_not_null() for name in _COLUMNS)
    for number in log.parts:
        hands, seats = log.part(number)
        says = seats.filter(told)["hand_id"].unique()
        hands = hands.filter(pl.col("completeness").is_in(scorable), pl.col("hand_id").is_in(says.implode()))
        hands = hands.filter(pl.col("n_seats") >= 2)
        if hands.height:
            found.append((hands, seats.join(hands.select("hand_id"), on="hand_id", how="semi", maintain_order="left")))
    if not found:
        return []
    hands, seats = (pl.concat(frames) for frames in zip(*found, strict=True))
    order = hands.sort("played_at", "source_file", "source_line", "table_id", "hand_no", nulls_last=True)
    if most is not None and order.height > most:
        order = order[np.linspace(0, order.height - 1, most).astype(np.int64)]
    return [_group(order.filter(n_seats=size), seats) for size in sorted(order["n_seats"].unique().to_list())]


def _group(hands: pl.DataFrame, seats: pl.DataFrame) -> Recorded:
    n, size = hands.height, int(hands["n_seats"][0])
    rows = (
        hands.select("hand_id")
        .with_row_index("_hand")
        .join(seats, on="hand_id", how="left", maintain_order="left")
        .sort("_hand", "seat")
        .drop("_hand")
    )
    boards = _boards(arrays.card_array(rows), arrays.placement_array(rows))
    columns = [rows[name].cast(pl.Int64) for name in _COLUMNS]
    values = np.stack([column.fill_null(0).to_numpy() for column in columns], axis=1)
    known = np.stack([column.is_not_null().to_numpy() for column in columns], axis=1)
    return Recorded(
        hands,
        rows,
        boards.reshape(n, size, 13),
        rows["fl_cards"].to_numpy().reshape(n, size),
        rows["announced"].fill_null(True).to_numpy().reshape(n, size),
        values.reshape(n, size, 4),
        known.reshape(n, size, 4),
    )


def _boards(cards: NDArray[np.uint8], codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Board cards u8 (n, 13) of seats whose rows are known: front 3, middle 5, back 5."""
    order = np.argsort(codes, axis=1, kind="stable")[:, :13]
    return np.take_along_axis(cards, order, axis=1)


def points_of(rows: Ints, royalties: Ints, fouled: Bools, rules: Rules, size: int) -> Ints:
    """Points (n, seats) that follow from rows won, royalties and fouls given, all as arrays, under some rules."""
    scoring, foul, mode = rules.scoring, rules.foul, rules.royalties.mode
    points = np.zeros(royalties.shape, np.int64)
    for pair, (a, b) in enumerate(seat_pairs(size)):
        won, lost = (rows[:, pair] == 1).sum(axis=1), (rows[:, pair] == -1).sum(axis=1)
        base = scoring.per_row * (won - lost)
        base = base + scoring.sweep_bonus * ((won == 3).astype(np.int64) - (lost == 3))
        base = base + scoring.majority_bonus * ((won >= 2).astype(np.int64) - (lost >= 2))
        own, other = royalties[:, a], royalties[:, b]
        if mode == "off":
            own = other = np.zeros_like(own)
        elif mode == "pair_winner":
            own, other = own * (base > 0), other * (base < 0)
        total = base + own - other
        pays = foul.pays_opponent_royalties and mode != "off"
        total = np.where(fouled[:, b] & ~fouled[:, a], foul.penalty + pays * royalties[:, a], total)
        total = np.where(fouled[:, a] & ~fouled[:, b], -foul.penalty - pays * royalties[:, b], total)
        total = np.where(fouled[:, a] & fouled[:, b], 0, total)
        points[:, a] += total
        points[:, b] -= total
    return points
