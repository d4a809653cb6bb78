"""The part of a contradiction that is needed for it."""

from collections.abc import Callable
from typing import TypeVar

__all__ = ["fewest"]

_T = TypeVar("_T")


def fewest(found: list[_T], suffices: Callable[[list[_T]], bool]) -> list[_T]:
    """A part of a list that suffices, and of which nothing can be left out.

    Examples
    --------
    >>> fewest([1, 2, 3, 4, 5], lambda kept: sum(kept) >= 8)
    [4, 5]
    """
    kept = list(found)
    size = max(1, len(kept) // 2)
    while kept:
        index = 0
        while index < len(kept):
            without = kept[:index] + kept[index + size :]
            if suffices(without):
                kept = without
            else:
                index += size
        if size == 1:
            return kept
        size = max(1, size // 2)
    return kept
