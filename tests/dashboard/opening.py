"""Open pages without a browser, and read what they say."""

import time
from pathlib import Path

import pytest
from samples import DASHBOARD
from streamlit.testing.v1 import AppTest

ERROR = ":material/error:"


def open_page(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **address: str) -> AppTest:
    """Open a page over a library with an address like ``log="small"``."""
    monkeypatch.setenv("OFCLAB_HOME", str(folder))
    app = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=90)
    app.switch_page(f"views/{page}.py")
    for key, value in address.items():
        app.query_params[key] = value
    return app.run()


def errors(app: AppTest) -> list[str]:
    """Errors the page shows."""
    return [mark.value for mark in app.markdown if mark.value.startswith(":red[:material/error: **")]


def texts(app: AppTest) -> str:
    """Plain text of the page."""
    return " ".join(text.value for text in app.text)


def html(app: AppTest) -> str:
    """HTML of the page."""
    return " ".join(element.proto.body for element in app.get("html"))


def marks(app: AppTest) -> str:
    """Markdown of the page."""
    return " ".join(mark.value for mark in app.markdown)


def wait_for_jobs(app: AppTest, seconds: float = 240) -> AppTest:
    """Run the page again until nothing is at work in the background."""
    import jobs

    end = time.monotonic() + seconds
    while jobs.active():
        assert time.monotonic() < end, [job.told for job in jobs.active()]
        time.sleep(0.2)
    return app.run()
