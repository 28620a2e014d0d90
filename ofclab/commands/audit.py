"""`ofclab audit` and `ofclab infer-rules`: recorded results beside the score, and the rules that explain them."""

from pathlib import Path
from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json, print_table

MOST_ROWS = 120
"""Figures shown on the screen; --json gives all."""


def audit(
    log: Annotated[Path, typer.Argument(help="Folder of a log.")],
    rules: Annotated[str, typer.Option(help="Preset or TOML file to score under; by default each hand's own.")] = "",
    as_json: Json = False,
) -> None:
    """Hold what the sources recorded against the score, and say what would make each differing figure true.

    Example: ofclab audit data/runs/import-twin
    """
    import polars as pl

    from ofclab.log import audit as audit_log
    from ofclab.log import completeness, open_log

    opened = open_log(log)
    found = audit_log(opened, rules or None)
    if as_json:
        print_json({"differences": found.to_dicts(), "completeness": completeness(opened).to_dicts()})
        return
    told = opened.results().filter(pl.col("agrees_with_recorded").is_not_null())
    hands = told.select(pl.col("hand_id").n_unique()).collect().item()
    differ = found["hand_id"].n_unique()
    typer.echo(f"{hands} hands with recorded results; {differ} of them differ from the score")
    for row in completeness(opened).iter_rows(named=True):
        typer.echo(f"  {row['hands'] + row['sessions']} {row['completeness']}: {row['words']}")
    if found.is_empty():
        return
    for (hand_id,), rows in found.head(MOST_ROWS).group_by("hand_id", maintain_order=True):
        first = rows.row(0, named=True)
        typer.echo(f"\nhand {first['site_hand_id'] or hand_id} ({first['source_file']}:{first['source_line']})")
        for row in rows.iter_rows(named=True):
            figures = f"{row['recorded']} recorded, {row['recomputed']} by the score"
            typer.echo(f"  seat {row['seat']}, {row['measure'].replace('_', ' ')}: {figures}")
        for reason, explanation in rows.select("reason", "explanation").unique(maintain_order=True).iter_rows():
            typer.echo(f"  likely {reason}: {explanation}")
    if found.height > MOST_ROWS:
        typer.echo(f"\nand {found.height - MOST_ROWS} more figures: --json gives all")
    typer.echo("")
    by_reason = found.group_by("reason").agg(pl.col("hand_id").n_unique()).sort("hand_id", "reason", descending=True)
    for reason, count in by_reason.iter_rows():
        typer.echo(f"  {count} hands: {reason}")


def infer(
    log: Annotated[Path, typer.Argument(help="Folder of a log.")],
    base: Annotated[str, typer.Option(help="Start from this preset or TOML file; by default from every preset.")] = "",
    changes: Annotated[int, typer.Option(help="Most changes tried together.")] = 2,
    out: Annotated[Path | None, typer.Option(help="Write the rules found to this TOML file.")] = None,
    as_json: Json = False,
) -> None:
    """Find the rules under which the recorded results are true, what cannot be told apart, and where rules drift.

    Example: ofclab infer-rules data/runs/import-twin --out house.toml
    """
    from ofclab.compare import infer_rules
    from ofclab.compare.result import cell

    found = infer_rules(log, base or None, changes)
    if out is not None:
        out.write_text(found.rules.to_toml(), encoding="utf-8")
    if as_json:
        print_json(
            {
                "rules": found.rules.id,
                "preset": found.preset,
                "changes": found.changes,
                "hands": found.hands,
                "explained": found.explained,
                "candidates": found.table.to_dicts(),
                "ties": found.ties.to_dicts(),
                "segments": found.segments.to_dicts(),
            }
        )
        return
    typer.echo(f"{found.preset}{': ' if found.changes else ''}{'; '.join(found.changes)}")
    typer.echo(f"explains {found.explained} of {found.hands} hands with recorded results")
    if found.drifts:
        columns = ("from", "files", "hands", "explained", "rules")
        rows = [
            (cell(row["first_at"] or row["first_hand"]), row["files"], cell(row["hands"]), cell(row["explained"]),
             row["rules"])
            for row in found.segments.iter_rows(named=True)
        ]  # fmt: skip
        print_table("The rules change inside the log", columns, rows)
    if found.ties.height:
        ties = [(row["kind"], row["words"]) for row in found.ties.iter_rows(named=True)]
        print_table("What this log cannot tell apart", ("kind", "would explain the same hands"), ties)
    if out is not None:
        typer.echo(f"rules: {out}")
