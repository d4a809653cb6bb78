"""Loops that become threads: what `logca gpu` chooses in PolyBench's kernels, beside CUDA versions.

The programs of examples/polybench mark the loops that are threads in PolyBench/GPU's CUDA version,
or, where it has none, those that carry nothing as they are written. Here they are chosen without
these directives. Run as `python -m benchmarks.gpu.loops`; `--write` writes docs/gpu-loops.md.
"""

import argparse
import re
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from logca.common.limits import Limits
from logca.gpu.loops.detection import Loops, detected
from logca.gpu.program.running import Executable, counted
from logca.gpu.program.workload import workload
from logca.trace.compile.driver import compile_program

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "gpu-loops.md"
KERNELS = ROOT / "examples" / "polybench"

PORTED = {
    "2mm": "2mm",
    "3mm": "3mm",
    "adi": "adi",
    "atax": "atax",
    "bicg": "bicg",
    "correlation": "corr",
    "covariance": "covar",
    "doitgen": "doitgen",
    "fdtd-2d": "fdtd-2d",
    "gemm": "gemm",
    "gemver": "gemver",
    "gesummv": "gesummv",
    "gramschmidt": "gramschm",
    "jacobi-1d": "jacobi-1d",
    "jacobi-2d": "jacobi-2d",
    "lu": "lu",
    "mvt": "mvt",
    "syr2k": "syr2k",
    "syrk": "syrk",
}
"""Kernels with a CUDA version in PolyBench/GPU 1.0 (PolyBench-ACC, CUDA/), and our file's name."""

OTHERS = (
    *("cholesky", "deriche", "durbin", "floyd-warshall", "heat-3d", "ludcmp", "nussinov"),
    *("seidel-2d", "symm", "trisolv", "trmm"),
)
"""Those without."""

REASONS = {
    "doitgen": "a thread for each vector, whose row is its own; the port keeps all rows in "
    "memory, and has a launch of threads (q, p) for each r",
    "covariance": "the loop inside carries nothing either: threads in a triangle, where the port "
    "has them in a row",
}
"""Where another choice is as good, or better."""

_INTRODUCTION = """\
# Loops that become threads in PolyBench's kernels

In {same} of {all} kernels of PolyBench/C `logca gpu` chooses the loops that a port to GPUs makes
threads. `make gpu-loops` writes this page: each program of
[examples/polybench](../examples/polybench/README.md) is looked at without its directives, at its
trace size.

**CUDA** says whether PolyBench/GPU 1.0 (Grauer-Gray et al. 2012; in PolyBench-ACC, folder CUDA) has
the kernel. Then the loops under directives are those whose iterations are its threads, and the
program has the loops that it has, in its order. For the other kernels they are the loops that carry
nothing as PolyBench/C writes them; `none` if there is none, which `logca gpu` should say too. Loops
are named by the line of the outermost one and their variables, outermost first; those that iterate
once, and those of `main`, are left out.

PolyBench/C has its products in the order i, k, j. In that order `logca gpu` predicts a thread for
each i, as they are written, and `--advise` offers one for each i and j first
([gpu.md](gpu.md#which-loops-become-threads)).
"""

Nests = tuple[tuple[int, ...], ...]


class Row(NamedTuple):
    """A kernel: what a port makes threads, what is chosen, and whether that is the same."""

    kernel: str
    ported: bool
    marked: str
    chosen: str
    same: bool
    remark: str


def chosen(text: str, name: str) -> tuple[Loops, Nests]:
    """What is chosen in a program, and the loops of each kernel that iterate, outside of main."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.c"
        path.write_text(text)
        program = Executable(
            compiled=compile_program([path], includes=[KERNELS], inline=True),
            arguments=(),
            limits=Limits(time_s=20),
        )
        found = detected(workload(counted(program), lambda sizes: program, {}, {}))
    loops = found.workload.static.loops
    return found, tuple(
        dict.fromkeys(
            tuple(loops[loop].line for loop in nest.loops)
            for nest in found.nests
            if loops[nest.loop].source_function != "main"
            and (len(nest.loops) > 1 or found.workload.trips(nest.loop).mean > 1)
        )
    )


def row(kernel: str) -> Row:
    """The row of a kernel."""
    file = PORTED.get(kernel, kernel)
    text = (KERNELS / f"{file}.c").read_text()
    directive = re.compile(r"^#pragma logca offload.*$", re.MULTILINE)
    marked: Nests = chosen(text, file)[1] if directive.search(text) else ()
    found, own = chosen(directive.sub("", text), file)
    despite = any(nest.reason.startswith("no loop has independent") for nest in found.nests)
    small = next((n for n in found.notes if "less than 1 %" in n), "")
    missing, more = set(marked) - set(own), set(own) - set(marked)
    tiny = bool(small) and all(f"line {nest[0]}" in small for nest in missing)
    remark = REASONS.get(kernel, "")
    if not missing and not more:
        remark = "predicted against dependences, which the report says first" if despite else ""
    elif despite and not marked:
        remark = "none carries nothing, which the report says first"
    elif not more and tiny:
        remark = "less than 1 % of the instructions are left out: lines " + ", ".join(
            str(nest[0]) for nest in sorted(missing)
        )
    same = (not missing and not more) or (despite and not marked) or (not more and tiny)
    shown = () if despite and not marked else own
    return Row(kernel, kernel in PORTED, _words(marked, text), _words(shown, text), same, remark)


def _words(nests: Nests, text: str) -> str:
    """Variables of the loops of each nest, with the line of the outermost one."""
    lines = text.splitlines()

    def name(line: int) -> str:
        found = re.search(r"for \(\w+ (\w+)", lines[line - 1])
        return found[1] if found else "?"

    return "; ".join(f"{nest[0]}: {' '.join(map(name, nest))}" for nest in nests) or "none"


def rows(kernels: Sequence[str], jobs: int) -> list[Row]:
    """The rows of several kernels."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(row, kernels))


def table(found: Sequence[Row]) -> str:
    """The page."""
    same = sum(each.same for each in found)
    lines = [
        _INTRODUCTION.format(same=same, all=len(found)),
        "| kernel | CUDA | threads there | chosen | same | remark |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *map(line_of, found), ""])


def line_of(each: Row) -> str:
    """A row as a line of the table."""
    cells = (
        each.kernel,
        "yes" if each.ported else "no",
        each.marked,
        each.chosen,
        "yes" if each.same else "no",
        each.remark,
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/gpu-loops.md")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    text = table(rows(sorted([*PORTED, *OTHERS]), asked.jobs))
    if asked.write:
        TABLE.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
