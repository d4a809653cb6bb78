"""Numbers with names in one text, as options have them: "A=20,o=5us"."""

import re
from collections.abc import Mapping

__all__ = ["named_numbers"]

_PART = re.compile(r"\s*([A-Za-z]+)\s*=\s*([0-9.eE+-]+)\s*([a-z]*)\s*")


def named_numbers(text: str, units: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The numbers, each in the base unit of its name; a ValueError if there is something else.

    Examples
    --------
    >>> named_numbers("A = 20, o=5us", {"A": {"": 1.0}, "o": {"s": 1.0, "us": 1e-6}})
    {'A': 20.0, 'o': 4.9999999999999996e-06}
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None or match[1] in found or match[3] not in units.get(match[1], {}):
            raise ValueError(f"{part!r} is no number with a name")
        found[match[1]] = float(match[2]) * units[match[1]][match[3]]
    return found
