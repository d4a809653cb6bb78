"""How long the proven optimum takes, the check of its proof, and the frontier of all areas.

Random structured programs and hard knapsacks of 500, 5,000 and 50,000 blocks; times are of one run
on one core, the compilation of loops apart. As a rival, HiGHS through `scipy.optimize.milp` solves
the first instance of each line in the same run, as an integer program and within the time that is
wanted. --write puts the results into solvers.md beside this file, --blocks measures one size only.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.measuring import machine
from benchmarks.partition.instances import KNAPSACKS, knapsack, program
from logca.numeric.partition.problem.instance_and_objective import Instance, cost
from logca.numeric.partition.solvers.bounds.frontier import frontier
from logca.numeric.partition.solvers.bounds.integer_program import integer_program
from logca.numeric.partition.solvers.optimum import Optimum, check_optimum, optimal

HERE = Path(__file__).parent
WANTED = {500: 0.5, 5_000: 15.0, 50_000: 90.0}
"""Time for so many blocks [s]."""
SEEDS = {500: 5, 5_000: 3, 50_000: 1}
ENOUGH = {500: 0.0, 5_000: 0.0, 50_000: 1e-3}
"""The gap that counts as success when the time is over [1]."""
WANTED_FRONTIER = 2.0
COLUMNS = (
    *("instances", "blocks", "area", "time: middle, worst [s]", "worst gap", "nodes", "proofs"),
    *("check, worst [s]", "HiGHS [s]", "HiGHS' gap"),
)
HEADER = f"| {' | '.join(COLUMNS)} |\n|---|---:|---|---:|---:|---:|---|---:|---:|---:|"
WARM = (
    "import sys, time; start = time.perf_counter(); "
    "from benchmarks.partition.measure_solvers import warm; warm(); "
    "print(time.perf_counter() - start)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Instances that are measured together."""

    # name, area: what they are, and how large the accelerator is
    name: str
    area: str
    blocks: int  # how many blocks they have, about [1]
    make: Callable[[int], Instance]  # makes one from a seed
    must: bool = True  # whether they must be solved in the time that is wanted
    rival: bool = True  # whether HiGHS solves the first one as well


def lines(blocks: int) -> Iterator[Line]:
    """All that is measured with so many blocks."""
    large = blocks > 5_000
    for share in (None, 0.02, 0.1, 0.3):
        yield Line(
            name="program",
            area="128" if share is None else f"{share:.0%}",
            blocks=blocks,
            rival=not large or share == 0.1,
            make=partial(_program, blocks, share),
        )
    for kind in KNAPSACKS:
        for coupled in (0.0, 1.0):
            for share in (0.05, 0.5):
                one = kind == "strong" and share == 0.5
                if large and coupled and not one:
                    continue
                yield Line(
                    name=f"{kind}, {'pairs' if coupled else 'no pairs'}",
                    area=f"{share:.0%}",
                    blocks=blocks,
                    make=partial(_knapsack, blocks, share, coupled, kind),
                    must=not coupled,
                    rival=not large or (one and not coupled),
                )


def _program(blocks: int, share: float | None, seed: int) -> Instance:
    return program(blocks, seed=seed, share=share)


def _knapsack(blocks: int, share: float, coupled: float, kind: str, seed: int) -> Instance:
    return knapsack(blocks, seed=seed, share=share, coupled=coupled, kind=kind, largest=1000)


def solved(instance: Instance, limit: float) -> tuple[Optimum, float, float]:
    """The optimum, how long it took, and how long the check of it [s]."""
    start = time.perf_counter()
    found = optimal(instance, time_limit=limit)
    middle = time.perf_counter()
    check_optimum(instance, found)
    return found, middle - start, time.perf_counter() - middle


def rival(instance: Instance, best: Optimum, limit: float) -> list[str]:
    """How long HiGHS takes, and by what part it may be above the optimum."""
    start = time.perf_counter()
    found = integer_program(instance, time_limit=limit)
    spent = time.perf_counter() - start
    if found.mapped is None:
        return [f"{spent:.2f}", "none found"]
    least = cost(instance, found.mapped)
    if found.closed and best.gap == 0 and least != best.cost:
        return [f"{spent:.2f}", f"wrong by {(least - best.cost) / best.cost:.0e}"]
    gap = 0.0 if found.closed else (least - (found.bound or 0)) / max(1, abs(least))
    return [f"{spent:.2f}", f"{gap:.1e}" if gap > 0 else "0"]


