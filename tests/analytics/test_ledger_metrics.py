"""Session totals, pair nets, leaderboards, and the fewest payments that make everybody even."""

from datetime import UTC, date, datetime
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofclab.analytics import (
    define,
    in_seasons,
    leaderboard,
    money_totals,
    pair_nets,
    running_points,
    session_totals,
    settle_up,
)

WHEN = [datetime(2026, 1, 30, tzinfo=UTC), datetime(2026, 4, 2, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC), None]
ROWS = [
    # session, when, player, opponent, hands, points, net_minor, currency
    ("s1", 0, "ann", "bob", 30, 10, 500, "EUR"), ("s1", 0, "bob", "ann", 30, -10, -500, "EUR"),
    ("s2", 1, "ann", "bob", 10, -4, -40, "SEK"), ("s2", 1, "bob", "ann", 10, 4, 40, "SEK"),
    ("s2", 1, "ann", "cem", 10, 6, 60, "SEK"), ("s2", 1, "cem", "ann", 10, -6, -60, "SEK"),
    ("s2", 1, "bob", "cem", 10, 1, 10, "SEK"), ("s2", 1, "cem", "bob", 10, -1, -10, "SEK"),
    ("s3", 2, "ann", None, None, 7, None, None), ("s3", 2, "bob", None, None, -7, None, None),
    ("s4", 3, "cem", "ann", 5, 3, None, None), ("s4", 3, "ann", "cem", 5, -3, None, None),
]  # fmt: skip


@pytest.fixture
def entries() -> pl.DataFrame:
    names = ("session", "played_at", "player", "opponent", "hands", "points", "net_minor", "currency")
    rows = [(session, WHEN[when], *rest) for session, when, *rest in ROWS]
    types = (pl.String, pl.Datetime("us", "UTC"), pl.String, pl.String, pl.Int64, pl.Int64, pl.Int64, pl.String)
    frame = pl.DataFrame(rows, schema=dict(zip(names, types, strict=True)), orient="row")
    together = pl.when(pl.col("opponent").is_not_null()).then("hands").alias("together")
    return frame.with_columns(together, source=pl.lit("sheet"), site=pl.lit("club"), note=pl.lit(None, pl.String))


def test_session_totals(entries: pl.DataFrame) -> None:
    found = session_totals(entries).collect()
    rows = {(row["session"], row["player"]): row for row in found.iter_rows(named=True)}
    assert len(rows) == found.height == 9
    assert rows["s2", "ann"] | {"hands": 10, "points": 2, "net_minor": 20, "currency": "SEK"} == rows["s2", "ann"]
    assert rows["s3", "bob"] | {"hands": None, "points": -7, "net_minor": None, "currency": None} == rows["s3", "bob"]
    sums = found.group_by("session").agg(pl.col("points").sum())
    assert set(sums["points"]) == {0}


def test_points_without_money_join_the_money_of_their_session() -> None:
    frame = pl.DataFrame(
        {"session": ["s"] * 3, "source": ["hands"] * 3, "site": ["x"] * 3, "played_at": [WHEN[0]] * 3,
         "player": ["ann"] * 3, "opponent": ["bob", "cem", None], "hands": [9] * 3, "together": [9, 9, None],
         "points": [5, -2, None], "net_minor": [None, None, 30], "currency": [None, None, "chips"], "note": [None] * 3}
    )  # fmt: skip
    assert session_totals(frame).collect().select("points", "net_minor", "currency", "hands").rows() == [
        (3, 30, "chips", 9)
    ]


def test_pair_nets_cancel(entries: pl.DataFrame) -> None:
    found = pair_nets(entries).collect()
    keyed = {(row["player"], row["opponent"], row["currency"]): row for row in found.iter_rows(named=True)}
    for (player, opponent, currency), row in keyed.items():
        other = keyed[opponent, player, currency]
        assert row["points"] == -other["points"]
        assert row["net_minor"] is None or row["net_minor"] == -other["net_minor"]
        assert row["together"] == other["together"]
    assert keyed["ann", "bob", "EUR"]["points"] == 10
    assert keyed["ann", "bob", "SEK"]["points"] == -4
    assert ("ann", None, None) not in keyed
    assert pair_nets(entries, by="site").collect()["site"].unique().to_list() == ["club"]


