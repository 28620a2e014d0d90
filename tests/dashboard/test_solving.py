"""Searches that go on while somebody looks: shared by question, apart from each other, ended when nobody watches."""

import time
from collections.abc import Iterator

import pytest

import ofclab as ofc

VALUES = dict(ofc.DEFAULT_FANTASYLAND_VALUES)
LAST = "Kd 2c 3d / 8s 8d 5c 5h / As Ks 9s 4s dealt: Kc 7s 6h discards: 3h 4c 9d"
OPEN = "Qh / 8s 8d / As Ks 9s 4s dealt: 2c Qd Jh discards: 3h opponent: 3c / 7h 7d 6h / Kd Kc Tc"


@pytest.fixture
def solving(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """The module, with no search left over, and time for a busy machine."""
    import components.solving as module

    monkeypatch.setattr(module, "UNWATCHED", 60.0)
    module._office.clear()
    yield module
    module._office.clear()


def _until_done(search: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while search.is_running:
        assert time.monotonic() < end
        time.sleep(0.05)


def rules() -> ofc.Rules:
    return ofc.load_rules("american-pineapple")


def test_one_question_has_one_search_and_another_its_own(solving) -> None:
    first = solving.search(ofc.Spot.parse(LAST), rules(), VALUES)
    assert solving.search(ofc.Spot.parse(LAST), rules(), VALUES) is first
    other = solving.search(ofc.Spot.parse(LAST.replace("6h", "2h")), rules(), VALUES)
    house = solving.search(ofc.Spot.parse(LAST), rules().replace({"foul.penalty": 3}), VALUES)
    assert len({id(first), id(other), id(house)}) == 3
    for search in (first, other, house):
        _until_done(search)
        assert search.is_done
        assert search.answer.exact
        assert search.answer.spot == search.spot
    assert first.answer["ev"].min() == -6
    assert house.answer["ev"].min() == -3


def test_a_search_that_nobody_watches_ends(solving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "UNWATCHED", -1.0)
    search = solving.search(ofc.Spot.parse(OPEN), rules(), VALUES)
    _until_done(search)
    assert not search.is_done
    assert search.round == 0
    monkeypatch.setattr(solving, "UNWATCHED", 60.0)
    # Somebody looks again: it goes on where it was.
    assert solving.search(ofc.Spot.parse(OPEN), rules(), VALUES) is search
    end = time.monotonic() + 60
    while search.round < 1:
        assert time.monotonic() < end
        time.sleep(0.05)
    monkeypatch.setattr(solving, "UNWATCHED", -1.0)
    _until_done(search)
    assert search.answer["samples"].max() >= 32


def test_a_search_that_fails_says_why(solving) -> None:
    search = solving.search(ofc.Spot.parse("Qh / 8s / As dealt: 2c"), rules(), VALUES)
    _until_done(search)
    assert search.is_done
    assert "no street starts with 3 cards" in search.error


def test_looking_only_begins_nothing(solving) -> None:
    search = solving.search(ofc.Spot.parse(LAST), rules(), VALUES, go_on=False)
    assert search.thread is None
    assert not search.is_done
