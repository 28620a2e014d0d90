"""The kinds of value a rule can have: points, chips, hands, pay tables, and the word for nothing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator

from ofclab.rules.errors import Problem, RulesError, suggest

RANKS: Final = "23456789TJQKA"
PAIRS: Final = tuple(rank * 2 for rank in RANKS)
TRIPS: Final = tuple(rank * 3 for rank in RANKS)
FRONT_HANDS: Final = PAIRS + TRIPS
"""The front hands a rule can name, weakest first: 22..AA, then 222..AAA."""

Category = Literal[
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
]
CATEGORIES: Final[tuple[str, ...]] = get_args(Category)
"""The five-card categories, weakest first."""

LOW_RANKS: Final = "789TJQKA"
LOW_HANDS: Final = ("75432", *(f"{rank}-low" for rank in LOW_RANKS))
"""The 2-7 lows a royalty can name, best first. 7-low is any seven-low but 75432."""

NOTHING: Final = "none"
"""How a TOML file, which knows no null, says nothing."""

MOST_POINTS: Final = 1_000_000
MOST_CHIPS: Final = 1_000_000_000


@dataclass(frozen=True)
class Allowed:
    """What a parameter accepts, in words, for error messages and the list of parameters."""

    words: str
    choices: tuple[str, ...] = ()


class PayTable(Mapping[str, int]):
    """Points by hand, weakest hand first; a hand that is not listed pays nothing. Cannot be changed.

    >>> PayTable({"quads": 10}).pays("flush")
    0
    """

    __slots__ = ("_points",)

    def __init__(self, points: Mapping[str, int] | None = None) -> None:
        self._points = dict(points or {})

    def __getitem__(self, hand: str) -> int:
        return self._points[hand]

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    def __hash__(self) -> int:
        return hash(frozenset(self._points.items()))

    def __repr__(self) -> str:
        return f"PayTable({self._points})"

    def pays(self, hand: str) -> int:
        """Return the points for a hand; five of a kind pays as quads where the table does not list it."""
        if hand == "five_of_a_kind" and hand not in self._points:
            hand = "quads"
        return self._points.get(hand, 0)


def none_word(value: object) -> object:
    return None if value == NOTHING else value


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _pay_table(hands: tuple[str, ...]) -> Callable[[object], PayTable]:
    def read(value: object) -> PayTable:
        if value is None or value == NOTHING:
            return PayTable()
        if not isinstance(value, Mapping):
            raise ValueError("not a table")
        problems = [
            Problem(str(hand), f"unknown hand; want one of {', '.join(hands)}{suggest(hand, hands)}")
            for hand in value
            if hand not in hands
        ]
        problems += [
            Problem(str(hand), f"want points: a whole number 0..{MOST_POINTS}", points)
            for hand, points in value.items()
            if hand in hands and not _is_whole(points, 0, MOST_POINTS)
        ]
        if problems:
            raise RulesError(problems)
        # A zero says nothing except for five of a kind, which otherwise pays as quads.
        listed = [hand for hand in hands if value.get(hand) or (hand == "five_of_a_kind" and hand in value)]
        return PayTable({hand: value[hand] for hand in listed})

    return read


def _low_pay_table(value: object) -> PayTable | None:
    return _pay_table(LOW_HANDS)(value) or None


def _stay_cards(value: object) -> int | Literal["same"]:
    if value == "same":
        return "same"
    if isinstance(value, int) and _is_whole(value, 13, 17):
        return value
    raise ValueError("not a card count")


def _hands(value: object) -> int | Literal["players"] | None:
    if value is None or value == NOTHING:
        return None
    if value == "players":
        return "players"
    if isinstance(value, int) and _is_whole(value, 1, MOST_POINTS):
        return value
    raise ValueError("not a number of hands")


def _extra_cards(value: object) -> int:
    if isinstance(value, int) and (_is_whole(value, 0, 0) or _is_whole(value, 13, 17)):
        return value
    raise ValueError("not a card count")


def _nullable(*choices: str) -> Allowed:
    return Allowed(f"{', '.join(choices)} or {NOTHING}", (*choices, NOTHING))


def _last_cards(value: object) -> Literal[0, 3]:
    if _is_whole(value, 0, 0):
        return 0
    if _is_whole(value, 3, 3):
        return 3
    raise ValueError("not a card count")


def _hand_of(hands: tuple[str, ...]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in hands:
            raise ValueError("not a hand")
        return value

    return read


def _hand_or_none(hands: tuple[str, ...]) -> Callable[[object], str | None]:
    read = _hand_of(hands)
    return lambda value: None if value is None or value == NOTHING else read(value)


Flag = Annotated[bool, Allowed("true or false")]
Points = Annotated[int, Field(ge=0, le=MOST_POINTS), Allowed(f"points: a whole number 0..{MOST_POINTS}")]
Chips = Annotated[int, Field(gt=0, le=MOST_CHIPS), Allowed(f"chips: a whole number 1..{MOST_CHIPS}")]
ChipsOrNone = Annotated[
    Annotated[int, Field(gt=0, le=MOST_CHIPS)] | None,
    BeforeValidator(none_word),
    Allowed(f"chips: a whole number 1..{MOST_CHIPS}, or {NOTHING}"),
]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False), Allowed("percent: a number 0..100")]
AtLeast = Literal["ge", "gt"]
ExtraCards = Annotated[int, PlainValidator(_extra_cards), Allowed("cards: 0 (never) or 13..17")]
FantasylandCards = Annotated[int, Field(ge=13, le=17), Allowed("cards: 13..17")]
LastCards = Annotated[Literal[0, 3], PlainValidator(_last_cards), Allowed("cards: 0 or 3")]
StayCards = Annotated[int | Literal["same"], PlainValidator(_stay_cards), Allowed("cards: 13..17, or same")]
Hands = Annotated[
    int | Literal["players"] | None,
    PlainValidator(_hands),
    Allowed(f"a whole number of hands above 0, players (as many hands as players), or {NOTHING} (open-ended)"),
]
FrontHand = Annotated[
    str, PlainValidator(_hand_of(FRONT_HANDS)), Allowed("a pair 22..AA or trips 222..AAA", FRONT_HANDS)
]
FrontHandOrNone = Annotated[
    str | None,
    PlainValidator(_hand_or_none(FRONT_HANDS)),
    Allowed(f"a pair 22..AA, trips 222..AAA, or {NOTHING}", (*FRONT_HANDS, NOTHING)),
]
CategoryOrNone = Annotated[str | None, PlainValidator(_hand_or_none(CATEGORIES[1:])), _nullable(*CATEGORIES[1:])]
LowRankOrNone = Annotated[str | None, PlainValidator(_hand_or_none(tuple(LOW_RANKS))), _nullable(*LOW_RANKS)]
FrontPays = Annotated[
    PayTable,
    PlainValidator(_pay_table(FRONT_HANDS)),
    PlainSerializer(dict),
    Allowed(f"a table of points by hand (22..AA, 222..AAA), or {NOTHING}", FRONT_HANDS),
]
RowPays = Annotated[
    PayTable,
    PlainValidator(_pay_table(CATEGORIES)),
    PlainSerializer(dict),
    Allowed(f"a table of points by category ({', '.join(CATEGORIES)}), or {NOTHING}", CATEGORIES),
]
LowPays = Annotated[
    PayTable | None,
    PlainValidator(_low_pay_table),
    PlainSerializer(lambda table: None if table is None else dict(table)),
    Allowed(f"a table of points by low ({', '.join(LOW_HANDS)}), or {NOTHING}", LOW_HANDS),
]


def _none_as_empty(value: object) -> object:
    return {} if value is None or value == NOTHING else value


NoneIsEmpty = BeforeValidator(_none_as_empty)
ListOf = BeforeValidator(_as_tuple)
