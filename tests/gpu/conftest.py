"""Traces made by hand, of kernels whose addresses are known without a compiler."""

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
from logca.trace.compile.driver import compile_program
from logca.trace.ir.program import Access, Loop, Program

ARRAY = 1 << 28  # distance of the arrays: a multiple of every cache here

Index = Callable[..., Any]
Site = tuple[str, bool, Index]


def loop(number: int, parent: int | None, depth: int) -> Loop:
    return Loop(
        id=number,
        function="kernel",
        source_function="kernel",
        header=number,
        latches=(number,),
        blocks=frozenset({number}),
        parent=parent,
        depth=depth,
        file="kernel.c",
        line=number + 1,
        end_line=0,
        inductions=(),
        carried=(),
        position=number,
    )


def site(number: int, array: str, store: bool, inside: int, size: int = 4, **more: Any) -> Access:
    return Access(
        id=number,
        function="kernel",
        source_function="kernel",
        block=inside,
        index=0,
        store=store,
        size=size,
        type="float",
        file="kernel.c",
        line=10 + number,
        column=0,
        array=array,
        real=True,
        loop=inside,
        private=False,
        **more,
    )


def rectangular(
    extents: Sequence[int],
    sites: Sequence[Site],
    *,
    inner: int = 0,
    rows: int | None = None,
    size: int = 4,
) -> NestTrace:
    """All loops but the innermost (of `inner` iterations, if any) are threads; one body of sites.

    A site is an array's name, whether it is written, and the element as a function of the loops.
    """
    loops = [loop(level, level - 1 if level else None, level) for level in range(len(extents))]
    if inner:
        loops.append(loop(len(extents), len(extents) - 1, len(extents)))
    shape = (extents[0] if rows is None else rows, *extents[1:], *((inner,) if inner else ()))
    grid = np.indices(shape).reshape(len(shape), -1)
    names = list(dict.fromkeys(name for name, _, _ in sites))
    elements = [np.broadcast_to(index(*grid), grid.shape[1]) for _, _, index in sites]
    bases = [(1 + names.index(name)) * ARRAY for name, _, _ in sites]
    address = np.array(bases) + size * np.stack(elements, axis=1)
    count = address.size
    return nest_trace(
        Columns(
            access=np.tile(np.arange(len(sites), dtype=np.uint32), grid.shape[1]),
            address=address.reshape(-1).astype(np.uint64),
            launch=np.zeros(count, np.int32),
            iterations=np.repeat(grid.T, len(sites), axis=0).astype(np.int32),
            size=np.full(count, size, np.uint32),
        ),
        accesses=[
            site(number, name, store, len(loops) - 1, size)
            for number, (name, store, _) in enumerate(sites)
        ],
        loops=loops,
        nest=0,
        collapse=len(extents),
        extents=[extents],
    )


def product(n: int) -> NestTrace:
    """Rows of a matrix product that the first four blocks of threads compute."""
    sites: list[Site] = [
        ("A", False, lambda i, j, k: i * n + k),
        ("B", False, lambda i, j, k: k * n + j),
    ]
    return rectangular((n, n), sites, inner=n, rows=32)


def syrk(n: int) -> NestTrace:
    sites: list[Site] = [
        ("A", False, lambda i, j, k: i * n + k),
        ("A", False, lambda i, j, k: j * n + k),
    ]
    return rectangular((n, n), sites, inner=n, rows=32)


def syr2k(n: int) -> NestTrace:
    sites: list[Site] = [
        ("A", False, lambda i, j, k: i * n + k),
        ("B", False, lambda i, j, k: j * n + k),
        ("B", False, lambda i, j, k: i * n + k),
        ("A", False, lambda i, j, k: j * n + k),
    ]
    return rectangular((n, n), sites, inner=n, rows=32)


def rows_times_vector(n: int) -> NestTrace:
    sites: list[Site] = [("A", False, lambda i, k: i * n + k), ("x", False, lambda i, k: k)]
    return rectangular((n,), sites, inner=n)


def columns_times_vector(n: int) -> NestTrace:
    sites: list[Site] = [("A", False, lambda i, k: k * n + i), ("x", False, lambda i, k: k)]
    return rectangular((n,), sites, inner=n)


def convolution(n: int) -> NestTrace:
    def neighbour(down: int, right: int) -> Index:
        return lambda i, j: (i + down) * n + j + right

    sites: list[Site] = [("A", False, neighbour(*divmod(each, 3))) for each in range(9)]
    sites.append(("B", True, neighbour(1, 1)))
    return rectangular((n - 2, n - 2), sites, rows=64)


def correlation(n: int) -> NestTrace:
    """Threads j1; inside j2 > j1; inside i: sum[j1][j2] += data[i][j1] * data[i][j2], in memory."""
    loops = [loop(0, None, 0), loop(1, 0, 1), loop(2, 1, 2)]
    names = [("sum", False), ("data", False), ("data", False), ("sum", True)]
    access, address, iterations = [], [], []
    for j1 in range(n - 1):
        j2, i = (each.reshape(-1) for each in np.meshgrid(np.arange(j1 + 1, n), np.arange(n)))
        order = np.lexsort((i, j2))
        j2, i = j2[order], i[order]
        total = ARRAY + 4 * (j1 * n + j2)
        data = 2 * ARRAY + 4 * i * n
        address.append(np.stack([total, data + 4 * j1, data + 4 * j2, total], axis=1).reshape(-1))
        access.append(np.tile(np.arange(4), len(i)))
        vectors = np.stack([np.full(len(i), j1), j2 - j1 - 1, i], axis=1)
        iterations.append(np.repeat(vectors, 4, axis=0))
    count = sum(map(len, access))
    return nest_trace(
        Columns(
            access=np.concatenate(access).astype(np.uint32),
            address=np.concatenate(address).astype(np.uint64),
            launch=np.zeros(count, np.int32),
            iterations=np.concatenate(iterations).astype(np.int32),
            size=np.full(count, 4, np.uint32),
        ),
        accesses=[site(number, name, store, 2) for number, (name, store) in enumerate(names)],
        loops=loops,
        nest=0,
        collapse=1,
    )


@pytest.fixture(scope="session")
def handmade() -> SimpleNamespace:
    """Builders of traces by hand, and of their parts."""
    return SimpleNamespace(
        loop=loop,
        site=site,
        rectangular=rectangular,
        product=product,
        syrk=syrk,
        syr2k=syr2k,
        rows_times_vector=rows_times_vector,
        columns_times_vector=columns_times_vector,
        convolution=convolution,
        correlation=correlation,
    )


@pytest.fixture(scope="session")
def compile_text(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Program]:
    """What the compiler says of a program given as text, with calls inlined."""

    @cache
    def program_of(text: str) -> Program:
        path = tmp_path_factory.mktemp("source") / "program.c"
        path.write_text(text, encoding="utf-8")
        return compile_program([path], inline=True).program

    return program_of
