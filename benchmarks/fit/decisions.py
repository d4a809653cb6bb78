"""Are decisions right at sizes that a fit has not seen? Public tables, against rivals.

Of each table each size is left out in turn, and the rest decides whether it pays there: by the fit
(by `few_thresholds` where fewer than four sizes are left), by the nearest measured size, by
log-log interpolation, by a straight line for each path, and by Extra-P's models. What was measured
there tells who is right, where the speedup is outside 0.9 to 1.1. Run as `python -m
benchmarks.fit.decisions`; `--tables` names a folder of one's own, tables as `logca fit` reads them;
`--write` writes docs/fit-decisions.md.
"""

import argparse
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from logca.common.sizes import format_size
from logca.numeric.fit.as_measured import few_thresholds
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.timings.crossing import Compared, Median
from logca.numeric.timings.reading import read
from logca.numeric.timings.timings import LEAST_SIZES, Timings, compared_timings

TABLES = Path(__file__).with_name("tables")
TABLE = Path(__file__).parents[2] / "docs" / "fit-decisions.md"
UNCLEAR = (0.9, 1.1)

Samples = np.ndarray[Any, np.dtype[np.float64]]
Time = Callable[[Samples, Samples, float], float]


def nearest(sizes: Samples, times: Samples, size: float) -> float:
    """Time at the nearest size, by ratio."""
    return float(times[np.argmin(np.abs(np.log(sizes / size)))])


def interpolated(sizes: Samples, times: Samples, size: float) -> float:
    """Time on the line through the two sizes beside it, in logarithms."""
    place = int(np.clip(np.searchsorted(sizes, size) - 1, 0, sizes.size - 2))
    x, y = np.log(sizes[place : place + 2]), np.log(times[place : place + 2])
    return float(np.exp(y[0] + (y[1] - y[0]) / (x[1] - x[0]) * (np.log(size) - x[0])))


def straight(sizes: Samples, times: Samples, size: float) -> float:
    """Time on the straight line of least squares."""
    return float(np.polyval(np.polyfit(sizes, times, 1), size))


RIVALS: dict[str, Time] = {
    "nearest size": nearest,
    "log-log interpolation": interpolated,
    "straight lines": straight,
}
EXTRA_P, OURS = "Extra-P", "logca"
CHILD = Path(__file__).with_name("extra_p.py")


class Point(NamedTuple):
    """A size that was left out."""

    size: float  # [B]
    speedup: float  # as measured [1]
    right: dict[str, bool]  # who is right
    kept: Sequence[Compared]  # the sizes that are left


class Score(NamedTuple):
    """What a table tells."""

    name: str
    points: list[Point]  # where the speedup is clear
    inside: bool  # whether all estimates of the fit of all sizes lie in their intervals
    contradicted: int  # clear sizes at which the fit of all sizes decides against them


def scored(path: Path) -> Score:
    """Leave out each size of a table in turn."""
    timings = read(path).timings
    rows, whole = compared_timings(timings), fit(timings)
    clear = [row for row in rows if not UNCLEAR[0] <= row.speedup <= UNCLEAR[1]]
    ranges = thresholds(whole)
    against = sum(ranges.pays(row.size) != (row.speedup > 1) for row in clear)
    return Score(path.stem, [_point(rows, row) for row in clear], _inside(whole), against)


def _point(rows: Sequence[Compared], left_out: Compared) -> Point:
    kept = [row for row in rows if row is not left_out]
    sizes, host, other = _times(kept)
    size, pays = left_out.size, left_out.speedup > 1
    right = {
        name: (time(sizes, host, size) > time(sizes, other, size)) == pays
        for name, time in RIVALS.items()
    }
    ranges = few_thresholds(kept)
    if len(kept) >= LEAST_SIZES:
        paths = [[each.times for each in path] for path in _medians(kept)]
        ranges = thresholds(fit(Timings(granularity=sizes, host=paths[0], accelerated=paths[1])))
    return Point(size, left_out.speedup, {OURS: ranges.pays(size) == pays, **right}, kept)


