"""Spots: reading, printing, and what cannot arise."""

import random

import pytest

import ofclab as ofc
from ofclab import strategies
from ofclab.spot import Spot, SpotError

RULES = ofc.load_rules("american-pineapple")
TEXT = """Qh / 8s 8c / As Ks 9s 4d
dealt: 2c 7d Jh
discards: 3c
dead: 5c
opponent: Ac / Kd Kc / 9h 9d
opponent: Fantasyland 14
position: 2
rules: american-pineapple"""


def test_spots_survive_printing_and_reading() -> None:
    spot = Spot.parse(TEXT)
    assert str(spot) == TEXT
    assert Spot.parse(str(spot)) == spot
    assert spot.seats == 3
    assert spot.opponents_fantasyland == (0, 14)
    assert spot.rules == RULES
    assert spot.check(RULES) == 3
    assert len(spot.unseen(RULES)) == 52 - 7 - 3 - 1 - 5 - 1
    assert spot.unknown_discards(RULES) == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Qh . . / 8s 8c . . . / As Ks 9s 4d .  dealt: 2c 7d Jh  discards: 3c",
        "Qh\n8c 8s\n4d 9s Ks As\nDealt = 2c,7d,J♥\nDiscarded: 3c",
        "front: Qh middle: 8s8c back: AsKs9s4d hand: 2c7dJh discard: 3c",
        "board: Qh/8s 8c/As Ks 9s 4d; draw: 2c 7d Jh; discards: 3c",
    ],
)
def test_reading_is_lenient(text: str) -> None:
    assert Spot.parse(text) == Spot("Qh / 8s 8c / As Ks 9s 4d", "2c 7d Jh", "3c")


def test_boards_may_be_empty_and_discards_unknown() -> None:
    assert Spot.parse("dealt: Ah Kc Qs 8h 7c").check(RULES) == 1
    assert Spot.parse("- / - / -\ndealt: Ah Kc Qs 8h 7c\nopponent: -").seats == 2
    unknown = Spot("Qh / 8s 8c / As Ks 9s 4d", "2c 7d Jh")
    assert unknown.check(RULES) == 3
    assert len(unknown.unseen(RULES)) == 42


def test_rows_in_fantasyland_are_not_kept() -> None:
    hidden = Spot("Qh / 8s / As Ks 9s", "2c 7d Jh", opponents=("Ac Ad Ah / - / -",), opponents_fantasyland=(14,))
    assert hidden == Spot("Qh / 8s / As Ks 9s", "2c 7d Jh", opponents_fantasyland=(14,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Qh / 8s / As Ks dealt: 2c 7d Jh", "no street starts with 4 cards"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d", "street 2 deals 3 cards .* got 2: 2c 7d"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Qh", "Qh stands twice in the spot"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh opponent: As / Kd Kc / 9s 9d", "As stands twice"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jd discards: 3h", "0 cards are discarded before street 2 .* got 1: 3h"),
        ("Qh / 8s dealt: 2c 7d Jh", "cannot read the board 'Qh / 8s': want three rows"),
        ("Qh / 8s / As Ks 3d dealt: X1 7d Jh", "X1 is not in the deck"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh opponent: Ac / Kd / 9s 9d", "an opponent has 0, 5, 7, 9, 11, 13 cards"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh opponent: fantasyland 12", "13 to 17 cards"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh position: 3", "position is 1 .* to 1"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh position: first", "position is a number, got 'first'"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7d Jh dealt: 3c", "dealt stands 2 times"),
        ("Qh / 8s / As Ks 3d dealt: 2c 7z Jh", "no card '7z'"),
        ("dealt: Ah Kh Qh Jh Th 9h 8h 7h 6h 5h 4h 3h 2h", "use set_fantasyland"),
        ("dealt: Ah Kh Qh Jh Th rules: no-such-rules", "no-such-rules"),
        ("dealt: Ah Kh Qh Jh Th opponent: - opponent: - opponent: -", "at most 3 players"),
    ],
)
def test_what_cannot_arise_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Spot.parse(text, None if "rules" in text else RULES)


def test_the_deck_must_last() -> None:
    rules = ofc.load_rules("progressive-pineapple")
    with pytest.raises(SpotError, match="still to be dealt, but only"):
        Spot("- / - / -", "Ah Kh Qh Jh Th", rules=rules, opponents_fantasyland=(17, 17), dead="2c 3c 4c 5c 6c 7c 8c 9c")


def test_random_spots_survive() -> None:
    rng = random.Random(3)
    for _ in range(50):
        cards = rng.sample(range(52), 40)
        rows = ofc.Board(cards[:2], cards[2:5], cards[5:9])
        other = ofc.Board(cards[12:15], cards[15:18], cards[18:23])
        spot = Spot(rows, cards[9:12], cards[30:32], RULES, opponents=(other,), position=rng.randint(1, 2))
        assert Spot.parse(str(spot)) == spot
        assert f"dealt {ofc.format_cards(spot.dealt)}" in spot._repr_html_()


class Keeper:
    """Plays the first legal placement and keeps each decision as a spot."""

    def __init__(self) -> None:
        self.spots: list[Spot] = []

    def choose(self, view: ofc.View) -> ofc.Placement:
        spot = Spot.of_view(view)
        assert spot.check(view.rules) == view.street
        assert set(spot.unseen(view.rules)).isdisjoint(view.seen)
        assert len(spot.unseen(view.rules)) == 52 - len(view.seen)
        self.spots.append(spot)
        return view.legal_placements()[0]


@pytest.mark.parametrize("rules", ["american-pineapple", "american-regular"])
def test_every_decision_of_a_game_is_a_spot(rules: str) -> None:
    keeper = Keeper()
    for _ in ofc.play(ofc.load_rules(rules), [keeper, strategies.get("random_legal"), keeper], [1, 2], 3, seed=5):
        pass
    assert len(keeper.spots) >= 2 * 2 * 3 * 5
    assert {spot.position for spot in keeper.spots} == {1, 2, 3}
    assert all(Spot.parse(str(spot)) == spot for spot in keeper.spots[::7])


def test_a_board_alone_is_a_spot_and_nonsense_is_an_error() -> None:
    assert str(Spot.parse("Qh .. / 8s / As Ks").board) == "Qh / 8s / As Ks"
    with pytest.raises(SpotError, match="three rows"):
        Spot.parse("<script>")
