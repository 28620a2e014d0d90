"""`ofclab import` and `ofclab export`: hands from files into a log, and out again."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json

MOST_REJECTS = 20
"""Rejects shown on the screen; the log lists all."""


def import_files(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders of hands.")],
    format: Annotated[
        str, typer.Option(help="Format of the files; auto looks into each, a wrong name lists them.")
    ] = "auto",
    rules: Annotated[
        str | None, typer.Option(help="Preset or TOML file to score under; by default the format's preset.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="Of times that carry none, such as Europe/Berlin; UTC by default.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the log; by default data/runs/import-NAME, here or in $OFCLAB_HOME."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Import hands into a log: each is new, a duplicate, or rejected for a reason; exit code 1 when none was taken.

    Example: ofclab import boards.txt --rules american-pineapple --out data/runs/boards
    """
    from ofclab.importers import import_hands

    report = import_hands(paths, format=format, rules=rules, timezone=timezone, out=out)
    if as_json:
        counts = {"read": report.read, "new": report.new, "duplicate": report.duplicate}
        told = {
            **counts,
            "rejected": [asdict(reject) for reject in report.rejected],
            "completeness": report.completeness,
            "warnings": report.warnings,
            "sessions": report.sessions,
            "merged": report.merged,
            "files": [asdict(file) for file in report.files],
            "log": str(report.log.path),
        }
        print_json(told)
    else:
        for file in report.files:
            typer.echo(f"{file.file}: {file.format or 'not imported'} ({file.reason})")
        typer.echo(
            f"{report.read} hands read: {report.new} new, {report.duplicate} duplicate, {len(report.rejected)} rejected"
        )
        for word, text in report.known.items():
            typer.echo(f"  {report.completeness[word]} {word}: {text}")
        if report.sessions:
            typer.echo(f"  {report.sessions} of them are sessions known by their totals: see ofclab ledger")
        if report.merged:
            typer.echo(f"  {report.merged} duplicates told more of hands the log has: put together")
        if report.warnings:
            typer.echo(f"  {report.warnings} with warnings: see the column warnings of the log's hands")
        for reject in report.rejected[:MOST_REJECTS]:
            typer.echo(f"  {reject.file}:{reject.line}: {reject.reason}")
        if len(report.rejected) > MOST_REJECTS:
            typer.echo(f"  and {len(report.rejected) - MOST_REJECTS} more: see {report.log.path}/rejects.jsonl")
        typer.echo(f"log: {report.log.path}")
    if report.new + report.duplicate == 0:
        raise typer.Exit(1)


def export(
    log: Annotated[Path, typer.Argument(help="Folder of a log.")],
    path: Annotated[Path, typer.Argument(help="File to write.")],
    format: Annotated[str, typer.Option(help="Format to write: jsonl (everything), typed_boards or flat13.")] = "jsonl",
    as_json: Json = False,
) -> None:
    """Write a log's hands to a file that can be imported again.

    Example: ofclab export data/runs/first hands.jsonl
    """
    from ofclab.importers import export_hands

    hands = export_hands(log, path, format=format)
    if as_json:
        print_json({"hands": hands, "path": str(path)})
    else:
        typer.echo(f"{hands} hands written to {path}")
