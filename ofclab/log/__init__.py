"""The Parquet hand log: write it, scan it, score it, verify it."""

from ofclab.log.errors import LogError
from ofclab.log.scan import Log, open_log
from ofclab.log.schema import SCHEMA_VERSION, Completeness
from ofclab.log.score import score_frames
from ofclab.log.streaming import collect
from ofclab.log.verify import VerifyReport, verify
from ofclab.log.views import boards, decisions
from ofclab.log.write import LogWriter

__all__ = [
    "SCHEMA_VERSION",
    "Completeness",
    "Log",
    "LogError",
    "LogWriter",
    "VerifyReport",
    "boards",
    "collect",
    "decisions",
    "open_log",
    "score_frames",
    "verify",
]
