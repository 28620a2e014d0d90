"""Reviewing a log: verdicts, ranking, what is kept, resuming, and what comes back."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ofclab.reviews.run as run
from ofclab.board import Board, Placement
from ofclab.log import Log, LogError, open_log
from ofclab.log.schema import CARD_COLUMNS
from ofclab.reviews import Level, Review, ReviewError, Thresholds, review
from ofclab.reviews.schema import DECISIONS, EVALUATIONS
from ofclab.rules import load_rules
from ofclab.runs import simulate
from ofclab.strategies import usual_fantasyland_values

TINY = Level(
    "tiny", look=16, wide=4, screen=2, finalists=2, choose=6, first=12, second=12, groups=2, summed=4, boards=6
)
FAST = "never_bust_greedy"


def evaluations(log: Log) -> dict[str, bytes]:
    folder = Path(log.path, "evaluations")
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def mean_losses(found: Review) -> dict[str, float]:
    return dict(found.summary.select("player", "loss_per_100").iter_rows())


def test_better_players_lose_less(reviewed: Review) -> None:
    lost = mean_losses(reviewed)
    assert lost["hindsight"] < lost["never_bust_greedy"] < lost["cutoff_rows"]


def test_a_planted_blunder_is_found(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    hands, seats = log.part(0)
    names, worth = [f"c{place:02d}" for place in (14, 15, 16)], dict(run.fantasyland_points(None))
    for decision in run.decisions_of(hands, seats, log.rulesets, seats["player"] == "hindsight"):
        if decision.street != 5 or decision.spot is None:
            continue
        # On the last street a placed card and the discard change places, which leaves a board of thirteen cards.
        (card, row), *others = decision.played.rows
        worse = Placement(((decision.played.discards[0], row), *others), (card,))
        found = run.judge(decision.spot, worse, decision.rules, TINY, worth, FAST)
        if found.ev_loss > 1 + 2 * found.se:
            break
    else:
        pytest.fail("no last street on which a swap costs more than a point")
    here = (pl.col("hand_id") == decision.hand_id) & (pl.col("seat") == decision.seat)
    swap = {int(card): int(decision.played.discards[0]), int(decision.played.discards[0]): int(card)}
    planted = seats.with_columns(pl.when(here).then(pl.col(name).replace(swap)).otherwise(name) for name in names)
    monkeypatch.setattr(Log, "part", lambda *_: (hands, planted))
    worst = review(log, "hindsight", level=TINY, policy=FAST).worst(50)
    row = worst.row(by_predicate=(pl.col("hand_id") == decision.hand_id) & (pl.col("street") == 5), named=True)
    assert row["verdict"] == "blunder"
    assert row["ev_loss"] == pytest.approx(found.ev_loss)


def test_every_decision_has_its_row(reviewed: Review, played: Path) -> None:
    frame, seats = reviewed.decisions, open_log(played).seats.collect()
    assert frame.schema == DECISIONS
    assert reviewed.hands == reviewed.player_hands == seats.height
    want = pl.when(pl.col("fl_cards") > 0).then(1).otherwise(5).sum()
    assert frame.height == seats.select(want).item()
    assert frame["ev_loss"].is_finite().all()
    assert_frame_equal(frame.select(pl.col("ev_best") - pl.col("ev_loss")), frame.select(ev_best="ev_played"))
    # Within its error no decision wins anything.
    assert (frame["ev_loss"] > -5 * frame["se"] - 1e-9).all()
    assert (frame.filter(pl.col("verdict") == "best")["ev_loss"] == 0).all()
    assert (frame.filter(pl.col("exact"))["ev_loss"] >= 0).all()
    assert frame.filter(pl.col("verdict") == "best")["row"].null_count() == (frame["verdict"] == "best").sum()


def test_fantasyland_is_worth_what_it_is_with_as_many_seats(tmp_path: Path) -> None:
    rules = load_rules("american-pineapple")
    made = simulate(rules, [FAST] * 3, tables=1, hands=2, out=tmp_path / "three", seed=1)
    manifest = Path(made.path, "manifest.json")
    manifest.write_text(manifest.read_text().replace('"fantasyland_values"', '"not_told"'))
    engine = review(tmp_path / "three", level=TINY, policy=FAST).engine
    assert dict(engine.fantasyland_values) == usual_fantasyland_values(rules, 3)


def test_verdicts_follow_the_thresholds(reviewed: Review, played: Path) -> None:
    frame = reviewed.decisions.filter(pl.col("verdict") != "best")
    for row in frame.iter_rows(named=True):
        loss, close = row["ev_loss"], row["ev_loss"] <= max(2 * row["se"], 0.0) or row["ev_loss"] < 0.05
        want = "inaccuracy" if loss < 0.5 else "mistake" if loss < 1 else "blunder"
        assert row["verdict"] == ("too close to call" if close else want)
    strict = review(played, level=TINY, policy="hindsight(samples=2)", thresholds=Thresholds(mistake=0.05, blunder=0.1))
    assert strict.verdicts["blunder"] > reviewed.verdicts["blunder"]
    assert_frame_equal(strict.decisions.drop("verdict"), reviewed.decisions.drop("verdict"))


def test_one_player_is_reviewed_as_among_all(log: Log) -> None:
    one = review(log, "never_bust_greedy", level=TINY, policy=FAST)
    assert one.decisions["player"].unique().to_list() == ["never_bust_greedy"]
    every = review(log, level=TINY, policy=FAST)
    assert_frame_equal(every.decisions.filter(pl.col("player") == "never_bust_greedy"), one.decisions)
    alone = review(log, ["cutoff_rows"], level=TINY, policy=FAST)
    assert_frame_equal(every.decisions.filter(pl.col("player") == "cutoff_rows"), alone.decisions)


def test_what_was_found_is_kept_and_not_judged_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    first, seen = review(log, level=TINY, policy=FAST), []
    monkeypatch.setattr(run, "_judged", lambda *_: pytest.fail("judged again"))
    again = review(log, level=TINY, policy=FAST, progress=seen.append)
    assert_frame_equal(again.decisions, first.decisions)
    assert (seen[-1].done, seen[-1].decisions, seen[-1].reviewed) == (len(first.decisions),) * 2 + (0,)
    assert len(evaluations(log)) == len(log.parts)


def test_a_review_that_was_killed_goes_on_to_the_same_bytes(log: Log, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(log.path), str(other)], check=True)
    review(log, level=TINY, policy=FAST)
    code = f"""
