"""Who acts when, and what each player sees: everything open, nothing hidden."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scripted import HIGH, KINGS, LOW, QUEENS, STAYS_14, TRIPS, play_script

import ofclab as ofc
from ofclab.engine import HandBatch, Spots
from ofclab.kernels import placement
from ofclab.kernels.placement import deal
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
JOKERS = ofc.load_rules("joker-progressive")
SEEN = ("board", "counts", "dealt", "discards", "opponents", "opponents_fantasyland", "opponents_discards", "position")


class Watched:
    """A built-in strategy that keeps every batch of spots it is asked about and what it chose."""

    def __init__(self, name: str, diary: list[tuple[int, Spots, NDArray[np.uint8]]], seat: int) -> None:
        self.inner, self.diary, self.seat, self.label = get(name), diary, seat, name

    def prepare(self, rules: ofc.Rules, fantasyland_values: Any) -> None:
        self.inner.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        choice = self.inner.place(spots)
        self.diary.append((self.seat, spots, choice))
        return choice


def watch(
    rules: ofc.Rules, seats: int, tables: int = 1, hands: int = 1, name: str = "random_legal"
) -> tuple[list[HandBatch], list[tuple[int, Spots, NDArray[np.uint8]]]]:
    diary: list[tuple[int, Spots, NDArray[np.uint8]]] = []
    players = [Watched(name, diary, seat) for seat in range(seats)]
    return list(ofc.play(rules, players, range(tables), hands, 7)), diary


def placed_by(batch: HandBatch, seat: int, streets: int, rules: ofc.Rules) -> list[list[int]]:
    """Cards by row, and thrown away, after so many streets, from the finished hand."""
    dealt = 5 + sum(street.deal for street in rules.deal.rounds[: streets - 1]) if streets else 0
    rows: list[list[int]] = [[], [], [], []]
    for card, row in zip(batch.cards[0, seat, :dealt].tolist(), batch.placement[0, seat, :dealt].tolist(), strict=True):
        rows[row].append(card)
    return rows


def seen_rows(slots: NDArray[np.uint8]) -> list[list[int]]:
    return [[card for card in part.tolist() if card != 255] for part in (slots[:3], slots[3:8], slots[8:])]


@pytest.mark.parametrize(("rules", "seats"), [(PINEAPPLE, 2), (PINEAPPLE, 3), (REGULAR, 4)])
def test_players_act_from_the_dealer_s_left_and_see_all_that_is_set(rules: ofc.Rules, seats: int) -> None:
    batches, diary = watch(rules, seats, hands=3, name="cutoff_rows")
    asked = iter(diary)
    for batch in batches:
        order = ofc.turn_order(seats, int(batch.button[0]), rules)
        assert not batch.fantasyland.any()
        for street in range(1, len(rules.deal.rounds) + 2):
            for turn, seat in enumerate(order):
                who, spots, _ = next(asked)
                assert (who, spots.street, int(spots.position[0])) == (seat, street, turn + 1)
                own = placed_by(batch, seat, street - 1, rules)
                assert seen_rows(spots.board[0]) == own[:3]
                assert spots.counts[0].tolist() == [len(row) for row in own[:3]]
                assert [card for card in spots.discards[0].tolist() if card != 255] == own[3]
                for step in range(1, seats):
                    other = (seat + step) % seats
                    has_acted = order.index(other) < turn
                    theirs = placed_by(batch, other, street - (not has_acted), rules)
                    assert seen_rows(spots.opponents[0, step - 1]) == theirs[:3]
                    assert (spots.opponents_discards[0, step - 1] == 255).all()
    assert next(asked, None) is None


def test_a_view_is_the_spot_in_words() -> None:
    batches, diary = watch(PINEAPPLE, 3)
    seat, spots, choice = diary[3 * 3 + 1]  # street 4, second to act
    view = spots.view(0)
    assert (seat, view.street, view.position) == (1, 4, 2)
    assert [str(row) for row in (view.board, view.opponents[0].board)] == [
        str(ofc.Board(*placed_by(batches[0], who, 3, PINEAPPLE)[:3])) for who in (1, 2)
    ]
    assert str(view.opponents[1].board) == str(ofc.Board(*placed_by(batches[0], 0, 4, PINEAPPLE)[:3]))
    assert list(view.dealt) == batches[0].cards[0, 1, 11:14].tolist()
    assert list(view.discards) == placed_by(batches[0], 1, 3, PINEAPPLE)[3]
    assert [other.fantasyland for other in view.opponents] == [0, 0]
    assert len(view.seen) == 9 + 3 + 2 + 9 + 11  # own rows, dealt, thrown away, two open boards
    chosen = dict(zip(view.dealt, choice[0].tolist(), strict=True))
    assert any(
        all(chosen[card] == ("front", "middle", "back").index(row) for card, row in legal.rows)
        for legal in view.legal_placements()
    )


def test_discards_are_seen_where_the_rules_reveal_them() -> None:
    rules = PINEAPPLE.replace({"visibility.discards": "revealed"})
    batches, diary = watch(rules, 3)
    for seat, spots, _ in diary:
        for step in (1, 2):
            other = (seat + step) % 3
            streets = spots.street - (other > seat)
            expected = placed_by(batches[0], other, streets, rules)[3]
            assert [card for card in spots.opponents_discards[0, step - 1].tolist() if card != 255] == expected
            assert list(spots.view(0).opponents[step - 1].discards) == expected


@pytest.mark.parametrize("rules", [REGULAR, PINEAPPLE], ids=["regular", "pineapple"])
def test_the_last_three_cards_lie_face_down_where_the_rules_say_so(rules: ofc.Rules) -> None:
    open_batches, open_diary = watch(rules, 3, name="cutoff_rows")
    batches, diary = watch(rules.replace({"deal.last_face_down": 3}), 3, name="cutoff_rows")
    assert (batches[0].placement == open_batches[0].placement).all()
    hidden = 0
    for (seat, spots, _), (_, open_spots, _) in zip(diary, open_diary, strict=True):
        assert (spots.board == open_spots.board).all()
        for step in (1, 2):
            rows = spots.opponents[0, step - 1], open_spots.opponents[0, step - 1]
            seen, there = (slots[slots != 255] for slots in rows)
            kept = batches[0].placement[0, (seat + step) % 3] < 3
            in_order = batches[0].cards[0, (seat + step) % 3][kept].tolist()
            assert set(there.tolist()) == set(in_order[: len(there)])
            assert set(seen.tolist()) == set(in_order[: min(10, len(there))])
            hidden += len(there) - len(seen)
    assert hidden > 0


def test_a_player_in_fantasyland_shows_nothing_and_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = PINEAPPLE.replace({"visibility.discards": "revealed"})
    _, players = play_script(monkeypatch, rules, [[KINGS, QUEENS, LOW], [HIGH, STAYS_14, TRIPS]], tables=(4, 5))
    assert [len(player.asked) for player in players] == [5, 5, 10]
    # Both seat 0 and seat 1 earned Fantasyland; in the second hand only seat 2 plays street by street.
    for spots in players[2].asked[5:]:
        assert len(spots) == 2
        assert spots.opponents_fantasyland.tolist() == [[14, 14]] * 2
        assert (spots.opponents == 255).all()
        assert (spots.opponents_discards == 255).all()
        assert [str(other.board) for other in spots.view(0).opponents] == ["- / - / -"] * 2


@pytest.mark.parametrize("rules", [PINEAPPLE, REGULAR, JOKERS], ids=lambda rules: rules.name)
def test_hidden_cards_change_nothing_that_is_seen(monkeypatch: pytest.MonkeyPatch, rules: ofc.Rules) -> None:
    """Deal the cards of later streets anew: no spot up to now shows any difference."""
    _, before = watch(rules, 2, tables=20)
    rounds = [5, *(street.deal for street in rules.deal.rounds)]
    for street in range(1, len(rounds)):
        known = sum(rounds[:street])

        def other_deal(seed: int, tables: Any, hand: int, seats: int, jokers: int = 0, known: int = known) -> Any:
            cards = deal(seed, tables, hand, seats, jokers)
            cards[:, :, known:] = cards[:, ::-1, known:][:, :, ::-1]
            return cards

        monkeypatch.setattr(placement, "deal", other_deal)
        _, after = watch(rules, 2, tables=20)
        monkeypatch.undo()
        for (_, old, _), (_, new, _) in zip(before[: 2 * street], after[: 2 * street], strict=True):
            assert all((getattr(old, name) == getattr(new, name)).all() for name in SEEN)
            assert (old.keys == new.keys).all()
        assert (before[2 * street][1].dealt != after[2 * street][1].dealt).any()
