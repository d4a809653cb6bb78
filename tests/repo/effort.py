"""How much a test tries: what every run can afford, and what ``make laws`` has time for."""

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import settings

Case = TypeVar("Case")

MANY = settings.get_profile("laws").max_examples
LAWS = settings().max_examples == MANY
"""Whether this is ``make laws``."""


def examples(usual: int, thorough: int = MANY, **options: Any) -> settings:
    """Few examples of a property in every run, many in `make laws`."""
    return settings(max_examples=thorough if LAWS else usual, **options)


def tried(cases: Sequence[Case], every: int) -> Sequence[Case]:
    """Every so many-th case in every run, all of them in `make laws`."""
    return cases if LAWS else cases[::every]
