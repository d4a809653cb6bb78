"""Accesses: what, how large, in which order, and where in the assembly."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.ir.assembly import parse

Compile = Callable[..., Compiled]


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_an_access_is_found_in_the_assembly(compiled: Compile, level: str) -> None:
    found = compiled(
        "double A[4][4]; float B[4]; struct S { int a; char c; } s; _Bool t; short *p;"
        "void f(int n) { for (int i = 0; i < n; i++) { A[i][1] = B[i]; s.c = s.a; *p = t; } }",
        level=level,
    )
    parts = {
        (body.name, part.name[1:]): part for body in parse(found.ir).bodies for part in body.blocks
    }
    for access in found.program.accesses:
        block = found.program.blocks[access.block]
        statement = parts[block.function, block.name].statements[access.index]
        assert statement.opcode == ("store" if access.store else "load")
        assert statement.type == access.type
    sizes = {(a.array, a.type): (a.size, a.real) for a in found.program.accesses}
    assert sizes[("A", "double")] == (8, True)
    assert sizes[("B", "float")] == (4, True)
    assert sizes[("s", "i8")] == (1, False)
    assert sizes[("t", "i8")] == (1, False)


def test_vectors_of_floats_are_real_and_those_of_integers_are_not(compiled: Compile) -> None:
    found = compiled(
        "typedef float F __attribute__((vector_size(8)));"
        "typedef int I __attribute__((vector_size(8)));"
        "F a, b; I m, n; void f(void) { a = b; m = n; }"
    )
    assert {(a.array, a.real) for a in found.program.accesses} == {
        *(("a", True), ("b", True)),
        *(("m", False), ("n", False)),
    }


def test_copies_fills_and_atomics(compiled: Compile) -> None:
    program = compiled(
        "#include <string.h>\nstruct S { double v[8]; } a, b; char c[9], d[9]; int n;\n"
        "void f(unsigned k) { a = b; memcpy(c, d, k); memmove(d, c, 3); memset(c, 0, 9);"
        " __sync_fetch_and_add(&n, 1); }"
    ).program
    assert [(a.array, a.store, a.size) for a in program.accesses] == [
        *[("b", False, 64), ("a", True, 64)],
        *[("d", False, 0), ("c", True, 0)],
        *[("c", False, 3), ("d", True, 3)],
        ("c", True, 9),
        *[("n", False, 4), ("n", True, 4)],
    ]
    places = [(a.block, a.index) for a in program.accesses]
    assert places[0] == places[1]
    assert places[0] != places[2]


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_numbers_follow_the_order_of_the_source(compiled: Compile, level: str) -> None:
    program = compiled(
        """
        double a[99], b[99], c[99];
        void f(int n) {
          a[0] = 1;
          for (int i = 0; i < n; i++) {
            b[0] = 1;
            for (int j = 0; j < n; j++)
              if (c[j] > 0) { if (c[i] > 1) break; a[j] = 2; }
              else b[j] = 3;
            for (int j = 1; j < n; j++)
              c[j] = a[j];
            if (a[i] == 4) return;
            b[i] = 5;
          }
          c[0] = 6;
        }""",
        level=level,
    ).program
    # the optimiser joins the stores of lines 8 and 9 to one without a line
    stores = [access.line for access in program.accesses if access.store and access.line]
    assert stores == sorted(stores)
    assert [loop.line for loop in program.loops] == [5, 7, 10]
    assert [loop.parent for loop in program.loops] == [None, 0, 0]
    positions = [loop.position for loop in program.loops]
    assert positions == sorted(positions)


def test_accesses_know_their_innermost_loop(compiled: Compile) -> None:
    program = compiled(
        "double a[9]; void f(int n) { a[0] = 1;\nfor (int i = 0; i < n; i++) {\na[1] = 1;\n"
        "for (int j = 0; j < n; j++)\na[2] = 1;\na[3] = 1; }\na[4] = 1; }"
    ).program
    assert [access.loop for access in program.accesses] == [None, 0, 1, 0, None]
    for access in program.accesses:
        block = program.blocks[access.block]
        assert block.loop == access.loop
        assert access.loop is None or access.block in program.loops[access.loop].blocks


def test_arrays_in_a_structure_by_value_have_the_names_of_its_members(compiled: Compile) -> None:
    """LLVM splits such a structure, and tells its parts by where they begin [bit]."""
    program = compiled(
        "struct S { double *u, *v; int n; };"
        "static void work(struct S a) { for (int i = 0; i < a.n; i++) a.v[i] = 2 * a.u[i]; }"
        "double *x, *y; int main(int n, char **_) { struct S a = {x, y, n}; work(a); return 0; }",
        inline=True,
        by_elements=True,
    ).program
    inside = program.loops[0].blocks
    arrays = [(each.array, each.store) for each in program.accesses if each.block in inside]
    assert arrays == [("a.u", False), ("a.v", True)]
