"""The other kind of accelerator: reconfigurable, beside the caches, as kenter2010 has it.

The same program is partitioned between a CPU and such an accelerator, block by block. It needs no
copies, so that it pays where a GPU does not; and it gains less where a GPU does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from logca.common.errors import LogcaError
from logca.common.extras import MissingLibraryError
from logca.gpu.prediction.predict import Request
from logca.numeric.partition.answer.partition import partition
from logca.offloading.sizes import MacroRange

__all__ = ["BesideCaches", "beside_caches"]

_SIZES = 4
"""Sizes at which the program is partitioned, at most: each of its accesses is simulated [1]."""
_RECORDS = 30_000_000
"""Accesses of a program that is partitioned, at most [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideCaches:
    """The best partition of the program at one size."""

    size: int  # value of the macro [1]
    # runtime of everything on its CPU over that of the partition [1]
    speedup: float
    moved: int  # blocks of code on the accelerator [1]
    blocks: int  # blocks that are executed [1]
    proven: bool  # whether a certificate proves it optimal
    platform: str  # the machine
    design: str  # how it is attached to the memory (kenter2010, section III-B)


def beside_caches(
    request: Request,
    sizes: MacroRange,
    values: Sequence[int],
    progress: Callable[[str], None] = lambda step: None,
) -> tuple[tuple[BesideCaches, ...], str]:
    """The best partitions at the smallest sizes, as long as their traces can be afforded.

    With it why there are none at others.
    """
    sources = request.sources
    found: list[BesideCaches] = []
    limits = replace(sources.limits, records=min(sources.limits.records, _RECORDS))
    for size in sorted(values)[:_SIZES]:
        progress(f"partitioning, {sizes.name} = {size}")
        try:
            answer = partition(
                sources.paths,
                defines={**sources.defines, **sizes.at(size)},
                includes=sources.includes,
                flags=sources.flags,
                args=sizes.arguments(sources.arguments, size),
                stdin=sources.stdin,
                limits=limits,
            )
        except MissingLibraryError:
            raise
        except LogcaError as error:
            return tuple(found), f"not partitioned from {sizes.name} = {size} on: {error}"
        executed = [block for block in answer.case.problem.blocks if block.executions]
        found.append(
            BesideCaches(
                size=size,
                speedup=answer.speedup,
                moved=len([block for block in answer.blocks if block.executions]),
                blocks=len(executed),
                proven=answer.proven,
                platform=answer.case.platform.title,
                design=answer.case.design.name,
            )
        )
    return tuple(found), ""
