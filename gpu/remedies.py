"""What could be done to a kernel: each remedy as a variant that goes through the stages.

A remedy changes the accesses that were traced, or the blocks they are made in; what it gains is
then predicted as the kernel itself was.
"""

from collections.abc import Iterator

from logca.gpu.arrays import arrays
from logca.gpu.block_remedies import interchanged, other_blocks
from logca.gpu.candidate import Candidate
from logca.gpu.layout_remedies import padded, transposed
from logca.gpu.skews import skews
from logca.gpu.studies import Study, variant
from logca.gpu.tile_remedies import padded_tiles, tiled
from logca.gpu.variants import Outcome

__all__ = ["candidates"]


def candidates(study: Study, found: Outcome) -> Iterator[Candidate]:
    """The remedies that apply to a kernel; none for its memory where computation binds.

    Parameters
    ----------
    study : Study
        The kernel.
    found : Outcome
        What the stages say of it.
    """
    if study.tile is not None:
        yield from padded_tiles(study, found)
        return
    cycles = [each.timing.cycles for each in found.results]
    traced = variant(study).launches[cycles.index(max(cycles))]()
    binds = found.longest.timing.bound != "computation"
    if binds and traced.trace is not None and study.trace is not None:
        skewed = skews(study.trace)
        own = arrays(traced.trace, skewed)
        memory = found.longest.memory
        behaviours = {
            each.access: each
            for each in (memory.accesses if memory else ())
            if each.access is not None
        }
        yield from transposed(own, study.nest.collapse, behaviours, skewed)
        yield from padded(traced.trace, own, behaviours, skewed, study.device.l2_line)
        if study.nest.collapse > 1 and any(
            each.pattern == "uncoalesced" for each in behaviours.values()
        ):
            yield interchanged()
        yield from tiled(study, skewed)
    yield from other_blocks(found.longest.layout, study.device)
