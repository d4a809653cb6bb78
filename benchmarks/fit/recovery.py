"""Does the fit recover what is known? Coverage, errors and false claims on synthetic timings.

Devices are drawn from a seed; their timings follow the exact model with log-normal noise, and two
in a hundred take ten times as long. More devices are drawn that have no break-even at all. Run as
`python -m benchmarks.fit.recovery --seed 1`; `--write` writes docs/fit-recovery.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.fit.fit import Fit, FitError, fit
from logca.numeric.generated.speedup import T0, T1
from logca.numeric.roots.granularity import granularity_for
from logca.numeric.timings.timings import Timings

TABLE = Path(__file__).parents[2] / "docs" / "fit-recovery.md"
LEAST, MOST = 16.0, 32.0 * 2**20
SPIKES, SLOWER = 0.02, 10.0
LEVEL = 0.95
DOUBT = (1 - LEVEL) / 2
HEADINGS = (
    *(
        "sizes",
        "runs",
        "noise",
        "devices with g1",
        "covered %",
        "below g1 %",
        "above g1 %",
        "g1 denied %",
    ),
    *("not told whether there is one %", "median error / noise"),
    *("devices without g1", "false claims %", "median processor time of a fit s", "longest s"),
)

Device = dict[str, Any]


class Design(NamedTuple):
    """Where and how often is measured."""

    sizes: int = 25  # number of sizes [1]
    repeats: int = 5  # runs at each [1]

    @property
    def granularity(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The sizes [B]."""
        return np.geomspace(LEAST, MOST, self.sizes)

    @property
    def spikes(self) -> float:
        """Share of times that take longer: none of single runs, which nothing tells apart [1]."""
        return SPIKES if self.repeats > 1 else 0.0


DESIGNS = (Design(), Design(4, 1), Design(5, 1), Design(6, 1))
"""Many sizes and runs, and as few as people have."""


class Outcome(NamedTuple):
    """What was fitted to the timings of a device, and what is true."""

    truth: float
    found: float
    lower: float
    upper: float
    none: float
    seconds: float
    device: Device

    @property
    def exists(self) -> bool:
        """Whether the device has a break-even below 1 EiB."""
        return bool(self.truth < np.inf)

    @property
    def covered(self) -> bool:
        """Whether the interval has the break-even in it."""
        return self.lower <= self.truth <= self.upper

    @property
    def error(self) -> float:
        """Of the logarithm of the break-even."""
        return float(abs(np.log(self.found / self.truth)))


def drawn(rng: np.random.Generator) -> Device:
    """A device; break-evens lie from below the least size to beyond the largest, or nowhere."""
    beta = float(rng.choice([rng.uniform(0.3, 1.0), 1.0, rng.uniform(1.0, 1.8)]))
    C = 10 ** rng.uniform(-9.5, -7) * 1000 ** (1 - beta)
    A = 10 ** rng.uniform(-0.3, 1.8)
    latency = str(rng.choice(["constant", "linear"]))
    where = np.exp(rng.uniform(np.log(LEAST) - 1, np.log(MOST) + 1))
    paid = float(T0(where, C=C, beta=beta)) * max(1 - 1 / A, 0.3)
    share = rng.uniform(0, 1)
    L = paid * share
    if latency == "linear":
        L *= 10 ** rng.uniform(-3, 1) / where
    return {"o": paid * (1 - share), "L": L, "C": C, "A": A, "beta": beta, "latency": latency}


def break_even(device: Device) -> float:
    """Where it begins to pay; infinite if that is nowhere below 1 EiB."""
    found = float(granularity_for(1.0, **device).lower)
    return found if found < 2.0**60 else np.inf


def timings_of(device: Device, rng: np.random.Generator, noise: float, design: Design) -> Timings:
    """Noisy times of a device."""
    sizes = design.granularity

    def noisy(times: Any) -> list[Any]:
        shape = (design.sizes, design.repeats)
        factor = np.where(rng.random(shape) < design.spikes, SLOWER, 1.0)
        return list(times[:, None] * factor * np.exp(noise * rng.standard_normal(shape)))

    host = noisy(T0(sizes, C=device["C"], beta=device["beta"]))
    return Timings(granularity=sizes, host=host, accelerated=noisy(T1(sizes, **device)))


