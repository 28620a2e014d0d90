"""Hands a log has already, told again: by the same source, or by another who saw other cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ofclab.importers.frames import Identified, tables
from ofclab.importers.merging import merge
from ofclab.importers.model import HandError, Reject
from ofclab.importers.players import Pseudonyms
from ofclab.log import Log
from ofclab.log.edit import Edit, raw, replace_part
from ofclab.log.schema import ACTS, HANDS, SEATS

_LOOSE = ("source_file", "source_line", "warnings", "table_id", "match_id", "ruleset_id", "hand_no", "n_seats")
"""Columns of a hand in which two sources may differ without a word."""


class Observers:
    """Puts together what several sources tell of hands that a log has; parts that learn something are replaced."""

    def __init__(self, log: Log, players: Pseudonyms) -> None:
        self.log = log
        self.players = players
        self.merged = 0

    def take(self, found: Sequence[Identified], parts: Mapping[int, int]) -> list[tuple[int, Reject]]:
        """Take what these hands know more than the log; places and rejects of those that contradict it.

        ``parts``: the number of the part each hand lies in.
        """
        rejects: list[tuple[int, Reject]] = []
        by_part: dict[int, list[int]] = {}
        for place, one in enumerate(found):
            by_part.setdefault(parts[one.hand_id], []).append(place)
        for number, places in sorted(by_part.items()):
            told = self._take_part(number, [found[place] for place in places])
            rejects += [(places[i], reject) for i, reject in told]
        return sorted(rejects, key=lambda told: told[0])

    def _take_part(self, number: int, found: Sequence[Identified]) -> list[tuple[int, Reject]]:
        hands, seats, acts = tables(found, self.players)
        at = pl.Series("_at", range(len(found)), pl.UInt32)
        hands = hands.with_columns(at)
        seats = seats.with_columns(_at=at.gather(pl.Series([i for i, one in enumerate(found) for _ in one.hand.seats])))
        own_hands, own_seats = raw(self.log, "hands", number), raw(self.log, "seats", number)
        different = _different(hands, own_hands, seats, own_seats)
        if not different:
            return []
        rejects, changed = [], dict[int, tuple[dict[str, Any], list[dict[str, Any]]]]()
        for place in different:
            one = found[place]
            hand, rows = changed.get(one.hand_id) or _rows(own_hands, own_seats, one.hand_id)
            other = hands.filter(_at=place).select(HANDS.names()).row(0, named=True)
            others = list(seats.filter(_at=place).sort("seat").select(SEATS.names()).iter_rows(named=True))
            try:
                merged = merge(hand, rows, other, others)
            except HandError as error:
                known = f"{hand['source_file']}:{hand['source_line']}"
                reason = f"contradicts {known}, which tells of the same hand: {error}"
                rejects.append((place, Reject(one.hand.file, one.hand.line, reason, one.hand.raw)))
                continue
            if merged != (hand, rows):
                changed[one.hand_id] = merged
        if changed:
            self.merged += len(changed)
            self._replace(number, own_hands, own_seats, acts, changed)
        return rejects

    def _replace(
        self, number: int, hands: pl.DataFrame, seats: pl.DataFrame, acts: pl.DataFrame,
        changed: Mapping[int, tuple[dict[str, Any], list[dict[str, Any]]]],
    ) -> None:  # fmt: skip
        ids = pl.Series(list(changed), dtype=pl.UInt64)
        new_hands = pl.DataFrame([hand for hand, _ in changed.values()], HANDS)
        new_seats = pl.DataFrame([row for _, rows in changed.values() for row in rows], SEATS)
        own_acts = raw(self.log, "acts", number) if self._has_acts(number) else pl.DataFrame(schema=ACTS)
        unknown = ids.filter(~ids.is_in(own_acts["hand_id"].implode()))
        fresh = acts.filter(pl.col("hand_id").is_in(unknown.implode())).unique(["hand_id", "act"], maintain_order=True)
        edit = Edit(self.log.store)
        replace_part(
            edit, self.log, number,
            _replaced(hands, new_hands, ["hand_id"]), _replaced(seats, new_seats, ["hand_id", "seat"]),
            pl.concat([own_acts, fresh]),
        )  # fmt: skip
        # First the names: a pseudonym in a part must never be without its name.
        self.players.save()
        edit.commit()

    def _has_acts(self, number: int) -> bool:
        return self.log.store.has(f"acts/part-{number:06d}.parquet")


def _different(hands: pl.DataFrame, own_hands: pl.DataFrame, seats: pl.DataFrame, own_seats: pl.DataFrame) -> list[int]:
    """Places of the hands that say anything the log does not say in the same words."""
    hand_columns = [name for name in HANDS if name not in _LOOSE and name != "hand_id"]
    seat_columns = [name for name in SEATS if name not in ("hand_id", "seat", "player", "strategy")]
    found: set[int] = set()
    for told, own, keys, columns in (
        (hands, own_hands, ["hand_id"], hand_columns),
        (seats, own_seats, ["hand_id", "seat"], seat_columns),
    ):
        beside = told.join(own, on=keys, how="left", suffix="_own")
        same = [pl.col(name).is_null() | pl.col(name).eq_missing(pl.col(f"{name}_own")) for name in columns]
        found |= set(beside.filter(~pl.all_horizontal(same))["_at"].to_list())
    return sorted(found)


def _rows(hands: pl.DataFrame, seats: pl.DataFrame, hand_id: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    wanted = pl.col("hand_id") == pl.lit(hand_id, pl.UInt64)
    hand = hands.filter(wanted).row(0, named=True)
    return hand, list(seats.filter(wanted).iter_rows(named=True))


def _replaced(frame: pl.DataFrame, new: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The frame with the rows of these keys replaced, in its order."""
    names = frame.columns
    order = frame.with_row_index("_row").join(new.select(*keys), on=keys, how="semi").select("_row", *keys)
    changed = order.join(new, on=keys).select("_row", *names)
    kept = frame.with_row_index("_row").join(new.select(*keys), on=keys, how="anti")
    return pl.concat([kept, changed]).sort("_row").select(names)
