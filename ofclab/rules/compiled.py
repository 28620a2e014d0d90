"""Rules as flat arrays: what the kernels are handed instead of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.cards import RANKS
from ofclab.kernels import scoring as k
from ofclab.kernels import tables as t
from ofclab.rules.model import Rules

_CATEGORY = {name: number for number, name in enumerate(t.CATEGORIES)}
_MODES = {"both": k.MODE_BOTH, "row_winner": k.MODE_ROW_WINNER, "pair_winner": k.MODE_PAIR_WINNER, "off": k.MODE_OFF}
_COPIES = {"none": k.COPY_NONE, "other_row": k.COPY_OTHER_ROW, "any": k.COPY_ANY}


@dataclass(frozen=True, eq=False)
class CompiledRules:
    """Arrays of one ruleset, indexed by row code (`N_CODES` long; the middle by low code when it is a 2-7 low).

    ``switches`` i64: the scalars at the positions named in `ofclab.kernels.scoring`; ``cross`` u16: the code a front is
    held against when it stands before a five-card row; ``royalty`` i32 (3, N): points; ``entry`` u8 (2, N):
    Fantasyland cards by front and by low middle; ``stay`` bool (3, N); ``rounds`` i64 (streets, 3): deal, place,
    discard of each street, the first one included.
    """

    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]
    royalty: NDArray[np.int32]
    entry: NDArray[np.uint8]
    stay: NDArray[np.bool_]
    rounds: NDArray[np.int64]

    @property
    def paid(self) -> NDArray[np.int32]:
        """Royalties that move points, i32 (3, N): ``royalty``, or nothing where ``royalties.mode`` is off."""
        return self.royalty * np.int32(self.switches[k.ROYALTY_MODE] != k.MODE_OFF)

    @property
    def low_middle(self) -> bool:
        """Tell whether the middle is a 2-7 low."""
        return bool(self.switches[k.LOW_MIDDLE])


def front_name(strength: t.Strength) -> str:
    """Name of a front as the royalty tables write it: ``QQ``, ``222``; empty for a high card."""
    count = {t.PAIR: 2, t.TRIPS: 3}.get(strength[0], 0)
    return RANKS[strength[1] - 1] * count


def low_name(strength: t.Strength) -> str:
    """Name of a 2-7 low as the royalty tables write it: ``75432``, ``8-low``; empty when it has no low."""
    if strength[0] != -t.HIGH_CARD:
        return ""
    ranks = "".join(RANKS[-rank - 1] for rank in strength[1:])
    return ranks if ranks == "75432" else f"{ranks[0]}-low"


def is_front(strength: t.Strength) -> bool:
    """Tell whether a strength of the high scale belongs to three cards."""
    empty = {t.HIGH_CARD: 4, t.PAIR: 3, t.TRIPS: 2}.get(strength[0])
    return empty is not None and strength[empty] == 0


def _front_order(name: str) -> tuple[int, int]:
    return len(name), RANKS.index(name[0])


def _category_points(points: Mapping[str, int], category: int) -> int:
    """Points of a category; five of a kind without a value of its own is paid as the quads it holds."""
    name = t.CATEGORIES[category]
    if name == "five_of_a_kind" and name not in points:
        name = "quads"
    return points.get(name, 0)


@cache
def _cross(prefix_tie: bool) -> NDArray[np.uint16]:
    """Identity, or under prefix_tie the front that a five-card row's leading cards make."""
    cross = np.arange(t.N_CODES, dtype=np.uint16)
    if prefix_tie:
        leading = {t.HIGH_CARD: 3, t.PAIR: 2, t.TRIPS: 1}
        for strength, code in t.HIGH_CODES.items():
            if strength[0] in leading:
                kept = strength[: leading[strength[0]] + 1]
                cross[code] = t.HIGH_CODES[(*kept, *(0,) * (6 - len(kept)))]
    return cross


def _worst_low(rank: str | None) -> int:
    if rank is None:
        return 0
    top = RANKS.index(rank) + 1
    return min(code for strength, code in t.LOW_CODES.items() if strength[:2] == (-t.HIGH_CARD, -top))


