"""The hottest loop, where it stays on the host: what a total of GPU times must not hide."""

from collections.abc import Collection, Mapping, Sequence

from logca.gpu.calls import obstacle
from logca.gpu.hot_loops import outermost
from logca.gpu.regions import Nest, computes, iterations, work
from logca.gpu.result import LeftOut
from logca.gpu.serial import Serial
from logca.trace.program import Program

__all__ = ["left_out"]


def left_out(
    program: Program,
    counts: Sequence[int],
    nests: Sequence[Nest],
    tops: Collection[int],
    serial: Mapping[int, Serial],
    function: str | None = None,
) -> LeftOut | None:
    """The hottest loop that stays on the host, if it executes more than all nests; else None.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block, at the size that is predicted [1].
    nests : sequence of Nest
        What goes to the GPU.
    tops : collection of int
        The hot loops among which the nests were looked for [1].
    serial : mapping of int to Serial
        Loops whose iterations cannot run side by side.
    function : str, optional
        The function whose loops are meant [text].
    """
    works = {nest.loop: work(program, counts, nest.loop) for nest in nests}
    inside = {
        loop.id: [n for n in works if program.loops[n].header in loop.blocks]
        for loop in program.loops
    }

    def rest(loop: int) -> int:
        return work(program, counts, loop) - sum(works[nest] for nest in inside[loop])

    calling = {
        loop
        for loop in outermost(program, counts, function)
        if obstacle(program, loop) and computes(program, counts, loop)
    }
    loop = max({*tops, *calling}, key=rest, default=None)
    if loop is None or rest(loop) <= sum(works.values()):
        return None
    while inside[loop]:
        within = [
            each.id
            for each in program.loops
            if each.parent == loop and iterations(program, counts, each.id) and each.id not in works
        ]
        if not within:
            break
        loop = max(within, key=rest)
    whole = sum(
        count * len(block.instructions)
        for count, block in zip(counts, program.blocks, strict=False)
    )
    share = rest(loop) / whole
    return LeftOut(
        loop=loop,
        share=share,
        offloaded=sum(works.values()) / whole,
        note=_told(program, loop, share, nests, serial, function),
    )


def _told(
    program: Program,
    number: int,
    share: float,
    nests: Sequence[Nest],
    serial: Mapping[int, Serial],
    function: str | None,
) -> str:
    loop = program.loops[number]
    found, calls = serial.get(number), obstacle(program, number)
    if found is not None:
        why, fix = f"it {found.why}", found.fix
    elif calls is not None:
        why, fix = calls.what, calls.fix
    else:
        why, fix = "what is in it cannot run side by side", ""
    functions = {program.loops[nest.loop].source_function for nest in nests}
    if found is not None and found.countable:
        own = loop.source_function
        alone = function is None and own not in functions and not program.scops
        named = (
            f"`--function {own}`"
            if alone
            else "`#pragma logca offload` before the loop that is to be threads"
        )
        fix = f"{named} predicts it against its dependences"
    return (
        f"the hottest loop, at line {loop.line} in {loop.source_function}, has "
        f"{100 * share:.3g} % of the executed instructions and stays on the host, which these "
        f"times leave out: {why}" + (f"; {fix}" if fix else "")
    )
