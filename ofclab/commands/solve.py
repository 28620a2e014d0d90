"""`ofclab solve`: what each placement of a spot is worth, and what rows can be completed."""

from typing import Annotated

import typer

from ofclab.commands.options import fantasyland_points
from ofclab.commands.output import Json, print_frame, print_json, print_table


def solve(
    spot: Annotated[str, typer.Argument(help="'front / middle / back', or a whole spot with its lines.")] = "",
    dealt: Annotated[str, typer.Option(help="The cards to place.")] = "",
    discards: Annotated[str, typer.Option(help="Own discards.")] = "",
    opponent: Annotated[
        list[str], typer.Option(help="An opponent's open rows, or 'Fantasyland 14'; once an opponent, from the left.")
    ] = [],  # noqa: B006
    position: Annotated[int, typer.Option(help="1 acts first.")] = 1,
    rules: Annotated[str, typer.Option(help="A preset name or the path of a TOML file.")] = "american-pineapple",
    fantasyland: Annotated[str, typer.Option(help="Points Fantasyland is worth: 9.6, or 14=9.6,15=13.")] = "",
    budget: Annotated[float, typer.Option(help="Seconds for a sampled answer.")] = 1.0,
    samples: Annotated[int, typer.Option(help="Futures instead of seconds: the same answer every time.")] = 0,
    policy: Annotated[str, typer.Option(help="The strategy that carries on sampled streets.")] = "",
    seed: int = 0,
    chances: Annotated[bool, typer.Option("--chances", help="Chances to complete each row instead.")] = False,
    as_json: Json = False,
) -> None:
    """Value every placement of a spot, exactly on the last streets, sampled before.

    Example: ofclab solve "7c Ks / 2s 3c 3h / 4d 8d Qd Jd" --dealt "Tc 5d 2h" --discards "Th 7s" --fantasyland 9
    """
    from ofclab.rules import load_rules
    from ofclab.solver.chances import row_chances
    from ofclab.solver.evaluate import evaluate_spot
    from ofclab.spot import Spot

    ruleset = load_rules(rules)
    lines = [spot, *(f"opponent: {other}" for other in opponent)]
    lines += [f"{label}: {cards}" for label, cards in (("dealt", dealt), ("discards", discards)) if cards]
    if position > 1:
        lines.append(f"position: {position}")
    asked = Spot.parse("\n".join(lines))
    if chances:
        print_frame("Chances to complete each row, played for it", row_chances(asked, rules=ruleset), as_json)
        return
    found = evaluate_spot(
        asked, ruleset, fantasyland_points(fantasyland), budget, policy or None, seed, samples or None
    )
    if as_json:
        print_json(found.as_dict())
        return
    rows = [
        (
            row["placement"],
            f"{row['ev']:+.3f}",
            "exact" if row["exact"] else f"{row['se']:.3f}",
            f"{row['foul']:.1%}",
            f"{row['fantasyland']:.1%}",
            row["verdict"],
        )
        for row in found.frame.iter_rows(named=True)
    ]
    print_table(f"Points under {ruleset.name}", ("placement", "ev", "se", "foul", "Fantasyland", "verdict"), rows)
    typer.echo(found.information)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(solve)
