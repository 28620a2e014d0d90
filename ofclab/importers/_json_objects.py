"""JSON objects of a file, one after the other: a line each, or over many lines, bare or in one list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ofclab.importers.model import HandError
from ofclab.importers.reading import LONGEST_LINE, MOST_LINES, NOT_TEXT, Line, read_lines

_BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
_BETWEEN = re.compile(r"[\s,\[\]]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Found:
    """An object with its text, or what is wrong with the text; ``line`` is where it begins."""

    line: int
    text: str
    value: dict[str, Any] | None
    fault: str = ""


def read_objects(path: Path) -> Iterator[Found]:
    """Every object of the file. A torn one costs itself and what stands on its last line."""
    lines: list[Line] = []
    depth = size = 0
    for line in read_lines(path):
        begins = line.text.startswith(("{", "[{"))
        if lines and begins:
            # Objects over many lines are indented, so this is the next one.
            yield _torn(lines)
            lines = []
        if not lines:
            if not _BETWEEN.sub("", line.text, count=1):
                continue
            if not line.text.lstrip(" \t,[").startswith("{"):
                yield Found(line.number, line.text, None, _why(line.text, "not a JSON object"))
                continue
            depth = size = 0
        lines.append(line)
        size += len(line.text)
        depth += sum({"{": 1, "}": -1}.get(sign, 0) for sign in _BRACES.findall(line.text))
        if depth <= 0:
            yield from _decode(lines)
            lines = []
        elif size > LONGEST_LINE or len(lines) > MOST_LINES:
            yield Found(lines[0].number, lines[0].text, None, f"no JSON object ends within {size} characters")
            lines = []
    if lines:
        yield _torn(lines)


def _text(lines: list[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _torn(lines: list[Line]) -> Found:
    text = _text(lines)
    return Found(lines[0].number, text, None, _why(text, "the JSON object is torn off"))


def _why(text: str, otherwise: str) -> str:
    return "the line holds bytes that are not UTF-8 text" if NOT_TEXT in text else otherwise


def _decode(lines: list[Line]) -> Iterator[Found]:
    text, first = _text(lines), lines[0].number
    at = 0
    while (at := _skip(text, at)) < len(text):
        if NOT_TEXT in text:
            yield Found(first, text[at:], None, _why(text, ""))
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield Found(first, text[at:], None, f"not a JSON object: {error}")
            return
        if isinstance(value, dict):
            yield Found(first + text.count("\n", 0, at), text[at:end], value)
        else:
            yield Found(first, text[at:end], None, "not a JSON object")
        at = end


def _skip(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def wanted(given: Mapping[str, Any], name: str, kind: type, what: str) -> Any:
    """A value that must be there and of its type; HandError else. ``True`` is no number."""
    value = given.get(name)
    if type(value) is not kind:
        raise HandError(f"{name} of {what} is {str(value)[:60]!r}; want {_KINDS[kind]}")
    return value


def given_or(given: Mapping[str, Any], name: str, kind: type, otherwise: Any, what: str) -> Any:
    """A value of its type where it is there; HandError for another type."""
    return otherwise if given.get(name) is None else wanted(given, name, kind, what)


_KINDS = {int: "a whole number", str: "a text", list: "a list", dict: "an object", bool: "true or false"}
