"""The C programs of tests/gpu/programs work, and facts.toml tells of all of their loops."""

import re
import subprocess
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz, solve_triangular
from scipy.sparse.csgraph import shortest_path

Build = Callable[..., "subprocess.CompletedProcess[str]"]
Array = NDArray[np.float64]

PROGRAMS = Path(__file__).parents[1] / "gpu" / "programs"
FACTS: dict[str, Any] = tomllib.loads((PROGRAMS / "facts.toml").read_text())
MARK = re.compile(r"/\* @(\w+) \*/")
KINDS = {"flow", "anti", "output", "register"}


def grid(rows: int, columns: int) -> tuple[Array, Array]:
    i, j = np.indices((rows, columns)).astype(float)
    return i, j


def cholesky() -> Array:
    i, j = grid(48, 48)
    given = np.where(i == j, 48, (i + j) % 48 / 48)
    return np.linalg.cholesky(given)[np.tril_indices(48)]


def doitgen() -> Array:
    i, j, k = np.indices((16, 14, 24))
    p, q = np.indices((24, 24))
    return (i * j + k) % 24 / 24 @ (p * q % 24 / 24)


def durbin() -> Array:
    """The Yule-Walker equations of 1, r[0], r[1], ..."""
    r = 1 / (4 * 120 + np.arange(120.0))
    return solve_toeplitz(np.append(1.0, r[:-1]), -r)


def floyd_warshall() -> Array:
    i, j = grid(40, 40)
    s = i + j
    weights = np.where((s % 13 == 0) | (s % 7 == 0) | (s % 11 == 0), 999, i * j % 7 + 1)
    np.fill_diagonal(weights, 0)
    return shortest_path(weights)


def gemver() -> Array:
    n = 40
    i, j = grid(n, n)
    v = np.arange(1.0, n + 1) / n
    a = i * j % n / n + np.outer(np.arange(n) / n, v / 4) + np.outer(v / 2, v / 6)
    return 1.5 * a @ (1.2 * a.T @ (v / 8) + v / 9)


def jacobi_1d() -> Array:
    a = np.arange(2.0, 402) / 400
    smooth = np.diag(np.full(399, 0.33333), 1)
    smooth += smooth.T + np.diag(np.full(400, 0.33333))
    smooth[[0, -1]] = 0
    b = (np.arange(400) + 3.0) / 400
    for _ in range(20):
        b = smooth @ a + b * np.eye(400)[[0, -1]].sum(0)
        a = smooth @ b + a * np.eye(400)[[0, -1]].sum(0)
    return a


def lu() -> Array:
    """Elimination column by column; the program goes row by row."""
    i, j = grid(48, 48)
    a = np.where(i == j, 48, (i * 7 + j * 3) % 48 / 48)
    for k in range(48):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def symm() -> Array:
    i, j = grid(40, 48)
    p, q = grid(40, 40)
    lower = np.tril((p + q) % 100 / 40)
    a = lower + np.tril(lower, -1).T
    return 1.5 * a @ ((48 + i - j) % 100 / 40) + 1.2 * ((i + j) % 100 / 40)


def trisolv() -> Array:
    i, j = grid(120, 120)
    return solve_triangular((i + 120 - j + 1) * 2 / 120, np.arange(120.0), lower=True)


def trmm() -> Array:
    i, j = grid(40, 40)
    p, q = grid(40, 48)
    a = np.tril((i + j) % 40 / 40, -1) + np.eye(40)
    return 1.5 * a.T @ ((48 + (p - q)) % 48 / 48)


def generator(factor: int, addend: int, seed: int, count: int) -> Array:
    """Congruential numbers of 32 bits."""
    states = []
    for _ in range(count):
        seed = (factor * seed + addend) % 2**32
        states.append(seed)
    return np.array(states, dtype=np.int64)


def bitonic_sort() -> Array:
    keys = generator(1103515245, 12345, 1, 1024) >> 16 & 0x7FFF
    return np.array([keys.min(), keys.max()], dtype=float)


def heat_pointers() -> Array:
    now = np.zeros((40, 64))
    now[:, 0], now[:, -1] = 100, 25
    for _ in range(6):
        inner = now[1:-1, 1:-1]
        around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        now[1:-1, 1:-1] = inner + 0.2 * (around - 4 * inner)
    return now[20, ::7]


