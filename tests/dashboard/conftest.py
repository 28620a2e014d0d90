"""A small library of logs the dashboard is tested over: played, imported, broken; and rules files good and bad."""

import sys
from pathlib import Path

import pytest

import ofclab as ofc

DASHBOARD = Path(__file__).parents[2] / "dashboard"
if str(DASHBOARD) not in sys.path:
    sys.path.insert(0, str(DASHBOARD))

# Names that would do harm if a page took them for markup, and a spreadsheet for a formula.
TYPED = """
Hand 1
=1+1 <b>Ann</b> (Button):
Qh Qd 2c
8s 8d 5c 5h Kc
As Ks 9s 4s 2s

Bob_*x*:
Ac Ad 6c
Jc Jh Ts Td 4h
7h 7d 7s 3c 3h
"""


def _fill(folder: Path) -> Path:
    ofc.simulate(
        "american-pineapple",
        ["never_bust_greedy", "random_legal"],
        tables=16,
        hands=40,
        seed=3,
        out=folder / "small",
    )
    (folder / "typed.txt").write_text(TYPED, encoding="utf-8")
    ofc.import_hands(folder / "typed.txt", rules="american-pineapple", out=folder / "typed")
    (folder / "broken").mkdir()
    (folder / "broken" / "manifest.json").write_text('{"schema_version": "1.0"', encoding="utf-8")
    (folder / "house.toml").write_text(
        'extends = "american-pineapple"\n"scoring.sweep_bonus" = 6\n"foul.penalty" = 8\n', encoding="utf-8"
    )
    (folder / "bad.toml").write_text('extends = "american-pineapple"\n"scoring.sweep_bonus" = "x"\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the logs small, typed and broken, and the rules files house.toml and bad.toml."""
    return _fill(tmp_path_factory.mktemp("library"))
