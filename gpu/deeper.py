"""Loops inside a thread that carry nothing either: the threads that another order would have.

``for i { for j C[i][j] *= beta; for k for j C[i][j] += ...; }`` is a kernel with a thread for each
``i``: in its body are two loops, and the second ``j`` is in a loop ``k`` that carries a sum. As two
kernels, the second with its loops interchanged, it has a thread for each ``i`` and ``j``. That is
allowed: since ``i`` carries nothing, what is in it may be distributed over loops of their own, and
a serial loop may go around them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from logca.gpu.devices import GpuDevice
from logca.gpu.dram import Behaviour
from logca.gpu.regions import Nest, work
from logca.gpu.serial import Serial
from logca.gpu.workload import Workload, collapsed_loops, extents_of
from logca.trace.nesting import accesses_of, chain_of, loops_of
from logca.trace.program import Program

__all__ = ["deeper_note", "with_deeper"]

_SHARE = 0.25
"""A loop with a smaller share of the kernel's instructions is not worth it [1]."""

_WARP = 32
"""Nor is one with fewer iterations: neighbours in a warp would be in different rows [1]."""


def with_deeper(program: Program, nest: Nest, serial: Mapping[int, Serial]) -> Nest:
    """A nest that knows the outermost loops inside its threads that carry nothing either.

    Parameters
    ----------
    program : Program
        With calls inlined.
    nest : Nest
        The nest, whose loops carry nothing.
    serial : mapping of int to Serial
        Loops whose iterations cannot run side by side.
    """
    own = {loop.id for loop in loops_of(program, nest.loop)}
    last = collapsed_loops(program, nest)[-1]
    found = (loop for loop in _parallel(program, last, serial) if _writes(program, loop, own))
    return replace(nest, deeper=tuple(found))


def deeper_note(
    load: Workload, nest: Nest, device: GpuDevice, behaviours: Mapping[int, Behaviour]
) -> str:
    """What more threads a kernel could have [text]; nothing if it would not matter.

    It matters if the threads do not fill the device, or reach memory uncoalesced in such a loop.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nest : Nest
        The nest.
    device : GpuDevice
        The GPU.
    behaviours : mapping of int to Behaviour
        How its static accesses behave.
    """
    static, counts = load.static, load.work[: len(load.static.blocks)]
    worth = [
        loop
        for loop in nest.deeper
        if work(static, counts, loop) >= _SHARE * work(static, counts, nest.loop)
        and load.trips(loop).mean >= _WARP
    ]
    if not worth:
        return ""
    loop = max(worth, key=lambda each: work(static, counts, each))
    extents = extents_of(load, nest)
    full = device.multiprocessors * device.max_threads
    few = prod(extents) < full
    uncoalesced = any(
        access.id in behaviours and behaviours[access.id].pattern == "uncoalesced"
        for access in accesses_of(static, loop)
    )
    if not (few or uncoalesced):
        return ""
    share = work(static, counts, loop) / work(static, counts, nest.loop)
    last = collapsed_loops(static, nest)[-1]
    between = chain_of(static.loops, static.loops[loop].parent, last)[1:]
    lines = " and ".join(f"line {static.loops[each].line}" for each in between)
    around = f", with the serial loop at {lines} around it," if lines else ""
    return (
        f"the loop at line {static.loops[loop].line} carries nothing either and has "
        f"{100 * share:.0f} % of the instructions: in a kernel of its own{around} it would have "
        f"{_shape((*extents, load.trips(loop).mean))} threads; now there are {_shape(extents)}"
        + (f", fewer than the {full:,} that the device runs at a time" if few else "")
        + (", and they reach memory uncoalesced there" if uncoalesced else "")
    )


def _shape(extents: Sequence[float]) -> str:
    return " x ".join(f"{round(each):,}" for each in extents)


def _parallel(program: Program, loop: int, serial: Mapping[int, Serial]) -> Iterator[int]:
    """The outermost loops inside that carry nothing, behind no loop of an unknown end."""
    for inner in program.loops:
        if inner.parent != loop:
            continue
        if inner.id not in serial:
            yield inner.id
        elif serial[inner.id].countable:
            yield from _parallel(program, inner.id, serial)


def _writes(program: Program, loop: int, own: Collection[int]) -> bool:
    """Whether a loop writes what is not declared in the body of the nest."""
    return any(
        access.store and access.private_to not in own for access in accesses_of(program, loop)
    )
