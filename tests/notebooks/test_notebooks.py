"""Every notebook runs from top to bottom, carries no outputs, and has cell ids that do not change."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def test_there_are_ten() -> None:
    assert [path.name[:3] for path in NOTEBOOKS] == [f"{number:02d}_" for number in range(1, 11)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_has_no_outputs_and_stable_ids(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert [cell.id for cell in notebook.cells] == [f"{path.name[:2]}-{i:02d}" for i in range(len(notebook.cells))]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert code[0].source.count("SCALE = ") == 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore::DeprecationWarning")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "samples").symlink_to(ROOT / "data" / "samples")
    notebook = read(path)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    errors = [o for cell in notebook.cells for o in cell.get("outputs", ()) if o.get("name") == "stderr"]
    assert not errors, errors
