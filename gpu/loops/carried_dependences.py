"""Which dependences the loops of nests carry, as far as a choice between them needs it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.nests.nest import Columns
from logca.gpu.nests.thread_dependences import Carried, ReachedMemory, Watch
from logca.gpu.program.running import Executable, passed
from logca.gpu.sampling.plan import control_accesses
from logca.gpu.sampling.record_limit import record_limit_error, records_until

__all__ = ["Watched", "watched"]

_ACCESSES = 1 << 20
_ITERATIONS = 64
_LAUNCHES = 8
"""At least so many accesses of a nest are recorded, and so many iterations of its outermost loop
or so many launches [1]."""

_MANY = 1 << 24
"""After so many accesses, or once that loop is seen to carry something, two whole iterations or
one launch are enough [1]."""

_UNDECIDED = 1 << 27
"""After so many accesses that is given up [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """Dependences that the loops of a nest were seen to carry."""

    nest: int  # its outermost loop [1]
    carried: tuple[Carried, ...]  # what its loops carry
    # most, begun: of each loop most iterations of one entry, and all that made an access [1]
    most: Mapping[int, int]
    begun: Mapping[int, int]
    memories: tuple[ReachedMemory, ...]  # what was reached, and by which accesses
    accesses: int  # so many accesses were recorded [1]
    iterations: int  # so many iterations of its outermost loop were begun [1]
    decided: bool  # whether it was recorded for long enough to know what that loop carries
    complete: bool  # whether all of its accesses were recorded


def watched(program: Executable, nests: Sequence[int]) -> dict[int, Watched]:
    """Run a program and see which dependences loops of nests carry, in their first accesses."""
    static = program.compiled.program
    watches = {
        nest: Watch(
            static.accesses, static.loops, nest, control_accesses(static, nest, len(static.loops))
        )
        for nest in nests
    }
    seen = dict.fromkeys(nests, 0)
    iterations = dict.fromkeys(nests, 0)
    launches = dict.fromkeys(nests, 0)
    ended = set(nests)

    def look(nest: int, each: Columns) -> bool:
        watches[nest].add(each)
        seen[nest] += len(each.access)
        iterations[nest] = max(iterations[nest], 1 + int(each.iterations[:, 0].max()))
        launches[nest] = 1 + int(each.launch[-1])
        if seen[nest] < _ACCESSES:
            return False
        few = seen[nest] >= _MANY or nest in watches[nest].carriers()
        enough = (
            iterations[nest] > (2 if few else _ITERATIONS)
            or launches[nest] > (1 if few else _LAUNCHES)
            or seen[nest] >= _UNDECIDED
        )
        if enough:
            ended.discard(nest)
        return enough

    cut = passed(program, nests, look)
    short = [nest for nest in sorted(cut) if iterations[nest] < 2 and launches[nest] < 2]
    if short:
        least = {nest: records_until(program, nest, 1, 2, most=_UNDECIDED) for nest in short}
        raise record_limit_error(program, least, "the end of the first iteration")
    return {
        nest: Watched(
            nest=nest,
            carried=watch.found(),
            most=watch.most(),
            begun=watch.begun(),
            memories=watch.memories(),
            accesses=seen[nest],
            iterations=iterations[nest],
            decided=seen[nest] < _UNDECIDED or iterations[nest] > 1 or launches[nest] > 1,
            complete=nest in ended - cut,
        )
        for nest, watch in watches.items()
    }
