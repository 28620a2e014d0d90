"""The HTML export of a notebook: charts are pictures, and the page loads nothing."""

import re
import sys
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.browser
def test_a_page_holds_its_charts_and_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    import export

    notebook = nbformat.v4.new_notebook()
    cell = "import plotly.graph_objects as go\n\ngo.Figure().add_bar(y=[1, 2])"
    notebook.cells = [nbformat.v4.new_markdown_cell("# One chart"), nbformat.v4.new_code_cell(cell)]
    source = tmp_path / "one.ipynb"
    nbformat.write(notebook, source)
    page = export.export(source, tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    assert page.name == "one.html"
    assert "One chart" in text
    assert "jp-RenderedSVG jp-OutputArea-output" in text
    assert not re.findall(r"""(?:src|href)=["']https?:""", text)


def test_an_unknown_name_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    import export

    monkeypatch.setattr(sys, "argv", ["export.py", "99"])
    with pytest.raises(SystemExit):
        export.main()
    assert "99" in capsys.readouterr().err
