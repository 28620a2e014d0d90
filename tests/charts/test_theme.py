import pytest

from ofclab.charts.theme import LIGHT, SERIES, look_of, strategy_look, variant_look


@pytest.mark.parametrize(
    ("label", "slot", "symbol"),
    [
        ("hindsight", 1, "circle"),
        ("anti_foul", 2, "square"),
        ("fantasy_chaser", 3, "diamond"),
        ("gamble(p=0.3)", 4, "triangle-up"),
        ("never_bust_greedy", 5, "cross"),
        ("random_legal", 6, "x"),
        ("random_fill", 8, "pentagon"),
        ("royalty_greedy", 9, "triangle-down"),
    ],
)
def test_a_strategy_keeps_its_colour_and_marker(label, slot, symbol):
    look = strategy_look(label)
    assert (look.mark, look.symbol) == (SERIES[slot - 1], symbol)


def test_a_strategy_of_ones_own_has_a_star_and_the_same_free_slot_every_time():
    look = strategy_look("my_own")
    assert look.symbol == "star"
    assert look.mark in (SERIES[6], SERIES[9])
    assert strategy_look("my_own(depth=3)") == look


@pytest.mark.parametrize(
    ("ruleset", "slot"),
    [
        ("american-pineapple", 7),
        ("american-regular", 10),
        ("progressive-pineapple", 9),
        ("deuce-pineapple", 8),
        ("american-pineapple+1a2b3c", 6),
        ("our-house", 6),
    ],
)
def test_a_variant_keeps_its_colour_and_its_mark_is_ink(ruleset, slot):
    look = variant_look(ruleset)
    assert (look.line, look.mark) == (SERIES[slot - 1], LIGHT["text"])


def test_what_is_neither_is_drawn_in_ink():
    assert look_of("position", 1).mark == LIGHT["text"]
    assert look_of("strategy", None).mark == LIGHT["text"]
