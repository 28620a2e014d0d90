"""A ruleset as the preset next to it and what it changes there: how files name rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ofclab.rules import Rules, load_rules, presets


@lru_cache(maxsize=256)
def nearest_preset(rules: Rules) -> tuple[str, dict[str, Any]]:
    """The preset with the fewest differences, and the parameters that differ, by dotted name."""

    def changes(preset: str) -> dict[str, Any]:
        base = load_rules(preset).flat()
        return {name: value for name, value in rules.flat().items() if base[name] != value}

    nearest = min(presets(), key=lambda preset: (len(changes(preset)), preset != rules.name, preset))
    return nearest, changes(nearest)
