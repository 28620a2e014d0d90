"""Explain rulesets in plain words: what one says, and how two differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ofclab.rules.values import CATEGORIES, FRONT_HANDS, LOW_HANDS, PayTable
from ofclab.rules.words import (
    PHRASES,
    front_range,
    hand_name,
    is_plural,
    phrase,
    points_words,
    sentence_case,
    stay_name,
)

if TYPE_CHECKING:
    from ofclab.rules.model import Rules

_ROYALTY_HANDS = {"front": FRONT_HANDS, "middle": CATEGORIES, "back": CATEGORIES, "middle_low": LOW_HANDS}


@dataclass(frozen=True)
class RuleChange:
    """One way a ruleset differs from another: the parameter or table entry, both values, and the words."""

    parameter: str
    before: Any
    after: Any
    text: str

    def __str__(self) -> str:
        return self.text


def diff_rules(a: Rules, b: Rules) -> list[RuleChange]:
    """Return what b changes in a, one change for each thing that differs; empty for equal rulesets.

    >>> from ofclab.rules import load_rules
    >>> rules = load_rules("american-pineapple")
    >>> print(diff_rules(rules, rules.replace({"scoring.sweep_bonus": 0}))[0])
    A scoop pays 0 instead of 3 extra points
    """
    old, new = a.flat(), b.flat()
    changes: list[RuleChange] = []
    for name in old:
        before, after = old[name], new[name]
        if before == after:
            continue
        if name in PHRASES:
            changes.append(RuleChange(name, before, after, phrase(name, after, before, compared=True)))
        elif name == "fantasyland.entry_front":
            changes += _entry_changes(before, after)
        elif name == "fantasyland.stay":
            changes += _stay_changes(before, after)
        else:
            changes += _royalty_changes(name, before or {}, after or {})
    return changes


def _royalty_changes(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[RuleChange]:
    row = name.partition(".")[2]
    hands = _ROYALTY_HANDS[row]
    changed = [hand for hand in hands if before.get(hand) != after.get(hand)]
    for run in _runs(changed, hands) if row == "front" else [[hand] for hand in changed]:
        if len(run) < 3:
            for hand in run:
                yield _entry_change(name, row, hand, before, after)
            continue
        old, new = ([table.get(hand, 0) for hand in run] for table in (before, after))
        subject = sentence_case(f"{front_range(run[0], run[-1])} up front")
        text = f"{subject} pay {points_words(new)} instead of {points_words(old)}"
        yield RuleChange(name, dict(zip(run, old, strict=True)), dict(zip(run, new, strict=True)), text)


def _entry_change(name: str, row: str, hand: str, before: Mapping[str, int], after: Mapping[str, int]) -> RuleChange:
    old, new = (_paid(table, hand) for table in (before, after))
    verb = "pay" if is_plural(row, hand) else "pays"
    text = f"{sentence_case(hand_name(row, hand))} {verb} {new} instead of {old}"
    return RuleChange(f"{name}.{hand}", before.get(hand, 0), after.get(hand, 0), text)


def _paid(table: Mapping[str, int], hand: str) -> str:
    if hand == "five_of_a_kind" and hand not in table:
        return f"{PayTable(table).pays(hand)} (as quads)"
    return str(table.get(hand, 0))


def _runs(hands: Sequence[str], order: Sequence[str]) -> list[list[str]]:
    """Split hands into stretches that follow each other, pairs apart from trips."""
    runs: list[list[str]] = []
    for hand in hands:
        follows = runs and order.index(hand) == order.index(runs[-1][-1]) + 1
        if follows and len(hand) == len(runs[-1][-1]):
            runs[-1].append(hand)
        else:
            runs.append([hand])
    return runs


def _entry_cards(entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the Fantasyland cards each front hand earns, by the last entry it meets."""
    cards = [0] * len(FRONT_HANDS)
    for entry in entries:
        weakest = FRONT_HANDS.index(entry["min"])
        cards[weakest:] = [entry["cards"]] * (len(FRONT_HANDS) - weakest)
    return cards


