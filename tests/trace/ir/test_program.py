"""Programs as data: numbers that index, and questions about loops."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled

Compile = Callable[..., Compiled]

PROGRAM = """
double A[8][8], B[8], total;
static void row(double *r) { for (int k = 0; k < 8; k++) r[k] = 0; }
int main(int argc, char **argv) {
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) A[i][j] = B[j];
    B[i] = 1;
  }
  for (int i = 0; i < argc; i++) total += B[i];
  row(A[0]);
  switch (argc) { case 1: case 2: return 1; case 3: total = 1; default: ; }
  return 0;
}
"""


@pytest.mark.parametrize("level", ["as-written", "O1"])
@pytest.mark.parametrize("inline", [False, True])
def test_numbers_index(compiled: Compile, level: str, inline: bool) -> None:
    program = compiled(PROGRAM, level=level, inline=inline).program
    for parts in (program.blocks, program.edges, program.loops, program.accesses):
        assert [part.id for part in parts] == list(range(len(parts)))
    assert [b for f in program.functions for b in f.blocks] == list(range(len(program.blocks)))
    edges = [(edge.source, edge.target) for edge in program.edges]
    assert edges == [(b.id, s) for b in program.blocks for s in b.successors]
    assert len(set(edges)) == len(edges)
    for loop in program.loops:
        assert loop.header in loop.blocks
        assert {(latch, loop.header) for latch in loop.latches} <= set(edges)
        assert len(program.chain_of(loop.id)) == loop.depth + 1
    for value in program.values:
        home = program.blocks[value.defined_in]
        names = {i.name for i in home.instructions}
        assert value.name in names or home.id in {f.blocks[0] for f in program.functions}
        for block in value.used_in:
            assert any(value.name in i.uses for i in program.blocks[block].instructions)


def test_questions_about_loops(compiled: Compile) -> None:
    program = compiled(PROGRAM).program
    (outer,) = (loop for loop in program.loops if loop.line == 5)
    inner = outer.id + 1
    assert [loop.id for loop in program.loops_of[outer.id]] == [outer.id, inner]
    assert program.chain_of(inner) == (outer.id, inner)
    assert program.chain_of(None) == ()
    assert [access.array for access in program.accesses_of[outer.id]] == ["B", "A", "B"]
    assert [access.array for access in program.accesses_of[inner]] == ["B", "A"]


def test_a_loop_without_accesses_has_no_first_one(compiled: Compile) -> None:
    program = compiled("int f(int n) { int s = 1; while (n--) s *= 3; return s; }").program
    assert program.accesses_of[0] == ()


def test_one_edge_for_several_cases_of_a_switch(compiled: Compile) -> None:
    program = compiled(PROGRAM).program
    (block,) = (b for b in program.blocks if b.instructions[-1].opcode == "switch")
    assert len(block.successors) == 3


def test_registers_that_cross_blocks(compiled: Compile) -> None:
    program = compiled(
        "int g(int); int f(int a, int b) { int c = a * b; if (a) c += g(b); return c; }"
    ).program
    entry, then, end = program.blocks
    found = {value.name: (value.defined_in, value.used_in) for value in program.values}
    # a is read in the entry only; the sum is merged at the end
    product = next(i.name for i in entry.instructions if i.opcode == "mul")
    total = next(i.name for i in then.instructions if i.opcode == "add")
    assert found == {
        "b": (entry.id, (then.id,)),
        product: (entry.id, (then.id, end.id)),
        total: (then.id, (end.id,)),
    }
    assert {value.bits for value in program.values} == {32}


def test_blocks_have_lines(compiled: Compile) -> None:
    program = compiled(PROGRAM).program
    (inner,) = (loop for loop in program.loops if loop.line == 6)
    assert {program.blocks[b].first_line for b in inner.blocks} == {6}
    assert {program.blocks[b].last_line for b in inner.blocks} == {6}
