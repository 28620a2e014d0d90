"""Hands seen as states of a table: what each seat showed, moment by moment, becomes the order of the deal.

A source that keeps states shows boards grow. Where every growth lies within one street, the streets are known, and with
them the order of the deal; where states are missing, only the boards are. Nothing is made up: a card nobody saw is 255,
a street that cannot be told is not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ofclab.cards import UNSEEN, Card
from ofclab.importers.model import ROW_NAMES, Act, HandError, ImportedSeat
from ofclab.kernels.placement import DISCARD, NOT_PLACED
from ofclab.log import Completeness
from ofclab.rules import Rules

MANY_TOLD = "came in with Fantasyland cards, how many is not told: 13 were seen"
Rows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
NO_ROWS: Rows = ((), (), ())


@dataclass(frozen=True)
class State:
    """What one seat shows at one moment."""

    rows: Rows = NO_ROWS
    hand: tuple[int, ...] = ()
    """Cards in the hand that the source sees."""
    hidden: int = 0
    """Cards in the hand that it does not see."""
    face_down: tuple[int, int, int] = (0, 0, 0)
    """Cards in each row that it does not see."""
    discards: tuple[int, ...] = ()
    """All that were discarded so far, first one first, where the source says so."""

    @property
    def placed(self) -> int:
        """Cards that lie in the rows."""
        return sum(map(len, self.rows)) + sum(self.face_down)

    @property
    def held(self) -> int:
        """Cards in the hand."""
        return len(self.hand) + self.hidden


@dataclass
class Told:
    """What the states of one seat tell."""

    seat: ImportedSeat
    is_complete: bool
    is_ordered: bool
    """Whether it is known on which street each card came."""
    notes: tuple[str, ...] = ()


def streets_of(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Cards dealt and placed on each street of a hand that is not Fantasyland."""
    return ((rules.deal.initial, rules.deal.initial), *((street.deal, street.place) for street in rules.deal.rounds))


def fantasyland_of(times: Sequence[Sequence[State]], seat: int, streets: Sequence[tuple[int, int]]) -> int:
    """Cards a seat came in with: 0 for none, 13 where it is sure but not how many.

    Sure is who holds thirteen cards and has placed none, who has placed none while another is past the second street,
    and who has placed thirteen while another is not yet through the last street but one.
    """
    held = [states[seat].held for states in times if not states[seat].placed]
    if most := max((cards for cards in held if cards >= 13), default=0):
        return most
    if any(0 < states[seat].placed < 13 for states in times):
        return 0
    ends = list(accumulate(place for _, place in streets))
    for states in times:
        own = states[seat].placed
        # Who lies thirteen cards at once is no measure for the others.
        others = [other.placed for i, other in enumerate(states) if i != seat and 0 < other.placed < 13]
        if (own == 0 and any(placed >= ends[1] for placed in others)) or (
            own == 13 and any(placed < ends[-2] for placed in others)
        ):
            return 13
    return 0