def run(seed: Sequence[int], noise: float, design: Design, *, without: bool = False) -> Outcome:
    """Draw a device, one without a break-even if that is wanted, time it, fit it."""
    rng = np.random.default_rng([*seed, without])  # the same devices at every level of noise
    device = drawn(rng)
    while without and break_even(device) < np.inf:
        device = drawn(rng)
    rng = np.random.default_rng([*seed, without, round(1e6 * noise)])
    timings = timings_of(device, rng, noise, design)
    start = time.process_time()
    fitted = fit(timings, level=LEVEL)
    seconds = time.process_time() - start
    interval = fitted.interval("g1")
    return Outcome(break_even(device), _most_likely(fitted), *interval, seconds, device)


def _most_likely(fitted: Fit) -> float:
    try:
        found = fitted.accelerator.break_even()
    except FitError:
        return np.inf
    return float(found[0]) if found else np.inf


def row(design: Design, noise: float, outcomes: Sequence[Outcome]) -> list[str]:
    """Cells of the table for a design at a level of noise."""
    there = [each for each in outcomes if each.exists]
    absent = [each for each in outcomes if not each.exists]

    def percent(chosen: Sequence[bool]) -> str:
        return f"{100 * np.mean(chosen):.1f}"

    seconds = [each.seconds for each in outcomes]
    return [
        str(design.sizes),
        str(design.repeats),
        f"{noise:.0%}",
        str(len(there)),
        percent([each.covered for each in there]),
        percent([each.upper < each.truth for each in there]),
        percent([each.lower > each.truth for each in there]),
        percent([bool(np.isnan(each.lower)) for each in there]),
        percent([DOUBT < each.none < 1 - DOUBT for each in there]),
        f"{np.median([each.error for each in there]) / noise:.2f}",
        str(len(absent)),
        f"{percent([each.none <= DOUBT for each in absent])} "
        f"({sum(each.none <= DOUBT for each in absent)})",
        f"{np.median(seconds):.2f}",
        f"{max(seconds):.2f}",
    ]


def table(rows: Sequence[Sequence[str]], seed: int) -> str:
    """A table in Markdown, and what it says."""
    lines = [HEADINGS, [":--", *["--:"] * (len(HEADINGS) - 1)], *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return (
        f"# How well a fit recovers what is known\n\nSeed {seed}: sizes from 16 B to 32 MiB, host "
        "and accelerator timed at each, log-normal noise; where runs are repeated "
        f"{SPIKES:.0%} of the times are {SLOWER:.0f}-fold. Intervals of {LEVEL:.0%}. Done again "
        "by `make recovery`.\n\n"
        f"{text}\n\n"
        "A device has no g1 if it does not break even below 1 EiB; a false claim is one of which "
        f"the fit says that it does, with more than {1 - DOUBT:.1%} confidence.\n"
    )


def main() -> None:
    """Print or write the table, a row for each design and level of noise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=20261122, help="of the devices")
    parser.add_argument("--devices", type=int, default=640, help="of each row")
    parser.add_argument("--without", type=int, default=300, help="more that have no g1")
    parser.add_argument("--sizes", type=int, help="from 16 B to 32 MiB, in place of all designs")
    parser.add_argument("--repeats", type=int, default=5, help="runs at each of these sizes")
    parser.add_argument("--noise", type=float, nargs="*", default=[0.01, 0.05, 0.2])
    parser.add_argument("--jobs", type=int, default=1, help="fits at a time")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    parser.add_argument("--misses", action="store_true", help="name what went wrong, on stderr")
    given = parser.parse_args()
    designs = [Design(given.sizes, given.repeats)] if given.sizes else DESIGNS
    rows = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for design, noise in product(designs, given.noise):
            outcomes: list[Outcome] = []
            for without, count in ((False, given.devices), (True, given.without)):
                seeds = [(given.seed, number) for number in range(count)]
                task = partial(run, noise=noise, design=design, without=without)
                outcomes += pool.map(task, seeds, chunksize=5)
            rows.append(row(design, noise, outcomes))
            print(" | ".join(rows[-1]), file=sys.stderr)
            for each in outcomes if given.misses else ():
                if each.exists != (each.none <= DOUBT) or (each.exists and not each.covered):
                    print(each, file=sys.stderr)
    text = table(rows, given.seed)
    if given.write:
        TABLE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
