"""The documentation builds strictly, without a network, and its generated pages hold what the package has."""

from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

import ofclab as ofc

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(out), strict=True)
    build(config)
    return out


def test_every_preset_metric_and_command_has_its_place(site: Path) -> None:
    names = ("presets", "metrics", "cli", "python")
    pages = {name: (site / "reference" / f"{name}.html").read_text() for name in names}
    assert all(f'id="{name}"' in pages["presets"] for name in ofc.presets())
    assert all(f"<code>{name}</code>" in pages["metrics"] for name in ofc.analytics.METRICS)
    assert all(command in pages["cli"] for command in ("ofclab simulate", "ofclab rules check", "ofclab report"))
    assert "evaluate_spot" in pages["python"]


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text()
        for mark in ('<script src="http', '<link rel="stylesheet" href="http', '<img src="http'):
            assert mark not in text, f"{page.relative_to(site)} has {mark}"
