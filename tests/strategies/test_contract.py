"""What every built-in strategy promises."""

import dataclasses
import inspect
import pickle
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import Spots, Strategy
from ofclab.engine.session import Sessions
from ofclab.kernels import placement
from ofclab.kernels.placement import deal
from ofclab.strategies import UnknownStrategy, get, names

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
DEUCE = ofc.load_rules("deuce-pineapple")
JOKERS = ofc.load_rules("joker-progressive")
KINDS = [PINEAPPLE, REGULAR, DEUCE, JOKERS]
Cards = NDArray[np.uint8]

every_strategy = pytest.mark.parametrize("name", names())
every_kind = pytest.mark.parametrize("rules", KINDS, ids=lambda rules: rules.name)


class Blind:
    """Fills the back, the middle and the front in the order of the deal and throws away what comes last."""

    label = "blind"

    def prepare(self, rules: ofc.Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Nothing to prepare."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        choice = np.full(spots.dealt.shape, 3, np.uint8)
        for i, counts in enumerate(spots.counts.tolist()):
            rows = [row for row, size in ((2, 5), (1, 5), (0, 3)) for _ in range(size - counts[row])]
            choice[i, : spots.place] = rows[: spots.place]
        return choice


class Noted:
    """A strategy whose choices are kept."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.label, self.choices = strategy, strategy.label, list[Cards]()

    def prepare(self, rules: ofc.Rules, fantasyland_values: Mapping[int, float]) -> None:
        self.strategy.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        self.choices.append(self.strategy.place(spots))
        return self.choices[-1]


def placements(strategy: Any, rules: ofc.Rules, tables: Any = range(3), seed: int = 3, seats: int = 2) -> Cards:
    """Where everything went in two hands, table by table."""
    hands = [batch.placement for batch in ofc.play(rules, [strategy] * seats, tables, 2, seed)]
    return np.stack(hands, axis=1)


@cache
def reference(name: str, rules: ofc.Rules) -> Cards:
    return placements(get(name), rules)


@every_strategy
@pytest.mark.parametrize("preset", ofc.presets())
def test_plays_every_preset_at_every_number_of_seats(name: str, preset: str) -> None:
    rules = ofc.load_rules(preset)
    for seats in range(2, rules.players.max + 1):
        (batch,) = ofc.play(rules, [get(name)] * seats, [9], 1, 1)
        for row, size in enumerate((3, 5, 5)):
            assert ((batch.placement == row).sum(axis=2) == size).all()


@every_strategy
@every_kind
def test_plays_the_same_for_the_same_seed_and_differently_for_another(name: str, rules: ofc.Rules) -> None:
    assert (placements(get(name), rules) == reference(name, rules)).all()
    assert (placements(get(name), rules, seed=4) != reference(name, rules)).any()


@every_strategy
@every_kind
def test_plays_a_table_the_same_in_any_batch(name: str, rules: ofc.Rules) -> None:
    assert (placements(get(name), rules, [1]) == reference(name, rules)[[1]]).all()
    assert (placements(get(name), rules, [2, 0]) == reference(name, rules)[[2, 0]]).all()


@every_strategy
def test_forgets_what_it_was_prepared_for_before(name: str) -> None:
    strategy = get(name)
    placements(strategy, DEUCE, [0])
    assert (placements(strategy, PINEAPPLE) == reference(name, PINEAPPLE)).all()


@every_strategy
def test_travels_to_another_process(name: str) -> None:
    strategy = get(name)
    fresh = pickle.loads(pickle.dumps(strategy))
    strategy.prepare(PINEAPPLE, {14: 9.6})
    prepared = pickle.loads(pickle.dumps(strategy))
    for copy in (fresh, prepared):
        assert copy.label == strategy.label
        assert (placements(copy, PINEAPPLE) == reference(name, PINEAPPLE)).all()


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value / 2 + 0.25
    return 7.5 if value is None else value


@every_strategy
def test_its_label_makes_it_again(name: str) -> None:
    plain = get(name)
    assert plain.label == name
    assert get(plain.label) == plain
    fields = {field.name: changed(getattr(plain, field.name)) for field in dataclasses.fields(plain)}
    for some in ({}, fields, *({key: value} for key, value in fields.items())):
        other = type(plain)(**some)
        again = get(other.label)
        assert type(again) is type(plain)
        assert again == other
        assert again.label == other.label
    for key, kind in ((field.name, str(field.type)) for field in dataclasses.fields(plain)):
        if "None" in kind:
            other = type(plain)(**{key: None})
            assert get(other.label) == other


@every_strategy
def test_names_what_it_takes_when_asked_for_something_else(name: str) -> None:
    with pytest.raises(UnknownStrategy) as caught:
        get(f"{name}(colour=3)")
    told = str(caught.value)
    assert "colour" in told
    assert all(field.name in told for field in dataclasses.fields(get(name)))


@every_strategy
def test_refuses_a_parameter_of_the_wrong_kind(name: str) -> None:
    for field in dataclasses.fields(get(name)):
        with pytest.raises(UnknownStrategy, match=rf"{field.name} = \[1\] is no {field.type}".replace(" | ", " or ")):
            get(f"{name}({field.name}=[1])")
    for wrong in ("4", "*x", "**x", "x=", "x=1)(", "x=y"):
        with pytest.raises(UnknownStrategy, match="cannot read"):
            get(f"{name}({wrong})")


@every_strategy
def test_is_documented_with_every_parameter(name: str) -> None:
    kind = type(get(name))
    module = inspect.getmodule(kind)
    assert (module.__doc__ or "").strip()
    assert (kind.__doc__ or "").strip()
    assert not (kind.__doc__ or "").startswith(f"{kind.__name__}(")  # the one a dataclass makes up
    docs = " ".join(base.__doc__ or "" for base in kind.__mro__ if dataclasses.is_dataclass(base))
    missing = [field.name for field in dataclasses.fields(kind) if field.name not in docs]
    assert not missing, f"{kind.__name__} does not say what {', '.join(missing)} is"


def hidden_places(rules: ofc.Rules, seat: int, street: int, fantasyland: bool) -> list[tuple[int, int]]:
    """(seat, place in its deal) of every card the seat cannot see when it acts on a street; seat 0 acts first."""
    rounds = [(5, 5), *((each.deal, each.place) for each in rules.deal.rounds)]
    ends = np.cumsum([dealt for dealt, _ in rounds]).tolist()
    other, hidden = 1 - seat, [(seat, place) for place in range(ends[street - 1], 17)]
    if fantasyland:
        return hidden + [(other, place) for place in range(14)]
    acted = street - (seat < other)
    kept: list[int] = []
    for (dealt, placed), end in list(zip(rounds, ends, strict=True))[:acted]:
        kept += range(end - dealt, end - dealt + placed)
    shown = kept[:10] if rules.deal.last_face_down else kept
    if rules.visibility.discards == "revealed":
        shown = shown + [place for place in range(ends[acted - 1] if acted else 0) if place not in kept]
    return hidden + [(other, place) for place in range(17) if place not in shown]


def choices_of(
    name: str, rules: ofc.Rules, seat: int, deals: Callable[..., Cards], monkeypatch: pytest.MonkeyPatch
) -> list[Cards]:
    """What a strategy chooses, street by street, against a player who does not look at his cards."""
    noted = Noted(get(name))
    monkeypatch.setattr(placement, "deal", deals)
    players: list[Any] = [Blind(), Blind()]
    players[seat] = noted
    list(ofc.play(rules, players, range(2), 1, 17))
    return noted.choices


def in_fantasyland(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a seat begin the game with 14 Fantasyland cards."""
    begin = Sessions.__init__

    def sit_down(self: Sessions, *args: Any) -> None:
        begin(self, *args)
        self.fantasyland[:, seat] = 14

    monkeypatch.setattr(Sessions, "__init__", sit_down)


VISIBILITY = [
    (PINEAPPLE, False),
    (PINEAPPLE, True),
    (PINEAPPLE.replace({"deal.last_face_down": 3}), False),
    (PINEAPPLE.replace({"visibility.discards": "revealed"}), False),
    (REGULAR, False),
    (JOKERS, False),
]


@every_strategy
@pytest.mark.parametrize("seat", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize(
    ("rules", "fantasyland"),
    VISIBILITY,
    ids=["pineapple", "fantasyland", "face down", "revealed", "regular", "jokers"],
)
def test_sees_nothing_hidden(
    name: str, seat: int, rules: ofc.Rules, fantasyland: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards to come, the other's discards, Fantasyland rows and face-down cards change places: the choice stays."""
    if fantasyland:
        in_fantasyland(1 - seat, monkeypatch)
    before = choices_of(name, rules, seat, deal, monkeypatch)
    for street in range(1, len(before) + 1):
        seats, places = np.array(hidden_places(rules, seat, street, fantasyland), np.int64).reshape(-1, 2).T

        def other_deal(*args: Any, seats: Any = seats, places: Any = places) -> Cards:
            cards = deal(*args)
            cards[:, seats, places] = np.roll(cards[:, seats, places], 1, axis=1)
            return cards

        after = choices_of(name, rules, seat, other_deal, monkeypatch)
        for old, new in zip(before[:street], after[:street], strict=True):
            assert (old == new).all()
