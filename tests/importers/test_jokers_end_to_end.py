"""Joker hands all the way: played, logged, exported, imported, scored again, replayed, and set as Fantasyland hands."""

from pathlib import Path

import polars as pl
import pytest
from import_samples import same_facts

import ofclab as ofc
from ofclab.log.replay import hand_findings
from ofclab.log.views import boards, decisions

RULES = ofc.load_rules("joker-progressive")
JOKERS = (52, 53)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ofc.Log:
    players = ["cutoff_rows", "never_bust_greedy"]
    run = ofc.simulate(RULES, players, tables=60, hands=6, seed=8, out=tmp_path_factory.mktemp("jokers") / "log")
    return run.log


def with_jokers(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.any_horizontal(pl.col(f"c{i:02d}").is_in(JOKERS) for i in range(17)))


@pytest.mark.parametrize("format", ["jsonl", "typed_boards"])
def test_joker_hands_come_back_as_they_were(played: ofc.Log, format: str, tmp_path: Path) -> None:
    assert ofc.export_hands(played, tmp_path / "hands.out", format=format) == played.n_hands
    again = ofc.import_hands(tmp_path / "hands.out", out=tmp_path / "log")
    assert (again.rejected, again.new) == ([], played.n_hands)
    assert again.completeness == {"full": played.n_hands}
    assert again.log.rules() == RULES
    if format == "jsonl":
        assert same_facts(played, again.log, sources=True)

    frames = [log.results().sort("hand_id", "seat").collect() for log in (played, again.log)]
    jokers = with_jokers(frames[0])
    assert jokers.height > 100
    assert (jokers["fl_cards"] > 0).sum() > 3, "some jokers lie in Fantasyland hands"
    rows = ["front", "middle", "back"]
    scores = ["points", "fouled", "foul_street", "next_fl", *(f"royalty_{row}" for row in rows)]
    scores += [f"{row}_code" for row in rows]
    assert frames[0].select(scores).equals(frames[1].select(scores))

    # Replay: every hand follows the rules, every decision can be shown, and a joker stays a joker.
    for number in again.log.parts:
        assert list(hand_findings(*again.log.part(number), again.log.rulesets)) == []
    shown = decisions(again.log.seats, RULES).collect()
    assert shown.filter(pl.col("placed").str.contains("X[12]")).height > 50
    assert shown.filter(pl.col("visible").str.contains("X[12]")).height > 50


def test_the_scorer_of_one_hand_agrees(played: ofc.Log) -> None:
    rows = boards(played.results()).sort("hand_id", "seat").collect()
    ids = with_jokers(rows)["hand_id"].unique(maintain_order=True)[:60].to_list()
    for hand in ids:
        seats = rows.filter(pl.col("hand_id") == hand)
        texts = [" / ".join((row["front"], row["middle"], row["back"])) for row in seats.iter_rows(named=True)]
        score = ofc.score(texts, RULES, fantasyland=seats["fl_cards"].to_list())
        assert score.points == tuple(seats["points"])
        assert [seat.fouled for seat in score.seats] == seats["fouled"].to_list()
        assert [seat.next_fantasyland for seat in score.seats] == seats["next_fl"].to_list()


def test_the_setter_sets_logged_hands_exactly(played: ofc.Log) -> None:
    rows = with_jokers(boards(played.results()).filter(pl.col("fl_cards") > 0).collect())
    for row in rows.head(12).iter_rows(named=True):
        cards = [row[f"c{i:02d}"] for i in range(row["fl_cards"])]
        best = ofc.set_fantasyland(cards, RULES)
        assert sorted([*best.board.front, *best.board.middle, *best.board.back, *best.discards]) == sorted(cards)
        seat = ofc.score([best.board, best.board], RULES, fantasyland=[len(cards), 0]).seats[0]
        assert (seat.royalties.total, seat.fouled) == (best.royalties, best.fouled)
        assert seat.next_fantasyland == (len(cards) if best.stays else 0)
        played_royalties = row["royalty_front"] + row["royalty_middle"] + row["royalty_back"]
        assert best.royalties >= played_royalties
