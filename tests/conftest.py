"""An object store on this machine, for all tests that want one."""

from collections.abc import Iterator

import pytest
from object_store import Bucket, new_bucket, serving


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """URL of a local S3 server."""
    with serving() as url:
        yield url


@pytest.fixture
def bucket(endpoint: str) -> Bucket:
    """An empty bucket."""
    return new_bucket(endpoint)
