"""How many examples a property is tried with."""

from typing import Any

from hypothesis import settings

LAWS = settings.get_profile("laws").max_examples


def examples(usual: int, thorough: int = LAWS, **options: Any) -> settings:
    """Few examples in every run, many in `make laws`."""
    chosen = thorough if settings().max_examples == LAWS else usual
    return settings(max_examples=chosen, **options)
