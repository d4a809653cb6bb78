"""Does the fit recover what is known? Coverage, errors and false claims on synthetic timings.

Devices are drawn from a seed; their timings follow the exact model with log-normal noise, and two
in a hundred take ten times as long. Run as `python -m benchmarks.fit.recovery --seed 1`.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.fitting.derived import granularity_interval, log_granularity
from logca.numeric.fitting.estimate import estimate
from logca.numeric.fitting.timings import Timings
from logca.numeric.generated.speedup import T0, T1
from logca.numeric.roots import granularity_for

SIZES = np.logspace(np.log2(16), np.log2(32 * 2**20), 25, base=2)
REPEATS, SPIKES, SLOWER = 5, 0.02, 10.0
LEVEL = 0.95


class Outcome(NamedTuple):
    """What was fitted to the timings of a device, and what is true."""

    truth: float
    found: float
    lower: float
    upper: float
    none: float
    seconds: float
    device: dict[str, Any]


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """A device; break-evens lie from below the least size to beyond the largest, or nowhere."""
    beta = rng.choice([rng.uniform(0.3, 1.0), 1.0, rng.uniform(1.0, 1.8)])
    C = 10 ** rng.uniform(-9.5, -7) * 1000 ** (1 - beta)
    A = 10 ** rng.uniform(-0.3, 1.8)
    latency = rng.choice(["constant", "linear"])
    where = np.exp(rng.uniform(np.log(SIZES[0]) - 1, np.log(SIZES[-1]) + 1))
    paid = C * where**beta * max(1 - 1 / A, 0.3)
    share = rng.uniform(0, 1)
    if latency == "constant":
        o, L = paid * (1 - share), paid * share
    else:
        o, L = paid * (1 - share), paid * share / where * 10 ** rng.uniform(-3, 1)
    numbers = {"o": o, "L": L, "C": C, "A": A, "beta": beta}
    return {**{name: float(each) for name, each in numbers.items()}, "latency": str(latency)}


def run(seed: tuple[int, int], noise: float) -> Outcome:
    """Draw a device, time it, fit it."""
    rng = np.random.default_rng(seed)  # the same devices at every level of noise
    device = draw(rng)
    rng = np.random.default_rng([*seed, round(1e6 * noise)])
    host = T0(SIZES, C=device["C"], beta=device["beta"])
    other = T1(SIZES, **device)

    def noisy(times: Any) -> list[Any]:
        shape = (SIZES.size, REPEATS)
        factor = np.where(rng.random(shape) < SPIKES, SLOWER, 1.0)
        return list(times[:, None] * factor * np.exp(noise * rng.standard_normal(shape)))

    timings = Timings(granularity=SIZES, host=noisy(host), accelerated=noisy(other))
    start = time.perf_counter()
    fitted = estimate(timings, "linear")
    found = granularity_interval(fitted, "g1", LEVEL)
    seconds = time.perf_counter() - start
    at = np.exp(log_granularity(fitted.best.curve, "g1") + fitted.data.log_size)
    truth = float(granularity_for(1.0, **device).lower)
    if not truth < 2.0**60:
        truth = np.nan
    return Outcome(truth, float(at), *found, seconds, device)


def main() -> None:
    """Print a line for each level of noise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--devices", type=int, default=500)
    parser.add_argument("--noise", type=float, nargs="*", default=[0.01, 0.05, 0.2])
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    seeds = [(options.seed, number) for number in range(options.devices)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for noise in options.noise:
            results = list(pool.map(partial(run, noise=noise), seeds, chunksize=5))
            there = [r for r in results if np.isfinite(r.truth)]
            absent = [r for r in results if not np.isfinite(r.truth)]
            low = sum(r.lower > r.truth for r in there)
            high = sum(r.upper < r.truth for r in there)
            lost = sum(not r.lower <= np.inf for r in there)
            error = [abs(np.log(r.found / r.truth)) if r.found > 0 else np.inf for r in there]
            false = sum(r.none <= (1 - LEVEL) / 2 and np.isfinite(r.upper) for r in absent)
            closed = sum(np.isfinite(r.upper) and r.none <= 0.025 for r in there)
            wrong = sum(r.none >= 0.975 for r in there)
            covered = len(there) - low - high - lost
            print(
                f"noise {noise:g}: {len(there)} with g1, covered {covered / len(there):.3f} "
                f"(low {high}, high {low}, empty {lost}), median error {np.median(error):.4f} "
                f"= {np.median(error) / noise:.2f} noise, confident {closed}, denied {wrong}; "
                f"{len(absent)} without, false {false}; "
                f"seconds {np.median([r.seconds for r in results]):.2f} "
                f"to {max(r.seconds for r in results):.2f}",
                flush=True,
            )
            if options.misses:
                for r in there:
                    if not r.lower <= r.truth <= r.upper:
                        print("  miss", r)
                for r in absent:
                    if r.none <= 0.025:
                        print("  false", r)


if __name__ == "__main__":
    main()
