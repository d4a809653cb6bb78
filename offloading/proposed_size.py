"""The size of a program that says none: the macro or argument by which its work grows most."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from logca.common.errors import LogcaError, TraceError
from logca.common.files import source_text
from logca.common.readable_numbers import whole_number_from
from logca.gpu.loops.offloadable_loops import offloadable_loops
from logca.gpu.nests.nest import whole_work
from logca.gpu.program.running import Sources, counted
from logca.trace.source.macros import traced_sizes

__all__ = ["proposed_size"]

_NUMBER = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?\s*([0-9]+)[uUlL]{0,3}\s*\)?\s*(?:/[/*].*)?$"
)
_SECONDS = 20.0
"""Time of a run with a doubled value; one that takes longer is no candidate [s]."""
_GROWS = 1.2
"""Times as many instructions as a doubled size executes, at least [1]."""


def proposed_size(sources: Sources) -> tuple[str, int]:
    """A macro that is a whole number, or an argument such as arg1, and its value.

    Where there are several, the one whose doubling lets the program execute most. Macros that the
    source defines in any case are none.
    """
    values = {**_macros(sources), **dict(_arguments(sources))}
    if not values:
        # what the compiler says of the program, or that it has no loop, matters more
        found = counted(sources.executable({}))
        static = found.program.compiled.program
        offloadable_loops(static, found.counts[: len(static.blocks)])
        raise TraceError(
            "say by which macro the program's size is set, and from which value to which: --size "
            "N=64:8192; the source defines none that -D could give another value, as it can where "
            "the definition stands between `#ifndef N` and `#endif`"
        )
    if len(values) == 1:
        return next(iter(values.items()))
    once = _executed(sources, {})
    growth = {name: _executed(sources, {name: 2 * value}) / once for name, value in values.items()}
    best = max(growth, key=growth.__getitem__)
    if growth[best] < _GROWS:
        raise TraceError(
            "say by which macro the program's size is set, and from which value to which: --size "
            f"{best}=64:8192; none of {', '.join(values)} changes how much it computes"
        )
    return best, values[best]


def _macros(sources: Sources) -> Mapping[str, int]:
    """Macros that sources define as whole numbers, and that can be given other values."""
    found: dict[str, int] = {}
    for path in sources.paths:
        for line in (source_text(path) or "").splitlines():
            match = _NUMBER.match(line)
            if match is None or match[1] in sources.defines:
                continue
            if value := whole_number_from(match[2]):
                found.setdefault(match[1], value)
    return {name: value for name, value in found.items() if _can_be_given(sources, name, value)}


def _can_be_given(sources: Sources, name: str, value: int) -> bool:
    try:
        written = traced_sizes(
            sources.paths,
            {name: 2 * value},
            defines=sources.defines,
            includes=sources.includes,
            flags=sources.flags,
        )
    except TraceError:
        return False
    return written == {name: value}


def _arguments(sources: Sources) -> Iterator[tuple[str, int]]:
    """Arguments that are whole numbers."""
    for place, text in enumerate(sources.arguments, start=1):
        if value := whole_number_from(text):
            yield f"arg{place}", value


def _executed(sources: Sources, size: Mapping[str, int]) -> float:
    """Instructions that a program executes for a value of a macro or an argument; 0 if it fails."""
    macros = {name: value for name, value in size.items() if not name.startswith("arg")}
    arguments = [
        str(size.get(f"arg{place}", text)) for place, text in enumerate(sources.arguments, start=1)
    ]
    limits = replace(sources.limits, time_s=min(_SECONDS, sources.limits.time_s))
    given = replace(sources, arguments=tuple(arguments), limits=limits)
    try:
        found = counted(given.executable(macros))
    except LogcaError:
        if not size:
            raise
        return 0.0
    static = found.program.compiled.program
    return float(whole_work(static, found.counts[: len(static.blocks)]))
