"""`ofclab dashboard`: open the dashboard in the browser."""

import os
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

ADDRESS = "127.0.0.1"


def folder() -> Path:
    """The dashboard's own folder: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    for place in (package / "_dashboard", package.parent / "dashboard"):
        if (place / "serve.py").is_file():
            return place
    raise FileNotFoundError(
        f"the dashboard's files are missing: neither {package / '_dashboard'} nor a checkout has them"
    )


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError as error:
            raise OSError(f"port {port} cannot be used ({error.strerror}); choose another one with --port") from None


def dashboard(
    port: Annotated[int, typer.Option(min=1024, max=65535, help="Port of the local address.")] = 8501,
    library: Annotated[
        Path | None,
        typer.Option(help="Folder whose logs are shown; without it $OFCLAB_HOME, or data/runs and data/samples here."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")] = False,
) -> None:
    """Open the dashboard over the logs of a folder, on this machine only.

    Example: ofclab dashboard --library data/runs
    """
    if not all(find_spec(module) for module in ("streamlit", "plotly")):
        raise ValueError("the dashboard needs more packages: pip install 'ofclab[dashboard]'")
    if library is not None:
        if not library.is_dir():
            raise FileNotFoundError(f"no folder {str(library)!r} to take the logs from")
        os.environ["OFCLAB_HOME"] = str(library.resolve())
    _check_port(port)
    from streamlit.web.cli import main as streamlit

    options = ["--server.port", str(port), "--server.address", ADDRESS, "--server.headless", str(no_browser).lower()]
    streamlit(["run", str(folder() / "serve.py"), *options], prog_name="ofclab dashboard")
