"""The page on PolyBench's kernels, against rows of it made anew."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "gpu-loops.md").read_text()


@pytest.mark.parametrize("kernel", ["doitgen", "lu", "trisolv"])
def test_rows_are_those_of_the_page(monkeypatch: pytest.MonkeyPatch, kernel: str) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    from benchmarks.gpu.loops import line_of, row

    assert line_of(row(kernel)) in PAGE.splitlines()


def test_the_page_has_all_kernels_and_counts_them() -> None:
    pattern = re.compile(r"\| [a-z0-9-]+ \| (yes|no) \|")
    rows = [line.split(" | ") for line in PAGE.splitlines() if pattern.match(line)]
    assert len(rows) == 30
    same = sum(row[4] == "yes" for row in rows)
    assert same >= 27
    assert f"In {same} of 30 kernels" in PAGE
    assert all(row[-1].strip(" |") for row in rows if row[4] == "no")