def measured(line: Line) -> tuple[str, bool]:
    """A line of the table, and whether all was as wanted."""
    wanted = WANTED[line.blocks]
    made = [line.make(seed) for seed in range(SEEDS[line.blocks])]
    found, times, checks = zip(*(solved(each, wanted) for each in made), strict=True)
    gap = max(each.gap for each in found)
    proofs = sum(each.gap == 0 and each.proof == "certificate" for each in found)
    against = rival(made[0], found[0], wanted) if line.rival else ["", ""]
    cells = [line.name, f"{line.blocks:,}", line.area]
    cells += [f"{median(times):.3f}, {max(times):.3f}", f"{gap:.1e}" if gap else "0"]
    cells += [f"{max(each.nodes for each in found):,}", f"{proofs} of {len(found)}"]
    cells += [f"{max(checks):.2f}", *against]
    well = gap <= ENOUGH[line.blocks] and (max(times) <= wanted or gap > 0)
    return f"| {' | '.join(cells)} |", well or not line.must


def frontiers() -> tuple[list[str], float]:
    """Lines about the frontier of all areas, and the longest time [s]."""
    said, longest = [], 0.0
    for blocks in (500, 5_000, 50_000):
        times, corners = [], []
        for seed in range(SEEDS[blocks]):
            instance = program(blocks, seed=seed)
            start = time.perf_counter()
            corners.append(frontier(instance).corners)
            times.append(time.perf_counter() - start)
        if blocks == 5_000:
            longest = max(times)
        said.append(f"| {blocks:,} | {median(corners):,} | {median(times):.2f}, {max(times):.2f} |")
    return said, longest


def warm() -> None:
    """Have all loops compiled."""
    for instance in (program(60, seed=0, share=0.1), knapsack(60, seed=0, coupled=1.0)):
        check_optimum(instance, optimal(instance))


def compiling() -> tuple[float, float]:
    """How long the first small optimum of a process takes, its loops compiled or on disk [s]."""
    with tempfile.TemporaryDirectory() as folder:
        times = [
            float(
                subprocess.run(
                    [sys.executable, "-c", WARM],
                    env={**os.environ, "NUMBA_CACHE_DIR": folder},
                    capture_output=True,
                    check=True,
                    text=True,
                ).stdout
            )
            for _ in range(2)
        ]
    return times[0], times[1]


def main() -> None:
    """Measure, print, and say by the exit code whether all is as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write solvers.md")
    parser.add_argument("--blocks", type=int, choices=WANTED, help="this size only")
    options = parser.parse_args()
    first, again = compiling()
    warm()
    print(HEADER, flush=True)
    rows, well = [], True
    for blocks in [options.blocks] if options.blocks else WANTED:
        for line in lines(blocks):
            row, as_wanted = measured(line)
            well &= as_wanted
            rows.append(row)
            print(row, flush=True)
    all_areas, longest = frontiers()
    text = "\n".join(
        [
            "# Optimal partitions",
            "",
            f"Measured on {machine()}; one core used, load {os.getloadavg()[0]:.1f} at the end. "
            "Knapsacks have areas, or savings, of up to 1,000; pairs join random blocks, one for "
            "each block, and cost up to a tenth of what two save: with them nothing was wanted. "
            "The time limits are "
            + ", ".join(f"{time:g} s for {blocks:,} blocks" for blocks, time in WANTED.items())
            + ". A proof is a certificate of a gap of 0; what is missing was closed by HiGHS or "
            f"not at all. Before the first optimum loops are compiled, {first:.1f} s, or read from "
            f"disk, {again:.1f} s with all imports.",
            "",
            HEADER,
            *rows,
            "",
            "The frontier of all areas, of programs:",
            "",
            "| blocks | corners | time: middle, worst [s] |\n|---:|---:|---:|",
            *all_areas,
            "",
        ]
    )
    print(text[text.index("The frontier") :])
    if options.write:
        (HERE / "solvers.md").write_text(text, encoding="utf-8")
    raise SystemExit(not (well and longest <= WANTED_FRONTIER))


if __name__ == "__main__":
    main()
