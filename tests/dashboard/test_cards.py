"""The card pages without a browser: Score, Spot, Hands, Replay, Trainer, and what comes back from a card table."""

from pathlib import Path

import polars as pl
import pytest
from opening import errors, html, marks, open_page, texts

import ofclab as ofc

VALID = "Qh Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s"
FOULED = "Ac Ad 6c / Jc Jh Ts Td 4h / 7h 7d 8c 3c 3h"
LAST_STREET = "Kd 2c 3d / 8s 8d 5c 5h / As Ks 9s 4s dealt: Kc 7s 6h discards: 3h 4c 9d"


@pytest.fixture
def show(library: Path, monkeypatch: pytest.MonkeyPatch):
    """Open a page over the library."""
    return lambda page, **address: open_page(page, library, monkeypatch, **address)


def rules() -> ofc.Rules:
    return ofc.load_rules("american-pineapple")


# --- what a browser sends --------------------------------------------------------------------------------------------
def draft(**changes: object) -> dict[str, object]:
    seat = {"rows": [["Qh"], ["8s", "8d"], []], "discards": ["3h"]}
    return {"rev": "r1", "seats": [seat], "tray": ["2c", "Qd", "Jh"], "put": {"Qd": 0, "2c": 1}} | changes


def test_a_draft_is_read_with_its_placement() -> None:
    from components.card_table import read_draft

    read = read_draft(draft(), "r1")
    assert read is not None
    assert str(read.boards[0]) == "Qh / 8s 8d / -"
    assert str(read.placement(2)) == "Qd / 2c / -, discard Jh"
    assert read.placement(3) is None


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "x",
        draft(rev="r0"),
        draft(put={"Qd": 7}),
        draft(put={"Ac": 0}),
        draft(put=[1]),
        draft(tray=["2c", "2c"]),
        draft(tray=["Qh", "2c", "Jh"]),
        draft(tray=["<b>"]),
        draft(tray=[1]),
        draft(seats=[{"rows": [["Qh", "Qd", "Qs", "Qc"], [], []], "discards": []}]),
        draft(seats=[{"rows": "x", "discards": []}]),
        draft(seats=[{}]),
        draft(seats=7),
        draft(seats=[{"rows": [[], [], []], "discards": []}] * 5),
    ],
)
def test_a_draft_that_makes_no_sense_is_none(sent: object) -> None:
    from components.card_table import read_draft

    assert read_draft(sent, "r1") is None


def test_a_table_refuses_what_cannot_lie_on_it() -> None:
    from components.card_table import Seat, Tray, card_table

    board = ofc.Board.parse("Qh / - / -")
    with pytest.raises(ValueError, match="one to four seats, got 0"):
        card_table("t", [], rev="1")
    with pytest.raises(ValueError, match="Qh stands twice"):
        card_table("t", [Seat("a", board)], rev="1", tray=Tray(ofc.parse_cards("Qh 2c"), 1))


def test_rows_say_what_they_make_and_pay() -> None:
    from components.card_table import face_down, labels

    board = ofc.Board.parse("Qh Qd 2c / 8s 8d / As Ks 9s 4s")
    assert labels(board, rules()) == (("pair of queens", "+7"), ("pair of eights", ""), ("four to a flush", ""))
    assert labels(board, rules(), fouled=True)[0] == ("pair of queens", "")
    assert face_down(board, rules()) == 2


# --- text ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        f"Ann: {VALID}\nBob: {FOULED}",
        f"{VALID} | {FOULED}",
        "Ann:\nQh Qd 2c\n8s 8d 5c 5h Kc\nAs Ks 9s 4s 2s\n\nBob:\nAc Ad 6c\nJc Jh Ts Td 4h\n7h 7d 8c 3c 3h",
    ],
)
def test_boards_are_read_however_they_are_written(text: str) -> None:
    from components.positions import read_boards

    read = read_boards(text)
    assert [board for _, board in read] == [ofc.Board.parse(VALID), ofc.Board.parse(FOULED)]
    assert [name for name, _ in read] == (["Ann", "Bob"] if "Ann" in text else ["", ""])


