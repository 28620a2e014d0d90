"""Replay every hand of a log under its ruleset, and score it again."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import polars as pl

from ofclab.log import computed, replay
from ofclab.log.checks import faults
from ofclab.log.errors import LogError
from ofclab.log.fouls import foul_frame
from ofclab.log.parts import part_name
from ofclab.log.replay import Finding
from ofclab.log.scan import AS_PLAYED, Log, open_log
from ofclab.log.score import score_frames

MOST_PROBLEMS = 100
"""Problems kept in a report; all are counted."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: the hand and seat (None: the whole hand, or no hand) and what it is."""

    what: str
    hand_id: int | None = None
    seat: int | None = None
    part: int | None = None

    def __str__(self) -> str:
        return self.what


@dataclass
class VerifyReport:
    """What `verify` looked at and what it found.

    ``problems``: the first 100; ``count``: how many there were; ``disagreements``: player-hands whose recorded points,
    royalties, foul or next Fantasyland differ from the score under the log's rules (the source's word against the
    rules', so not a problem of the log).
    """

    path: str
    hands: int = 0
    player_hands: int = 0
    parts: int = 0
    count: int = 0
    disagreements: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Tell whether nothing was wrong."""
        return self.count == 0

    def add(self, problem: Problem) -> None:
        """Count a problem, and keep it while there is room."""
        self.count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def __str__(self) -> str:
        found = "nothing wrong" if self.ok else f"{self.count:,} problems"
        head = f"{self.path}: {self.hands:,} hands, {self.player_hands:,} player-hands in {self.parts} parts: {found}"
        lines = [head, *(f"  {problem}" for problem in self.problems)]
        if self.count > len(self.problems):
            lines.append(f"  ... and {self.count - len(self.problems):,} more")
        if self.disagreements:
            lines.append(f"  {self.disagreements:,} player-hands differ from what their source recorded")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return "<br>".join(html.escape(line) for line in str(self).splitlines())


def verify(log: Log | str | os.PathLike[str], progress: Callable[[int, int], None] | None = None) -> VerifyReport:
    """Replay and re-score a log (or the log at a path), part by part, and report every hand that cannot be.

    Checked: pages of the files (local logs); no card twice, rows 3, 5 and 5; the cards and discards of each street and
    of Fantasyland under the hand's rules; positions; and at simulated tables hand after hand: numbers and ids, the
    button (frozen by Fantasyland where the rules say so), the Fantasyland each seat earned, stacks. Scores stored under
    the log's own rules are compared with scores computed anew, and their points sum to zero.
    ``progress``: called with parts done and all parts.
    """
    log = log if isinstance(log, Log) else open_log(log)
    report = VerifyReport(str(log.path))
    for done, number in enumerate(log.parts, 1):
        try:
            for problem in _part_problems(log, number, report):
                report.add(problem)
            report.parts += 1
        except LogError as error:
            report.add(Problem(str(error), part=number))
        if progress is not None:
            progress(done, len(log.parts))
    return report


def _part_problems(log: Log, number: int, report: VerifyReport) -> Iterator[Problem]:
    if not log.store.is_remote:
        for table in ("hands", "seats"):
            log.store.check_pages(f"{table}/{part_name(number)}")
    hands, seats = log.part(number)
    report.hands += hands.height
    report.player_hands += seats.height
    unknown = [key for key in hands["ruleset_id"].unique().to_list() if key not in log.rulesets]
    if unknown:
        yield Problem(f"part {number} names rulesets the log does not hold: {', '.join(unknown)}", part=number)
        return
    broken = replay.misplaced(hands, seats)
    if broken is not None:
        yield _problem(broken, number)
        return
    source = log.manifest["source"]
    simulated = source.get("kind") == "simulation"
    if simulated:
        yield from (_problem(finding, number) for finding in replay.plan_findings(hands, source, number))
    broken_hands = set()
    for hand_id, seat, what in faults(hands, seats, most=8 * seats.height):
        broken_hands.add(hand_id)
        yield Problem(what, hand_id, seat, number)
    if broken_hands:
        # What cannot be read cannot be replayed, nor what follows from it at its table.
        tables = hands.filter(pl.col("hand_id").is_in(list(broken_hands)))["table_id"]
        hands = hands.filter(~pl.col("table_id").is_in(tables.implode()))
        seats = seats.join(hands.select("hand_id"), on="hand_id", how="semi", maintain_order="left")
    scores, _ = score_frames(hands, seats, log.rulesets, pairs=False)
    report.disagreements += int((~scores["agrees_with_recorded"]).sum())
    yield from (_problem(finding, number) for finding in replay.hand_findings(hands, seats, log.rulesets))
    if simulated:
        findings = replay.table_findings(hands, seats, scores, log.rulesets, source)
        yield from (_problem(finding, number) for finding in findings)
    yield from _score_problems(log, number, hands, seats, scores)


def _problem(finding: Finding, number: int) -> Problem:
    return Problem(finding.what, finding.hand_id, finding.seat, number)


def _score_problems(
    log: Log, number: int, hands: pl.DataFrame, seats: pl.DataFrame, as_played: pl.DataFrame
) -> Iterator[Problem]:
    """Compare the scores stored for this part under the log's own rules with scores computed now."""
    for folder in (AS_PLAYED, *log.rulesets):
        ruleset = log.rulesets if folder == AS_PLAYED else log.rulesets[folder]
        if computed.is_stored(log, "foul_streets", number, folder):
            streets = foul_frame(hands, seats, ruleset, log.rulesets)
            yield from _differences(_stored(log, "foul_streets", number, folder, hands), streets, folder, number)
        if not computed.is_stored(log, "scores", number, folder):
            continue
        stored, now = _stored(log, "scores", number, folder, hands), as_played
        if folder != AS_PLAYED and len(log.rulesets) > 1:
            now, _ = score_frames(hands, seats, ruleset, pairs=False)
        yield from _differences(stored, now, folder, number)
        sums = stored.group_by("hand_id", maintain_order=True).agg(pl.col("points").cast(pl.Int64).sum())
        for hand, total in sums.filter(pl.col("points") != 0).iter_rows():
            yield Problem(f"hand {hand}: the points stored under {folder} sum to {total}, not 0", hand, None, number)


def _stored(log: Log, table: str, number: int, folder: str, hands: pl.DataFrame) -> pl.DataFrame:
    """A stored computed table, of these hands alone."""
    if not log.store.is_remote:
        log.store.check_pages(f"{table}/{folder}/{part_name(number)}")
    frame = log.read(table, number, folder)
    return frame.join(hands.select("hand_id"), on="hand_id", how="semi", maintain_order="left")


def _differences(stored: pl.DataFrame, now: pl.DataFrame, folder: str, number: int) -> Iterator[Problem]:
    for name in now.columns:
        for row in stored[name].ne_missing(now[name]).arg_true().to_list():
            hand, seat = now["hand_id"][row], now["seat"][row]
            what = f"the score stored under {folder} says {name} {stored[name][row]}, want {now[name][row]}"
            yield Problem(f"hand {hand}, seat {seat}: {what}", hand, seat, number)
