"""Compare rulesets: the same hands re-scored, or the same shuffles played anew; never both in one frame."""

from ofclab.compare.changes import RuleChanges, RuleStep, one_change_at_a_time, rule_steps
from ofclab.compare.errors import CompareError
from ofclab.compare.infer import infer_rules
from ofclab.compare.inferred import InferredRules
from ofclab.compare.result import Mode, RulesComparison
from ofclab.compare.rules import compare_rules

__all__ = [
    "CompareError",
    "InferredRules",
    "Mode",
    "RuleChanges",
    "RuleStep",
    "RulesComparison",
    "compare_rules",
    "infer_rules",
    "one_change_at_a_time",
    "rule_steps",
]
