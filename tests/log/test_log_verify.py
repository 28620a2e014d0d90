import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from ofclab.log import Log, LogWriter, VerifyReport, open_log, verify
from ofclab.log.arrays import card_array, pack_placement, placement_array
from ofclab.log.parts import encode, part_name
from ofclab.log.schema import CARD_COLUMNS
from ofclab.runs import simulate


def rewrite(log: Log, table: str, frame: pl.DataFrame, folder: str = "") -> VerifyReport:
    """Put a changed frame in the place of a part, stamped as before, and verify."""
    path = Path(log.path) / table / folder / part_name(0)
    note = json.loads(pq.read_metadata(path).metadata[b"ofclab"])
    path.write_bytes(encode(frame, note))
    return verify(open_log(log.path))


def with_values(frame: pl.DataFrame, row: int, **values: Any) -> pl.DataFrame:
    here = pl.int_range(pl.len()) == row
    return frame.with_columns(
        pl.when(here).then(pl.lit(value, frame.schema[name])).otherwise(pl.col(name)).alias(name)
        for name, value in values.items()
    )


def with_seat(seats: pl.DataFrame, row: int, change: Callable[[np.ndarray, np.ndarray], None]) -> pl.DataFrame:
    """The seats with the cards and placement codes of one row changed in place."""
    cards, codes = card_array(seats), placement_array(seats)
    change(cards[row], codes[row])
    columns = [pl.Series(name, cards[:, i]) for i, name in enumerate(CARD_COLUMNS)]
    return seats.with_columns(*columns, pl.Series("placement", pack_placement(codes)))


def only(report: VerifyReport, *words: str) -> None:
    """Every problem holds the words; there is one at least."""
    assert not report.ok
    assert all(all(word in problem.what for word in words) for problem in report.problems), str(report)


def test_a_played_log_is_right(log: Log) -> None:
    report = verify(log)
    assert report.ok, str(report)
    assert (report.hands, report.player_hands, report.parts) == (120, 360, 1)
    assert verify(log.path).ok
    assert str(report).endswith("120 hands, 360 player-hands in 1 parts: nothing wrong")


@pytest.mark.parametrize(
    ("rules", "seats", "stacks"),
    [
        ("pagat-standard", 4, None),
        ("american-regular", 4, 40),
        ("turbo", 3, None),
        ("deuce-pineapple", 2, (60, 200)),
        ("joker-progressive", 3, None),
        ("progressive-16-same", 2, None),
        ("tournament-2013", 4, 40),
        ("spartan-1-6", 3, 100),
    ],
)
def test_every_kind_of_game_replays(rules: str, seats: int, stacks: Any, tmp_path: Path) -> None:
    names = ["never_bust_greedy", "random_legal", "cutoff_rows", "random_legal"][:seats]
    run = simulate(rules, names, tables=6, hands=8, seed=2, stacks=stacks, out=tmp_path / "log")
    report = verify(run.log)
    assert report.ok, str(report)
    assert report.hands > 0


def test_two_swapped_cards_are_found(log: Log) -> None:
    _, seats = log.part(0)
    scores = log.scores().collect()
    row = int(scores["fouled"].not_().arg_true()[0])

    def swap(cards: np.ndarray, codes: np.ndarray) -> None:
        front, back = int(np.argmax(codes == 0)), int(np.argmax(codes == 2))
        cards[front], cards[back] = cards[back], cards[front]

    report = rewrite(log, "seats", with_seat(seats, row, swap))
    assert not report.ok
    assert {problem.hand_id for problem in report.problems if problem.seat == seats["seat"][row]} >= {
        seats["hand_id"][row]
    }
    assert any("the score stored under" in problem.what for problem in report.problems)


def test_a_card_of_another_player_is_found(log: Log) -> None:
    _, seats = log.part(0)
    report = rewrite(log, "seats", with_values(seats, 0, c00=int(seats["c00"][1])))
    only(report, f"hand {seats['hand_id'][0]}", "stands twice")
    assert report.count == 1


def test_a_discard_of_another_street_is_found(log: Log) -> None:
    _, seats = log.part(0)
    row = int((seats["fl_cards"] == 0).arg_true()[0])

    def late(cards: np.ndarray, codes: np.ndarray) -> None:
        thrown, kept = int(np.argmax(codes == 3)), 16 - int(np.argmax(codes[::-1] < 3))
        codes[thrown], codes[kept] = codes[kept], codes[thrown]
        cards[thrown], cards[kept] = cards[kept], cards[thrown]

    # The same board, reached in an order that is not legal: only the streets tell.
    report = rewrite(log, "seats", with_seat(seats, row, late))
    only(report, f"hand {seats['hand_id'][row]}", f"seat {seats['seat'][row]}", "places")
    assert [problem.what.split(": ")[1] for problem in report.problems] == [
        "street 2 places 3 and discards 0 cards, want 2 and 1",
        "street 5 places 1 and discards 2 cards, want 2 and 1",
    ]


