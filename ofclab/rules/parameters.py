"""The list of parameters: dotted name, what it accepts, its default and its meaning."""

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from ofclab.rules import groups
from ofclab.rules.values import Allowed, PayTable

GROUPS: Final[MappingProxyType[str, type[groups.Group]]] = MappingProxyType(
    {
        "deck": groups.Deck,
        "players": groups.Players,
        "deal": groups.Deal,
        "visibility": groups.Visibility,
        "ranking": groups.Ranking,
        "foul": groups.Foul,
        "scoring": groups.Scoring,
        "royalties": groups.Royalties,
        "fantasyland": groups.Fantasyland,
        "game": groups.Game,
        "stakes": groups.Stakes,
        "timeout": groups.Timeout,
        "jokers": groups.Jokers,
    }
)

CONSTANTS: Final[MappingProxyType[str, object]] = MappingProxyType(
    {
        f"{group}.{key}": getattr(model, key)
        for group, model in GROUPS.items()
        for key in sorted(model.__class_vars__)
        if not key.startswith("_")
    }
)
"""Rules that are the same everywhere; a ruleset may state them but not change them."""

PARTS: Final[MappingProxyType[str, type[groups.Group]]] = MappingProxyType(
    {"deal.rounds": groups.Round, "fantasyland.entry_front": groups.Entry, "fantasyland.stay": groups.Stay}
)
"""Parameters made of smaller parts with names of their own."""

INFORMATIONAL: Final = frozenset({"visibility.draws", "game.join_midgame", "game.leave_during_hand", "timeout.clock"})
"""Parameters that describe the room and change no score."""


@dataclass(frozen=True)
class Parameter:
    """One thing a ruleset can say."""

    name: str
    allowed: str
    choices: tuple[str, ...]
    default: object
    meaning: str
    informational: bool


@cache
def parameters() -> MappingProxyType[str, Parameter]:
    """Return every parameter by dotted name, in the order a ruleset is written.

    >>> parameters()["foul.penalty"].default
    6
    """
    listed = [
        _parameter(f"{group}.{key}", field)
        for group, model in GROUPS.items()
        for key, field in model.model_fields.items()
    ]
    return MappingProxyType({parameter.name: parameter for parameter in listed})


def _parameter(name: str, field: FieldInfo) -> Parameter:
    accepts = allowed(field)
    default, meaning = plain(field.default), field.description or ""
    return Parameter(name, accepts.words, accepts.choices, default, meaning, name in INFORMATIONAL)


def allowed(field: FieldInfo) -> Allowed:
    """Return what a field of a group accepts."""
    said = next((extra for extra in field.metadata if isinstance(extra, Allowed)), None)
    return said or _literal_choices(field.annotation)


def _literal_choices(annotation: object) -> Allowed:
    choices = tuple(str(choice) for choice in get_args(annotation)) if get_origin(annotation) is Literal else ()
    return Allowed(" or ".join([", ".join(choices[:-1]), choices[-1]]), choices)


def plain(value: object) -> object:
    """Turn a parameter's value into the numbers, strings, lists and tables a TOML or JSON file holds."""
    if isinstance(value, groups.Stay):
        rows = {"front": value.front, "middle": value.middle, "back": value.back}
        return rows | {"low_wheel": True} if value.low_wheel else rows
    if isinstance(value, groups.Group):
        return {key: plain(part) for key, part in value}
    if isinstance(value, PayTable):
        return dict(value)
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
