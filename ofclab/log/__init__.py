"""The Parquet hand log: write it, scan it, score it, verify it."""

from ofclab.log.auditing import audit
from ofclab.log.edit import Forgotten, forget
from ofclab.log.errors import LogError
from ofclab.log.findings import AUDIT
from ofclab.log.hand import LoggedDecision, LoggedHand, LoggedSeat, read_hand
from ofclab.log.ledger import entries
from ofclab.log.levels import completeness
from ofclab.log.people import merge_players, part_players, set_me
from ofclab.log.scan import Log, open_log
from ofclab.log.schema import SCHEMA_VERSION, Completeness
from ofclab.log.score import score_frames
from ofclab.log.share import SharedHand, ShareError, read_shared, share_hand
from ofclab.log.streaming import collect
from ofclab.log.verify import VerifyReport, verify
from ofclab.log.views import boards, decisions
from ofclab.log.write import LogWriter

__all__ = [
    "AUDIT",
    "SCHEMA_VERSION",
    "Completeness",
    "Forgotten",
    "Log",
    "LogError",
    "LogWriter",
    "LoggedDecision",
    "LoggedHand",
    "LoggedSeat",
    "ShareError",
    "SharedHand",
    "VerifyReport",
    "audit",
    "boards",
    "collect",
    "completeness",
    "decisions",
    "entries",
    "forget",
    "merge_players",
    "open_log",
    "part_players",
    "read_hand",
    "read_shared",
    "score_frames",
    "set_me",
    "share_hand",
    "verify",
]
