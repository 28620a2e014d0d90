"""The notebook widgets, driven as a hand would: what they hold and what they say."""

import pytest

import ofclab as ofc
from ofclab.widgets import RuleEditor, SpotViewer

SPOT = "7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s"


def test_every_preset_fills_the_form_and_comes_back_unchanged() -> None:
    for name in ofc.presets():
        editor = RuleEditor(name)
        editor._changed(None)
        assert editor.rules == ofc.load_rules(name)


def test_a_change_is_said_in_words() -> None:
    editor = RuleEditor("american-pineapple")
    editor.set("scoring.sweep_bonus", 0)
    editor.set("royalties.mode", "row_winner")
    assert editor.rules == editor.base.replace({"scoring.sweep_bonus": 0, "royalties.mode": "row_winner"})
    assert editor.message.count("<li>") == 2


@pytest.mark.parametrize(("name", "value"), [("foul.penalty", "a lot"), ("deal.rounds", "[{]")])
def test_a_wrong_value_is_named_and_the_last_valid_rules_stay(name: str, value: str) -> None:
    editor = RuleEditor("american-pineapple")
    editor.set("scoring.sweep_bonus", 0)
    kept = editor.rules
    editor.set(name, value)
    assert editor.rules is kept
    assert name in editor.message
    assert "Not valid" in editor.message


def test_another_start_fills_the_form() -> None:
    editor = RuleEditor("american-pineapple")
    editor._start.value = "turbo"
    assert editor.rules == ofc.load_rules("turbo")


def test_a_spot_is_drawn_then_evaluated() -> None:
    viewer = SpotViewer(SPOT)
    assert viewer.evaluation is None
    viewer.evaluate()
    assert viewer.evaluation is not None
    assert viewer.evaluation["placement"][0] == "- / 2h / 5d, discard Tc"


def test_a_card_twice_is_named_and_nothing_is_drawn_as_markup() -> None:
    viewer = SpotViewer(SPOT)
    viewer.set(SPOT.replace("Tc 5d", "Ks 5d"))
    viewer.evaluate()
    assert "Ks" in viewer.message
    viewer.set("<script>")
    assert "<script>" not in viewer.message


def test_they_display_in_a_notebook() -> None:
    for widget in (RuleEditor(), SpotViewer()):
        assert "application/vnd.jupyter.widget-view+json" in widget._repr_mimebundle_()
