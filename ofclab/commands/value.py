"""`ofclab value` and `ofclab gamble`: what a Fantasyland hand is worth, and how good a gamble for it must be."""

from typing import TYPE_CHECKING, Annotated

import typer

from ofclab.commands.options import fantasyland_points
from ofclab.commands.output import Json, ProgressBar, print_frame, print_json, print_table, warn_if_cold

if TYPE_CHECKING:
    from ofclab.solver.values import FantasylandValue


def value(
    rules: Annotated[list[str] | None, typer.Argument(help="Presets or TOML files; without any, every preset.")] = None,
    strategy: Annotated[str, typer.Option(help="The strategy everybody plays.")] = "hindsight",
    seats: Annotated[int, typer.Option(help="Players at a table: 2 to 4.")] = 2,
    tables: Annotated[int, typer.Option(help="Chains of Fantasyland hands for each number of cards.")] = 4000,
    hands: Annotated[int, typer.Option(help="Longest chain that is played out.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 0,
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    fresh: Annotated[bool, typer.Option("--fresh", help="Neither read nor keep values in the user's cache.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a table for a Markdown page.")] = False,
    as_json: Json = False,
) -> None:
    """Find what a Fantasyland hand is worth, by number of cards, to its fixed point.

    Example: ofclab value american-pineapple --strategy never_bust_greedy --tables 1000
    """
    from ofclab.rules import load_rules, presets
    from ofclab.solver.values import fantasyland_cards, fantasyland_value

    rulesets = [load_rules(name) for name in rules or presets()]
    if not rules:
        rulesets = [ruleset for ruleset in rulesets if fantasyland_cards(ruleset) and seats <= ruleset.players.max]
    warn_if_cold()
    found = []
    with ProgressBar("chains") as bar:
        for number, ruleset in enumerate(rulesets):
            done = 1000 * number

            def tell(part: int, whole: int, done: int = done) -> None:
                bar.show(done + 1000 * part // whole, 1000 * len(rulesets), "Fantasyland values")

            found.append(
                fantasyland_value(ruleset, strategy, seats, tables, hands, seed, workers, not fresh, tell)
            )  # fmt: skip
    if as_json:
        print_json([_told(each) for each in found])
        return
    heads = ("rules", "cards", "value", "95 % interval", "stays", "royalties", "chains")
    rows = [
        (each.rules.name, str(row["cards"]), f"{row['value']:.2f}", f"{row['low']:.2f} to {row['high']:.2f}",
         f"{row['stay_rate']:.1%}", f"{row['royalties']:.2f}", f"{row['chains']:,}")
        for each in found
        for row in each.frame.iter_rows(named=True)
    ]  # fmt: skip
    if markdown:
        for line in (heads, ("---",) * len(heads), *rows):
            typer.echo(f"| {' | '.join(line)} |")
        return
    print_table(f"Points of a Fantasyland hand beyond a normal one, {found[0].strategy}, {seats} seats", heads, rows)


def _told(each: "FantasylandValue") -> dict[str, object]:
    told = {"rules": each.rules.name, "ruleset_id": each.rules.id, "strategy": each.strategy, "seats": each.seats}
    return {**told, "slope": each.slope, "values": each.frame.to_dicts()}


def gamble(
    rules: Annotated[str, typer.Argument(help="A preset name or the path of a TOML file.")] = "american-pineapple",
    fantasyland: Annotated[str, typer.Option(help="What Fantasyland is worth: 9.6, or 14=9.6,15=13.")] = "",
    safe: Annotated[str, typer.Option(help="Points the safe play is worth: one number or several.")] = "-2,-1,0,1,2,4",
    rows: Annotated[float, typer.Option(help="Points the rows of a successful board win from an opponent.")] = 0.0,
    seats: Annotated[int, typer.Option(help="Players at a table: 2 to 4.")] = 2,
    as_json: Json = False,
) -> None:
    """Show the chance a gamble for Fantasyland needs, p* = (S + L) / (R + L), by what the safe play is worth.

    Example: ofclab gamble american-pineapple --fantasyland 9.6 --rows 1.7
    """
    from ofclab.solver.gamble import gamble_table

    try:
        plays = [float(word) for word in safe.split(",")]
    except ValueError:
        raise typer.BadParameter(f"want points such as -2,0,4, got {safe!r}", param_hint="--safe") from None
    found = gamble_table(rules, fantasyland_points(fantasyland), plays, rows, seats)
    print_frame("Chance at which a gamble for Fantasyland is worth the safe play", found, as_json)


def register(app: typer.Typer) -> None:
    """Add both commands to the program."""
    app.command()(value)
    app.command()(gamble)
