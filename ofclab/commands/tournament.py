"""`ofclab tournament`: strategies against each other on mirrored deals."""

from typing import Annotated

import typer

from ofclab.commands.options import fantasyland_points
from ofclab.commands.output import Json, ProgressBar, print_frame, print_json, print_table, warn_if_cold


def tournament(
    strategies: Annotated[list[str], typer.Argument(help="Two strategies or more: hindsight 'gamble(p=0.3)'.")],
    rules: Annotated[str, typer.Option(help="A preset name or the path of a TOML file.")] = "american-pineapple",
    deals: Annotated[int, typer.Option(help="Deals, each played in every seating.")] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 1,
    seats: Annotated[int, typer.Option(help="Players at a table: 2 to 4.")] = 2,
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    fantasyland: Annotated[str, typer.Option(help="What Fantasyland is worth: 9.6, or 14=9.6,15=13.")] = "",
    ratings: Annotated[bool, typer.Option("--ratings", help="Rate the strategies (needs the ratings extra).")] = False,
    as_json: Json = False,
) -> None:
    """Play every pair (or every line-up of three or four) on mirrored deals, Fantasyland hands included.

    Example: ofclab tournament hindsight anti_foul never_bust_greedy --deals 500 --workers 2
    """
    from ofclab.tournaments import tournament as play

    warn_if_cold()
    with ProgressBar("pieces") as bar:
        found = play(
            strategies, rules, deals, seed, seats, workers, fantasyland_points(fantasyland), progress=bar.show
        )  # fmt: skip
    rated = found.ratings if ratings else None
    if as_json:
        told = {"rules": found.rules.name, "seats": seats, "deals": deals, "seed": seed}
        frames = {"pairs": found.pairs, "rates": found.rates, "payoff": found.payoff}
        frames |= {} if rated is None else {"ratings": rated}
        print_json({**told, **{name: frame.to_dicts() for name, frame in frames.items()}})
        return
    rows = [
        (row["a"], row["b"], f"{row['points']:+.2f}", f"{row['low']:+.2f} to {row['high']:+.2f}", row["verdict"])
        for row in found.pairs.iter_rows(named=True)
    ]
    print_table(
        f"Points a deal for the first, {deals:,} mirrored deals under {found.rules.name}",
        ("first", "second", "points", "95 % interval", "first is"), rows,
    )  # fmt: skip
    kinds = ("foul_rate", "entry_rate", "stay_rate")
    rates = [
        (row["strategy"], f"{row['points']:+.2f}", *(_per_cent(row[kind]) for kind in kinds),
         f"{row['royalties_per_normal_hand']:.2f}", f"{row['hands']:,}")
        for row in found.rates.iter_rows(named=True)
    ]  # fmt: skip
    print_table(
        "How they play", ("strategy", "points a deal", "fouls", "entries", "stays", "royalties", "hands"), rates
    )
    if len(found.names) > 2:
        print_frame("Points a deal of the row from the column", found.payoff, as_json=False)
    if rated is not None:
        print_frame("Ratings", rated, as_json=False)


def _per_cent(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.1%}"