@dataclass
class _Streets:
    """The cards of one seat by street while its states are read."""

    streets: Sequence[tuple[int, int]]
    row: dict[int, int] = field(default_factory=dict)
    """Row of each placed card."""
    street: dict[int, int] = field(default_factory=dict)
    """Street on which each card came, where that is known; in the order the cards were seen."""
    is_ordered: bool = True
    count: int = 0
    hides: bool = False

    def __post_init__(self) -> None:
        self.ends = list(accumulate(place for _, place in self.streets))

    def street_at(self, position: int) -> int:
        """The street on which the card at this place of the board is laid."""
        return next((k for k, end in enumerate(self.ends) if position < end), len(self.ends) - 1)

    def add(self, state: State) -> None:
        now = {card: row for row, cards in enumerate(state.rows) for card in cards}
        check_kept(self.row, now)
        if state.placed < self.count:
            raise HandError(f"a board of {self.count} cards becomes one of {state.placed}")
        first, last = self.street_at(self.count), self.street_at(max(self.count, state.placed - 1))
        for card, row in now.items():
            if card in self.row:
                continue
            self.row[card] = row
            if card not in self.street:
                if first != last or self.hides:
                    self.is_ordered = False
                self.street[card] = last
            elif not first <= self.street[card] <= last:
                self.is_ordered = False
        self.count = state.placed
        self.hides = any(state.face_down)
        self._hold(state)

    def _hold(self, state: State) -> None:
        """Note the cards in the hand: those of the street that is being played, or the last one's discards."""
        fresh = [card for card in state.hand if card not in self.street]
        thrown = [card for card in state.discards if card not in self.street]
        is_between = self.count in (0, *self.ends)
        street = self.street_at(self.count)
        if fresh and is_between and (self.count == 13 or len(fresh) != self.streets[street][0]):
            # Not a whole deal: what is left of the street before, or a part of the deal.
            before = self.street_at(self.count - 1) if self.count else 0
            deal, place = self.streets[before]
            if self.count and len(fresh) <= deal - place:
                street = before
            else:
                self.is_ordered = False
        for card in fresh:
            self.street[card] = street
        for card in thrown:
            # One discard a street: the n-th is of the n-th street that has one.
            having = [k for k, (deal, place) in enumerate(self.streets) for _ in range(deal - place)]
            at = state.discards.index(card)
            if at >= len(having) or self.ends[having[at]] > self.count:
                raise HandError(f"{Card(card)} is discarded before its street is played")
            self.street[card] = having[at]

    def seat(self, last: State) -> Told:
        """The seat these states end in."""
        gone = [card for card in self.street if card not in self.row and card not in last.hand]
        done = sum(end <= self.count for end in self.ends)
        thrown = set(gone) | set(last.discards)
        if self.count == 13 or (done and self.count == self.ends[done - 1]):
            # Still shown, but of a street that is over.
            thrown |= {card for card in last.hand if self.street[card] < done}
        cards: list[tuple[int, int]] = []
        is_known = True
        for k, (deal, place) in enumerate(self.streets):
            of_street = [card for card, street in self.street.items() if street == k]
            discards = [card for card in of_street if card in thrown]
            if k >= done and discards:
                raise HandError(f"{Card(discards[0])} was in the hand and is gone before its street is over")
            missing = max(0, deal - place - len(discards)) if k < done else 0
            if self.is_ordered and k < done and len(of_street) + missing != deal and not self.hides:
                raise HandError(f"street {k + 1} deals {deal} cards, the states show {len(of_street) + missing}")
            is_known = is_known and not missing
            cards += [(card, self._code(card, thrown)) for card in of_street]
            cards += [(UNSEEN, DISCARD)] * (missing if self.is_ordered else 0)
        cards += [(UNSEEN, row) for row, hidden in enumerate(last.face_down) for _ in range(hidden)]
        is_complete = self.count == 13 and not any(last.face_down)
        cards += [(UNSEEN, NOT_PLACED)] * (0 if is_complete else last.hidden)
        if not self.is_ordered:
            cards.sort(key=lambda pair: pair[1])
        seat = ImportedSeat(
            cards=tuple(card for card, _ in cards), placement=tuple(code for _, code in cards), discards_known=is_known
        )
        return Told(seat, is_complete, self.is_ordered)

    def _code(self, card: int, thrown: set[int]) -> int:
        return self.row.get(card, DISCARD if card in thrown else NOT_PLACED)


def check_kept(before: dict[int, int], now: dict[int, int]) -> None:
    """Raise HandError when a card leaves its row: what lies, lies."""
    for card, row in before.items():
        if now.get(card) != row:
            where = f"lies in the {ROW_NAMES[now[card]]}" if card in now else "is gone"
            raise HandError(f"{Card(card)} lay in the {ROW_NAMES[row]} and {where} in a later state")


def only_count(rules: Rules) -> int | None:
    """Cards every Fantasyland hand is dealt under these rules; None where it differs from hand to hand."""
    stay = rules.fantasyland.stay_cards
    counts = {entry.cards for entry in rules.fantasyland.entry_front}
    counts |= {rules.fantasyland.entry_low_wheel_cards, rules.fantasyland.entry_both_cards} - {0}
    counts |= {stay} if isinstance(stay, int) else set()
    return counts.pop() if len(counts) == 1 else None


