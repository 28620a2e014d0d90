"""Simulate: a plan, played part by part into a log."""

from ofclab.runs.plan import Plan, RunError
from ofclab.runs.simulate import Progress, Run, simulate

__all__ = ["Plan", "Progress", "Run", "RunError", "simulate"]
