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
}
_MODULES = ("analytics", "charts", "log", "strategies")
__all__ = [*_HOME, *_MODULES, "__version__"]

if TYPE_CHECKING:
    import ofclab.analytics as analytics
    import ofclab.charts as charts
    import ofclab.log as log
    import ofclab.strategies as strategies
    from ofclab.board import Board, BoardError, Placement, Row, compare_hands, is_foul, legal_placements
    from ofclab.cards import Card, CardError, format_cards, parse_cards
    from ofclab.compare import compare_rules, one_change_at_a_time
    from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, IllegalPlacement, SessionError, Spots, View, play
    from ofclab.flow import auto_place, next_button, turn_order
    from ofclab.importers import export_hands, import_hands
    from ofclab.log import Log, LogError, open_log, verify
    from ofclab.rules import Rules, RulesError, diff_rules, load_rules, presets
    from ofclab.runs import simulate
    from ofclab.scoring import Score, score, score_boards
    from ofclab.settlement import Settlement, SettlementError, settle
    from ofclab.solver.fantasyland import set_fantasyland
    from ofclab.strategies import UnknownStrategy


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"ofclab.{name}")
    if name in _HOME:
        return getattr(import_module(f"ofclab.{_HOME[name]}"), name)
    raise AttributeError(f"module 'ofclab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
