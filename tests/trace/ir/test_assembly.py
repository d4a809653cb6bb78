"""LLVM's assembly, taken apart: against what llvmlite says of the same module."""

import re
from collections.abc import Callable

import llvmlite.binding as llvm
import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.ir.assembly import parse
from logca.trace.ir.operands import type_at, value
from logca.trace.ir.statements import Statement, statement_of

PROGRAM = """
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct pair { long a; double b; };
struct big { double v[9]; int n; };
static struct pair swap(struct pair p) { struct pair q = {(long)p.b, (double)p.a}; return q; }
static double first(struct big b, int i) { return b.v[i] + b.n; }
static int total(int n, ...) {
  va_list list; va_start(list, n); int s = 0;
  while (n--) s += va_arg(list, int);
  va_end(list); return s;
}
static int chosen(int k) {
  switch (k) { case 1: return 4; case 2: case 3: k++; case 7: return k; default: return -k; }
}
int counter;
int main(int argc, char **argv) {
  struct big b; memset(&b, 0, sizeof b); b.n = argc;
  int (*f)(int) = argc > 1 ? chosen : puts ? chosen : 0;
  static void *where[] = {&&one, &&two};
  goto *where[argc & 1];
one: __sync_fetch_and_add(&counter, 1);
two: __atomic_compare_exchange_n(&counter, &b.n, 3, 0, 5, 5);
  long double w = argc; _Bool t = w > 2;
  printf("%d %g %d %s\\n", f(argc), first(b, 1) + swap((struct pair){1, 2.0}).b, total(2, 3, t),
         "a } { [ string, with %names and label %x");
  __asm__ volatile("nop" ::: "memory");
  return 0;
}
"""


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_statements_agree_with_llvm(compiled: Callable[..., Compiled], level: str) -> None:
    text = compiled(PROGRAM, level=level).ir
    theirs = [
        function
        for function in llvm.parse_assembly(text, context=llvm.create_context()).functions
        if not function.is_declaration
    ]
    ours = parse(text).bodies
    assert [body.name for body in ours] == [function.name for function in theirs]
    for body, function in zip(ours, theirs, strict=True):
        assert [name[1:] for name in body.arguments] == [a.name for a in function.arguments]
        assert [part.name[1:] for part in body.blocks] == [b.name for b in function.blocks]
        for part, block in zip(body.blocks, function.blocks, strict=True):
            for statement, instruction in zip(part.statements, block.instructions, strict=True):
                same_statement(statement, instruction)


def same_statement(ours: Statement, theirs: llvm.ValueRef) -> None:
    assert ours.opcode == theirs.opcode
    assert ours.name[1:] == theirs.name
    if ours.opcode != "store" and not (ours.opcode == "extractvalue" and not ours.type):
        assert ours.type == str(theirs.type)
    operands = list(theirs.operands)
    kinds = llvm.ValueKind
    registers = {
        operand.name
        for operand in operands
        if operand.value_kind in {kinds.instruction, kinds.argument}
    }
    assert {name[1:] for name in ours.uses} == registers
    labels = [operand.name for operand in operands if operand.value_kind == kinds.basic_block]
    if ours.opcode != "phi":
        assert {name[1:] for name in ours.labels} == set(labels)
    if ours.opcode == "call":
        called = operands[-1]
        assert ours.callee == (called.name if called.value_kind == kinds.function else "")


@pytest.mark.parametrize(
    ("line", "opcode", "type_", "operands"),
    [
        ("  %a = load atomic i32, ptr %p seq_cst, align 4", "load", "i32", ["%p"]),
        ("  store volatile double 1.0, ptr @g, align 8", "store", "double", ["1.0", "@g"]),
        ("  %a = icmp samesign ult i32 %x, 4", "icmp", "i1", ["%x", "4"]),
        ("  %a = fadd fast double %x, %y", "fadd", "double", ["%x", "%y"]),
        ("  %a = atomicrmw add ptr %p, i64 2 acquire, align 8", "atomicrmw", "i64", ["%p", "2"]),
        ("  %a = phi i32 [ 0, %b ], [ %c, %d ]", "phi", "i32", ["0", "%c"]),
        (
            '  %a = tail call fastcc noundef i32 (ptr, ...) @"odd name"(ptr noundef @s, i32 %x) #2',
            "call",
            "i32",
            ["@s", "%x"],
        ),
        ("  %a = call double %f(double %x), !dbg !3", "call", "double", ["%x"]),
    ],
)
def test_a_statement(line: str, opcode: str, type_: str, operands: list[str]) -> None:
    found = statement_of(line)
    assert (found.opcode, found.type, found.operands) == (opcode, type_, operands)


@pytest.mark.parametrize(
    "line",
    [
        "  %a = load %struct.s, ptr getelementptr (%struct.s, ptr @g, i64 0, i32 1), align 8",
        "  %a = getelementptr inbounds [4 x %struct.s], ptr %b, i64 0, i64 %c, i32 2",
        "  %a = call { %struct.s, i64 } @f(ptr @g, ptr nonnull %b, i64 7), !dbg !3",
        "  call void %b(i32 %c, ptr @f)",
        "  %a = phi ptr [ %b, %c ], [ @g, %d ], [ null, %e ]",
        "  br i1 %a, label %b, label %c",
        "  %a = add i32 %b, %b",
    ],
)
def test_statements_of_one_shape_differ_in_names_alone(line: str) -> None:
    def other(text: str) -> str:
        return re.sub(r"(?<=[%@])[-\w.$]+", r"\g<0>._1", text)

    one, renamed = statement_of(line), statement_of(other(line))
    assert (renamed.opcode, renamed.operation) == (one.opcode, one.operation)
    assert renamed.location == one.location
    for name in ("name", "type", "stepped"):
        assert getattr(renamed, name) == other(getattr(one, name))
    for name in ("operands", "labels", "uses"):
        assert getattr(renamed, name) == [other(each) for each in getattr(one, name)]
    assert renamed.callee == (f"{one.callee}._1" if one.callee else "")


def test_metadata_behind_a_statement() -> None:
    found = statement_of("  br label %x, !dbg !12, !llvm.loop !67")
    assert (found.location, found.loop, found.labels) == (12, 67, ["%x"])


def test_the_value_of_an_operand_with_attributes() -> None:
    assert value("ptr noundef nonnull align 8 dereferenceable(16) %x") == "%x"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("i32 %x", "i32"),
        ("ptr addrspace(1) %x", "ptr addrspace(1)"),
        ("<{ i8, [2 x i8] }> %x", "<{ i8, [2 x i8] }>"),
        ('%"struct.with space" %x', '%"struct.with space"'),
        ("noundef i32", ""),
    ],
)
def test_a_type_ends_where_llvm_ends_it(text: str, type_: str) -> None:
    assert type_at(text) == (type_, len(type_))
