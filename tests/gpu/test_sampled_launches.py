"""Launches that differ, make no access, or are more than can be looked at."""

from pathlib import Path

import pytest

import logca.gpu.sampling as sampling
from logca.gpu.prediction import predict
from logca.trace.limits import Limits

pytest.importorskip("numba")

PROGRAMS = Path(__file__).parent / "programs"
LIMITS = Limits(time_s=20)


def test_a_launch_whose_inner_loop_does_not_run() -> None:
    """In symm's first launch `k < i` never holds, so that the paper's model sees no access."""
    (kernel,) = predict(PROGRAMS / "symm.c", limits=LIMITS).kernels
    assert (kernel.launches, kernel.layout.extents) == (40, (48,))


def test_threads_that_access_nothing_are_threads() -> None:
    """Half of the threads of a stage do nothing, always the last one among them."""
    (kernel,) = predict(PROGRAMS / "bitonic_sort.c", limits=LIMITS).kernels
    assert (kernel.launches, kernel.layout.extents) == (55, (1024,))


def test_launches_that_differ_at_the_work_size() -> None:
    (kernel,) = predict(
        PROGRAMS / "trmm.c",
        model="logca",
        defines={"N": 32, "M": 32},
        work={"N": 64, "M": 64},
        limits=LIMITS,
    ).kernels
    assert (kernel.launches, kernel.layout.extents) == (64, (64,))
    assert "accesses of launches after 7 are those of the traced size" in kernel.notes


def test_launches_that_were_seen_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are large: of five launches the first were seen, and the last of them not whole."""
    whole = predict(PROGRAMS / "heat-3d.c", limits=LIMITS)
    monkeypatch.setattr(sampling, "_KEPT", 1)
    cut = predict(PROGRAMS / "heat-3d.c", limits=LIMITS)
    for first, second in zip(whole.kernels, cut.kernels, strict=True):
        assert second.time_s == pytest.approx(first.time_s, rel=0.02)
        assert any("reached its limit in launch" in note for note in second.notes)
