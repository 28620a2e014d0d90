"""Open a log and read it as frames."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from ofclab.log import computed, people, share, views
from ofclab.log.edit import recover
from ofclab.log.errors import LogError
from ofclab.log.manifest import MANIFEST, read_manifest
from ofclab.log.parts import note_of, part_name, part_number
from ofclab.log.schema import HAND_COLUMNS, RESULTS, SCHEMA_VERSION, TABLES, Completeness
from ofclab.log.store import Store
from ofclab.rules import Rules, RulesError, load_rules
from ofclab.spot import Spot

PLAYER_COLUMNS = {"seats": ("player",), "ledger": ("player", "opponent")}
"""Columns that name players, by table."""
AS_PLAYED = "as-played"
"""Folder of scores in which every hand is scored under its own ruleset, where a log holds several."""


class Log:
    """A hand log: facts as LazyFrames, and scores computed under any ruleset.

    Opened by `open_log`. ``path``: folder or URL; ``manifest``: what made it; ``parts``: numbers of the parts found.
    """

    def __init__(self, store: Store, manifest: Mapping[str, Any]) -> None:
        self.store = store
        self.path = store.path
        self.manifest = dict(manifest)
        self.key: str = manifest["key"]
        found = [part_number(name) for name in store.names("hands")]
        self.parts = [number for number in found if number is not None]
        with ThreadPoolExecutor(8) as pool:
            self._rows = dict(zip(self.parts, pool.map(self._check_part, self.parts), strict=True))

    def _check_part(self, number: int) -> tuple[int, int]:
        """Rows of hands and seats of a part; LogError naming the file that is corrupt, missing or of another log."""
        planned = self.planned_parts
        if planned is not None and number >= planned:
            where = self.store.location(f"hands/{part_name(number)}")
            raise LogError(f"{where} belongs to another log: this one was planned with {planned} parts")
        hands, seats = (self.check_table(table, number) for table in ("hands", "seats"))
        return hands, seats

    def check_table(self, table: str, number: int) -> int:
        """Rows of one file of a part; LogError naming it when it is corrupt, missing or of another log."""
        name = f"{table}/{part_name(number)}"
        where, footer = self.store.location(name), self.store.footer(name)
        note = note_of(footer, where)
        if str(note.get("schema", "")).split(".")[0] != SCHEMA_VERSION.split(".")[0]:
            raise LogError(f"{where} has schema version {note.get('schema')}; this ofclab reads {SCHEMA_VERSION}")
        if (note.get("log"), note.get("table"), note.get("part")) != (self.key, table, number):
            raise LogError(
                f"{where} belongs to another log or part: it says log {note.get('log')}, {note.get('table')}, part "
                f"{note.get('part')}; want log {self.key}, {table}, part {number}"
            )
        if footer.schema.to_arrow_schema().names != TABLES[table].names():
            raise LogError(f"{where} does not have the columns of {table}: {', '.join(TABLES[table].names())}")
        return int(footer.num_rows)

    @property
    def planned_parts(self) -> int | None:
        """Parts a simulated log will have, None for an imported one."""
        planned = self.manifest["source"].get("parts")
        return None if planned is None else int(planned)

    @property
    def is_complete(self) -> bool:
        """Tell whether every planned part is there."""
        return self.planned_parts is None or len(self.parts) == self.planned_parts

    @property
    def n_hands(self) -> int:
        """Hands in the log."""
        return sum(hands for hands, _ in self._rows.values())

    @property
    def n_player_hands(self) -> int:
        """Player-hands in the log: hands times the seats dealt in."""
        return sum(seats for _, seats in self._rows.values())

    @cached_property
    def rulesets(self) -> dict[str, Rules]:
        """Every ruleset the hands name, by id."""
        return {ruleset: self._load_rules(ruleset, name) for ruleset, name in self.manifest["rulesets"].items()}

    def rules(self, ruleset_id: str | None = None) -> Rules:
        """One of the log's rulesets; without an id the only one. LogError where that is not clear."""
        known = ", ".join(f"{rules.id} ({rules.name})" for rules in self.rulesets.values())
        if ruleset_id is None:
            if len(self.rulesets) != 1:
                raise LogError(f"{self.path} holds {len(self.rulesets)} rulesets; say which: {known}")
            return next(iter(self.rulesets.values()))
        if ruleset_id not in self.rulesets:
            raise LogError(f"{self.path} holds no ruleset {ruleset_id!r}; have {known}")
        return self.rulesets[ruleset_id]

    def _load_rules(self, ruleset: str, name: str) -> Rules:
        file = f"rulesets/{ruleset}.toml"
        content = self.store.read(file)
        if content is None:
            raise LogError(f"{self.store.location(file)} is missing")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"{ruleset}.toml")
            path.write_bytes(content)
            try:
                rules = load_rules(path)
            except RulesError as error:
                raise LogError(f"{self.store.location(file)} cannot be read: {error}") from None
        if rules.id != ruleset:
            raise LogError(f"{self.store.location(file)} was changed: its rules have the id {rules.id}")
        return rules.model_copy(update={"name": name})

    def scan(self, table: str, numbers: Sequence[int], folder: str = "") -> pl.LazyFrame:
        """One table of some parts as a LazyFrame, parts in the order given."""
        names = ["/".join(filter(None, (table, folder, part_name(number)))) for number in numbers]
        if not names:
            return pl.LazyFrame(schema=TABLES[table])
        files = [self.store.location(name) for name in names]
        frame = pl.scan_parquet(files, storage_options=self.store.options, glob=False)
        aliases = self.manifest.get("aliases")
        if not aliases or table not in ("seats", "ledger"):
            return frame
        return frame.with_columns(pl.col(name).replace(aliases) for name in PLAYER_COLUMNS[table])

    @property
    def players(self) -> pl.DataFrame:
        """Everybody who plays in the log, most hands first: hands, sessions, merged pseudonyms, who is ``me``."""
        return people.players(self)

    @property
    def me(self) -> str | None:
        """The player who is the reader of the log, as `ofclab.log.set_me` said; None where nobody said."""
        said = self.manifest.get("me")
        return said if isinstance(said, str) else None

    def _table(self, table: str) -> pl.LazyFrame:
        if table in ("hands", "seats"):
            return self.scan(table, self.parts)
        numbers = [part_number(name) for name in self.store.names(table)]
        return self.scan(table, [number for number in numbers if number is not None])

    @property
    def hands(self) -> pl.LazyFrame:
        """A row per hand; columns in `ofclab.log.schema`."""
        return self._table("hands")

    @property
    def seats(self) -> pl.LazyFrame:
        """A row per hand and seat: what was dealt, in order, and where it went."""
        return self._table("seats")

    @property
    def acts(self) -> pl.LazyFrame:
        """A row per placement act, where the source knew more."""
        return self._table("acts")

    @property
    def ledger(self) -> pl.LazyFrame:
        """A row per session and player known only by their totals."""
        return self._table("ledger")

    def part(self, number: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Hands and seats of one part; LogError naming the file that cannot be read."""
        return self.read("hands", number), self.read("seats", number)

    def read(self, table: str, number: int, folder: str = "") -> pl.DataFrame:
        """One file of a part; LogError naming it when it cannot be read."""
        try:
            return self.scan(table, [number], folder).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            name = "/".join(filter(None, (table, folder, part_name(number))))
            raise LogError(f"{self.store.location(name)} is corrupt: {error}") from None

    def rows(self, number: int) -> tuple[int, int]:
        """Hands and player-hands of one part."""
        return self._rows[number]

    def under(self, rules: Rules | str | None) -> tuple[str, Rules | Mapping[str, Rules]]:
        """Folder of the scores under ``rules``, and the rules; None = as the hands were played."""
        if rules is None:
            return (self.rules().id, self.rules()) if len(self.rulesets) == 1 else (AS_PLAYED, self.rulesets)
        if isinstance(rules, str) and rules in self.rulesets:
            return rules, self.rulesets[rules]
        ruleset = load_rules(rules)
        return ruleset.id, ruleset

    def score(
        self, rules: Rules | str | None = None, progress: Callable[[int, int], None] | None = None, again: bool = False
    ) -> int:
        """Compute and store the scores a part does not have yet, part by part, and return how many were computed.

        Scores of another version of the scorer are replaced; ``again`` replaces all. No fact file is touched. A remote
        or read-only log stores nothing (0): its scores are computed when a frame is collected. ``progress``: called
        with parts done and all parts.
        """
        return computed.store(self, "scores", rules, self.parts, progress, again)

    def scores(self, rules: Rules | str | None = None) -> pl.LazyFrame:
        """A row per hand and seat: the score under ``rules``, or as played."""
        return computed.table(self, "scores", rules, self.parts)

    def pair_scores(self, rules: Rules | str | None = None) -> pl.LazyFrame:
        """A row per hand, seat and opponent: rows, base, royalties and total points won from that opponent."""
        return computed.table(self, "pair_scores", rules, self.parts)

    def results(self, rules: Rules | str | None = None, parts: Sequence[int] | None = None) -> pl.LazyFrame:
        """A row per hand and seat: the seats table, what its hand says, and the score under ``rules`` or as played.

        Columns: `ofclab.log.schema.RESULTS`. Scores that are missing are computed and stored first (see `score`);
        ``foul_street`` only when a frame that needs it is collected, and then stored too. Hands that cannot be scored
        keep null scores. ``parts``: only these parts of the log.
        `ofclab.log.collect` collects what is made of it in memory that does not grow with the log.
        """
        numbers = self.parts if parts is None else parts
        _, ruleset = self.under(rules)
        scores = computed.table(self, "scores", rules, numbers).drop("hand_id", "seat")
        fouls = computed.foul_streets(self, rules, numbers)
        if isinstance(ruleset, Rules):
            named = [pl.lit(ruleset.name).alias("ruleset"), pl.lit(ruleset.id).alias("ruleset_id")]
        else:
            names = {key: rules.name for key, rules in ruleset.items()}
            named = [pl.col("ruleset_id").replace_strict(names, return_dtype=pl.String).alias("ruleset")]
        # Hands, seats and scores stand in one order, so nothing has to be joined: a join would hold every hand.
        each_seat = pl.lit(0, pl.UInt8).repeat_by("n_seats").alias("_seat")
        hands = self.scan("hands", numbers).select(*HAND_COLUMNS, "ruleset_id", each_seat).explode("_seat")
        beside = pl.concat([self.scan("seats", numbers), scores, fouls, hands.drop("_seat")], how="horizontal")
        return beside.with_columns(named).select(RESULTS.names())

    def rescore(self, rules: Rules | str) -> pl.LazyFrame:
        """The results under other rules, play held fixed: `results` with the rules named."""
        return self.results(rules)

    def decisions(self, ruleset_id: str | None = None) -> pl.LazyFrame:
        """A row per decision of the hands whose deal order is known, played under one of the log's rulesets.

        See `ofclab.log.views.decisions` for the columns.
        """
        rules = self.rules(ruleset_id)
        ordered = pl.col("completeness").is_in([Completeness.FULL.value, Completeness.OWN_DISCARDS.value])
        hands = self.hands.filter(ordered, pl.col("ruleset_id") == rules.id).select("hand_id")
        return views.decisions(self.seats.join(hands, on="hand_id", how="semi"), rules)

    def spot(self, hand_id: int, seat: int, street: int) -> Spot:
        """The spot of one decision: what the seat saw on that street (1 is the first), nothing else.

        Raises ShareError where there is no such decision, or the order of the deal is not known.
        """
        shared = share.share_hand(self, hand_id, seat, street)
        return Spot.parse(shared.text, shared.rules)

    def __repr__(self) -> str:
        unfinished = "" if self.is_complete else f", unfinished: {len(self.parts)} of {self.planned_parts} parts"
        return f"<Log {self.path}: {self.n_hands:,} hands, {self.n_player_hands:,} player-hands{unfinished}>"

    def _repr_html_(self) -> str:
        source = self.manifest["source"]
        unfinished = "" if self.is_complete else f" of {self.planned_parts}: unfinished"
        rows = {
            "log": str(self.path),
            "source": source.get("kind", ""),
            "rules": ", ".join(self.manifest["rulesets"].values()),
            "strategies": ", ".join(source.get("strategies", [])),
            "hands": f"{self.n_hands:,}",
            "player-hands": f"{self.n_player_hands:,}",
            "parts": f"{len(self.parts)}{unfinished}",
            "made by": f"{self.manifest.get('generator')} {self.manifest.get('version')}",
        }
        cells = "".join(f"<tr><th>{k}</th><td>{html.escape(v)}</td></tr>" for k, v in rows.items() if v)
        return f"<table>{cells}</table>"


def open_log(path: str | os.PathLike[str], storage_options: Mapping[str, str] | None = None) -> Log:
    """Open a log by folder or URL (``s3://bucket/log``; ``storage_options`` as polars takes them).

    Raises LogError naming the file: no log there, a manifest that is corrupt, of something else or of another major
    schema version, a part that is corrupt, cut off, missing or of another log.
    """
    store = Store(path, storage_options)
    recover(store)
    manifest = read_manifest(store)
    if manifest is None:
        raise LogError(f"no log at {store.root}: there is no {store.location(MANIFEST)}")
    return Log(store, manifest)
