"""What can be wrong with a log on disk."""


class LogError(ValueError):
    """A log, manifest, part or hand that cannot be read or written; the message names the file or the hand."""


class CannotWrite(LogError):
    """The disk is full or may not be written; what was there before is untouched."""
