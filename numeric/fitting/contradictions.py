"""Where the times themselves, without any model, say the opposite of the fit."""

from collections.abc import Iterator, Mapping

from logca.numeric.fitting.intervals import Interval
from logca.numeric.fitting.timings import Timings
from logca.numeric.measuring.crossing import compared_timings
from logca.numeric.sizes import format_size

__all__ = ["contradictions"]

_SURE = 0.9


def contradictions(
    timings: Timings, intervals: Mapping[str, Interval], level: float
) -> Iterator[str]:
    """A sentence if one path is surely faster at sizes where the fit is sure of the other [text].

    Parameters
    ----------
    timings : Timings
        What was measured [s].
    intervals : mapping of str to Interval
        Those of both break-evens [B].
    level : float
        Confidence of the intervals [1].
    """
    g1, upper, doubt = intervals["g1"], intervals["g1_upper"], (1 - level) / 2
    found = []
    for row in compared_timings(timings, level):
        never = g1.none > 1 - doubt or row.size < g1.lower or row.size > upper.upper
        always = g1.none <= doubt and row.size > g1.upper and not row.size >= upper.lower
        if row.level >= _SURE and ((never and row.sign > 0) or (always and row.sign < 0)):
            found.append(row)
    if found:
        first = found[0]
        faster = "accelerated path" if first.sign > 0 else "host"
        yield (
            f"the times contradict the fit at {len(found)} of {len(timings)} sizes, such as "
            f"{format_size(first.size)}, where the {faster} is surely faster: no such curve holds "
            "for all sizes; fit those around the break-even (least, most)"
        )
