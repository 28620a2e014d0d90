"""`ofclab review`: what a player's decisions lost, where, and the worst of them."""

from typing import Annotated

import typer

from ofclab.commands.options import fantasyland_points
from ofclab.commands.output import Json, ProgressBar, print_json, print_table, warn_if_cold


def review(
    log: Annotated[str, typer.Argument(help="Folder or URL of a log.")],
    player: Annotated[list[str] | None, typer.Option(help="A player, several times for several; all if none.")] = None,
    level: Annotated[str, typer.Option(help="quick, standard or deep: how many futures each decision sees.")] = "quick",
    policy: Annotated[str, typer.Option(help="The strategy that carries on later streets.")] = "",
    fantasyland: Annotated[str, typer.Option(help="Points Fantasyland is worth: 9.6, or 14=9.6,15=13.")] = "",
    seed: int = 0,
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    worst: Annotated[int, typer.Option(help="How many of the worst decisions to show.")] = 10,
    as_json: Json = False,
) -> None:
    """Judge every decision of a log whose cards are known, by what its player saw.

    What was found is kept in the log: an interrupted review goes on where it stopped.

    Example: ofclab review data/runs/first --player never_bust_greedy --level standard
    """
    from ofclab.compare.result import cell
    from ofclab.reviews import review as judge

    warn_if_cold()
    with ProgressBar("decisions") as bar:
        found = judge(
            log, player or None, level, policy or None, fantasyland_points(fantasyland), seed, workers=workers,
            progress=lambda p: bar.show(p.done, p.decisions),
        )  # fmt: skip
    if as_json:
        print_json(found.as_dict(worst))
        return
    typer.echo(found.sentence)
    names = ("theme", "leak", "leaks", "low", "high", "spots")
    print_table(
        "Leaks: points per 100 hands, 95 % interval",
        ("seen by", "what", "lost", "low", "high", "decisions"),
        ([cell(row[name]) for name in names] for row in found.leaks.iter_rows(named=True) if row["spots"]),
    )
    rows = [
        (
            str(row["hand_id"]), row["player"] or f"seat {row['seat']}",
            "Fantasyland" if row["fl_cards"] else str(row["street"]), row["board"], row["dealt"], row["played"],
            row["best"], f"{row['ev_loss']:.2f}", "exact" if row["exact"] else f"{row['se']:.2f}", row["verdict"],
        )
        for row in found.worst(worst).iter_rows(named=True)
    ]  # fmt: skip
    columns = ("hand", "player", "street", "board", "dealt", "played", "best", "lost", "error", "verdict")
    print_table("The decisions that lost most", columns, rows)
    typer.echo(found.information)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(review)