def test_half_a_board_and_no_cards_say_what_is_wrong() -> None:
    from components.positions import read_boards

    with pytest.raises(ofc.BoardError, match="the last has 2"):
        read_boards("Qh Qd 2c / 8s")
    with pytest.raises(ofc.CardError, match="no card 'Zz'"):
        read_boards("Zz / - / -")


# --- Score & settle --------------------------------------------------------------------------------------------------
def test_boards_of_a_link_are_scored_and_said_why(show) -> None:
    app = show("score", score_boards=f"{VALID} | {FOULED}", score_names="Ann,<b>Bob</b>")
    assert not app.exception
    assert not errors(app)
    said = html(app)
    assert "<b>Ann</b> wins 17 points." in said
    assert "&lt;b&gt;Bob&lt;/b&gt; fouled and pays Ann the penalty of 6 and royalties of 11." in said
    assert "Ann plays the next hand in Fantasyland with 14 cards." in said


def test_chips_limit_what_is_paid(show) -> None:
    app = show("score", score_boards=f"{VALID} | {FOULED}", score_stacks="200,12")
    assert "<b>Player 1</b> 212 · <b>Player 2</b> 0" in html(app)
    assert "cut to what may still be paid or won" in html(app)


def test_other_rules_pay_otherwise(show) -> None:
    app = show("score", score_boards=f"{VALID} | {FOULED}", rules="house.toml")
    assert "<b>Player 1</b> wins 19 points." in html(app)


def test_boards_are_pasted_with_their_names(show) -> None:
    app = show("score")
    app.text_area(key="score_paste").input(f"Ann: {VALID}\nBob: {FOULED}").run()
    next(button for button in app.button if button.label == "Put them on the table").click().run()
    assert not errors(app)
    assert "<b>Ann</b> wins 17 points." in html(app)
    assert str(ofc.Board.parse(FOULED)) in str(app.query_params["score_boards"])


@pytest.mark.parametrize(
    ("boards", "said"),
    [
        ("Qh Zz / - / - | - / - / -", "no card 'Zz'"),
        (f"{VALID} | Qh 3c / - / -", "Qh"),
        ("Qh Qd Qs Qc / - / -", "the front holds 3 cards, got 4"),
    ],
)
def test_boards_that_cannot_be_are_named(show, boards: str, said: str) -> None:
    app = show("score", score_boards=boards)
    assert not app.exception
    assert len(errors(app)) == 1
    assert said in texts(app)


def test_a_paste_that_cannot_be_read_keeps_the_table(show) -> None:
    app = show("score", score_boards=f"{VALID} | {FOULED}")
    app.text_area(key="score_paste").input("Qh / 8s").run()
    next(button for button in app.button if button.label == "Put them on the table").click().run()
    assert errors(app) == [":red[:material/error: **This cannot be read.**]"]
    assert "wins 17 points" in html(app)


