"""Exact answers: the best setting of a Fantasyland hand and what positions are worth."""
