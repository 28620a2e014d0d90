"""The HTML report: one file, nothing loaded, every metric with its numbers, names escaped, nothing half written."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "progressive"


@pytest.fixture(scope="module")
def log() -> ofc.Log:
    return ofc.open_log(SAMPLE)


@pytest.fixture(scope="module")
def page(log: ofc.Log, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "deep" / "report.html"
    assert ofc.write_report(log, path, against="american-pineapple") == path
    assert [found.name for found in path.parent.iterdir()] == ["report.html"]
    return path.read_text(encoding="utf-8")


def test_it_loads_nothing(page: str) -> None:
    outside = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "http" not in re.sub(r'xmlns\S*="http[^"]*"', "", outside)
    assert not re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)=["']http""", page)


def test_it_names_every_metric_its_numbers_and_the_comparison(page: str, log: ofc.Log) -> None:
    fouls = ofc.analytics.foul_rate(log.results(), by=["strategy"]).collect()
    assert "Foul rate" in page
    assert all(f"{100 * rate:.1f} %" in page for rate in fouls["foul_rate"])
    assert "instead of" in page
    assert "Re-scored" in page
    assert "Fantasyland is played" in page


def test_text_from_a_log_is_never_markup(tmp_path: Path) -> None:
    class Sly:
        label = "<img src=x onerror=alert(1)>"

        def choose(self, view: ofc.View) -> ofc.Placement:
            return view.legal_placements()[0]

    run = ofc.simulate("american-pineapple", [Sly(), Sly()], tables=2, hands=2, seed=1, out=tmp_path / "log")
    page = ofc.write_report(run.log, tmp_path / "report.html", metrics=["foul_rate"]).read_text(encoding="utf-8")
    assert "<img src=x" not in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--html", "r.html", "--metric", "foul_rat"], "did you mean 'foul_rate'"),
        (["--against", "turbo"], "--html"),
        (["--html", "r.html", "--against", "turbo-2"], "turbo"),
    ],
)
def test_mistakes_are_said_in_a_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["report", str(SAMPLE), *arguments])
    assert result.exit_code == 2
    assert says in result.output
    assert not list(tmp_path.iterdir())
