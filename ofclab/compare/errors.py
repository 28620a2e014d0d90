"""What is wrong with a comparison."""


class CompareError(ValueError):
    """Rulesets that cannot be compared as asked."""
