"""Does a fit of shapes recover the boundary? Decisions on synthetic devices, against the truth.

Devices are drawn from a seed: matrix products of 12 to 60 shapes, or copies in batches; times
follow the model with log-normal noise of 1 to 8 %, and two in a hundred take longer; for three in
ten devices only the ratios of the times are known. At random shapes, whose true speedup is a tenth
or more away from one, the fit's decision is right or wrong. Run as
`python -m benchmarks.fit.two_variables --devices 200 --seed 1`.
"""

import argparse
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, DOES_NOT_PAY, PAYS
from logca.numeric.generated.shapes import shape_time_accelerated, shape_time_host
from logca.numeric.shapes.decide import decide_shape
from logca.numeric.shapes.fit import fit_shapes
from logca.numeric.shapes.formulas import kernel_formulas, shape_formula

POINTS = 5000
SINGLE = 10  # shapes of a device whose interval is found, some 50 ms each
AWAY = 0.1  # from one, of the true speedups of shapes that count
SPIKES = 0.02
BALANCED = (0.1, 0.9)  # of the shapes at which offloading pays, of a device worth asking about

Values = np.ndarray[Any, np.dtype[np.float64]]


class Device(NamedTuple):
    """A device and a kernel."""

    kernel: str
    parameters: dict[str, float]

    def times(self, shape: Mapping[str, Values]) -> tuple[Values, Values]:
        """True times of host and accelerated path [s]."""
        told = kernel_formulas(self.kernel).items()
        at: dict[str, Any] = {role: shape_formula(role, text)(shape) for role, text in told}
        at = {"data_bytes": at["bytes"], "work": at.get("work", 0.0), "items": at.get("items", 0.0)}
        host, other = (
            {name: value for name, value in self.parameters.items() if not name.endswith(path)}
            for path in ("accelerated", "host")
        )
        return shape_time_host(**at, **host), shape_time_accelerated(**at, **other)


def log_uniform(draw: np.random.Generator, low: float, high: float, size: Any = None) -> Any:
    """Numbers whose logarithms are evenly spread."""
    return np.exp(draw.uniform(np.log(low), np.log(high), size))


def shapes(draw: np.random.Generator, kernel: str, count: int) -> dict[str, Values]:
    """Random shapes."""
    if kernel == "gemm":
        return {name: log_uniform(draw, 8, 4096, count).round() for name in "mnk"}
    sizes, copies = log_uniform(draw, 256, 2**18, count), log_uniform(draw, 1, 8192, count)
    return {"size": sizes.round(), "copies": copies.round()}


def device(draw: np.random.Generator) -> Device:
    """A device that pays at some shapes and not at others."""
    kernel = str(draw.choice(["gemm", "copy"]))
    while True:
        found = dict.fromkeys(
            (
                f"{part}_time_{path}"
                for part in ("item", "work")
                for path in ("host", "accelerated")
            ),
            0.0,
        )
        found["beta"] = 1.0
        found["call_time_host"] = log_uniform(draw, 1e-7, 5e-6)
        found["call_time_accelerated"] = log_uniform(draw, 5e-6, 2e-4)
        found["byte_time_host"] = 1 / log_uniform(draw, 1e9, 5e10)
        found["byte_time_accelerated"] = 1 / log_uniform(draw, 1e9, 5e10)
        if kernel == "gemm":
            found["byte_time_host"] *= float(draw.choice([0.0, 1.0]))
            found["beta"] = float(draw.choice([1.0, draw.uniform(0.7, 1.1)]))
            found["work_time_host"] = 1 / log_uniform(draw, 1e10, 5e11) ** found["beta"]
            found["work_time_accelerated"] = found["work_time_host"] / log_uniform(draw, 1.5, 100)
        else:
            found["item_time_host"] = log_uniform(draw, 1e-7, 5e-6)
            found["item_time_accelerated"] = log_uniform(draw, 1e-8, 1e-6)
        made = Device(kernel, found)
        host, other = made.times(shapes(draw, kernel, POINTS))
        if BALANCED[0] < (host > other).mean() < BALANCED[1]:
            return made


class Outcome(NamedTuple):
    """Right and wrong decisions of one fit, and how long it took."""

    right: int
    asked: int
    seconds: float
    ratios: bool
    # covered, sure, misled: of single shapes, away from the boundary or not, those whose interval
    # has the true speedup, those that are told for certain, and of these those told wrongly
    covered: int
    sure: int
    misled: int


def recovered(draw: np.random.Generator) -> Outcome:
    """The decisions of a fit to a device's measured times."""
    made = device(draw)
    count, noise = int(draw.integers(12, 60)), log_uniform(draw, 0.01, 0.08)
    measured = shapes(draw, made.kernel, count)
    wild = draw.exponential(1.0, (2, count)) * (draw.random((2, count)) < SPIKES)
    host, other = np.exp(noise * draw.standard_normal((2, count)) + wild) * made.times(measured)
    ratios = bool(draw.random() < 0.3)
    times = {"ratio": host / other} if ratios else {"host": host, "accelerated": other}
    begun = time.process_time()
    found = fit_shapes({**measured, **times}, kernel=made.kernel)
    seconds = time.process_time() - begun
    asked = shapes(draw, made.kernel, POINTS)
    host, other = made.times(asked)
    away = np.abs(np.log(host / other)) > np.log1p(AWAY)
    right = (found.pays(**asked) == (host > other))[away]
    covered = sure = misled = 0
    for place in range(SINGLE):
        decision = decide_shape(found, **{name: each[place] for name, each in asked.items()})
        true, within = host[place] / other[place], decision.speedup_interval
        covered += within is not None and within.lower <= true <= within.upper
        sure += decision.certainty != CANNOT_BE_TOLD
        misled += decision.certainty == (DOES_NOT_PAY if true > 1 else PAYS)
    single = (int(covered), int(sure), int(misled))
    return Outcome(int(right.sum()), int(away.sum()), seconds, ratios, *single)


def main() -> None:
    """Print how often decisions are right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--devices", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    draw = np.random.default_rng(chosen.seed)
    found = [recovered(draw) for _ in range(chosen.devices)]
    for told, some in (
        ("times known", [each for each in found if not each.ratios]),
        ("ratios only", [each for each in found if each.ratios]),
        ("all", found),
    ):
        shares = np.array([each.right / each.asked for each in some])
        right, asked = sum(each.right for each in some), sum(each.asked for each in some)
        print(
            f"{told}: {len(some)} devices, right at {right / asked:.2%} of {asked:,} shapes "
            f"{AWAY:.0%} from the boundary; at 99 % or more on {(shares >= 0.99).mean():.1%} of "
            f"the devices, at {shares.min():.1%} on the worst; processor time of a fit "
            f"{np.median([each.seconds for each in some]):.2g} s, at most "
            f"{max(each.seconds for each in some):.2g} s; of {SINGLE * len(some)} single shapes "
            f"95 % intervals of the speedup hold {sum(x.covered for x in some)}, "
            f"{sum(x.sure for x in some)} are told for certain, "
            f"{sum(x.misled for x in some)} of them wrongly"
        )


if __name__ == "__main__":
    main()
