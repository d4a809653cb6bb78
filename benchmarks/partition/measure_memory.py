"""How fast memory profiles are made, and partitions evaluated from them.

Rates are accesses per second of one pass on one core, from arrays in memory to signatures; times of
an evaluation are for a random partition. Both are the least of several. As a rival, the same pass
simulates one design and one partition only. --write puts the results into memory.md beside this
file.
"""

import argparse
import os
from pathlib import Path

import numpy as np

from benchmarks.measuring import least_times, machine
from benchmarks.partition.traces import Trace, made_up, of_program, programs
from logca.numeric.partition.memory.caches import Geometry, Latencies
from logca.numeric.partition.memory.coupling import coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.signatures import Signatures
from logca.numeric.partition.memory.simulation import Simulation

HERE = Path(__file__).parent
RUNS = 5
PIECE = 1 << 16
WANTED_RATE = 3e6
WANTED_COST = 2e-3
KENTER = Latencies(l1=3, l2=15, memory=200, write_back=15)
SMALL = Geometry(l1=4 << 10, l2=64 << 10)
HEADER = (
    "| program | blocks | accesses [10^6] | one pass [10^6/s] | resident | caches of 4 and 64 KiB "
    "| one simulation | signatures | longest |\n|---|" + "---:|" * 8
)
EVALUATIONS = (
    "| program | design | rows | entries | made in [ms] | cost [ms] "
    "| cost for each row [ns] |\n|---|---|" + "---:|" * 5
)


def recorded(trace: Trace, geometry: Geometry, *, resident: bool = False) -> Signatures:
    """The signatures of a trace that comes in pieces."""
    recorder = Recorder(trace.blocks, geometry, resident=resident)
    for start in range(0, len(trace), PIECE):
        recorder.push(*(column[start : start + PIECE] for column in trace.columns))
    return recorder.signatures()


def partition(trace: Trace) -> np.ndarray:
    """Any partition."""
    return np.random.default_rng(1).random(trace.blocks) < 0.5


def simulated(trace: Trace) -> None:
    """One design, one partition."""
    machine_ = Simulation(trace.blocks, Geometry(), DESIGNS["SL2+"], partition(trace), ways=(1, 1))
    for start in range(0, len(trace), PIECE):
        machine_.push(*(column[start : start + PIECE] for column in trace.columns))


def rates(trace: Trace, runs: int = RUNS) -> tuple[str, float]:
    """A line of the first table, and the rate of the plain pass [1/s]."""
    times = least_times(
        lambda: recorded(trace, Geometry()),
        lambda: recorded(trace, Geometry(), resident=True),
        lambda: recorded(trace, SMALL),
        lambda: simulated(trace),
        runs=runs,
    )
    found = recorded(trace, Geometry())
    cells = [f"{trace.blocks:,}", f"{len(trace) / 1e6:.1f}"]
    cells += [f"{len(trace) / time / 1e6:.1f}" for time in times]
    cells += [f"{len(found):,}", f"{int(np.diff(found.start).max()):,}"]
    return f"| {trace.name} | " + " | ".join(cells) + " |", len(trace) / times[0]


def evaluations(trace: Trace) -> tuple[list[str], float]:
    """Lines of the second table, and the longest time of a cost [s]."""
    found, chosen = recorded(trace, Geometry()), partition(trace)
    lines, longest = [], 0.0
    for name, design in DESIGNS.items():
        coupling = coupling_of(found, design, KENTER)
        made, cost = least_times(
            lambda d=design: coupling_of(found, d, KENTER),
            lambda c=coupling: coupling_cost(c, chosen),
            runs=2 * RUNS,
        )
        longest = max(longest, cost)
        each = f"{cost / coupling.rows * 1e9:.0f}" if coupling.rows else ""
        cells = [f"{coupling.rows:,}", f"{len(coupling.entry):,}", f"{made * 1e3:.1f}"]
        cells += [f"{cost * 1e3:.2f}", each]
        lines.append(f"| {trace.name} | {name} | " + " | ".join(cells) + " |")
    return lines, longest


def main() -> None:
    """Measure, print, and say by the exit code whether rate and cost are as wanted.

    The rate is that of real programs and of the regular one; the cost is that of the toolbox.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write memory.md")
    options = parser.parse_args()
    real = [of_program(source) for source in programs()]
    large = [made_up(), made_up(regular=False, accesses=200_000)]
    # what no program does takes long, and is measured once
    measured = [*(rates(trace) for trace in (*real, large[0])), rates(large[1], runs=1)]
    evaluated = [evaluations(trace) for trace in (real[3], real[5], real[-1], large[0])]
    lines = [
        "# Memory profiles",
        "",
        f"Measured on {machine()}; one core used, load {os.getloadavg()[0]:.1f} at the end. "
        "Caches of 32 KiB and 4 MiB with lines of 64 B where nothing else is said. Each "
        "evaluation is of one random partition; a row counts on one core only.",
        "",
        HEADER,
        *(line for line, _ in measured),
        "",
        EVALUATIONS,
        *(line for lines, _ in evaluated for line in lines),
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        (HERE / "memory.md").write_text(text, encoding="utf-8")
    slow = min(rate for _, rate in measured[: len(real) + 1]) < WANTED_RATE
    raise SystemExit(slow or evaluated[2][1] > WANTED_COST)


if __name__ == "__main__":
    main()
