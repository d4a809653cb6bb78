"""Units that a number in a file may have, and what they are in base units."""

import re

__all__ = ["UNITS", "with_unit"]

UNITS: dict[str, dict[str, float]] = {
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "B": {"B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30},
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "B/s": {"B/s": 1.0, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
}
"""Units that may stand behind a number, by the base unit [unit of the key]."""


def with_unit(text: str, unit: str) -> tuple[str, float] | None:
    """A number as written, and the unit behind it [base unit]; None if it has no such unit.

    Examples
    --------
    >>> with_unit("852 MHz", "Hz"), with_unit("852 mhz", "Hz")
    (('852', 1000000.0), None)
    """
    match = re.fullmatch(r"\s*([0-9.eE+]+)\s*(\S+)\s*", text)
    factor = UNITS.get(unit, {}).get(match[2]) if match else None
    return None if match is None or factor is None else (match[1], factor)
