"""Line tables from reduced metadata, against those of the code with all of its metadata."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.compile.machine_code import emit
from logca.trace.instrument.faults import image
from logca.trace.instrument.rewriting import instrumented

TEXT = """
struct pair { int first, second; };
static struct pair pairs[8];
static int sum(struct pair one) { return one.first +
    one.second; }
#line 70 "elsewhere.h"
static void fill(int n) {
    for (int i = 0; i < n; i++) {
        struct pair made = { i, sum(pairs[i]) };
        pairs[i] = made;
    }
}
int main(int n, char **v) {
    fill(n & 7);
    return sum(pairs[n & 7]);
}
"""


def rows(ir: str, path: Path) -> set[tuple[int, str, int]]:
    """Addresses at which another line starts, with file and line."""
    emit(ir, path)
    code = image(path)
    found = set()
    before: tuple[str, int] = ("", 0)
    for start, row in zip(code.starts, code.rows, strict=True):
        if row[1] and row[:2] != before:
            found.add((start, *row[:2]))
            before = row[:2]
    return found


@pytest.mark.parametrize("level", ["as-written", "O1"])
@pytest.mark.parametrize("inline", [False, True])
def test_the_code_has_the_same_lines_with_less_metadata(
    compiled: Callable[..., Compiled], tmp_path: Path, level: str, inline: bool
) -> None:
    made = compiled(TEXT, level=level, inline=inline)
    reduced = instrumented(made.program, made.ir, plan=None, counts=False)
    assert "!DIDerivedType(" in made.ir
    assert "!DIDerivedType(" not in reduced
    assert reduced.count("!DILocation(") < made.ir.count("!DILocation(")
    found = rows(reduced, tmp_path / "reduced.o")
    assert found == rows(made.ir, tmp_path / "whole.o")
    assert {file.rpartition("/")[2] for _, file, _ in found} >= {"elsewhere.h"}
