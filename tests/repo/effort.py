"""How much a test tries: what every run can afford, and what ``make laws`` has time for."""

from typing import Any

from hypothesis import settings

MANY = settings.get_profile("laws").max_examples
LAWS = settings().max_examples == MANY
"""Whether this is ``make laws``."""


def examples(usual: int, thorough: int = MANY, **options: Any) -> settings:
    """Few examples of a property in every run, many in `make laws`."""
    return settings(max_examples=thorough if LAWS else usual, **options)
