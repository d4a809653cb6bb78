"""How loops and strides are called."""

from collections.abc import Sequence

from logca.trace.findings import Strides
from logca.trace.program import Loop, Program
from logca.trace.sheets import amount, percent

__all__ = ["loop_name", "stride_of", "strides_around"]

_CLEAR = 0.995
_MOSTLY = 0.5
_SHOWN = 3


def loop_name(loop: Loop) -> str:
    """A loop by its variable, or by its line [text]."""
    return loop.inductions[0] if loop.inductions else f"line {loop.line}" if loop.line else "loop"


def stride_of(strides: Strides, program: Program) -> str:
    """The dominant stride of an access as a loop goes on [text].

    Parameters
    ----------
    strides : Strides
        The differences of addresses.
    program : Program
        The program that the loop is in.
    """
    if strides.loop is not None:
        name = loop_name(program.loops[strides.loop])
    else:
        name = "calls" if strides.cause == "again" else "callers"
    if strides.share < _MOSTLY:
        kinds = f"{len(strides.common)}{'+' if strides.others else ''}"
        return f"{name}: {kinds} kinds"
    sign = "+" if strides.stride > 0 else ""
    share = "" if strides.share > _CLEAR else f" {percent(strides.share, 1)} %"
    return f"{name}: {sign}{amount(strides.stride)}{share}"


def strides_around(strides: Sequence[Strides], program: Program) -> str:
    """Dominant strides of several loops, the innermost first [text]."""
    said = [stride_of(each, program) for each in strides if each.cause != "again"]
    return ", ".join(said[:_SHOWN])
