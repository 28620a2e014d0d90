"""Rulesets and their differences in plain words."""

from typing import Any

import pytest
from rules_changes import ALONG, CHANGED, DEUCE, PINEAPPLE, changed

from ofclab.rules import FRONT_HANDS, describe_rules, diff_rules, load_rules, presets


def test_equal_rules_do_not_differ() -> None:
    assert diff_rules(PINEAPPLE, PINEAPPLE) == []


@pytest.mark.parametrize("name", CHANGED)
def test_every_parameter_is_explained(name: str) -> None:
    before, after = changed(name)
    for a, b in ((before, after), (after, before)):
        found = [change for change in diff_rules(a, b) if change.parameter.startswith(name)]
        assert found
        assert all(change.text and "{" not in change.text for change in found)
        touched = (name, *ALONG.get(name, {}))
        assert all(change.parameter.startswith(touched) for change in diff_rules(a, b))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"scoring.sweep_bonus": 0}, "A scoop pays 0 instead of 3 extra points"),
        ({"royalties.back.quads": 8}, "Quads in the back pay 8 instead of 10"),
        ({"royalties.middle.trips": 0}, "Trips in the middle pay 0 instead of 2"),
        ({"royalties.front.66": 2}, "Sixes up front pay 2 instead of 1"),
        (
            {"fantasyland.stay.middle": "full_house"},
            "A full house or better in the middle stays in Fantasyland; it did not",
        ),
        ({"fantasyland.stay.back": None}, "Quads or better in the back no longer stay in Fantasyland"),
        (
            {"fantasyland.stay.front": "QQ"},
            "Staying in Fantasyland takes queens or better up front instead of trips up front",
        ),
        ({"fantasyland.stay_cards": "same"}, "A stay is dealt as many cards as before instead of 14 cards"),
        ({"foul.middle_over_front": "gt"}, "A middle exactly as strong as the front is a foul instead of allowed"),
        ({"game.hands": 36}, "Hands in a game: 36 instead of as many as the players like"),
    ],
)
def test_in_the_words_of_the_game(changes: dict[str, Any], text: str) -> None:
    assert [change.text for change in diff_rules(PINEAPPLE, PINEAPPLE.replace(changes))] == [text]


def test_fantasyland_entries_hand_by_hand() -> None:
    texts = [change.text for change in diff_rules(PINEAPPLE, load_rules("progressive-pineapple"))]
    assert texts == [
        "Kings up front earn 15 Fantasyland cards instead of 14",
        "Aces up front earn 16 Fantasyland cards instead of 14",
        "Trips up front earn 17 Fantasyland cards instead of 14",
    ]
    jacks = PINEAPPLE.replace({"fantasyland.entry_front": [{"min": "JJ", "cards": 14}]})
    assert str(diff_rules(PINEAPPLE, jacks)[0]) == "Jacks up front enter Fantasyland with 14 cards; they did not"
    assert str(diff_rules(jacks, PINEAPPLE)[0]) == "Jacks up front no longer enter Fantasyland"


def test_the_last_entry_met_applies() -> None:
    shadowed = [{"min": "KK", "cards": 16}, {"min": "QQ", "cards": 14}]
    (change,) = diff_rules(PINEAPPLE, PINEAPPLE.replace({"fantasyland.entry_front": shadowed}))
    assert "listed differently" in change.text


def test_neighbouring_royalties_are_told_together() -> None:
    trips = {hand: 20 for hand in FRONT_HANDS if len(hand) == 3}
    flat = PINEAPPLE.replace({f"royalties.front.{hand}": points for hand, points in trips.items()})
    texts = [change.text for change in diff_rules(PINEAPPLE, flat)]
    assert texts[0] == "Trip deuces to trip jacks up front pay 20 each instead of 10 to 19"
    assert len(texts) == 3


def test_description_leaves_out_what_has_no_effect() -> None:
    assert "A joker may repeat" in describe_rules(load_rules("joker-progressive"))
    assert "A joker may repeat" not in describe_rules(PINEAPPLE)
    assert "Staying" not in describe_rules(load_rules("tournament-2013"))
    assert "ten-low or better" in describe_rules(DEUCE)


@pytest.mark.parametrize("name", presets())
def test_notebooks_show_every_preset(name: str) -> None:
    assert load_rules(name).id in load_rules(name)._repr_html_()
    assert name in repr(load_rules(name))
