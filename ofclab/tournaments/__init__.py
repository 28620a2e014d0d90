"""Strategies against each other on mirrored deals."""

from ofclab.tournaments.play import TournamentError, seatings, tournament
from ofclab.tournaments.result import Tournament

__all__ = ["Tournament", "TournamentError", "seatings", "tournament"]
