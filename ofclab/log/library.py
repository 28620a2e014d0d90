"""Where logs live when no folder is named."""

from __future__ import annotations

import os
from pathlib import Path


def runs_folder() -> Path:
    """``data/runs`` below $OFCLAB_HOME, or below the working folder."""
    return Path(os.environ.get("OFCLAB_HOME") or ".") / "data" / "runs"
