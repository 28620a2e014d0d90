"""Score the hands of a part under any ruleset: facts in, computed tables out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab import scoring, settlement
from ofclab.kernels import columns, rowstate, tables
from ofclab.kernels import scoring as scoring_kernels
from ofclab.log import arrays, chips
from ofclab.log.errors import LogError
from ofclab.log.schema import (
    EARNED_BY,
    LOW_CLASSES,
    PAIR_SCORES,
    ROW_CLASSES,
    SCORABLE,
    SCORES,
    Completeness,
)
from ofclab.rules import Rules
from ofclab.rules import compiled as compiled_rules
from ofclab.rules.compiled import CompiledRules, compile_rules, front_name, is_front, low_name
from ofclab.scoring import BoardScores, read_codes, score_codes, seat_pairs

NOTHING = 255
_MOST_POINTS = 32_767
_COUNTS = ("rows_won", "rows_tied", "rows_lost", "scoops_made", "scoops_suffered")
_WORDS = dict.fromkeys(("front_class", "middle_class", "back_class"), ROW_CLASSES) | {"earned_by": EARNED_BY}
_NUMPY = {pl.Boolean(): np.bool_, pl.UInt8(): np.uint8, pl.UInt16(): np.uint16, pl.Int16(): np.int16}
_DTYPES = {
    name: np.uint8 if name in _WORDS else _NUMPY[dtype]
    for name, dtype in SCORES.items()
    if name not in ("hand_id", "seat", "settled", "agrees_with_recorded")
}
"""How the columns that come from the boards are held: words as their places in the list of words."""


@cache
def scorer_version() -> str:
    """Hash of everything that decides a score; stored scores of another version are computed again."""
    kernels = (tables, rowstate, scoring_kernels, columns)
    return hash_of_sources(__file__, *kernels, compiled_rules, scoring, settlement, chips, arrays)


def hash_of_sources(file: str, *modules: ModuleType) -> str:
    """Twelve digits that change with the source of a file or of any of the modules."""
    digest = hashlib.sha256()
    for path in [*(str(module.__file__) for module in modules), file]:
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:12]


@dataclass(frozen=True, eq=False)
class _Words:
    """What row codes are called under one ruleset: positions in ROW_CLASSES and EARNED_BY by code."""

    classes: NDArray[np.uint8]
    """Class of front, middle and back, (3, codes)."""
    entries: NDArray[np.uint8]
    """What entry a front is, (codes,)."""


@lru_cache(maxsize=64)
def _words(rules: Rules) -> _Words:
    classes = np.tile(tables.CATEGORY + np.uint8(len(LOW_CLASSES)), (3, 1))
    entries = np.full(tables.N_CODES, NOTHING, np.uint8)
    for strength, code in tables.HIGH_CODES.items():
        if is_front(strength) and (name := front_name(strength)):
            word = "trips" if len(name) == 3 else name if name in EARNED_BY else "other_pair"
            entries[code] = EARNED_BY.index(word)
    if compile_rules(rules).low_middle:
        for strength, code in tables.LOW_CODES.items():
            name = low_name(strength)
            classes[1, code] = LOW_CLASSES.index(name) if name in LOW_CLASSES else 0
    return _Words(classes, entries)


@dataclass(frozen=True, eq=False)
class SeatScores:
    """Scores of n seats, hand by hand.

    ``codes`` u16 (n, 3), ``fouled`` bool (n,), ``royalties`` i32 (n, 3), ``next_fantasyland`` u8 (n,), ``points`` i32.
    """

    codes: NDArray[np.uint16]
    fouled: NDArray[np.bool_]
    royalties: NDArray[np.int32]
    next_fantasyland: NDArray[np.uint8]
    points: NDArray[np.int32]

    def of_hands(self, at: NDArray[np.int64]) -> BoardScores:
        """Those of hands whose seats stand in rows ``at`` (hands, seats), but for the pairs."""
        every = at.size == len(self.fouled)

        def take(values: NDArray[Any]) -> NDArray[Any]:
            return values.reshape(*at.shape, *values.shape[1:]) if every else values[at]

        return BoardScores(
            take(self.codes), take(self.fouled), take(self.royalties), take(self.next_fantasyland), take(self.points),
            np.zeros((len(at), 0, 6), np.int32),
        )  # fmt: skip


@cache
def _words_series(name: str) -> pl.Series:
    """The words of a column by their numbers; NOTHING, far behind them, is none."""
    words = _WORDS[name]
    return pl.Series([*words, *[None] * (NOTHING + 1 - len(words))], dtype=SCORES[name])


class _Scored:
    """The computed columns of n seats, filled hand group by hand group; seats of other hands stay null."""

    def __init__(self, n: int) -> None:
        self.known = np.zeros(n, np.bool_)
        self.settled, self.settled_known = np.zeros(n, np.int64), self.known
        self.values: dict[str, NDArray[Any]] = {name: np.zeros(n, dtype) for name, dtype in _DTYPES.items()}

    def fill(self, at: NDArray[np.int64], scores: BoardScores, came_in: NDArray[np.uint8], rules: Rules) -> None:
        """Take the scores of hands whose seats stand in rows ``at`` (hands, seats)."""
        words = _words(rules)
        for name, points in (("a row", scores.royalties), ("a hand", scores.points)):
            if points.size and max(-int(points.min()), int(points.max())) > _MOST_POINTS:
                raise LogError(f"{name} goes beyond {_MOST_POINTS} points, the most a log holds; see stakes.unit")
        found = {"fouled": scores.fouled, "points": scores.points, "next_fl": scores.next_fantasyland}
        for row, name in enumerate(("front", "middle", "back")):
            found[f"{name}_code"] = scores.codes[..., row]
            found[f"{name}_class"] = words.classes[row][scores.codes[..., row]]
            found[f"royalty_{name}"] = scores.royalties[..., row]
        found["earned_by"] = _earned_by(scores, came_in, compile_rules(rules), words)
        counts = np.empty((len(_COUNTS), *at.shape), np.uint8)
        columns.count_rows(np.ascontiguousarray(scores.codes), np.ascontiguousarray(scores.fouled), counts)
        found |= zip(_COUNTS, counts, strict=True)
        # Hands of one kind stand one behind the other; only a mixture has to be sorted into its rows.
        every = at.size == len(self.known)
        for name, values in found.items():
            if every:
                self.values[name] = values.reshape(-1).astype(_DTYPES[name], copy=False)
            else:
                self.values[name][at] = values
        self.known[at] = True

    def frame(self, seats: pl.DataFrame) -> pl.DataFrame:
        """The scores table of these seats."""
        known = None if self.known.all() else pl.Series(self.known)
        series = {"hand_id": seats["hand_id"], "seat": seats["seat"]}
        for name, values in self.values.items():
            column = _words_series(name).gather(values) if name in _WORDS else pl.Series(values)
            series[name] = column if known is None else column.set(~known, None)
        series["settled"] = pl.Series(self.settled)
        if not self.settled_known.all():
            series["settled"] = series["settled"].set(~pl.Series(self.settled_known), None)
        frame = pl.DataFrame(series)
        return frame.with_columns(_agreement(frame, seats)).select(SCORES.names())


def _earned_by(
    scores: BoardScores, came_in: NDArray[np.uint8], compiled: CompiledRules, words: _Words
) -> NDArray[np.uint8]:
    found = np.full(came_in.shape, NOTHING, np.uint8)
    earned = np.nonzero(scores.next_fantasyland)
    front, middle, back = (scores.codes[..., row][earned] for row in range(3))
    by_front, by_low = compiled.entry[0, front] > 0, compiled.entry[1, middle] > 0
    entry = np.where(by_low, EARNED_BY.index("low_wheel"), words.entries[front])
    entry = np.where(by_front & by_low, EARNED_BY.index("both"), entry)
    stays = [compiled.stay[row, codes] for row, codes in enumerate((front, middle, back))]
    stay = np.select(stays, [EARNED_BY.index(f"stay_{row}") for row in ("front", "middle", "back")], NOTHING)
    found[earned] = np.where(came_in[earned] > 0, stay, entry)
    return found


def _agreement(scores: pl.DataFrame, seats: pl.DataFrame) -> pl.Series:
    """Whether the score equals what the source recorded; null where it recorded nothing or there is no score."""
    recorded = ("points_recorded", "royalties_recorded", "foul_recorded", "next_fl_recorded")
    if all(seats[name].null_count() == seats.height for name in recorded):
        return pl.Series("agrees_with_recorded", [None], pl.Boolean).new_from_index(0, seats.height)
    both = pl.DataFrame(
        [*(scores[name] for name in ("points", "fouled", "next_fl")), *(seats[name] for name in recorded)]
    ).with_columns(royalties=scores["royalty_front"].cast(pl.Int32) + scores["royalty_middle"] + scores["royalty_back"])
    same = [
        pl.col("points") == pl.col("points_recorded"),
        pl.col("royalties") == pl.col("royalties_recorded"),
        pl.col("fouled") == pl.col("foul_recorded"),
        pl.col("next_fl") == pl.col("next_fl_recorded"),
    ]
    # all_horizontal is False when one differs; a silent column is neither.
    told = pl.any_horizontal(equal.is_not_null() for equal in same)
    agrees = pl.all_horizontal(equal.fill_null(True) for equal in same)
    return both.select(agrees_with_recorded=pl.when(told).then(agrees)).to_series()


def is_scorable(hands: pl.DataFrame) -> NDArray[np.bool_]:
    """Tell which hands have every row of everyone."""
    can = np.array([word in SCORABLE for word in Completeness])
    found: NDArray[np.bool_] = can[hands["completeness"].to_physical().to_numpy()]
    return found


def hand_groups(hands: pl.DataFrame) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.int64]]]:
    """Hands that can be scored together: the id of their ruleset, their rows, and those of their seats (n, seats)."""
    n_seats = hands["n_seats"].to_numpy()
    starts = arrays.first_seats(n_seats)
    scorable = is_scorable(hands)
    under = hands["ruleset_id"]
    first = (under == under[0]).to_numpy() if hands.height else scorable
    for ruleset_id in under.unique().sort().to_list() if not first.all() else under[:1].to_list():
        chosen = scorable & first if first.all() else scorable & (under == ruleset_id).to_numpy()
        for size in (2, 3, 4):
            rows = np.flatnonzero(chosen & (n_seats == size))
            if rows.size:
                yield ruleset_id, rows, starts[rows][:, None] + np.arange(size)


def score_frames(
    hands: pl.DataFrame,
    seats: pl.DataFrame,
    rules: Rules | Mapping[str, Rules],
    *,
    pairs: bool = True,
    engine: SeatScores | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The scores and pair_scores tables of a part, hands in order.

    ``rules``: one ruleset for all hands, or the ruleset of each id for hands that are to be scored as they were played.
    ``pairs``: False leaves pair_scores empty. ``engine``: what the engine that played these hands under these rules
    scored, so that the cards need not be read again; for hands without stacks, and without ``pairs``. Hands
    whose rows are not all known, and hands of one seat, get null scores and no pairs. Raises LogError naming the hand
    whose rows are said to be known and are not.
    """
    cards, packed = arrays.card_columns(seats), arrays.packed_placements(seats)
    came_in = seats["fl_cards"].to_numpy()
    announced = seats["announced"].fill_null(True).to_numpy()
    scored, settling = _Scored(seats.height), chips.Settling(hands, seats)
    paired: list[tuple[NDArray[np.int64], pl.DataFrame]] = []
    for ruleset_id, rows, at in hand_groups(hands):
        ruleset = rules if isinstance(rules, Rules) else rules[ruleset_id]
        compiled, (n, size) = compile_rules(ruleset), at.shape
        if engine is None:
            boards, broken = arrays.boards(cards, packed, at.ravel())
            if broken is not None:
                seat = seats[int(at.ravel()[broken])]
                raise LogError(f"hand {seat['hand_id'][0]}, seat {seat['seat'][0]}: rows that are not 3, 5 and 5 cards")
            codes = read_codes(boards.reshape(n, size, 13), compiled)
            scores = score_codes(codes, compiled, came_in[at], announced[at])
        else:
            scores = engine.of_hands(at)
        scored.fill(at, scores, came_in[at], ruleset)
        settling.fill(rows, at, scores.pairs[:, :, 5], ruleset)
        if pairs:
            paired.append((np.repeat(rows, size * (size - 1)), _pair_frame(seats, at, scores)))
    scored.settled, scored.settled_known = settling.chips, settling.known
    return scored.frame(seats), _in_order(paired)


