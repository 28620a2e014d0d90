"""Pseudonyms: a log never holds a real name; the names stay in a side file beside it."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from ofclab.importers.sessions import ME

SIDE_FILE = "players.json"
_SHORTEST = 3
"""Letters of a name that is looked for in notes it does not belong to."""
_PSEUDONYM = re.compile(r"p-[0-9a-f]{4,16}")


class Pseudonyms:
    """Names to pseudonyms such as ``p-1a2b``, the same for every log in one folder.

    The side file ``players.json`` lies beside the logs, not inside one, so that a log can be handed on as it is. It
    holds a random salt and every name. Without it nobody, its owner included, can tell who a pseudonym is.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / SIDE_FILE
        self._salt = secrets.token_hex(16)
        self._names: dict[str, str] = {}
        self._known: dict[str, str] = {}
        if self.path.is_file():
            self._load()

    def _load(self) -> None:
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            self._salt, self._names = str(stored["salt"]), {str(k): str(v) for k, v in stored["players"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{self.path} is not a file of players ({error}); mend it or move it away") from None
        self._known = {name: pseudonym for pseudonym, name in self._names.items()}

    def of(self, site: str, name: str) -> str:
        """The pseudonym of a site's player; what is a pseudonym already, or ``me``, stays as it is."""
        if name == ME or _PSEUDONYM.fullmatch(name):
            return name
        full = f"{site}: {name}"
        if full not in self._known:
            digest = blake2b(f"{self._salt}\x1f{full}".encode("utf-8", "replace"), digest_size=8).hexdigest()
            free = (f"p-{digest[:size]}" for size in range(4, 17))
            pseudonym = next(short for short in free if short not in self._names)
            self._known[full], self._names[pseudonym] = pseudonym, full
        return self._known[full]

    def redact(self, text: str, site: str, names: Iterable[str] = ()) -> str:
        """A note without names: those of its hand or session, and all names of three letters or more known so far."""
        own = {name: self.of(site, name) for name in names if name.strip()}
        known = {full.partition(": ")[2]: pseudonym for pseudonym, full in self._names.items()}
        every = {name: pseudonym for name, pseudonym in known.items() if len(name) >= _SHORTEST} | own
        lowered = text.casefold()
        found = {name: pseudonym for name, pseudonym in every.items() if name.casefold() in lowered and name != ME}
        if not found:
            return text
        folded = {name.casefold(): pseudonym for name, pseudonym in found.items()}
        words = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
        pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        return pattern.sub(lambda match: folded.get(match[0].casefold(), "?"), text)

    @property
    def names(self) -> dict[str, str]:
        """Every pseudonym with the site and name it stands for, for the owner of the side file."""
        return dict(self._names)

    def save(self) -> None:
        """Write the side file, readable by its owner only."""
        if not self._names:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        stored = {"salt": self._salt, "players": dict(sorted(self._names.items()))}
        new = self.path.with_name(f".{SIDE_FILE}.new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
        new.replace(self.path)
