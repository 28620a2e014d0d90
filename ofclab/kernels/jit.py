"""The one decorator every kernel is compiled with, and where its machine code is cached."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba.core import config

P = ParamSpec("P")
R = TypeVar("R")


def _source_key() -> str:
    """Hash of every kernel source and the numba version.

    numba watches only the file a function stands in, so a changed helper elsewhere would return old machine code.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """A writable folder for this version of the kernels: $OFCLAB_CACHE, the user's cache, or a temporary folder."""
    name = f"kernels-{_source_key()}"
    root = os.environ.get("OFCLAB_CACHE") or os.environ.get("XDG_CACHE_HOME")
    candidates = [Path(root) / "ofclab"] if root else [Path(os.path.expanduser("~")) / ".cache" / "ofclab"]
    candidates.append(Path(tempfile.gettempdir()) / f"ofclab-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    for candidate in candidates:
        if _is_writable(candidate / name):
            return candidate / name
    return Path(tempfile.mkdtemp(prefix="ofclab-"))


CACHE_FOLDER = _cache_folder()


def is_cold() -> bool:
    """Tell whether no kernel of this version has been compiled on this machine yet."""
    return not any(CACHE_FOLDER.rglob("*.nbi"))


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function with numba on its first call: nogil, cached by the hash of all kernel files."""
    before = getattr(config, "CACHE_DIR")
    setattr(config, "CACHE_DIR", str(CACHE_FOLDER))
    try:
        compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        setattr(config, "CACHE_DIR", before)
    return compiled
