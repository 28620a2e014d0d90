"""Load rulesets: the shipped presets, and TOML files that say what they change."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ofclab.rules.errors import Problem, RulesError, suggest
from ofclab.rules.messages import METADATA
from ofclab.rules.model import Rules, WeakSpot, kept_weak_spots
from ofclab.rules.parameters import GROUPS


@cache
def presets() -> tuple[str, ...]:
    """Return the names of the shipped rulesets, in alphabetical order."""
    folder = files("ofclab.rules") / "presets"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def load_rules(source: str | Path | Rules) -> Rules:
    """Load a ruleset: a preset by name, or a TOML file by path; a Rules object is returned as it is.

    Raises RulesError for an unknown preset, a file that cannot be read, and rules that cannot be played.

    >>> load_rules("american-pineapple").fantasyland.stay_cards
    14
    """
    if isinstance(source, Rules):
        return source
    if isinstance(source, str) and source in presets():
        return _preset(source)
    if isinstance(source, Path) or (isinstance(source, str) and _looks_like_path(source)):
        return _from_file(Path(source).expanduser(), ())
    raise _unknown(source)


def _looks_like_path(text: str) -> bool:
    return text.endswith(".toml") or "/" in text or "\\" in text or Path(text).is_file()


def _unknown(name: object, source: str = "") -> RulesError:
    return RulesError(
        f"no preset or rules file {str(name)!r}{suggest(name, presets())}; "
        f"presets: {', '.join(presets())}; a file ends in .toml",
        source,
    )


@cache
def _preset(name: str) -> Rules:
    text = (files("ofclab.rules") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    return _parse(text, name=name, source=f"preset {name}", folder=None, seen=(f"preset {name}",))


def _from_file(path: Path, seen: tuple[str, ...]) -> Rules:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise RulesError(f"no such rules file{suggest(path.stem, presets())}", str(path)) from None
    except UnicodeDecodeError as error:
        raise RulesError(f"is not UTF-8 text ({error.reason} at byte {error.start})", str(path)) from None
    except OSError as error:
        raise RulesError(f"cannot be read: {error.strerror}", str(path)) from None
    real = str(path.resolve())
    if real in seen:
        chain = " -> ".join(Path(step).name for step in (*seen[seen.index(real) :], real))
        raise RulesError([Problem("extends", f"goes in a circle: {chain}")], str(path))
    return _parse(text, name=path.stem, source=str(path), folder=path.parent, seen=(*seen, real))


def _parse(text: str, name: str, source: str, folder: Path | None, seen: tuple[str, ...]) -> Rules:
    try:
        said = _nest(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"is not valid TOML: {error}", source) from None
    extends = said.pop("extends", None)
    base = Rules() if extends is None else _base(extends, source, folder, seen)
    metadata = {key: said.pop(key) for key in METADATA if key in said}
    spots = metadata.pop("weak_spots", {})
    metadata = {"name": name, "title": name, **metadata}
    tables = _merge(base.nested(), said)
    try:
        own = _weak_spots(spots)
        rules = Rules(**metadata, **tables)
        for spot in own:
            rules.value(spot.parameter)
    except RulesError as error:
        raise error.at(source) from None
    by_parameter = {spot.parameter: spot for spot in (*kept_weak_spots(base, rules), *own)}
    return Rules(**metadata, weak_spots=tuple(by_parameter.values()), **tables) if by_parameter else rules


def _base(extends: object, source: str, folder: Path | None, seen: tuple[str, ...]) -> Rules:
    if not isinstance(extends, str):
        raise RulesError([Problem("extends", "want a preset name or a path to a TOML file", extends)], source)
    if f"preset {extends}" in seen:
        raise RulesError([Problem("extends", "goes in a circle", extends)], source)
    if extends in presets():
        return _preset(extends)
    if folder is None or not _looks_like_path(extends):
        raise _unknown(extends, f"{source}: extends")
    path = folder / Path(extends).expanduser()
    if not path.is_file():
        raise RulesError([Problem("extends", f"no such rules file; looked for {path}", extends)], source)
    return _from_file(path, seen)


def _nest(said: Mapping[str, Any]) -> dict[str, Any]:
    """Open quoted dotted keys ("scoring.sweep_bonus" = 0) into tables."""
    tables: dict[str, Any] = {}
    for key, value in said.items():
        group, _, rest = key.partition(".")
        if rest and group in GROUPS:
            inner, _, entry = rest.partition(".")
            value = {inner: {entry: value}} if entry else {inner: value}
            key = group
        tables = _merge(tables, {key: value})
    return tables


def _merge(base: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Lay tables over tables, entry by entry; anything else replaces what was there."""
    merged = dict(base)
    for key, value in said.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _weak_spots(said: object) -> list[WeakSpot]:
    if not isinstance(said, Mapping) or not all(isinstance(text, str) for text in said.values()):
        raise RulesError([Problem("weak_spots", "want a table of text by quoted parameter name", said)])
    return [WeakSpot(parameter=name, text=text) for name, text in said.items()]