def _pair_frame(seats: pl.DataFrame, at: NDArray[np.int64], scores: BoardScores) -> pl.DataFrame:
    """Pair scores from both sides, a row per hand, seat and opponent."""
    n, size = at.shape
    ids, numbers = seats["hand_id"].to_numpy(), seats["seat"].to_numpy()
    both = np.zeros((n, size, size, 6), np.int32)
    for pair, (a, b) in enumerate(seat_pairs(size)):
        both[:, a, b], both[:, b, a] = scores.pairs[:, pair], -scores.pairs[:, pair]
    first, second = np.nonzero(~np.eye(size, dtype=np.bool_))
    values = both[:, first, second].reshape(-1, 6)
    if np.abs(values).max() > _MOST_POINTS:
        raise LogError(f"a pair goes beyond {_MOST_POINTS} points, the most a log holds; see stakes.unit")
    columns = [ids[at[:, first]].ravel(), numbers[at[:, first]].ravel(), numbers[at[:, second]].ravel(), *values.T]
    named = zip(PAIR_SCORES.items(), columns, strict=True)
    return pl.DataFrame([pl.Series(name, column).cast(dtype) for (name, dtype), column in named])


def _in_order(pairs: list[tuple[NDArray[np.int64], pl.DataFrame]]) -> pl.DataFrame:
    if not pairs:
        return pl.DataFrame(schema=PAIR_SCORES)
    frame = pl.concat([part for _, part in pairs])
    return frame if len(pairs) == 1 else frame[np.argsort(np.concatenate([rows for rows, _ in pairs]), kind="stable")]
