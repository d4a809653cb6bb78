"""Loop nests as kernels: loops that become threads, what they execute, what no thread loads.

Variables that a nest only reads, and that are no arrays, are arguments of the kernel: a GPU gets
their values with the launch. Nor does a thread make the accesses that only decide whether a
loop goes on whose iterations are threads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.trace.ir.program import Access, Program

__all__ = [
    "MATH_FUNCTIONS",
    "Nest",
    "arguments",
    "control_accesses",
    "made_by_no_thread",
    "work",
]


def arguments(program: Program, nest: int) -> frozenset[int]:
    """Loads of variables to which nothing in a nest writes [1].

    A variable is a scalar, or a member of a structure that lies in no array. Writes through a
    pointer are taken to go elsewhere; where they do not, loops carry the dependence.
    """
    found = [access for access in program.accesses_of(nest) if access.variable]
    written: dict[str, set[tuple[int, float]]] = {}
    for access in found:
        if access.store:
            written.setdefault(access.variable, set()).add(_range(access))
    return frozenset(
        access.id
        for access in found
        if not access.store
        and not any(_overlap(_range(access), other) for other in written.get(access.variable, ()))
    )


def _range(access: Access) -> tuple[int, float]:
    """First byte in its variable, and the one behind the last [B]."""
    return access.offset, access.offset + access.size if access.size else float("inf")


def _overlap(one: tuple[int, float], other: tuple[int, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_REAL_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 "
    "llrint llround lrint lround nearbyint pow remainder rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc "
)
MATH_FUNCTIONS = frozenset(
    {"abs", "labs", "llabs"}
    | {name + suffix for name in _REAL_FUNCTIONS.split() for suffix in ("", "f", "l")}
)
"""Functions of the C library that threads of a GPU can call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A loop nest for the GPU."""

    loops: tuple[int, ...]  # its loops that become threads, outermost first [1]
    reason: str  # why it was chosen
    # loops inside that could become threads too if they were in a kernel of their own, see
    # `logca.gpu.loops.parallelism` [1]
    deeper: tuple[int, ...] = ()

    @property
    def loop(self) -> int:
        """Its outermost loop [1]."""
        return self.loops[0]

    @property
    def collapse(self) -> int:
        """How many loops from there inwards become threads [1]."""
        return len(self.loops)


def work(program: Program, counts: Sequence[int], loop: int) -> int:
    """Instructions executed in a loop and in those inside it [1]."""
    blocks = program.loops[loop].blocks
    return sum(counts[block] * len(program.blocks[block].instructions) for block in blocks)


def made_by_no_thread(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that a C program makes and a kernel does not; a `NestTrace` must not have them [1].

    They load what a kernel is given as an argument, or only decide whether a collapsed loop goes
    on.
    """
    return arguments(program, nest) | control_accesses(program, nest, collapse)


def control_accesses(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that only decide whether a collapsed loop goes on [1].

    They are in the header of a loop whose test stands at its top, as in
    ``for (i = 0; i < n[0]; i++)``, and run once more than the body does.
    """
    depth = program.loops[nest].depth
    headers = {
        loop.header
        for loop in program.loops_of(nest)
        if loop.depth < depth + collapse
        and loop.header not in loop.latches
        and not set(program.blocks[loop.header].successors) <= loop.blocks
    }
    return frozenset(access.id for access in program.accesses if access.block in headers)
