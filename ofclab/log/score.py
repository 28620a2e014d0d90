"""Score the hands of a part under any ruleset: facts in, computed tables out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab import scoring, settlement
from ofclab.kernels import fills, outlook, rowstate, tables
from ofclab.kernels import scoring as scoring_kernels
from ofclab.log import arrays, chips, fouls
from ofclab.log.errors import LogError
from ofclab.log.schema import (
    EARNED_BY,
    LOW_CLASSES,
    PAIR_SCORES,
    ROW_CLASSES,
    SCORABLE,
    SCORES,
    Completeness,
    EarnedBy,
    RowClass,
)
from ofclab.rules import Rules
from ofclab.rules import compiled as compiled_rules
from ofclab.rules.compiled import CompiledRules, compile_rules, front_name, is_front, low_name
from ofclab.scoring import BoardScores, read_codes, score_codes, seat_pairs

NOTHING = 255
_MOST_POINTS = 32_767
_POINTS = ("royalty_front", "royalty_middle", "royalty_back", "points")


@cache
def scorer_version() -> str:
    """Hash of everything that decides a score; stored scores of another version are computed again."""
    kernels = (tables, rowstate, scoring_kernels, outlook, fills)
    modules = (*kernels, compiled_rules, scoring, settlement, chips, fouls)
    digest = hashlib.sha256()
    for path in [*(str(module.__file__) for module in modules), __file__]:
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


class _Scored:
    """The computed columns of n seats, filled hand group by hand group; seats of other hands stay null."""

    def __init__(self, n: int) -> None:
        self.known = np.zeros(n, np.bool_)
        self.settled_known = np.zeros(n, np.bool_)
        self.values = {name: np.zeros(n, np.int64) for name in SCORES if name not in ("hand_id", "seat")}
        for name in ("earned_by", "foul_street"):
            self.values[name][:] = NOTHING

    def fill(self, at: NDArray[np.int64], scores: BoardScores, came_in: NDArray[np.uint8], rules: Rules) -> None:
        """Take the scores of hands whose seats stand in rows ``at`` (hands, seats)."""
        words, values = _words(rules), self.values
        self.known[at] = True
        values["fouled"][at] = scores.fouled
        for row, name in enumerate(("front", "middle", "back")):
            values[f"{name}_code"][at] = scores.codes[..., row]
            values[f"{name}_class"][at] = words.classes[row][scores.codes[..., row]]
            values[f"royalty_{name}"][at] = scores.royalties[..., row]
        values["points"][at] = scores.points
        values["next_fl"][at] = scores.next_fantasyland
        values["earned_by"][at] = _earned_by(scores, came_in, compile_rules(rules), words)
        for pair, (a, b) in enumerate(seat_pairs(at.shape[1])):
            rows = scores.pairs[:, pair, :3]
            valid = ~scores.fouled[:, a] & ~scores.fouled[:, b]
            for seat, sign in ((a, 1), (b, -1)):
                won, lost = (rows == sign).sum(axis=1), (rows == -sign).sum(axis=1)
                values["rows_won"][at[:, seat]] += won
                values["rows_lost"][at[:, seat]] += lost
                values["rows_tied"][at[:, seat]] += 3 - won - lost
                values["scoops_made"][at[:, seat]] += valid & (won == 3)
                values["scoops_suffered"][at[:, seat]] += valid & (lost == 3)

    def frame(self, seats: pl.DataFrame) -> pl.DataFrame:
        """The scores table of these seats."""
        for name in _POINTS:
            if len(self.known) and np.abs(self.values[name]).max() > _MOST_POINTS:
                raise LogError(f"{name} goes beyond {_MOST_POINTS} points, the most a log holds; see stakes.unit")
        known = pl.Series(self.known)
        columns = [seats["hand_id"], seats["seat"]]
        for name, dtype in SCORES.items():
            if name not in self.values or name == "agrees_with_recorded":
                continue
            values, filled = self.values[name], known
            if dtype in (RowClass, EarnedBy):
                words = pl.Series(ROW_CLASSES if dtype == RowClass else EARNED_BY, dtype=dtype)
                series = words.gather(np.where(values == NOTHING, 0, values))
            else:
                series = pl.Series(values).cast(dtype)
            if name in ("earned_by", "foul_street"):
                filled = known & pl.Series(values != NOTHING)
            elif name == "settled":
                filled = pl.Series(self.settled_known)
            columns.append(series.set(~filled, None).alias(name) if not filled.all() else series.alias(name))
        frame = pl.DataFrame(columns)
        return frame.with_columns(_agreement(frame, seats)).select(SCORES.names())


def _earned_by(
    scores: BoardScores, came_in: NDArray[np.uint8], compiled: CompiledRules, words: _Words
) -> NDArray[np.uint8]:
    front, middle, back = (scores.codes[..., row] for row in range(3))
    by_front, by_low = compiled.entry[0, front] > 0, compiled.entry[1, middle] > 0
    entry = np.where(by_low, EARNED_BY.index("low_wheel"), words.entries[front])
    entry = np.where(by_front & by_low, EARNED_BY.index("both"), entry)
    stays = [compiled.stay[row, codes] for row, codes in enumerate((front, middle, back))]
    stay = np.select(stays, [EARNED_BY.index(f"stay_{row}") for row in ("front", "middle", "back")], NOTHING)
    earned = np.where(came_in > 0, stay, entry)
    return np.where(scores.next_fantasyland > 0, earned, NOTHING).astype(np.uint8)


def _agreement(scores: pl.DataFrame, seats: pl.DataFrame) -> pl.Series:
    """Whether the score equals what the source recorded; null where it recorded nothing or there is no score."""
    recorded = ("points_recorded", "royalties_recorded", "foul_recorded", "next_fl_recorded")
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


def _groups(hands: pl.DataFrame) -> Iterator[tuple[str, NDArray[np.int64], int]]:
    """Hands that can be scored together: the id of their ruleset, their rows, their number of seats."""
    n_seats = hands["n_seats"].to_numpy()
    scorable = hands["completeness"].is_in([word.value for word in SCORABLE]).to_numpy()
    for ruleset_id in hands["ruleset_id"].unique().sort().to_list():
        chosen = scorable & (hands["ruleset_id"] == ruleset_id).to_numpy()
        for seats in (2, 3, 4):
            rows = np.flatnonzero(chosen & (n_seats == seats))
            if rows.size:
                yield ruleset_id, rows, seats


def _has_deal_order(hands: pl.DataFrame, seats: pl.DataFrame) -> NDArray[np.bool_]:
    """Seats played street by street whose cards are known in the order they came."""
    ordered = hands["completeness"].is_in([Completeness.FULL.value, Completeness.OWN_DISCARDS.value]).to_numpy()
    in_streets: NDArray[np.bool_] = (seats["fl_cards"] == 0).to_numpy()
    return np.repeat(ordered, hands["n_seats"].to_numpy()) & in_streets


def score_frames(
    hands: pl.DataFrame,
    seats: pl.DataFrame,
    rules: Rules | Mapping[str, Rules],
    played: Mapping[str, Rules] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The scores and pair_scores tables of a part, hands in order.

    ``rules``: one ruleset for all hands, or the ruleset of each id for hands that are to be scored as they were played.
    ``played``: the rulesets the hands were dealt under, by id; where that is not known ``foul_street`` stays null.
    Hands whose rows are not all known, and hands of one seat, get null scores and no pairs. Raises LogError naming the
    hand whose rows are said to be known and are not.
    """
    dealt_under = played or ({rules.id: rules} if isinstance(rules, Rules) else rules)
    cards, codes = arrays.card_array(seats), arrays.placement_array(seats)
    came_in = seats["fl_cards"].to_numpy()
    announced = seats["announced"].fill_null(True).to_numpy()
    starts, in_order = arrays.first_seats(hands["n_seats"].to_numpy()), _has_deal_order(hands, seats)
    scored, settling = _Scored(seats.height), chips.Settling(hands, seats)
    pairs: list[tuple[NDArray[np.int64], pl.DataFrame]] = []
    for ruleset_id, rows, size in _groups(hands):
        ruleset = rules if isinstance(rules, Rules) else rules[ruleset_id]
        compiled = compile_rules(ruleset)
        at = starts[rows][:, None] + np.arange(size)
        boards, whole = arrays.boards(cards[at.ravel()], codes[at.ravel()])
        if not whole.all():
            broken = seats[int(at.ravel()[np.argmin(whole)])]
            raise LogError(f"hand {broken['hand_id'][0]}, seat {broken['seat'][0]}: rows that are not 3, 5 and 5 cards")
        codes_read = read_codes(boards.reshape(len(rows), size, 13), compiled)
        scores = score_codes(codes_read, compiled, came_in[at], announced[at])
        scored.fill(at, scores, came_in[at], ruleset)
        if ruleset_id in dealt_under:
            scored.values["foul_street"][at] = fouls.certain_streets(
                cards[at], codes[at], in_order[at], scores.fouled, ruleset, dealt_under[ruleset_id]
            )
        settling.fill(rows, at, scores.pairs[:, :, 5], ruleset)
        pairs.append((np.repeat(rows, size * (size - 1)), _pair_frame(seats, at, scores)))
    scored.values["settled"], scored.settled_known = settling.chips, settling.known
    return scored.frame(seats), _in_order(pairs)


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