import os
import ofclab.reviews.run as run
from ofclab.reviews import Level
run.KEEP_SECONDS, run.HANDS_AT_ONCE = 0.0, 1
def stop(progress):
    if progress.reviewed > 20:
        os._exit(9)
run.review({str(other)!r}, level={TINY!r}, policy={FAST!r}, progress=stop)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    torn = open_log(other)
    kept = evaluations(torn)
    assert kept
    assert kept != evaluations(log)
    review(torn, level=TINY, policy=FAST)
    assert evaluations(torn) == evaluations(log)


def test_an_interrupted_review_keeps_what_it_found(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "HANDS_AT_ONCE", 1)

    def stop(progress: run.ReviewProgress) -> None:
        if progress.reviewed > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(log, level=TINY, policy=FAST, progress=stop)
    seen: list[run.ReviewProgress] = []
    review(log, level=TINY, policy=FAST, progress=seen.append)
    assert seen[-1].done - seen[-1].reviewed > 20
    assert seen[-1].eta == 0


def test_a_hand_that_was_corrected_is_reviewed_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    first = review(log, level=TINY, policy=FAST)
    hands, seats = log.part(0)
    corrected = hands["hand_id"][1]
    # The two cards of a front change places with each other: the same boards, other facts.
    swapped = seats.with_columns(
        pl.when(pl.col("hand_id") == corrected).then(c15).otherwise(c16).alias(name)
        for name, c15, c16 in (("c15", pl.col("c16"), pl.col("c15")), ("c16", pl.col("c15"), pl.col("c16")))
    )
    monkeypatch.setattr(Log, "part", lambda *_: (hands, swapped))
    seen: list[run.ReviewProgress] = []
    again = review(log, level=TINY, policy=FAST, progress=seen.append)
    assert seen[-1].reviewed == first.decisions.filter(pl.col("hand_id") == corrected).height
    others = pl.col("hand_id") != corrected
    assert_frame_equal(again.decisions.filter(others), first.decisions.filter(others))


@pytest.mark.slow
def test_workers_and_order_change_nothing(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(log.path), str(other)], check=True)
    review(log, level=TINY, policy=FAST)
    monkeypatch.setattr(run, "HANDS_AT_ONCE", 1)
    review(other, level=TINY, policy=FAST, workers=2)
    assert evaluations(open_log(other)) == evaluations(log)


def test_a_players_own_policy_keeps_nothing(log: Log) -> None:
    class First:
        def choose(self, view):  # type: ignore[no-untyped-def]
            return view.legal_placements()[0]

    few = Level("few", look=4, wide=2, screen=1, finalists=2, choose=6, first=2, second=2, groups=2, summed=4, boards=2)
    found = review(log, "cutoff_rows", level=few, policy=First())
    assert found.engine.policy == "First"
    assert not Path(log.path, "evaluations").exists()


def test_a_foreign_or_torn_file_is_named(log: Log) -> None:
    found = review(log, "cutoff_rows", level=TINY, policy=FAST)
    path = Path(log.path, "evaluations", found.engine.name, "part-000000.parquet")
    content = path.read_bytes()
    path.write_bytes(content[:-100])
    with pytest.raises(LogError, match=r"part-000000\.parquet is corrupt or cut off"):
        review(log, level=TINY, policy=FAST)
    path.write_bytes(content)
    shallow = Level(
        "tiny", look=8, wide=4, screen=2, finalists=2, choose=6, first=12, second=12, groups=2, summed=4, boards=6
    )
    other = review(log, "cutoff_rows", level=shallow, policy=FAST)
    assert other.engine.name != found.engine.name
    Path(log.path, "evaluations", other.engine.name, "part-000000.parquet").write_bytes(content)
    with pytest.raises(LogError, match="belongs to another log, part or review"):
        review(log, level=shallow, policy=FAST)


