"""Random affine nests, written as Python and run by it: the oracle for fit and synthesis."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.affine.accesses_at_work_size import at_work_size
from logca.gpu.affine.affine_nest import AffineError, AffineNest, extents_of, solved
from logca.gpu.affine.fit import fit
from logca.gpu.affine.synthesis import synthesise
from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
from logca.gpu.program.work_size_extrapolation import size_grid
from logca.trace.ir.program import Access, Loop

SOURCE = {"function": "f", "source_function": "f", "file": "f.c", "line": 1}
DEPTH = 4
TRIPS = ("n", "3", "n - 2", "n - i{0}", "1 + i{0}", "2 + i0 + i{0}", "n - 1 - i{0}", "i{0}")
GUARDS = ("i{0} >= 1", "i{0} < n - 2", "i{0} <= i0", "i{0} == n - 1", "i0 >= 2")


@dataclass
class Source:
    """A nest as the body of a function of n that calls emit, and what it is made of."""

    collapse: int
    lines: list[str] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)  # the loop of each
    parents: list[int | None] = field(default_factory=list)  # of the loops
    simple: bool = True  # no condition, and no loop was ever empty

    def run(self, n: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Static access, address and iterations, in program order."""
        found: list[tuple[int, int, tuple[int, ...]]] = []

        def loop(trips: int) -> range:
            self.simple &= trips > 0
            return range(trips)

        names: dict[str, object] = {
            "n": n,
            "loop": loop,
            "emit": lambda *record: found.append(record),
        }
        exec("\n".join(self.lines), names)
        return found


@st.composite
def sources(draw: st.DrawFn) -> Source:
    made = Source(collapse=draw(st.integers(1, 2)))

    def add_site(depth: int) -> None:
        margin = " " * depth
        if draw(st.integers(0, 3)) == 0:
            made.simple = False
            made.lines.append(f"{margin}if {draw(st.sampled_from(GUARDS)).format(depth - 1)}:")
            margin += " "
        steps = "".join(f" + {draw(st.integers(-40, 40))} * n * i{level}" for level in range(depth))
        at = "".join(f"i{level}, " for level in range(depth))
        offset = f"{draw(st.integers(-40, 40))} + {draw(st.integers(-9, 9))} * n * n"
        made.lines.append(f"{margin}emit({len(made.sites)}, {offset}{steps}, ({at}))")

    def add_loop(depth: int, parent: int | None) -> None:
        number = len(made.parents)
        made.parents.append(parent)
        trips = "n" if depth == 0 else draw(st.sampled_from(TRIPS))
        made.lines.append(f"{' ' * depth}for i{depth} in loop({trips.format(depth - 1)}):")
        if depth + 1 < made.collapse:
            add_loop(depth + 1, number)
            return
        for _ in range(draw(st.integers(1, 2))):
            if depth + 1 < DEPTH and draw(st.booleans()):
                add_loop(depth + 1, number)
            else:
                add_site(depth + 1)
                made.sites.append(number)

    add_loop(0, None)
    return made


def traced(source: Source, n: int) -> NestTrace:
    rows = source.run(n)
    depth = max(len(at) for _, _, at in rows)
    return nest_trace(
        Columns(
            access=np.array([site for site, _, _ in rows], np.uint32),
            address=np.array([(1 << 40) + 4 * place for _, place, _ in rows], np.uint64),
            launch=np.zeros(len(rows), np.int32),
            iterations=np.array([at + (-1,) * (depth - len(at)) for _, _, at in rows], np.int32),
            size=np.full(len(rows), 4, np.uint32),
        ),
        accesses=[
            Access(
                id=number, block=0, index=number, store=False, size=4, type="float",
                column=1, array="a", real=True, loop=loop, private=False, **SOURCE,
            )
            for number, loop in enumerate(source.sites)
        ],
        loops=[
            Loop(
                id=number, header=number, latches=(), blocks=frozenset(), parent=parent, depth=0,
                end_line=1, inductions=(), carried=(), position=number, **SOURCE,
            )
            for number, parent in enumerate(source.parents)
        ],
        nest=0,
        collapse=source.collapse,
    )  # fmt: skip


def made_by(nest: AffineNest) -> NestTrace:
    threads = np.array(list(product(*map(range, extents_of(nest, 0)))))
    return synthesise(nest, threads, launch=0)


def same(one: NestTrace, other: NestTrace) -> bool:
    """Whether two traces are the same but for where memory begins."""
    columns: list[Callable[[NestTrace], np.ndarray]] = [
        lambda trace: trace.access,
        lambda trace: trace.iterations,
        lambda trace: trace.address - trace.address.min(),
    ]
    return all(np.array_equal(column(one), column(other)) for column in columns)


@settings(max_examples=100)
@given(sources())
def test_a_random_affine_nest_is_made_again_exactly_here_and_at_another_size(
    source: Source,
) -> None:
    """Without conditions and empty loops it must be found affine; others at least never wrong."""
    grid = size_grid({"n": 6}, {"n": 12}, degree=2)
    sizes = [size["n"] for size in grid.sizes]
    if not all(source.run(n) for n in sizes):
        return
    real = [traced(source, n) for n in sizes]
    try:
        fits = [fit(trace) for trace in real]
    except AffineError:
        assert not source.simple
        return
    for found, trace in zip(fits, real, strict=True):
        made = made_by(found)
        assert same(made, trace)
        assert np.array_equal(made.address, trace.address)
    try:
        work = at_work_size(fits, grid)
    except AffineError:
        assert not source.simple
        return
    assert same(made_by(work), traced(source, 12))


@given(st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4), min_size=1, max_size=5))
def test_solutions_fulfil_their_equations_and_exist_where_the_ranks_agree(
    equations: list[list[int]],
) -> None:
    matrix = np.array(equations)
    found = solved(equations)
    same = np.linalg.matrix_rank(matrix) == np.linalg.matrix_rank(matrix[:, :-1])
    assert (found is not None) == same
    for *row, right in equations if found is not None else []:
        assert sum(a * x for a, x in zip(row, found or [], strict=True)) == right


def test_threads_further_than_32_bit_count_make_what_the_nearer_ones_do() -> None:
    source = Source(
        collapse=1,
        lines=["for i0 in loop(n):", " emit(0, i0, (i0,))"],
        sites=[0],
        parents=[None],
    )
    grid = size_grid({"n": 6}, {"n": 10**10}, degree=2)
    nest = at_work_size([fit(traced(source, size["n"])) for size in grid.sizes], grid)
    far = np.array([[5], [2**31], [2**32 + 7], [10**10 - 1]])
    made = synthesise(nest, far, launch=0)
    assert made.iterations.tolist() == far.tolist()
    assert np.array_equal(made.address - made.address[0], 4 * (far[:, 0] - 5))
