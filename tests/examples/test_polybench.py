"""The kernels of examples/polybench compute what their names say: NumPy in double precision."""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Arrays = dict[str, NDArray[np.float64]]
Macros = dict[str, int]
Build = Callable[..., "subprocess.CompletedProcess[str]"]

KERNELS = Path(__file__).parents[2] / "examples" / "polybench"
ALPHA, BETA = 1.5, 1.25  # as main() passes them


def convolution_2d(given: Arrays, macros: Macros) -> Arrays:
    weights = np.array([[0.2, -0.3, 0.4], [0.5, 0.6, 0.7], [-0.8, -0.9, 0.1]])
    windows = sliding_window_view(given["A"], (3, 3))
    return {"B": np.pad(np.einsum("ijkl,kl->ij", windows, weights), 1)}


def convolution_3d(given: Arrays, macros: Macros) -> Arrays:
    """Weights of PolyBench/GPU's stencil by offset (i, j, k); two points stand in three terms."""
    c11, c12, c13, c21, c22, c23, c31, c32, c33 = 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, -0.8, -0.9, 0.1
    weights = np.zeros((3, 3, 3))
    weights[0, 0, 0] = c11 + c21 + c31
    weights[2, 0, 0] = c13 + c23 + c33
    weights[1, :, 1] = c12, c22, c32
    weights[0, :, 2] = c11, c21, c31
    weights[2, :, 2] = c13, c23, c33
    windows = sliding_window_view(given["A"], (3, 3, 3))
    return {"B": np.pad(np.einsum("ijkabc,abc->ijk", windows, weights), 1)}


def product(given: Arrays, macros: Macros) -> Arrays:
    return {"C": given["A"] @ given["B"]}


def two_products(given: Arrays, macros: Macros) -> Arrays:
    return {"E": given["A"] @ given["B"] @ given["D"]}


def three_products(given: Arrays, macros: Macros) -> Arrays:
    return {"G": np.linalg.multi_dot([given[name] for name in "ABCD"])}


def atax(given: Arrays, macros: Macros) -> Arrays:
    return {"y": given["A"].T @ (given["A"] @ given["x"])}


def bicg(given: Arrays, macros: Macros) -> Arrays:
    return {"s": given["r"] @ given["A"], "q": given["A"] @ given["p"]}


def correlation(given: Arrays, macros: Macros) -> Arrays:
    return {"symmat": np.corrcoef(given["data"], rowvar=False)}


def covariance(given: Arrays, macros: Macros) -> Arrays:
    return {"symmat": np.cov(given["data"], rowvar=False)}


def cosine_transform(given: Arrays, macros: Macros) -> Arrays:
    """By the fast Fourier transform of the rows, continued evenly."""
    rows = given["X"]
    n = rows.shape[1]
    spectrum = np.fft.fft(np.hstack([rows, rows[:, ::-1]]))[:, :n]
    return {"Y": (spectrum * np.exp(-0.5j * np.pi * np.arange(n) / n)).real / 2}


def deriche(given: Arrays, macros: Macros) -> Arrays:
    """As the convolution with its impulse response, which the recursion must sum up to."""
    alpha = 0.25
    n = macros["N"]
    r = np.exp(-alpha)
    k = (1 - r) ** 2 / (1 + 2 * alpha * r - r**2)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    response = k * (1 + alpha * distance) * r**distance
    return {"smooth": response @ given["image"] @ response}


def fdtd_2d(given: Arrays, macros: Macros) -> Arrays:
    ex, ey, hz = (given[name].copy() for name in ("ex", "ey", "hz"))
    for t in range(macros["TMAX"]):
        ey[0] = given["source"][t]
        ey[1:] -= 0.5 * np.diff(hz, axis=0)
        ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
        hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    return {"ex": ex, "ey": ey, "hz": hz}


def gemm(given: Arrays, macros: Macros) -> Arrays:
    return {"C": ALPHA * given["A"] @ given["B"] + BETA * given["C"]}


def gemver(given: Arrays, macros: Macros) -> Arrays:
    a = given["A"] + np.outer(given["u1"], given["v1"]) + np.outer(given["u2"], given["v2"])
    x = given["x"] + BETA * a.T @ given["y"] + given["z"]
    return {"A": a, "x": x, "w": given["w"] + ALPHA * a @ x}


