"""Random hands made without the engine: what a log must be able to hold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROWS = np.repeat(np.arange(3, dtype=np.uint8), (3, 5, 5))


@dataclass(frozen=True)
class Batch:
    """The fields of an engine batch that the log writes."""

    hand_no: int
    tables: NDArray[np.uint64]
    match_hand: NDArray[np.uint32]
    button: NDArray[np.uint8]
    playing: NDArray[np.bool_]
    position: NDArray[np.uint8]
    fantasyland: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    placement: NDArray[np.uint8]
    announced: NDArray[np.int8]
    stack_before: NDArray[np.int64] | None = None
    stack_after: NDArray[np.int64] | None = None


def random_batches(seed: int, tables: int = 5, hands: int = 4, seats: int = 3, jokers: int = 0) -> list[Batch]:
    """Hands of mixed size: pineapple seats of 17 cards, Fantasyland seats of 13 to 17, seats that sit out."""
    rng = np.random.default_rng(seed)
    batches = []
    for hand in range(hands):
        cards = np.full((tables, seats, 17), 255, np.uint8)
        placement = np.full((tables, seats, 17), 7, np.uint8)
        came_in = np.where(rng.random((tables, seats)) < 0.3, rng.integers(13, 18, (tables, seats)), 0).astype(np.uint8)
        playing = np.ones((tables, seats), np.bool_)
        if seats > 2:
            playing[rng.random(tables) < 0.3, rng.integers(seats)] = False
        button = np.argmax(playing, axis=1).astype(np.uint8)
        position = np.zeros((tables, seats), np.uint8)
        for table in range(tables):
            deck = rng.permutation(52 + jokers).astype(np.uint8)
            seat = button[table]
            for place in range(playing[table].sum()):
                seat = next(s % seats for s in range(seat + 1, seat + seats + 1) if playing[table, s % seats])
                position[table, seat] = place + 1
                count = came_in[table, seat] or 17
                cards[table, seat, :count] = deck[17 * place :][:count]
                placement[table, seat, :count] = random_placement(rng, int(count), street_by_street=count == 17)
        came_in[~playing] = 0
        batches.append(
            Batch(
                hand, np.arange(tables, dtype=np.uint64), np.full(tables, hand, np.uint32), button, playing, position,
                came_in, cards, placement, np.full((tables, seats), -1, np.int8),
            )
        )  # fmt: skip
    return batches


def random_placement(rng: np.random.Generator, count: int, street_by_street: bool) -> NDArray[np.uint8]:
    """Where so many cards go: 3, 5 and 5 of them into the rows, the rest away."""
    rows = rng.permutation(ROWS)
    if not street_by_street:
        return rng.permutation(np.concatenate([rows, np.full(count - 13, 3, np.uint8)]))
    codes = [*rows[:5]]
    for street in range(4):
        kept = [*rows[5 + 2 * street : 7 + 2 * street]]
        kept.insert(rng.integers(3), 3)
        codes += kept
    return np.array(codes, np.uint8)


def hand_of(batch: Batch, table: int) -> Mapping[int, list[list[int]]]:
    """Front, middle, back and discards of each seat of a table, as sorted card ids."""
    return {
        seat: [sorted(batch.cards[table, seat][batch.placement[table, seat] == row].tolist()) for row in range(4)]
        for seat in np.flatnonzero(batch.playing[table]).tolist()
    }
