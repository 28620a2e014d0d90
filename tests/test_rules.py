"""Rulesets: presets, values, and changing them."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from rules_changes import CHANGED, DEUCE, PINEAPPLE, changed, problems

from ofclab.rules import CONSTANTS, PayTable, Rules, describe_rules, load_rules, parameters, presets

TRUTH = json.loads((Path(__file__).parent / "data" / "rules" / "presets.json").read_text())
EXAMPLES = Path(__file__).parents[2] / "shared" / "rules" / "examples.json"


# Ids are written into hand logs: a preset whose id changes is another ruleset.
IDS = {
    "american-pineapple": "06b7c7197a9d",
    "american-regular": "27d0974a749f",
    "deuce-pineapple": "06b576b7004d",
    "joker-progressive": "3fbc0b7a33fd",
    "ofo-variable": "fdb38a579299",
    "pagat-8-10-20": "b7f25e1af24a",
    "pagat-pineapple": "670fc50eb9fe",
    "pagat-progressive": "c0d156f5722e",
    "pagat-standard": "06538e1a9712",
    "pagat-treble": "c314f42e4282",
    "progressive-16": "28cdbde16eaa",
    "progressive-16-same": "82a2d7f1e108",
    "progressive-pineapple": "793009b4a734",
    "russian-pineapple": "f341c5e1f031",
    "spartan-1-6": "691dc3ea7f66",
    "spartan-2-4": "1309a21c3e57",
    "tournament-2013": "1ef9b7fc3d25",
    "turbo": "2f18458c8004",
}


class TestPresets:
    def test_all_are_there(self) -> None:
        assert set(presets()) == set(TRUTH["presets"]) == set(IDS)

    @pytest.mark.parametrize("name", presets())
    def test_has_exactly_the_known_values(self, name: str) -> None:
        assert load_rules(name).flat() == TRUTH["defaults"] | TRUTH["presets"][name]

    @pytest.mark.parametrize("name", presets())
    def test_id_never_changes(self, name: str) -> None:
        assert load_rules(name).id == IDS[name]

    @pytest.mark.parametrize("name", presets())
    def test_says_what_it_is_and_where_it_comes_from(self, name: str) -> None:
        rules = load_rules(name)
        assert rules.name == name
        assert rules.title
        assert rules.description
        assert rules.source

    def test_defaults_and_constants_are_the_known_ones(self) -> None:
        assert {name: parameter.default for name, parameter in parameters().items()} == TRUTH["defaults"]
        assert dict(CONSTANTS) == TRUTH["constants"]
        assert Rules().flat() == TRUTH["defaults"]

    @pytest.mark.parametrize(
        ("preset", "parameter"),
        [
            ("russian-pineapple", "royalties.back.royal_flush"),
            ("spartan-1-6", "fantasyland.stay.middle"),
            ("spartan-2-4", "fantasyland.stay.middle"),
            ("ofo-variable", "fantasyland.stay"),
        ],
    )
    def test_thin_evidence_is_labelled(self, preset: str, parameter: str) -> None:
        rules = load_rules(preset)
        assert parameter in {spot.parameter for spot in rules.weak_spots}
        assert parameter in describe_rules(rules)

    @pytest.mark.skipif(not EXAMPLES.exists(), reason="worked examples are not beside the project")
    def test_every_worked_example_can_be_set_up(self) -> None:
        examples = json.loads(EXAMPLES.read_text())
        for case in examples["cases"]:
            overrides = case.get("overrides") or case.get("params") or {}
            load_rules(case.get("preset", "american-regular")).replace(overrides)


class TestValues:
    def test_rules_are_frozen_hashable_and_picklable(self) -> None:
        with pytest.raises(ValueError, match="frozen"):
            PINEAPPLE.scoring.sweep_bonus = 0  # type: ignore[misc]
        with pytest.raises(TypeError):
            PINEAPPLE.royalties.front["66"] = 9  # type: ignore[index]
        assert pickle.loads(pickle.dumps(PINEAPPLE)) == PINEAPPLE
        assert len({PINEAPPLE, load_rules("american-pineapple"), DEUCE}) == 2

    def test_names_do_not_count_for_equality(self) -> None:
        assert Rules(name="house", title="House") == load_rules("american-regular")

    def test_loading_rules_gives_them_back(self) -> None:
        assert load_rules(PINEAPPLE) is PINEAPPLE

    def test_zero_royalty_is_no_royalty(self) -> None:
        assert PINEAPPLE.replace({"royalties.front.22": 0}).id == PINEAPPLE.id
        assert "trips" not in PINEAPPLE.replace({"royalties.middle.trips": 0}).royalties.middle

    def test_order_of_a_pay_table_does_not_count(self) -> None:
        backwards = dict(reversed(list(PINEAPPLE.royalties.front.items())))
        assert PINEAPPLE.replace({"royalties.front": backwards}).id == PINEAPPLE.id

    def test_order_of_entries_counts(self) -> None:
        entries = load_rules("progressive-16").flat()["fantasyland.entry_front"]
        assert PINEAPPLE.replace({"fantasyland.entry_front": entries[::-1]}).id != load_rules("progressive-16").id

    def test_five_of_a_kind_pays_as_quads_unless_listed(self) -> None:
        assert PayTable({"quads": 10}).pays("five_of_a_kind") == 10
        rules = PINEAPPLE.replace({"royalties.back.five_of_a_kind": 0})
        assert rules.royalties.back.pays("five_of_a_kind") == 0
        assert rules.id != PINEAPPLE.id

    def test_whole_percent_has_one_id(self) -> None:
        assert PINEAPPLE.replace({"stakes.rake_percent": 5}).id == PINEAPPLE.replace({"stakes.rake_percent": 5.0}).id


class TestReplace:
    def test_changes_are_all_listed_here(self) -> None:
        assert set(CHANGED) == set(parameters())

    @pytest.mark.parametrize("name", CHANGED)
    def test_each_parameter_can_change(self, name: str) -> None:
        before, after = changed(name)
        assert after.id != before.id
        assert before.replace({name: before.flat()[name]}).id == before.id

    def test_a_whole_table_replaces(self) -> None:
        assert dict(PINEAPPLE.replace({"royalties.front": {"AA": 5}}).royalties.front) == {"AA": 5}
        stay = PINEAPPLE.replace({"fantasyland.stay": {"back": "quads"}}).fantasyland.stay
        assert (stay.front, stay.middle, stay.back) == (None, None, "quads")

    def test_a_longer_name_changes_one_entry(self) -> None:
        rules = PINEAPPLE.replace({"royalties.front.66": 5, "fantasyland.stay.middle": "full_house"})
        assert rules.royalties.front["66"] == 5
        assert rules.royalties.front["77"] == 2
        assert rules.fantasyland.stay.middle == "full_house"
        assert rules.fantasyland.stay.back == "quads"

    def test_table_and_entry_may_come_together(self) -> None:
        rules = PINEAPPLE.replace({"royalties.front.66": 5, "royalties.front": "none"})
        assert dict(rules.royalties.front) == {"66": 5}

    def test_none_means_nothing(self) -> None:
        for nothing in (None, "none"):
            assert PINEAPPLE.replace({"fantasyland.stay": nothing}).can_stay is False
            assert DEUCE.replace({"foul.low_middle_worst": nothing}).foul.low_middle_worst is None
            assert DEUCE.replace({"royalties.middle_low": nothing}).royalties.middle_low is None

    def test_changed_rules_get_their_own_name(self) -> None:
        once = PINEAPPLE.replace({"scoring.sweep_bonus": 0})
        twice = once.replace({"scoring.per_row": 2})
        assert once.name == f"american-pineapple+{once.id[:6]}"
        assert twice.name == f"american-pineapple+{twice.id[:6]}"
        assert once.title == "American pineapple, scoring.sweep_bonus = 0"
        assert PINEAPPLE.replace({"scoring.sweep_bonus": 3}).name == "american-pineapple"
        assert PINEAPPLE.replace({"scoring.sweep_bonus": 0}, name="flat").name == "flat"

    def test_weak_spots_go_with_the_values_they_are_about(self) -> None:
        russian = load_rules("russian-pineapple")
        sure = russian.replace({"royalties.back.royal_flush": 15})
        assert "royalties.back.royal_flush" not in {spot.parameter for spot in sure.weak_spots}
        assert len(sure.weak_spots) == len(russian.weak_spots) - 1

    @pytest.mark.parametrize(("name", "only"), CONSTANTS.items())
    def test_constants_may_be_stated_but_not_changed(self, name: str, only: Any) -> None:
        assert PINEAPPLE.replace({name: only}).id == PINEAPPLE.id
        wrong = "other" if isinstance(only, str) else (not only if isinstance(only, bool) else only + 1)
        assert f"{name} = " in problems(PINEAPPLE.replace, {name: wrong})

    def test_value_reads_parameters_and_entries(self) -> None:
        assert PINEAPPLE.value("foul.penalty") == 6
        assert PINEAPPLE.value("royalties.front.AA") == 9
        assert PINEAPPLE.value("royalties.front.22") is None
        assert PINEAPPLE.value("fantasyland.stay.front") == "222"
