"""`ofclab compare` and `ofclab quickstart`: what rules change."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ofclab.commands.options import fantasyland_points
from ofclab.commands.output import Json, ProgressBar, print_json, print_table, warn_if_cold

if TYPE_CHECKING:
    from ofclab.compare import RulesComparison

QUICK_TABLES = 100


def _print_comparison(comparison: "RulesComparison", as_json: bool) -> None:
    from ofclab.compare.result import ends, number

    if as_json:
        print_json(
            {
                "mode": comparison.mode,
                "verdict": comparison.verdict,
                "levels": comparison.levels.to_dicts(),
                "differences": comparison.differences.to_dicts(),
                "notes": comparison.notes,
            }
        )
        return
    for name in comparison.names[1:]:
        rows = comparison.differences.filter(ruleset=name).iter_rows(named=True)
        print_table(
            f"{name} instead of {comparison.names[0]}, {comparison.mode}",
            ("measure", "whose", "before", "after", "difference", "verdict"),
            [
                (
                    row["title"],
                    {"all": "", "strategy": row["group"]}.get(row["of"], f"{row['of']} {row['group']}"),
                    number(row["before"], row["unit"]),
                    number(row["after"], row["unit"]),
                    *(("0", "the same") if row["low"] == row["high"] == 0 else (ends(row), row["verdict"])),
                )
                for row in rows
            ],
        )
    typer.echo(comparison.verdict)
    for note in comparison.notes:
        typer.echo(note)


def compare(
    rulesets: Annotated[list[str], typer.Argument(help="Two rulesets or more; the others are held against the first.")],
    log: Annotated[str, typer.Option(help="Re-score the hands of this log; without it every ruleset is played.")] = "",
    strategy: Annotated[list[str] | None, typer.Option(help="A strategy, once for each seat.")] = None,
    tables: Annotated[int, typer.Option(help="Tables to play.")] = 400,
    hands: Annotated[int, typer.Option(help="Hands at each table.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 0,
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    fantasyland: Annotated[str, typer.Option(help="What Fantasyland is worth: 9.6, or 14=9.6,15=13.")] = "",
    as_json: Json = False,
) -> None:
    """Compare rulesets on the same shuffles, or on hands that were played, with the interval of every difference.

    Example: ofclab compare american-pineapple progressive-pineapple --strategy never_bust_greedy
    --strategy never_bust_greedy --tables 200
    """
    from ofclab.compare import Mode, compare_rules

    mode: Mode = "rescored" if log else "resimulated"
    warn_if_cold()
    with ProgressBar("hands") as bar:
        comparison = compare_rules(
            rulesets, log or None, mode, strategy or None, tables, hands, seed, fantasyland_points(fantasyland),
            workers, progress=None if log else lambda p: bar.show(p.hands, p.hands_to_play),
        )  # fmt: skip
    _print_comparison(comparison, as_json)


def quickstart(
    first: Annotated[str, typer.Option("--rules", help="The rules to start from.")] = "american-pineapple",
    second: Annotated[str, typer.Option("--against", help="The rules to hold against them.")] = "progressive-pineapple",
    tables: Annotated[int, typer.Option(help="Tables to play.")] = QUICK_TABLES,
    hands: Annotated[int, typer.Option(help="Hands at each table.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of the logs; default: data/runs/quickstart.")] = None,
    as_json: Json = False,
) -> None:
    """Play two rulesets into logs, compare them, and say how to look at them: about two minutes on two cores.

    Example: ofclab quickstart --against russian-pineapple
    """
    from ofclab.compare import compare_rules
    from ofclab.log.library import runs_folder
    from ofclab.strategies import default_strategy

    strong = {default_strategy(rules) for rules in (first, second)}
    players = (strong.pop() if len(strong) == 1 else "hindsight(samples=2)", "never_bust_greedy")
    folder = out or runs_folder() / "quickstart"
    warn_if_cold()
    workers = min(2, os.cpu_count() or 1)
    with ProgressBar("hands") as bar:
        comparison = compare_rules(
            [first, second], strategies=players, tables=tables, hands=hands, seed=seed, workers=workers,
            out=folder, progress=lambda p: bar.show(p.hands, p.hands_to_play),
        )  # fmt: skip
    _print_comparison(comparison, as_json)
    if not as_json:
        typer.echo(f"\nThe hands are in {folder}. Look at them with:  ofclab dashboard --library {folder}")


def register(app: typer.Typer) -> None:
    """Add the two commands to the program."""
    app.command()(quickstart)
    app.command()(compare)
