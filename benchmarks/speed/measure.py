"""How fast: ratios against named rivals, measured in the same run on the same arrays.

`make bench` prints them; --write puts them into table.md beside this file. Everything but the last
line runs on one core. Times are the least of several runs, rivals and ours in turn.
"""

import argparse
import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import least_times, machine
from logca import numeric
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.roots.granularity import granularity_for

POINTS = 10_000_000
ROOTS = 1_000_000
AXIS = 24
LOOPED = 20_000
RUNS = 9
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One comparison."""

    # task, rival: what is done, and by whom else
    task: str
    rival: str
    # ours, theirs: time of each [s]
    ours: float
    theirs: float
    wanted: float  # the ratio of their time to ours that is wanted [1]

    @property
    def ratio(self) -> float:
        """How many times faster ours is [1]."""
        return self.theirs / self.ours


def parameters(n: int, seed: int = 0) -> dict[str, Any]:
    """Parameters and granularities of n points [B], [cycles] and so on."""
    rng = np.random.default_rng(seed)

    def over(low: float, high: float) -> Any:
        return 10 ** rng.uniform(low, high, n)

    return {
        "g": over(0, 10),
        "o": over(0, 6),
        "L": over(0, 6),
        "C": over(-1, 3),
        "A": 1 + over(-1, 3),
        "beta": rng.uniform(0.1, 2, n),
    }


def naive(g: Any, o: Any, L: Any, C: Any, A: Any, beta: Any) -> Any:
    """The one-liner that people write [1]."""
    return C * g**beta / (o + L + C * g**beta / A)


def compiled_loops(folder: Path) -> dict[str, Callable[..., Any]]:
    """The C loop, compiled without and with vector mathematics; empty without gcc."""
    if shutil.which("gcc") is None:
        return {}
    loops = {}
    for flags in ("-O3 -march=native", "-Ofast -march=native"):
        library = folder / f"{flags.split()[0][1:]}.so"
        command = ["gcc", *flags.split(), "-shared", "-fPIC", str(HERE / "rivals.c")]
        subprocess.run([*command, "-o", str(library), "-lm"], check=True)
        loops[flags] = _loop(ctypes.CDLL(str(library)).speedup)
    return loops


def _loop(function: Any) -> Callable[..., Any]:
    def call(*arrays: Any) -> Any:
        result = np.empty(arrays[0].shape)
        pointers = [ctypes.c_void_p(each.ctypes.data) for each in (*arrays, result)]
        function(ctypes.c_size_t(result.size), *pointers)
        return result

    return call


def all_vary(cores: set[int]) -> list[Result]:
    """(a) All six parameters vary, and (d) the same on two cores."""
    given = parameters(POINTS)
    arrays = tuple(given.values())

    def ours(workers: int = 1) -> Any:
        return evaluate("speedup", **given, workers=workers)

    task = f"speedup, {POINTS:.0e} points, all six parameters vary"
    with tempfile.TemporaryDirectory() as folder:
        loops = compiled_loops(Path(folder))
        assert all(np.allclose(loop(*arrays), ours(), rtol=1e-13) for loop in loops.values())
        rivals: list[Callable[[], Any]] = [lambda: naive(*arrays)]
        rivals += [partial(loop, *arrays) for loop in loops.values()]
        mine, *theirs = least_times(ours, *rivals, runs=RUNS)
    wanted = {"NumPy one-liner": 1.4} | dict(zip(loops, (2.5, 1 / 1.25), strict=False))
    results = [
        Result(task=task, rival=rival, ours=mine, theirs=other, wanted=ratio)
        for (rival, ratio), other in zip(wanted.items(), theirs, strict=True)
    ]
    if len(cores) > 1:
        one_core = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(cores)[:2])
        one, two = least_times(ours, lambda: ours(2), runs=3 * RUNS)
        os.sched_setaffinity(0, one_core)
        results.append(
            Result(task=f"{task}, two cores", rival="one core", ours=two, theirs=one, wanted=1.6)
        )
    return results


def grid() -> list[Result]:
    """(b) A grid of five parameters, the exponent fixed."""
    ends = {"g": (16, 1e9), "o": (10, 1e6), "L": (1, 1e4), "C": (1, 300), "A": (2, 300)}
    axes = {
        name: np.geomspace(*limits, AXIS).reshape([-1 if at == place else 1 for at in range(5)])
        for place, (name, limits) in enumerate(ends.items())
    }

    def compiled() -> Any:
        return evaluate("speedup", **axes, beta=1.2, engine="compiled")

    def blocks() -> Any:
        return evaluate("speedup", **axes, beta=1.2)

    def rival() -> Any:
        return naive(*axes.values(), 1.2)

    start = time.perf_counter()
    first = compiled()
    print(f"compiling the grid's loop took {time.perf_counter() - start:.2f} s", flush=True)
    assert np.allclose(first, rival(), rtol=1e-13)
    fused, mine, other = least_times(compiled, blocks, rival, runs=3 * RUNS)
    task = f"speedup, grid of {AXIS}**5 = {AXIS**5:.1e} points"
    broadcast = "NumPy one-liner, broadcast"
    return [
        Result(task=f"{task}, compiled", rival=broadcast, ours=fused, theirs=other, wanted=3),
        Result(task=f"{task}, NumPy in blocks", rival=broadcast, ours=mine, theirs=other, wanted=1),
    ]


def exact_roots() -> list[Result]:
    """(c) Break-even granularities under linear latency."""
    from scipy.optimize import brentq
    from scipy.optimize.elementwise import find_root

    rng = np.random.default_rng(1)
    n = ROOTS
    given = {
        "o": 10 ** rng.uniform(2, 8, n),
        "L": 10 ** rng.uniform(-2, 3, n),
        "C": 10 ** rng.uniform(0, 3, n),
        "A": 1 + 10 ** rng.uniform(0, 3, n),
        "beta": rng.uniform(1.05, 2, n),
    }
    low = numeric.root_floor(1, **given) * 0.99
    high = numeric.root_ceiling(1, **given) * 1.01

    def above(g: Any, o: Any, L: Any, C: Any, A: Any, beta: Any) -> Any:
        return C * g**beta / (o + L * g + C * g**beta / A) - 1

    def ours() -> Any:
        return granularity_for(1.0, **given, latency="linear")

    def elementwise() -> Any:
        return find_root(above, (low, high), args=tuple(given.values()))

    def loop() -> Any:
        rows = zip(low, high, *given.values(), strict=True)
        return [
            brentq(above, a, b, args=tuple(args), xtol=1e-300, rtol=4 * np.finfo(float).eps)
            for (a, b, *args), _ in zip(rows, range(LOOPED), strict=False)
        ]

    exact = ours().lower
    assert np.allclose(loop(), exact[:LOOPED], rtol=1e-9)
    (mine,) = least_times(ours, runs=RUNS)
    (vectorised,) = least_times(elementwise, runs=3)
    (looped,) = least_times(loop, runs=3)
    task = f"{n:.0e} break-even granularities, linear latency"
    return [
        Result(task=task, rival="SciPy's find_root", ours=mine, theirs=vectorised, wanted=20),
        Result(
            task=task, rival="loop over brentq", ours=mine, theirs=looped * n / LOOPED, wanted=300
        ),
    ]


def table(results: list[Result]) -> str:
    """The results as Markdown."""
    lines = [
        "# Speed",
        "",
        f"Measured by `make bench` on {machine()}.",
        "",
        "| task | rival | ours [ms] | theirs [ms] | ratio | wanted |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for each in results:
        lines.append(
            f"| {each.task} | {each.rival} | {each.ours * 1e3:.1f} | {each.theirs * 1e3:.1f} "
            f"| {each.ratio:.2f} | {each.wanted:.2f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and say by the exit code whether all wanted ratios were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write table.md")
    options = parser.parse_args()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    results = [*grid(), *exact_roots(), *all_vary(cores)]
    text = table(results)
    print(text)
    if options.write:
        (HERE / "table.md").write_text(text, encoding="utf-8")
    missed = [each for each in results if each.ratio < each.wanted]
    for each in missed:
        print(f"below what is wanted: {each.task} against {each.rival}")
    raise SystemExit(bool(missed))


if __name__ == "__main__":
    main()