def test_seasons(entries: pl.DataFrame) -> None:
    def seasons(season: object) -> list[str]:
        return in_seasons(entries, season).collect()["season"].unique(maintain_order=True).to_list()  # type: ignore[arg-type]

    assert seasons("all") == ["all"]
    assert seasons("year") == ["2026", "2027", "undated"]
    assert seasons("quarter") == ["2026-Q1", "2026-Q2", "2027-Q1", "undated"]
    assert seasons("month") == ["2026-01", "2026-04", "2027-01", "undated"]
    assert seasons({"spring": (date(2026, 3, 1), date(2026, 5, 31))}) == ["outside", "spring", "undated"]
    with pytest.raises(ValueError, match="no season 'week'; have all, year, quarter, month"):
        in_seasons(entries, "week")  # type: ignore[arg-type]


def test_the_leaderboard(entries: pl.DataFrame) -> None:
    board = leaderboard(entries).collect()
    assert board.select("rank", "player", "points", "sessions").rows() == [
        (1, "ann", 16, 4), (2, "cem", -4, 2), (3, "bob", -12, 3)
    ]  # fmt: skip
    ann = board.row(0, named=True)
    # Sessions whose hands are known: 10 + 2 - 3 points in 30 + 10 + 5 hands.
    assert (ann["hands"], ann["points_per_hand"]) == (45, pytest.approx(9 / 45))
    assert ann["low"] < ann["points_per_hand"] < ann["high"]
    assert ann["few_sessions"]
    assert ann["money"] == [{"currency": "EUR", "net_minor": 500}, {"currency": "SEK", "net_minor": 20}]
    years = leaderboard(entries, "year").collect()
    assert years.filter(season="2027").select("rank", "player", "points", "hands").rows() == [
        (1, "ann", 7, None), (2, "bob", -7, None)
    ]  # fmt: skip
    tied = leaderboard(entries.with_columns(points=pl.lit(1))).collect()
    assert tied["rank"].min() == 1
    assert leaderboard(entries.clear()).collect().is_empty()


def test_running_points_add_up(entries: pl.DataFrame) -> None:
    found = running_points(entries).collect()
    ann = found.filter(player="ann").sort("played_at")
    assert ann["total"].to_list() == [-3, 7, 9, 16]
    assert ann["points"].sum() == 16


def test_settle_up_by_currency(entries: pl.DataFrame) -> None:
    plan = settle_up(money_totals(entries))
    paid = [(one.payer, one.payee, one.amount_minor, one.currency) for one in plan.payments]
    assert sorted(paid) == [("bob", "ann", 500, "EUR"), ("cem", "ann", 20, "SEK"), ("cem", "bob", 50, "SEK")]
    assert plan.exact == {"EUR": True, "SEK": True}
    assert plan.frame.columns == ["payer", "payee", "amount_minor", "currency"]
    assert "these are the fewest payments" in repr(plan)
    assert settle_up({}).payments == ()
    with pytest.raises(ValueError, match=r"the nets in EUR add up to \+3, not 0: .*ann \+3"):
        settle_up({"ann": 3}, "EUR")


def fewest(nets: list[int]) -> int:
    """The fewest payments by brute force: split off groups that cancel."""
    uneven = [net for net in nets if net]
    best = max(len(uneven) - 1, 0)
    for size in range(2, len(uneven) // 2 + 1):
        for group in combinations(range(len(uneven)), size):
            if sum(uneven[i] for i in group) == 0:
                rest = [net for i, net in enumerate(uneven) if i not in group]
                best = min(best, fewest([uneven[i] for i in group]) + fewest(rest)) if len(rest) < len(uneven) else best
    return best


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=6))
def test_the_payments_are_the_fewest_and_make_everybody_even(nets: list[int]) -> None:
    nets = [*nets, -sum(nets)]
    named = {f"p{i}": net for i, net in enumerate(nets)}
    plan = settle_up(named)
    left = dict(named)
    for one in plan.payments:
        assert one.amount_minor > 0
        left[one.payer] += one.amount_minor
        left[one.payee] -= one.amount_minor
    assert set(left.values()) <= {0}
    assert len(plan.payments) == fewest(nets)


def test_many_players_are_settled_by_the_largest_debts() -> None:
    nets = {f"p{i:02d}": (i % 7) * 3 - 9 for i in range(28)}
    plan = settle_up(nets, "EUR")
    assert plan.exact == {"EUR": False}
    assert "perhaps not the fewest" in plan.note
    assert len(plan.payments) < 28


def test_the_words_are_in_the_dictionary() -> None:
    for word in ("net", "pair_net", "leaderboard", "settle_up", "money", "sessions"):
        assert define(word)
