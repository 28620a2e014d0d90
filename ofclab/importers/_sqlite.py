"""SQLite databases that an app left behind, opened for reading."""

from __future__ import annotations

import sqlite3
from pathlib import Path

DAMAGE = (sqlite3.Error, UnicodeError)
"""What reading a damaged database raises."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a database for reading, also where nothing may be written beside it."""
    uri = path.resolve().as_uri()
    try:
        connection = sqlite3.connect(f"{uri}?mode=ro", uri=True)
        connection.execute("select count(*) from sqlite_master").fetchone()
    except DAMAGE:
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection
