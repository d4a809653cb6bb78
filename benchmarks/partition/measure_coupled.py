"""How long partitions with memory take to be proven optimal, and the check of the proof.

The six programs of kenter2010 and toolbox.c, on the paper's platform, in the designs in which
memory couples blocks; times are of one run on one core, the compilation of loops apart. --write
puts the results into coupled.md beside this file, --only measures one program.
"""

import argparse
import os
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.measuring import machine
from logca.numeric.partition.memory.caches import Latencies
from logca.numeric.partition.memory.coupling import Coupling, coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.costs import costs_of
from logca.numeric.partition.problem.instance_and_objective import Instance, cost
from logca.numeric.partition.problem.platform import platform
from logca.numeric.partition.program.tracing import traced
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.optimum import check_optimum, optimal

HERE = Path(__file__).parent
PROGRAMS = HERE.parents[1] / "examples/partition"
SIX = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")
AREAS = {**dict.fromkeys(SIX, (128,)), "toolbox": (128, 512, 1024, 2048, 4096, 8192)}
LIMIT = {**dict.fromkeys(SIX, 2.0), "toolbox": 60.0}
"""Time that a proof may take [s]."""
MUST = {("SL2+", 128), ("SL2+", 512), ("SL2+", 4096)}
"""Designs and areas in which toolbox.c must be proven in its time."""
COLUMNS = (
    *("program", "design", "area", "blocks", "rows", "greedy [s]", "optimum [s]", "check [s]"),
    *("gap", "nodes", "terms", "greedy", "optimum", "optimum without coupling", "its bound"),
)
HEADER = f"| {' | '.join(COLUMNS)} |\n|---|---|{'---:|' * (len(COLUMNS) - 2)}"


def couplings(name: str) -> tuple[Instance, dict[str, Coupling]]:
    """A program's instance without memory, and its memory in all designs."""
    costs = platform("kenter2010")
    trace = traced(PROGRAMS / f"{name}.c", costs)
    instance = costs_of(trace.problem, costs).instance
    scale = instance.scale
    near = Latencies(l1=3 * scale, l2=15 * scale, memory=200 * scale, write_back=15 * scale)
    far = replace(near, write_back=200 * scale)
    return instance, {
        each: coupling_of(trace.signatures, design, far if each.startswith("SMM") else near)
        for each, design in DESIGNS.items()
    }


def measured(name: str, design: str, instance: Instance, coupling: Coupling) -> tuple[str, bool]:
    """A line of the table, and whether it is as wanted."""
    limit, times = LIMIT[name], [time.perf_counter()]
    quick = greedy(instance, coupling)
    times.append(time.perf_counter())
    found = optimal(instance, coupling, time_limit=limit)
    times.append(time.perf_counter())
    check_optimum(instance, found, coupling)
    times.append(time.perf_counter())
    own = replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )
    plain = optimal(own, time_limit=limit)
    nothing = np.zeros(instance.blocks, np.bool_)
    slow, by_greedy, alone = (
        cost(instance, each) + coupling_cost(coupling, each)
        for each in (nothing, quick, plain.mapped)
    )
    terms = getattr(found.certificate, "terms", None)
    cells = [name, design, f"{instance.capacity:,}", f"{instance.blocks:,}", f"{coupling.rows:,}"]
    cells += [f"{after - before:.2f}" for before, after in pairwise(times)]
    cells += [f"{found.gap:.1e}" if found.gap else "0", f"{found.nodes:,}"]
    cells += ["" if terms is None else f"{len(terms.row):,}"]
    cells += [f"{each / slow:.4f}" for each in (by_greedy, found.cost, alone, plain.bound)]
    proven = found.gap == 0 and found.proof == "certificate" and times[2] - times[1] <= limit
    must = name in SIX or (design, instance.capacity) in MUST
    return f"| {' | '.join(cells)} |", proven or not must


def warm() -> None:
    """Have all loops compiled."""
    instance, memory = couplings("fft")
    instance = replace(instance, capacity=128)
    for coupling in (memory["SL1"], memory["SL2+"]):
        found = optimal(instance, coupling, clusters=[[1, 2]])
        check_optimum(instance, found, coupling)


def main() -> None:
    """Measure, print, and say by the exit code whether all is as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write coupled.md")
    parser.add_argument("--only", choices=AREAS, help="this program only")
    options = parser.parse_args()
    warm()
    print(HEADER, flush=True)
    rows, well = [], True
    for name in [options.only] if options.only else AREAS:
        instance, memory = couplings(name)
        for area in AREAS[name]:
            for design, coupling in memory.items():
                row, as_wanted = measured(name, design, replace(instance, capacity=area), coupling)
                well &= as_wanted
                rows.append(row)
                print(row, flush=True)
    text = "\n".join(
        [
            "# Optimal partitions with memory",
            "",
            f"Measured on {machine()}; one core used, load {os.getloadavg()[0]:.1f} at the end. "
            "Costs are parts of what the program costs on the CPU alone. The optimum without "
            "coupling takes every access at its least cost; what it really costs is in the column "
            "before its bound. A gap of 0 is a certificate that was checked; the time limit is "
            f"{LIMIT['aes']:g} s for the six programs and {LIMIT['toolbox']:g} s for toolbox.c.",
            "",
            HEADER,
            *rows,
            "",
        ]
    )
    if options.write:
        (HERE / "coupled.md").write_text(text, encoding="utf-8")
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