# --- Spot ------------------------------------------------------------------------------------------------------------
def test_a_spot_of_a_link_is_valued(show, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    app = show("spot", spot_spot=LAST_STREET)
    end = time.monotonic() + 60
    while "points</h2>" not in html(app):
        assert time.monotonic() < end, html(app)
        time.sleep(0.3)
        app.run()
    assert not app.exception
    assert not errors(app)
    assert "Exact: every card to come is counted." in marks(app)


def test_a_card_that_stands_twice_is_named_and_the_rest_is_kept(show) -> None:
    app = show("spot", spot_spot="Qh / 8s 8d / As Ks dealt: 2c Qh")
    assert errors(app) == [":red[:material/error: **A card stands twice.**]"]
    assert "Qh" in texts(app)
    assert "street 2 deals 3 cards" in marks(app)


def test_text_that_is_no_spot_is_said(show) -> None:
    app = show("spot", spot_spot="hello <b>there</b>")
    assert errors(app) == [":red[:material/error: **The spot of this address cannot be read.**]"]
    assert not app.exception


def test_a_fantasyland_hand_is_set_exactly(show) -> None:
    app = show("spot", spot_spot="dealt: Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d")
    assert not errors(app)
    assert "11 royalty points." in html(app)


def test_fantasyland_values_of_a_link_count(show) -> None:
    app = show("spot", spot_spot="dealt: As Ad Ac Ah Kd Ks Qd Qs 2c 5h 7d 9c Jh 3s", spot_fl="14:0.5")
    assert app.number_input(key="spot_fl_14").value == 0.5
    assert "The stay is worth 0.5 points to you." in html(app)


def test_fantasyland_counts_what_it_is_worth_under_the_rules_and_seats(show) -> None:
    app = show("spot", spot_spot="dealt: Ah Kc Qs 8h 7c")
    assert app.number_input(key="spot_fl_14").value == ofc.usual_fantasyland_values("american-pineapple")[14]
    app.selectbox(key="rules_choice").set_value("deuce-pineapple").run()
    assert not errors(app)
    assert app.number_input(key="spot_fl_14").value == ofc.usual_fantasyland_values("deuce-pineapple")[14]
    assert "spot_fl" not in app.query_params
    app.number_input(key="spot_fl_14").set_value(7.0).run()
    assert app.query_params["spot_fl"] == "14:7"
    assert app.number_input(key="spot_fl_14").value == 7.0
    three = show("spot", spot_spot="dealt: Ah Kc Qs 8h 7c seats: 3")
    assert three.number_input(key="spot_fl_14").value == ofc.usual_fantasyland_values("american-pineapple", 3)[14]


# --- Hands and Replay ------------------------------------------------------------------------------------------------
def test_hands_are_filtered_and_counted(show) -> None:
    app = show("hands", log="small", hands_result="Fouled", hands_player="random_legal")
    assert not errors(app)
    assert "100.0\xa0% fouled" in html(app)


def test_no_hand_like_this_says_so(show) -> None:
    app = show("hands", log="small", hands_royalties="100")
    assert not errors(app)
    assert any("Remove a filter" in mark.value for mark in app.markdown)


def test_filters_keep_the_hands_they_name(library: Path) -> None:
    import hands
    import loaders

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OFCLAB_HOME", str(library))
        table = hands.frame(loaders.library()["small"], None)
    assert len(table) == 2 * 16 * 40
    assert table["table"].max() == 15
    kept = hands.wanted_rows(table, hands.Wanted(("random_legal",), "Lost", 3)).collect()
    assert (kept["points"] < 0).all()
    assert (kept["royalties"] >= 3).all()
    assert kept["player"].cast(pl.String).unique().to_list() == ["random_legal"]
    shown = hands.as_shown(table.lazy(), "small").head(1).collect()
    assert shown["replay"][0].startswith(f"replay?log=small&replay_hand={table['hand_id'][0]}")


def _hand_id(library: Path, log: str, index: int = 0) -> str:
    return str(ofc.open_log(library / log).hands.select("hand_id").collect()["hand_id"][index])


def test_a_hand_is_replayed_as_its_player_saw_it(show, library: Path) -> None:
    number = _hand_id(library, "small", 3)
    app = show("replay", log="small", replay_hand=number, replay_seat="1", replay_street="3")
    assert not app.exception
    assert not errors(app)
    assert "Played: " in html(app)
    hand = ofc.log.read_hand(ofc.open_log(library / "small"), int(number))
    decision = hand.decision(1, 3)
    assert f"dealt: {ofc.format_cards(decision.dealt)}" in app.code[0].value
    hidden = hand.decision(0, 3)
    assert not any(str(card) in app.code[0].value for card in hidden.placement.discards)


def test_a_replay_ends_with_the_result(show, library: Path) -> None:
    app = show("replay", log="small", replay_hand=_hand_id(library, "small"), replay_street="end")
    assert not errors(app)
    assert "never_bust_greedy: " in html(app)


def test_a_hand_without_deal_order_shows_its_boards(show, library: Path) -> None:
    app = show("replay", log="typed", replay_hand=_hand_id(library, "typed"))
    assert not errors(app)
    assert any("does not tell in which order" in mark.value for mark in app.markdown)


@pytest.mark.parametrize("number", ["1", "x", "99999999999999999999999"])
def test_an_unknown_hand_leads_back(show, number: str) -> None:
    app = show("replay", log="small", replay_hand=number)
    assert errors(app) == [":red[:material/error: **This log has no such hand.**]"]
    assert not app.exception


# --- Trainer ---------------------------------------------------------------------------------------------------------
def test_a_rating_moves_by_its_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import training

    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    spot = ofc.Spot.parse(LAST_STREET)
    answer = ofc.evaluate_spot(spot, rules())
    rows = answer.frame.to_dicts()
    good = training.judge(answer, answer.placements[0], rows[0], "quiz", "")
    bad = training.judge(answer, answer.placements[-1], rows[-1], "quiz", "")
    assert good.rating > training.START
    assert bad.rating < good.rating
    assert bad.rating == pytest.approx(training.moved(good.rating, good.difficulty, bad.score), abs=0.01)
    (tmp_path / "data" / "trainer" / "history.jsonl").open("a").write("torn line\n")
    assert [judged.rating for judged in training.history()] == [good.rating, bad.rating]
    assert training.mistakes(rules()) == [ofc.Spot.parse(bad.spot)]
    assert training.mistakes(ofc.load_rules("progressive-pineapple")) == []


def test_own_mistakes_are_asked_again_once_there_are_some(show) -> None:
    app = show("trainer", trainer_mode="Own mistakes")
    assert not errors(app)
    assert any("No mistake is kept" in mark.value for mark in app.markdown)


def test_an_unknown_opponent_is_an_error_with_the_choices(show) -> None:
    app = show("trainer", trainer_vs="nobody")
    assert errors(app) == [":red[:material/error: **There is no strategy of this name.**]"]


def test_the_trainer_deals_the_cards_of_its_number(show) -> None:
    app = show("trainer", trainer_seed="7", trainer_vs="random_legal")
    assert not app.exception
    assert not errors(app)
    table = app.session_state["trainer_game"]
    same = ofc.Table(rules(), [None, ofc.strategies.get("random_legal")], 7)
    assert table.decision.dealt == same.decision.dealt


def test_a_tricky_spot_is_asked(show) -> None:
    app = show("trainer", trainer_mode="Tricky spots", trainer_seed="2")
    assert not app.exception
    assert not errors(app)
    assert [button.label for button in app.button if button.key == "trainer_next"] == ["Skip this spot"]


# --- what a review has found ------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def reviewed(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with one small log that was reviewed."""
    folder = tmp_path_factory.mktemp("reviewed")
    ofc.simulate("american-pineapple", ["random_legal"] * 2, tables=2, hands=2, seed=3, out=folder / "played")
    ofc.review(folder / "played", level="quick")
    return folder


def test_hands_show_what_play_lost_and_mistakes_are_asked(reviewed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ofc.review(reviewed / "played", level="quick").decisions
    losses = found.group_by("hand_id", "seat").agg(pl.col("ev_loss").sum())["ev_loss"]
    middle = round(losses.median() * 2) / 2
    app = open_page("hands", reviewed, monkeypatch, hands_loss=str(middle))
    assert not app.exception
    assert not errors(app)
    assert f"{(losses >= middle).sum()} of 8 player-hands." in html(app)
    app = open_page("trainer", reviewed, monkeypatch, trainer_mode="Own mistakes", trainer_from="played")
    assert not app.exception
    assert [button.label for button in app.button if button.key == "trainer_next"] == ["Skip this spot"]


def test_a_fantasyland_hand_that_was_set_is_judged_exactly(show) -> None:
    app = show("trainer", trainer_seed="7", trainer_vs="random_legal")
    dealt = ofc.parse_cards("Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d")
    best = ofc.set_fantasyland(dealt, rules(), ofc.DEFAULT_FANTASYLAND_VALUES[14])
    rows = tuple((card, row) for row in ofc.Row for card in best.board.row(row))
    decision = ofc.Decision(0, dealt, None)
    app.session_state["trainer_last"] = (decision, ofc.Placement(rows, best.discards))
    assert "Set as well as can be." in html(app.run())
    swapped = dict(rows)
    back, middle = best.board.back[0], best.board.middle[0]
    swapped[back], swapped[middle] = swapped[middle], swapped[back]
    app.session_state["trainer_last"] = (decision, ofc.Placement(tuple(swapped.items()), best.discards))
    assert "? That cost " in html(app.run())
    assert not app.exception


def test_hands_of_a_room_are_filtered_by_room_and_day(library: Path, tmp_path: Path, monkeypatch) -> None:
    from datetime import UTC, datetime

    from ofclab.log import LogWriter

    log = ofc.open_log(library / "small")
    hands = log.hands.collect()
    day = pl.datetime_range(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC), "1d", eager=True)
    played = day.gather([i % 2 for i in range(len(hands))]).dt.cast_time_unit("us").alias("played_at")
    rooms = pl.Series("site", [("north", "south")[i % 2] for i in range(len(hands))])
    source = {"kind": "import", "files": ["hands.txt"]}
    writer = LogWriter(tmp_path / "room", source, log.rulesets.values())
    writer.write(0, hands.with_columns(played, rooms), log.seats.collect())
    app = open_page("hands", tmp_path, monkeypatch, hands_site="south")
    assert not app.exception
    assert not errors(app)
    assert "640 of 1,280 player-hands." in html(app)
    app.date_input(key="hands_days").set_value((datetime(2026, 1, 1), datetime(2026, 1, 1))).run()
    assert any("Remove a filter" in mark.value for mark in app.markdown)


def test_a_replay_says_what_the_review_found(reviewed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ofc.review(reviewed / "played", level="quick").decisions.row(0, named=True)
    address = {"replay_hand": str(found["hand_id"]), "replay_seat": str(found["seat"]), "replay_street": "1"}
    app = open_page("replay", reviewed, monkeypatch, **address)
    assert not app.exception
    assert not errors(app)
    assert "What the review found" in html(app)
    assert "Street 1: " in html(app)


def test_a_fantasyland_hand_is_set_against_the_boards_on_the_table(show) -> None:
    dealt = "Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d"
    app = show("spot", spot_spot=f"dealt: {dealt} opponent: Ks Kd 9h / 6c 6h 6s 2c 2d / As Ad Ac 5h 5d")
    assert not app.exception
    assert not errors(app)
    assert "−21.00 points" in html(app)
    assert "Exact: every setting is searched against these boards." in html(app)


def test_a_game_goes_on_after_a_reload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import games

    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    table, played = games.resume(rules(), "random_legal", 7)
    assert played == []
    while len(played) < 7:
        if table.decision is None:
            table.deal()
        played.append(ofc.legal_placements(table.decision.board, table.decision.dealt, rules())[-1])
        table.decide(played[-1])
        games.save((rules().id, "random_legal", 7), played)
    again, before = games.resume(rules(), "random_legal", 7)
    assert before == played
    assert (again.decision.dealt, again.decision.board) == (table.decision.dealt, table.decision.board)
    assert again.hands == table.hands
    assert games.resume(rules(), "random_legal", 8)[1] == []
    games.game_file().write_text('{"key": [1], "moves": [{"Zz": 0}]}')
    assert games.resume(rules(), "random_legal", 7)[1] == []
