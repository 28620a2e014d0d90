"""Every parameter of the rules changes something: one demonstration each, two values and what follows from them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import ofclab as ofc

EXAMPLES = json.loads((Path(__file__).parent / "data" / "examples.json").read_text(encoding="utf-8"))
LIVE = [parameter["name"] for parameter in EXAMPLES["parameters"] if not parameter["informational"]]

ENGINE_PARAMETERS = {
    "deck.cards": "the cards dealt from; the rules only check it against deck.jokers",
    "deck.jokers": "jokers in the deal; a scorer reads jokers under any rules",
    "players.max": "seats at a table; see also the deck cases of test_examples",
    "deal.last_face_down": "what the others see until the showdown",
    "visibility.discards": "what the others see of discards",
    "fantasyland.adds_hand": "hands in a game",
    "game.end_when_one_stack": "when a game ends",
    "game.hands": "when a game ends",
    "stakes.settle_when": "when pair totals are paid",
    "stakes.table_stakes": "whether stacks limit payments at all",
    "stakes.buy_in": "the stacks at the start",
    "stakes.rebuy": "the stacks of later hands",
}
"""Parameters that take effect in the deal and over a game, and what they do; the tests of the engine show them."""

Measure = Callable[[ofc.Rules], Any]


def points(*boards: str) -> Measure:
    """Points of the first player."""
    return lambda rules: ofc.score(boards, rules).points[0]


def royalties(board: str) -> Measure:
    return lambda rules: ofc.score([board, board], rules).seats[0].royalties.total


def foul(board: str) -> Measure:
    return lambda rules: ofc.is_foul(ofc.Board.parse(board), rules)


def following(board: str, came_in_with: int = 0, announced: bool | None = None) -> Measure:
    """Cards of the next Fantasyland."""
    return lambda rules: (
        ofc.score([board] * 2, rules, fantasyland=[came_in_with] * 2, announced=[announced] * 2)
        .seats[0]
        .next_fantasyland
    )


def stacks(pairs: dict[str, int], **start: int) -> Measure:
    """Stacks after a settlement, from the dealer's left."""
    named = [(pair[0], pair[1], won) for pair, won in pairs.items()]
    return lambda rules: tuple(ofc.settle(named, start, rules).stacks.values())


def timeout(board: str, dealt: str) -> Measure:
    """Discards of a player whose time ran out, or that the rules place nothing."""

    def measure(rules: ofc.Rules) -> str:
        try:
            return ofc.format_cards(ofc.auto_place(ofc.Board.parse(board), dealt, rules).discards)
        except ofc.RulesError:
            return "refused"

    return measure


def order(rules: ofc.Rules) -> str:
    return "".join(ofc.turn_order("abc", "c", rules, fantasyland="b"))


def button(rules: ofc.Rules) -> str:
    return str(ofc.next_button("abc", "c", rules, earned="a"))


@dataclass(frozen=True)
class Demonstration:
    """Under two values of one parameter, and otherwise the same rules, the same thing comes out differently."""

    measure: Measure
    outcomes: tuple[tuple[Any, Any], tuple[Any, Any]]  # (value, what comes out) twice
    preset: str = "american-pineapple"
    common: dict[str, Any] = field(default_factory=dict)


QUEENS = "Qh Qc 2d / Ts 9c 8h 7d 6s / Ah Kh Jh Th 5h"  # QQ 7, straight 4, flush 4
PLAIN = "Kc 7d 4s / Jh Jd 6s 5c 2d / As Ah 9c 9d 3h"
WEAKER = "Qd 6h 3c / Th Td 8s 6c 2c / Ks Kh 7s 7c 4d"  # loses every row to PLAIN
MIXED = "Ad 9h 3c / Th Td 8s 6c 2c / Ks Kh 7s 7c 4d"  # wins the front from PLAIN
FOULED = "As Ah 2d / Ks Kc Kd Qs Qc / 3h 3c 9d 7s 5c"
TRIPS = "As 7d 2c / 5s 5h 5d Kc 9d / Ts Th Td Qc 3h"
QUADS = "Ks Qd Jc / Th Td 8s 7c 4h / 9s 9h 9d 9c 2d"
EQUAL_BACK = "Jh 9c 2d / Ks Kh 5s 5h Qs / Kd Kc 5d 5c Qd"
PREFIX = "Qs Qh 7d / Qd Qc 7s 6h 5d / Ac Kc Jc 9c 2c"
TEN_LOW = "Jd Qc 4s / Ts 9h 8d 7c 5s / As Ah 6d 6c 2d"
PERFECT_LOW = "Qd Qc 4s / 7s 5h 4d 3c 2s / As Ah 9d 9c 5d"
BOTH_WAYS = "Kd Kc 4s / 7s 5h 4d 3c 2s / As Ah 9d 9c 5d"
FOUR_ACES = "As Jd 4c / Th Td 8s 5c 2h / Ah Ad Ac 7s X1"
FIVE_ACES = "Kh Jd 4c / Th Td 8s 5c 2h / Ah Ad Ac As X1"
TEMPTED = "Qh 7d X1 / Jh Jd 9s 5c 2h / Th Td Tc 4s 3h"  # Q-Q would foul, 7-7 does not
STAY = {"front": None, "middle": None, "back": None}

