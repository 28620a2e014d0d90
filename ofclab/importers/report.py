"""What became of every hand and session of an import."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from ofclab.importers.model import Reject
from ofclab.log import Completeness, Log
from ofclab.log.levels import WHAT_IT_FEEDS


@dataclass(frozen=True)
class FileReport:
    """What became of one file."""

    file: str
    format: str | None
    """None: no format knows the file."""
    reason: str
    """Why the file was taken for this format."""
    read: int
    new: int
    duplicate: int
    rejected: int


@dataclass(frozen=True)
class ImportReport:
    """What became of every hand: ``read`` = ``new`` + ``duplicate`` + number of ``rejected``."""

    read: int
    new: int
    duplicate: int
    rejected: list[Reject]
    log: Log
    files: tuple[FileReport, ...] = ()
    completeness: dict[str, int] = field(default_factory=dict)
    """New hands by how much the source knows of them."""
    warnings: int = 0
    """New hands and sessions with something odd about them: see the column ``warnings`` of ``log.hands``."""
    sessions: int = 0
    """Sessions among the new ones: see ``log.ledger``."""
    merged: int = 0
    """Hands among the duplicates that told something of a hand the log did not know, such as other discards."""

    @property
    def known(self) -> dict[str, str]:
        """What the new hands can be used for, by completeness."""
        return {word: WHAT_IT_FEEDS[Completeness(word)].words for word in self.completeness}

    def __repr__(self) -> str:
        counts = f"{self.read} read = {self.new} new + {self.duplicate} duplicate + {len(self.rejected)} rejected"
        lines = [f"<ImportReport: {counts}>"]
        lines += [f"  {self.completeness[word]} {word}: {text}" for word, text in self.known.items()]
        lines += [f"  {self.sessions} of them sessions known by their totals: see log.ledger"] if self.sessions else []
        lines += [f"  {self.merged} duplicates told more of hands the log has"] if self.merged else []
        lines += [f"  {self.warnings} with warnings: see the column warnings of log.hands"] if self.warnings else []
        lines += [f"  {reject.file}:{reject.line}: {reject.reason}" for reject in self.rejected[:10]]
        return "\n".join(lines + ([f"  and {len(self.rejected) - 10} more rejects"] if len(self.rejected) > 10 else []))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"