def gesummv(given: Arrays, macros: Macros) -> Arrays:
    return {"y": ALPHA * given["A"] @ given["x"] + BETA * given["B"] @ given["x"]}


def gram_schmidt(given: Arrays, macros: Macros) -> Arrays:
    """By Householder's decomposition, which is unique once the diagonal of R is positive."""
    q, r = np.linalg.qr(given["A"])
    signs = np.sign(np.diag(r))
    steps = macros["STEPS"]
    kept = np.arange(macros["N"]) < steps
    return {"Q": q * signs * kept, "R": r * signs[:, np.newaxis] * kept[:, np.newaxis]}


def mvt(given: Arrays, macros: Macros) -> Arrays:
    return {
        "x1": given["x1"] + given["A"] @ given["y1"],
        "x2": given["x2"] + given["A"].T @ given["y2"],
    }


def syr2k(given: Arrays, macros: Macros) -> Arrays:
    half = given["A"] @ given["B"].T
    return {"C": ALPHA * (half + half.T) + BETA * given["C"]}


def syrk(given: Arrays, macros: Macros) -> Arrays:
    return {"C": ALPHA * given["A"] @ given["A"].T + BETA * given["C"]}


# file -> (macros, oracle). Odd sizes where no tile asks for a multiple.
def neighbours(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The inner elements, then their neighbours along each axis, before and behind."""
    inner = (slice(1, -1),) * values.ndim
    found = [values[inner]]
    for axis in range(values.ndim):
        for part in (slice(None, -2), slice(2, None)):
            found.append(values[(*inner[:axis], part, *inner[axis + 1 :])])
    return found


def to_and_fro(
    step: Callable[[list[NDArray[np.float64]]], NDArray[np.float64]],
) -> Callable[[Arrays, Macros], Arrays]:
    """A stencil from A to B and from B to A in each time step."""

    def run(given: Arrays, macros: Macros) -> Arrays:
        a, b = given["A"].copy(), given["B"].copy()
        inner = (slice(1, -1),) * a.ndim
        for _ in range(macros["TMAX"]):
            b[inner] = step(neighbours(a))
            a[inner] = step(neighbours(b))
        return {"A": a}

    return run


def adi(given: Arrays, macros: Macros) -> Arrays:
    a, b, x = (given[name].copy() for name in "ABX")
    n = macros["N"]
    for _ in range(macros["TMAX"]):
        for j in range(1, n):
            x[:, j] -= x[:, j - 1] * a[:, j] / b[:, j - 1]
            b[:, j] -= a[:, j] ** 2 / b[:, j - 1]
        x[:, -1] /= b[:, -1]
        for j in range(n - 2, 0, -1):
            x[:, j] = (x[:, j] - x[:, j - 1] * a[:, j - 1]) / b[:, j - 1]
        for i in range(1, n):
            x[i] -= x[i - 1] * a[i] / b[i - 1]
            b[i] -= a[i] ** 2 / b[i - 1]
        x[-1] /= b[-1]
        for i in range(n - 2, 0, -1):
            x[i] = (x[i] - x[i - 1] * a[i - 1]) / b[i]
    return {"B": b, "X": x}


def lower_and_upper(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """L and U in one matrix, L with a unit diagonal: from the minors that both determine."""
    n = len(a)
    upper = np.array([np.linalg.solve(a[:i, :i].T, a[i, :i]) for i in range(n)], dtype=object)
    found = a.copy()
    for i in range(n):  # what is left of a row after the rows before it are taken away
        found[i, i:] = a[i, i:] - upper[i] @ a[:i, i:] if i else a[i, i:]
    factors = np.triu(found)
    lower = np.linalg.solve(factors.T, a.T).T
    return np.tril(lower, -1) + factors


def lu(given: Arrays, macros: Macros) -> Arrays:
    return {"A": lower_and_upper(given["A"].T).T}


def ludcmp(given: Arrays, macros: Macros) -> Arrays:
    return {"A": lower_and_upper(given["A"]), "x": np.linalg.solve(given["A"], given["b"])}


def cholesky(given: Arrays, macros: Macros) -> Arrays:
    return {"A": np.linalg.cholesky(given["A"]) + np.triu(given["A"], 1)}


def doitgen(given: Arrays, macros: Macros) -> Arrays:
    return {"A": given["A"] @ given["C4"]}


def durbin(given: Arrays, macros: Macros) -> Arrays:
    r, n = given["r"], macros["N"]
    first = np.concatenate([[1.0], r[:-1]])
    toeplitz = first[abs(np.subtract.outer(np.arange(n), np.arange(n)))]
    return {"y": np.linalg.solve(toeplitz, -r)}


def floyd_warshall(given: Arrays, macros: Macros) -> Arrays:
    path = given["path"]
    for _ in range(macros["N"].bit_length()):  # twice as many steps each time
        path = np.minimum(path, (path[:, :, None] + path[None]).min(axis=1))
    return {"path": path}


def nussinov(given: Arrays, macros: Macros) -> Arrays:
    bases, n = given["bases"], macros["N"]
    table = np.zeros((n + 1, n))
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            pair = float(length > 1 and bases[i] + bases[j] == 3)
            split = max(table[i, k] + table[k + 1, j] for k in range(i, j))
            table[i, j] = max(split, table[i + 1, j - 1] + pair)
    return {"table": table[:n]}


def seidel_2d(given: Arrays, macros: Macros) -> Arrays:
    a = given["A"].copy()
    for _ in range(macros["TMAX"]):
        for i, j in np.ndindex(len(a) - 2, len(a) - 2):
            a[i + 1, j + 1] = a[i : i + 3, j : j + 3].mean()
    return {"A": a}


def symm(given: Arrays, macros: Macros) -> Arrays:
    whole = np.tril(given["A"]) + np.tril(given["A"], -1).T
    return {"C": ALPHA * whole @ given["B"] + BETA * given["C"]}


def trisolv(given: Arrays, macros: Macros) -> Arrays:
    return {"x": np.linalg.solve(np.tril(given["L"]), given["b"])}


def trmm(given: Arrays, macros: Macros) -> Arrays:
    unit = np.tril(given["A"], -1) + np.eye(macros["N"])
    return {"B": ALPHA * unit.T @ given["B"]}


CASES: dict[str, tuple[Macros, Callable[[Arrays, Macros], Arrays]]] = {
    "2dconv": ({"N": 33}, convolution_2d),
    "2mm": ({"N": 33}, two_products),
    "2mm_tiled": ({"N": 64}, two_products),
    "3dconv": ({"N": 13}, convolution_3d),
    "3mm": ({"N": 33}, three_products),
    "3mm_tiled": ({"N": 64, "TILE": 16}, three_products),
    "adi": ({"N": 33, "TMAX": 2}, adi),
    "atax": ({"N": 33}, atax),
    "bicg": ({"N": 33}, bicg),
    "cholesky": ({"N": 33}, cholesky),
    "corr": ({"N": 33}, correlation),
    "covar": ({"N": 33}, covariance),
    "dct1d": ({"N": 33}, cosine_transform),
    "deriche": ({"N": 33}, deriche),
    "doitgen": ({"N": 13}, doitgen),
    "durbin": ({"N": 33}, durbin),
    "floyd-warshall": ({"N": 33}, floyd_warshall),
    "heat-3d": ({"N": 13, "TMAX": 3}, to_and_fro(lambda c: c[0] + (sum(c[1:]) - 6 * c[0]) / 8)),
    "jacobi-1d": ({"N": 33, "TMAX": 5}, to_and_fro(lambda c: 0.33333 * sum(c))),
    "jacobi-2d": ({"N": 33, "TMAX": 5}, to_and_fro(lambda c: 0.2 * sum(c))),
    "lu": ({"N": 33}, lu),
    "ludcmp": ({"N": 33}, ludcmp),
    "nussinov": ({"N": 33}, nussinov),
    "seidel-2d": ({"N": 33, "TMAX": 4}, seidel_2d),
    "symm": ({"N": 33}, symm),
    "trisolv": ({"N": 33}, trisolv),
    "trmm": ({"N": 33}, trmm),
    "fdtd-2d": ({"N": 33, "TMAX": 7}, fdtd_2d),
    "gemm": ({"N": 33}, gemm),
    "gemm_tiled": ({"N": 96}, gemm),
    "gemver": ({"N": 33}, gemver),
    "gesummv": ({"N": 33}, gesummv),
    "gramschm": ({"N": 33, "STEPS": 20}, gram_schmidt),
    "mm": ({"N": 33}, product),
    "mvt": ({"N": 33}, mvt),
    "syr2k": ({"N": 33}, syr2k),
    "syr2k_tiled": ({"N": 64}, syr2k),
    "syrk": ({"N": 33}, syrk),
    "syrk_tiled": ({"N": 64}, syrk),
    "syrk_transposed": ({"N": 33}, syrk),
}


@pytest.fixture(scope="module")
def outputs(build: Build, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each program prints, compiled without a warning."""
    folder = tmp_path_factory.mktemp("polybench")

    def run(name: str) -> str:
        macros = [f"-D{macro}={value}" for macro, value in CASES[name][0].items()]
        done = build(KERNELS / f"{name}.c", folder / name, "-DPRINT_RESULTS", *macros)
        assert (done.returncode, done.stderr) == (0, "")
        return subprocess.run(
            [str(folder / name)], check=True, capture_output=True, text=True
        ).stdout

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(CASES, pool.map(run, CASES), strict=True))


