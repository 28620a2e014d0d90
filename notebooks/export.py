"""Run the notebooks and write them as HTML with pictures, for people without Jupyter.

    python notebooks/export.py --out build/notebooks            all of them
    OFCLAB_SCALE=20 python notebooks/export.py 03 07            two of them, twenty times as large

Charts become SVG, drawn by kaleido with an installed Chrome or Chromium.
"""

import argparse
import os
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

HERE = Path(__file__).parent


def export(notebook: Path, out: Path) -> Path:
    """Run one notebook and write it as a page that needs no other file; return its path."""
    os.environ["PLOTLY_RENDERER"] = "svg"
    cells = nbformat.read(notebook, as_version=4)
    ExecutePreprocessor(timeout=None).preprocess(cells, {"metadata": {"path": str(HERE.parent)}})
    # Without addresses of scripts: the page loads nothing from a network.
    names = ("mathjax_url", "require_js_url", "mermaid_js_url", "mermaid_layout_elk_js_url", "jquery_url")
    body, _ = HTMLExporter(embed_images=True, **dict.fromkeys(names, "")).from_notebook_node(
        cells, {"metadata": {"name": notebook.stem}}
    )
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"{notebook.stem}.html"
    target.write_text(body, encoding="utf-8")
    return target


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="beginnings of notebook names; default: all")
    parser.add_argument("--out", type=Path, default=HERE.parent / "build" / "notebooks")
    asked = parser.parse_args()
    found = [path for path in sorted(HERE.glob("*.ipynb")) if path.name.startswith(tuple(asked.names or [""]))]
    if not found:
        parser.error(f"no notebook begins with {', '.join(asked.names)}")
    for path in found:
        print(export(path, asked.out))


if __name__ == "__main__":
    main()
