"""A small library of logs the dashboard is tested over: played, imported, broken; and rules files good and bad."""

import sys
from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.log import LogWriter

DASHBOARD = Path(__file__).parents[2] / "dashboard"
if str(DASHBOARD) not in sys.path:
    sys.path.insert(0, str(DASHBOARD))

NAMES = ("=1+1 <b>Ann</b>", "Bob_*x*")
"""Players whose names would do harm where a page took them for markup or a spreadsheet for a formula."""

TYPED = """
Hand 1
Mara (Button):
Qh Qd 2c
8s 8d 5c 5h Kc
As Ks 9s 4s 2s

Jonas:
Ac Ad 6c
Jc Jh Ts Td 4h
7h 7d 7s 3c 3h
"""


def _with_strange_names(log: ofc.Log, out: Path) -> None:
    """The log as an import of the same hands by people with strange names; importers write pseudonyms instead."""
    names = pl.col("seat").replace_strict(dict(enumerate(NAMES)), return_dtype=pl.String)
    seats = log.seats.collect().with_columns(names.alias("player"), pl.lit(None, pl.String).alias("strategy"))
    source = {"kind": "import", "files": ["hands.txt"]}
    LogWriter(out, source, log.rulesets.values()).write(0, log.hands.collect(), seats)


def _fill(folder: Path) -> Path:
    players = ["never_bust_greedy", "random_legal"]
    run = ofc.simulate("american-pineapple", players, tables=16, hands=40, seed=3, out=folder / "small")
    _with_strange_names(run.log, folder / "imported")
    (folder / "typed.txt").write_text(TYPED, encoding="utf-8")
    ofc.import_hands(folder / "typed.txt", rules="american-pineapple", out=folder / "typed")
    (folder / "broken").mkdir()
    (folder / "broken" / "manifest.json").write_text('{"schema_version": "1.0"', encoding="utf-8")
    house = 'extends = "american-pineapple"\n"scoring.sweep_bonus" = 6\n"foul.penalty" = 8\n'
    (folder / "house.toml").write_text(house, encoding="utf-8")
    (folder / "bad.toml").write_text('extends = "american-pineapple"\n"scoring.sweep_bonus" = "x"\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the logs small, imported, typed and broken, and the rules files house.toml and bad.toml."""
    return _fill(tmp_path_factory.mktemp("library"))
