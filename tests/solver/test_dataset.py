"""The data set of solved Fantasyland hands: what it holds is right, and it says so itself."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from settings_brute import POINT, same_as_all_settings, solve
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app
from ofclab.kernels.placement import deal
from ofclab.rules.compiled import compile_rules
from ofclab.solver.dataset import STAY_BONUSES, solved_hands, write_solved_hands

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "fantasyland_14"
PINEAPPLE = ofc.load_rules("american-pineapple")


@pytest.fixture(scope="module")
def sample() -> pl.DataFrame:
    return pl.read_parquet(SAMPLE / "hands.parquet")


def assert_boards_are_as_they_say(frame: pl.DataFrame, rules: ofc.Rules, cards: int) -> None:
    """Every board uses the hand's cards once, and scores what the row says."""
    for row in frame.iter_rows(named=True):
        board = ofc.Board.parse(f"{row['front']} / {row['middle']} / {row['back']}")
        hand, thrown = ofc.parse_cards(row["cards"]), ofc.parse_cards(row["discards"])
        assert sorted(board.cards + thrown) == sorted(hand)
        assert len(hand) == cards
        mark = ofc.score([board, board], rules, fantasyland=[cards, cards]).seats[0]
        assert (mark.royalties.total, mark.next_fantasyland > 0, mark.fouled) == (
            row["royalties"], row["stays"], row["fouled"],
        )  # fmt: skip
        assert row["value"] == row["royalties"] + row["stay_bonus"] * row["stays"]


def test_the_committed_sample_holds_two_thousand_hands(sample: pl.DataFrame) -> None:
    assert sample["hand"].n_unique() == 2000
    assert sample["stay_bonus"].unique().sort().to_list() == sorted(STAY_BONUSES)
    assert len(sample) == 2000 * len(STAY_BONUSES)
    assert not sample["fouled"].any()


def test_the_committed_sample_is_made_again_by_its_command(sample: pl.DataFrame) -> None:
    assert solved_hands(14, 200).equals(sample.filter(pl.col("hand") < 200))


def test_the_committed_boards_are_as_they_say(sample: pl.DataFrame) -> None:
    assert_boards_are_as_they_say(sample.filter(pl.col("hand") % 20 == 0), PINEAPPLE, 14)


def test_the_committed_values_are_those_of_all_settings(sample: pl.DataFrame) -> None:
    """Eight hands against every setting of the slow search."""
    compiled = compile_rules(PINEAPPLE)
    for bonus in STAY_BONUSES:
        rows = sample.filter((pl.col("stay_bonus") == bonus) & (pl.col("hand") % 250 == 0))
        cards = np.zeros((len(rows), 17), np.uint8)
        cards[:, :14] = [ofc.parse_cards(text) for text in rows["cards"]]
        same_as_all_settings(cards, 14, compiled, round(bonus * POINT))
        best, stays, _ = solve(cards, 14, compiled, round(bonus * POINT))
        assert (np.asarray(best) / POINT).tolist() == rows["value"].to_list()
        assert np.asarray(stays).tolist() == rows["stays"].to_list()


def test_the_hands_are_those_of_a_simulation(sample: pl.DataFrame) -> None:
    dealt = deal(0, np.array([7], np.uint64), 0, 2)[0, 0, :14].tolist()
    assert sample.filter(pl.col("hand") == 7)["cards"][0] == ofc.format_cards(dealt)


def test_a_greater_bonus_never_stays_less_and_never_has_more_royalties(sample: pl.DataFrame) -> None:
    by_hand = sample.sort("hand", "stay_bonus").group_by("hand", maintain_order=True).agg("stays", "royalties")
    for stays, royalties in by_hand.select("stays", "royalties").iter_rows():
        assert stays == sorted(stays)
        assert royalties == sorted(royalties, reverse=True)


def test_the_means_are_those_of_a_hundred_thousand_hands(sample: pl.DataFrame) -> None:
    first = sample.filter(pl.col("stay_bonus") == 0)
    assert first["royalties"].mean() == pytest.approx(12.399, abs=4 * 5.528 / np.sqrt(2000))
    most = sample.filter(pl.col("stay_bonus") == 1000)
    assert most["stays"].mean() == pytest.approx(0.106, abs=4 * np.sqrt(0.106 * 0.894 / 2000))


@pytest.mark.parametrize(
    ("preset", "cards"), [("deuce-pineapple", 15), ("joker-progressive", 14), ("american-regular", 13)]
)
def test_other_rules_and_numbers_of_cards(preset: str, cards: int) -> None:
    rules = ofc.load_rules(preset)
    assert_boards_are_as_they_say(solved_hands(cards, 30, rules, seed=3, stay_bonuses=(0.0, 12.5)), rules, cards)


def test_the_command_writes_a_folder_that_explains_itself(tmp_path: Path) -> None:
    arguments = ["dataset", "fantasyland", "--cards", "15", "--hands", "20", "--rules", "progressive-pineapple"]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "set"), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["rows"] == 100
    sheet = (tmp_path / "set" / "README.md").read_text()
    frame = pl.read_parquet(tmp_path / "set" / "hands.parquet")
    for column in frame.columns:
        assert column in sheet
    rules = ofc.load_rules(tmp_path / "set" / "rules.toml")
    assert rules.id == ofc.load_rules("progressive-pineapple").id
    assert rules.id in sheet
    assert "ofclab dataset fantasyland --cards 15 --hands 20 --rules progressive-pineapple --seed 0" in sheet


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(ValueError, match="13 to 17 cards, got 12"):
        solved_hands(12, 5)
    with pytest.raises(ValueError, match="at least one hand"):
        solved_hands(14, 0)
    with pytest.raises(ofc.RulesError):
        write_solved_hands("nowhere", rules="no-such-rules")
