"""Shared hands: nothing in text or code that the viewer could not see, and codes that come back as they were."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.cards import parse_cards
from ofclab.log import SharedHand, ShareError, read_shared, share_hand
from ofclab.log.schema import SCORABLE

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"
PLAYERS = ["never_bust_greedy", "cutoff_rows", "random_legal"]
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|X[12])\b")
EASY = {"fantasyland.entry_front": [{"min": "22", "cards": 14}]}


@pytest.fixture(scope="module", params=["hidden", "revealed", "face-down"])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ofc.Log:
    """Three players, many Fantasyland hands, under three rules of what is seen."""
    changes = {"hidden": {}, "revealed": {"visibility.discards": "revealed"}, "face-down": {"deal.last_face_down": 3}}
    rules = ofc.load_rules("american-pineapple").replace({**EASY, **changes[request.param]})
    folder = tmp_path_factory.mktemp(request.param) / "run"
    return ofc.open_log(ofc.simulate(rules, PLAYERS, tables=2, hands=8, seed=6, out=folder).path)


def parts(log: ofc.Log) -> list[tuple[dict, list[dict]]]:
    """Hands with their seats."""
    seats = log.seats.sort("hand_id", "seat").collect()
    return [
        (hand, list(seats.filter(hand_id=hand["hand_id"]).iter_rows(named=True)))
        for hand in log.hands.collect().iter_rows(named=True)
    ]


def deal(seat: dict) -> list[tuple[int, int]]:
    codes = [seat["placement"] >> 3 * i & 7 for i in range(17)]
    return [(seat[f"c{i:02d}"], code) for i, code in enumerate(codes) if code != 7]


def cards_of(shared: SharedHand) -> set[int]:
    """Every card the code holds, which must be those of the text."""
    again = read_shared(shared.code)
    assert again == shared
    assert again.text == shared.text
    held = {card for seat in again.seats for street in seat.streets for card, _ in street}
    lines = [line for line in shared.text.splitlines() if not line.startswith(("rules:", "position:"))]
    told = {int(card) for word in CARD.findall(" ".join(lines)) for card in parse_cards(word)}
    assert told == held
    return held


def open_cards(log: ofc.Log, hand: dict, other: dict, me: dict, street: int) -> set[int]:
    """What the viewer may see of another seat when he is dealt the cards of a street, worked out card by card."""
    rules = log.rulesets[hand["ruleset_id"]]
    if other["fl_cards"] or (me["fl_cards"] and rules.fantasyland.set_timing == "before_play"):
        return set()
    ends = [0, 5, 8, 11, 14, 17]
    acted = street if other["position"] < me["position"] else street - 1
    seen, placed = set(), 0
    for card, code in deal(other)[: ends[acted]]:
        if code <= 2:
            placed += 1
            if placed <= 13 - rules.deal.last_face_down:
                seen.add(card)
        elif rules.visibility.discards == "revealed":
            seen.add(card)
    return seen


def test_a_spot_holds_what_the_viewer_saw(log: ofc.Log) -> None:
    spots = 0
    for hand, seats in parts(log):
        for me in seats:
            streets = 1 if me["fl_cards"] else 5
            for street in range(1, streets + 1):
                shared = share_hand(log, hand["hand_id"], me["seat"], street)
                own = deal(me)
                ends = [0, len(own)] if me["fl_cards"] else [0, 5, 8, 11, 14, 17]
                allowed = {card for card, _ in own[: ends[street]]}
                for other in seats:
                    if other is not me:
                        allowed |= open_cards(log, hand, other, me, street)
                assert cards_of(shared) == allowed
                spots += 1
    assert spots > 100


def test_a_spot_is_read_as_a_spot(log: ofc.Log) -> None:
    for hand, seats in parts(log)[:6]:
        rules = log.rulesets[hand["ruleset_id"]]
        for me in seats:
            if me["fl_cards"] or rules.deal.last_face_down:
                continue
            for street in range(1, 6):
                spot = log.spot(hand["hand_id"], me["seat"], street)
                assert spot.rules == rules
                assert [int(card) for card in spot.dealt] == sorted_like(me, street)
                assert spot.position == me["position"]
                assert len(spot.opponents) == 2


def sorted_like(me: dict, street: int) -> list[int]:
    ends = [0, 5, 8, 11, 14, 17]
    return [card for card, _ in deal(me)[ends[street - 1] : ends[street]]]


def test_a_hand_holds_own_cards_and_final_boards(log: ofc.Log) -> None:
    for hand, seats in parts(log):
        boards = {card for seat in seats for card, code in deal(seat) if code <= 2}
        assert cards_of(share_hand(log, hand["hand_id"])) == boards
        rules = log.rulesets[hand["ruleset_id"]]
        for me in seats:
            thrown = {card for seat in seats for card, code in deal(seat) if code == 3
                      and (seat is me or (rules.visibility.discards == "revealed"))}  # fmt: skip
            held = cards_of(share_hand(log, hand["hand_id"], me["seat"]))
            assert boards <= held <= boards | thrown
            assert {card for card, _ in deal(me)} <= held


def test_no_name_and_no_order_of_others_is_told(tmp_path: Path) -> None:
    report = ofc.import_hands([SAMPLES / "typed_boards", SAMPLES / "web_app_sqlite" / "twin.db"], out=tmp_path / "log")
    log = report.log
    stored = json.loads((tmp_path / "players.json").read_text(encoding="utf-8"))["players"]
    names = [full.partition(": ")[2] for full in stored.values()]
    assert len(names) > 4
    pseudonyms = log.seats.collect()["player"].drop_nulls().unique().to_list()
    shared = 0
    for hand, seats in parts(log):
        for viewer in (None, *(seat["seat"] for seat in seats)):
            try:
                told = share_hand(log, hand["hand_id"], viewer)
            except ShareError:
                assert viewer is None
                assert hand["completeness"] not in SCORABLE
                continue
            shared += 1
            secrets = (*names, *pseudonyms, str(hand["source_file"]))
            assert not [name for name in secrets if re.search(rf"\b{re.escape(name)}\b", told.text)]
            for place, seat in enumerate(told.seats):
                if place != told.viewer:
                    # Inside a street the cards stand by row and rank, not as they were dealt.
                    assert all(
                        list(street) == sorted(street, key=lambda one: (one[1], -one[0])) for street in seat.streets
                    )
    assert shared > 40


def test_an_unfinished_hand_shows_what_lay_open(tmp_path: Path) -> None:
    log = ofc.import_hands(SAMPLES / "web_app_sqlite" / "twin.db", out=tmp_path / "log").log
    hand = log.hands.filter(completeness="unfinished").collect()["hand_id"][0]
    with pytest.raises(ShareError, match="its boards were not shown; name a viewer"):
        share_hand(log, hand)
    seats = log.seats.filter(pl.col("hand_id") == hand).sort("seat").collect().to_dicts()
    told = cards_of(share_hand(log, hand, 0))
    hidden = {card for card, code in deal(seats[1]) if code == 3}
    assert not told & hidden


def test_what_cannot_be_shared_says_why(tmp_path: Path) -> None:
    log = ofc.import_hands([SAMPLES / "flat13", SAMPLES / "web_app_sqlite" / "twin.db"], out=tmp_path / "log").log
    full = log.hands.filter(completeness="full").collect()["hand_id"][0]
    boards = log.hands.filter(completeness="final_boards").collect()["hand_id"][0]
    with pytest.raises(ShareError, match="no hand 7 in"):
        share_hand(log, 7)
    with pytest.raises(ShareError, match="no seat 5 in hand"):
        share_hand(log, full, 5)
    with pytest.raises(ShareError, match="name a viewer"):
        share_hand(log, full, street=1)
    with pytest.raises(ShareError, match="no street 9 in hand"):
        share_hand(log, full, 0, 9)
    with pytest.raises(ShareError, match="it is final_boards, so its streets are not known"):
        share_hand(log, boards, 0, 1)


def test_codes_are_short_safe_and_refuse_damage(log: ofc.Log) -> None:
    hand = log.hands.collect()["hand_id"][0]
    code = share_hand(log, hand, 0, 3).code
    assert len(code) < 260
    assert all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in code)
    for broken in ("", "hello", code[5:], code[:-3], code[:20] + "A" + code[21:], code + "AAAA", "ofc1-" + "A" * 40):
        if broken != code:
            with pytest.raises(ShareError, match=r"no code of a hand|torn or changed"):
                read_shared(broken)
    assert read_shared(f"  {code}\n") == read_shared(code)
