"""Names of files, loops and strides."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from logca.common.readable_numbers import percent
from logca.common.sizes import amount
from logca.trace.ir.program import Loop, Program
from logca.trace.profiling.findings import Strides

__all__ = ["loop_name", "short_names", "stride_of", "strides_around"]

_CLEAR = 0.995
_MOSTLY = 0.5
_SHOWN = 3


def short_names(files: Iterable[str]) -> dict[str, str]:
    """Files by their last parts, as many as tell them apart.

    Examples
    --------
    >>> short_names(["a/x.c", "a/y.c", "b/y.c"])
    {'a/x.c': 'x.c', 'a/y.c': 'a/y.c', 'b/y.c': 'b/y.c'}
    """
    files = list(dict.fromkeys(files))
    parts = {file: PurePath(file).parts for file in files}
    found = {}
    for file in files:
        length = 1
        while length < len(parts[file]) and any(
            parts[other][-length:] == parts[file][-length:] for other in files if other != file
        ):
            length += 1
        found[file] = str(PurePath(*parts[file][-length:])) if file else file
    return found


def loop_name(loop: Loop) -> str:
    """A loop by its variable, or by its line."""
    return loop.inductions[0] if loop.inductions else f"line {loop.line}" if loop.line else "loop"


def stride_of(strides: Strides, program: Program) -> str:
    """The dominant stride of an access as a loop goes on."""
    if strides.loop is not None:
        name = loop_name(program.loops[strides.loop])
    else:
        name = "call" if strides.cause == "again" else "outside"
    if strides.share < _MOSTLY:
        return f"{name}: {len(strides.common)}{'+' if strides.others else ''} kinds"
    sign = "+" if strides.stride > 0 else ""
    share = "" if strides.share > _CLEAR else f" {percent(strides.share, 1)} %"
    return f"{name}: {sign}{amount(strides.stride)}{share}"


def strides_around(strides: Sequence[Strides], program: Program) -> str:
    """Dominant strides of several loops, the innermost first."""
    said = [stride_of(each, program) for each in strides if each.cause != "again"]
    return ", ".join(said[:_SHOWN])
