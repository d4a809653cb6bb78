"""Python: a module on the standard library, laid out as ruff formats it."""

from string import Template

from logca.numeric.generate.offload.shipped import Shipped
from logca.numeric.generate.offload.template import HYSTERESIS, LIKELY, STATE, pieces, wrapped

__all__ = ["text"]

_WIDTH = 88

_FILE = Template('''\
$head

${mathematics}import os
import warnings
from functools import cache

__all__ = ["should_offload", "should_offload_from"]


def should_offload(size: float) -> bool:
    """$likely"""
    return _within(size, $likely_sizes)


def should_offload_from(size: float, offloading: bool) -> bool:
    """$state

$hysteresis
    """
    if offloading:
        return _within(size, $staying_sizes)
    return _within(size, $starting_sizes)


def _within(size: float, above: float, last: float) -> bool:
    setting = _setting()
    if isinstance(setting, bool):
        return setting
    if setting is not None:
        above = setting
    return above < size <= last


@cache
def _setting() -> "bool | float | None":
    """What $variable says: always or never, above how many bytes, or nothing."""
    text = os.environ.get("$variable", "auto")
    if text in ("", "auto"):
        return None
    if text in ("always", "never"):
        return text == "always"
    if text.isascii() and text.isdigit():
        return max(float(text) - 1, 0.0)
    warnings.warn(
        f"$variable={text} is ignored: "
        "it is none of always, never, auto and a number of bytes",
        RuntimeWarning,
        stacklevel=1,
    )
    return None
''')


def text(what: Shipped, command: str) -> str:
    """The module."""
    found = pieces(what, command, mark="#", doc="   ", width=_WIDTH, end=_end)
    endless = any("math." in text for name, text in found.items() if name.endswith("_sizes"))
    return _FILE.substitute(
        found,
        likely=LIKELY,
        state=STATE,
        hysteresis=wrapped("   ", HYSTERESIS, _WIDTH),
        mathematics="import math\n" if endless else "",
    )


def _end(end: int | None) -> str:
    return "math.inf" if end is None else str(end)
