"""A log in one page: metrics in words, and a self-contained HTML file to send."""

from ofclab.reports.page import ReportError, write_report
from ofclab.reports.words import in_words

__all__ = ["ReportError", "in_words", "write_report"]
