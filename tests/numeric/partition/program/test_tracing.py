"""C programs, traced once: every access has its block, and the CPU alone sees plain caches."""

from pathlib import Path

import numpy as np
import pytest
from accesses_by_outcome import counts

from logca.common.errors import TraceError
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.costs import costs_of
from logca.numeric.partition.problem.platform import platform
from logca.numeric.partition.program.tracing import traced

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

KENTER = platform("kenter2010")
COPIED = """
#include <stdio.h>
#include <unistd.h>
static int a[64];
int main(int argc, char **argv) {
    for (int i = 0; i < 64; i++)
        a[i] = i;
    if (argc > 1 && !fork())
        _exit(a[7]);
    fprintf(stderr, "usage: \\033 %s\\n N\\n", "copied");
    return argc > 2 ? 0 : 3;
}
"""
PROGRAM = """
#include <stdlib.h>
static double a[2048];
static double sum(const double *v, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}
int main(int argc, char **argv) {
    for (int i = 0; i < 2048; i++)
        a[i] = i;
    if (argc > 1)
        abort();
    return sum(a, 2048) + sum(a, 1024) != 2096128 + 523776;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sums.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_the_cpu_alone_has_plain_caches(source: Path) -> None:
    """16 KiB fit into 32 KiB: each line misses once, when it is written first."""
    found = traced(source, KENTER)
    assert found.problem.name == "sums"
    assert found.run.recorded == found.signatures.accesses == 2048 + 2048 + 1024
    nothing = np.zeros(len(found.problem.blocks), np.bool_)
    for design in DESIGNS.values():
        cpu, accelerator = counts(found.signatures, design, nothing)
        assert accelerator.sum() == 0
        assert cpu.sum(axis=1).tolist() == [5120 - 256, 0, 256]


def test_what_moves_takes_its_accesses_along(source: Path) -> None:
    found = traced(source, KENTER)
    names = [block.name for block in found.problem.blocks]
    loop = np.array([name.startswith("sum:") for name in names])
    cpu, accelerator = counts(found.signatures, DESIGNS["SL2+"], loop)
    assert (cpu.sum(), accelerator.sum()) == (2048, 3072)
    # the accelerator finds in L2, changed by the CPU, what it reads for the first time
    assert accelerator.tolist() == [[3072 - 256, 0], [0, 256], [0, 0]]
    assert costs_of(found.problem, KENTER).instance.blocks == len(names)


def test_a_program_that_does_not_end_well_is_refused(source: Path) -> None:
    with pytest.raises(TraceError, match="a partition needs the whole run"):
        traced(source, KENTER, args=["now"])


def test_a_program_that_copies_itself_is_refused_if_it_does(tmp_path: Path) -> None:
    path = tmp_path / "copied.c"
    path.write_text(COPIED, encoding="utf-8")
    with pytest.raises(TraceError, match=r"a copy of itself at .*copied\.c:8 \(fork\).* whole run"):
        traced(path, KENTER, args=["now", "again"])
    (note,) = traced(path, KENTER).problem.notes
    assert "exit status 3" in note
    assert note.endswith("; it wrote: usage:  copied N")


def test_a_program_that_ends_well_needs_no_note(source: Path) -> None:
    assert traced(source, KENTER).problem.notes == ()
