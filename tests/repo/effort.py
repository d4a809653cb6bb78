"""How much a test tries: what every run can afford, and what ``make laws`` has time for."""

from hypothesis import settings

LAWS = settings.default is not None and settings.default.max_examples > 100
"""Whether this is ``make laws``: its profile draws 1,000 examples."""


def tries(everyday: int) -> int:
    """Examples of a property: so many in every run, those of the profile in ``make laws``."""
    return settings.default.max_examples if LAWS else everyday
