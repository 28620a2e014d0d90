"""What every command prints with: JSON, tables, a progress bar."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import polars as pl

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, because "[0]" in a cell is not markup.
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def print_frame(title: str, frame: "pl.DataFrame", as_json: bool) -> None:
    """Print a frame as JSON records or as a table."""
    from ofclab.compare.result import cell

    if as_json:
        print_json(frame.to_dicts())
    else:
        print_table(title, frame.columns, ([cell(value) for value in row] for row in frame.iter_rows()))


class ProgressBar:
    """A progress bar on the error stream: share done, rate and time left."""

    def __init__(self, unit: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._unit = unit
        self._task: Any = None

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, done: int, total: int, text: str = "") -> None:
        """Move the bar."""
        if self._task is None:
            self._task = self._bar.add_task(text or self._unit, total=total, rate="")
        speed = self._bar.tasks[0].finished_speed or self._bar.tasks[0].speed
        rate = f"{speed:,.0f} {self._unit}/s" if speed else ""
        self._bar.update(self._task, completed=done, total=total, description=text or self._unit, rate=rate)


def warn_if_cold() -> None:
    """Say that the first run compiles, where it does."""
    from ofclab.kernels.jit import is_cold

    if is_cold():
        typer.echo("First run on this machine: compiling the kernels takes about a minute, once.", err=True)
