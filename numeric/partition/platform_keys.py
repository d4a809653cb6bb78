"""The parameters of a platform: meaning, unit and range of each."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite

__all__ = ["KEYS", "Key", "number_of"]

_SIZES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_MOST = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A parameter.

    Parameters
    ----------
    meaning, unit : str
        What it is, and in which unit [text].
    low, high : int
        Its range [its unit].
    whole : bool
        Whether it is a whole number.
    power_of_two : bool
        Whether it is a power of two.
    choices : tuple of str
        What it may be, if it is no number [text].
    default : int or str, optional
        What it is if it is left out; None if it must be given, or may be nothing [its unit].
    optional : bool
        Whether it may be nothing.
    """

    meaning: str
    unit: str = "cycles"
    low: int = 0
    high: int = _MOST
    whole: bool = False
    power_of_two: bool = False
    choices: tuple[str, ...] = ()
    default: int | str | None = None
    optional: bool = False


def _size(meaning: str, default: int | None = None) -> Key:
    return Key(
        meaning=meaning,
        unit="B",
        low=1,
        high=1 << 40,
        whole=True,
        power_of_two=True,
        default=default,
    )


KEYS = {
    "cpu_cycles": Key(meaning="mean cycles of an instruction on the CPU"),
    "accelerator_cycles": Key(meaning="mean cycles of an instruction on the accelerator"),
    "control": Key(meaning="passing control from one core to the other"),
    "push": Key(meaning="sending a register to the other core"),
    "pull": Key(meaning="fetching a register from the other core"),
    "latency_L1": Key(meaning="access latency of the L1 cache"),
    "latency_L2": Key(meaning="access latency of the L2 cache"),
    "latency_memory": Key(meaning="access latency of the memory"),
    "size_L1": _size("size of an L1 cache"),
    "size_L2": _size("size of an L2 cache"),
    "line": _size("length of a cache line", default=64),
    "area": Key(
        meaning="size of the accelerator, in instructions", unit="1", low=1, whole=True, high=10**9
    ),
    "penalty": Key(meaning="what a shared cache takes longer, where that is asked for", default=1),
    "write_back": Key(
        meaning="what an access takes longer if the other core must write the line back",
        optional=True,
    ),
    "free_casts": Key(
        meaning="casts that cost nothing on the accelerator",
        unit="text",
        choices=("none", "integer", "all"),
        default="all",
    ),
    "values": Key(
        meaning="whether a register is paid for once, or for each pair of blocks",
        unit="text",
        choices=("value", "pair"),
        default="value",
    ),
    "dirty": Key(
        meaning="whether lines are written back if changed, or if there at all",
        unit="text",
        choices=("dirty", "resident"),
        default="dirty",
    ),
}
"""The keys of a file [text]."""


def number_of(value: object, key: Key) -> Fraction | None:
    """The number that a value of a file stands for [unit of the key]; None if it stands for none.

    Parameters
    ----------
    value : object
        A number, or of sizes a text such as ``32 KiB`` [unit of the key].
    key : Key
        The parameter.

    Examples
    --------
    >>> number_of("32 KiB", KEYS["size_L1"]), number_of(True, KEYS["push"])
    (Fraction(32768, 1), None)
    """
    if isinstance(value, str) and key.unit == "B":
        match = re.fullmatch(r"\s*([0-9]+)\s*([KMG]?i?B)\s*", value)
        return Fraction(int(match[1]) * _SIZES[match[2]]) if match and match[2] in _SIZES else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return None
    if not isfinite(value):
        return None
    return Fraction(repr(float(value)) if isinstance(value, float) else value)
