import numpy as np
import polars as pl

from ofclab.kernels.columns import are_sound, count_rows
from ofclab.log import checks
from ofclab.log.arrays import empty_columns, pack_placement
from ofclab.log.schema import CARD_COLUMNS, Completeness


def test_sound_hands_are_those_in_which_nothing_is_found() -> None:
    rng = np.random.default_rng(1)
    whole = np.repeat(np.array([0, 1, 2, 3], np.uint8), (3, 5, 5, 4))
    sound = 0
    for _trial in range(600):
        seats = int(rng.integers(1, 4))
        cards = rng.permutation(52)[: 17 * seats].reshape(seats, 17).astype(np.uint8)
        codes = np.stack([rng.permutation(whole) for _ in range(seats)])
        for _ in range(int(rng.integers(0, 3))):
            at = int(rng.integers(seats)), int(rng.integers(17))
            if rng.random() < 0.5:
                cards[at] = rng.choice([0, 12, 51, 52, 53, 54, 70, 254, 255])
            else:
                codes[at] = rng.integers(0, 8)
            if rng.random() < 0.3:
                cards[at], codes[at] = 255, 7
        completeness = rng.choice([Completeness.FULL.value, Completeness.UNFINISHED.value])
        hands = pl.DataFrame(
            {"hand_id": [1], "n_seats": [seats], "completeness": [str(completeness)]},
            schema_overrides={
                "hand_id": pl.UInt64,
                "n_seats": pl.UInt8,
                "completeness": checks.TABLES["hands"]["completeness"],
            },
        )
        frame = pl.DataFrame(
            {
                "hand_id": np.ones(seats, np.uint64),
                "seat": np.arange(seats, dtype=np.uint8),
                "placement": pack_placement(codes),
            }
            | {name: np.ascontiguousarray(cards[:, i]) for i, name in enumerate(CARD_COLUMNS)}
        )
        columns = empty_columns(seats)
        columns[:, :seats] = cards.T
        known = np.array([completeness == Completeness.FULL.value])
        found = checks.named_faults(hands, frame, columns, known, 1)
        ok = are_sound(columns, pack_placement(codes), hands["n_seats"].to_numpy(), known)
        assert ok == (not found), (cards, codes, found)
        sound += ok
    assert 100 < sound < 500


def test_rows_and_scoops_are_counted_for_every_seat() -> None:
    codes = np.array([[[5, 50, 90], [5, 40, 80], [4, 30, 70]]], np.uint16)
    counts = np.empty((5, 1, 3), np.uint8)
    count_rows(codes, np.array([[False, False, True]]), counts)
    # Won, tied, lost, scoops made, suffered: the second ties the front; the third fouls, which is no scoop.
    assert counts[:, 0].tolist() == [[5, 3, 0], [1, 1, 0], [0, 2, 6], [0, 0, 0], [0, 0, 0]]
    count_rows(codes, np.array([[True, False, True]]), counts)
    assert counts[:, 0].tolist() == [[0, 6, 0], [3, 0, 3], [3, 0, 3], [0, 0, 0], [0, 0, 0]]
    codes[0, 1, 0] = 3
    count_rows(codes, np.zeros((1, 3), np.bool_), counts)
    assert counts[3:, 0].tolist() == [[2, 0, 0], [0, 1, 1]]
