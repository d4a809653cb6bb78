"""How long an answer takes: processor time of each verb, and of calls that runtimes make.

`make bench-response` prints both tables; --write puts them into table.md beside this file. Verbs
are compared with a Python that imports NumPy, calls with the line that people write instead, both
measured in turn with ours; what is wanted is a time for verbs and scalars, a ratio for arrays. A
first run fills the caches: of compiled Python, of compiled loops, of verdicts.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import logca
from benchmarks.measuring import least_times, machine
from logca import numeric

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RUNS = 9
CALLS = 2_000
DEVICE = "--device ultrasparc-t2 --kernel aes"
TIMINGS = "examples/timings/sha256-pipe.csv"
RIVAL = [sys.executable, "-c", "import numpy"]

VERBS = (
    ("formula g1", 0.6),
    ("formula g1 --latency linear --as latex", 0.6),
    (f"explain 128B {DEVICE}", 0.6),
    ("explain 4KiB --o 29000 --L 1500 --C 90 --A 19", 0.6),
    ("devices", 0.6),
    (f"regions {DEVICE}", 0.6),
    (f"granularities {DEVICE}", 0.6),
    (f"decide 4KiB {DEVICE}", 0.6),
    ("decide 4KiB --fit {folder}/fit.json", 0.6),
    ("codegen --lang c --what speedup,g1,should_offload", 0.6),
    (f"codegen --lang c {DEVICE}", 0.6),
    ("check", 0.6),
    ("check --claim 'g1 < gA2' --given 'A > 2, beta > 1'", 1.2),
    (f"plot {DEVICE} --force -o {{folder}}/device.svg", 2.0),
    ("plot fig6 --force -o {folder}/fig6.svg", 2.0),
    (f"fit {TIMINGS} --force -o {{folder}}/fit.json", 2.0),
    ("report {folder}/fit.json --force -o {folder}/report.html", 3.0),
    ("book --force -o {folder}/book.html", 12.0),
)
"""Command lines, and the processor time that is wanted at most [s]."""

HELP = 0.25
"""What the help of a verb may take [s]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Something that one waits for."""

    task: str
    rival: str
    # ours, theirs: time of each [s]
    ours: float
    theirs: float
    most: float  # largest time that is wanted [s]


def processor_time(words: list[str]) -> float:
    """Processor time of a process and what it starts, user and system [s]."""
    # With the variable set, each process would compile all its modules anew.
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = os.times()
    done = subprocess.run(words, capture_output=True, cwd=ROOT, env=variables, check=False)
    after = os.times()
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}: {done.stderr.decode()}")
    return sum(after[2:4]) - sum(before[2:4])


def verbs(folder: Path) -> Iterator[Row]:
    """Each verb's help, and what it is asked most; the fit is there before it is read."""
    from logca.cli.app import app

    names = [str(each.name or each.callback.__name__) for each in app.registered_commands]
    helps = [(f"{name.replace('_', '-')} --help", HELP) for name in sorted(names)]
    logca_itself = [sys.executable, "-m", "logca"]
    first = [*logca_itself, "fit", TIMINGS, "--force", "-o", str(folder / "fit.json")]
    processor_time(first)
    for words, most in (("--help", HELP), *helps, *VERBS):
        command = [*logca_itself, *shlex.split(words.format(folder=folder))]
        processor_time(command)
        times = [(processor_time(command), processor_time(RIVAL)) for _ in range(RUNS)]
        ours, theirs = map(min, zip(*times, strict=True))
        shown = words.replace("{folder}/", "")
        yield Row(task=f"logca {shown}", rival="import numpy", ours=ours, theirs=theirs, most=most)


def naive(g: Any, o: Any, L: Any, C: Any, A: Any, beta: Any) -> Any:
    """The line that people write [1]."""
    return C * g**beta / (o + L + C * g**beta / A)


def calls() -> Iterator[Row]:
    """Numbers that a runtime asks for, and arrays of few points."""
    forms = {
        "constant latency": logca.device("ultrasparc-t2", "aes"),
        "linear latency": logca.Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear"),
    }
    for form, each in forms.items():
        given = {name: float(getattr(each, name)) for name in ("o", "L", "C", "A", "beta")}
        line = partial(naive, 4096.0, **given)
        for name, ours, most in (
            ("speedup(4096)", partial(each.speedup, 4096), 5e-6),
            ("break_even()", each.break_even, 50e-6),
        ):
            mine, other = per_call(ours, line)
            yield Row(
                task=f"Accelerator.{name}, {form}",
                rival="the formula in floats, at one size",
                ours=mine,
                theirs=other,
                most=most,
            )
    values = {"o": 29e3, "L": 1500.0, "C": 90.0, "A": 19.0, "beta": 1.0}
    for points in (1, 10, 100, 1000):
        sizes = np.geomspace(16, 1e6, points)
        mine, other = per_call(
            partial(numeric.speedup, sizes, **values), partial(naive, sizes, **values)
        )
        yield Row(
            task=f"speedup of {points} sizes",
            rival="NumPy one-liner",
            ours=mine,
            theirs=other,
            most=2 * other,
        )


def per_call(*functions: Callable[[], Any]) -> list[float]:
    """The least time of a call of each [s]."""

    def often(function: Callable[[], Any]) -> None:
        for _ in range(CALLS):
            function()

    looped = [partial(often, each) for each in functions]
    return [each / CALLS for each in least_times(*looped, runs=9)]


def table(rows: list[Row], unit: str) -> list[str]:
    """Rows as Markdown, in a unit of time."""
    scale = {"s": 1.0, "µs": 1e6}[unit]
    lines = [
        f"| answer | ours [{unit}] | at most [{unit}] | rival | rival's [{unit}] | ratio |",
        "|---|---:|---:|---|---:|---:|",
    ]
    for each in rows:
        ours, most, theirs = (f"{time * scale:.2f}" for time in (each.ours, each.most, each.theirs))
        late = "" if each.ours <= each.most else " **missed**"
        lines.append(
            f"| `{each.task}` | {ours} | {most}{late} | {each.rival} | {theirs} "
            f"| {each.ours / each.theirs:.1f} |"
        )
    return lines


def main() -> None:
    """Measure, print, and say by the exit code whether all times are as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write table.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shown = list(verbs(Path(folder)))
    called = list(calls())
    head = f"Measured by `make bench-response` on {machine()}; the least of {RUNS} runs."
    text = "\n".join(
        [
            *("# How long an answer takes", "", head, ""),
            *("## On the command line: processor time", "", *table(shown, "s"), ""),
            *("## From Python: time of a call", "", *table(called, "µs"), ""),
        ]
    )
    print(text)
    if options.write:
        (HERE / "table.md").write_text(text, encoding="utf-8")
    raise SystemExit(any(each.ours > each.most for each in (*shown, *called)))


if __name__ == "__main__":
    main()
