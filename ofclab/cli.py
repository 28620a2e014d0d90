"""The `ofclab` program: puts the commands together and keeps errors to one line."""

import errno
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ofclab.commands import (
    audit,
    bench,
    compare,
    dashboard,
    dataset,
    imports,
    ledger,
    people,
    report,
    review,
    rules,
    score,
    simulate,
    solve,
    tournament,
    train,
    value,
)


class _PlainErrors(TyperGroup):
    """Prints what a user can put right (a bad value, a missing file) without a traceback; exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise
            typer.echo(f"ofclab: {error}", err=True)
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=_PlainErrors,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Open-Face Chinese Poker: play, import, score and analyse hands under any rules.",
)
app.add_typer(rules.app, name="rules")
bench.register(app)
compare.register(app)
review.register(app)
score.register(app)
simulate.register(app)
solve.register(app)
value.register(app)
app.command()(tournament.tournament)
app.command()(train.train)
app.add_typer(dataset.app, name="dataset")
app.command()(dashboard.dashboard)
app.command("import")(imports.import_files)
app.command()(imports.export)
app.command()(ledger.ledger)
app.command()(audit.audit)
app.command("infer-rules")(audit.infer)
app.command()(people.players)
app.command()(people.forget)
app.command()(people.share)
app.command()(report.report)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"ofclab {version('ofclab')}")
        except PackageNotFoundError:
            typer.echo("ofclab, run from its source without being installed")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the program."""
    app()
