"""What is wrong with a ruleset: every problem by key, value and what would be right."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches


class _Unsaid:
    """Marks a problem that has no offending value (a missing or unknown key)."""


UNSAID = _Unsaid()


def show_value(value: object) -> str:
    """Write a value the way a TOML file would, cut to one readable line.

    >>> show_value(True), show_value("6"), show_value(None)
    ('true', '"6"', '"none"')
    """
    if value is None:
        return '"none"'
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def suggest(word: object, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` when one of the choices is close to the word, else nothing."""
    close = get_close_matches(str(word), list(choices), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close and close[0] != word else ""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a ruleset: the dotted key, the value it has, and what is wanted instead."""

    key: str
    text: str
    value: object = UNSAID

    def __str__(self) -> str:
        said = "" if self.value is UNSAID else f" = {show_value(self.value)}"
        return f"{self.key}{said}: {self.text}" if self.key else self.text

    def as_dict(self) -> dict[str, object]:
        """Return the problem as plain values; a missing or unknown key has no ``value``."""
        said = {} if self.value is UNSAID else {"value": self.value}
        return {"key": self.key, **said, "text": self.text}

    def under(self, prefix: str) -> "Problem":
        """Return the same problem with its key placed under a longer dotted name."""
        return replace(self, key=".".join(part for part in (prefix, self.key) if part))


class RulesError(ValueError):
    """A ruleset that cannot be used; `problems` has every reason found, `source` the file or preset at fault."""

    def __init__(self, problems: Iterable[Problem] | str, source: str = "") -> None:
        self.problems = (Problem("", problems),) if isinstance(problems, str) else tuple(problems)
        self.source = source
        super().__init__(self._message())

    def _message(self) -> str:
        where = f"{self.source}: " if self.source else ""
        if len(self.problems) == 1:
            return f"{where}{self.problems[0]}"
        return "\n".join([f"{where}{len(self.problems)} problems", *(f"  {problem}" for problem in self.problems)])

    def __reduce__(self) -> tuple[type["RulesError"], tuple[tuple[Problem, ...], str]]:
        return RulesError, (self.problems, self.source)

    def at(self, source: str) -> "RulesError":
        """Return the same error, saying which file or preset it comes from."""
        return self if self.source else RulesError(self.problems, source)