def test_what_is_not_there_is_named(log: Log) -> None:
    with pytest.raises(ReviewError, match="no player 'nobody'; have cutoff_rows, hindsight, never_bust_greedy"):
        review(log, "nobody")
    with pytest.raises(ReviewError, match="no level 'bottomless'; have quick, standard, deep"):
        review(log, level="bottomless")


def test_a_review_shows_itself(reviewed: Review) -> None:
    assert "points per 100 hands" in reviewed.sentence
    assert "Verdicts: too close to call" in repr(reviewed)
    page = reviewed._repr_html_()
    assert page.count("<tr>") >= 6
    assert "card" in page or "♠" in page
    worst = reviewed.worst(3)
    assert worst["ev_loss"].to_list() == sorted(worst["ev_loss"].to_list(), reverse=True)
    assert set(reviewed.as_dict()) >= {"sentence", "verdicts", "summary", "leaks", "worst", "engine"}
    assert reviewed.leaks["leaks"].is_sorted(descending=True)


def test_fantasyland_hands_are_judged_exactly(tmp_path: Path) -> None:
    rules = load_rules("american-pineapple").replace(
        {"fantasyland.entry_front": [{"min": "22", "cards": 14}]}, name="easy"
    )
    path = simulate(
        rules, ["never_bust_greedy", "never_bust_greedy"], tables=4, hands=4, seed=2, out=tmp_path / "l"
    ).path
    log = open_log(path)
    found = review(log, level=TINY, policy=FAST).decisions.filter(pl.col("fl_cards") > 0)
    # The engine sets Fantasyland hands exactly.
    assert found.height == log.seats.filter(pl.col("fl_cards") > 0).collect().height > 0
    assert (found["verdict"] == "best").all()
    assert found["ev_loss"].abs().max() < 1e-6
    # The same hands set card by card as they came: front, middle, back.
    hands, seats = log.part(0)
    codes = sum(row << (3 * place) for place, row in enumerate([0] * 3 + [1] * 5 + [2] * 5 + [3] + [7] * 3))
    inside = seats["fl_cards"] > 0
    spoiled = seats.with_columns(
        pl.when(inside).then(pl.lit(codes, pl.UInt64)).otherwise("placement").alias("placement")
    )
    rows = []
    for decision in run.decisions_of(hands, spoiled, log.rulesets):
        if decision.spot is None:
            rows.append(run.judge_fantasyland(decision, dict(run.fantasyland_points(None))))
    assert all(row.exact and row.ev_loss >= 0 for row in rows)
    assert np.mean([row.ev_loss for row in rows]) > 5
    assert Board().place(rows[0].best).is_complete
    assert len(CARD_COLUMNS) == 17


@pytest.mark.parametrize(
    ("preset", "seats"), [("deuce-pineapple", 2), ("turbo", 2), ("american-regular", 2), ("joker-progressive", 2)]
)
def test_every_kind_of_deal_can_be_reviewed(preset: str, seats: int, tmp_path: Path) -> None:
    few = Level("few", look=4, wide=2, screen=1, finalists=2, choose=6, first=8, second=8, groups=2, summed=4, boards=2)
    run_ = simulate(preset, [FAST] * seats, tables=1, hands=1, seed=1, out=tmp_path / "log")
    found = review(run_.path, level=few, policy=FAST)
    assert found.hands == seats
    assert found.decisions["ev_loss"].is_finite().all()


@pytest.mark.slow
def test_300_hands_rank_three_players_by_what_they_lose(tmp_path: Path) -> None:
    players = ["cutoff_rows", "never_bust_greedy", "hindsight"]
    log = simulate("american-pineapple", players, tables=30, hands=10, seed=11, out=tmp_path / "log").log
    assert log.n_hands == 300
    brief = Level("brief", look=16, wide=5, screen=4, finalists=2, choose=12, first=12, second=16, groups=4, summed=8,
                  boards=6)  # fmt: skip
    found = review(log, level=brief, policy="hindsight(samples=2)", workers=2)
    rows = {row["player"]: row for row in found.summary.iter_rows(named=True)}
    assert rows["hindsight"]["high"] < rows["never_bust_greedy"]["low"]
    assert rows["never_bust_greedy"]["high"] < rows["cutoff_rows"]["low"]


@pytest.mark.parametrize("column", sorted({*DECISIONS, *EVALUATIONS}))
def test_every_column_is_explained(column: str) -> None:
    section = (Path(__file__).parents[2] / "data" / "README.md").read_text().partition("## evaluations")[2]
    assert f"`{column}`" in section
