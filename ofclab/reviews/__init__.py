"""Review what players did: every decision against the best placement, by what its player saw."""

from ofclab.reviews.levels import LEVELS, Level, ReviewError, Thresholds
from ofclab.reviews.result import Review
from ofclab.reviews.run import ReviewProgress, review

__all__ = ["LEVELS", "Level", "Review", "ReviewError", "ReviewProgress", "Thresholds", "review"]
