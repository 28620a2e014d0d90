"""Pages of the reference that are made from the package when the site is built, so that they cannot go stale."""

import re
from importlib import import_module
from pathlib import Path

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click

import ofclab as ofc
from ofclab.cli import app
from ofclab.log.schema import TABLES
from ofclab.rules import describe_rules

ROOT = Path(__file__).parents[1]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    pages = (("presets", presets), ("cli", commands), ("metrics", metrics), ("hand-log", hand_log), ("python", python))
    for name, page in pages:
        files.append(File.generated(config, f"reference/{name}.md", content=page()))
    return files


def presets() -> str:
    """Every shipped ruleset in words."""
    parts = ["# Rulesets\n\nThe rulesets that are shipped, as `ofclab rules show` prints them.\n"]
    for name in ofc.presets():
        parts.append(f"## {name}\n\n```text\n{describe_rules(ofc.load_rules(name))}\n```\n")
    return "\n".join(parts)


def commands() -> str:
    """Every command with its options, from the program itself."""
    command = typer.main.get_command(app)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="ofclab", title="Commands")
    return re.sub(r"Example: (ofclab .*)", r"Example: `\1`", text)


def metrics() -> str:
    """The dictionary of metrics and terms."""
    parts = [
        "# Metrics\n\nEvery number of `ofclab.analytics`: a function, frame in and frame out, and what it means.\n"
    ]
    parts.append("| function | name | unit | what it means |\n|---|---|---|---|")
    parts += [f"| `{m.name}` | {m.title} | {m.unit} | {m.explanation} |" for m in ofc.analytics.METRICS.values()]
    parts.append("\n## Terms\n\n| term | meaning |\n|---|---|")
    parts += [f"| {term} | {meaning} |" for term, meaning in ofc.analytics.TERMS.items()]
    return "\n".join(parts)


def hand_log() -> str:
    """The data dictionary, with the types of the schema behind it."""
    text = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    parts = [text, "\n## Types\n"]
    for table, schema in TABLES.items():
        rows = "\n".join(f"| `{column}` | {dtype} |" for column, dtype in schema.items())
        parts.append(f"### {table}\n\n| column | type |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def python() -> str:
    """The public names, module by module, with their docstrings."""
    parts = ["# Python\n\n`import ofclab as ofc` gives every name below; nothing else of the package is public.\n"]
    modules = dict.fromkeys(ofc._HOME.values())
    for module in modules:
        parts.append(f"## ofclab.{module}\n\n{import_module(f'ofclab.{module}').__doc__}\n")
        parts += [f"::: ofclab.{module}.{name}\n" for name, home in ofc._HOME.items() if home == module]
    for module in ("analytics", "charts"):
        parts.append(f"## ofclab.{module}\n\n{import_module(f'ofclab.{module}').__doc__}\n")
        names = import_module(f"ofclab.{module}").__all__
        parts += [f"::: ofclab.{module}.{name}\n" for name in names if name.islower()]
    return "\n".join(parts)
