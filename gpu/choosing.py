"""Which nests of a program are predicted: by directives, or by what its loops carry."""

from logca.gpu.regions import Nest, directed, hottest, mapped
from logca.gpu.sampling import watched
from logca.gpu.workload import Workload
from logca.trace.errors import RegionError
from logca.trace.program import Program

__all__ = ["chosen_nests"]


def chosen_nests(
    load: Workload, function: str | None = None
) -> tuple[tuple[Nest, ...], tuple[str, ...]]:
    """The nests to predict, in program order, and what to say of the choice [text].

    Parameters
    ----------
    load : Workload
        The program and its counts.
    function : str, optional
        The function whose loops are meant [text].

    Raises
    ------
    RegionError
        If there is no loop to choose, or none whose iterations can run side by side.
    """
    static = load.static
    counts = load.traced[: len(static.blocks)]
    nests = directed(static, counts, function)
    if nests:
        return nests, ()
    tops = hottest(static, counts, function)
    serial = _serial(static, load, tops)
    nests, leaves = mapped(static, counts, tops, serial)
    told = [f"stays on the host: {serial[leaf]}" for leaf in leaves]
    if not nests:
        raise RegionError(
            "no loop can run its iterations side by side: "
            + "; ".join(serial[leaf] for leaf in leaves or serial)
        )
    return nests, tuple(told)


def _serial(static: Program, load: Workload, tops: tuple[int, ...]) -> dict[int, str]:
    """Loops whose iterations depend on each other, and through what."""
    serial: dict[int, str] = {}
    for loop in static.loops:
        if loop.carried:
            serial[loop.id] = f"the loop at line {loop.line} carries {', '.join(loop.carried)}"
        elif not loop.inductions:
            serial[loop.id] = (
                f"the loop at line {loop.line} counts nothing, so that its iterations cannot be "
                "numbered as threads"
            )
    for found in watched(load.programs[0], tops).values():
        for each in found:
            loop = static.loops[each.loop]
            what = each.sink.array or each.source.array or "memory"
            serial.setdefault(
                loop.id,
                f"the loop at line {loop.line} carries {what}, {each.kind} dependence from line "
                f"{each.source.line} to line {each.sink.line}",
            )
    return serial
