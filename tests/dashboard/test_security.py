"""What a stranger's link or file must not be able to do."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from opening import errors, html, open_page, texts
from samples import DASHBOARD

import ofclab as ofc

OUTSIDE = ["../secret", "..%2Fsecret", "small/../../secret", "/tmp/secret", "secret", "~/secret", "file:///secret", "."]
LOOKS = ["compare", "fouls", "strategies", "royalties", "home", "review"]


@pytest.fixture
def place(library: Path, tmp_path: Path) -> Path:
    """A library with a log and a rules file beside it that are none of its business."""
    inside = shutil.copytree(library, tmp_path / "library")
    shutil.copytree(library / "small", tmp_path / "secret")
    (tmp_path / "secret.toml").write_text('extends = "american-pineapple"\n"foul.penalty" = 99\n', encoding="utf-8")
    return inside


@pytest.mark.parametrize(
    ("page", "name"), [*((page, "../secret") for page in LOOKS), *(("fouls", name) for name in OUTSIDE)]
)
def test_a_log_outside_the_library_is_not_opened_by_an_address(place, tmp_path, monkeypatch, page, name) -> None:
    opened: list[Path] = []
    original = ofc.log.Log.__init__

    def note(self, store, *rest) -> None:
        opened.append(Path(store.root).resolve())
        original(self, store, *rest)

    monkeypatch.setattr(ofc.log.Log, "__init__", note)
    app = open_page(page, place, monkeypatch, log=str(tmp_path / "secret") if name.startswith("/") else name)
    assert not app.exception
    assert errors(app)[0] == ":red[:material/error: **There is no log of this name.**]"
    assert all(path.is_relative_to(place) for path in opened)


@pytest.mark.parametrize("name", ["../secret.toml", "secret.toml", "/etc/passwd"])
@pytest.mark.parametrize("key", ["compare_a", "compare_b"])
def test_rules_outside_the_library_are_not_read_by_an_address(place, tmp_path, monkeypatch, key, name) -> None:
    name = str(tmp_path / "secret.toml") if name.startswith("/") else name
    app = open_page("compare", place, monkeypatch, log="small", **{key: name})
    assert errors(app) == [":red[:material/error: **There is no ruleset of this name.**]"]
    assert "99" not in html(app)


def test_text_of_rules_reads_no_file(place, tmp_path) -> None:
    from components.rules_text import read_changes

    base = ofc.load_rules("american-pineapple")
    changes, faults = read_changes(f'extends = "{tmp_path / "secret.toml"}"', base)
    assert not changes
    assert "unknown" in str(faults[0]) or "extends" in str(faults[0])
    assert "99" not in str(faults[0])


@pytest.mark.parametrize("name", ["../../secret", "/tmp/x", "<script>alert(1)</script>"])
def test_a_run_in_the_address_is_looked_up_never_opened(place, monkeypatch, name) -> None:
    app = open_page("run", place, monkeypatch, run=name)
    assert errors(app) == [":red[:material/error: **There is no run of this name.**]"]
    assert name in texts(app)
    assert "<script>" not in html(app)


def test_what_an_address_says_is_never_markup(place, monkeypatch) -> None:
    edit = json.dumps({"<img src=x onerror=alert(1)>": 1})
    app = open_page("compare", place, monkeypatch, log="small", compare_edit=edit)
    assert "<img" not in html(app)
    assert errors(app)


def test_the_server_listens_on_this_machine_only_and_shows_no_traceback() -> None:
    config = tomllib.loads((DASHBOARD / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["maxUploadSize"] <= 64
    assert config["client"]["showErrorDetails"] == "none"
    assert config["browser"]["gatherUsageStats"] is False
    # Protection against requests from other sites is on unless somebody turns it off.
    assert config["server"].get("enableXsrfProtection", True)
    assert config["server"].get("enableCORS", True)


def test_every_table_that_is_downloaded_as_csv_starts_no_formula() -> None:
    import polars as pl
    from components.download import to_csv

    rejects = pl.DataFrame({"file": ["=cmd|' /C calc'!A0"], "line": ["1"], "reason": ["+1"], "raw": ["@SUM(A1)"]})
    assert to_csv(rejects).decode().splitlines()[1] == "'=cmd|' /C calc'!A0,1,'+1,'@SUM(A1)"
