"""Times of matrix products on two paths, for a boundary of shapes: NumPy's loops, and its BLAS.

`python -m benchmarks.fit.measured_gemm --seed 1`, with OPENBLAS_NUM_THREADS=1, prints a table with
columns m, n, k, host_s and accelerated_s: products of float64 by `numpy.einsum`, which loops, and
by BLAS after the matrices are brought into its order and precision, single, as a library that
offloads has to move them. With `--fit FIT.json` it prints instead how often the fit decides as
these times do, away from the boundary.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator

import numpy as np

from logca.numeric.shapes.fit import ShapeFit

LEAST, MOST = 2, 256  # of m, n and k
RUNS = 5
LEAST_SECONDS = 2e-3  # of a run, in which products are repeated
AWAY = 0.1  # from one, of a speedup that is to be told


def on_host(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product by loops."""
    return np.einsum("ik,kj->ij", a, b)


def offloaded(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product in single precision, with matrices of its own that are copied there and back."""
    left, right = (np.asfortranarray(each, dtype=np.float32) for each in (a, b))
    return np.ascontiguousarray(left @ right, dtype=np.float64)


def seconds(product: Callable[..., np.ndarray], a: np.ndarray, b: np.ndarray) -> float:
    """Processor time of one product, from as many as make a run long enough [s]."""
    product(a, b)
    calls = 1
    while True:
        begun = time.process_time()
        for _ in range(calls):
            product(a, b)
        found = time.process_time() - begun
        if found >= LEAST_SECONDS:
            return found / calls
        calls = max(2 * calls, int(calls * LEAST_SECONDS / max(found, 1e-9)))


def rows(shapes: int, draw: np.random.Generator) -> Iterator[tuple[int, int, int, float, float]]:
    """Shapes and times of both paths, some runs of each, in turn."""
    ends = np.log([LEAST, MOST])
    for m, n, k in np.exp(draw.uniform(*ends, (shapes, 3))).round().astype(int).tolist():
        a, b = draw.standard_normal((m, k)), draw.standard_normal((k, n))
        for _ in range(RUNS):
            yield m, n, k, seconds(on_host, a, b), seconds(offloaded, a, b)


def main() -> None:
    """Print a table, or how often a fit is right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shapes", type=int, default=40)
    options.add_argument("--fit")
    chosen = options.parse_args()
    found = list(rows(chosen.shapes, np.random.default_rng(chosen.seed)))
    if chosen.fit is None:
        print("m,n,k,host_s,accelerated_s")
        for m, n, k, host, other in found:
            print(f"{m},{n},{k},{host:.4g},{other:.4g}")
        return
    table = np.array(found).reshape(-1, RUNS, 5)
    shapes, times = table[:, 0, :3], np.median(table[:, :, 3:], axis=1)
    speedup = times[:, 0] / times[:, 1]
    away = np.abs(np.log(speedup)) > np.log1p(AWAY)
    pays = ShapeFit.load(chosen.fit).pays(**dict(zip("mnk", shapes.T, strict=True)))
    right = int((pays == (speedup > 1))[away].sum())
    print(f"right at {right} of {int(away.sum())} shapes whose speedup is {AWAY:.0%} from one")


if __name__ == "__main__":
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        raise SystemExit("set OPENBLAS_NUM_THREADS=1: processor time is that of one thread")
    main()
