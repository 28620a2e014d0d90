"""What is exported as text people read is imported again: the same facts, as far as such a text holds them."""

from pathlib import Path

import polars as pl
import pytest
from import_samples import facts, same_facts, samples

import ofclab as ofc
from ofclab.importers import HandError

LOST = {
    "hands": [
        "seed_key",
        "site",
        "site_hand_id",
        "source_file",
        "source_line",
        "match_id",
        "observer_seats",
        "warnings",
    ],
    "seats": ["strategy", "announced", "stack_before", "stack_after"],
}
"""What typed boards do not tell of a hand that was played elsewhere."""


@pytest.mark.parametrize("path", samples("typed_boards"), ids=lambda path: path.stem)
def test_typed_hands_survive(path: Path, tmp_path: Path) -> None:
    first = ofc.import_hands(path, out=tmp_path / "first")
    assert ofc.export_hands(first.log, tmp_path / "again.txt", format="typed_boards") == first.new
    second = ofc.import_hands(tmp_path / "again.txt", out=tmp_path / "second")
    assert second.rejected == []
    assert second.files[0].format == "typed_boards"
    one, two = facts(first.log), facts(second.log)
    # What was said beside the boards is no fact of a hand.
    assert one["hands"].drop("warnings", "hand_no").equals(two["hands"].drop("warnings", "hand_no"))
    assert one["seats"].equals(two["seats"])
    assert ofc.import_hands(tmp_path / "again.txt", out=tmp_path / "first").new == 0


@pytest.mark.parametrize("path", samples("flat13"), ids=lambda path: path.stem)
def test_lists_survive(path: Path, tmp_path: Path) -> None:
    first = ofc.import_hands(path, out=tmp_path / "first")
    assert ofc.export_hands(first.log, tmp_path / "again.txt", format="flat13") == first.new
    second = ofc.import_hands(tmp_path / "again.txt", out=tmp_path / "second")
    assert second.rejected == []
    assert same_facts(first.log, second.log)


@pytest.mark.parametrize("preset", ["progressive-pineapple", "american-regular", "turbo", "joker-progressive"])
def test_simulated_hands_can_be_typed(preset: str, tmp_path: Path) -> None:
    rules = ofc.load_rules(preset).replace({"scoring.sweep_bonus": 2}, name="our own")
    played = ofc.simulate(
        rules, ["cutoff_rows", "never_bust_greedy"], tables=4, hands=6, seed=2, out=tmp_path / "log"
    ).log
    assert ofc.export_hands(played, tmp_path / "hands.txt", format="typed_boards") == played.n_hands
    typed = ofc.import_hands(tmp_path / "hands.txt", out=tmp_path / "typed")
    assert (typed.rejected, typed.completeness) == ([], {"full": played.n_hands})
    assert typed.log.rules() == rules
    one, two = facts(played, sources=True), facts(typed.log, sources=True)
    assert one["hands"].drop(LOST["hands"]).equals(two["hands"].drop(LOST["hands"]))
    streets = [frame["seats"].drop([*LOST["seats"], "player"]) for frame in (one, two)]
    kept = [name for name in streets[0].columns if not name.startswith("c") and name != "placement"]
    assert streets[0].select(kept).equals(streets[1].select(kept))
    columns = [
        "hand_id",
        "seat",
        "points",
        "fouled",
        "foul_street",
        "royalty_front",
        "royalty_middle",
        "royalty_back",
        "next_fl",
    ]
    scores = [log.results().select(columns).sort("hand_id", "seat").collect() for log in (played, typed.log)]
    assert scores[0].equals(scores[1])
    # Cards of a street are a set; the streets themselves are kept.
    spots = [decisions(log, rules) for log in (played, typed.log)]
    assert spots[0].equals(spots[1])


def decisions(log: ofc.Log, rules: ofc.Rules) -> pl.DataFrame:
    from ofclab.log.views import decisions as view

    shown = view(log.seats, rules).select("hand_id", "seat", "street", "board", "placed", "visible").collect()
    return shown.sort("hand_id", "seat", "street")


def test_a_hand_a_text_cannot_hold_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    chat = ofc.import_hands(samples("swc_dealer_chat"), out=tmp_path / "chat").log
    with pytest.raises(HandError, match="is score_only or Fantasyland; a list of 13 holds final boards"):
        ofc.export_hands(chat, tmp_path / "lists.txt", format="flat13")
    assert not (tmp_path / "lists.txt").exists()
    with pytest.raises(ValueError, match="cannot write the format 'swc_dealer_chat'; have jsonl, flat13, typed_boards"):
        ofc.export_hands(chat, tmp_path / "lists.txt", format="swc_dealer_chat")
