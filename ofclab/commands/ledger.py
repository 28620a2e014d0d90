"""`ofclab ledger`: who won what over sessions and seasons, and who pays whom."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ofclab.commands.output import Json, print_frame, print_json, print_table

if TYPE_CHECKING:
    import polars as pl


def ledger(
    log: Annotated[Path, typer.Argument(help="Folder of a log.")],
    season: Annotated[str, typer.Option(help="One table for each: all, year, quarter, month.")] = "all",
    points: Annotated[
        str, typer.Option(help="Of hands: recorded (what the source says, else the score) or scored.")
    ] = "recorded",
    pairs: Annotated[bool, typer.Option("--pairs", help="Also who won what from whom.")] = False,
    sessions: Annotated[bool, typer.Option("--sessions", help="Also what each session brought.")] = False,
    settle: Annotated[bool, typer.Option("--settle", help="Also who pays whom, with the fewest payments.")] = False,
    as_json: Json = False,
) -> None:
    """Leaderboard of a log's score sheets and hands: points, points a hand, money by currency, payments.

    Example: ofclab ledger data/runs/club --season quarter --settle
    """
    from ofclab.analytics import leaderboard, money_totals, pair_nets, session_totals, settle_up
    from ofclab.log import entries, open_log

    found = entries(open_log(log), points).collect()  # type: ignore[arg-type]
    board = leaderboard(found, season).collect()  # type: ignore[arg-type]
    plan = settle_up(money_totals(found)) if settle else None
    if as_json:
        told: dict[str, Any] = {"leaderboard": board.to_dicts()}
        if pairs:
            told["pairs"] = pair_nets(found).collect().to_dicts()
        if sessions:
            told["sessions"] = session_totals(found).collect().to_dicts()
        if plan is not None:
            told |= {"payments": plan.frame.to_dicts(), "exact": dict(plan.exact)}
        print_json(told)
        return
    if board.is_empty():
        typer.echo(f"{log} holds no sessions and no hands of named players")
        return
    for name, rows in board.group_by("season", maintain_order=True):
        _print_board(f"Season {name[0]}" if season != "all" else "Leaderboard", rows)
    if pairs:
        _print_money("Who won what from whom", pair_nets(found).collect())
    if sessions:
        _print_money("Sessions", session_totals(found).collect().drop("session"))
    if plan is not None:
        paid = [(one.payer, one.payee, money(one.amount_minor, one.currency)) for one in plan.payments]
        print_table("Who pays whom", ("pays", "to", "amount"), paid)
        typer.echo(plan.note)


def money(minor: int | None, currency: str | None) -> str:
    """Money as people write it."""
    from ofclab.importers.sessions import decimals

    if minor is None:
        return "–"
    places = decimals(currency) if currency else 0
    return f"{minor / 10**places:.{places}f} {currency or ''}".strip()


def _print_board(title: str, rows: "pl.DataFrame") -> None:
    from ofclab.compare.result import cell

    lines = []
    for row in rows.iter_rows(named=True):
        won = ", ".join(money(one["net_minor"], one["currency"]) for one in row["money"] or ())
        ends = "–" if row["low"] is None else f"{row['low']:.2f} to {row['high']:.2f}"
        a_hand = "–" if row["points_per_hand"] is None else f"{row['points_per_hand']:+.2f}"
        cells = (row["rank"], row["player"], row["points"], row["sessions"], row["hands"])
        lines.append((*map(cell, cells), a_hand, ends, won or "–"))
    heads = ("", "player", "points", "sessions", "hands", "points/hand", "95 % interval", "money")
    print_table(title, heads, lines)


def _print_money(title: str, frame: "pl.DataFrame") -> None:
    import polars as pl

    written = [money(minor, currency) for minor, currency in frame.select("net_minor", "currency").iter_rows()]
    print_frame(title, frame.drop("net_minor", "currency").with_columns(pl.Series("money", written)), as_json=False)
