"""Traces of nests are made by the loops themselves, in Python, at every size: the oracle."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from loop_nests import (
    NESTS,
    Nest,
    Record,
    alternating,
    atax,
    backwards,
    base,
    every_other,
    indirect,
    ragged,
    traced,
)

from logca.gpu.affine.accesses_at_work_size import at_work_size
from logca.gpu.affine.affine_nest import AffineError, AffineNest, extents_of, extremes
from logca.gpu.affine.fit import fit
from logca.gpu.affine.synthesis import access_counts, synthesise
from logca.gpu.nests.nest import NestTrace, nest_trace
from logca.gpu.program.running import ALIGNMENT
from logca.gpu.program.work_size_extrapolation import size_grid

TARGETS = {"gemm": 64, "syrk": 64, "corr": 64, "guarded": 72, "gramschmidt": 64, "planes": 56}


def extended(nest: Nest, small: int, large: int) -> AffineNest:
    """The nest at a large size, from traces at small ones."""
    grid = size_grid({"n": small}, {"n": large}, degree=2)
    return at_work_size([fit(traced(nest, size["n"])) for size in grid.sizes], grid)


def threads_of(extents: tuple[int, ...]) -> np.ndarray:
    return np.array(list(product(*map(range, extents))))


def whole(affine: AffineNest, launch: int) -> NestTrace:
    return synthesise(affine, threads_of(extents_of(affine, launch)), launch=launch)


def of_launch(trace: NestTrace, launch: int) -> NestTrace:
    """What remains of a trace if only one launch is kept."""
    return nest_trace(
        trace.where(trace.launch == launch),
        accesses=trace.accesses,
        loops=trace.loops,
        nest=trace.nest,
        collapse=trace.collapse,
    )


def assert_same(made: NestTrace, real: NestTrace, *, shift: dict[str, int] | None = None) -> None:
    """The same trace, but for where arrays begin if their shifts are given."""
    for column in ("access", "size", "launch", "iterations"):
        np.testing.assert_array_equal(getattr(made, column), getattr(real, column), column)
    names = [real.accesses[site].array for site in range(len(real.accesses))]
    shifts = np.array([(shift or {}).get(name, 0) for name in names])
    moved = real.address.astype(np.int64) + shifts[real.access]
    np.testing.assert_array_equal(made.address.astype(np.int64), moved)
    assert (made.launches, made.extents) == (real.launches, real.extents)


def shifts(work: AffineNest, real: AffineNest) -> dict[str, int]:
    """By how much each array was moved, read off one site of it."""
    return {
        real.accesses[then.access].array: now.address[0] - then.address[0]
        for now, then in zip(work.sites, real.sites, strict=True)
    }


def test_accesses_between_collapsed_loops_are_made_by_every_thread() -> None:
    """One moved out of the inner loop by a compiler, or written after it."""

    def moved(n: int, launch: int) -> Iterator[Record]:
        for i in range(n):
            yield 0, base("x", n) + 4 * i, (i,)
            for j in range(n):
                yield 1, base("a", n) + 4 * (i * n + j), (i, j)
            yield 2, base("x", n) + 4 * i, (i,)

    nest = Nest(records=moved, sites="x0 a1 x0", parents=(None, 0), collapse=2)
    assert_same(whole(fit(traced(nest, 16)), 0), traced(nest, 16))
    real = traced(nest, 40)
    work = extended(nest, 16, 40)
    assert_same(whole(work, 0), real, shift=shifts(work, fit(real)))


@pytest.mark.parametrize("name", NESTS)
def test_a_fit_makes_its_own_trace_again(name: str) -> None:
    trace = traced(NESTS[name], 16)
    affine = fit(trace)
    for launch in trace.launches[:3] + trace.launches[-1:]:
        assert_same(whole(affine, launch), of_launch(trace, launch))


@pytest.mark.parametrize("name", NESTS)
def test_the_trace_at_a_larger_size_follows_from_small_ones(name: str) -> None:
    target = TARGETS.get(name, 96)
    work = extended(NESTS[name], 16, target)
    real = traced(NESTS[name], target)
    moved = shifts(work, fit(real))
    assert work.launches == (0, len(real.launches))
    for launch in (real.launches[0], real.launches[-1]):
        assert_same(whole(work, launch), of_launch(real, launch), shift=moved)


def test_arrays_at_the_work_size_are_aligned_and_apart() -> None:
    for name in ("gemm", "stencil"):
        work = extended(NESTS[name], 16, 100)
        spans: dict[str, list[int]] = {}
        for site in work.sites:
            low, high = extremes(site)
            span = spans.setdefault(work.accesses[site.access].array, [low, high + site.size])
            span[:] = [min(span[0], low), max(span[1], high + site.size)]
        ordered = sorted(spans.values())
        assert all(end <= low for (_, end), (low, _) in pairwise(ordered))
        starts = {array: span[0] % ALIGNMENT for array, span in spans.items()}
        assert starts == ({"a": 0, "b": 4} if name == "stencil" else {"a": 0, "b": 0, "c": 0})
        assert spans["a"][1] - spans["a"][0] == 4 * 100 * 100


@pytest.mark.parametrize(
    ("records", "sites", "parents", "message", "record"),
    [
        (indirect, "i1 x1", (None, 0), "kernel.c:11: the address in x", 5),
        (every_other, "a0 b0", (None,), "kernel.c:11: a condition leaves out", 4),
        (ragged, "a1", (None, 0), "kernel.c:10: .* loop in line 2 do not begin", 36),
        (backwards, "a0 b0", (None,), "kernel.c:10: .* out of the order", 1),
        (alternating, "a0", (None,), "kernel.c:10: the address in a", 32),
    ],
)
def test_what_is_not_affine_is_refused(
    records: Callable[[int, int], Iterator[Record]],
    sites: str,
    parents: tuple[int | None, ...],
    message: str,
    record: int,
) -> None:
    nest = Nest(records=records, sites=sites, parents=parents, collapse=1, launches=lambda n: 3)
    with pytest.raises(AffineError, match=message) as refusal:
        fit(traced(nest, 16))
    assert refusal.value.record == record
    assert str(refusal.value).startswith(f"{refusal.value.file}:{refusal.value.line}: ")


def test_sizes_of_memory_copies_must_not_change() -> None:
    trace = traced(NESTS["atax"], 16)
    trace.size[40] = 16
    with pytest.raises(AffineError, match=r"kernel\.c:12: size or nesting .* \(access 40 of"):
        fit(trace)


def test_a_part_of_a_launch_is_refused() -> None:
    with pytest.raises(AffineError, match="reaches 16 x 16 of 64 x 16 threads of launch 0"):
        fit(replace(traced(NESTS["gemm"], 16), extents=((64, 16),)))


def test_functions_that_were_not_inlined_are_refused() -> None:
    nest = Nest(records=atax, sites=NESTS["atax"].sites, parents=(None, None), collapse=1)
    with pytest.raises(AffineError, match=r"kernel is called in the nest and was not inlined"):
        fit(traced(nest, 16))


def test_coefficients_that_are_no_polynomials_of_the_size_are_refused() -> None:
    def padded(n: int, launch: int) -> Iterator[Record]:
        pitch = 1 << (n - 1).bit_length()
        for i, j in product(range(n), range(n)):
            yield 0, 4096 + 4 * (i * pitch + j), (i, j)

    nest = Nest(records=padded, sites="a1", parents=(None, 0), collapse=2)
    with pytest.raises(AffineError, match=r"kernel\.c:10: addresses in a .* no polynomials"):
        extended(nest, 8, 48)


def test_a_program_with_other_accesses_at_another_size_is_refused() -> None:
    with pytest.raises(AffineError, match="different accesses"):
        at_work_size(
            [fit(traced(NESTS["atax"], 8)), fit(traced(NESTS["corr"], 9))],
            size_grid({"N": 8}, {"N": 10}, degree=0),
        )


def test_threads_are_made_in_the_order_asked_for_and_up_to_a_limit() -> None:
    trace = traced(NESTS["gemm"], 16)
    affine = fit(trace)
    chosen = np.array([[3, 4], [0, 1], [15, 15]])
    assert access_counts(affine, chosen, launch=0).tolist() == [34, 34, 34]
    made = synthesise(affine, chosen, launch=0, limit=20)
    assert made.extents == ((16, 16),)
    assert len(made.access) == 60
    for place, (i, j) in enumerate(chosen.tolist()):
        mine = (trace.iterations[:, 0] == i) & (trace.iterations[:, 1] == j)
        part = slice(20 * place, 20 * place + 20)
        np.testing.assert_array_equal(made.address[part], trace.address[mine][:20])
        np.testing.assert_array_equal(made.iterations[part], trace.iterations[mine][:20])


@pytest.mark.parametrize(
    ("threads", "launch", "message"),
    [
        ([[0, 16]], 0, r"thread \(0, 16\) is not in the launch of 16 x 16 threads"),
        ([[0, -1]], 0, r"thread \(0, -1\)"),
        ([[0]], 0, "rows of 2 iterations"),
        ([[0, 0]], 1, "launch 1 is not one of those from 0 to 0"),
    ],
)
def test_threads_that_do_not_exist_are_refused(
    threads: list[list[int]], launch: int, message: str
) -> None:
    with pytest.raises(AffineError, match=message):
        synthesise(fit(traced(NESTS["gemm"], 16)), np.array(threads), launch=launch)
