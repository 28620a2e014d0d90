"""House rules in TOML files, and writing them."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_changes import CHANGED, PINEAPPLE, changed, problems, write

from ofclab.rules import FRONT_HANDS, Rules, load_rules, presets
from ofclab.rules.load import _merge


def test_says_only_what_it_changes(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "friday.toml",
        """
        extends = "american-pineapple"
        title = "Friday game"
        scoring.sweep_bonus = 0
        [royalties.front]
        66 = 0
        AA = 10
        [fantasyland.stay]
        middle = "full_house"
        """,
    )
    rules = load_rules(path)
    assert (rules.name, rules.title) == ("friday", "Friday game")
    wanted = PINEAPPLE.replace(
        {
            "scoring.sweep_bonus": 0,
            "royalties.front.66": 0,
            "royalties.front.AA": 10,
            "fantasyland.stay.middle": "full_house",
        }
    )
    assert rules == wanted
    assert load_rules(str(path)) == wanted


def test_without_extends_it_changes_the_defaults(tmp_path: Path) -> None:
    path = write(tmp_path, "plain.toml", "[foul]\npenalty = 4\n")
    assert load_rules(path) == Rules().replace({"foul.penalty": 4})


def test_quoted_dotted_keys_are_the_same(tmp_path: Path) -> None:
    path = write(tmp_path, "quoted.toml", '"scoring.sweep_bonus" = 0\n"royalties.front.66" = 7\n')
    assert load_rules(path) == Rules().replace({"scoring.sweep_bonus": 0, "royalties.front.66": 7})


def test_lists_replace(tmp_path: Path) -> None:
    text = 'extends = "progressive-16"\n[fantasyland]\nentry_front = [{ min = "KK", cards = 15 }]\n'
    assert len(load_rules(write(tmp_path, "one.toml", text)).fantasyland.entry_front) == 1


def test_none_is_how_toml_says_nothing(tmp_path: Path) -> None:
    text = 'extends = "deuce-pineapple"\nfoul.low_middle_worst = "none"\nroyalties.middle_low = "none"\n'
    rules = load_rules(write(tmp_path, "none.toml", text))
    assert rules.foul.low_middle_worst is None
    assert rules.royalties.middle_low is None


def test_extends_another_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", 'extends = "turbo"\nscoring.sweep_bonus = 0\n')
    (tmp_path / "deep").mkdir()
    path = write(tmp_path / "deep", "top.toml", 'extends = "../base.toml"\nfoul.penalty = 4\n')
    assert load_rules(path) == load_rules("turbo").replace({"scoring.sweep_bonus": 0, "foul.penalty": 4})


def test_inherits_the_weak_spots_it_keeps(tmp_path: Path) -> None:
    rules = load_rules(write(tmp_path, "mine.toml", 'extends = "ofo-variable"\nfantasyland.stay_cards = 14\n'))
    assert [spot.parameter for spot in rules.weak_spots] == ["fantasyland.stay"]


def test_byte_order_mark_and_windows_lines_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes('\ufeffextends = "turbo"\r\nscoring.sweep_bonus = 0\r\n'.encode())
    assert load_rules(path).scoring.sweep_bonus == 0


def test_circles_are_errors(tmp_path: Path) -> None:
    write(tmp_path, "a.toml", 'extends = "b.toml"\n')
    write(tmp_path, "b.toml", 'extends = "a.toml"\n')
    assert "a.toml -> b.toml -> a.toml" in problems(load_rules, tmp_path / "a.toml")


@pytest.mark.parametrize("name", presets())
def test_a_written_preset_loads_back(name: str, tmp_path: Path) -> None:
    rules = load_rules(name)
    again = load_rules(write(tmp_path, "copy.toml", rules.to_toml()))
    assert again.id == rules.id
    assert (again.title, again.weak_spots) == (rules.title, rules.weak_spots)


@pytest.mark.parametrize("name", CHANGED)
def test_every_changed_parameter_is_written(name: str, tmp_path: Path) -> None:
    _, after = changed(name)
    assert load_rules(write(tmp_path, "copy.toml", after.to_toml())).id == after.id


def test_awkward_titles_survive(tmp_path: Path) -> None:
    title = 'Kees\' "big" game \\ ♥ \x7f\n\t😀'
    text = Rules(name="x", title=title).to_toml()
    assert load_rules(write(tmp_path, "copy.toml", text)).title == title


@given(st.dictionaries(st.sampled_from(FRONT_HANDS), st.integers(0, 99)))
def test_any_front_table_survives_writing(front: dict[str, int]) -> None:
    rules = PINEAPPLE.replace({"royalties.front": front})
    said = tomllib.loads(rules.to_toml())
    for key in ("title", "description", "source"):
        said.pop(key)
    assert Rules(**_merge(Rules().nested(), said)).id == rules.id
