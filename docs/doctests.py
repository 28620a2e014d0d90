"""Put the examples of docstrings into code blocks when the reference is built."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^>>> .*\n(?:(?:\.\.\. |>>> |\S).*\n|\.\.\.\n)*)", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences every run of `>>>` lines with the answer below it."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of a function, class or module as it is read."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            text = obj.docstring.value + "\n"
            obj.docstring.value = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}```\n", text)
