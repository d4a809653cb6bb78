"""What a reader of measured times should know, in words."""

from collections.abc import Iterator, Sequence

from logca.numeric.measuring.records import PATHS, LeftOut, Recorded
from logca.numeric.sizes import format_size

__all__ = ["notes_of", "sizes_of_both"]


def sizes_of_both(recorded: Recorded) -> frozenset[int]:
    """Sizes that have times of both paths [B]."""
    host, accelerated = (
        {each.size for each in recorded.samples if each.path == path} for path in PATHS
    )
    return frozenset(host & accelerated)


def notes_of(recorded: Recorded) -> tuple[str, ...]:
    """What the experiment says of itself, what happened once, and what failed or is left out.

    Parameters
    ----------
    recorded : Recorded
        What a file of samples says.
    """
    both = sizes_of_both(recorded)
    notes = list(recorded.header.notes)
    notes += [
        f"{name}: {seconds:.3g} s, once, not in any of the times"
        for name, seconds in recorded.header.once.items()
    ]
    for failed in recorded.failed:
        ended = "not repeated from then on" if failed.size in both else "left out"
        notes.append(f"{format_size(failed.size)} {ended}: {failed.path} failed: {failed.message}")
    return (*notes, *_left_out(sorted(recorded.left_out, key=lambda each: each.size)))


def _left_out(sizes: Sequence[LeftOut]) -> Iterator[str]:
    """One note for all sizes that the budget did not allow."""
    if sizes:
        first, last = format_size(sizes[0].size), format_size(sizes[-1].size)
        which = first if len(sizes) == 1 else f"{len(sizes)} sizes from {first} to {last}"
        yield f"{which} left out: {sizes[0].message}; give a larger budget or fewer points"
