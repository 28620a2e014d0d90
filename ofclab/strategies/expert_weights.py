"""Expert's weights: small files that name the rules, seed, sizes and matches, and load whole or not at all."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.expert_features import INPUTS
from ofclab.kernels.expert_net import Nets
from ofclab.strategies.expert_payoff import STEPS, Field

VERSION = 2
"""Raised whenever the nets' inputs change: older files then have to be trained again."""
FOLDER = Path(__file__).parent / "weights"
_ARRAYS = ("w1", "b1", "w2", "b2", "w3", "b3", "foul", "screen", "rows", "fouls")


class WeightsError(ValueError):
    """A weights file that is damaged, of another version, or of the wrong shape."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Nets of the first streets, the boards opponents end with, and where both come from.

    ``about``: rules (name), ruleset (id), seats, seed, sizes, values (Fantasyland, by cards), and what was measured.
    """

    nets: Nets
    field: Field
    about: Mapping[str, Any]

    @property
    def streets(self) -> int:
        """How many streets there are nets for."""
        return int(self.nets.w1.shape[0])

    @property
    def values(self) -> dict[int, float]:
        """Points of Fantasyland the nets were trained with, by number of cards."""
        return {int(cards): float(points) for cards, points in self.about["values"].items()}

    def save(self, path: Path) -> None:
        """Write the file: the great arrays in half precision, `about` as JSON, and a checksum over both."""
        arrays = self._packed()
        about = {**self.about, "version": VERSION, "checksum": _checksum(arrays, self.about)}
        text = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
        fresh = path.with_suffix(".tmp.npz")
        np.savez_compressed(fresh, allow_pickle=False, about=text, **arrays)
        fresh.replace(path)

    def rounded(self) -> Weights:
        """As they are after saving and loading."""
        return _unpacked(self._packed(), self.about)

    def _packed(self) -> dict[str, NDArray[Any]]:
        half = ("w1", "w2", "screen")
        nets = {
            name: getattr(self.nets, name).astype(np.float16 if name in half else np.float32) for name in Nets._fields
        }
        return {**nets, "rows": self.field.rows, "fouls": self.field.fouls}


def _unpacked(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> Weights:
    nets = Nets(*(np.ascontiguousarray(arrays[name], np.float32) for name in Nets._fields))
    return Weights(nets, Field(arrays["rows"], arrays["fouls"]), about)


def _checksum(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in _ARRAYS:
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()[:16]


def load(path: Path) -> Weights:
    """Read a weights file. Raises WeightsError saying what is wrong with it, FileNotFoundError when there is none."""
    if not path.exists():
        raise FileNotFoundError(f"no weights at {path}; have {', '.join(shipped()) or 'none'}; train makes them")
    try:
        with np.load(path) as file:
            about = json.loads(file["about"].tobytes())
            arrays = {name: file[name] for name in file.files if name != "about"}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: no weights file ({error})") from None
    version, checksum = about.pop("version", None), about.pop("checksum", None)
    if version != VERSION:
        raise WeightsError(f"{path}: weights of version {version}, want {VERSION}; train them again")
    missing = [name for name in _ARRAYS if name not in arrays]
    if missing:
        raise WeightsError(f"{path}: {', '.join(missing)} missing")
    n, a, b = arrays["w1"].shape[0], arrays["w1"].shape[-1], arrays["w2"].shape[-1]
    shapes = {
        "w1": (n, INPUTS, a), "b1": (n, a), "w2": (n, a, b), "b2": (n, b), "w3": (n, b), "b3": (n,), "foul": (n,),
        "screen": (n, INPUTS), "rows": (2, 3, STEPS), "fouls": (2,),
    }  # fmt: skip
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise WeightsError(f"{path}: {name} has the shape {arrays[name].shape}, want {shape}")
    if checksum != _checksum(arrays, about):
        raise WeightsError(f"{path}: the checksum does not fit: the file is damaged or was changed by hand")
    return _unpacked(arrays, about)


def shipped() -> list[str]:
    """Names of the rulesets that have weights in the package."""
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


@lru_cache(maxsize=32)
def load_shipped(name: str) -> Weights:
    """The weights of a ruleset in the package."""
    return load(FOLDER / f"{name}.npz")
