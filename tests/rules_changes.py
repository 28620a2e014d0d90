"""One valid change for each parameter, and what the tests of rules share."""

from pathlib import Path
from typing import Any

import pytest

from ofclab.rules import Rules, RulesError, load_rules

PINEAPPLE = load_rules("american-pineapple")
DEUCE = load_rules("deuce-pineapple")

# By parameter: the ruleset that is changed and the new value.
CHANGED: dict[str, tuple[Rules, Any]] = {
    "deck.cards": (PINEAPPLE, 54),
    "deck.jokers": (PINEAPPLE, 2),
    "players.max": (PINEAPPLE, 2),
    "deal.rounds": (load_rules("american-regular"), [{"deal": 4, "place": 4, "discard": 0}] * 2),
    "deal.last_face_down": (PINEAPPLE, 3),
    "visibility.draws": (PINEAPPLE, "open"),
    "visibility.discards": (PINEAPPLE, "revealed"),
    "ranking.middle": (PINEAPPLE, "2-7"),
    "foul.back_over_middle": (PINEAPPLE, "gt"),
    "foul.middle_over_front": (PINEAPPLE, "gt"),
    "foul.back_over_front": (DEUCE, "gt"),
    "foul.cross_length_compare": (PINEAPPLE, "prefix_tie"),
    "foul.low_middle_worst": (DEUCE, "9"),
    "foul.penalty": (PINEAPPLE, 4),
    "foul.pays_opponent_royalties": (PINEAPPLE, False),
    "scoring.per_row": (PINEAPPLE, 2),
    "scoring.sweep_bonus": (PINEAPPLE, 0),
    "scoring.majority_bonus": (PINEAPPLE, 1),
    "royalties.mode": (PINEAPPLE, "row_winner"),
    "royalties.front": (PINEAPPLE, {"AA": 5}),
    "royalties.middle": (PINEAPPLE, {"quads": 7}),
    "royalties.back": (PINEAPPLE, {}),
    "royalties.middle_low": (DEUCE, None),
    "fantasyland.enabled": (PINEAPPLE, False),
    "fantasyland.entry_front": (PINEAPPLE, [{"min": "KK", "cards": 15}]),
    "fantasyland.entry_low_wheel_cards": (DEUCE, 16),
    "fantasyland.entry_both_cards": (DEUCE, 0),
    "fantasyland.stay": (PINEAPPLE, {"front": "KK", "middle": "full_house", "back": None}),
    "fantasyland.stay_cards": (PINEAPPLE, "same"),
    "fantasyland.stay_must_announce": (PINEAPPLE, True),
    "fantasyland.set_timing": (PINEAPPLE, "in_turn"),
    "fantasyland.button": (PINEAPPLE, "moves"),
    "fantasyland.adds_hand": (PINEAPPLE, True),
    "game.end_when_one_stack": (DEUCE, True),
    "game.hands": (PINEAPPLE, 36),
    "game.join_midgame": (PINEAPPLE, False),
    "game.leave_during_hand": (PINEAPPLE, True),
    "stakes.unit": (PINEAPPLE, 5),
    "stakes.settle_when": (DEUCE, "each_hand"),
    "stakes.table_stakes": (PINEAPPLE, True),
    "stakes.win_cap": (PINEAPPLE, "current_stack"),
    "stakes.win_cap_basis": (PINEAPPLE, "gross"),
    "stakes.busted": (PINEAPPLE, "eliminated"),
    "stakes.match_cap": (PINEAPPLE, 100),
    "stakes.buy_in": (PINEAPPLE, 200),
    "stakes.rebuy": (PINEAPPLE, "each_hand"),
    "stakes.rake": (PINEAPPLE, "final_hand_when_one_stack"),
    "stakes.rake_percent": (PINEAPPLE, 2.5),
    "stakes.rake_cap": (PINEAPPLE, 10),
    "timeout.clock": (PINEAPPLE, "per_street"),
    "timeout.autoplace": (PINEAPPLE, "none"),
    "jokers.may_copy": (PINEAPPLE, "any"),
    "jokers.reading": (PINEAPPLE, "strongest"),
    "jokers.five_of_a_kind": (PINEAPPLE, True),
}

# What has to change along with a parameter for the rules to stay playable.
ALONG: dict[str, dict[str, Any]] = {
    "deck.cards": {"deck.jokers": 2},
    "deck.jokers": {"deck.cards": 54},
    "ranking.middle": {"royalties.middle": None},
    "stakes.rebuy": {"stakes.buy_in": 200, "stakes.table_stakes": True},
    "stakes.rake_cap": {"stakes.rake_percent": 5},
}


def changed(name: str) -> tuple[Rules, Rules]:
    before, value = CHANGED[name]
    return before, before.replace({name: value, **ALONG.get(name, {})})


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(call: Any, *args: Any) -> str:
    with pytest.raises(RulesError) as caught:
        call(*args)
    return str(caught.value)
