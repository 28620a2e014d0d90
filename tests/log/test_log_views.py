import polars as pl

from ofclab.board import Board
from ofclab.log import Log, boards, decisions
from ofclab.log.arrays import card_array, placement_array
from ofclab.rules import Rules, load_rules
from ofclab.runs import simulate


def test_boards_read_as_the_cards_lie(log: Log) -> None:
    frame = boards(log.seats).collect()
    cards, codes = card_array(frame), placement_array(frame)
    for i, row in enumerate(frame.select("front", "middle", "back").iter_rows()):
        board = Board.parse(" / ".join(row))
        assert [str(board.front), str(board.middle)] == [
            str(tuple(sorted(board.front, reverse=True))), str(tuple(sorted(board.middle, reverse=True))),
        ]  # fmt: skip
        assert [sorted(map(int, part)) for part in board.rows] == [
            sorted(cards[i][codes[i] == r].tolist()) for r in range(3)
        ]
    thrown = frame["discards"].str.split(" ").list.len()
    assert thrown.to_list() == (pl.Series((codes == 3).sum(axis=1))).to_list()


def test_unseen_cards_and_empty_rows_have_a_sign() -> None:
    seats = pl.LazyFrame(
        {f"c{i:02d}": [255] for i in range(17)}
        | {"c00": [0], "placement": [sum(7 << 3 * i for i in range(2, 17)) | 3 << 3 | 2]},
        schema_overrides={"placement": pl.UInt64} | {f"c{i:02d}": pl.UInt8 for i in range(17)},
    )
    assert boards(seats).select("front", "back", "discards").collect().row(0) == ("-", "2c", "??")


def test_decisions_retell_a_hand(log: Log) -> None:
    hand = log.hands.collect()["hand_id"][0]
    told = decisions(log.seats.filter(pl.col("hand_id") == hand), log.rules()).collect()
    assert told.height == 15
    assert told["street"].to_list() == [street for street in range(1, 6) for _ in range(3)]
    whole = boards(log.seats.filter(pl.col("hand_id") == hand)).collect()
    for seat in range(3):
        own = told.filter(pl.col("seat") == seat)
        board = Board()
        for decision in own.iter_rows(named=True):
            assert decision["board"] == str(board)
            placed = Board.parse(decision["placed"])
            thrown = Board.parse(f"- / - / {decision['discarded']}").back
            assert sorted(placed.cards + thrown) == sorted(Board.parse(f"- / - / {decision['dealt']}").back)
            board = Board(*(old + new for old, new in zip(board.rows, placed.rows, strict=True)))
        assert board.is_complete
        assert str(board) == " / ".join(whole.filter(pl.col("seat") == seat).select("front", "middle", "back").row(0))


def test_a_player_sees_what_lay_when_it_decided(log: Log) -> None:
    told = log.decisions().collect()
    normal = told.filter((pl.col("fl_cards").max().over("hand_id") == 0) & (pl.col("street") == 2))
    for _, hand in normal.group_by("hand_id"):
        by_position = {row["position"]: row for row in hand.iter_rows(named=True)}
        first, last = by_position[1], by_position[3]
        assert f"{last['seat']}: {last['board']}" in first["visible"].split(" | ")
        after = Board(
            *(a + b for a, b in zip(Board.parse(first["board"]).rows, Board.parse(first["placed"]).rows, strict=True))
        )
        assert f"{first['seat']}: {after}" in last["visible"].split(" | ")
        # From the left: who acts next comes first.
        assert [int(text[0]) for text in first["visible"].split(" | ")] == [by_position[2]["seat"], last["seat"]]


def test_fantasyland_is_one_hidden_decision(log: Log) -> None:
    told = log.decisions().collect()
    inside = told.filter(pl.col("fl_cards") > 0)
    assert inside["street"].unique().to_list() == [1]
    assert inside.filter(pl.col("dealt").str.split(" ").list.len() != pl.col("fl_cards")).is_empty()
    shown = inside.filter(pl.col("visible").str.contains(r"\d: [^h-]"))
    assert shown.is_empty(), "Fantasyland is set before anybody places a card"
    seats = inside.select("hand_id", pl.col("seat").cast(pl.String).alias("in_fantasyland"))
    others = told.join(seats, on="hand_id").filter(pl.col("seat").cast(pl.String) != pl.col("in_fantasyland"))
    assert others.height > 0
    assert others.filter(~pl.col("visible").str.contains(pl.col("in_fantasyland") + ": hidden")).is_empty()


def test_rules_decide_what_is_shown(tmp_path_factory: object, tmp_path: object) -> None:
    revealed: Rules = load_rules("american-pineapple").replace({"visibility.discards": "revealed"})
    log = simulate(revealed, ["random_legal"] * 2, tables=1, hands=1, seed=1, out=f"{tmp_path}/revealed").log
    last = log.decisions().filter((pl.col("street") == 5) & (pl.col("position") == 2)).collect()
    assert last["visible"][0].count("discards") == 1
    assert len(last["visible"][0].split("discards ")[1].split()) == 4
    face_down = load_rules("american-regular").replace({"deal.last_face_down": 3})
    log = simulate(face_down, ["random_legal"] * 2, tables=1, hands=1, seed=1, out=f"{tmp_path}/down").log
    last = log.decisions().filter((pl.col("street") == 9) & (pl.col("position") == 2)).collect()
    assert len(Board.parse(last["visible"][0].split(": ")[1]).cards) == 10