DEMONSTRATIONS = {
    "deal.rounds": Demonstration(
        timeout("- / 9h / Ks Kd 2c 4s", "6d 7d Jc"),
        (
            ([{"deal": 3, "place": 2, "discard": 1}] * 4, "Jc"),
            ([{"deal": 3, "place": 1, "discard": 2}, {"deal": 3, "place": 3, "discard": 0}] * 2, "7d Jc"),
        ),
        common={"players.max": 2},
    ),
    "ranking.middle": Demonstration(
        foul("8h 6d 2c / Ts 9h 8d 7c 5s / 9c 8c 7d 5h 3s"),
        (("high", True), ("2-7", False)),
        common={"royalties.middle": {}},
    ),
    "foul.back_over_middle": Demonstration(foul(EQUAL_BACK), (("ge", False), ("gt", True))),
    "foul.middle_over_front": Demonstration(
        foul(PREFIX), (("ge", False), ("gt", True)), common={"foul.cross_length_compare": "prefix_tie"}
    ),
    "foul.back_over_front": Demonstration(
        foul("Ks Kd Qc / 9s 7h 5d 4c 3s / Kh Kc Qd 5h 2c"),
        (("ge", False), ("gt", True)),
        "deuce-pineapple",
        {"foul.cross_length_compare": "prefix_tie"},
    ),
    "foul.cross_length_compare": Demonstration(
        foul(PREFIX), (("missing_lowest", False), ("prefix_tie", True)), common={"foul.middle_over_front": "gt"}
    ),
    "foul.low_middle_worst": Demonstration(foul(TEN_LOW), (("T", False), ("9", True)), "deuce-pineapple"),
    "foul.penalty": Demonstration(points(FOULED, PLAIN), ((6, -6), (4, -4))),
    "foul.pays_opponent_royalties": Demonstration(points(FOULED, QUEENS), ((True, -21), (False, -6))),
    "scoring.per_row": Demonstration(points(PLAIN, MIXED), ((1, 1), (2, 2))),
    "scoring.sweep_bonus": Demonstration(points(PLAIN, WEAKER), ((3, 6), (0, 3))),
    "scoring.majority_bonus": Demonstration(points(PLAIN, MIXED), ((0, 1), (1, 2))),
    "royalties.mode": Demonstration(points(QUEENS, QUADS), (("both", 6), ("pair_winner", 16))),
    "royalties.front": Demonstration(royalties(QUEENS), (({"QQ": 7}, 15), ({"QQ": 20}, 28))),
    "royalties.middle": Demonstration(royalties(TRIPS), (({"trips": 2}, 2), ({}, 0))),
    "royalties.back": Demonstration(royalties(TRIPS), (({"quads": 10}, 2), ({"trips": 1}, 3))),
    "royalties.middle_low": Demonstration(
        royalties(PERFECT_LOW), (({"75432": 8}, 15), ({"75432": 5}, 12)), "deuce-pineapple"
    ),
    "fantasyland.enabled": Demonstration(following(QUEENS), ((True, 14), (False, 0))),
    "fantasyland.entry_front": Demonstration(
        following(QUEENS), (([{"min": "QQ", "cards": 15}], 15), ([{"min": "KK", "cards": 15}], 0))
    ),
    "fantasyland.entry_low_wheel_cards": Demonstration(
        following(PERFECT_LOW), ((14, 14), (0, 0)), "deuce-pineapple", {"fantasyland.entry_both_cards": 0}
    ),
    "fantasyland.entry_both_cards": Demonstration(following(BOTH_WAYS), ((15, 15), (0, 14)), "deuce-pineapple"),
    "fantasyland.stay": Demonstration(
        following(QUADS, came_in_with=14), (({**STAY, "back": "quads"}, 14), ({**STAY, "back": "straight_flush"}, 0))
    ),
    "fantasyland.stay_cards": Demonstration(following(QUADS, came_in_with=16), ((14, 14), ("same", 16))),
    "fantasyland.stay_must_announce": Demonstration(
        following(QUADS, came_in_with=14, announced=False), ((False, 14), (True, 0))
    ),
    "fantasyland.set_timing": Demonstration(order, (("before_play", "bac"), ("in_turn", "abc"))),
    "fantasyland.button": Demonstration(button, (("frozen", "c"), ("moves", "a"))),
    "stakes.unit": Demonstration(stacks({"AB": 4}, A=50, B=50), ((1, (54, 46)), (5, (70, 30)))),
    "stakes.win_cap": Demonstration(
        stacks({"AB": 30}, A=10, B=50), (("own_start_stack", (20, 40)), ("none", (40, 20)))
    ),
    "stakes.win_cap_basis": Demonstration(
        stacks({"AB": 8, "AC": -5, "BC": 0, "AD": 8, "BD": 0, "CD": 0}, A=10, B=50, C=50, D=50),
        (("net", (20, 42, 55, 43)), ("gross", (15, 42, 55, 48))),
    ),
    "stakes.busted": Demonstration(
        stacks({"AB": -12, "AC": 4, "BC": 0}, A=5, B=50, C=50),
        (("continues", (4, 55, 46)), ("eliminated", (0, 55, 50))),
    ),
    "stakes.match_cap": Demonstration(stacks({"AB": -30}, A=50, B=50), ((None, (20, 80)), (10, (40, 60)))),
    "stakes.rake": Demonstration(
        stacks({"AB": 40}, A=50, B=50),
        ((None, (86, 10)), ("final_hand_when_one_stack", (90, 10))),
        common={"stakes.rake_percent": 10},
    ),
    "stakes.rake_percent": Demonstration(stacks({"AB": 40}, A=50, B=50), ((0, (90, 10)), (5, (88, 10)))),
    "stakes.rake_cap": Demonstration(
        stacks({"AB": 40}, A=50, B=50), ((None, (86, 10)), (3, (87, 10))), common={"stakes.rake_percent": 10}
    ),
    "timeout.autoplace": Demonstration(
        timeout("- / 9h / Ks Kd 2c 4s", "6d 7d Jc"), (("back_middle_front_dealt_order", "Jc"), ("none", "refused"))
    ),
    "jokers.may_copy": Demonstration(royalties(FOUR_ACES), (("other_row", 10), ("none", 6)), "joker-progressive"),
    "jokers.reading": Demonstration(
        foul(TEMPTED), (("strongest_legal", False), ("strongest", True)), "joker-progressive"
    ),
    "jokers.five_of_a_kind": Demonstration(
        royalties(FIVE_ACES),
        ((False, 10), (True, 40)),
        "joker-progressive",
        {"jokers.may_copy": "any", "royalties.back": {"quads": 10, "five_of_a_kind": 40}},
    ),
}