def _entry_bands(*columns: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the front hands that earn the same, as words, with what they earn."""
    start = 0
    rows = list(zip(*columns, strict=True))
    for i in range(1, len(rows) + 1):
        if i == len(rows) or rows[i] != rows[start]:
            yield front_range(FRONT_HANDS[start], FRONT_HANDS[i - 1]), rows[start]
            start = i


def _entry_changes(before: list[Any], after: list[Any]) -> Iterator[RuleChange]:
    name, differ = "fantasyland.entry_front", False
    for hands, (old, new) in _entry_bands(_entry_cards(before), _entry_cards(after)):
        if old == new:
            continue
        differ = True
        subject = f"{sentence_case(hands)} up front"
        if not old:
            text = f"{subject} enter Fantasyland with {new} cards; they did not"
        elif not new:
            text = f"{subject} no longer enter Fantasyland"
        else:
            text = f"{subject} earn {new} Fantasyland cards instead of {old}"
        yield RuleChange(name, old, new, text)
    if not differ:
        text = "The entries to Fantasyland are listed differently but earn the same cards"
        yield RuleChange(name, before, after, text)


def _stay_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[RuleChange]:
    for row in ("front", "middle", "back"):
        old, new = before[row], after[row]
        if old == new:
            continue
        verb, it = ("stay", "they") if row == "front" or (new or old) in ("trips", "quads") else ("stays", "it")
        if old is None:
            text = f"{sentence_case(stay_name(row, new))} {verb} in Fantasyland; {it} did not"
        elif new is None:
            text = f"{sentence_case(stay_name(row, old))} no longer {verb} in Fantasyland"
        else:
            text = f"Staying in Fantasyland takes {stay_name(row, new)} instead of {stay_name(row, old)}"
        yield RuleChange(f"fantasyland.stay.{row}", old, new, text)
    wheels = before.get("low_wheel", False), after.get("low_wheel", False)
    if wheels[0] != wheels[1]:
        says = "stays in Fantasyland; it did not" if wheels[1] else "no longer stays in Fantasyland"
        yield RuleChange("fantasyland.stay.low_wheel", *wheels, f"7-5-4-3-2 in the middle {says}")


def rule_lines(rules: Rules) -> dict[str, list[str]]:
    """Return what a ruleset says, a list of sentences for each group; what has no effect is left out."""
    flat = rules.flat()
    lines: dict[str, list[str]] = {}
    for name, value in flat.items():
        if _has_effect(name, rules):
            lines.setdefault(name.partition(".")[0], []).extend(_say(name, value))
    return lines


def describe_rules(rules: Rules) -> str:
    """Return a ruleset in plain words: title, a block of sentences for each group, and its weak spots."""
    blocks = [f"{rules.title or rules.name or 'Unnamed rules'} ({rules.id})"]
    blocks += [text for text in (rules.description, rules.source and f"Source: {rules.source}") if text]
    for group, sentences in rule_lines(rules).items():
        blocks.append("\n".join(["", sentence_case(group), *(f"  {sentence}" for sentence in sentences)]))
    if rules.weak_spots:
        spots = (f"  {spot.parameter}: {spot.text}" for spot in rules.weak_spots)
        blocks.append("\n".join(["", "Weak spots", *spots]))
    return "\n".join(blocks)


def _has_effect(name: str, rules: Rules) -> bool:
    low = rules.ranking.middle == "2-7"
    if name in ("foul.back_over_front", "foul.low_middle_worst", "royalties.middle_low") or "low_wheel" in name:
        return low and (not name.startswith("fantasyland.") or rules.fantasyland.enabled)
    if name == "fantasyland.entry_both_cards":
        return low and rules.fantasyland.enabled
    if name in ("foul.back_over_middle", "foul.middle_over_front", "royalties.middle"):
        return not low and (name != "royalties.middle" or rules.royalties.mode != "off")
    if name in ("royalties.front", "royalties.back"):
        return rules.royalties.mode != "off"
    if name in ("fantasyland.stay_cards", "fantasyland.stay_must_announce"):
        return rules.fantasyland.enabled and rules.can_stay
    if name.startswith("fantasyland.") and name != "fantasyland.enabled":
        return rules.fantasyland.enabled
    if name in ("stakes.rake", "stakes.rake_cap"):
        return rules.stakes.rake_percent > 0
    if name.startswith("jokers."):
        return rules.deck.jokers > 0
    return True


def _say(name: str, value: Any) -> list[str]:
    if name in PHRASES:
        return [phrase(name, value)]
    if name == "fantasyland.entry_front":
        bands = _entry_bands(_entry_cards(value))
        return [f"{sentence_case(hands)} up front earn {cards} Fantasyland cards" for hands, (cards,) in bands if cards]
    if name == "fantasyland.stay":
        stays = [stay_name(row, value[row]) for row in ("front", "middle", "back") if value[row]]
        stays += ["7-5-4-3-2 in the middle"] if value.get("low_wheel") else []
        return [f"Staying takes {' or '.join(stays)}" if stays else "Nobody stays in Fantasyland"]
    row = name.partition(".")[2]
    return [_royalty_line(row, value or {})]


def _royalty_line(row: str, table: Mapping[str, int]) -> str:
    place = {"front": "Front", "back": "Back"}.get(row, "Middle")
    if not table:
        return f"{place}: no royalties"
    if row != "front":
        names = (f"{hand.replace('_', ' ')} {points}" for hand, points in table.items())
        return f"{place}: {', '.join(names)}"
    runs = _runs([hand for hand in FRONT_HANDS if hand in table], FRONT_HANDS)
    spans = (
        f"{run[0]}{f' to {run[-1]} pay' if len(run) > 1 else ' pays'} {points_words([table[hand] for hand in run])}"
        for run in runs
    )
    return f"{place}: {', '.join(spans)}"
