"""Break-even chances of a gamble for Fantasyland."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app
from ofclab.solver.gamble import gamble_break_even, gamble_table

TRUTH = Path(__file__).parents[3] / "shared" / "truth" / "ground_truth.json"


@pytest.mark.skipif(not TRUTH.exists(), reason="the reference figures are not beside the project")
def test_the_reference_rows_are_reproduced() -> None:
    examples = json.loads(TRUTH.read_text())["exact_draws"]["break_even_examples"]["rows"]
    assert len(examples) == 30
    for row in examples:
        assert gamble_break_even(row["S"], row["R"], row["L"]) == pytest.approx(row["p"], abs=1e-12)


@pytest.mark.parametrize(
    ("safe", "success", "needed"),
    [(0, 18.3, 0.247), (2, 18.3, 0.329), (4, 18.3, 0.412), (0, 14.5, 0.293), (4, 14.5, 0.488)],
)
def test_a_quarter_is_enough_only_where_the_safe_play_is_worth_nothing(
    safe: float, success: float, needed: float
) -> None:
    assert gamble_break_even(safe, success) == pytest.approx(needed, abs=5e-4)


def test_both_plays_are_worth_the_same_at_the_break_even_chance() -> None:
    p = gamble_break_even(3.0, 25.0, foul_cost=8.0)
    assert p * 25.0 - (1 - p) * 8.0 == pytest.approx(3.0)


def test_a_success_worth_no_more_than_a_foul_has_no_break_even() -> None:
    with pytest.raises(ValueError, match="worth more than a foul"):
        gamble_break_even(0, -6)


def test_every_way_in_has_its_own_chance() -> None:
    found = gamble_table("progressive-pineapple", {14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}, safe=[0], rows=1.7)
    assert found["front"].to_list() == ["QQ", "KK", "AA", "222"]
    assert found["success"].to_list() == pytest.approx([18.3, 23.2, 28.2, 33.2])
    assert found["break_even"].to_list() == pytest.approx([6 / 24.3, 6 / 29.2, 6 / 34.2, 6 / 39.2])


def test_the_rules_say_what_it_pays_and_costs() -> None:
    spartan = gamble_table("spartan-2-4", 9.0, safe=[0])
    assert spartan["foul_cost"][0] == 4.0
    low = gamble_table("deuce-pineapple", 10, safe=[0])
    assert low.select("front", "cards", "royalty").rows() == [("KK", 14, 8), ("75432", 14, 8)]
    no_royalties = ofc.load_rules("american-pineapple").replace({"royalties.mode": "off"})
    assert gamble_table(no_royalties, 10, safe=[0])["success"][0] == 10
    assert gamble_table("tournament-2013").is_empty()


def test_everybody_pays_and_collects() -> None:
    found = gamble_table("american-pineapple", 18.0, safe=[0], seats=3)
    assert found.select("success", "foul_cost").row(0) == (2 * 7 + 18.0, 12.0)


def test_the_command_prints_the_table() -> None:
    result = CliRunner().invoke(app, ["gamble", "--fantasyland", "9.6", "--rows", "1.7", "--safe", "0,2", "--json"])
    assert [round(row["break_even"], 3) for row in json.loads(result.stdout)] == [0.247, 0.329]
    assert CliRunner().invoke(app, ["gamble", "--safe", "much"]).exit_code == 2
