"""The ways in which houses differ: every single change of rules that can alter what a finished hand is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np

from ofclab.kernels import tables
from ofclab.log.recorded import MEASURES, Outcome, Recorded
from ofclab.rules import Rules, RulesError, diff_rules, load_rules, presets
from ofclab.rules.compiled import compile_rules, front_name, is_front

STAY = "another stay rule"
ENTRY = "another way into Fantasyland"
JOKER = "another joker reading"
FOUL = "a foul read differently"
PENALTY = "another foul penalty"
SCOOP = "another scoop bonus"
ROWS = "rows paid differently"
TABLE = "another royalty table"
MODE = "royalties collected differently"

KINDS: Mapping[str, str] = {
    "fantasyland.enabled": ENTRY,
    "fantasyland.entry_front": ENTRY,
    "fantasyland.entry_low_wheel_cards": ENTRY,
    "fantasyland.stay": STAY,
    "fantasyland.stay_cards": STAY,
    "jokers.may_copy": JOKER,
    "jokers.reading": JOKER,
    "jokers.five_of_a_kind": JOKER,
    "foul.back_over_middle": FOUL,
    "foul.middle_over_front": FOUL,
    "foul.back_over_front": FOUL,
    "foul.cross_length_compare": FOUL,
    "foul.low_middle_worst": FOUL,
    "foul.penalty": PENALTY,
    "foul.pays_opponent_royalties": PENALTY,
    "scoring.per_row": ROWS,
    "scoring.sweep_bonus": SCOOP,
    "scoring.majority_bonus": ROWS,
    "royalties.mode": MODE,
    "royalties.front": TABLE,
    "royalties.middle": TABLE,
    "royalties.back": TABLE,
    "royalties.middle_low": TABLE,
}
"""Parameters that can alter what a finished hand is worth, and what a change of each is called."""

_CHOICES: Mapping[str, tuple[Any, ...]] = {
    "foul.back_over_middle": ("ge", "gt"),
    "foul.middle_over_front": ("ge", "gt"),
    "foul.back_over_front": ("ge", "gt"),
    "foul.cross_length_compare": ("missing_lowest", "prefix_tie"),
    "foul.penalty": tuple(range(13)),
    "foul.pays_opponent_royalties": (True, False),
    "scoring.per_row": (1, 2, 3),
    "scoring.sweep_bonus": tuple(range(7)),
    "scoring.majority_bonus": (0, 1, 2),
    "royalties.mode": ("both", "row_winner", "pair_winner", "off"),
    "fantasyland.stay_cards": ("same", 13, 14, 15, 16, 17),
    "jokers.may_copy": ("none", "other_row", "any"),
    "jokers.reading": ("strongest_legal", "strongest"),
    "jokers.five_of_a_kind": (False, True),
}
_PRESET_VALUES = (
    "fantasyland.entry_front", "royalties.front", "royalties.middle", "royalties.back", "royalties.middle_low",
    "foul.low_middle_worst", "fantasyland.entry_low_wheel_cards",
)  # fmt: skip
"""Parameters whose values are those of the presets."""
_POINTS, _ROYALTIES, _FOUL = (MEASURES.index(name) for name in ("points", "royalties", "foul"))
_STEPS = (("QQ", "KK", "AA", "222"), (14, 15, 16, 17))


@dataclass(frozen=True)
class Change:
    """One change of rules: what it is called, its settings, in words, and how many values it changes."""

    kind: str
    settings: Mapping[str, Any]
    rules: Rules
    words: str
    size: int


@lru_cache(maxsize=1)
def _preset_values() -> dict[str, list[Any]]:
    values: dict[str, list[Any]] = {name: [] for name in _PRESET_VALUES}
    for preset in presets():
        flat = load_rules(preset).flat()
        for name, found in values.items():
            if flat[name] not in found:
                found.append(flat[name])
    entries = values["fantasyland.entry_front"]
    first, cards = _STEPS
    for count in (13, 14, 15, 16, 17):
        entries += [[{"min": "QQ", "cards": count}], [{"min": "KK", "cards": count}]]
    entries.append([{"min": low, "cards": n} for low, n in zip(first[:3], cards, strict=False)])
    entries.append([{"min": low, "cards": n} for low, n in zip(first, cards, strict=True)])
    values["fantasyland.entry_front"] = [entry for i, entry in enumerate(entries) if entry not in entries[:i]]
    return values


def _stays(rules: Rules) -> Iterator[dict[str, Any]]:
    low = rules.fantasyland.stay.low_wheel
    middles = ("none",) if rules.ranking.middle == "2-7" else ("none", "full_house", "quads")
    for front, middle, back in product(("222", "none"), middles, ("quads", "none", "full_house", "straight_flush")):
        yield {"front": front, "middle": middle, "back": back, **({"low_wheel": True} if low else {})}


def _settings(rules: Rules) -> Iterator[dict[str, Any]]:
    for name, choices in _CHOICES.items():
        if name.startswith("jokers.") and not rules.deck.jokers:
            continue
        if (name == "foul.back_over_front") != (rules.ranking.middle == "2-7") and name == "foul.back_over_front":
            continue
        yield from ({name: choice} for choice in choices)
    for name, values in _preset_values().items():
        yield from ({name: value} for value in values)
    yield from ({"fantasyland.stay": stay} for stay in _stays(rules))


def change(rules: Rules, settings: Mapping[str, Any]) -> Change | None:
    """The change that some settings make; None where they change nothing or cannot be played."""
    try:
        changed = rules.replace(settings)
    except RulesError:
        return None
    said = diff_rules(rules, changed)
    if not said:
        return None
    parameter = ".".join(next(iter(settings)).split(".")[:2])
    return Change(KINDS[parameter], dict(settings), changed, "; ".join(one.text for one in said), len(said))


@lru_cache(maxsize=256)
def single_changes(rules: Rules) -> tuple[Change, ...]:
    """Every single change of rules that houses are known to make and that can alter what a finished hand is worth."""
    found: dict[str, Change] = {}
    for settings in _settings(rules):
        one = change(rules, settings)
        if one is not None:
            found.setdefault(one.rules.id, one)
    return tuple(found.values())


def entries_asked(group: Recorded, outcome: Outcome, rules: Rules) -> list[tuple[str, int]]:
    """Single entries of royalty tables that would make a recorded figure true, those most hands ask for first."""
    names = _entry_names()
    asked: Counter[tuple[str, int]] = Counter()
    compiled = compile_rules(rules)
    told, known, now = group.values, group.known, outcome.values
    rows = ("front", "middle", "back") if rules.ranking.middle == "high" else ("front", "back")
    opponents = group.n_seats - 1
    for hand, seat in zip(*np.nonzero(~group.agrees(outcome).all(axis=2)), strict=True):
        if now[hand, seat, _FOUL] or (known[hand, seat, _FOUL] and told[hand, seat, _FOUL]):
            continue
        if known[hand, seat, _ROYALTIES]:
            more = int(told[hand, seat, _ROYALTIES] - now[hand, seat, _ROYALTIES])
        elif known[hand, seat, _POINTS]:
            more, rest = divmod(int(told[hand, seat, _POINTS] - now[hand, seat, _POINTS]), opponents)
            more = 0 if rest else more
        else:
            continue
        for row, name in enumerate(("front", "middle", "back")):
            code = int(outcome.codes[hand, seat, row])
            entry = names[row].get(code)
            if more and entry and name in rows:
                value = int(compiled.royalty[row, code]) + more
                if value >= 0:
                    asked[f"royalties.{name}.{entry}", value] += 1
    return [key for key, _ in asked.most_common()]


def changes_asked(group: Recorded, rules: Rules, most: int) -> list[Change]:
    """Single changes of rules, and of single entries of royalty tables the ``most`` that hands ask for first."""
    found = {one.rules.id: one for one in single_changes(rules)}
    for name, value in entries_asked(group, group.under(rules), rules)[:most]:
        one = change(rules, {name: value})
        if one is not None:
            found.setdefault(one.rules.id, one)
    return list(found.values())


@cache
def _entry_names() -> tuple[dict[int, str], dict[int, str], dict[int, str]]:
    """The entry of a royalty table that each row code is paid by; high cards have none."""
    fronts = {code: front_name(s) for s, code in tables.HIGH_CODES.items() if is_front(s) and front_name(s)}
    fives = {code: tables.CATEGORIES[s[0]] for s, code in tables.HIGH_CODES.items() if not is_front(s) and s[0] > 0}
    return fronts, fives, fives
