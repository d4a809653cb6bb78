"""Existence of granularities with a speedup, and why there are none."""

from enum import IntEnum

__all__ = ["MEANINGS", "RootStatus"]


class RootStatus(IntEnum):
    """Status of the search for granularities at which the speedup is s.

    The numbers are what the status arrays hold; `MEANINGS` says each in words.
    """

    ONE = 0
    TWO = 1
    DOUBLE = 2
    UPPER_ONLY = 3
    EVERYWHERE = 4
    NEVER = 5
    BEYOND_ACCELERATION = 6
    OUT_OF_RANGE = 7
    UPPER_OUT_OF_RANGE = 8
    OUTSIDE_DOMAIN = 9
    ELSEWHERE = 10


MEANINGS: dict[RootStatus, str] = {
    RootStatus.ONE: "reached at one granularity, and exceeded from there on",
    RootStatus.TWO: "reached at two granularities, and exceeded between them",
    RootStatus.DOUBLE: "just reached, at the granularity of the greatest speedup",
    RootStatus.UPPER_ONLY: "exceeded for small granularities, and reached at one upper granularity",
    RootStatus.EVERYWHERE: "reached or exceeded at every granularity",
    RootStatus.NEVER: "never reached: the greatest speedup, or its limit, is lower",
    RootStatus.BEYOND_ACCELERATION: "never reached: the target is not below the acceleration",
    RootStatus.OUT_OF_RANGE: "reached only at granularities outside the range of floating point",
    RootStatus.UPPER_OUT_OF_RANGE: "reached and exceeded from a lower granularity on; the upper "
    "one is above the range of floating point",
    RootStatus.OUTSIDE_DOMAIN: "a parameter is outside the domain, or not a number",
    RootStatus.ELSEWHERE: "reached also, or only, outside the sizes that were asked for",
}
"""Each status in words."""
