"""Traces of nests are made by the loops themselves, in Python, at every size: the oracle."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np
import pytest

from logca.gpu.affine.accesses_at_work_size import at_work_size
from logca.gpu.affine.affine_nest import AffineError, AffineNest, extents_of, extremes
from logca.gpu.affine.fit import fit
from logca.gpu.affine.synthesis import access_counts, synthesise
from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
from logca.gpu.program.running import ALIGNMENT
from logca.gpu.program.work_size_extrapolation import size_grid
from logca.trace.ir.program import Access, Loop

Record = tuple[int, int, tuple[int, ...]]  # site, address, iterations


@dataclass(frozen=True, kw_only=True)
class Nest:
    """Loops as a Python function: records of launch `launch` at size `n`."""

    records: Callable[[int, int], Iterator[Record]]
    sites: str  # of each the array and the innermost loop
    parents: tuple[int | None, ...]  # of the loops
    collapse: int
    launches: Callable[[int], int] = lambda n: 1


def base(array: str, n: int) -> int:
    """Somewhere else at every size, as in a process."""
    return (ord(array[0]) << 32) + 16 * (n % 7) + 4096 * n


def tables(nest: Nest) -> tuple[tuple[Access, ...], tuple[Loop, ...]]:
    where = {"function": "kernel", "source_function": "kernel", "file": "kernel.c"}
    accesses = tuple(
        Access(
            id=number, block=0, index=number, store=False, size=4, type="float", real=True,
            line=10 + number, column=1, array=site[0], loop=int(site[1]), private=False, **where,
        )
        for number, site in enumerate(nest.sites.split())
    )  # fmt: skip
    loops = tuple(
        Loop(
            id=number, header=number, latches=(), blocks=frozenset(), parent=parent, depth=0,
            line=number + 1, end_line=99, inductions=(), carried=(), position=number, **where,
        )
        for number, parent in enumerate(nest.parents)
    )  # fmt: skip
    return accesses, loops


def traced(nest: Nest, n: int) -> NestTrace:
    rows = [(launch, *row) for launch in range(nest.launches(n)) for row in nest.records(n, launch)]
    depth = max(len(row[3]) for row in rows)
    accesses, loops = tables(nest)
    return nest_trace(
        Columns(
            access=np.array([row[1] for row in rows], np.uint32),
            address=np.array([row[2] for row in rows], np.uint64),
            launch=np.array([row[0] for row in rows], np.int32),
            iterations=np.array([row[3] + (-1,) * (depth - len(row[3])) for row in rows], np.int32),
            size=np.full(len(rows), 4, np.uint32),
        ),
        accesses=accesses,
        loops=loops,
        nest=0,
        collapse=nest.collapse,
    )


def gemm(n: int, launch: int) -> Iterator[Record]:
    a, b, c = (base(name, n) for name in "abc")
    for i, j in product(range(n), range(n)):
        yield 0, c + 4 * (i * n + j), (i, j)
        for k in range(n):
            yield 1, a + 4 * (i * n + k), (i, j, k)
            yield 2, b + 4 * (k * n + j), (i, j, k)
        yield 3, c + 4 * (i * n + j), (i, j)


def syrk(n: int, launch: int) -> Iterator[Record]:
    a, c = base("a", n), base("c", n)
    for i, j, k in product(range(n), range(n), range(n)):
        yield 0, a + 4 * (i * n + k), (i, j, k)
        yield 1, a + 4 * (j * n + k), (i, j, k)
        if k == 0:
            yield 2, c + 4 * (i * n + j), (i, j, k)


def stencil(n: int, launch: int) -> Iterator[Record]:
    a, b = base("a", n), base("b", n)
    for i, j in product(range(1, n - 1), range(1, n - 1)):
        for site, (di, dj) in enumerate(product((-1, 0, 1), (-1, 0, 1))):
            yield site, a + 4 * ((i + di) * n + j + dj), (i - 1, j - 1)
        yield 9, b + 4 * (i * n + j), (i - 1, j - 1)


def corr(n: int, launch: int) -> Iterator[Record]:
    d, s = base("d", n), base("s", n)
    for j1 in range(n - 1):
        yield 0, s + 4 * (j1 * n + j1), (j1,)
        for j2 in range(j1 + 1, n):
            yield 1, s + 4 * (j1 * n + j2), (j1, j2 - j1 - 1)
            for i in range(n):
                yield 2, d + 4 * (i * n + j1), (j1, j2 - j1 - 1, i)
                yield 3, d + 4 * (i * n + j2), (j1, j2 - j1 - 1, i)
                yield 4, s + 4 * (j1 * n + j2), (j1, j2 - j1 - 1, i)
            yield 5, s + 4 * (j2 * n + j1), (j1, j2 - j1 - 1)


def atax(n: int, launch: int) -> Iterator[Record]:
    a, x, t = (base(name, n) for name in "axt")
    for i in range(n):
        yield 0, t + 4 * i, (i,)
        for j in range(n):
            yield 1, a + 4 * (i * n + j), (i, j)
            yield 2, x + 4 * j, (i, j)
        yield 3, t + 4 * i, (i,)


def guarded(n: int, launch: int) -> Iterator[Record]:
    """Conditions on either side, a diagonal, and a loop that is empty at first."""
    a, b = base("a", n), base("b", n)
    for i, j in product(range(n), range(n)):
        if i > 0 and j < n - 2:
            yield 0, a + 8 * (i * n + j), (i, j)
        if j <= i:
            yield 1, b + 8 * (i * n + j), (i, j)
        for k in range(j):
            yield 2, a + 8 * (i * n + k), (i, j, k)
            if k == j - 1:
                yield 3, b + 8 * (k * n + j), (i, j, k)
        if i == j:
            yield 4, a + 8 * (i * n + j), (i, j)


def gramschmidt(n: int, launch: int) -> Iterator[Record]:
    """Each launch has one thread less."""
    q, r = base("q", n), base("r", n)
    for j in range(launch + 1, n):
        yield 0, r + 4 * (launch * n + j), (j - launch - 1,)
        for i in range(n):
            yield 1, q + 4 * (i * n + launch), (j - launch - 1, i)
            yield 2, q + 4 * (i * n + j), (j - launch - 1, i)


def planes(n: int, launch: int) -> Iterator[Record]:
    """A cube, one launch for each plane."""
    a = base("a", n)
    for i, j in product(range(n), range(n)):
        yield 0, a + 4 * ((launch * n + i) * n + j), (i, j)
        yield 1, a + 4 * (((launch + 2) * n + i) * n + j), (i, j)


NESTS = {
    "gemm": Nest(records=gemm, sites="c1 a2 b2 c1", parents=(None, 0, 1), collapse=2),
    "syrk": Nest(records=syrk, sites="a2 a2 c2", parents=(None, 0, 1), collapse=2),
    "stencil": Nest(records=stencil, sites="a1 " * 9 + "b1", parents=(None, 0), collapse=2),
    "corr": Nest(records=corr, sites="s0 s1 d2 d2 s2 s1", parents=(None, 0, 1), collapse=1),
    "atax": Nest(records=atax, sites="t0 a1 x1 t0", parents=(None, 0), collapse=1),
    "guarded": Nest(records=guarded, sites="a1 b1 a2 b2 a1", parents=(None, 0, 1), collapse=2),
    "gramschmidt": Nest(
        records=gramschmidt,
        sites="r0 q1 q1",
        parents=(None, 0),
        collapse=1,
        launches=lambda n: n - 1,
    ),
    "planes": Nest(
        records=planes, sites="a1 a1", parents=(None, 0), collapse=2, launches=lambda n: n - 2
    ),
}
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


def indirect(n: int, launch: int) -> Iterator[Record]:
    for i in range(n):
        for k in range(n):
            yield 0, base("i", n) + 4 * k, (i, k)
            yield 1, base("x", n) + 4 * (k * k % 11), (i, k)


def every_other(n: int, launch: int) -> Iterator[Record]:
    for i in range(n):
        yield 0, base("a", n) + 4 * i, (i,)
        if i % 2 == 0:
            yield 1, base("b", n) + 4 * i, (i,)


def ragged(n: int, launch: int) -> Iterator[Record]:
    for i in range(n):
        for j in range(min(i + 1, n // 2)):
            yield 0, base("a", n) + 4 * (i + j), (i, j)


def backwards(n: int, launch: int) -> Iterator[Record]:
    for i in range(n):
        yield 1, base("b", n) + 4 * i, (i,)
        yield 0, base("a", n) + 4 * i, (i,)


def alternating(n: int, launch: int) -> Iterator[Record]:
    """Two arrays swapped after every launch."""
    for i in range(n):
        yield 0, base("ab"[launch % 2], n) + 4 * i, (i,)


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
