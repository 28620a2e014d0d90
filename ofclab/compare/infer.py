"""Find the rules that explain what a log's sources recorded, what the log cannot tell apart, and where rules drift."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import DECK
from ofclab.compare.errors import CompareError
from ofclab.compare.inferred import Candidate, InferredRules
from ofclab.kernels.placement import NO_CARD
from ofclab.log import Log, open_log
from ofclab.log.arrays import placement_array
from ofclab.log.recorded import Recorded, recorded
from ofclab.log.schema import Utc
from ofclab.log.variants import change, entries_asked, single_changes
from ofclab.rules import Rules, diff_rules, load_rules, presets

Bools = NDArray[np.bool_]
BLOCKS = 4
"""Stretches of a log that are looked at by themselves, so that rules of a part of it are found as well."""
BEST = 2
"""Candidates of each stretch that are changed further."""
SWITCH = 3
"""Hands that a change of rules inside a log must explain; fewer are errors of the source."""
ENTRIES = 24
"""Single entries of royalty tables that are tried at each step."""


def infer_rules(
    log: Log | str | os.PathLike[str],
    base: Rules | str | None = None,
    most_changes: int = 2,
    most_hands: int = 4_000,
) -> InferredRules:
    """Find the rules under which what the sources of a log recorded is true.

    Every preset is tried, then the best of them with one change, with two, up to ``most_changes``; each value changed
    must explain more than one hand. ``base``: start from these rules only. ``most_hands``: hands looked at, evenly over
    the log. A hand is explained when its recorded points, royalties, fouls and next Fantasyland all are the score, and
    its Fantasyland cards are some the rules deal. Where rules drift is found exactly for the candidates tried: the
    fewest unexplained hands plus three for each change of rules. Raises CompareError when no finished hand has a
    record.
    """
    opened = log if isinstance(log, Log) else open_log(log)
    evidence = _Evidence(recorded(opened, most_hands))
    if not len(evidence):
        raise CompareError(f"{opened.path} holds no finished hand whose source recorded points, royalties or fouls")
    start = [(load_rules(base).name or "base", load_rules(base))] if base is not None else evidence.presets()
    found = {rules.id: Candidate(rules, name, evidence.explains(rules)) for name, rules in reversed(start)}
    pool = dict(reversed(found.items()))
    beam = _best(pool.values(), evidence)
    for _ in range(most_changes):
        if beam and beam[0].count == len(evidence):
            break
        fresh = [one for parent in beam for one in _changed(parent, evidence, pool)]
        beam = [one for one in _best(fresh, evidence) if one.size]
    ranked = sorted(pool.values(), key=_cost)
    return _result(ranked, evidence)


def _cost(one: Candidate) -> tuple[int, int]:
    return len(one.explained) - one.count + one.size, one.size


def _best(candidates: Iterable[Candidate], evidence: _Evidence) -> list[Candidate]:
    """The best candidates of the whole log and of each of its stretches."""
    chosen: dict[str, Candidate] = {}
    every = sorted(candidates, key=_cost)
    for stretch in evidence.stretches():

        def cost(one: Candidate, stretch: slice = stretch) -> tuple[int, int]:
            return int((~one.explained[stretch]).sum()) + one.size, one.size

        seen: set[bytes] = set()
        for one in sorted(every, key=cost):
            # Two that explain the same hands lead to the same changes.
            if len(seen) < BEST and (key := one.explained[stretch].tobytes()) not in seen:
                seen.add(key)
                chosen[one.rules.id] = one
    return list(chosen.values())


def _changed(parent: Candidate, evidence: _Evidence, pool: dict[str, Candidate]) -> list[Candidate]:
    """The parent with every single change; those the pool has already are left out, the others added to it."""
    options = list(single_changes(parent.rules))
    entries = (change(parent.rules, settings) for settings in evidence.entries(parent.rules))
    options += [option for option in entries if option is not None]
    found = []
    origin = load_rules(parent.preset) if parent.preset in presets() else None
    for option in options:
        if option.rules.id in pool:
            continue
        said = [one.text for one in diff_rules(origin, option.rules)] if origin else [*parent.words, option.words]
        words, size = tuple(said), len(said) if origin else parent.size + option.size
        one = Candidate(option.rules, parent.preset, evidence.explains(option.rules), size, words)
        pool[option.rules.id] = one
        found.append(one)
    return found


class _Evidence:
    """The recorded hands of a log in the order they were played."""

    def __init__(self, groups: Sequence[Recorded]) -> None:
        self.groups = groups
        if not groups:
            self.hands, self._order = pl.DataFrame(), np.zeros(0, np.int64)
            return
        hands = pl.concat([group.hands for group in groups]).with_row_index("_row")
        keys = ("played_at", "source_file", "source_line", "table_id", "hand_no")
        self.hands = hands.sort(*keys, nulls_last=True)
        self._order = self.hands["_row"].to_numpy().astype(np.int64)
        self.jokers = max(int(group.boards.max()) for group in groups) - DECK + 1
        self.seats = max(group.n_seats for group in groups)
        self.dealt = {dealt for group in groups for dealt in _dealt(group)}
        self._came_in = [sorted(set(group.came_in.ravel().tolist()) - {0}) for group in groups]

    def __len__(self) -> int:
        return len(self._order)

    def presets(self) -> list[tuple[str, Rules]]:
        """The presets that deal so many cards to so many players; all of them where none does."""
        every = [(name, load_rules(name)) for name in presets()]
        fitting = [
            (name, rules) for name, rules in every
            if rules.deck.jokers >= self.jokers and rules.players.max >= self.seats
        ]  # fmt: skip
        dealt = [
            (name, rules) for name, rules in fitting
            if not self.dealt or self.dealt == {5 + sum(street.deal for street in rules.deal.rounds)}
        ]  # fmt: skip
        return dealt or fitting or every

    def explains(self, rules: Rules) -> Bools:
        """Which hands these rules explain, in the order they were played."""
        parts = []
        may_deal = _fantasyland_cards(rules)
        for group, came_in in zip(self.groups, self._came_in, strict=True):
            right = group.agrees(group.under(rules)).all(axis=(1, 2))
            if any(cards not in may_deal for cards in came_in):
                right &= np.isin(group.came_in, [0, *may_deal]).all(axis=1)
            parts.append(right)
        return np.concatenate(parts)[self._order]

    def entries(self, rules: Rules) -> list[Mapping[str, Any]]:
        """Entries of royalty tables that hands ask for."""
        asked = [key for group in self.groups for key in entries_asked(group, group.under(rules), rules)[:ENTRIES]]
        return [{name: value} for name, value in dict.fromkeys(asked)]

    def stretches(self) -> list[slice]:
        """The whole log and its blocks."""
        n = len(self)
        edges = np.linspace(0, n, BLOCKS + 1).astype(int).tolist()
        blocks = [slice(a, b) for a, b in pairwise(edges) if b > a]
        return [slice(0, n), *(blocks if n >= 4 * BLOCKS else [])]


def _dealt(group: Recorded) -> set[int]:
    """Cards dealt to players whose every card is known, outside Fantasyland."""
    full = np.repeat((group.hands["completeness"] == "full").to_numpy(), group.n_seats)
    normal = full & (group.came_in.ravel() == 0)
    counts = (placement_array(group.seats) != NO_CARD).sum(axis=1)
    return {int(count) for count in np.unique(counts[normal])}


def _fantasyland_cards(rules: Rules) -> set[int]:
    fantasyland = rules.fantasyland
    if not fantasyland.enabled:
        return set()
    cards = {entry.cards for entry in fantasyland.entry_front}
    cards |= {fantasyland.entry_low_wheel_cards, fantasyland.entry_both_cards} - {0}
    return cards | ({fantasyland.stay_cards} if isinstance(fantasyland.stay_cards, int) else set())


def _result(ranked: Sequence[Candidate], evidence: _Evidence) -> InferredRules:
    best, n = ranked[0], len(evidence)
    shown = ranked[:20]
    table = pl.DataFrame(
        {
            "rules": [one.rules.id for one in shown],
            "preset": [one.preset for one in shown],
            "changes": ["; ".join(one.words) for one in shown],
            "size": [one.size for one in shown],
            "explained": [one.count for one in shown],
            "share": [one.count / n for one in shown],
        },
        schema_overrides={"size": pl.Int64, "explained": pl.Int64},
    )
    segments, rules = _segments(ranked, evidence)
    return InferredRules(
        best.rules, best.preset, best.words, n, best.count, table, _ties(best, ranked, evidence), segments, rules
    )


def _ties(best: Candidate, ranked: Sequence[Candidate], evidence: _Evidence) -> pl.DataFrame:
    """What explains the very same hands: other presets, and single changes of the rules found."""
    rows = [("preset", one.preset, one.preset) for one in ranked
            if not one.size and one.preset != best.preset and (one.explained == best.explained).all()]  # fmt: skip
    for one in single_changes(best.rules):
        if (evidence.explains(one.rules) == best.explained).all():
            settings = ", ".join(f"{name}={value}" for name, value in one.settings.items())
            rows.append((one.kind, settings, one.words))
    return pl.DataFrame(rows, schema=dict.fromkeys(("kind", "settings", "words"), pl.String), orient="row")


def _segments(ranked: Sequence[Candidate], evidence: _Evidence) -> tuple[pl.DataFrame, tuple[Rules, ...]]:
    """Stretches under one candidate each, so that unexplained hands plus SWITCH for each change are the fewest."""
    distinct: dict[bytes, Candidate] = {}
    for one in ranked:
        distinct.setdefault(one.explained.tobytes(), one)
    kept = list(distinct.values())
    # Every value changed costs as much as a hand, as in the ranking; of two that cost the same the better ranked stays.
    start = np.array([one.size + i * 1e-6 for i, one in enumerate(kept)])
    wrong = ~np.stack([one.explained for one in kept])
    cost, before = start.copy(), np.zeros((len(evidence), len(kept)), np.int32)
    for hand in range(len(evidence)):
        cheapest = int(np.argmin(cost))
        switched = cost[cheapest] + SWITCH + start
        stays = cost <= switched
        before[hand] = np.where(stays, np.arange(len(kept)), cheapest)
        cost = np.where(stays, cost, switched) + wrong[:, hand]
    state, path = int(np.argmin(cost)), []
    for hand in range(len(evidence) - 1, -1, -1):
        path.append(state)
        state = int(before[hand, state])
    path.reverse()
    edges = [0, *(i for i in range(1, len(path)) if path[i] != path[i - 1]), len(path)]
    rows, rules = [], []
    for first, end in pairwise(edges):
        one, hands = kept[path[first]], evidence.hands[first:end]
        files = ", ".join(hands["source_file"].drop_nulls().unique(maintain_order=True).to_list()[:5])
        explained = int(one.explained[first:end].sum())
        rows.append((hands["hand_id"][0], hands["hand_id"][-1], hands["played_at"][0], hands["played_at"][-1], files,
                     one.name, end - first, explained))  # fmt: skip
        rules.append(one.rules)
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "first_hand": pl.UInt64, "last_hand": pl.UInt64, "first_at": Utc, "last_at": Utc, "files": pl.String,
        "rules": pl.String, "hands": pl.Int64, "explained": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row"), tuple(rules)
