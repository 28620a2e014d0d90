"""Hold what sources recorded against the score, hand by hand, and say what would make the recorded figures true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.log import reasons
from ofclab.log.findings import AUDIT, row
from ofclab.log.reasons import Reason
from ofclab.log.recorded import MEASURES, Bools, Outcome, Recorded, points_of, recorded
from ofclab.log.variants import TABLE, Change, changes_asked
from ofclab.rules import Rules, load_rules

if TYPE_CHECKING:
    from ofclab.log.scan import Log

CONTEXT = 4_000
"""Agreeing hands that changes are tried on as well, to see which of them would contradict the rest of the log."""
LEADS = 3
"""Hands a change must explain before others are tried together with it."""
MOST_TOGETHER = 40
"""Hands for which two changes together are tried."""
MOST_ENTRIES = 40
"""Single entries of royalty tables that are tried."""
_POINTS, _ROYALTIES, _FOUL, _NEXT = range(4)
_SCORE, _FANTASYLAND = (_POINTS, _ROYALTIES, _FOUL), (_NEXT,)


def audit(log: Log, rules: Rules | str | None = None) -> pl.DataFrame:
    """Every recorded figure of a log that differs from the score, with the likely reason. Columns: `AUDIT`.

    ``rules``: rules to hold the record against; by default each hand's own. Every single change of rules that houses
    are known to make (`ofclab.log.variants`) is tried, every other reading of a board's jokers, table stakes, and slips
    of the pen. Of several changes that make a hand's record true the one comes first that also explains most, and
    contradicts least, of the same table and of the log. A reason is a likelihood, not a proof. Hands whose boards are
    not all known are not audited.
    """
    rows: list[dict[str, object]] = []
    for group in recorded(log):
        for ruleset, part in _by_rules(log, group, rules):
            rows += _Auditor(part, ruleset).rows()
    return pl.DataFrame(rows, schema=AUDIT).sort("played_at", "hand_id", "seat", nulls_last=True, maintain_order=True)


def _by_rules(log: Log, group: Recorded, rules: Rules | str | None) -> Iterable[tuple[Rules, Recorded]]:
    if rules is not None:
        yield load_rules(rules), group
        return
    for ruleset_id in group.hands["ruleset_id"].unique().sort().to_list():
        own = (group.hands["ruleset_id"] == ruleset_id).to_numpy()
        yield log.rulesets[ruleset_id], group.take(own)


@dataclass(frozen=True)
class _Tried:
    """One change and what it makes of the hands: agreement bool (n, 4), all seats together."""

    change: Change
    agrees: Bools


@dataclass(frozen=True)
class _Standing:
    """What one change does to some measures: hands it explains, and by how many more it contradicts than it gains."""

    size: int
    explains: Bools
    worse: int
    worse_at_table: NDArray[Any]
    reason: Reason


class _Auditor:
    """The audit of hands of one number of seats under one ruleset."""

    def __init__(self, group: Recorded, rules: Rules) -> None:
        self.rules = rules
        self.outcome = group.under(rules)
        agrees = group.agrees(self.outcome)
        self.wrong = np.flatnonzero(~agrees.all(axis=(1, 2)))
        right = np.flatnonzero(agrees.all(axis=(1, 2)))
        kept = right[np.linspace(0, len(right) - 1, min(CONTEXT, len(right))).astype(np.int64)] if len(right) else right
        self.whole = group
        self.group = group.take(np.concatenate([self.wrong, kept]))
        self.now = self.group.under(rules)
        self.differs = ~self.group.agrees(self.now)
        self.base: Bools = np.all(~self.differs, axis=1)
        self.tables = np.unique(self.group.hands["table_id"].to_numpy(), return_inverse=True)[1]
        self._standings: dict[tuple[int, ...], list[_Standing]] = {}
        self._left_together = MOST_TOGETHER
        self.tried: list[_Tried] = []

    def rows(self) -> list[dict[str, object]]:
        """The rows of every hand that differs."""
        found: list[dict[str, object]] = []
        if len(self.wrong):
            self.tried = [self._try(one) for one in changes_asked(self.group, self.rules, MOST_ENTRIES)]
            for place in range(len(self.wrong)):
                found += self._hand(place)
        return found + self._chips()

    def _try(self, one: Change) -> _Tried:
        agrees: Bools = np.all(self.group.agrees(self.group.under(one.rules)), axis=1)
        return _Tried(one, agrees)

    def _standing(self, measures: tuple[int, ...]) -> list[_Standing]:
        """What each change does to these measures, in the log and at each table; worked out once."""
        if measures not in self._standings:
            base: Bools = np.all(self.base[:, measures], axis=1)
            found = []
            for tried in self.tried:
                now: Bools = np.all(tried.agrees[:, measures], axis=1)
                balance = (base & ~now).astype(np.int64) - (now & ~base)
                gained, worse = int((balance < 0).sum()), int(balance.sum())
                # One entry of a table can explain any number; it must not contradict the rest.
                if worse < 0 or not any(name.count(".") > 1 for name in tried.change.settings):
                    told = ", ".join(f"{name}={value}" for name, value in tried.change.settings.items())
                    reason = Reason(tried.change.kind, tried.change.words, gained, told)
                    at_table = np.bincount(self.tables, balance, minlength=int(self.tables.max()) + 1)
                    found.append(_Standing(tried.change.size, now, worse, at_table, reason))
            self._standings[measures] = found
        return self._standings[measures]

    def _by_change(self, place: int, measures: tuple[int, ...]) -> list[_Standing]:
        """Changes that make these measures of a hand true, the likeliest first."""
        found = [one for one in self._standing(measures) if one.explains[place]]
        return sorted(found, key=lambda one: (one.worse_at_table[self.tables[place]], one.size, one.worse))

    def _hand(self, place: int) -> list[dict[str, object]]:
        differs = self.differs[place]
        all_measures = _SCORE + _FANTASYLAND
        whole = self._reasons(place, differs, all_measures, strict=True)
        rows: list[dict[str, object]] = []
        for measures in (_SCORE, _FANTASYLAND):
            if not differs[:, list(measures)].any():
                continue
            found = whole or self._reasons(place, differs, measures, strict=False)
            rows += [
                row(self.group, place, seat, MEASURES[measure], int(self.group.values[place, seat, measure]),
                          int(self.now.values[place, seat, measure]), found)
                for seat in range(self.group.n_seats) for measure in measures if differs[seat, measure]
            ]  # fmt: skip
        return rows

    def _reasons(self, place: int, differs: Bools, measures: tuple[int, ...], strict: bool) -> list[Reason]:
        """Reasons for measures of a hand, the likeliest first; ``strict``: only those that explain the whole hand."""
        changes = self._by_change(place, measures)
        simple = [one.reason for one in changes if one.size == 1]
        several = [one.reason for one in changes if one.size > 1]
        score = self.now.values[place, :, _POINTS]
        capped = reasons.capped_points(self.group, place, score, self.rules) if _POINTS in measures else None
        only_points = differs[:, _POINTS].any() and not differs[:, [_ROYALTIES, _FOUL]].any()
        found = [capped] if capped is not None and only_points else []
        found += simple
        jokers = self._jokers(place, differs, measures, strict)
        found += [jokers] if jokers is not None else []
        if strict:
            return found
        found += several
        if _POINTS in measures and not found:
            told, known = self.group.values[place, :, _POINTS], self.group.known[place, :, _POINTS]
            written = reasons.slip(told, known, score) if only_points else None
            found += [written] if written is not None else self._otherwise(place, differs)
        if not found and self._left_together:
            self._left_together -= 1
            found = self._together(place, measures)
        return found or [Reason(reasons.UNKNOWN, "no change of rules explains it", 0)]

    def _together(self, place: int, measures: Sequence[int]) -> list[Reason]:
        """One of the changes that explain most of the log, with one more that makes these measures of a hand true.

        What is found is tried on the other hands as well, as one change.
        """
        alone = self.group.take(np.array([place]))
        at = list(measures)
        found: list[tuple[int, _Tried]] = []
        for first in self._leaders:
            before: Bools = np.all(first.agrees, axis=1)
            for second in changes_asked(alone, first.change.rules, MOST_ENTRIES):
                if second.size == 1 and alone.agrees(alone.under(second.rules))[0][:, at].all():
                    settings = {**first.change.settings, **second.settings}
                    words, size = f"{first.change.words}; {second.words}", first.change.size + 1
                    tried = self._try(Change(second.kind, settings, second.rules, words, size))
                    after: Bools = np.all(tried.agrees, axis=1)
                    found.append((int((before & ~after).sum()) - int((after & ~before).sum()), tried))
        if not found:
            return []
        self.tried.append(min(found, key=lambda one: one[0])[1])
        self._standings.clear()
        return [one.reason for one in self._by_change(place, tuple(measures))]

    @cached_property
    def _leaders(self) -> list[_Tried]:
        """The changes that explain most hands and contradict fewer."""
        base: Bools = np.all(self.base, axis=1)
        counted: list[tuple[int, int, int, _Tried]] = []
        for tried in self.tried:
            now: Bools = np.all(tried.agrees, axis=1)
            gained, lost = int((now & ~base).sum()), int((base & ~now).sum())
            if gained >= LEADS and gained > lost:
                counted.append((lost - gained, tried.change.size, len(counted), tried))
        return [tried for *_, tried in sorted(counted)[:2]]

    @cached_property
    def _joker_outcomes(self) -> list[Outcome]:
        """The hands as scored, and with jokers read in the other ways rules know."""
        jokers = [tried.change.rules for tried in self.tried if tried.change.kind == reasons.JOKER]
        return [self.now, *(self.group.under(rules) for rules in jokers)]

    def _otherwise(self, place: int, differs: Bools) -> list[Reason]:
        """Figures of a hand that contradict each other, or fouls that no rule explains."""
        if not self._follows(place, _rows_of(self.now, place)):
            return []
        if differs[:, _FOUL].any():
            seats = ", ".join(str(seat) for seat in np.flatnonzero(differs[:, _FOUL]))
            return [Reason(reasons.FOUL, f"the points follow from taking the board of seat {seats} the other way", 1)]
        if not differs[:, _POINTS].any():
            return [Reason(reasons.TYPING, "the points are those of the score; the royalties beside them are not", 1)]
        return [Reason(TABLE, "the points follow from the royalties recorded", 1)]

    def _follows(self, place: int, rows: NDArray[np.int64]) -> bool:
        """Whether the recorded points follow from the recorded royalties and fouls and the rows won."""
        told, known = self.group.values[place], self.group.known[place]
        now = self.now.values[place]
        filled = np.where(known, told, now)
        points = points_of(
            rows, filled[None, :, _ROYALTIES], filled[None, :, _FOUL].astype(np.bool_), self.rules, self.group.n_seats
        )
        return bool((points[0] == filled[:, _POINTS]).all())

    def _jokers(self, place: int, differs: Bools, measures: Sequence[int], strict: bool) -> Reason | None:
        """Another reading of the jokers of every seat that differs in something else than points."""
        seats = [seat for seat in range(self.group.n_seats) if differs[seat, [_ROYALTIES, _FOUL, _NEXT]][
            [m - 1 for m in measures if m != _POINTS]].any()]  # fmt: skip
        wanted = tuple(measures) if not strict else _SCORE + _FANTASYLAND
        found = [reasons.joker_reason(self.group, place, seat, self.rules, wanted) for seat in seats]
        if not found or None in found:
            return None
        follows = (self._follows(place, _rows_of(outcome, place)) for outcome in self._joker_outcomes)
        if _POINTS in measures and differs[:, _POINTS].any() and not any(follows):
            return None
        return Reason(reasons.JOKER, "; ".join(one.words for one in found if one is not None), 1)

    def _chips(self) -> list[dict[str, object]]:
        """Rows for stacks that moved by something else than the points recorded, or scored where none are."""
        group, unit = self.whole, self.rules.stakes.unit
        stacks = [group.seats[name].cast(pl.Float64).to_numpy() for name in ("stack_before", "stack_after")]
        moved = (stacks[1] - stacks[0]).reshape(len(group), group.n_seats)
        known = group.known[:, :, _POINTS]
        points = np.where(known, group.values[:, :, _POINTS], self.outcome.values[:, :, _POINTS])
        rows: list[dict[str, object]] = []
        for hand in np.flatnonzero(~np.isnan(moved).any(axis=1) & (moved != points * unit).any(axis=1)):
            found = reasons.chips_reason(group, int(hand), points[hand], self.rules)
            if found is None:
                continue
            chips, owed = found[0], (points[hand] * unit).tolist()
            rows += [
                row(group, int(hand), seat, "chips", chips[seat], owed[seat], [found[1]])
                for seat in range(len(owed)) if chips[seat] != owed[seat]
            ]  # fmt: skip
        return rows


def _rows_of(outcome: Outcome, place: int) -> NDArray[np.int64]:
    return outcome.rows[place : place + 1]
