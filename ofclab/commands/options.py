"""Options that several commands read the same way."""

import typer


def fantasyland_points(text: str) -> float | dict[int, float] | None:
    """What Fantasyland is worth: ``9.6``, or ``14=9.6,15=13`` by number of cards; empty for the default."""
    if not text:
        return None
    try:
        if "=" not in text:
            return float(text)
        return {int(cards): float(value) for cards, value in (pair.split("=") for pair in text.split(","))}
    except ValueError:
        message = f"want points such as 9.6 or 14=9.6,15=13, got {text!r}"
        raise typer.BadParameter(message, param_hint="--fantasyland") from None
