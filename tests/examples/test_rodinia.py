"""Programs of examples/rodinia: what they print, and which of their marked loops become threads."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from logca.common.limits import Limits
from logca.gpu.loops.detection import detected
from logca.gpu.program.running import Sources
from logca.gpu.program.running import counted as counts
from logca.gpu.program.workload import workload

pytest.importorskip("numba")

Array = NDArray[np.float64]

PROGRAMS = Path(__file__).parents[2] / "examples" / "rodinia"


def neighbours(image: Array) -> tuple[Array, Array, Array, Array]:
    """The cells to the north, south, west and east, the own one at the edge."""
    padded = np.pad(image, 1, mode="edge")
    return padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]


def hotspot() -> list[float]:
    i = np.arange(64 * 64).reshape(64, 64)
    now, power = 80.0 + i % 7, 0.1 * (i * 37 % 11)
    for _ in range(4):
        north, south, west, east = neighbours(now)
        around = 0.1 * (north + south + west + east - 4 * now)
        now = now + 0.5 * (power + around + 0.02 * (80 - now))
    return [now.sum()]


def bfs() -> list[float]:
    n, edges, random, targets = 2048, 6, 7, []
    for _ in range(n * edges):
        random = (1664525 * random + 1013904223) % 2**32
        targets.append((random >> 8) % n)
    graph = csr_array((np.ones(n * edges), (np.repeat(np.arange(n), edges), targets)), shape=(n, n))
    away = shortest_path(graph, unweighted=True, indices=0)
    reached = away[np.isfinite(away)]
    return [1 + reached.max(), reached.sum() - (n - len(reached))]


def nn() -> list[float]:
    i = np.arange(2048)
    down, along = i * 7919 % 900 / 10 - 30, i * 104729 % 3600 / 10 - 90
    distance = np.hypot(down, along)
    return list(np.sort(distance)[:5])


def srad() -> list[float]:
    image = np.exp((np.arange(64 * 64) * 31 % 101) / 255).reshape(64, 64)
    for _ in range(2):
        part = image[:32, :32]
        q0 = part.var() / part.mean() ** 2
        north, south, west, east = (each - image for each in neighbours(image))
        g2 = (north**2 + south**2 + west**2 + east**2) / image**2
        laplacian = (north + south + west + east) / image
        q = (g2 / 2 - laplacian**2 / 16) / (1 + laplacian / 4) ** 2
        c = np.clip(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0, 1)
        _, below, _, right = neighbours(c)
        image = image + 0.125 * (c * north + below * south + c * west + right * east)
    return [image.sum()]


def nw() -> list[float]:
    n, i = 128, np.arange(129)
    one, other = i * 7 % 11, i * 5 % 13
    likeness = (one[:, None] + other) % 4 - 3
    likeness[one[:, None] == other] = 5
    row = [-10 * j for j in range(n + 1)]
    for k in range(1, n + 1):
        above, row = row, [-10 * k]
        for j in range(1, n + 1):
            row.append(max(above[j - 1] + int(likeness[k, j]), row[-1] - 10, above[j] - 10))
    return [row[-1]]


def lavamd() -> list[float]:
    i = np.arange(27 * 24)
    v, x, y, z = ((i * factor % 10 + 1) / 10 for factor in (13, 7, 3, 17))
    charge = (i * 11 % 10 + 1) / 10
    places = np.stack(np.unravel_index(i // 24, (3, 3, 3)))
    near = (abs(places[:, :, None] - places[:, None]) <= 1).all(axis=0)
    dot = np.outer(x, x) + np.outer(y, y) + np.outer(z, z)
    # u2 is the square of the distance, times 2 alpha^2
    return [(near * charge * np.exp(-0.5 * (v[:, None] + v - dot))).sum()]


def backprop() -> list[float]:
    def matrix(rows: int, columns: int, scale: float) -> Array:
        i, j = np.indices((rows + 1, columns + 1))
        return scale * ((i * 5 + j * 3) % 17 - 8)

    def squash(given: Array) -> Array:
        return 1 / (1 + np.exp(-given))

    n, hidden = 1024, 16
    first, second = matrix(n, hidden, 0.002), matrix(hidden, 1, 0.1)
    values = np.append(1.0, np.arange(1, n + 1) * 7 % 13 / 13)
    inner = np.append(1.0, squash(values @ first)[1:])
    output = squash(inner @ second)[1]
    delta = output * (1 - output) * (0.1 - output)
    back = inner * (1 - inner) * second[:, 1] * delta
    first[:, 1:] += 0.3 * np.outer(values, back[1:])
    i, j = np.indices(first.shape)
    return [output, (first * ((i + j) % 3))[:, 1:].sum()]


PRINTED: dict[str, Any] = {
    each.__name__: each for each in (hotspot, bfs, nn, srad, nw, lavamd, backprop)
}


def marks(source: Path, directive: str) -> list[int]:
    """The lines of the loops that a directive stands before."""
    lines = source.read_text().split("\n")
    found = []
    for number, line in enumerate(lines):
        if line.strip().startswith(f"#pragma {directive}"):
            while "for (" not in lines[number] or "#pragma" in lines[number]:
                number += 1
            found.append(number + 1)
    return found


@pytest.mark.parametrize("source", sorted(PROGRAMS.glob("*.c")), ids=lambda path: path.stem)
def test_programs_as_shipped(source: Path) -> None:
    sources = Sources(
        paths=(source,),
        defines={},
        includes=(),
        flags=(),
        arguments=(),
        stdin=b"",
        limits=Limits(time_s=20),
    )
    program = sources.executable({})
    ran = program.run()
    assert ran.status == 0
    text = re.sub(r"storm\d+", "", ran.stdout.decode())
    if source.stem in PRINTED:
        expected = PRINTED[source.stem]()
        assert [float(word) for word in text.split()] == pytest.approx(expected, rel=1e-3, abs=1e-4)
    else:
        assert text == "right\n"
    chosen = detected(workload(counts(program), sources.executable, {}, {}))
    static = chosen.workload.static
    threads = {static.loops[loop].line for nest in chosen.nests for loop in nest.loops}
    assert {static.loops[nest.loop].line for nest in chosen.nests} == set(
        marks(source, "omp parallel")
    )
    for line in set(marks(source, "omp simd")) - threads:
        assert any(re.search(rf"not threads: .*\b{line}\b", note) for note in chosen.notes)
    assert not any("despite" in note for note in chosen.notes)
