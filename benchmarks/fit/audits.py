"""How often times taken through a program that switches are found out, and losses are right.

Devices whose times are known, with noise, are timed at sizes a factor of two apart: both paths on
their own, where nothing is to be found; and through a program that takes the other path on one side
of its threshold, which is misplaced by a factor. Of the times on their own, what a threshold loses
is known as well. Run as `python -m benchmarks.fit.audits`; prints the tables of docs/audit.md.
"""

import sys
from pathlib import Path

import numpy as np

from logca.common.tables import Column, Table, markdown
from logca.numeric.audit.audit import audit
from logca.numeric.audit.rule import threshold_rule
from logca.numeric.audit.self_confirming import self_confirming
from logca.numeric.timings.timings import Timings, compared_timings

sys.path.append(str(Path(__file__).parents[2] / "tests/numeric/fit"))
from known_devices import CONSTANT, LINEAR, STEEP, Known

SIZES = tuple(2.0 ** np.arange(8, 25))
SEEDS, LOSS_SEEDS, NOISE = 200, 6, 0.03
MISPLACED = (0.1, 0.3, 1.0, 3.0, 10.0)


def timed(device: Known, threshold: float, through: str, seed: int, repeats: int) -> Timings:
    """Times of both paths, of which one is taken through a program with a threshold."""
    draw = np.random.default_rng(seed)
    times: dict[str, list[np.ndarray]] = {"host": [], "accelerated": []}
    for size in SIZES:
        for path, rows in times.items():
            ran = path if path != through else "accelerated" if size >= threshold else "host"
            rows.append(getattr(device, ran)(size) * np.exp(NOISE * draw.standard_normal(repeats)))
    return Timings(granularity=SIZES, **times)


def share(through: str, misplaced: float, repeats: int) -> float:
    """Share of tables with a trace of a switch at the threshold [1]."""
    found = [
        bool(self_confirming(compared_timings(timings), threshold_rule(threshold)))
        for device in (CONSTANT, LINEAR, STEEP)
        for threshold in [misplaced * device.where(1.0)]
        for seed in range(SEEDS)
        for timings in [timed(device, threshold, through, seed, repeats)]
    ]
    return float(np.mean(found))


def losses(misplaced: float, repeats: int) -> tuple[float, float]:
    """Shares of tables whose interval covers the true loss, and whose threshold is stale [1]."""
    covered, stale = [], []
    calls = {size: 1 / size for size in SIZES}
    for device in (CONSTANT, LINEAR, STEEP):
        threshold = misplaced * device.where(1.0)
        true = 0.0
        for size, number in calls.items():
            times = float(device.host(size)), float(device.accelerated(size))
            true += number * (times[int(size >= threshold)] - min(times))
        for seed in range(LOSS_SEEDS):
            found = audit(timed(device, threshold, "", seed, repeats), threshold, workload=calls)
            covered.append(found.loss.lower <= true * (1 + 1e-9) and true <= found.loss.upper)
            stale.append(found.stale)
    return float(np.mean(covered)), float(np.mean(stale))


def main() -> None:
    """Print the tables."""
    rows = [
        (
            told,
            str(repeats),
            *(f"{100 * share(through, misplaced, repeats):.3g} %" for misplaced in MISPLACED),
        )
        for told, through in (
            ("each path on its own", ""),
            ("accelerated, through the program", "accelerated"),
            ("host, through the program", "host"),
        )
        for repeats in (1, 5)
    ]
    columns = ("times", Column.number("runs"), *(Column.number(f"{each:g}") for each in MISPLACED))
    print(markdown([Table.by_rows(columns, rows)]))
    rows = []
    for repeats in (1, 5):
        shares = [losses(misplaced, repeats) for misplaced in MISPLACED]
        for place, told in enumerate(("the loss is in its interval", "stale")):
            rows.append((told, str(repeats), *(f"{100 * each[place]:.3g} %" for each in shares)))
    print(markdown([Table.by_rows(columns, rows)]))


if __name__ == "__main__":
    main()
