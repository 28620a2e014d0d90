"""A bucket of a local S3 server, moto's, for the tests that read and write s3://."""

import logging
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyarrow import fs

from ofclab.log.store import Store


@dataclass(frozen=True)
class Bucket:
    """An empty bucket, and the storage options it is reached with."""

    url: str
    options: dict[str, str]

    def store(self, name: str) -> Store:
        """What lies below a name in the bucket."""
        return Store(f"{self.url}/{name}", self.options)

    def take(self, folder: Path, name: str) -> str:
        """Copy the files of a folder below a name, and return the URL."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self.store(name).put(file.relative_to(folder).as_posix(), file.read_bytes())
        return f"{self.url}/{name}"

    def files(self, name: str) -> dict[str, bytes]:
        """Every object below a name."""
        store = self.store(name)
        system, base = store._remote
        found = system.get_file_info(fs.FileSelector(base, recursive=True, allow_not_found=True))
        names = sorted(entry.path.removeprefix(f"{base}/") for entry in found if entry.is_file)
        return {file: store.read(file) or b"" for file in names}


@contextmanager
def serving() -> Iterator[str]:
    """Serve an empty store; yields the endpoint's URL."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def new_bucket(endpoint: str) -> Bucket:
    """An empty bucket of a server."""
    name = f"bucket-{uuid.uuid4().hex}"
    with urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{name}", method="PUT")):
        pass
    options = {
        "aws_endpoint_url": endpoint,
        "aws_allow_http": "true",
        "aws_region": "us-east-1",
        "aws_access_key_id": "tester",
        "aws_secret_access_key": "secret",
    }
    return Bucket(f"s3://{name}", options)
