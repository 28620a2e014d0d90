"""Which cards come: fixed by seed, table and hand alone."""

import numpy as np
import pytest

import ofclab as ofc
from ofclab.kernels.placement import deal
from ofclab.strategies import get

TABLES = np.arange(2000, dtype=np.uint64)
PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")


@pytest.mark.parametrize(("seats", "each"), [(2, 17), (3, 17), (4, 13)])
@pytest.mark.parametrize("jokers", [0, 2])
def test_no_card_comes_twice_in_a_hand(seats: int, each: int, jokers: int) -> None:
    cards = deal(1, TABLES, 0, seats, jokers)
    assert cards.shape == (2000, seats, each)
    by_hand = np.sort(cards.reshape(2000, -1), axis=1)
    assert (np.diff(by_hand.astype(int), axis=1) > 0).all()
    assert set(np.unique(cards)) == set(range(52 + jokers))
    if seats * each == 52 and not jokers:
        assert (by_hand == np.arange(52)).all()


def test_a_deal_hangs_on_seed_table_and_hand_only() -> None:
    cards = deal(5, TABLES, 3, 2)
    assert (deal(5, TABLES, 3, 2) == cards).all()
    assert (deal(5, TABLES[[1999, 7, 40]], 3, 2) == cards[[1999, 7, 40]]).all()
    for other in (deal(6, TABLES, 3, 2), deal(5, TABLES + np.uint64(2000), 3, 2), deal(5, TABLES, 4, 2)):
        assert (other == cards).mean() < 0.03  # 1 in 52 by chance


def test_more_seats_change_no_seat_s_cards() -> None:
    assert (deal(5, TABLES, 0, 3)[:, :2] == deal(5, TABLES, 0, 2)).all()


def test_the_first_13_cards_are_the_same_in_every_variant_and_in_fantasyland() -> None:
    players = [get("never_bust_greedy"), get("random_legal")]
    pineapple = list(ofc.play(PINEAPPLE, players, TABLES[:400], 4, 5))
    regular = list(ofc.play(REGULAR, players, TABLES[:400], 4, 5))
    progressive = list(ofc.play(ofc.load_rules("progressive-pineapple"), players, TABLES[:400], 4, 5))
    assert any((batch.fantasyland > 0).any() for batch in pineapple)
    for number in range(4):
        first = deal(5, TABLES[:400], number, 2)
        for batch in (pineapple[number], regular[number], progressive[number]):
            assert (batch.cards[:, :, :13] == first[:, :, :13]).all()
        assert (regular[number].cards[:, :, 13:] == 255).all()
        seen = np.where(pineapple[number].fantasyland > 0, pineapple[number].fantasyland, 17)
        beyond = np.arange(17) >= seen[:, :, None]
        assert (pineapple[number].cards[beyond] == 255).all()
        assert (pineapple[number].cards[~beyond] == first[~beyond]).all()


def test_another_strategy_leaves_every_deal_as_it_was() -> None:
    first, second = (
        list(ofc.play(REGULAR, [get("cutoff_rows"), get(other)], TABLES[:50], 6, 9))
        for other in ("random_legal", "never_bust_greedy")
    )
    for a, b in zip(first, second, strict=True):
        assert (a.cards == b.cards).all()
        assert (a.placement != b.placement).any()
        # The first seat acts first on street 1 and sees nothing else, so it starts the same way.
        if a.hand_no == 0:
            assert (a.placement[:, 0, :5] == b.placement[:, 0, :5]).all()


@pytest.mark.parametrize(
    "rules", [PINEAPPLE, REGULAR, ofc.load_rules("joker-progressive")], ids=lambda rules: rules.name
)
def test_what_is_dealt_is_placed_or_thrown_away(rules: ofc.Rules) -> None:
    for batch in ofc.play(rules, [get("never_bust_greedy")] * rules.players.max, TABLES[:100], 3, 2):
        dealt = batch.cards != 255
        assert ((batch.placement == 7) == ~dealt).all()
        for row, size in enumerate((3, 5, 5)):
            assert ((batch.placement == row).sum(axis=2) == size).all()
        assert ((batch.placement == 3).sum(axis=2) == dealt.sum(axis=2) - 13).all()


def test_the_results_do_not_hang_on_how_tables_are_batched() -> None:
    players = [get("random_legal"), get("never_bust_greedy"), get("cutoff_rows")]
    together = list(ofc.play(PINEAPPLE, players, [3, 8, 20, 21], 5, 4))
    for row, table in enumerate((3, 8, 20, 21)):
        for one, all_of_them in zip(ofc.play(PINEAPPLE, players, [table], 5, 4), together, strict=True):
            for name in ("cards", "placement", "points", "button", "fantasyland", "match_hand", "position"):
                assert (getattr(one, name)[0] == getattr(all_of_them, name)[row]).all(), name
