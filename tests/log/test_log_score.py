import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ofclab.analytics import foul_street
from ofclab.board import Board, Row
from ofclab.cards import Card, parse_cards
from ofclab.log import Completeness, Log, LogWriter, collect, computed, open_log, score_frames
from ofclab.log.arrays import card_array, pack_placement, placement_array
from ofclab.log.fouls import foul_frame
from ofclab.log.schema import CARD_COLUMNS, SCORES
from ofclab.rules import Rules, load_rules
from ofclab.runs import simulate
from ofclab.scoring import score

AMERICAN = load_rules("american-pineapple")


def tree(path: Path | str, *tables: str) -> dict[str, str]:
    """Hash of every file of some tables of a log."""
    files = [file for table in tables for file in sorted((Path(path) / table).rglob("*")) if file.is_file()]
    return {str(file): sha256(file.read_bytes()).hexdigest() for file in files}


def seat_rows(*boards: str, **columns: list[object]) -> pl.DataFrame:
    """One hand of these boards, final cards only."""
    cards = np.full((len(boards), 17), 255, np.uint8)
    codes = np.full((len(boards), 17), 7, np.uint8)
    for i, text in enumerate(boards):
        board = Board.parse(text)
        cards[i, :13] = board.cards
        codes[i, :13] = np.repeat(np.arange(3), [len(row) for row in board.rows])
    return pl.DataFrame(
        {
            "hand_id": [1] * len(boards),
            "seat": list(range(len(boards))),
            "fl_cards": [0] * len(boards),
            **{name: cards[:, i] for i, name in enumerate(CARD_COLUMNS)},
            "placement": pack_placement(codes),
            "discards_known": [False] * len(boards),
            **columns,
        }
    )


