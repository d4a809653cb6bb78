"""The one error of sweeps that is the user's to mend."""

__all__ = ["SweepError"]


class SweepError(ValueError):
    """A sweep, or a question about one, that cannot be done; the message says what instead."""
