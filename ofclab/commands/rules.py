"""`ofclab rules`: list, show, check and compare rulesets."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ofclab.commands.output import Json, print_json, print_table

app = typer.Typer(no_args_is_help=True, help="List, show, check and compare rulesets.")

Ruleset = Annotated[str, typer.Argument(help="A preset name or the path of a TOML file.")]


@app.command("list")
def list_rules(as_json: Json = False) -> None:
    """List the shipped rulesets.

    Example: ofclab rules list --json
    """
    from ofclab.rules import load_rules, presets

    rulesets = [load_rules(name) for name in presets()]
    if as_json:
        print_json(
            [
                {"name": r.name, "title": r.title, "id": r.id, "players": r.players.max, "description": r.description}
                for r in rulesets
            ]
        )
        return
    rows = [(r.name, str(r.players.max), r.id, r.description) for r in rulesets]
    print_table("Rulesets", ("name", "players", "id", "description"), rows)


@app.command()
def show(
    ruleset: Ruleset,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a complete TOML file to start from.")] = False,
    as_json: Json = False,
) -> None:
    """Show what a ruleset says, in words, as JSON, or as a TOML file.

    Example: ofclab rules show american-pineapple --toml > house.toml
    """
    from ofclab.rules import describe_rules, load_rules

    if as_toml and as_json:
        raise typer.BadParameter("choose one of --toml and --json")
    rules = load_rules(ruleset)
    if as_json:
        metadata: dict[str, Any] = {
            key: getattr(rules, key) for key in ("name", "title", "description", "source", "id")
        }
        spots = {spot.parameter: spot.text for spot in rules.weak_spots}
        print_json({**metadata, "weak_spots": spots, "parameters": rules.flat()})
    else:
        typer.echo(rules.to_toml().rstrip("\n") if as_toml else describe_rules(rules))


@app.command()
def check(ruleset: Ruleset, as_json: Json = False) -> None:
    """Check a rules file: exit code 0 if it can be played, 1 with every problem if not.

    Example: ofclab rules check house.toml
    """
    from ofclab.rules import RulesError, load_rules, presets

    known = ruleset in presets() or Path(ruleset).expanduser().is_file()
    try:
        rules = load_rules(ruleset)
    except RulesError as error:
        if not known:
            raise
        if as_json:
            problems = [problem.as_dict() for problem in error.problems]
            print_json({"valid": False, "source": error.source, "problems": problems})
        else:
            typer.echo(str(error))
        raise typer.Exit(1) from None
    if as_json:
        print_json({"valid": True, "name": rules.name, "id": rules.id, "problems": []})
    else:
        typer.echo(f"{rules.name} can be played (id {rules.id})")


@app.command()
def diff(first: Ruleset, second: Ruleset, as_json: Json = False) -> None:
    """Say in words what the second ruleset changes in the first.

    Example: ofclab rules diff american-pineapple house.toml
    """
    from ofclab.rules import diff_rules, load_rules

    before, after = load_rules(first), load_rules(second)
    changes = diff_rules(before, after)
    if as_json:
        fields = ("parameter", "before", "after", "text")
        print_json([{field: getattr(change, field) for field in fields} for change in changes])
    elif changes:
        rows = [(change.parameter, change.text) for change in changes]
        print_table(f"What {after.name} changes in {before.name}", ("parameter", "change"), rows)
    else:
        typer.echo(f"{before.name} and {after.name} are the same rules (id {before.id})")


@app.command()
def keys(
    group: Annotated[str, typer.Argument(help="Only the parameters of this group, such as scoring.")] = "",
    as_json: Json = False,
) -> None:
    """List every parameter a rules file can set: what it accepts, its default and its meaning.

    Example: ofclab rules keys fantasyland
    """
    from dataclasses import asdict

    from ofclab.rules import parameters
    from ofclab.rules.errors import show_value

    groups = list(dict.fromkeys(name.partition(".")[0] for name in parameters()))
    if group and group not in groups:
        raise typer.BadParameter(f"no group {group!r}; have {', '.join(groups)}")
    found = [parameter for name, parameter in parameters().items() if not group or name.startswith(f"{group}.")]
    if as_json:
        print_json([asdict(parameter) for parameter in found])
        return
    rows = [(p.name, p.allowed, show_value(p.default), p.meaning) for p in found]
    print_table("Parameters", ("parameter", "accepts", "default", "meaning"), rows)