def _switches(flat: Mapping[str, Any]) -> NDArray[np.int64]:
    switches = np.zeros(k.N_SWITCHES, np.int64)
    stay_cards = flat["fantasyland.stay_cards"]
    values = {
        k.LOW_MIDDLE: flat["ranking.middle"] == "2-7",
        k.LOW_WORST: _worst_low(flat["foul.low_middle_worst"]),
        k.BACK_STRICT: flat["foul.back_over_middle"] == "gt",
        k.MIDDLE_STRICT: flat["foul.middle_over_front"] == "gt",
        k.FRONT_STRICT: flat["foul.back_over_front"] == "gt",
        k.MAY_COPY: _COPIES[flat["jokers.may_copy"]],
        k.READING_LEGAL: flat["jokers.reading"] == "strongest_legal",
        k.FIVE_OF_A_KIND_ALLOWED: flat["jokers.five_of_a_kind"],
        k.PER_ROW: flat["scoring.per_row"],
        k.SWEEP_BONUS: flat["scoring.sweep_bonus"],
        k.MAJORITY_BONUS: flat["scoring.majority_bonus"],
        k.PENALTY: flat["foul.penalty"],
        k.FOUL_PAYS_ROYALTIES: flat["foul.pays_opponent_royalties"],
        k.ROYALTY_MODE: _MODES[flat["royalties.mode"]],
        k.ENTRY_BOTH_CARDS: flat["fantasyland.entry_both_cards"],
        k.STAY_CARDS: 0 if stay_cards == "same" else stay_cards,
        k.STAY_ANNOUNCED: flat["fantasyland.stay_must_announce"],
    }
    for position, value in values.items():
        switches[position] = int(value)
    return switches


@cache
def _named_codes() -> tuple[list[tuple[int, str]], NDArray[np.int64], NDArray[np.int64]]:
    """Codes of fronts with their names, and codes of five cards with their categories."""
    fronts = [(code, front_name(strength)) for strength, code in t.HIGH_CODES.items() if is_front(strength)]
    fives = [(code, strength[0]) for strength, code in t.HIGH_CODES.items() if not is_front(strength)]
    codes, categories = np.array(fives, np.int64).T
    return fronts, codes, categories


@lru_cache(maxsize=256)
def compile_rules(rules: Rules) -> CompiledRules:
    """Compile a ruleset into the arrays the kernels work on (cached)."""
    flat = rules.flat()
    low = flat["ranking.middle"] == "2-7"
    royalty = np.zeros((3, t.N_CODES), np.int32)
    entry = np.zeros((2, t.N_CODES), np.uint8)
    stay = np.zeros((3, t.N_CODES), np.bool_)
    enabled, stays = flat["fantasyland.enabled"], flat["fantasyland.stay"]
    minimum = {row: _CATEGORY[stays[row]] if stays[row] else len(t.CATEGORIES) for row in ("middle", "back")}
    fronts, fives, categories = _named_codes()
    for code, name in fronts:
        royalty[0, code] = flat["royalties.front"].get(name, 0)
        if name and enabled:
            for step in flat["fantasyland.entry_front"]:
                if _front_order(name) >= _front_order(step["min"]):
                    entry[0, code] = step["cards"]
            stay[0, code] = stays["front"] is not None and _front_order(name) >= _front_order(stays["front"])
    for row, name in enumerate(("middle", "back"), 1):
        if row == 2 or not low:
            pays = [_category_points(flat[f"royalties.{name}"], category) for category in range(len(t.CATEGORIES))]
            royalty[row, fives] = np.array(pays, np.int32)[categories]
            stay[row, fives] = enabled & (categories >= minimum[name])
    if low:
        points = flat["royalties.middle_low"] or {}
        for strength, code in t.LOW_CODES.items():
            royalty[1, code] = points.get(low_name(strength), 0)
        if enabled:
            entry[1, t.WHEEL_LOW] = flat["fantasyland.entry_low_wheel_cards"]
            stay[1, t.WHEEL_LOW] = stays.get("low_wheel", False)
    rounds = [(5, 5, 0)] + [(r["deal"], r["place"], r["discard"]) for r in flat["deal.rounds"]]
    compiled = CompiledRules(
        _switches(flat),
        _cross(flat["foul.cross_length_compare"] == "prefix_tie"),
        royalty,
        entry,
        stay,
        np.array(rounds, np.int64),
    )
    for array in (compiled.switches, compiled.cross, compiled.royalty, compiled.entry, compiled.stay, compiled.rounds):
        array.setflags(write=False)
    return compiled