def histogram() -> float:
    grey = generator(1664525, 1013904223, 12345, 8192) >> 24
    image = grey * grey // 256
    below = np.cumsum(np.bincount(image, minlength=256))
    return (below[image] * 255 // 8192).sum()


def life() -> float:
    i, j = np.indices((48, 48))
    alive = (i * i + 3 * j + i * j) % 7 < 3
    shifts = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    for _ in range(4):
        around = sum(np.roll(alive.astype(int), shift, (0, 1)) for shift in shifts)
        alive = (around == 3) | (around == 2) & alive
    return alive.sum()


def mandelbrot() -> float:
    x = 3 * (np.arange(90) + 0.5) / 90 - 2
    y = 2 * (np.arange(60) + 0.5) / 60 - 1
    c = x + 1j * y[:, np.newaxis]
    z = np.zeros_like(c)
    inside = np.ones(c.shape, dtype=bool)
    for _ in range(100):
        inside &= np.abs(z) <= 2
        z = np.where(inside, z * z + c, 0)
    return 6 * inside.mean()


def reduction() -> Array:
    a, b = np.arange(4096) % 23 / 8, np.arange(4096) % 3 - 1.0
    return np.array([a @ b, a.max(), a.sum(), a.sum()])


def saxpy() -> float:
    n = np.arange(10000)
    return (2.5 * (n % 17) + n % 5).sum()


def spmv() -> float:
    a = np.zeros((600, 600))
    for i in range(600):
        for k in range(1 + i * 7 % 12):
            a[i, (i * 31 + k * k * 17) % 600] += 1 / (1 + k)
    return (a @ (np.arange(600) % 10 - 4.5)) @ (np.arange(600) % 3)


ORACLES: dict[str, Callable[[], Array | float]] = {
    "bitonic_sort": bitonic_sort,
    "cholesky": cholesky,
    "doitgen": doitgen,
    "durbin": durbin,
    "floyd-warshall": floyd_warshall,
    "gemver": gemver,
    "heat-pointers": heat_pointers,
    "histogram": histogram,
    "jacobi-1d": jacobi_1d,
    "life": life,
    "lu": lu,
    "mandelbrot": mandelbrot,
    "reduction": reduction,
    "saxpy": saxpy,
    "spmv": spmv,
    "symm": symm,
    "trisolv": trisolv,
    "trmm": trmm,
}


@pytest.fixture(scope="module")
def outputs(build: Build, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """What each program prints with its arrays on the heap, and with static ones."""
    folder = tmp_path_factory.mktemp("programs")

    def run(name: str, *flags: str) -> str:
        program = folder / f"{name}{''.join(flags)}"
        done = build(PROGRAMS / f"{name}.c", program, "-DPOLYBENCH_DUMP_ARRAYS", *flags)
        assert (done.returncode, done.stderr) == (0, "")
        ran = subprocess.run([str(program)], check=True, capture_output=True, text=True)
        return ran.stdout + ran.stderr

    def run_both(name: str) -> tuple[str, str]:
        if "polybench.h" in (PROGRAMS / f"{name}.c").read_text():
            return run(name), run(name, "-DPOLYBENCH_STACK_ARRAYS")
        return (run(name),) * 2

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(FACTS, pool.map(run_both, FACTS), strict=True))


def loops(name: str) -> dict[str, tuple[int, int]]:
    """For each marked loop, in program order, its line and how far it is indented."""
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate((PROGRAMS / f"{name}.c").read_text().splitlines(), start=1):
        for label in MARK.findall(line):
            assert re.match(r" *(for|while) \(", line)
            assert label not in found
            found[label] = number, len(line) - len(line.lstrip())
    return found


def test_every_program_has_facts() -> None:
    assert sorted(FACTS) == sorted(path.stem for path in PROGRAMS.glob("*.c"))


@pytest.mark.parametrize("name", FACTS)
def test_facts_name_the_loops_and_functions_of_the_source(name: str) -> None:
    facts = FACTS[name]
    source = (PROGRAMS / f"{name}.c").read_text()
    assert list(facts["loops"]) == list(loops(name))
    for function in facts["functions"]:
        assert re.search(rf"^[\w *]*\b{function}\(", source, re.MULTILINE)
    for carried in facts["loops"].values():
        for variable, kinds in carried.items():
            assert re.search(rf"\b{variable}\b", source)
            assert kinds
            assert set(kinds) <= KINDS


@pytest.mark.parametrize("name", FACTS)
def test_nests_are_the_outermost_loops_that_carry_nothing(name: str) -> None:
    facts, where = FACTS[name], loops(name)
    expected: list[str] = []
    parallel = {
        label
        for label, carried in facts["loops"].items()
        if all(
            name in facts.get("private", ()) and "flow" not in kinds
            for name, kinds in carried.items()
        )
    } | set(facts.get("gathered", ()))
    covered = -1  # the indentation of the parallel loop that the lines are in
    for label, (_, indent) in where.items():
        if covered >= 0 and indent > covered:
            continue
        covered = -1
        if label in parallel:
            expected.append(label)
            covered = indent
    assert [nest[0] for nest in facts["nests"]] == expected
    for nest in facts["nests"]:
        for outer, inner in pairwise(nest):
            assert inner in parallel
            assert where[inner] == (where[outer][0] + 1, where[outer][1] + 4)


@pytest.mark.parametrize("name", FACTS)
def test_programs_print_the_same_wherever_their_arrays_lie(
    name: str, outputs: dict[str, tuple[str, str]]
) -> None:
    heap, static = outputs[name]
    assert heap == static
    assert any(float(word) != 0 for word in re.findall(r"-?\d+\.?\d*", heap))
    assert not re.search("nan|inf|NOT", heap)


@pytest.mark.parametrize("name", ORACLES)
def test_results_are_those_of_numpy_and_scipy(
    name: str, outputs: dict[str, tuple[str, str]]
) -> None:
    expected = np.ravel(ORACLES[name]())
    printed = np.array(re.findall(r"-?\d+\.?\d*", outputs[name][0]), dtype=float)
    np.testing.assert_allclose(printed, expected, rtol=3e-5, atol=1e-4)
