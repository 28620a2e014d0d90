"""`ofclab bench` and `ofclab warmup`: how fast it is and beside what; compile everything now."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from ofclab.commands.output import Json, print_json, warn_if_cold

if TYPE_CHECKING:
    from ofclab.bench import Row


def bench(
    only: Annotated[list[str], typer.Option(help="Part of a row's name; several times for several rows.")] = [],  # noqa: B006
    full: Annotated[bool, typer.Option("--full", help="All 100 million seat rows instead of a fifth.")] = False,
    as_json: Json = False,
) -> None:
    """Measure every part against a baseline in the same process.

    CPU time, medians of nine rounds in which both take turns. A ratio says how many times better a figure is than its
    baseline; a row holds where it reaches its gate. Baselines from other packages need `pip install 'ofclab[bench]'`.

    Example: ofclab bench --only setter --only ranks
    """
    from ofclab.bench import run

    warn_if_cold()
    rows = run(only or None, full, told=lambda row, number, of: typer.echo(f"{number}/{of} {row.name}", err=True))
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    table = [("row", "figure", "baseline", "ratio", "gate", "aim", "holds", "note"), *map(cells, rows)]
    # Markdown, so that it can be pasted, and as wide as it is: no terminal may cut a figure.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(1, tuple("-" * width for width in widths))
    for line in table:
        typer.echo("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")


def cells(row: "Row") -> tuple[str, ...]:
    """A row as the words of the printed table."""
    gate, aim = (f"{bound:,g}{'x' if row.gate_unit == 'x' else f' {row.gate_unit}'}" for bound in (row.gate, row.aim))
    baseline = f"{row.against}: {_figure(row.baseline)} {row.unit}" if row.baseline is not None else row.against
    ratio = f"{_figure(row.ratio)}x" if row.ratio is not None else "-"
    holds = {True: "yes", False: "no", None: "not told"}[row.holds]
    return row.name, f"{_figure(row.value)} {row.unit}", baseline, ratio, gate, aim, holds, row.note


def _figure(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.001 else f"{value:.6f}".rstrip("0")


def warmup(as_json: Json = False) -> None:
    """Compile every kernel now, so that nothing compiles later; says how long each group takes.

    Machine code is kept in $OFCLAB_CACHE, the user's cache folder or a temporary one; a second call only loads it.
    """
    from ofclab.bench.warmup import warm_up_everything
    from ofclab.kernels.jit import cache_root

    warn_if_cold()
    taken = {}
    for group, seconds in warm_up_everything():
        taken[group] = round(seconds, 3)
        if not as_json:
            typer.echo(f"{group:12} {seconds:6.1f} s")
    if as_json:
        print_json({"cache": str(cache_root()), "cpu_seconds": taken})
    else:
        typer.echo(f"{'all':12} {sum(taken.values()):6.1f} s of CPU, kept in {cache_root()}")


def register(app: typer.Typer) -> None:
    """Add both commands to the program."""
    app.command()(bench)
    app.command()(warmup)
