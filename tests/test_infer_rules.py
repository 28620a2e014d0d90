"""The rules of a log are found from what its source recorded, and where they change."""

from pathlib import Path

import polars as pl
import pytest
from recorded_logs import import_told, told_hands

import ofclab as ofc
from ofclab.compare import CompareError, InferredRules
from ofclab.log.variants import KINDS

PINEAPPLE = ofc.load_rules("american-pineapple")
HOUSE = {"scoring.sweep_bonus": 1, "foul.penalty": 5}
LATER = {"scoring.sweep_bonus": 5}


def same_play(one: ofc.Rules, other: ofc.Rules) -> bool:
    """Whether two rulesets score every hand alike."""
    a, b = one.flat(), other.flat()
    return all(a[name] == b[name] for name in KINDS)


@pytest.fixture(scope="module")
def drifting(tmp_path_factory: pytest.TempPathFactory) -> ofc.Log:
    """60 hands under one house's rules, then 60 under another's."""
    folder = tmp_path_factory.mktemp("drift")
    first = told_hands(PINEAPPLE.replace(HOUSE), folder / "first", tables=2, hands=30, seed=3)
    second = told_hands(PINEAPPLE.replace(LATER), folder / "second", tables=2, hands=30, seed=4, start=len(first))
    return import_told([*first, *second], folder / "import")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[ofc.Log, InferredRules]:
    folder = tmp_path_factory.mktemp("house")
    log = import_told(
        told_hands(PINEAPPLE.replace(HOUSE), folder / "run", tables=4, hands=40, seed=7), folder / "import"
    )
    return log, ofc.infer_rules(log)


def test_a_house_rule_is_found_again(house: tuple[ofc.Log, InferredRules]) -> None:
    log, found = house
    assert same_play(found.rules, PINEAPPLE.replace(HOUSE))
    assert ofc.audit(log, found.rules).is_empty()
    assert found.explained == found.hands == log.n_hands
    assert len(found.changes) == 2
    assert not found.drifts
    assert found.segments["hands"].to_list() == [found.hands]


def test_what_the_log_cannot_tell_apart_is_listed(house: tuple[ofc.Log, InferredRules]) -> None:
    log, found = house
    assert {"kind", "settings", "words"} == set(found.ties.columns)
    # Each tie is a ruleset that explains the same hands: try one.
    settings = found.ties.filter(pl.col("settings").str.starts_with("foul.back_over_middle"))
    if settings.height:
        other = found.rules.replace({"foul.back_over_middle": settings["settings"][0].partition("=")[2]})
        assert ofc.audit(log, other).is_empty()
    assert not found.ties["settings"].str.starts_with("foul.penalty").any()
    assert not found.ties["settings"].str.starts_with("scoring.sweep_bonus").any()


def test_the_result_says_itself_in_words(house: tuple[ofc.Log, InferredRules]) -> None:
    _, found = house
    assert f"explains {found.explained} of {found.hands} hands" in repr(found)
    assert "A scoop pays 1 instead of 3 extra points" in repr(found)
    assert "<table" in found._repr_html_() or "<div" in found._repr_html_()
    assert found.table["explained"].max() == found.hands


def test_rules_that_change_inside_a_log_are_found(drifting: ofc.Log) -> None:
    found = ofc.infer_rules(drifting, base="american-pineapple")
    assert found.drifts
    assert found.segments.height == 2
    assert [same_play(rules, PINEAPPLE.replace(change)) for rules, change in
            zip(found.segment_rules, (HOUSE, LATER), strict=True)] == [True, True]  # fmt: skip
    # Hands that both rules score alike stand at the border.
    assert abs(found.segments["hands"][0] - drifting.n_hands / 2) <= 4
    assert found.segments["explained"].sum() == drifting.n_hands
    assert "the rules change inside the log" in repr(found)


def test_a_log_without_a_record_says_so(tmp_path: Path) -> None:
    run = ofc.simulate(PINEAPPLE, ["random_legal", "random_legal"], tables=1, hands=2, out=tmp_path / "run")
    with pytest.raises(CompareError, match="no finished hand whose source recorded"):
        ofc.infer_rules(ofc.open_log(run.path))
