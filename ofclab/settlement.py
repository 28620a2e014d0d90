"""Pay a hand or a game out of the players' stacks, in payment order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ofclab.rules import Rules
from ofclab.scoring import PairScore

Seat = Hashable


class SettlementError(ValueError):
    """Pairs or stacks that do not fit together."""


@dataclass(frozen=True)
class Step:
    """One pair's payment: what was owed and what moved, in chips."""

    pair: tuple[Any, Any]
    points_for_first: int
    owed_chips: int
    payer: Any
    payee: Any
    paid_chips: int
    skipped_because_complete: tuple[Any, ...] = ()
    skipped_because_eliminated: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Settlement:
    """Every payment in order, the stacks after it and the rake taken; chips plus rake are conserved.

    ``stacks`` has the form of the stacks handed in: a tuple, or a dict by label. An unlimited stack (None) comes back
    as the chips won or lost.
    """

    steps: tuple[Step, ...]
    stacks: Any
    rake: int


class _Purse:
    """One player's chips during a settlement. ``start`` None: unlimited."""

    def __init__(self, start: int | None, rules: Rules, won_before: int) -> None:
        stakes = rules.stakes
        self.start = start
        self.chips = start or 0
        self.received = 0
        self.net = 0
        self.gross_cap = stakes.win_cap_basis == "gross"
        self.cap = start if stakes.win_cap == "own_start_stack" else None
        # What may still be lost in this game, wins of earlier hands included.
        self.match_cap = None if stakes.match_cap is None else stakes.match_cap + won_before

    @property
    def may_win(self) -> int | None:
        """Chips the win cap still allows; None = any."""
        return None if self.cap is None else self.cap - (self.received if self.gross_cap else self.net)

    @property
    def is_complete(self) -> bool:
        return self.may_win is not None and self.may_win <= 0

    @property
    def may_lose(self) -> int | None:
        """Chips the player is still liable for; None = any."""
        limits = [self.chips] if self.start is not None else []
        if self.match_cap is not None:
            limits.append(self.match_cap + self.net)
        return max(0, min(limits)) if limits else None

    def move(self, chips: int) -> None:
        self.chips += chips
        self.net += chips
        self.received += max(0, chips)


def _limited(owed: int, limits: Iterable[int | None]) -> int:
    return min([owed, *(limit for limit in limits if limit is not None)])


def _in_order(pairs: Iterable[PairScore | tuple[Any, Any, int]], seats: Sequence[Seat]) -> list[tuple[Seat, Seat, int]]:
    """The pairs from the dealer's left: first seat against the others, then the second, and so on."""
    place = {seat: i for i, seat in enumerate(seats)}
    found: dict[tuple[int, int], int] = {}
    for pair in pairs:
        a, b, points = (pair.a, pair.b, pair.total) if isinstance(pair, PairScore) else pair
        for seat in (a, b):
            if seat not in place:
                raise SettlementError(f"no stack for {seat!r}; have {', '.join(map(repr, seats))}")
        if a == b:
            raise SettlementError(f"{a!r} cannot be paired with itself")
        key, value = ((place[a], place[b]), points) if place[a] < place[b] else ((place[b], place[a]), -points)
        if key in found:
            raise SettlementError(f"the pair {a!r}, {b!r} stands twice")
        found[key] = int(value)
    return [(seats[a], seats[b], points) for (a, b), points in sorted(found.items())]


def _pay(first: Seat, second: Seat, points: int, purses: Mapping[Seat, _Purse], rules: Rules) -> Step:
    """Settle one pair out of the current stacks."""
    stakes = rules.stakes
    owed = abs(points) * stakes.unit
    if points == 0:
        return Step((first, second), 0, 0, None, None, 0)
    payer, payee = (second, first) if points > 0 else (first, second)
    out: tuple[Seat, ...] = ()
    if stakes.busted == "eliminated":
        out = tuple(s for s in (first, second) if purses[s].start is not None and purses[s].chips == 0)
    complete = tuple(s for s in (first, second) if s not in out and purses[s].is_complete)
    if out or complete:
        return Step((first, second), points, owed, payer, payee, 0, complete, out)
    limits = [purses[payer].may_lose, purses[payee].may_win]
    if stakes.win_cap == "current_stack":
        limits += [purses[s].chips for s in (payer, payee) if purses[s].start is not None]
    paid = _limited(owed, limits)
    purses[payer].move(-paid)
    purses[payee].move(paid)
    return Step((first, second), points, owed, payer, payee, paid)


def _take_rake(purses: Mapping[Seat, _Purse], rules: Rules) -> int:
    """Take the rake from the winners in proportion to what they won, the last chips by largest remainder."""
    stakes = rules.stakes
    won = {seat: purse.net for seat, purse in purses.items() if purse.net > 0}
    pot = sum(won.values())
    if not won or not stakes.rake_percent:
        return 0
    if stakes.rake == "final_hand_when_one_stack" and sum(purse.chips > 0 for purse in purses.values()) != 1:
        return 0
    rake = int(pot * Fraction(str(stakes.rake_percent)) / 100)
    if stakes.rake_cap is not None:
        rake = min(rake, stakes.rake_cap)
    shares = {seat: rake * chips // pot for seat, chips in won.items()}
    by_remainder = sorted(won, key=lambda seat: -(rake * won[seat] % pot))
    for seat in by_remainder[: rake - sum(shares.values())]:
        shares[seat] += 1
    for seat, share in shares.items():
        purses[seat].move(-share)
    return rake


def settle(
    pairs: Iterable[PairScore | tuple[Any, Any, int]],
    stacks: Sequence[int | None] | Mapping[Any, int | None],
    rules: Rules,
    won_before: Sequence[int] | Mapping[Any, int] | None = None,
) -> Settlement:
    """Pay pair totals out of the stacks, table stakes in payment order.

    ``pairs``: `PairScore`s or (a, b, points for a). ``stacks``: chips by seat from the dealer's left, dealer last (a
    sequence, or a mapping of labels in that order); None = unlimited. The first seat settles with every other, then the
    second, and so on (RULES 2.11). A player pays what is in front of him; ``stakes.win_cap``, ``match_cap``, ``busted``
    and the rake limit it further; the match cap holds for a whole game, so ``won_before`` names the chips each seat won
    (or, negative, lost) in the game's earlier settlements. Raises SettlementError for negative stacks or pairs that do
    not match the stacks.

    >>> from ofclab.rules import load_rules
    >>> settle([("A", "B", 9)], {"A": 200, "B": 30}, load_rules("american-pineapple")).stacks
    {'A': 209, 'B': 21}
    """
    labelled = dict(stacks) if isinstance(stacks, Mapping) else dict(enumerate(stacks))
    for seat, chips in labelled.items():
        if chips is not None and chips < 0:
            raise SettlementError(f"the stack of {seat!r} is negative: {chips}")
    earlier = dict(won_before) if isinstance(won_before, Mapping) else dict(enumerate(won_before or ()))
    purses = {seat: _Purse(chips, rules, earlier.get(seat, 0)) for seat, chips in labelled.items()}
    steps = tuple(_pay(a, b, points, purses, rules) for a, b, points in _in_order(pairs, list(labelled)))
    rake = _take_rake(purses, rules)
    after = {seat: purse.chips for seat, purse in purses.items()}
    return Settlement(steps, after if isinstance(stacks, Mapping) else tuple(after.values()), rake)