@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_parameter_makes_a_difference(name: str) -> None:
    shown = DEMONSTRATIONS[name]
    rules = ofc.load_rules(shown.preset).replace(shown.common)
    (first, _), (second, _) = shown.outcomes
    assert first != second
    found = [shown.measure(rules.replace({name: value})) for value, _ in shown.outcomes]
    assert found == [outcome for _, outcome in shown.outcomes]
    assert found[0] != found[1]


@pytest.mark.parametrize("mode", ["both", "row_winner", "pair_winner", "off"])
def test_royalty_modes(mode: str) -> None:
    """QUEENS wins the front with 7 and the middle with 4, QUADS the back with 10: 1 point in rows."""
    rules = ofc.load_rules("american-pineapple").replace({"royalties.mode": mode})
    collected = {"both": 15 - 10, "row_winner": 7 + 4 - 10, "pair_winner": 15, "off": 0}
    assert points(QUEENS, QUADS)(rules) == 1 + collected[mode]


def test_what_is_left_belongs_to_the_engine() -> None:
    assert set(LIVE) - set(DEMONSTRATIONS) == set(ENGINE_PARAMETERS)
    assert not set(DEMONSTRATIONS) & set(ENGINE_PARAMETERS)
    assert set(DEMONSTRATIONS) <= set(LIVE)
