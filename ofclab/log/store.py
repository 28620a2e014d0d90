"""Where a log lies: a local folder, or an object store behind a URL."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ofclab.log.errors import LogError

_S3_OPTIONS = {
    "aws_access_key_id": "access_key",
    "aws_secret_access_key": "secret_key",
    "aws_session_token": "session_token",
    "aws_region": "region",
    "aws_default_region": "region",
    "aws_endpoint_url": "endpoint_override",
    "aws_endpoint": "endpoint_override",
}


class Store:
    """Files of one log by their names relative to it.

    ``root``: a path or a URL such as ``s3://bucket/log``; ``options``: what polars calls storage options
    (``aws_endpoint_url``, ``aws_access_key_id``, ``aws_secret_access_key``, ``aws_region``, ...).
    """

    def __init__(self, root: str | os.PathLike[str], options: Mapping[str, str] | None = None) -> None:
        self.is_remote = isinstance(root, str) and "://" in root
        self.root = str(root).rstrip("/") if self.is_remote else str(Path(root).expanduser())
        self.options = dict(options) if options else None

    @property
    def folder(self) -> Path:
        """The local folder; LogError for a remote log."""
        if self.is_remote:
            raise LogError(f"{self.root} is remote; logs are written to local folders")
        return Path(self.root)

    @property
    def is_writable(self) -> bool:
        """Tell whether computed tables may be put beside the facts."""
        return not self.is_remote and os.access(self.root, os.W_OK)

    def location(self, name: str) -> str:
        """Path or URL of a file."""
        return f"{self.root}/{name}"

    @cached_property
    def _remote(self) -> tuple[Any, str]:
        from pyarrow import fs

        if not self.root.startswith("s3://"):
            system, base = fs.FileSystem.from_uri(self.root)
            return system, base
        options = {key.lower(): value for key, value in (self.options or {}).items()}
        arguments = {_S3_OPTIONS[key]: value for key, value in options.items() if key in _S3_OPTIONS}
        if str(arguments.get("endpoint_override", "")).startswith("http://"):
            arguments["scheme"] = "http"
        return fs.S3FileSystem(**arguments), self.root.removeprefix("s3://")

    def names(self, folder: str) -> list[str]:
        """File names in a folder, sorted; none where there is no such folder."""
        try:
            if not self.is_remote:
                return sorted(os.listdir(Path(self.root, folder)))
            from pyarrow import fs

            system, base = self._remote
            found = system.get_file_info(fs.FileSelector(f"{base}/{folder}", allow_not_found=True))
            return sorted(entry.base_name for entry in found if entry.is_file)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise LogError(f"cannot list {self.location(folder)}: {error}") from None

    def read(self, name: str) -> bytes | None:
        """Content of a file, None where there is none."""
        try:
            if not self.is_remote:
                return Path(self.root, name).read_bytes()
            system, base = self._remote
            with system.open_input_file(f"{base}/{name}") as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LogError(f"cannot read {self.location(name)}: {error}") from None

    def footer(self, name: str) -> pq.FileMetaData:
        """Parquet footer of a part; LogError naming the file when it is corrupt or cut off."""
        where = self.location(name)
        try:
            if not self.is_remote:
                return pq.read_metadata(where)
            system, base = self._remote
            return pq.read_metadata(f"{base}/{name}", filesystem=system)
        except FileNotFoundError:
            raise LogError(f"{where} is missing") from None
        except (OSError, ValueError) as error:
            raise LogError(f"{where} is corrupt or cut off: {error}") from None

    def check_pages(self, name: str) -> None:
        """Read a part through and check the sum of every page; LogError naming the file when one differs."""
        content = self.read(name)
        if content is None:
            raise LogError(f"{self.location(name)} is missing")
        try:
            pq.read_table(io.BytesIO(content), page_checksum_verification=True)
        except (OSError, ValueError) as error:
            raise LogError(f"{self.location(name)} is corrupt: {error}") from None
