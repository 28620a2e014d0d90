"""The one decorator every kernel is compiled with, and where its machine code is cached."""

from __future__ import annotations

import ast
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba.core import config

P = ParamSpec("P")
R = TypeVar("R")


_KERNELS = Path(__file__).parent


@cache
def _imported(module: Path) -> frozenset[Path]:
    """The kernel modules that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module == "ofclab.kernels":
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ofclab.kernels."):
            found.add((node.module or "").rpartition(".")[2])
    return frozenset(_KERNELS / f"{name}.py" for name in found)


@cache
def _source_key(module: Path) -> str:
    """Hash of a module, of every kernel module it builds on, and of the numba version.

    numba watches only the file a function stands in, so a changed helper elsewhere would return old machine code.
    """
    closure, front = {module}, {module}
    while front:
        front = {other for known in front for other in _imported(known)} - closure
        closure |= front
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(closure, key=lambda path: path.stem):
        digest.update(path.stem.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_root() -> Path:
    """A writable folder for machine code: $OFCLAB_CACHE, the user's cache, or a temporary folder."""
    root = os.environ.get("OFCLAB_CACHE") or os.environ.get("XDG_CACHE_HOME")
    candidates = [Path(root) / "ofclab"] if root else [Path(os.path.expanduser("~")) / ".cache" / "ofclab"]
    candidates.append(Path(tempfile.gettempdir()) / f"ofclab-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    for candidate in candidates:
        if _is_writable(candidate):
            return candidate
    return Path(tempfile.mkdtemp(prefix="ofclab-"))


def _folder(module: Path) -> Path:
    return cache_root() / f"{module.stem}-{_source_key(module)}"


def is_cold(name: str = "scoring") -> bool:
    """Tell whether no kernel of a module, as it is now, has been compiled on this machine yet."""
    return not any(_folder(_KERNELS / f"{name}.py").rglob("*.nbi"))


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function with numba on its first call: nogil, cached under the hash of all it builds on."""
    before = getattr(config, "CACHE_DIR")
    setattr(config, "CACHE_DIR", str(_folder(Path(function.__code__.co_filename))))
    try:
        compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        setattr(config, "CACHE_DIR", before)
    return compiled
