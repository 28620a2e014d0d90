"""Open-Face Chinese Poker: every variant's rules, an engine, a hand log, and the statistics on top.

>>> import ofclab as ofc
>>> rules = ofc.load_rules("american-pineapple")
>>> a, b = "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h", "Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c"
>>> ofc.score([a, b], rules).points
(13, -13)

Names are loaded when they are first used, so importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Card": "cards",
    "CardError": "cards",
    "format_cards": "cards",
    "parse_cards": "cards",
    "Rules": "rules",
    "RulesError": "rules",
    "diff_rules": "rules",
    "load_rules": "rules",
    "presets": "rules",
    "Board": "board",
    "BoardError": "board",
    "Placement": "board",
    "Row": "board",
    "compare_hands": "board",
    "is_foul": "board",
    "legal_placements": "board",
    "Score": "scoring",
    "score": "scoring",
    "score_boards": "scoring",
    "Settlement": "settlement",
    "SettlementError": "settlement",
    "settle": "settlement",
    "auto_place": "flow",
    "next_button": "flow",
    "turn_order": "flow",
    "DEFAULT_FANTASYLAND_VALUES": "engine",
    "IllegalPlacement": "engine",
    "SessionError": "engine",
    "Spots": "engine",
    "View": "engine",
    "play": "engine",
    "UnknownStrategy": "strategies",
    "set_fantasyland": "solver.fantasyland",
    "Log": "log",
    "LogError": "log",
    "open_log": "log",
    "verify": "log",
    "simulate": "runs",
    "compare_rules": "compare",
    "one_change_at_a_time": "compare",
    "import_hands": "importers",
    "export_hands": "importers",
    "Spot": "spot",
    "SpotError": "spot",
    "SpotEvaluation": "solver.report",
    "evaluate_spot": "solver.evaluate",
    "row_chances": "solver.chances",
    "goal_chance": "solver.chances",
    "draw_chance": "solver.chances",
    "tournament": "tournaments",
    "fantasyland_value": "solver.values",
    "gamble_break_even": "solver.gamble",
    "describe_board": "describe",
    "RowReading": "describe",
    "write_report": "reports",
    "ReportError": "reports",
    "describe_rules": "rules",
    "review": "reviews",
    "Review": "reviews",
    "ReviewError": "reviews",
    "Thresholds": "reviews",
    "Table": "engine",
    "infer_rules": "compare",
    "audit": "log",
    "share_hand": "log",
    "read_shared": "log",
    "ShareError": "log",
    "merge_players": "log",
    "forget": "log",
    "set_me": "log",
    "Tournament": "tournaments",
    "TournamentError": "tournaments",
    "FantasylandValue": "solver.values",
    "gamble_table": "solver.gamble",
    "solved_hands": "solver.dataset",
    "write_solved_hands": "solver.dataset",
    "FantasylandSetting": "solver.setting",
    "Decision": "engine",
    "TableHand": "engine",
    "default_strategy": "strategies",
    "usual_fantasyland_values": "strategies",
}
_MODULES = ("analytics", "charts", "drawing", "log", "strategies", "widgets")
__all__ = [*_HOME, *_MODULES, "__version__"]

if TYPE_CHECKING:
    import ofclab.analytics as analytics
    import ofclab.charts as charts
    import ofclab.drawing as drawing
    import ofclab.log as log
    import ofclab.strategies as strategies
    from ofclab.board import Board as Board
    from ofclab.board import BoardError as BoardError
    from ofclab.board import Placement as Placement
    from ofclab.board import Row as Row
    from ofclab.board import compare_hands as compare_hands
    from ofclab.board import is_foul as is_foul
    from ofclab.board import legal_placements as legal_placements
    from ofclab.cards import Card as Card
    from ofclab.cards import CardError as CardError
    from ofclab.cards import format_cards as format_cards
    from ofclab.cards import parse_cards as parse_cards
    from ofclab.compare import compare_rules as compare_rules
    from ofclab.compare import infer_rules as infer_rules
    from ofclab.compare import one_change_at_a_time as one_change_at_a_time
    from ofclab.describe import RowReading as RowReading
    from ofclab.describe import describe_board as describe_board
    from ofclab.engine import DEFAULT_FANTASYLAND_VALUES as DEFAULT_FANTASYLAND_VALUES
    from ofclab.engine import Decision as Decision
    from ofclab.engine import IllegalPlacement as IllegalPlacement
    from ofclab.engine import SessionError as SessionError
    from ofclab.engine import Spots as Spots
    from ofclab.engine import Table as Table
    from ofclab.engine import TableHand as TableHand
    from ofclab.engine import View as View
    from ofclab.engine import play as play
    from ofclab.flow import auto_place as auto_place
    from ofclab.flow import next_button as next_button
    from ofclab.flow import turn_order as turn_order
    from ofclab.importers import export_hands as export_hands
    from ofclab.importers import import_hands as import_hands
    from ofclab.log import Log as Log
    from ofclab.log import LogError as LogError
    from ofclab.log import ShareError as ShareError
    from ofclab.log import audit as audit
    from ofclab.log import forget as forget
    from ofclab.log import merge_players as merge_players
    from ofclab.log import open_log as open_log
    from ofclab.log import read_shared as read_shared
    from ofclab.log import set_me as set_me
    from ofclab.log import share_hand as share_hand
    from ofclab.log.verify import verify as verify
    from ofclab.reports import ReportError as ReportError
    from ofclab.reports import write_report as write_report
    from ofclab.reviews import Review as Review
    from ofclab.reviews import ReviewError as ReviewError
    from ofclab.reviews import Thresholds as Thresholds
    from ofclab.reviews import review as review
    from ofclab.rules import Rules as Rules
    from ofclab.rules import RulesError as RulesError
    from ofclab.rules import describe_rules as describe_rules
    from ofclab.rules import diff_rules as diff_rules
    from ofclab.rules import load_rules as load_rules
    from ofclab.rules import presets as presets
    from ofclab.runs.simulate import simulate as simulate
    from ofclab.scoring import Score as Score
    from ofclab.scoring import score as score
    from ofclab.scoring import score_boards as score_boards
    from ofclab.settlement import Settlement as Settlement
    from ofclab.settlement import SettlementError as SettlementError
    from ofclab.settlement import settle as settle
    from ofclab.solver.chances import draw_chance as draw_chance
    from ofclab.solver.chances import goal_chance as goal_chance
    from ofclab.solver.chances import row_chances as row_chances
    from ofclab.solver.dataset import solved_hands as solved_hands
    from ofclab.solver.dataset import write_solved_hands as write_solved_hands
    from ofclab.solver.evaluate import evaluate_spot as evaluate_spot
    from ofclab.solver.fantasyland import set_fantasyland as set_fantasyland
    from ofclab.solver.gamble import gamble_break_even as gamble_break_even
    from ofclab.solver.gamble import gamble_table as gamble_table
    from ofclab.solver.report import SpotEvaluation as SpotEvaluation
    from ofclab.solver.setting import FantasylandSetting as FantasylandSetting
    from ofclab.solver.values import FantasylandValue as FantasylandValue
    from ofclab.solver.values import fantasyland_value as fantasyland_value
    from ofclab.spot import Spot as Spot
    from ofclab.spot import SpotError as SpotError
    from ofclab.strategies import UnknownStrategy as UnknownStrategy
    from ofclab.strategies import default_strategy as default_strategy
    from ofclab.strategies import usual_fantasyland_values as usual_fantasyland_values
    from ofclab.tournaments import Tournament as Tournament
    from ofclab.tournaments import TournamentError as TournamentError
    from ofclab.tournaments import tournament as tournament


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"ofclab.{name}")
    if name in _HOME:
        return getattr(import_module(f"ofclab.{_HOME[name]}"), name)
    raise AttributeError(f"module 'ofclab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