def arrays(text: str) -> tuple[Arrays, Arrays, dict[str, float]]:
    inputs: Arrays = {}
    results: Arrays = {}
    checksums: dict[str, float] = {}
    lines = iter(text.splitlines())
    for line in lines:
        kind, name, number = line.split()
        if kind == "checksum":
            checksums[name] = float(number)
        else:
            values = np.array([float(next(lines)) for _ in range(int(number))])
            (inputs if kind == "input" else results)[name] = values
    return inputs, results, checksums


def test_every_program_has_an_oracle() -> None:
    assert sorted(CASES) == sorted(path.stem for path in KERNELS.glob("*.c"))


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_numpy(name: str, outputs: dict[str, str]) -> None:
    macros, expected_of = CASES[name]
    inputs, results, checksums = arrays(outputs[name])
    n = macros["N"]
    shaped = {
        key: value.reshape((n,) * round(np.log(value.size) / np.log(n)))
        if key != "source"
        else value
        for key, value in inputs.items()
    }
    expected = expected_of(shaped, macros)
    assert results.keys() == expected.keys() == checksums.keys()
    for key, value in expected.items():
        scale = np.abs(value).max()
        assert scale > 0
        np.testing.assert_allclose(results[key], value.ravel(), rtol=0, atol=3e-5 * scale)
        weights = 1 + np.arange(value.size) % 7
        assert checksums[key] == pytest.approx(results[key] @ weights, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", sorted(path.stem for path in KERNELS.glob("*.c")))
def test_readme_lists_the_program_with_its_trace_size(name: str) -> None:
    source = (KERNELS / f"{name}.c").read_text()
    rows = [
        line.split("|")
        for line in (KERNELS / "README.md").read_text().splitlines()
        if line.startswith(f"| `{name}.c` |")
    ]
    assert rows
    for row in rows:
        for assignment in row[3].strip().strip("`").split():
            macro, value = assignment.split("=")
            assert f"#ifndef {macro}\n#define {macro} {value}\n" in source


@pytest.mark.parametrize("name", sorted(path.stem for path in KERNELS.glob("*.c")))
def test_the_program_states_the_work_size_of_its_first_row(name: str) -> None:
    row = next(
        line.split("|")
        for line in (KERNELS / "README.md").read_text().splitlines()
        if line.startswith(f"| `{name}.c` |")
    )
    sizes = ", ".join(row[4].strip().strip("`").split())
    assert f"#endif\n#pragma logca work({sizes})\n\n" in (KERNELS / f"{name}.c").read_text()


def test_tiles_must_divide_the_matrix(build: Build, tmp_path: Path) -> None:
    done = build(KERNELS / "gemm_tiled.c", tmp_path / "program", "-DN=33")
    assert done.returncode != 0
    assert "N must be a multiple of TILE" in done.stderr