def test_fantasyland_that_was_not_earned_is_found(log: Log) -> None:
    hands, seats = log.part(0)
    scores = log.scores().collect()
    wide = seats.join(hands.select("hand_id", "hand_no"), on="hand_id", maintain_order="left")
    lost = (scores["next_fl"] > 0) & (wide["hand_no"] < 9)
    row = int(lost.arg_true()[0])

    def break_front(cards: np.ndarray, codes: np.ndarray) -> None:
        """Trade a card of the pair up front for one in the back of another rank."""
        front = np.flatnonzero(codes == 0)
        ranks = cards[front] // 4
        pair = front[next(i for i in range(3) if (ranks == ranks[i]).sum() > 1)]
        other = next(i for i in np.flatnonzero(codes == 2) if cards[i] // 4 not in ranks)
        cards[pair], cards[other] = cards[other], cards[pair]

    report = rewrite(log, "seats", with_seat(seats, row, break_front))
    assert any("Fantasyland cards, but earned 0 in the hand before" in problem.what for problem in report.problems)


def test_fantasyland_sizes_are_checked(log: Log) -> None:
    _, seats = log.part(0)
    row = int((seats["fl_cards"] == 14).arg_true()[0])
    report = rewrite(log, "seats", with_values(seats, row, fl_cards=15))
    told = "; ".join(problem.what for problem in report.problems)
    assert "14 cards dealt in a row, want 15" in told
    assert "came in with 15 Fantasyland cards, but earned 14" in told


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"button": 1}, "seat 1 has the button, want seat"),
        ({"match_id": 99}, "match_id 99, want"),
        ({"hand_no": 77}, "numbered 0, 1, 2"),
    ],
)
def test_the_thread_from_hand_to_hand_is_checked(log: Log, change: dict[str, int], what: str) -> None:
    hands, _ = log.part(0)
    row = int(((hands["button"] != 1) & (hands["hand_no"] == 4)).arg_true()[0])
    report = rewrite(log, "hands", with_values(hands, row, **change))
    assert any(what in problem.what for problem in report.problems), str(report)
    assert any(problem.hand_id == hands["hand_id"][row] for problem in report.problems)


def test_a_wrong_position_is_found(log: Log) -> None:
    _, seats = log.part(0)
    only(rewrite(log, "seats", with_values(seats, 0, position=3)), "seat 0: position 3, want 1")


def test_a_changed_score_is_found(log: Log) -> None:
    scores, rules = log.scores().collect(), log.rules().id
    row = int((scores["points"] != 0).arg_true()[0])
    report = rewrite(log, "scores", with_values(scores, row, points=int(scores["points"][row]) + 1), rules)
    first, second = report.problems
    assert f"seat {scores['seat'][row]}: the score stored under {rules} says points" in first.what
    assert "sum to 1, not 0" in second.what


def test_a_lost_table_is_found(log: Log) -> None:
    hands, seats = log.part(0)
    kept = hands.filter(pl.col("table_id") != hands["table_id"][30])
    rewrite(log, "seats", seats.join(kept.select("hand_id"), on="hand_id", how="semi", maintain_order="left"))
    report = rewrite(log, "hands", kept)
    only(report, "part 0 holds 11 tables, not the 12 planned for it")


def test_seats_out_of_order_are_found(log: Log) -> None:
    _, seats = log.part(0)
    only(rewrite(log, "seats", seats.reverse()), "seats do not stand in the order of the hands")


def test_stacks_must_follow_the_settlement(tmp_path: Path) -> None:
    names = ["random_legal"] * 2
    log = simulate("tournament-2013", names, tables=3, hands=4, seed=2, stacks=300, out=tmp_path / "log").log
    _, seats = log.part(0)
    report = rewrite(log, "seats", with_values(seats, 0, stack_after=int(seats["stack_after"][0]) + 5))
    told = [problem.what for problem in report.problems]
    assert any("chips by its stacks" in what for what in told)
    assert any("chips where the hand before left" in what for what in told)


def test_a_damaged_page_is_named_and_the_other_parts_are_read(tmp_path: Path) -> None:
    run = simulate("american-pineapple", ["random_legal"] * 2, tables=100, hands=50, seed=2, out=tmp_path / "log")
    log = run.log
    assert len(log.parts) == 2
    path = Path(log.path) / "seats" / part_name(1)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)
    report = verify(open_log(log.path))
    only(report, "seats/part-000001.parquet is corrupt")
    assert (report.count, report.parts, report.hands) == (1, 1, log.rows(0)[0])


def test_what_a_source_recorded_is_counted_apart(tmp_path: Path, log: Log) -> None:
    hands, seats = log.part(0)
    writer = LogWriter(tmp_path / "imported", {"kind": "import"}, [log.rules()])
    writer.write(0, hands, seats.with_columns(points_recorded=pl.lit(0)))
    report = verify(open_log(tmp_path / "imported"))
    assert report.ok
    assert report.disagreements == int((log.scores().collect()["points"] != 0).sum())
    assert "differ from what their source recorded" in str(report)
    assert "<br>" in report._repr_html_()


def test_a_long_report_is_cut(log: Log) -> None:
    _, seats = log.part(0)
    report = rewrite(log, "seats", seats.with_columns(position=pl.lit(4, pl.UInt8)))
    assert report.count == 360
    assert len(report.problems) == 100
    assert str(report).endswith("... and 260 more")


def test_a_changed_street_of_a_foul_is_found(log: Log) -> None:
    streets = log.results().select("foul_street").collect()["foul_street"]
    assert verify(log).ok
    stored = log.read("foul_streets", 0, log.rules().id)
    row = int(streets.is_not_null().arg_true()[0])
    report = rewrite(log, "foul_streets", with_values(stored, row, foul_street=1), log.rules().id)
    only(report, f"says foul_street 1, want {streets[row]}")
