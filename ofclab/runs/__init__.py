"""Simulate: a plan, played part by part into a log."""

from ofclab.runs.plan import Plan, RunError
from ofclab.runs.progress import Progress
from ofclab.runs.simulate import Run, simulate

__all__ = ["Plan", "Progress", "Run", "RunError", "simulate"]
