"""Strategies: fouls against Fantasyland, who wins from whom, tournaments."""

from pathlib import Path

import polars as pl
import pytest
from opening import errors, html, marks, open_page, wait_for_jobs

import ofclab as ofc


def test_the_verdict_names_who_reaches_fantasyland_and_the_price(library: Path, monkeypatch) -> None:
    app = open_page("strategies", library, monkeypatch, log="small")
    assert not errors(app)
    said = html(app)
    assert "95\xa0% intervals" in said
    assert "never_bust_greedy from random_legal" in said


def test_one_strategy_has_no_matrix(tmp_path: Path, monkeypatch) -> None:
    ofc.simulate("american-pineapple", ["random_legal"] * 2, tables=12, hands=10, seed=1, out=tmp_path / "alone")
    app = open_page("strategies", tmp_path, monkeypatch, log="alone")
    assert not errors(app)
    assert "Only one strategy plays here" in marks(app)
    assert "from random_legal" not in html(app)


def test_what_one_wins_the_other_loses(library: Path) -> None:
    import loaders
    import payoffs
    from components.library import Look

    entry = loaders.Entry("small", library / "small", "now", 0.0)
    [row] = payoffs.between(Look(entry, loaders.facts(entry), None), "strategy").to_dicts()
    each = ofc.analytics.points_per_hand(ofc.open_log(library / "small").results(), "strategy").collect()
    points = dict(each.select("strategy", "points_per_hand").iter_rows())
    assert (row["a"], row["b"]) == ("never_bust_greedy", "random_legal")
    assert row["points"] == pytest.approx(points["never_bust_greedy"])


def test_a_tournament_is_played_in_the_background_and_shown(tmp_path: Path, monkeypatch) -> None:
    address = {"strategies_view": "A tournament", "strategies_picks": "never_bust_greedy"}
    app = open_page("strategies", tmp_path, monkeypatch, **address)
    assert "Choose two strategies or more" in marks(app)
    app.multiselect(key="strategies_picks").set_value(["never_bust_greedy", "random_legal", "cutoff_rows"]).run()
    [start] = [button for button in app.button if button.label == "Play the tournament"]
    start.click().run()
    app = wait_for_jobs(app)
    assert not app.exception
    assert not errors(app)
    said = html(app)
    assert "<b>never_bust_greedy</b> wins" in said
    assert "200 mirrored deals" in said
    assert "never_bust_greedy from random_legal" in said


def test_a_close_finish_is_too_close_to_call() -> None:
    from words.strategies import match_verdict

    rates = pl.DataFrame({"strategy": ["a", "b"], "points": [0.1, -0.1], "points_low": [-1.0, -1.0],
                          "points_high": [1.0, 1.0]})  # fmt: skip
    pairs = pl.DataFrame({"a": ["a"], "b": ["b"], "points": [0.2], "verdict": ["too close to call"]})
    assert match_verdict(rates, pairs, 100)[0] == "The first place is too close to call."
