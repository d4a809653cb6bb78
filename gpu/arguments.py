"""Variables that a kernel is given as arguments: what a nest only reads, and which is no array.

In C, a pointer, a size or a factor may be a variable at file level, or one whose address was taken,
and then is in memory: each use in the source is a load. A GPU gets the values with the launch, so
that no thread loads them.
"""

from logca.trace.nesting import accesses_of
from logca.trace.program import Access, Program

__all__ = ["arguments"]


def arguments(program: Program, nest: int) -> frozenset[int]:
    """Loads of variables to which nothing in a nest writes [1].

    A variable is a scalar, or a member of a structure that lies in no array. Writes through a
    pointer are taken to go elsewhere; where they do not, loops carry the dependence.

    Parameters
    ----------
    program : Program
        With calls inlined.
    nest : int
        Outermost loop of the nest [1].
    """
    found = [access for access in accesses_of(program, nest) if access.variable]
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
