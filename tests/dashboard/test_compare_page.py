"""Compare rules: house rules edited in a form and as text, both methods, one change at a time."""

import json
from pathlib import Path

import pytest
from opening import errors, html, marks, open_page, texts, wait_for_jobs

import ofclab as ofc

BASE = {"log": "small", "compare_a": "american-pineapple", "compare_b": "american-pineapple"}


@pytest.fixture
def compare(library: Path, monkeypatch: pytest.MonkeyPatch):
    """Open the page over the library."""
    return lambda **address: open_page("compare", library, monkeypatch, **{**BASE, **address})


def _edit(app) -> dict[str, object]:
    said = app.query_params["compare_edit"]
    return json.loads(said if isinstance(said, str) else said[-1])


def test_a_rule_is_changed_in_the_form_and_goes_into_the_address_and_the_text(compare) -> None:
    app = compare(compare_editor="true")
    assert "Nothing differs." in html(app)
    app.number_input(key="compare_edit_scoring.sweep_bonus").set_value(6).run()
    assert _edit(app) == {"scoring.sweep_bonus": 6}
    assert "A scoop pays 6 instead of 3 extra points" in html(app)
    assert app.session_state["compare_edit_draft"]["text"] == "scoring.sweep_bonus = 6\n"
    assert not errors(app)


def test_a_link_with_changes_shows_the_same(compare) -> None:
    edit = json.dumps({"scoring.sweep_bonus": 6, "royalties.front.66": 3})
    app = compare(compare_edit=edit)
    assert "Sixes up front pay 3 instead of 1" in html(app)
    assert "american-pineapple, edited" in html(app)


def test_a_choice_that_cannot_be_played_is_refused_and_the_last_valid_one_stays(compare) -> None:
    app = compare(compare_editor="true", compare_edit=json.dumps({"scoring.sweep_bonus": 6}))
    app.selectbox(key="compare_edit_group").set_value("royalties").run()
    app.text_input(key="compare_edit_royalties.front").input("QQ lots").run()
    assert len(errors(app)) == 1
    assert 'royalties.front.QQ = "lots"' in texts(app)
    assert _edit(app) == {"scoring.sweep_bonus": 6}
    app.run()
    assert not errors(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("foul.penalty = 8\nscoring.sweep_bonus = 'x'\n", 'Line 2: scoring.sweep_bonus = "x"'),
        ("[scoring]\n\nsweep_bonus = -1", "Line 3: scoring.sweep_bonus = -1"),
        ("foul.penalty = \n", "Line 1: this is not TOML"),
        ("foul.penalti = 3", "Line 1: foul.penalti: unknown key; did you mean 'penalty'?"),
        ("royalties.front = {66 = 1, 77 = -3}", "Line 1: royalties.front.77 = -3"),
        ("x" * 30_000, "at most 20,000"),
        ("a = " + "[" * 5000, "not TOML"),
    ],
)
def test_a_fault_in_the_text_is_named_with_its_line(text: str, said: str) -> None:
    from components.rules_text import read_changes

    changes, faults = read_changes(text, ofc.load_rules("american-pineapple"))
    assert not changes
    assert said in str(faults[0])


@pytest.mark.parametrize("name", ofc.presets())
def test_text_address_and_form_lead_to_the_same_rules(name: str) -> None:
    from components.rules_text import (
        changes_of,
        read_address,
        read_changes,
        setting_text,
        setting_value,
        to_address,
        write_changes,
    )

    base, rules = ofc.load_rules("american-pineapple"), ofc.load_rules(name)
    changes = changes_of(base, rules)
    assert base.replace(changes) == rules
    assert base.replace(read_changes(write_changes(changes), base)[0]) == rules
    assert base.replace(read_address(to_address(changes), base)) == rules
    for setting in ("deal.rounds", "fantasyland.entry_front", "fantasyland.stay", "royalties.front", "stakes.buy_in"):
        value = rules.flat()[setting]
        assert rules.replace({setting: setting_value(setting, setting_text(setting, value))}) == rules, setting


@pytest.mark.parametrize("edit", ["{", "[]", "3", '{"scoring.sweep_bonus": "x"}', '{"x": 1}', "[" * 9000])
def test_changes_in_the_address_that_cannot_be_used_are_said(compare, edit: str) -> None:
    app = compare(compare_edit=edit)
    assert len(errors(app)) == 1
    assert "do not fit american" in errors(app)[0]
    assert "Nothing differs." in html(app)


def test_house_rules_are_kept_in_the_library(library: Path, monkeypatch, tmp_path: Path) -> None:
    import shutil

    place = shutil.copytree(library, tmp_path / "library")
    edit = json.dumps({"scoring.sweep_bonus": 6})
    app = open_page("compare", place, monkeypatch, **BASE, compare_editor="true", compare_edit=edit)
    app.text_input(key="compare_edit_name").input("sunday").run()
    app.button(key="compare_edit_save").click().run()
    assert ofc.load_rules(place / "rules" / "sunday.toml").scoring.sweep_bonus == 6
    app.text_input(key="compare_edit_name").input("../evil").run()
    app.button(key="compare_edit_save").click().run()
    assert errors(app)
    assert not (place.parent / "evil.toml").exists()


def test_every_change_is_measured_alone_and_in_order(compare) -> None:
    edit = json.dumps({"scoring.sweep_bonus": 6, "foul.penalty": 9})
    app = compare(compare_edit=edit, compare_steps="true")
    assert not errors(app)
    said = html(app)
    assert "1. The penalty" in said or "1. A foul" in said
    assert "In this order" in said


def test_both_rules_are_played_anew_in_the_background(library, monkeypatch, tmp_path: Path) -> None:
    import shutil

    import comparisons

    monkeypatch.setitem(comparisons.SIZES, "Small", (12, 10))
    place = shutil.copytree(library, tmp_path / "library")
    app = open_page("compare", place, monkeypatch, **BASE | {"compare_b": "house.toml"}, compare_how="Re-simulated")
    assert not app.exception
    [start] = [button for button in app.button if button.label == "Play both"]
    start.click().run()
    app = wait_for_jobs(app)
    assert not errors(app)
    assert "12 tables" in html(app)
    # A link shows what was played, to everybody.
    again = open_page("compare", place, monkeypatch, **BASE | {"compare_b": "house.toml"}, compare_how="Re-simulated")
    assert "12 tables" in html(again)


def test_the_worth_of_fantasyland_is_shown_under_both(compare) -> None:
    app = compare(compare_b="house.toml")
    assert "14 cards" in html(app)
    assert "two at a table" in marks(app)
