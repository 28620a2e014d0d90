"""Where a log lies: a local folder, or an object store behind a URL."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ofclab.log.errors import CannotWrite, LogError
from ofclab.log.parts import put, sweep

_S3_OPTIONS = {
    "access_key_id": "access_key",
    "secret_access_key": "secret_key",
    "session_token": "session_token",
    "token": "session_token",
    "region": "region",
    "default_region": "region",
    "endpoint_url": "endpoint_override",
    "endpoint": "endpoint_override",
}
"""What pyarrow calls the storage options of polars, whose names may begin with ``aws_``."""
_ENDPOINTS = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""Variables that polars takes an endpoint from; pyarrow reads the other AWS variables itself, but not these."""


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
    def path(self) -> Path | str:
        """The local folder, or the URL."""
        return self.root if self.is_remote else Path(self.root)

    @property
    def is_writable(self) -> bool:
        """Tell whether reading may put computed tables beside the facts: never into an object store."""
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
        told = {name: os.environ[name] for name in _ENDPOINTS if name in os.environ} | (self.options or {})
        arguments: dict[str, Any] = {}
        for key, value in told.items():
            name = key.lower().removeprefix("aws_")
            if name in _S3_OPTIONS:
                arguments[_S3_OPTIONS[name]] = value
        if str(arguments.get("endpoint_override", "")).startswith("http://"):
            arguments["scheme"] = "http"
        try:
            # An object of less than 10 MB goes in one request; pyarrow before 21 needs three for any.
            system = fs.S3FileSystem(**arguments, allow_delayed_open=True)
        except TypeError:
            system = fs.S3FileSystem(**arguments)
        return system, self.root.removeprefix("s3://")

    def names(self, folder: str) -> list[str]:
        """File names in a folder, sorted; none where there is no such folder."""
        try:
            if not self.is_remote:
                return sorted(os.listdir(Path(self.root, folder)))
            return sorted(entry.base_name for entry in self._listed(folder) if entry.is_file)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise LogError(f"cannot list {self.location(folder)}: {error}") from None

    def _listed(self, folder: str) -> list[Any]:
        from pyarrow import fs

        system, base = self._remote
        where = f"{base}/{folder}".rstrip("/")
        return list(system.get_file_info(fs.FileSelector(where, allow_not_found=True)))

    def has(self, name: str) -> bool:
        """Tell whether a file is there."""
        if not self.is_remote:
            return Path(self.root, name).exists()
        from pyarrow import fs

        system, base = self._remote
        try:
            return bool(system.get_file_info(f"{base}/{name}").type == fs.FileType.File)
        except OSError as error:
            raise LogError(f"cannot look for {self.location(name)}: {error}") from None

    @property
    def is_free(self) -> bool:
        """Tell whether a log may begin here: there is nothing yet."""
        if self.is_remote:
            return not self._listed("")
        folder = Path(self.root)
        return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))

    def put(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all; CannotWrite naming it when that fails."""
        if not self.is_remote:
            put(Path(self.root, name), content)
            return
        # In a thread, because pyarrow completes an upload that Ctrl-C breaks off, and would leave an empty object.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(self._upload, name, content).result()

    def _upload(self, name: str, content: bytes) -> None:
        try:
            system, base = self._remote
            with system.open_output_stream(f"{base}/{name}") as stream:
                stream.write(content)
        except OSError as error:
            raise CannotWrite(f"cannot write {self.location(name)}: {error}") from error

    def sweep(self) -> None:
        """Remove temporary files of killed writers; an object store has none."""
        if not self.is_remote:
            sweep(Path(self.root))

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
