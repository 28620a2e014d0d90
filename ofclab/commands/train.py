"""`ofclab train`: make Expert's weights for a ruleset by self-play."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ofclab.commands.output import ProgressBar, print_table, warn_if_cold

PLANS = ("full", "quick")


def train(
    rules: Annotated[str, typer.Argument(help="A preset name or the path of a TOML file.")],
    seats: Annotated[int, typer.Option(help="Players at a table: 2 to 4.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 1,
    plan: Annotated[str, typer.Option(help="full: about an hour on two cores; quick: some minutes, weaker.")] = "full",
    workers: Annotated[int, typer.Option(help="Threads.")] = 2,
    folder: Annotated[str, typer.Option(help="Where its stages are kept, to resume from.")] = "",
    out: Annotated[str, typer.Option(help="The weights file; without it, where expert finds it by itself.")] = "",
    deals: Annotated[int, typer.Option(help="Deals of the matches that tell how strong it is; 0 for none.")] = 300,
) -> None:
    """Train Expert for a ruleset: play itself, value the boards, fit nets, and again. An interrupted run goes on.

    Example: ofclab train progressive-pineapple --plan quick --workers 2
    """
    if plan not in PLANS:
        raise typer.BadParameter(f"have {', '.join(PLANS)}, got {plan!r}", param_hint="--plan")
    if "numpy" not in sys.modules:
        # The fits are many small products: threads of the linear algebra would only wait for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ofclab.kernels.jit import cache_root
    from ofclab.rules import load_rules
    from ofclab.strategies.expert_choice import trained_file
    from ofclab.training.laps import FULL, QUICK, Course
    from ofclab.training.proof import proven

    ruleset = load_rules(rules)
    stages = Path(folder) if folder else cache_root() / "training" / f"{ruleset.id}-{seats}-{plan}-{seed}"
    target = Path(out) if out else trained_file(ruleset, seats)
    warn_if_cold()
    with ProgressBar("CPU s") as bar:
        course = Course(
            ruleset, seats, stages, FULL if plan == "full" else QUICK, seed, workers=workers,
            told=lambda stage, done, whole: bar.show(done, whole, stage),
        )  # fmt: skip
        weights = course.run()
    if deals:
        weights = proven(weights, ruleset, seats, deals, seed=seed + 10)
    target.parent.mkdir(parents=True, exist_ok=True)
    weights.save(target)
    typer.echo(f"weights: {target}")
    print_table("How they play", ("figure", "value"), _told(weights.about))


def _told(about: Any) -> list[tuple[str, str]]:
    """What was measured, as lines."""
    lines = [(name, f"{value:g}") for name, value in about.get("self_play", {}).items()]
    lines += [
        (f"points a deal from {each['opponent']}", f"{each['points']:+.2f} ({each['low']:+.2f} to {each['high']:+.2f})")
        for each in about.get("matches", [])
    ]
    lines += [
        (f"{cards} Fantasyland cards", f"{each['value']:.2f} ({each['low']:.2f} to {each['high']:.2f})")
        for cards, each in about.get("fantasyland", {}).items()
    ]
    return lines
