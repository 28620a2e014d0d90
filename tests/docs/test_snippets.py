"""The code blocks of the README and of docs/ run: Python blocks page by page, `$ ofclab` lines of console blocks."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from typer.testing import CliRunner

from ofclab.cli import app

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def run_commands(example: Example) -> str | None:
    """Run the lines of a console block that call ofclab; what stands between them is output, for the reader."""
    for line in str(example.parsed).replace("\\\n", " ").splitlines():
        if not line.startswith("$ ofclab "):
            continue
        result = CliRunner().invoke(app, shlex.split(line, comments=True)[2:])
        if result.exit_code:
            return f"{line} ended with {result.exit_code}:\n{result.output}"
    return None


SYBIL = Sybil(parsers=[PythonCodeBlockParser(), CodeBlockParser("console", run_commands), SkipParser()], pattern="*.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "samples").symlink_to(ROOT / "data" / "samples")
    for example in SYBIL.parse(page).examples():
        example.evaluate()
