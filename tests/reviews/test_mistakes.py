"""What a placement did otherwise than the best one."""

import doctest

import pytest

import ofclab.reviews.mistakes as mistakes
from ofclab.board import Board, Placement, Row
from ofclab.cards import parse_cards
from ofclab.reviews.mistakes import Difference, difference, row_class


def placed(text: str) -> Placement:
    """Read ``front / middle / back, discard cards``."""
    rows, _, thrown = text.partition(", discard ")
    cards = [
        (card, row) for row, part in zip(Row, rows.split(" / "), strict=True) for card in parse_cards(part.strip("- "))
    ]
    return Placement(tuple(cards), parse_cards(thrown))


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("Ah 9h 4h", "flush_draw"), ("Ah 9h 4h 3h 2h", "flush"), ("9c 8d 6h", "straight_draw"),
        ("Ac 2d 5h", "straight_draw"), ("Ac Kd Th", "straight_draw"), ("Ac Kd 9h", "nothing"),
        ("9c 8d 7h 6s 5c", "straight"), ("Kc Kd 9h", "pair"), ("Kc Kd 9h 9s", "two_pair"), ("Kc Kd Kh", "trips"),
        ("Kc Kd Kh 9s 9c", "full_house"), ("Kc Kd Kh Ks", "quads"), ("Ah Kh", "nothing"), ("", "nothing"),
        ("X1 Kh Kd", "pair"),
    ],
)  # fmt: skip
def test_rows_have_classes(row: str, name: str) -> None:
    assert row_class(parse_cards(row)) == name


@pytest.mark.parametrize(
    ("board", "played", "best", "want"),
    [
        ("- / - / -", "- / 6h / 6d 4d 3d 2d", "- / - / 6d 4d 3d 2d 6h", Difference("middle", "back", "pair")),
        (
            "Kc / Ts / Jc",
            "- / 8s / Ks, discard Kd",
            "Kd Ks / - / -, discard 8s",
            Difference("back", "front", "trips"),
        ),
        (
            "- / 9h 4h / 2c",
            "3h / - / Ah, discard Kd",
            "- / Ah 3h / -, discard Kd",
            Difference("back", "middle", "flush_draw"),
        ),
        (
            "- / 9h 4s / 2c",
            "3h / - / Ad, discard Kd",
            "Ad / - / 3h, discard Kd",
            Difference("back", "front", "nothing"),
        ),
    ],
)
def test_the_highest_card_and_the_hand_that_was_broken(board: str, played: str, best: str, want: Difference) -> None:
    assert difference(Board.parse(board), placed(played), placed(best)) == want


def test_the_same_placement_differs_in_nothing() -> None:
    once, again = placed("Kd / 8s / -, discard 2c"), placed("Kd / 8s / -, discard 2c")
    assert difference(Board(), once, again) is None


def test_the_examples_hold() -> None:
    assert doctest.testmod(mistakes).failed == 0
