"""What is wrong with a ruleset is said by key, value and choices."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from rules_changes import PINEAPPLE, problems, write

from ofclab.rules import Rules, RulesError, load_rules


class TestMistakes:
    def test_unknown_preset_lists_the_choices(self) -> None:
        text = problems(load_rules, "american-pinapple")
        assert "did you mean 'american-pineapple'?" in text
        assert "turbo" in text

    def test_missing_file(self, tmp_path: Path) -> None:
        assert "no such rules file" in problems(load_rules, tmp_path / "gone.toml")

    def test_bad_toml_names_file_and_line(self, tmp_path: Path) -> None:
        text = problems(load_rules, write(tmp_path, "bad.toml", 'extends = "turbo"\nfoul = = 3\n'))
        assert "bad.toml" in text
        assert "line 2" in text

    def test_all_problems_of_a_file_come_together(self, tmp_path: Path) -> None:
        path = write(
            tmp_path,
            "house.toml",
            """
            extends = "american-pineapple"
            tilte = "House"
            [scoring]
            sweep_bonus = "6"
            sweep = 3
            [royalties]
            mode = "bothe"
            front = { 65 = 2, 66 = -1 }
            [fantasyland]
            entry_front = [{ min = "Q", cards = 18 }]
            stay = { back = "quad" }
            """,
        )
        text = problems(load_rules, path)
        assert text.startswith(f"{path}: 9 problems")
        for said in (
            "tilte: unknown key; did you mean 'title'?",
            'scoring.sweep_bonus = "6": want points',
            "scoring.sweep: unknown key",
            """royalties.mode = "bothe": want both, row_winner, pair_winner or off; did you mean 'both'?""",
            "royalties.front.65: unknown hand",
            "royalties.front.66 = -1: want points",
            "fantasyland.entry_front[0].min = \"Q\": want a pair 22..AA or trips 222..AAA; did you mean 'QQ'?",
            "fantasyland.entry_front[0].cards = 18: want cards: 13..17",
            'fantasyland.stay.back = "quad": want pair, two_pair',
        ):
            assert said in text

    @pytest.mark.parametrize("value", [True, "6", 6.0, -1, None, 10**9, [6]])
    def test_points_are_whole_numbers(self, value: Any) -> None:
        assert "scoring.sweep_bonus = " in problems(PINEAPPLE.replace, {"scoring.sweep_bonus": value})
        assert "royalties.back.quads = " in problems(PINEAPPLE.replace, {"royalties.back.quads": value})

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("deck.jokers", True),
            ("deal.last_face_down", False),
            ("deal.last_face_down", 3.0),
            ("players.max", 5),
            ("foul.pays_opponent_royalties", 1),
            ("foul.low_middle_worst", "6"),
            ("royalties.front", {"10": 3}),
            ("royalties.middle_low", {"6-low": 3}),
            ("fantasyland.entry_front", "none"),
            ("fantasyland.entry_front", [{"min": "none", "cards": 14}]),
            ("fantasyland.entry_low_wheel_cards", 12),
            ("fantasyland.stay.back", "high_card"),
            ("fantasyland.stay_cards", 18),
            ("fantasyland.stay_cards", True),
            ("game.hands", 0),
            ("game.hands", "open"),
            ("stakes.unit", 0),
            ("stakes.match_cap", 0),
            ("stakes.rake", "always"),
            ("stakes.rake_percent", 101),
            ("stakes.rake_percent", True),
            ("stakes.rake_percent", float("nan")),
            ("timeout.autoplace", None),
        ],
    )
    def test_values_out_of_range(self, name: str, value: Any) -> None:
        assert problems(PINEAPPLE.replace, {name: value}).startswith(name)

    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("scoring.sweep_bonuss", "did you mean 'sweep_bonus'?"),
            ("sweep_bonus", "did you mean 'scoring.sweep_bonus'?"),
            ("skoring.sweep_bonus", "did you mean 'scoring.sweep_bonus'?"),
            ("scoring", "names a group"),
            ("fantasyland.stay.midle", "did you mean 'middle'?"),
            ("scoring.sweep_bonus.x", "unknown key"),
        ],
    )
    def test_unknown_names(self, name: str, hint: str) -> None:
        assert hint in problems(PINEAPPLE.replace, {name: 1})

    def test_rules_built_by_hand_report_the_same_way(self) -> None:
        assert "scoring = 3: want a table of per_row" in problems(lambda: Rules(scoring=3))
        assert "unknown key" in problems(lambda: Rules(scorring={}))

    def test_weak_spots_must_be_about_parameters(self, tmp_path: Path) -> None:
        assert "unknown key" in problems(load_rules, write(tmp_path, "w.toml", '[weak_spots]\n"foul.x" = "why"\n'))
        assert "weak_spots" in problems(load_rules, write(tmp_path, "w.toml", "weak_spots = 3\n"))

    def test_errors_can_cross_processes(self) -> None:
        error = RulesError("wrong", "house.toml")
        assert str(pickle.loads(pickle.dumps(error))) == str(error) == "house.toml: wrong"


class TestImpossible:
    @pytest.mark.parametrize(
        ("preset", "changes", "key"),
        [
            ("american-pineapple", {"players.max": 4}, "players.max"),
            ("american-regular", {"fantasyland.entry_front": [{"min": "QQ", "cards": 14}]}, "players.max"),
            ("american-regular", {"fantasyland.stay_cards": 14}, "players.max"),
            ("american-pineapple", {"deck.cards": 54}, "deck.cards"),
            ("american-pineapple", {"deck.jokers": 2}, "deck.cards"),
            ("american-pineapple", {"deal.rounds": [{"deal": 3, "place": 2, "discard": 1}] * 3}, "deal.rounds"),
            ("american-pineapple", {"deal.rounds": [{"deal": 4, "place": 2, "discard": 1}] * 4}, "deal.rounds[0]"),
            (
                "american-pineapple",
                {"deal.rounds": [{"deal": 4, "place": 2, "discard": 2}] * 4, "players.max": 2},
                "deal.rounds",
            ),
            ("american-pineapple", {"visibility.discards": "none"}, "visibility.discards"),
            ("american-regular", {"visibility.discards": "hidden"}, "visibility.discards"),
            ("american-pineapple", {"stakes.settle_when": "end_of_game"}, "stakes.settle_when"),
            ("american-pineapple", {"game.end_when_one_stack": True}, "game.end_when_one_stack"),
            ("american-pineapple", {"royalties.middle_low": {"7-low": 4}}, "royalties.middle_low"),
            ("american-pineapple", {"foul.low_middle_worst": "T"}, "foul.low_middle_worst"),
            ("american-pineapple", {"fantasyland.entry_low_wheel_cards": 14}, "fantasyland.entry_low_wheel_cards"),
            ("american-pineapple", {"fantasyland.entry_both_cards": 14}, "fantasyland.entry_both_cards"),
            ("american-pineapple", {"fantasyland.stay.low_wheel": True}, "fantasyland.stay.low_wheel"),
            ("american-pineapple", {"foul.back_over_front": "gt"}, "foul.back_over_front"),
            ("deuce-pineapple", {"royalties.middle": {"quads": 20}}, "royalties.middle"),
            ("deuce-pineapple", {"fantasyland.stay.middle": "full_house"}, "fantasyland.stay.middle"),
            ("deuce-pineapple", {"foul.back_over_middle": "gt"}, "foul.back_over_middle"),
            ("deuce-pineapple", {"foul.middle_over_front": "gt"}, "foul.middle_over_front"),
            ("deuce-pineapple", {"fantasyland.entry_low_wheel_cards": 0}, "fantasyland.entry_both_cards"),
            ("american-pineapple", {"stakes.rake_cap": 5}, "stakes.rake_cap"),
            ("american-pineapple", {"stakes.rebuy": "each_hand", "stakes.table_stakes": True}, "stakes.rebuy"),
            ("american-pineapple", {"stakes.rebuy": "each_hand", "stakes.buy_in": 100}, "stakes.rebuy"),
        ],
    )
    def test_says_which_key(self, preset: str, changes: dict[str, Any], key: str) -> None:
        with pytest.raises(RulesError) as caught:
            load_rules(preset).replace(changes)
        assert key in {problem.key for problem in caught.value.problems}

    @pytest.mark.parametrize(
        ("preset", "changes"),
        [
            ("american-pineapple", {"fantasyland.entry_front": [{"min": "QQ", "cards": 13}]}),
            ("american-regular", {"players.max": 3, "fantasyland.stay_cards": 14, "visibility.discards": "hidden"}),
            ("american-regular", {"players.max": 3, "fantasyland.stay_cards": 14}),
            ("american-regular", {"fantasyland.stay_cards": 14, "fantasyland.stay": None}),
            ("american-regular", {"fantasyland.enabled": False, "fantasyland.stay_cards": 17}),
            ("american-pineapple", {"deck.cards": 53, "deck.jokers": 1}),
            ("deuce-pineapple", {"foul.low_middle_worst": None, "fantasyland.stay.low_wheel": True}),
            ("american-pineapple", {"stakes.win_cap": "current_stack"}),
            ("american-pineapple", {"fantasyland.entry_front": []}),
        ],
    )
    def test_unusual_but_playable(self, preset: str, changes: dict[str, Any]) -> None:
        load_rules(preset).replace(changes)
