"""Do fits hold where times are no single power law? Steps, two crossings, two modes of the times.

Devices are those of `benchmarks.fit.recovery`, from a seed, and truth is what their times are
without noise. Run as `python -m benchmarks.fit.shapes --seed 1`; `--write` writes
docs/fit-shapes.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.fit.recovery import DOUBT, LEAST, MOST, Design, Device, drawn
from logca.numeric.fit.fit import fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, PAYS
from logca.numeric.generated.speedup import T0, T1
from logca.numeric.timings.timings import Timings

TABLE = Path(__file__).parents[2] / "docs" / "fit-shapes.md"
SHAPES = {
    "smooth": "no break: what is found is a false alarm",
    "step": "from a size in the middle third on, the times of one path are doubled or halved",
    "two crossings": "from a size at which it pays on, the host takes a twentieth of what is equal",
    "two modes": "three runs in ten of both paths take half as long again",
    "even modes": "44 runs in a hundred do, so that often more than half of those timed do",
}
HEADINGS = (
    *("shape", "noise", "devices with g1", "break found %", "g1 covered %", "either %"),
    *("decisions right %", "sure and wrong %", "false claims", "median time of a fit s"),
)
FINE = np.exp(np.linspace(np.log(2.0**-10), np.log(2.0**59), 40_001))
ASKED = 50  # random sizes at which decisions are asked for
NEAR = 0.1  # of the logarithm of the speedup: such sizes are not asked for
SLOWER, SHARES = 1.5, {"two modes": 0.3, "even modes": 0.44}


class Times(NamedTuple):
    """Times of a device, with a step in one path."""

    device: Device
    path: int  # 0 the host, 1 accelerated
    place: float  # from which size on [B]
    factor: float  # times over those without a step [1]

    def of(self, path: int, g: Any) -> Any:
        """Times of a path [s]."""
        device = self.device
        time = T1(g, **device) if path else T0(g, C=device["C"], beta=device["beta"])
        return time * np.where((g > self.place) & (path == self.path), self.factor, 1.0)

    def speedup(self, g: Any) -> Any:
        """Speedup at sizes [1]."""
        return self.of(0, g) / self.of(1, g)


class Outcome(NamedTuple):
    """What is true of a device, and what was found."""

    truth: float  # its break-even, infinite if there is none [B]
    found: bool  # whether the break was found, where it is and in the right path
    covered: bool
    claimed: bool  # whether a break-even is claimed
    right: float  # share of decisions [1]
    surely_wrong: float  # share of decisions that are called sure, and are wrong [1]
    seconds: float


def shaped(shape: str, rng: np.random.Generator) -> Times:
    """A device with such times."""
    device = drawn(rng)
    middle = np.exp(rng.uniform(*(np.log(LEAST) + np.log(MOST / LEAST) * np.array([1, 2]) / 3)))
    path, factor = int(rng.integers(2)), float(rng.choice([2.0, 0.5]))
    if shape == "step":
        return Times(device, path, middle, factor)
    if shape == "two crossings":
        while True:
            bare = Times(device, 0, np.inf, 1.0)
            if bare.speedup(LEAST) < 1 < 0.8 * bare.speedup(middle):
                return Times(device, 0, middle, 0.05 / float(bare.speedup(middle)))
            device = drawn(rng)
    return Times(device, 0, np.inf, 1.0)


def run(seed: Sequence[int], shape: str, noise: float, design: Design) -> Outcome:
    """Draw a device, time it, fit it, ask it."""
    rng = np.random.default_rng([*seed, 7])
    times = shaped(shape, rng)
    pays = times.speedup(FINE) > 1
    truth = float(FINE[np.argmax(pays)]) if pays.any() else np.inf
    rng = np.random.default_rng([*seed, round(1e6 * noise)])

    def noisy(path: int) -> list[Any]:
        cells = (design.sizes, design.repeats)
        slower = np.where(rng.random(cells) < SHARES.get(shape, 0.0), SLOWER, 1.0)
        exact = times.of(path, design.granularity)
        return list(exact[:, None] * slower * np.exp(noise * rng.standard_normal(cells)))

    timings = Timings(granularity=design.granularity, host=noisy(0), accelerated=noisy(1))
    start = time.process_time()
    fitted = fit(timings)
    seconds = time.process_time() - start
    step = np.nextafter(FINE[1] / FINE[0], 2)  # truth is known as well as the grid is fine
    lower, upper, none = fitted.interval("g1")
    sizes = np.exp(rng.uniform(np.log(LEAST), np.log(MOST), ASKED))
    speedup = times.speedup(sizes)
    clear = np.abs(np.log(speedup)) > NEAR
    ranges = thresholds(fitted)
    right, wrong = [], []
    for size, wins in zip(sizes[clear].tolist(), speedup[clear] > 1, strict=True):
        right.append(ranges.pays(size) == wins)
        certainty = ranges.certainty(size)
        wrong.append(certainty != CANNOT_BE_TOLD and (certainty == PAYS) != wins)
    return Outcome(
        truth=truth,
        found=any(
            each.kind == "step"
            and (each.path == "accelerated") == bool(times.path)
            and each.lower / step <= times.place <= each.upper * step
            for each in fitted.breaks
        )
        or (shape == "smooth" and bool(fitted.breaks)),
        covered=lower / step <= truth <= upper * step,
        claimed=none <= DOUBT,
        right=float(np.mean(right)) if right else 1.0,
        surely_wrong=float(np.mean(wrong)) if wrong else 0.0,
        seconds=seconds,
    )


def row(shape: str, noise: float, outcomes: Sequence[Outcome]) -> list[str]:
    """Cells of the table."""
    there = [each for each in outcomes if each.truth < np.inf]
    absent = [each for each in outcomes if each.truth == np.inf]

    def percent(values: Sequence[float | bool]) -> str:
        return f"{100 * np.mean(values):.1f}"

    return [
        shape,
        f"{noise:.0%}",
        str(len(there)),
        percent([each.found for each in outcomes]),
        percent([each.covered for each in there]),
        percent([each.covered or each.found for each in there]),
        percent([each.right for each in outcomes]),
        f"{100 * np.mean([each.surely_wrong for each in outcomes]):.2f}",
        f"{sum(each.claimed for each in absent)} of {len(absent)}",
        f"{np.median([each.seconds for each in outcomes]):.2f}",
    ]


def table(rows: Sequence[Sequence[str]], seed: int, devices: int, design: Design) -> str:
    """A table in Markdown, and what it says."""
    lines = [HEADINGS, [":--", *["--:"] * (len(HEADINGS) - 1)], *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    shapes = "\n".join(f"- **{name}**: {what}." for name, what in SHAPES.items())
    return (
        f"# Where times are no power law\n\nSeed {seed}, {devices} devices a row: {design.sizes} "
        f"sizes from 16 B to 32 MiB, {design.repeats} runs at each on host and accelerator, "
        "log-normal noise; intervals of 95 %. Done again by `make recovery`.\n\n"
        f"{shapes}\n\n{text}\n\n"
        f"Decisions are those of {ASKED} random sizes a device, without those where both paths "
        f"differ by less than {NEAR:.0%}. With two crossings, g1 is the first.\n"
    )


def main() -> None:
    """Print or write the table, a row for each shape and level of noise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=20261123, help="of the devices")
    parser.add_argument("--devices", type=int, default=500, help="of each shape and noise")
    parser.add_argument("--sizes", type=int, default=25, help="from 16 B to 32 MiB")
    parser.add_argument("--repeats", type=int, default=5, help="runs at each size")
    parser.add_argument("--shape", nargs="*", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--noise", type=float, nargs="*", default=[0.01, 0.05])
    parser.add_argument("--jobs", type=int, default=1, help="fits at a time")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    given = parser.parse_args()
    design, rows = Design(given.sizes, given.repeats), []
    with ProcessPoolExecutor(given.jobs) as pool:
        for shape in given.shape:
            for noise in given.noise:
                task = partial(run, shape=shape, noise=noise, design=design)
                seeds = [(given.seed, number) for number in range(given.devices)]
                rows.append(row(shape, noise, list(pool.map(task, seeds, chunksize=5))))
                print(" | ".join(rows[-1]), file=sys.stderr)
    text = table(rows, given.seed, given.devices, design)
    if given.write:
        TABLE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
