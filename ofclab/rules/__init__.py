"""Rulesets as data: load, check, change, compare and explain them."""

from ofclab.rules.errors import Problem, RulesError
from ofclab.rules.explain import RuleChange, describe_rules, diff_rules, rule_lines
from ofclab.rules.load import load_rules, presets
from ofclab.rules.model import Rules, WeakSpot
from ofclab.rules.parameters import CONSTANTS, Parameter, parameters
from ofclab.rules.values import CATEGORIES, FRONT_HANDS, LOW_HANDS, PayTable

__all__ = [
    "CATEGORIES",
    "CONSTANTS",
    "FRONT_HANDS",
    "LOW_HANDS",
    "Parameter",
    "PayTable",
    "Problem",
    "RuleChange",
    "Rules",
    "RulesError",
    "WeakSpot",
    "describe_rules",
    "diff_rules",
    "load_rules",
    "parameters",
    "presets",
    "rule_lines",
]
