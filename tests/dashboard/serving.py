"""The dashboard served over a folder, and Chromium to look at it with."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
SIZES = {"desk": (1280, 900), "phone": (390, 844)}
COLORS = ("light", "dark")


@contextmanager
def serving(folder: Path, output: Path) -> Iterator[str]:
    """The address of `ofclab dashboard` over a library; what it prints goes to ``output``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "ofclab", "dashboard", "--no-browser", "--port", str(port)]
    with output.open("w") as file:
        process = subprocess.Popen([*command, "--library", str(folder)], stdout=file, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            if process.poll() is not None:
                raise RuntimeError(output.read_text())
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


def settle(page) -> None:
    """Wait until the page has run and drawn."""
    page.wait_for_selector("h1", timeout=30_000)
    page.wait_for_timeout(250)
    # A page of which nothing is stale may still be in the middle of its script, where the machine is busy.
    done = "[data-testid=stApp][data-test-script-state=notRunning]"
    busy = "[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]"
    page.wait_for_function(f"document.querySelector('{done}') && !document.querySelector('{busy}')", timeout=60_000)


def overflow(page) -> int:
    """Pixels by which the page is wider than the screen."""
    return page.evaluate(
        """() => { const main = document.querySelector('[data-testid=stMain]')
        return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth) }"""
    )


def slug(address: str) -> str:
    """An address as a file name."""
    return re.sub(r"[^a-z0-9]+", "-", address.lower()).strip("-")[:60] or "home"
