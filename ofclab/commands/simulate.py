"""`ofclab simulate` and `ofclab verify`: play a run into a log, and check a log by replaying it."""

from typing import Annotated, Literal

import typer

from ofclab.commands.output import Json, ProgressBar, print_json, warn_if_cold


def simulate(
    rules: Annotated[str, typer.Option(help="A preset name or the path of a TOML file.")],
    strategy: Annotated[list[str], typer.Option(help="A strategy, once for each seat: 'cutoff_rows(front_max=5)'.")],
    tables: Annotated[int, typer.Option(help="Tables to play.")] = 1000,
    hands: Annotated[int, typer.Option(help="Hands at each table.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 0,
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    out: Annotated[str, typer.Option(help="Folder or URL of the log; default: a new folder in data/runs.")] = "",
    stacks: Annotated[str, typer.Option(help="Chips to sit down with: one number, or one a seat: 200,150.")] = "",
    engine: Annotated[
        Literal["local", "dask"], typer.Option(help="Who plays: processes here, or the workers of a dask cluster.")
    ] = "local",
    scheduler: Annotated[
        str, typer.Option(help="Address of dask's scheduler; default: a cluster on this machine.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Play hands at many tables and write them to a log.

    An interrupted run goes on where it stopped when the same command is given again. A log at s3://bucket/run takes the
    keys, region and endpoint of the AWS variables: AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT_URL and so on.

    Example: ofclab simulate --rules american-pineapple --strategy never_bust_greedy --strategy random_legal
    --tables 500 --hands 100 --seed 7 --out data/runs/first
    """
    from ofclab.log.errors import CannotWrite
    from ofclab.runs import RunError
    from ofclab.runs import simulate as play

    warn_if_cold()
    try:
        with ProgressBar("hands") as bar:
            run = play(
                rules, strategy, tables, hands, seed, out or None, workers, _stacks(stacks),
                engine=engine, scheduler=scheduler or None,
                progress=lambda p: bar.show(p.hands, p.hands_to_play, f"part {p.parts_done}/{p.parts}"),
            )  # fmt: skip
    except (KeyboardInterrupt, CannotWrite, RunError) as stopped:
        lines = ["stopped" if isinstance(stopped, KeyboardInterrupt) else str(stopped)]
        typer.echo("ofclab: " + ". ".join(lines + list(getattr(stopped, "__notes__", []))), err=True)
        raise typer.Exit(130 if isinstance(stopped, KeyboardInterrupt) else 2) from None
    log = run.log
    if as_json:
        counts = {"hands": log.n_hands, "player_hands": log.n_player_hands, "parts": len(log.parts)}
        print_json({"path": str(run.path), **counts, "seconds": round(run.seconds, 3), "plan": log.manifest["source"]})
        return
    typer.echo(f"{run.path}: {log.n_hands:,} hands in {len(log.parts)} parts, {run.seconds:.1f} s")


def verify(
    log: Annotated[str, typer.Argument(help="Folder or URL of a log.")],
    as_json: Json = False,
) -> None:
    """Replay and re-score every hand of a log; exit code 1 when something is wrong.

    Example: ofclab verify data/runs/first
    """
    from ofclab.log import open_log
    from ofclab.log import verify as check

    opened = open_log(log)
    with ProgressBar("parts") as bar:
        report = check(opened, progress=bar.show)
    if as_json:
        problems = [{"hand_id": p.hand_id, "seat": p.seat, "part": p.part, "what": p.what} for p in report.problems]
        counts = ("path", "hands", "player_hands", "parts", "count", "disagreements")
        print_json({"ok": report.ok, **{name: getattr(report, name) for name in counts}, "problems": problems})
    else:
        typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add both commands to the program."""
    app.command()(simulate)
    app.command()(verify)


def _stacks(text: str) -> int | list[int] | None:
    if not text:
        return None
    try:
        chips = [int(word) for word in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"want chips such as 200 or 200,150, got {text!r}", param_hint="--stacks") from None
    return chips[0] if len(chips) == 1 else chips
