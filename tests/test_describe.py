"""What rows make in words, and cards as pictures."""

import pytest

import ofclab as ofc
from ofclab.drawing import board_html, card_html, card_name, card_svg

PINEAPPLE = ofc.load_rules("american-pineapple")


@pytest.mark.parametrize(
    ("board", "made", "royalties"),
    [
        ("- / - / -", ("", "", ""), (None, None, None)),
        ("Qh / 9d / As", ("queen high", "nine high", "ace high"), (None, None, None)),
        ("Qh Qd 2c / 8s 8d 8c / As Ks 9s 4s", ("pair of queens", "three eights", "four to a flush"), (7, None, None)),
        (
            "6s 6h 6d / 4c 5d 6c 7h / Ah 2c 3d",
            ("three sixes", "four to a straight", "three to a straight"),
            (14, None, None),
        ),
        (
            "Kc Qc Jc / 3s 4s 5s 6s 7s / Ah Kh Qh Jh Th",
            ("king high", "straight flush to the seven", "royal flush"),
            (0, 30, 25),
        ),
        (
            "2c 3d 5h / 9c 9d 9h 9s 2d / 8c 8d 8h 3c 3h",
            ("five high", "four nines", "full house, eights over threes"),
            (0, 20, 6),
        ),
        (
            "2c 3d 6h / Ad 2d 3h 4s 5c / Ac Kc Qc Jc 9c",
            ("six high", "straight to the five", "flush, ace high"),
            (0, 4, 4),
        ),
        (
            "2c 3d 5h / Ts Td 9h 9c 2s / 7h 7d 3c 3h",
            ("five high", "two pair, tens and nines", "two pair, sevens and threes"),
            (0, 0, None),
        ),
    ],
)
def test_rows_are_named_and_paid(board: str, made: tuple[str, ...], royalties: tuple[int | None, ...]) -> None:
    read = ofc.describe_board(board, PINEAPPLE)
    assert tuple(row.made for row in read) == made
    assert tuple(row.royalty for row in read) == royalties


def test_a_low_middle_is_read_as_a_low() -> None:
    rules = ofc.load_rules("deuce-pineapple")
    read = ofc.describe_board("2c 3d 5h / 7c 5d 4h 3s 2d / As Ks 9s 4s 2s", rules)
    assert read[1].made == "7-5-4-3-2, the wheel"
    assert read[1].royalty > 0
    assert ofc.describe_board("- / 9c 5d 4h 3s 2d / -", rules)[1].made == "nine-low"
    assert ofc.describe_board("- / 5c 5d 4h 3s 2d / -", rules)[1].made == "no low: pair of fives"


def test_a_joker_is_read_once_the_board_is_complete() -> None:
    rules = ofc.load_rules("joker-progressive")
    assert ofc.describe_board("X1 Qd 2c / 8s / As", rules)[0].royalty is None
    front, _, _ = ofc.describe_board("X1 Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s", rules)
    assert front.made == "pair of queens"
    assert front.royalty == 7


def test_the_royalty_of_every_row_is_the_one_that_is_paid() -> None:
    boards = ["Qh Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s", "6s 6h 3d / 4c 5d 6c 7h 8h / Tc Td Th 9c 9h"]
    scored = ofc.score(boards, PINEAPPLE)
    for board, seat in zip(boards, scored.seats, strict=True):
        assert tuple(row.royalty for row in ofc.describe_board(board, PINEAPPLE)) == tuple(seat.royalties)


def test_cards_are_drawn_and_named() -> None:
    assert [card_name(card) for card in (50, 0, 53, 255)] == ["ace of hearts", "two of clubs", "joker 2", "hidden card"]
    for card in range(54):
        assert card_svg(card).count("<svg") == card_svg(card).count("</svg>") == 1
    assert "svg" not in card_html(255)
    page = board_html(ofc.Board.parse("Qh Qd / 8s / -").rows, ("<b>", "", ""))
    assert page.count('aria-label="open slot"') == 10
    assert 'aria-label="queen of hearts"' in page
    assert "&lt;b&gt;" in page
