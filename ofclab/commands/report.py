"""`ofclab report`: what a log says, as tables or as one HTML file to send."""

from pathlib import Path
from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json, print_table

REPORTED = (
    "foul_rate",
    "entry_rate",
    "stay_rate",
    "fantasyland_share",
    "royalties_per_hand",
    "points_per_hand",
    "scoops_made",
)


def report(
    log: Annotated[str, typer.Argument(help="Folder or URL of a log.")],
    rules: Annotated[str, typer.Option(help="Score it under these rules instead of its own.")] = "",
    by: Annotated[
        list[str] | None, typer.Option(help="Column to group by: strategy, player, position, fl_cards.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric of ofclab.analytics; several may be given.")
    ] = None,
    as_html: Annotated[Path | None, typer.Option("--html", help="Write one self-contained HTML file instead.")] = None,
    against: Annotated[str, typer.Option(help="With --html: compare with these rules, the hands re-scored.")] = "",
    as_json: Json = False,
) -> None:
    """Report what a log says: fouls, royalties, Fantasyland, points, each with its count and interval.

    Example: ofclab report data/runs/first --html report.html --against spartan-2-4
    """
    from ofclab.analytics import METRICS
    from ofclab.log import collect, open_log
    from ofclab.registry import unknown
    from ofclab.reports import ReportError, in_words, write_report

    if against and as_html is None:
        raise ReportError("--against belongs to --html; `ofclab compare --log` prints a comparison")
    opened = open_log(log)
    results = opened.results(rules or None)
    known = results.collect_schema().names()
    groups = by if by is not None else ["strategy"]
    for column in groups:
        if column not in known:
            raise ValueError(unknown("column", column, known))
    if as_html is not None:
        page = write_report(opened, as_html, rules or None, groups, metric, against or None)
        print_json({"html": str(page)}) if as_json else typer.echo(f"The report is in {page}")
        return
    wanted = metric or list(REPORTED)
    for name in wanted:
        if name not in METRICS:
            raise ValueError(unknown("metric", name, list(METRICS)))
    frames = {name: collect(METRICS[name].function(results, by=groups)) for name in wanted}
    if as_json:
        print_json({name: frame.to_dicts() for name, frame in frames.items()})
        return
    for name, frame in frames.items():
        print_table(f"{METRICS[name].title}, {METRICS[name].unit}", *in_words(METRICS[name], frame))
