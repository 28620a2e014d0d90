"""Rules: one complete ruleset, frozen, checked, and named by a short id of its parameters."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from ofclab.rules import groups
from ofclab.rules.checks import impossible
from ofclab.rules.errors import Problem, RulesError, show_value
from ofclab.rules.explain import rule_lines
from ofclab.rules.messages import problems_of, unknown_parameter
from ofclab.rules.parameters import CONSTANTS, GROUPS, parameters, plain
from ofclab.rules.write import rules_to_toml


class WeakSpot(groups.Group):
    """A value that rests on thin evidence: the parameter and why."""

    parameter: str
    text: str


class Rules(groups.Group):
    """One ruleset: 54 parameters in 13 groups, plus a name and a title that say nothing about play.

    Two rulesets are equal when their parameters are, whatever they are called. Raises RulesError for anything
    that cannot be played as written.

    >>> Rules(name="house", scoring={"sweep_bonus": 0}).scoring.sweep_bonus
    0
    """

    name: str = ""
    title: str = ""
    description: str = ""
    source: str = ""
    weak_spots: tuple[WeakSpot, ...] = ()
    deck: groups.Deck = Field(default_factory=groups.Deck)
    players: groups.Players = Field(default_factory=groups.Players)
    deal: groups.Deal = Field(default_factory=groups.Deal)
    visibility: groups.Visibility = Field(default_factory=groups.Visibility)
    ranking: groups.Ranking = Field(default_factory=groups.Ranking)
    foul: groups.Foul = Field(default_factory=groups.Foul)
    scoring: groups.Scoring = Field(default_factory=groups.Scoring)
    royalties: groups.Royalties = Field(default_factory=groups.Royalties)
    fantasyland: groups.Fantasyland = Field(default_factory=groups.Fantasyland)
    game: groups.Game = Field(default_factory=groups.Game)
    stakes: groups.Stakes = Field(default_factory=groups.Stakes)
    timeout: groups.Timeout = Field(default_factory=groups.Timeout)
    jokers: groups.Jokers = Field(default_factory=groups.Jokers)

    def __init__(self, **data: Any) -> None:
        data, problems = _without_constants(data)
        try:
            super().__init__(**data)
        except ValidationError as error:
            problems += problems_of(error)
        if problems:
            raise RulesError(problems)

    @model_validator(mode="after")
    def _playable(self) -> Self:
        if problems := impossible(self):
            raise RulesError(problems)
        return self

    @cached_property
    def id(self) -> str:
        """Twelve hex digits that stand for the parameters; names, titles and sources do not count."""
        canonical = json.dumps(self.flat(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Rules {self.name or 'unnamed'} {self.id}>"

    __str__ = __repr__

    @property
    def can_stay(self) -> bool:
        """Whether any hand keeps a player in Fantasyland."""
        stay = self.fantasyland.stay
        return bool(stay.front or stay.middle or stay.back or stay.low_wheel)

    def flat(self) -> dict[str, Any]:
        """Return the 54 parameters as plain values by dotted name."""
        return {f"{group}.{key}": plain(value) for group in GROUPS for key, value in getattr(self, group)}

    def nested(self) -> dict[str, dict[str, Any]]:
        """Return the 54 parameters as plain values, a table for each group."""
        tables: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
        for name, value in self.flat().items():
            group, key = name.split(".")
            tables[group][key] = value
        return tables

    def value(self, name: str) -> Any:
        """Return a plain value: a parameter, or an entry of a table such as ``royalties.front.66`` (None if unlisted).

        Raises RulesError for a name that is no parameter.
        """
        parameter, _, entry = _split(name)
        table = self.flat()[parameter]
        return (table or {}).get(entry) if entry else table

    def replace(self, changes: Mapping[str, Any], name: str | None = None) -> "Rules":
        """Return these rules with some parameters changed, checked as a whole.

        A whole table or list replaces the old one; a longer name such as ``royalties.front.66`` changes one entry.
        Raises RulesError naming every key, value and choice that is wrong.

        >>> Rules().replace({"scoring.sweep_bonus": 0}).scoring.sweep_bonus
        0
        """
        tables = self.nested()
        problems: list[Problem] = []
        # Whole tables first, so that an entry named in the same call is not lost.
        for key in sorted(changes, key=lambda key: str(key).count(".")):
            try:
                parameter, group, entry = _split(key)
            except RulesError as error:
                problems += error.problems
                continue
            table, last = tables[group], parameter.partition(".")[2]
            if entry:
                entries = table[last] if isinstance(table[last], Mapping) else {}
                table[last] = {**entries, entry: changes[key]}
            else:
                table[last] = changes[key]
        if problems:
            raise RulesError(problems)
        new = Rules(**tables)
        same = new.id == self.id
        said = ", ".join(f"{key} = {show_value(value)}" for key, value in changes.items())
        return Rules(
            name=name or (self.name if same else f"{self.name.partition('+')[0]}+{new.id[:6]}"),
            title=self.title if same else f"{self.title or self.name}, {said}",
            description=self.description,
            source=self.source,
            weak_spots=tuple(kept_weak_spots(self, new)),
            **tables,
        )

    def to_toml(self) -> str:
        """Return a complete TOML file, each parameter with its meaning, that loads back to the same id."""
        return rules_to_toml(self)

    def _repr_html_(self) -> str:
        lines = rule_lines(self)
        items = "".join(
            f"<p><b>{group}</b><br>{'<br>'.join(escape(sentence) for sentence in sentences)}</p>"
            for group, sentences in lines.items()
        )
        return (
            f"<h4>{escape(self.title or self.name)} <code>{self.id}</code></h4>"
            f"<p>{escape(self.description)}</p><details><summary>rules</summary>{items}</details>"
        )


def kept_weak_spots(old: Rules, new: Rules) -> Iterator[WeakSpot]:
    """Yield the weak spots of a ruleset whose values another ruleset still has."""
    return (spot for spot in old.weak_spots if old.value(spot.parameter) == new.value(spot.parameter))


def _split(name: str) -> tuple[str, str, str]:
    """Split a dotted name into its parameter, its group, and the table entry it names ("" for none)."""
    group, _, rest = str(name).partition(".")
    key, _, entry = rest.partition(".")
    parameter = f"{group}.{key}"
    is_table = (parameter.startswith("royalties.") and key != "mode") or parameter == "fantasyland.stay"
    if parameter in CONSTANTS and not entry:
        return parameter, group, ""
    if parameter not in parameters() or (entry and not is_table):
        raise RulesError([unknown_parameter(str(name))])
    return parameter, group, entry


def _without_constants(data: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Drop rules that are the same everywhere where they are stated rightly, and report where they are not."""
    kept, problems = dict(data), []
    for name, only in CONSTANTS.items():
        group, _, key = name.partition(".")
        table = kept.get(group)
        if isinstance(table, Mapping) and key in table:
            value = table[key]
            kept[group] = {k: v for k, v in table.items() if k != key}
            if type(value) is not type(only) or value != only:
                problems.append(Problem(name, f"can only be {show_value(only)}, as in every ruleset", value))
    return kept, problems
