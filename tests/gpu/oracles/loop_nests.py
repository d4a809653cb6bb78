"""Loop nests as Python functions, whose traces are made by the loops themselves at every size."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
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


def recorded(nest: Nest, n: int) -> Columns:
    """All accesses, as they are made."""
    rows = [(launch, *row) for launch in range(nest.launches(n)) for row in nest.records(n, launch)]
    depth = max(len(row[3]) for row in rows)
    return Columns(
        access=np.array([row[1] for row in rows], np.uint32),
        address=np.array([row[2] for row in rows], np.uint64),
        launch=np.array([row[0] for row in rows], np.int32),
        iterations=np.array([row[3] + (-1,) * (depth - len(row[3])) for row in rows], np.int32),
        size=np.full(len(rows), 4, np.uint32),
    )


def traced(nest: Nest, n: int) -> NestTrace:
    accesses, loops = tables(nest)
    return nest_trace(
        recorded(nest, n),
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
