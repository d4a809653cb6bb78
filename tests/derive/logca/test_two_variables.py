"""The boundary between shapes, held against times added up in 50 digits."""

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import DIGITS, close, exact, fractions, value

from logca.derive.core.catalogue import SHAPES, formula

PARTS = ("call", "item", "byte", "work")
TIMES = st.tuples(*[fractions(-3, 3)] * len(PARTS))
OFFLOADS = st.tuples(*[fractions(0, 4)] * 3)  # items, bytes, work
HELD = {
    *("shape_time_host", "shape_time_accelerated", "shape_speedup", "shape_loss"),
    *("work_boundary", "work_boundary_least", "bytes_boundary", "intensity_boundary"),
    *("shape_speedup_large_work", "shape_speedup_large_bytes"),
}
"""Formulas that are held against added times below."""


def test_every_formula_of_shapes_is_held_against_times() -> None:
    assert {name for names in SHAPES.values() for name in names} == HELD


def time(parts, shape, beta):
    """A call, its items, its bytes and a power of its work."""
    items, data, work = map(exact, shape)
    call, item, byte, first = map(exact, parts)
    return call + item * items + byte * data + first * work ** exact(beta)


def inserted(name, host, accelerated, shape, beta):
    values = {f"{part}_time_host": each for part, each in zip(PARTS, host, strict=True)}
    values |= {f"{part}_time_accelerated": x for part, x in zip(PARTS, accelerated, strict=True)}
    values |= dict(zip(("items", "data_bytes", "work"), shape, strict=True))
    return value(formula(name), beta=beta, **values)


@settings(max_examples=50, deadline=None)
@mpmath.workdps(DIGITS)
@given(host=TIMES, accelerated=TIMES, shape=OFFLOADS, beta=fractions(-1, 1))
def test_both_times_are_equal_on_the_boundaries(host, accelerated, shape, beta) -> None:
    items, data, work = shape
    gain = exact(host[3]) - exact(accelerated[3])
    loss = time(accelerated, (items, data, 0), beta) - time(host, (items, data, 0), beta)
    assert close(inserted("shape_loss", host, accelerated, shape, beta), loss)
    slow, fast = (time(path, shape, beta) for path in (host, accelerated))
    found = {
        name: inserted(f"shape_{name}", host, accelerated, shape, beta)
        for name in ("time_host", "time_accelerated", "speedup")
    }
    assert close(found["time_host"], slow)
    assert close(found["time_accelerated"], fast)
    assert close(found["speedup"], slow / fast)
    assume(gain * loss > 0 and mpmath.mpf("1e-9") < loss / gain < mpmath.mpf("1e9"))
    at = inserted("work_boundary", host, accelerated, shape, beta)
    both = [time(path, (items, data, at), beta) for path in (host, accelerated)]
    assert close(both[0], both[1], mpmath.mpf(10) ** -25)
    for times in (mpmath.mpf("0.99"), mpmath.mpf("1.01")):
        before, after = (
            time(path, (items, data, at * times), beta) for path in (host, accelerated)
        )
        assert (before > after) == ((times > 1) == (gain > 0))
    assume(host[2] != accelerated[2])
    most = inserted("bytes_boundary", host, accelerated, shape, beta)
    if most > 0:
        ends = [time(path, (items, most, work), beta) for path in (host, accelerated)]
        assert close(ends[0], ends[1], mpmath.mpf(10) ** -25)


@settings(max_examples=20, deadline=None)
@mpmath.workdps(DIGITS)
@given(host=TIMES, accelerated=TIMES, shape=OFFLOADS, beta=fractions(-1, 0))
def test_limits_are_speedups_far_away(host, accelerated, shape, beta) -> None:
    items, data, work = shape
    far = mpmath.mpf(10) ** 400
    ratios = {
        "shape_speedup_large_work": (items, data, far),
        "shape_speedup_large_bytes": (items, far, work),
    }
    for name, there in ratios.items():
        speedup = time(host, there, beta) / time(accelerated, there, beta)
        found = inserted(name, host, accelerated, shape, beta)
        assert close(found, speedup, mpmath.mpf(10) ** -20)


@settings(max_examples=20, deadline=None)
@mpmath.workdps(DIGITS)
@given(host=TIMES, accelerated=TIMES, shape=OFFLOADS, beta=fractions(-1, 0))
def test_boundaries_without_bytes_and_with_ever_more(host, accelerated, shape, beta) -> None:
    items = shape[0]
    gain = exact(host[3]) - exact(accelerated[3])
    loss = time(accelerated, (items, 0, 0), beta) - time(host, (items, 0, 0), beta)
    if gain * loss > 0:
        least = inserted("work_boundary_least", host, accelerated, shape, beta)
        both = [time(path, (items, 0, least), beta) for path in (host, accelerated)]
        assert close(both[0], both[1], mpmath.mpf(10) ** -25)
    if gain > 0 and accelerated[2] > host[2]:
        far = mpmath.mpf(10) ** 40
        for_each = inserted("intensity_boundary", host, accelerated, shape, beta)
        for times in (mpmath.mpf("0.99"), mpmath.mpf("1.01")):
            there = (times * for_each * far) ** (1 / exact(beta))
            before, after = (time(path, (items, far, there), beta) for path in (host, accelerated))
            assert (before > after) == (times > 1)
