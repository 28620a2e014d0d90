"""Hands written by hand: a deal put in place of the shuffle, and players who place as it says."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import HandBatch, Spots
from ofclab.kernels import placement
from ofclab.rules.compiled import compile_rules

# Complete boards, and what they are worth under american-pineapple. Two of them may share a card: nobody looks.
QUEENS = "Qh Qd 2c / Kc Kd 3h 4s 5c / As Ad 6c 6d 7h"  # enters Fantasyland; 7 points
KINGS = "Kh Ks 2d / Ac Ah 3c 4d 5h / 9c 9d 9h 7c 8s"  # enters; 8 points
TRIPS = "2h 2s 2c / 3d 3s 3h 9s Tc / Jc Jd Jh 4c 4h"  # enters; 10 + 2 + 6 points
LOW = "7d 5s 2d / 8h 8d 3c 5d Tc / Jc Jd 9s 9h Th"  # nothing paid; loses every row to all others
HIGH = "7s 6s 3d / Ts Td 5h 6h 8c / Qc Qs 4d 4c Kh"  # nothing paid; beats LOW by 6
FOUL = "Ah Ac 9c / 7d 5s 2d 8s Js / 8h 8d 3c 5d Tc"

# Fantasyland hands: what the exact setter makes of them under american-pineapple.
STAYS_14 = "Qh Qd Qs 2c 3c 4c 5c 9c Kd Kh Ks 7d 7s 8h"  # trips in front
LEAVES_14 = "Ah Kd Jc 9s 7h 5d 3c 2s Th 8d 6c 4h Qs Jd"  # straights, nothing that stays


class Script:
    """A player who places every street as a written hand says, whatever the spot."""

    label = "script"

    def __init__(self) -> None:
        self.rows: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.asked: list[Spots] = []

    def prepare(self, rules: ofc.Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Nothing to prepare."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        self.asked.append(spots)
        return np.array([self.rows[tuple(cards)] for cards in spots.dealt.tolist()], np.uint8)


def dealt_in_order(board: str, rules: ofc.Rules) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The streets of a written board: cards in the order of the rows, then what the street throws away."""
    rows = [row for row, cards in enumerate(board.split("/")) for _ in ofc.parse_cards(cards)]
    cards = [int(card) for card in ofc.parse_cards(board.replace("/", " "))]
    placed, others = list(zip(cards, rows, strict=True)), [card for card in range(52) if card not in cards]
    streets = []
    for _, place, discard in compile_rules(rules).rounds.tolist():
        street = placed[:place] + [(others.pop(), 3) for _ in range(discard)]
        placed = placed[place:]
        streets.append((tuple(card for card, _ in street), tuple(row for _, row in street)))
    assert not placed
    return streets


def play_script(
    monkeypatch: pytest.MonkeyPatch,
    rules: ofc.Rules,
    hands: Sequence[Sequence[str]],
    *,
    tables: Sequence[int] = (0,),
    most: int | None = None,
    **options: Any,
) -> tuple[list[HandBatch], list[Script]]:
    """Play written hands, the same at every table; returns the batches and the players.

    A hand lists what each seat gets: a board, dealt and placed row by row, or the cards of a Fantasyland hand.
    """
    seats = len(hands[0])
    players = [Script() for _ in range(seats)]
    cards = np.full((len(hands), seats, 17), 255, np.uint8)
    for number, hand in enumerate(hands):
        for seat, written in enumerate(hand):
            if "/" not in written:
                dealt = [int(card) for card in ofc.parse_cards(written)]
            else:
                streets = dealt_in_order(written, rules)
                for street, rows in streets:
                    assert players[seat].rows.setdefault(street, rows) == rows
                dealt = [card for street, _ in streets for card in street]
            cards[number, seat, : len(dealt)] = dealt

    def deal(seed: int, where: NDArray[np.uint64], hand: int, seats: int, jokers: int = 0) -> NDArray[np.uint8]:
        return np.repeat(cards[hand][None], len(where), axis=0)

    monkeypatch.setattr(placement, "deal", deal)
    return list(ofc.play(rules, players, tables, most or len(hands), 1, **options)), players


def board_of(batch: HandBatch, table: int, seat: int) -> ofc.Board:
    """The finished board of one seat."""
    rows: list[list[int]] = [[], [], []]
    for card, row in zip(batch.cards[table, seat].tolist(), batch.placement[table, seat].tolist(), strict=True):
        if row < 3:
            rows[row].append(card)
    return ofc.Board(*(ofc.parse_cards(cards) for cards in rows))
