"""manifest.json: what made a log, and which version of the schema it follows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ofclab.log.errors import LogError
from ofclab.log.schema import SCHEMA_VERSION
from ofclab.log.store import Store

MANIFEST = "manifest.json"
GENERATOR = "ofclab"


def generator_version() -> str:
    """Version of this package."""
    try:
        return version(GENERATOR)
    except PackageNotFoundError:
        return "unknown"


def canonical_key(value: object) -> int:
    """64-bit key of a JSON value, the same on every machine."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def new_manifest(source: Mapping[str, Any], key: int) -> dict[str, Any]:
    """The manifest of a log that is about to be written."""
    return {
        "schema_version": SCHEMA_VERSION,
        "generator": GENERATOR,
        "version": generator_version(),
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "key": f"{key:016x}",
        "source": dict(source),
        "rulesets": {},
    }


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The text of a manifest as it stands on disk."""
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def read_manifest(store: Store) -> dict[str, Any] | None:
    """The manifest of a log, None where there is none.

    Raises LogError naming the file when it is corrupt, written by something else, or of another major version.
    """
    content = store.read(MANIFEST)
    if content is None:
        return None
    where = store.location(MANIFEST)
    try:
        manifest = json.loads(content)
    except ValueError as error:
        raise LogError(f"{where} is corrupt: {error}") from None
    if not isinstance(manifest, dict) or "schema_version" not in manifest:
        raise LogError(f"{where} is not the manifest of a hand log: it names no schema_version")
    found, own = str(manifest["schema_version"]), SCHEMA_VERSION
    if found.split(".")[0] != own.split(".")[0]:
        raise LogError(f"{where} has schema version {found}; this ofclab reads version {own.split('.')[0]}")
    wanted = {"key": str, "source": dict, "rulesets": dict}
    for name, kind in wanted.items():
        if not isinstance(manifest.get(name), kind):
            raise LogError(f"{where} is corrupt: {name} is {manifest.get(name)!r}")
    return manifest
