"""Exact granularities and Newton steps for all of Table 5, against 50 digits of mpmath."""

from math import isnan

import mpmath
import pytest

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.paper.devices import devices
from logca.numeric.paper.granularities import NewtonRow, existence, newton_row, newton_rows

ROWS = newton_rows()
NAMES = [f"{row.device}-{row.kernel}-{row.accelerator.latency}" for row in ROWS]


def parameters(row: NewtonRow) -> tuple[mpmath.mpf, ...]:
    """o, L, C, A and beta with all digits that are printed."""
    a = row.accelerator
    return tuple(mpmath.mpf(str(each)) for each in (a.o, a.L, a.C, a.A, a.beta))


def speedup(row: NewtonRow, g: float) -> mpmath.mpf:
    """Eqs. 2 and 8."""
    o, L, C, A, beta = parameters(row)
    g = mpmath.mpf(g)
    latency = L * g if row.accelerator.latency == "linear" else L
    return C * g**beta / (o + latency + C * g**beta / A)


def test_every_row_of_table_5_in_both_forms() -> None:
    assert len(ROWS) == 2 * len(devices()) == 38
    assert [row.accelerator.latency for row in ROWS[:4]] == ["constant", "linear"] * 2
    assert sum(row.usual for row in ROWS) == len(devices())


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_exact_granularities_have_the_speedup(row: NewtonRow) -> None:
    with mpmath.workdps(50):
        for found, target in ((row.g1, 1), (row.gA2, mpmath.mpf(row.accelerator.A) / 2)):
            for g in found.exact:
                assert abs(speedup(row, g) / target - 1) < mpmath.mpf(10) ** -11


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_what_does_not_exist_is_nowhere(row: NewtonRow) -> None:
    """The speedup at many granularities, from far below a byte to far beyond any memory."""
    with mpmath.workdps(50):
        greatest = max(speedup(row, 2.0**power) for power in range(-40, 240))
        for found, target in ((row.g1, 1), (row.gA2, mpmath.mpf(row.accelerator.A) / 2)):
            assert bool(found.exact) == (greatest > target)
            assert bool(found.statement) == (not found.exact)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_newton_steps_are_those_of_the_paper(row: NewtonRow) -> None:
    """Eqs. 11 and 12 as printed; with constant latency o + L in place of o, and no L."""
    with mpmath.workdps(50):
        o, L, C, A, beta = parameters(row)
        if row.accelerator.latency == "constant":
            o, L = o + L, mpmath.mpf(0)
        g1 = (C * (beta - 1) * (A - 1) + A * o) / (C * beta * (A - 1) - A * L)
        half = (C * (beta - 1) + A * o) / (C * beta - A * L)
        for found, step in ((row.g1, g1), (row.gA2, half)):
            assert abs(found.newton / step - 1) < mpmath.mpf(10) ** -11
            if found.exact:
                error = (step - mpmath.mpf(found.exact[0])) / mpmath.mpf(found.exact[0])
                assert abs(found.error - error) < mpmath.mpf(10) ** -10 * (1 + abs(error))
            else:
                assert isnan(found.error)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_step_is_exact_for_linear_kernels_only(row: NewtonRow) -> None:
    exact = [found.verdict == "exact" for found in (row.g1, row.gA2) if found.exact]
    assert all(exact) if row.accelerator.beta == 1 else not any(exact)


def test_what_the_steps_are_worth() -> None:
    found = {name: row for name, row in zip(NAMES, ROWS, strict=True)}
    assert found["apu-gemm-linear"].g1.verdict == "negative, but one exists"
    assert found["discrete-gpu-aes-linear"].g1.verdict == "negative, and none exists"
    assert found["apu-fft-linear"].g1.verdict == "wrong by +845 %"
    radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")
    row = newton_row(radix)
    assert row.gA2.verdict == "positive, but none exists"
    assert len(row.g1.exact) == 2


def test_why_there_is_none() -> None:
    falling = Accelerator(o=4e8, L=15, C=116, A=7, beta=0.14, latency="linear")
    rising = Accelerator(o=2e8, L=3000, C=174, A=30, latency="linear")
    assert existence(falling, falling.break_even()) == (
        "the speedup is at most 2.119e-06, at 4.14 MiB"
    )
    assert existence(rising, rising.half_peak()) == "the speedup stays below 0.05789"
    assert "acceleration" in existence(rising, rising.granularity_for(40))
    flat = Accelerator(o=0, L=0, C=1, A=2)
    assert existence(flat, flat.granularity_for(1)) == "reached or exceeded at every granularity"
    assert existence(falling, Accelerator(o=1, L=0, C=1, A=2).break_even()) == ""