def one_hand(
    seats: pl.DataFrame, rules: Rules, completeness: Completeness = Completeness.FINAL_BOARDS
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables of one hand, complete in their columns."""
    from ofclab.log.checks import as_table

    hands = pl.DataFrame(
        {"hand_id": [1], "table_id": [1], "hand_no": [0], "n_seats": [seats.height], "ruleset_id": [rules.id],
         "completeness": [completeness.value]}
    )  # fmt: skip
    return as_table(hands, "hands"), as_table(seats, "seats")


def test_every_hand_scores_as_the_scorer_says(log: Log, easy_rules: Rules) -> None:
    hands, seats = log.part(0)
    scores, pairs = score_frames(hands, seats, easy_rules)
    cards, codes = card_array(seats), placement_array(seats)
    for first in range(0, seats.height, 3):
        at = range(first, first + 3)
        boards = [Board(*(map(Card, cards[i][codes[i] == row].tolist()) for row in range(3))) for i in at]
        want = score(boards, easy_rules, [int(seats["fl_cards"][i]) for i in at])
        assert scores["points"][first : first + 3].to_list() == list(want.points)
        for i, seat in zip(at, want.seats, strict=True):
            assert scores["fouled"][i] == seat.fouled
            assert scores["next_fl"][i] == seat.next_fantasyland
            assert [scores[f"royalty_{row}"][i] for row in Row] == list(seat.royalties)
        of_hand = pairs[2 * first : 2 * first + 6]
        totals = {(row["seat"], row["opponent"]): row["total"] for row in of_hand.iter_rows(named=True)}
        assert totals == {
            **{(pair.a, pair.b): pair.total for pair in want.pairs},
            **{(pair.b, pair.a): -pair.total for pair in want.pairs},
        }


def test_stored_scores_are_what_score_frames_gives(log: Log) -> None:
    scores, pairs = score_frames(*log.part(0), log.rules())
    assert log.scores().collect().equals(scores)
    assert log.pair_scores().collect().equals(pairs)
    assert log.results().select(SCORES.names()).collect().equals(scores)


def test_the_street_of_a_foul_is_computed_and_stored_when_it_is_asked_for(log: Log) -> None:
    rules = log.rules()
    streets = foul_frame(*log.part(0), rules, log.rulesets)
    frame, metric = log.results().select("foul_street"), foul_street(log.results())
    assert log.results().select("points", "fouled").collect().height == streets.height
    assert not computed.is_stored(log, "foul_streets", 0, rules.id)
    # Two branches of the metric ask for it side by side.
    assert collect(metric)["foul_street"].sum() > 0
    assert frame.collect()["foul_street"].equals(streets["foul_street"])
    assert computed.is_stored(log, "foul_streets", 0, rules.id)
    stored = log.results().select("foul_street", "fouled")
    assert "PYTHON" not in stored.explain()
    found = stored.collect()
    assert found["foul_street"].equals(streets["foul_street"])
    assert found.filter(~pl.col("fouled"))["foul_street"].null_count() == found.filter(~pl.col("fouled")).height


def test_rows_scoops_and_classes_by_hand() -> None:
    seats = seat_rows(
        "Qs Qh 7d / Kd Kc 6s 5h 4d / Ac Kh Jc 9c 2c",  # fouled: the back is ace high
        "8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h",
        "Ad 4c 3c / Tc Td 8s 7s 3h / Js Jd 5s 5c 7h",
    )
    scores, _ = score_frames(*one_hand(seats, AMERICAN), AMERICAN)
    assert scores["fouled"].to_list() == [True, False, False]
    assert scores["front_class"].to_list() == ["pair", "pair", "high_card"]
    assert scores["middle_class"].to_list() == ["pair", "two_pair", "pair"]
    assert scores["back_class"].to_list() == ["high_card", "flush", "two_pair"]
    assert scores["royalty_front"].to_list() == [0, 3, 0]
    assert scores["royalty_back"].to_list() == [0, 4, 0]
    assert scores["points"].to_list() == [-6 - 7 - 6, 6 + 7 + 6 + 7, 6 - 6 - 7]
    assert scores["rows_won"].to_list() == [0, 6, 3]
    assert scores["rows_lost"].to_list() == [6, 0, 3]
    # A foul loses its rows but is not scooped.
    assert scores["scoops_made"].to_list() == [0, 1, 0]
    assert scores["scoops_suffered"].to_list() == [0, 0, 1]


@pytest.mark.parametrize(
    ("front", "middle", "back", "came_in", "earned"),
    [
        ("Qs Qh 7d", "Ts Th 9d 9s 2d", "Ah Jh 6h 4h 2h", 0, "QQ"),
        ("Ks Kh 7d", "Ts Th 9d 9s 2d", "Ah Jh 6h 4h 2h", 0, "KK"),
        ("As Ad 7d", "Ts Th 9d 9s 2d", "Ah Jh 6h 4h 2h", 0, "AA"),
        ("2s 2c 2d", "Ts Th Td 9s 3d", "Ah Jh 6h 4h 2h", 0, "trips"),
        ("2s 2c 2d", "Ts Th Td 9s 3d", "Ah Jh 6h 4h 2h", 14, "stay_front"),
        ("2s 3c 4d", "Ts Th 9d 9s 2d", "6s 6c 6h 6d 2h", 14, "stay_back"),
        ("2s 2c 2d", "Ts Th Td 9s 3d", "6s 6c 6h 6d 2h", 14, "stay_front"),
        ("Qs Qh 7d", "Ts Th 9d 9s 2d", "Ah Jh 6h 4h 2h", 14, None),
        ("Js Jh 7d", "Ts Th 9d 9s 2d", "Ah Jd 6h 4h 2h", 0, None),
    ],
)
def test_what_earned_fantasyland(front: str, middle: str, back: str, came_in: int, earned: str | None) -> None:
    other = "5d 5c 3s / 8s 8h 7c 7s 4c / Kc Jc 9c 4c Tc".replace("4c / K", "4s / K")
    seats = seat_rows(f"{front} / {middle} / {back}", other, fl_cards=[came_in, 0])
    scores, _ = score_frames(*one_hand(seats, AMERICAN), AMERICAN)
    assert scores["earned_by"][0] == earned
    assert (scores["next_fl"][0] > 0) == (earned is not None)


def test_low_middles_have_their_own_classes_and_entries() -> None:
    rules = load_rules("deuce-pineapple")
    seats = seat_rows(
        "Ks Kh 7d / 7c 5d 4d 3d 2c / Ah Ad 6h 4h 6c",
        "3s 3h 9d / Js 8s 7s 5s 4c / Qd Qs 9c 9h 2d",
        "Qc Jc 9s / Ts 8d 7h 5h 4s / Ac As Kd Td 3c",
    )
    scores, _ = score_frames(*one_hand(seats, rules), rules)
    assert scores["middle_class"].to_list() == ["75432", "no_low", "T-low"]
    assert scores["front_class"].to_list() == ["pair", "pair", "high_card"]
    assert scores["earned_by"].to_list() == ["both", None, None]
    assert scores["next_fl"].to_list() == [15, 0, 0]
    assert scores["fouled"].to_list() == [False, True, False]


def test_what_the_source_recorded_is_compared() -> None:
    boards = ("8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h", "Ad 4c 3c / Tc Td 8s 7s 3h / Js Jd 5s 5c 7h")
    right = seat_rows(*boards, points_recorded=[13, -13], foul_recorded=[False, None])
    wrong = seat_rows(*boards, points_recorded=[13, -12], royalties_recorded=[8, None])
    silent = seat_rows(*boards)
    for seats, want in ((right, [True, True]), (wrong, [False, False]), (silent, [None, None])):
        scores, _ = score_frames(*one_hand(seats, AMERICAN), AMERICAN)
        assert scores["agrees_with_recorded"].to_list() == want


@pytest.mark.parametrize(
    "completeness", [word for word in Completeness if word not in ("full", "own_discards", "final_boards")]
)
def test_hands_with_unknown_rows_are_not_scored(completeness: Completeness) -> None:
    seats = seat_rows("8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h", "Ad 4c 3c / Tc Td 8s 7s 3h / Js Jd 5s 5c 7h")
    scores, pairs = score_frames(*one_hand(seats, AMERICAN, completeness), AMERICAN)
    assert scores.drop("hand_id", "seat").null_count().row(0) == (2,) * (len(SCORES) - 2)
    assert pairs.is_empty()


def test_rescoring_adds_a_table_and_changes_no_fact(log: Log) -> None:
    before = tree(log.path, "hands", "seats", "rulesets", "scores") | {
        "m": (Path(log.path) / "manifest.json").read_text()
    }
    other = log.rules().replace({"scoring.sweep_bonus": 0, "scoring.majority_bonus": 1}, name="2-4")
    rescored = log.results(other).collect()
    assert rescored["ruleset"].unique().to_list() == ["2-4"]
    assert rescored["ruleset_id"].unique().to_list() == [other.id]
    assert rescored["points"].to_list() != log.results().collect()["points"].to_list()
    after = tree(log.path, "hands", "seats", "rulesets", "scores") | {
        "m": (Path(log.path) / "manifest.json").read_text()
    }
    assert before.items() <= after.items()
    assert [Path(name).parent.name for name in after.keys() - before.keys()] == [other.id]
    assert log.rescore(other).collect().equals(rescored)


def test_scores_of_another_scorer_are_computed_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    assert log.score() == 0
    monkeypatch.setattr(computed, "scorer_version", lambda: "other")
    assert log.score() == 1
    assert log.score() == 0
    assert log.score(again=True) == 1


def test_a_broken_score_file_is_computed_again(log: Log) -> None:
    scores = log.scores().collect()
    file = next((Path(log.path) / "scores").rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:100])
    assert open_log(log.path).scores().collect().equals(scores)


def test_a_log_that_cannot_be_written_computes_its_scores(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    want = log.results().collect()
    shutil.rmtree(Path(log.path) / "scores")
    monkeypatch.setattr("ofclab.log.store.Store.is_writable", False)
    closed = open_log(log.path)
    assert closed.results().collect().equals(want)
    assert closed.results().filter(pl.col("fouled")).select("points").collect().height == want["fouled"].sum()
    assert closed.pair_scores().collect().height == 720
    assert not (Path(log.path) / "scores").exists()


def test_each_hand_is_scored_as_it_was_played(tmp_path: Path) -> None:
    boards = ("8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h", "Ad 4c 3c / Tc Td 8s 7s 3h / Js Jd 5s 5c 7h")
    spartan = load_rules("spartan-2-4")
    writer = LogWriter(tmp_path / "log", {"kind": "import"}, [AMERICAN, spartan])
    for number, rules in enumerate((AMERICAN, spartan)):
        hands, seats = one_hand(seat_rows(*boards), rules)
        changed = pl.lit(number + 1, pl.UInt64).alias("hand_id")
        writer.write(number, hands.with_columns(changed), seats.with_columns(changed))
    results = open_log(tmp_path / "log").results().collect()
    assert results["ruleset"].to_list() == ["american-pineapple"] * 2 + ["spartan-2-4"] * 2
    assert results["points"].to_list() == [13, -13, 11, -11]


def test_points_that_do_not_fit_are_refused() -> None:
    rules = AMERICAN.replace({"foul.penalty": 40_000})
    seats = seat_rows("Qs Qh 7d / Kd Kc 6s 5h 4d / Ac Kh Jc 9c 2c", "8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h")
    with pytest.raises(ValueError, match="beyond 32767 points"):
        score_frames(*one_hand(seats, rules), rules)


def test_chips_are_what_the_stacks_say_or_the_settlement() -> None:
    boards = ("8d 8c 3s / Ts Th 9d 9s 2d / Ah Jh 6h 4h 2h", "Ad 4c 3c / Tc Td 8s 7s 3h / Js Jd 5s 5c 7h")
    table_stakes = AMERICAN.replace({"stakes.table_stakes": True})
    told = seat_rows(*boards, stack_before=[50, 50], stack_after=[63, 37])
    open_ended = seat_rows(*boards, stack_before=[50, 8])
    for seats, rules, want in (
        (told, AMERICAN, [13, -13]),
        (open_ended, AMERICAN, [13, -13]),
        (open_ended, table_stakes, [8, -8]),
        (seat_rows(*boards), table_stakes, [None, None]),
    ):
        scores, _ = score_frames(*one_hand(seats, rules), rules)
        assert scores["settled"].to_list() == want


def test_a_game_paid_at_its_end_moves_chips_in_its_last_hand(tmp_path: Path) -> None:
    log = simulate("spartan-1-6", ["random_legal"] * 2, tables=6, hands=5, seed=1, stacks=300, out=tmp_path / "log").log
    results = log.results().collect()
    last = results.filter(pl.col("hand_no") == pl.col("hand_no").max().over("table_id"))
    assert results.filter(pl.col("hand_no") < pl.col("hand_no").max().over("table_id"))[
        "settled"
    ].unique().to_list() == [0]
    assert last["settled"].to_list() == (last["stack_after"] - 300).to_list()
    assert last["settled"].sum() == 0


def test_a_foul_is_certain_from_the_street_that_made_it() -> None:
    # Street by street; after the third the middle can be trip kings at best, below the aces.
    hopeless = parse_cards("As Ad Ac Ks Kd  Qs Qd 9h  4c 5d 9s  2c 3d 8c  6h 8h 8d")
    sound = parse_cards("9c 9d 3c Tc Td  7s 7c 5s  Jc Jd 8s  6s 6c 4s  4h 3h 2h")
    cards = np.array([hopeless, sound], np.uint8)
    placement = np.array(
        [[0, 0, 0, 1, 1, 2, 2, 3, 1, 1, 3, 2, 2, 3, 1, 2, 3], [0, 0, 0, 1, 1, 1, 1, 3, 2, 2, 3, 2, 2, 3, 1, 2, 3]],
        np.uint8,
    )
    seats = pl.DataFrame(
        {
            "hand_id": [1, 1], "seat": [0, 1], "fl_cards": [0, 0], "discards_known": [True, True],
            **{name: cards[:, i] for i, name in enumerate(CARD_COLUMNS)}, "placement": pack_placement(placement),
        }
    )  # fmt: skip
    scores, _ = score_frames(*one_hand(seats, AMERICAN, Completeness.FULL), AMERICAN)
    assert scores["fouled"].to_list() == [True, False]
    told = {AMERICAN.id: AMERICAN}
    streets = foul_frame(*one_hand(seats, AMERICAN, Completeness.FULL), AMERICAN, told)
    assert streets["foul_street"].to_list() == [3, None]
    hidden = foul_frame(*one_hand(seats, AMERICAN, Completeness.FINAL_BOARDS), AMERICAN, told)
    assert hidden["foul_street"].to_list() == [None, None]
