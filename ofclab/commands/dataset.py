"""`ofclab dataset`: write data sets of solved hands."""

from pathlib import Path
from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json, warn_if_cold

app = typer.Typer(no_args_is_help=True, help="Write data sets of solved hands.")


@app.callback()
def _group() -> None:
    pass


@app.command()
def fantasyland(
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    cards: Annotated[int, typer.Option(help="Cards of a hand: 13 to 17.")] = 14,
    hands: Annotated[int, typer.Option(help="Hands to solve.")] = 2000,
    rules: Annotated[str, typer.Option(help="A preset name or the path of a TOML file.")] = "american-pineapple",
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 0,
    as_json: Json = False,
) -> None:
    """Write random Fantasyland hands with their best boards to Parquet, with a datasheet.

    Example: ofclab dataset fantasyland --cards 14 --hands 100000 --out data/runs/fantasyland_14
    """
    from ofclab.solver.dataset import write_solved_hands

    warn_if_cold()
    frame = write_solved_hands(out, cards, hands, rules, seed)
    if as_json:
        print_json({"path": str(out), "hands": hands, "rows": len(frame), "columns": frame.columns})
        return
    typer.echo(f"{out}: {hands:,} hands of {cards} cards, {len(frame):,} rows, with README.md and rules.toml")
