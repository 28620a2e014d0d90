"""A small library of logs the dashboard is tested over: played, imported, broken; and rules files good and bad."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from samples import DASHBOARD, NAMES, TYPED
from serving import ARGUMENTS, CHROMIUM, SIZES, serving, settle

import ofclab as ofc
from ofclab.log import LogWriter

if str(DASHBOARD) not in sys.path:
    sys.path.insert(0, str(DASHBOARD))


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
    twice = TYPED.replace("Hand 1", "Hand 2").replace("Qh Qd 2c", "Qh Qh 2c")
    (folder / "rejects.txt").write_text(TYPED + twice, encoding="utf-8")
    report = ofc.import_hands(folder / "rejects.txt", rules="american-pineapple", out=folder / "rejects")
    assert (report.new, len(report.rejected)) == (1, 1)
    (folder / "broken").mkdir()
    (folder / "broken" / "manifest.json").write_text('{"schema_version": "1.0"', encoding="utf-8")
    house = 'extends = "american-pineapple"\n"scoring.sweep_bonus" = 6\n"foul.penalty" = 8\n'
    (folder / "house.toml").write_text(house, encoding="utf-8")
    (folder / "bad.toml").write_text('extends = "american-pineapple"\n"scoring.sweep_bonus" = "x"\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with logs small, imported, typed, rejects and broken, and rules files house.toml and bad.toml."""
    return _fill(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def server(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `ofclab dashboard` over a copy of the library; its terminal shows no traceback."""
    place = tmp_path_factory.mktemp("served")
    folder = shutil.copytree(library, place / "library")
    with serving(folder, place / "server.txt") as address:
        yield address
    assert "Traceback" not in (place / "server.txt").read_text()


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    """Chromium; without it these tests fail where CI is set, and are skipped elsewhere."""
    if not Path(CHROMIUM).exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(chromium) -> Iterator[object]:
    """One visitor whose browser keeps the scripts it has loaded."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def visit(context, server: str):
    """Open an address of the dashboard; nothing on the way may fail or be asked of another machine."""
    pages, wrong = [], []

    def opened(address: str, size: str = "desk", colors: str = "light"):
        page = context.new_page()
        pages.append(page)
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colors)
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("response", lambda found: wrong.append(f"{found.status} {found.url}") if found.status >= 400 else None)
        local = (server, "data:", "blob:")
        page.on("request", lambda asked: None if asked.url.startswith(local) else wrong.append(asked.url))
        page.goto(f"{server}/{address}")
        settle(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert wrong == []