def _in_fantasyland(states: Sequence[State], came_in: int, is_exact: bool) -> Told:
    """A seat whose cards came at once. It may shift them until all lie."""
    seen: dict[int, None] = {}
    whole: tuple[int, ...] | None = None
    row: dict[int, int] = {}
    for state in states:
        now = {card: code for code, cards in enumerate(state.rows) for card in cards}
        if len(row) == 13:
            check_kept(row, now)
        row = now
        if whole is None and not state.placed and not state.hidden and len(state.hand) >= 13:
            whole = state.hand
        seen |= dict.fromkeys((*state.hand, *now, *state.discards))
    if whole is not None and (strange := [card for card in seen if card not in whole]):
        raise HandError(f"{Card(strange[0])} was not among the {len(whole)} cards of the Fantasyland hand")
    last = states[-1]
    is_complete = last.placed == 13 and not any(last.face_down)
    came_in = len(whole) if whole else max(came_in, len(seen))
    if came_in > 17:
        raise HandError(f"{came_in} cards came in for Fantasyland; nobody is dealt more than 17")
    left = DISCARD if is_complete else NOT_PLACED
    cards = [(card, row.get(card, left)) for card in seen]
    cards += [(UNSEEN, code) for code, hidden in enumerate(last.face_down) for _ in range(hidden)]
    if is_complete:
        cards += [(UNSEEN, DISCARD)] * (came_in - len(cards))
    else:
        cards += [(UNSEEN, NOT_PLACED)] * min(last.hidden, 17 - len(cards))
    is_exact = is_exact or whole is not None or came_in > 13
    seat = ImportedSeat(
        cards=tuple(card for card, _ in cards), placement=tuple(code for _, code in cards), fl_cards=came_in,
        discards_known=is_complete and is_exact and len(seen) == came_in,
    )  # fmt: skip
    return Told(seat, is_complete, True, () if is_exact else (MANY_TOLD,))


def tell(
    times: Sequence[Sequence[State]], rules: Rules, fantasyland: Sequence[int | None] | None = None
) -> tuple[list[Told], Completeness, tuple[Act, ...]]:
    """What the states of a hand tell: each seat, how complete the hand is, and its acts in order where that is known.

    ``times``: for each moment the state of every seat. ``fantasyland``: cards each seat came in with as far as the
    source says so (None: it does not), 13 for "in Fantasyland". Raises HandError where states contradict each other.
    """
    streets = streets_of(rules)
    told = []
    for seat in range(len(times[0])):
        states = [at[seat] for at in times]
        said = fantasyland[seat] if fantasyland else None
        found = fantasyland_of(times, seat, streets) if said != 0 else 0
        came_in = max(said or 0, found)
        if came_in:
            only = only_count(rules)
            told.append(_in_fantasyland(states, only if came_in == 13 and only else came_in, only is not None))
            continue
        by_street = _Streets(streets)
        for state in states:
            by_street.add(state)
        told.append(by_street.seat(states[-1]))
    return told, completeness_of(told), _acts(times, told, streets)


def completeness_of(told: Sequence[Told]) -> Completeness:
    """How much of the hand is known."""
    if not all(seat.is_complete for seat in told):
        return Completeness.UNFINISHED
    known = [seat.seat.discards_known for seat in told]
    if not all(seat.is_ordered for seat in told) or not any(known):
        return Completeness.FINAL_BOARDS
    return Completeness.FULL if all(known) else Completeness.OWN_DISCARDS


def _acts(
    times: Sequence[Sequence[State]], told: Sequence[Told], streets: Sequence[tuple[int, int]]
) -> tuple[Act, ...]:
    """Who placed when, unless two players placed between two states or a street is not known."""
    if not all(seat.is_ordered for seat in told):
        return ()
    ends = list(accumulate(place for _, place in streets))
    before = [0] * len(told)
    acts: list[Act] = []
    for states in times:
        moved = [seat for seat, state in enumerate(states) if state.placed > before[seat]]
        if len(moved) > 1:
            return ()
        for seat in moved:
            placed = before[seat] = states[seat].placed
            if told[seat].seat.fl_cards:
                acts += [Act(seat, 1)]
            elif placed in ends:
                acts += [Act(seat, ends.index(placed) + 1)]
    return tuple(acts)
