"""What a table carries from hand to hand: button, Fantasyland, stacks, the length of the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.placement import seat_orders
from ofclab.rules import Rules
from ofclab.scoring import seat_pairs
from ofclab.settlement import settle


class SessionError(ValueError):
    """A table that cannot be set up as asked."""


class Sessions:
    """The state of many tables between hands, as arrays over T tables and S seats.

    ``tables`` u64 (T,), ``button`` u8 (T,), ``playing`` bool (T, S), ``fantasyland`` u8 (T, S), ``match_hand`` u32 (T,)
    the hand that began the present chain, ``stacks`` i64 (T, S) or None where nobody counts chips.
    """

    def __init__(
        self, rules: Rules, tables: NDArray[np.uint64], seats: int, hands: int, stacks: int | Sequence[int] | None
    ) -> None:
        self.rules, self.seats = rules, seats
        length = rules.game.hands
        self.length = hands if length is None else seats if length == "players" else int(length)
        self.last_hand = hands - 1
        n = len(tables)
        self.tables = tables
        self.button = np.full(n, seats - 1, np.uint8)
        self.playing = np.ones((n, seats), np.bool_)
        self.fantasyland = np.zeros((n, seats), np.uint8)
        self.match_hand = np.zeros(n, np.uint32)
        self.counted = np.zeros(n, np.int64)
        self.owed = np.zeros((n, seats * (seats - 1) // 2), np.int64)
        self.stacks = _start_stacks(rules, n, seats, stacks)
        self.start = None if self.stacks is None else self.stacks.copy()
        self.won = np.zeros((n, seats), np.int64)

    def go_on_from(self, fantasyland: NDArray[np.uint8]) -> None:
        """Begin with seats in Fantasyland, u8 (T, S) cards each: the hand that sent them there counts as played."""
        if fantasyland.shape != self.fantasyland.shape:
            raise SessionError(f"want Fantasyland cards of shape {self.fantasyland.shape}, got {fantasyland.shape}")
        self.fantasyland = fantasyland.astype(np.uint8)
        self.counted += _at_any_seat(self.fantasyland > 0)

    def order(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Playing seats from the dealer's left, u8 (T, S), 255 behind the last; and the place (1..) of each seat."""
        order = np.empty((len(self.tables), self.seats), np.uint8)
        position = np.empty_like(order)
        seat_orders(self.button, self.playing, order, position)
        return order, position

    def finish_hand(
        self, hand: int, order: NDArray[np.uint8], pairs: NDArray[np.int64], following: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None, NDArray[np.bool_]]:
        """Settle a hand and move on to the next.

        ``pairs`` i64 (T, pairs): points of the first seat; ``following`` u8 (T, S): Fantasyland cards earned. Returns
        the chips each seat won in the settlement of this hand and the stacks after it (both None without stacks), and
        which tables play on.
        """
        in_fantasyland = _at_any_seat(self.fantasyland > 0)
        self.counted += ~(in_fantasyland & self.rules.fantasyland.adds_hand)
        pays_now = self.stacks is not None and self.rules.stakes.settle_when == "each_hand"
        settled = self._settle_hand(order, pairs) if pays_now else None
        after = self.stacks
        if pays_now and self.rules.stakes.table_stakes:
            self._seat_broke_players()
        self.fantasyland = np.where(self.playing, following, 0).astype(np.uint8)
        goes_on = _at_any_seat(self.fantasyland > 0)
        over = self.counted >= self.length
        if self.rules.fantasyland.adds_hand:
            over &= ~goes_on
        over |= hand >= self.last_hand
        if not self.playing.all():
            over |= self.playing.sum(axis=1) < 2
        if self.stacks is not None and not pays_now:
            settled = self._settle_game(order, pairs, over)
            after = self.stacks
        elif after is not None and self.rules.game.end_when_one_stack:
            over |= (after > 0).sum(axis=1) <= 1
        self._move_button(goes_on)
        self.match_hand = np.where(goes_on, self.match_hand, hand + 1).astype(np.uint32)
        return settled, after, ~over

    def keep(self, on: NDArray[np.bool_]) -> None:
        """Drop the tables whose game is over."""
        if on.all():
            return
        for name in (
            "tables",
            "button",
            "playing",
            "fantasyland",
            "match_hand",
            "counted",
            "owed",
            "stacks",
            "start",
            "won",
        ):
            array = getattr(self, name)
            if array is not None:
                setattr(self, name, array[on])

    def _move_button(self, goes_on: NDArray[np.bool_]) -> None:
        """The button goes to the next playing seat, and stays where Fantasyland freezes it."""
        rows, target = np.arange(len(self.button)), self.button.copy()
        found = goes_on & np.bool_(self.rules.fantasyland.button == "frozen")
        for step in range(1, self.seats + 1):
            seat = ((self.button + step) % self.seats).astype(np.uint8)
            here = ~found & self.playing[rows, seat]
            target[here] = seat[here]
            found |= here
        self.button = target

    def _settle_hand(self, order: NDArray[np.uint8], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pay this hand; returns the chips each seat won."""
        assert self.stacks is not None
        before = self.stacks
        # The batches keep the stacks before and after each hand: never write into an array that was handed out.
        self.stacks = before.copy()
        for table in range(len(self.tables)):
            self._pay(table, order[table], pairs[table], before)
        self.won += self.stacks - before
        return self.stacks - before

    def _settle_game(
        self, order: NDArray[np.uint8], pairs: NDArray[np.int64], over: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Add this hand to what the game owes and pay that where the game is over, which running stacks may decide."""
        assert self.start is not None
        self.owed += pairs
        self.stacks = self.start + self.rules.stakes.unit * self._net(self.owed)
        if self.rules.game.end_when_one_stack:
            over |= (self.stacks > 0).sum(axis=1) <= 1
        for table in np.flatnonzero(over).tolist():
            self._pay(table, order[table], self.owed[table], self.start)
        return np.where(over[:, None], self.stacks - self.start, 0)

    def _pay(self, table: int, order: NDArray[np.uint8], points: NDArray[np.int64], start: NDArray[np.int64]) -> None:
        assert self.stacks is not None
        seats = [int(seat) for seat in order if seat != 255]
        limited = self.rules.stakes.table_stakes
        stacks = {seat: int(start[table, seat]) if limited else None for seat in seats}
        won = {seat: int(self.won[table, seat]) for seat in seats}
        owed = [
            (a, b, int(points[i])) for i, (a, b) in enumerate(seat_pairs(self.seats)) if a in stacks and b in stacks
        ]
        for seat, chips in settle(owed, stacks, self.rules, won).stacks.items():
            self.stacks[table, seat] = chips if limited else int(start[table, seat]) + chips

    def _seat_broke_players(self) -> None:
        """A player without chips buys in again where the rules let him, and sits out otherwise."""
        assert self.stacks is not None
        broke = self.playing & (self.stacks == 0)
        if self.rules.stakes.rebuy == "each_hand":
            self.stacks = np.where(broke, self.rules.stakes.buy_in or 0, self.stacks)
        else:
            self.playing = self.playing & ~broke

    def _net(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        net = np.zeros((len(pairs), self.seats), np.int64)
        for i, (a, b) in enumerate(seat_pairs(self.seats)):
            net[:, a] += pairs[:, i]
            net[:, b] -= pairs[:, i]
        return net


def _at_any_seat(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell at which tables a flag (T, S) is up at some seat; seat by seat, as tables are many and seats few."""
    found = flags[:, 0].copy()
    for seat in range(1, flags.shape[1]):
        found |= flags[:, seat]
    return found


def _start_stacks(
    rules: Rules, tables: int, seats: int, stacks: int | Sequence[int] | None
) -> NDArray[np.int64] | None:
    if stacks is None:
        if rules.stakes.buy_in is None:
            return None
        stacks = rules.stakes.buy_in
    chips = [stacks] * seats if isinstance(stacks, int) else list(stacks)
    if len(chips) != seats:
        raise SessionError(f"want a stack for each of {seats} seats, got {len(chips)}: {chips}")
    if min(chips) <= 0:
        raise SessionError(f"every stack must be positive, got {chips}")
    return np.tile(np.array(chips, np.int64), (tables, 1))
