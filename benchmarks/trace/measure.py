"""How fast instrumented programs run, and what memory a long trace takes.

Ratios to the same code without instrumentation, measured in the same run; as a rival, valgrind's
lackey, where it is installed. --write puts the results into table.md beside this file. Times are
the least of several runs, and those of the traces include the decoding into columns.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import processor
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.compile.machine_code import emit, link_command
from logca.trace.execute.run import Run, run

HERE = Path(__file__).parent
PROGRAMS = {"GEMM": HERE / "programs" / "gemm.c", "BFS and SpMV": HERE / "programs" / "graph.c"}
LEVELS = ("as-written", "O1")
RUNS = 3
WANTED_RATE = 50e6
WANTED_MEMORY = 2 << 30
LONG = {"TIMES": 120}
SHORT = {"N": 64, "TIMES": 4}
MEMORY = """
import resource, sys
from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run
done = run(compile_program(sys.argv[1], level="O1", defines={"TIMES": sys.argv[2]}))
own, others = (resource.getrusage(who).ru_maxrss for who in (0, resource.RUSAGE_CHILDREN))
print(done.recorded, 1024 * (own + others), done.wall_s)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One program at one level."""

    # program, level: which
    program: str
    level: str
    accesses: int  # accesses in its trace [1]
    # plain, counted, traced: time of the plain program, with counters, and with its trace decoded
    # [s]
    plain: float
    counted: float
    traced: float

    @property
    def rate(self) -> float:
        """Accesses per second, generated and decoded [1/s]."""
        return self.accesses / self.traced


def plain_program(compiled: Compiled, folder: Path) -> Path:
    """The same code, not instrumented."""
    code, executable = folder / "plain.o", folder / "plain"
    emit(compiled.ir, code)
    command = link_command(compiled.toolchain, [code], executable, flags=["-no-pie"])
    subprocess.run(command, env=compiled.toolchain.environment(), check=True)
    return executable


def seconds(action: Callable[[], object]) -> float:
    """The time of one call [s]."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measured(program: str, level: str, folder: Path) -> Row:
    """One row of the table; plain, counted and traced runs take turns."""
    compiled = compile_program(PROGRAMS[program], level=level)
    executable = plain_program(compiled, folder)
    expected = subprocess.run([executable], capture_output=True, check=True).stdout
    plain, counted, traced = [], [], []
    result: Run | None = None
    for _ in range(RUNS):
        plain.append(seconds(lambda: subprocess.run([executable], capture_output=True, check=True)))
        counted.append(run(compiled, nests=()).wall_s)
        result = run(compiled)
        traced.append(result.wall_s)
        assert result.stdout == expected
    assert result is not None
    return Row(
        program=program,
        level=level,
        accesses=result.recorded,
        plain=min(plain),
        counted=min(counted),
        traced=min(traced),
    )


def lackey(folder: Path) -> tuple[int, float] | None:
    """Accesses and time [s] of valgrind's tracer on a short program; None without valgrind."""
    if shutil.which("valgrind") is None:
        return None
    compiled = compile_program(PROGRAMS["GEMM"], level="O1", defines=SHORT)
    executable = plain_program(compiled, folder)
    start = time.perf_counter()
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", str(executable)]
    text = subprocess.run(command, capture_output=True, check=True).stderr
    taken = time.perf_counter() - start
    return len(re.findall(rb"^ [LSM] ", text, re.MULTILINE)), taken


def long_trace() -> tuple[int, int, float]:
    """Accesses, memory of the reader and of its largest child [B], time [s] of a long trace."""
    command = [sys.executable, "-c", MEMORY, str(PROGRAMS["GEMM"]), str(LONG["TIMES"])]
    words = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    return int(words[0]), int(words[1]), float(words[2])


def main() -> None:
    """Measure, print, and say by the exit code whether rate and memory are as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write table.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        rows = [
            measured(each, level, folder) for each in PROGRAMS for level in ("as-written", "O1")
        ]
        rival = lackey(folder)
    accesses, memory, taken = long_trace()
    lines = [
        "# Tracing",
        "",
        f"Measured on {processor()}, load {os.getloadavg()[0]:.1f} at the end.",
        "",
        "| program | level | accesses [10^6] | plain [s] | counts only | trace, decoded "
        "| accesses per second [10^6/s] |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.program} | {row.level} | {row.accesses / 1e6:.1f} | {row.plain:.3f} "
        f"| x {row.counted / row.plain:.2f} | x {row.traced / row.plain:.1f} "
        f"| {row.rate / 1e6:.0f} |"
        for row in rows
    ]
    lines += [
        "",
        f"A trace of {accesses / 1e6:.0f} million accesses took {taken:.1f} s and "
        f"{memory / 2**20:.0f} MiB: the reader's most, and that of compiler, linker or program, "
        "whichever takes most.",
    ]
    if rival:
        count, slow = rival
        lines += ["", f"valgrind's lackey: {count / slow / 1e6:.2f} million accesses per second."]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        (HERE / "table.md").write_text(text, encoding="utf-8")
    raise SystemExit(min(row.rate for row in rows) < WANTED_RATE or memory > WANTED_MEMORY)


if __name__ == "__main__":
    main()
