"""Sizes to measure next: those of the design narrow the break-even more than others do."""

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SLOWER, Known

from logca.numeric.fit.estimate import estimate
from logca.numeric.fit.intervals import interval_of
from logca.numeric.fit.next_sizes import next_sizes
from logca.numeric.timings.timings import Timings

FIRST = [2.0**power for power in range(6, 26, 4)]
NOISE = 0.1


def width(timings: Timings) -> float:
    """Of the logarithm of the break-even; without an end it counts as a factor of a million."""
    lower, upper, _ = interval_of(estimate(timings, "constant"), "g1", 0.95)
    return float(np.log(min(upper / max(lower, 1e-3), 1e6)))


def more(known: Known, first: Timings, sizes: tuple[float, ...], seed: int) -> Timings:
    """The timings, and some at further sizes."""
    new = known.timings(NOISE, seed=seed, repeats=20, sizes=sorted(sizes))
    rows = {
        size: (host, accelerated)
        for timings in (first, new)
        for size, host, accelerated in zip(
            timings.granularity, timings.host, timings.accelerated, strict=True
        )
    }
    return Timings(
        granularity=sorted(rows),
        host=[rows[size][0] for size in sorted(rows)],
        accelerated=[rows[size][1] for size in sorted(rows)],
    )


def test_times_at_the_sizes_proposed_narrow_the_break_even_most() -> None:
    proposed, elsewhere = [], []
    for seed, known in enumerate([CONSTANT, LINEAR] * 3):
        first = known.timings(NOISE, seed=seed, repeats=5, sizes=FIRST)
        rng = np.random.default_rng(seed)
        sizes = next_sizes(estimate(first, "constant"), count=4)
        others = tuple(np.rint(np.exp(rng.uniform(np.log(16), np.log(2**26), 4))))
        proposed.append(width(more(known, first, sizes, seed + 50)))
        elsewhere.append(width(more(known, first, others, seed + 50)))
    assert np.mean(proposed) < 0.9 * np.mean(elsewhere)


@pytest.mark.parametrize("known", [CONSTANT, LINEAR, SLOWER], ids=["constant", "linear", "none"])
def test_they_are_some_whole_sizes_apart(known: Known) -> None:
    sizes = next_sizes(estimate(known.timings(NOISE, sizes=FIRST), "linear"), count=5)
    assert len(sizes) == 5
    assert all(size >= 1 and size == int(size) for size in sizes)
    assert np.diff(np.log(sorted(sizes))).min() > 0.4


def test_without_a_break_even_the_largest_sizes_tell_most() -> None:
    sizes = next_sizes(estimate(SLOWER.timings(NOISE, sizes=FIRST), "constant"))
    assert sizes[0] > FIRST[-1]