def _medians(rows: Sequence[Compared]) -> tuple[list[Median], list[Median]]:
    return [row.host for row in rows], [row.accelerated for row in rows]


def _times(rows: Sequence[Compared]) -> tuple[Samples, Samples, Samples]:
    host, other = (np.array([each.value for each in path]) for path in _medians(rows))
    return np.array([row.size for row in rows]), host, other


def _inside(fitted: Fit) -> bool:
    """True if no parameter's estimate is outside its own interval."""
    return all(
        fitted.intervals[name].lower <= value <= fitted.intervals[name].upper
        for name, value in fitted.parameters.items()
    )


def with_extra_p(scores: Sequence[Score], python: str) -> None:
    """Add what Extra-P says, which needs an older NumPy, and so a Python of its own."""
    points = [point for score in scores for point in score.points]
    asked = [
        {"sizes": sizes.tolist(), "times": times.tolist(), "size": point.size}
        for point in points
        for sizes, *paths in [_times(point.kept)]
        for times in paths
    ]
    done = subprocess.run(
        [python, str(CHILD)], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{python} {CHILD.name}: {done.stderr[-500:]}")
    told = json.loads(done.stdout)
    for point, host, other in zip(points, told[::2], told[1::2], strict=True):
        point.right[EXTRA_P] = (host > other) == (point.speedup > 1)


def table(scores: Sequence[Score]) -> str:
    """Tables in Markdown, and what they say."""
    points = [point for score in scores for point in score.points]
    names = list(points[0].right)

    def share(some: Sequence[Point], name: str) -> str:
        right = sum(point.right[name] for point in some)
        return f"{right} ({100 * right / len(some):.1f} %)" if some else "none"

    few = [point for point in points if len(point.kept) < LEAST_SIZES]
    more = [point for point in points if len(point.kept) >= LEAST_SIZES]
    lines = [
        f"| who | all {len(points)} | {len(more)} with four sizes or more left "
        f"| {len(few)} with three left |",
        "| :-- | --: | --: | --: |",
        *(
            f"| {name} | {share(points, name)} | {share(more, name)} | {share(few, name)} |"
            for name in names
        ),
    ]
    rows = [
        f"| {score.name} | {len(score.points)} | "
        + " | ".join(str(sum(point.right[name] for point in score.points)) for name in names)
        + f" | {score.contradicted} | {'yes' if score.inside else '**no**'} |"
        for score in scores
    ]
    heads = ["table", "clear sizes", *names, "contradicted", "estimates in intervals"]
    wrong = [
        f"- {score.name}, {format_size(point.size)}: measured {point.speedup:.3g}."
        for score in scores
        for point in score.points
        if not point.right[OURS]
    ]
    return "\n".join(
        [
            "# Decisions at sizes that were not measured",
            "",
            f"{len(scores)} public tables, of which nobody here made one. Of each table each size "
            "is left out in turn, the rest decides whether offloading pays there, and the "
            "measurement tells who is right, where its speedup is outside 0.9 to 1.1. Done again "
            "by `make decisions`.",
            "",
            *lines,
            "",
            "With three sizes left there is no fit; `few_thresholds` decides by the times. "
            "Extra-P asks for five sizes, and models what it is given here all the same.",
            "",
            "Wrong:",
            "",
            *wrong,
            "",
            "By table: how many each decides right; at how many clear sizes the fit of all sizes "
            "decides against what was measured there; and whether all its estimates lie in their "
            "intervals.",
            "",
            f"| {' | '.join(heads)} |",
            f"| :-- {'| --: ' * (len(heads) - 1)}|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=Path, default=TABLES, help="folder of tables, as CSV")
    parser.add_argument("--extra-p", metavar="PYTHON", help="a Python that has extrap")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    given = parser.parse_args()
    scores = [scored(path) for path in sorted(given.tables.glob("*.csv"))]
    if not any(score.points for score in scores):
        raise SystemExit(f"{given.tables} has no table (*.csv) with clear sizes")
    if given.extra_p:
        with_extra_p(scores, given.extra_p)
    text = table(scores)
    if given.write:
        TABLE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
