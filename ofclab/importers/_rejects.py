"""Rejects that keep coming: told one by one for a while, then together, so that garbage does not fill the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ofclab.importers.model import ImportedHand, Reject
from ofclab.importers.sessions import ImportedSession

MOST_IN_A_ROW = 1_000
"""Rejects without anything between them that are told one by one."""

Item = ImportedHand | ImportedSession | Reject


def few(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with what follows `MOST_IN_A_ROW` rejects in a row as one reject."""
    row = more = 0
    first: Reject | None = None
    last = 0
    for item in items:
        if isinstance(item, Reject):
            row += 1
            if row <= MOST_IN_A_ROW:
                yield item
                continue
            first, last, more = first or item, item.line, more + 1
            continue
        if first is not None:
            yield _together(first, last, more)
        row, more, first = 0, 0, None
        yield item
    if first is not None:
        yield _together(first, last, more)


def _together(first: Reject, last: int, more: int) -> Reject:
    return replace(first, reason=f"{more} more like this up to line {last}, the first of them: {first.reason}")
