"""Random C programs against an interpreter of the same programs in Python.

The programs write to one volatile array, each statement on a line of its own, so that every
optimiser must keep every access in its order, and the line tells which one it was.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from logca.common.errors import TraceError
from logca.trace.compile.driver import Compiled
from logca.trace.execute import run as execution
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run, run
from logca.trace.instrument.plan import plan
from logca.trace.instrument.records import PAGE_BITS

Compile = Callable[..., Compiled]
FUNCTIONS = 12
SEEDS = (1, 3)
CELLS = 64


@dataclass(slots=True)
class Node:
    """A statement: its kind, its numbers, its parts, and the line it was printed on."""

    kind: str
    numbers: tuple[int, ...] = ()
    parts: list[list["Node"]] = field(default_factory=list)
    line: int = 0


class Break(Exception):
    """A jump out of a loop."""


class Continue(Exception):
    """A jump to the next iteration."""


class Return(Exception):
    """A jump out of a function."""


JUMPS = {"break": Break, "continue": Continue, "return": Return}


class Writer:
    """Makes up functions and prints them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["#include <stdlib.h>", f"volatile int A[{CELLS}];", "int budget;"]
        self.functions: list[list[Node]] = []

    def block(self, depth: int, loops: int, number: int) -> list[Node]:
        pick = self.random.choice
        nodes = [self.access()]
        for _ in range(self.random.randint(1, 3)):
            kinds = ["access", "access"]
            if depth < 4:
                kinds += ["for", "for", "while", "do", "if", "switch", "call", "tested"]
            if loops:
                kinds += ["break", "continue"]
            kind = pick(kinds + ["return"] * (self.random.random() < 0.1))
            if kind == "access":
                nodes.append(self.access())
            elif kind in {"for", "while", "do", "tested"}:
                nodes.append(Node(kind, (depth, self.random.randint(0, 4))))
                nodes[-1].parts = [self.block(depth + 1, loops + 1, number)]
            elif kind == "if":
                nodes.append(Node("if", self.condition()))
                nodes[-1].parts = [self.block(depth + 1, loops, number) for _ in range(2)]
            elif kind == "switch":
                nodes.append(Node("switch", (self.random.randint(0, 3),)))
                nodes[-1].parts = [[self.access()] for _ in range(3)]
            elif kind == "call":
                nodes.append(Node("call", (self.random.randint(0, FUNCTIONS - 1),)))
            else:
                nodes.append(Node(kind, self.condition()))
        return nodes

    def access(self) -> Node:
        return Node("access", tuple(self.random.randint(0, 9) for _ in range(3)))

    def condition(self) -> tuple[int, int, int]:
        return self.random.randint(0, 3), self.random.randint(0, 3), self.random.randint(2, 4)

    def print(self, nodes: list[Node], depth: int) -> None:
        for node in nodes:
            self.node(node, depth)

    def node(self, node: Node, depth: int) -> None:
        lines, n = self.lines, node.numbers
        value = "v0 + v1 + v2 + v3"
        if node.kind in {"break", "continue", "return"}:
            test = f"({n[0]} + {n[1]} * a + {value}) % {n[2]} == 0"
            what = "return" if node.kind == "return" else node.kind
            lines.append(f"if ({test}) {what};")
            node.line = len(lines)
        elif node.kind == "access":
            lines.append(f"A[({n[0]} + {n[1]} * a + {n[2]} * ({value})) & {CELLS - 1}] = {n[0]};")
            node.line = len(lines)
        elif node.kind == "if":
            lines.append(f"if (({n[0]} + {n[1]} * a + {value}) % {n[2]} == 0) {{")
            self.print(node.parts[0], depth + 1)
            lines.append("} else {")
            self.print(node.parts[1], depth + 1)
            lines.append("}")
        elif node.kind == "switch":
            lines.append(f"switch (({n[0]} + {value}) & 3) {{")
            for case, part in enumerate(node.parts):
                lines.append(f"case {case}:")
                self.print(part, depth + 1)
                if case == 1:
                    lines.append("break;")
            lines.append("}")
        elif node.kind == "call":
            lines.append(f"if (budget-- > 0) f{n[0]}(a + 1);")
        else:
            self.loop(node)

    def loop(self, node: Node) -> None:
        lines, (level, count) = self.lines, node.numbers
        v = f"v{level}"
        if node.kind == "for":
            lines.append(f"for ({v} = 0; {v} < {count}; {v}++) {{")
        elif node.kind == "while":
            lines.append(f"{v} = {count};")
            lines.append(f"while ({v}-- > 0) {{")
        elif node.kind == "do":
            lines.append(f"{v} = 0;")
            lines.append("do {")
        else:
            lines.append(f"{v} = -1;")
            lines.append(f"while (A[{level}], ++{v} < {count}) {{")
        node.line = len(lines)
        self.print(node.parts[0], level + 1)
        lines.append(f"}} while (++{v} < {count});" if node.kind == "do" else "}")

    def program(self) -> str:
        self.functions = [self.block(0, 0, number) for number in range(FUNCTIONS)]
        self.lines += [f"void f{number}(int a);" for number in range(FUNCTIONS)]
        for number, nodes in enumerate(self.functions):
            self.lines.append(f"void f{number}(int a) {{")
            self.lines.append("int v0 = 0, v1 = 0, v2 = 0, v3 = 0;")
            self.print(nodes, 0)
            self.lines.append("}")
        self.lines.append("int main(void) {")
        for number in range(FUNCTIONS):
            self.lines.append("budget = 6;")
            self.lines.append(f"f{number}(1);")
        self.lines.append("return 0;\n}")
        return "\n".join(self.lines)


@dataclass(slots=True)
class Event:
    """An access: line, cell, loops in its function as (line, iteration, entry), all iterations."""

    line: int
    cell: int
    loops: tuple[tuple[int, int, int], ...]
    iterations: tuple[int, ...]


class Interpreter:
    """Runs the functions of a writer."""

    def __init__(self, functions: list[list[Node]]) -> None:
        self.functions = functions
        self.events: list[Event] = []
        self.entries: Counter[int] = Counter()
        self.budget = 0

    def main(self) -> list[Event]:
        for number in range(FUNCTIONS):
            self.budget = 6
            self.call(number, 1, ())
        return self.events

    def call(self, number: int, a: int, outer: tuple[int, ...]) -> None:
        with suppress(Return):
            Frame(self, a, outer).run(self.functions[number])


class Frame:
    """One call of a function."""

    def __init__(self, machine: Interpreter, a: int, outer: tuple[int, ...]) -> None:
        self.machine, self.a, self.outer = machine, a, outer
        self.v = [0] * 4
        self.loops: list[list[int]] = []

    def touch(self, line: int, cell: int) -> None:
        loops = tuple((line, iteration, entry) for line, iteration, entry in self.loops)
        own = tuple(iteration for _, iteration, _ in loops)
        self.machine.events.append(Event(line, cell, loops, self.outer + own))

    def run(self, nodes: list[Node]) -> None:
        for node in nodes:
            self.step(node)

    def step(self, node: Node) -> None:
        n, machine = node.numbers, self.machine
        if node.kind in {"break", "continue", "return"}:
            if (n[0] + n[1] * self.a + sum(self.v)) % n[2] == 0:
                raise JUMPS[node.kind]
        elif node.kind == "access":
            self.touch(node.line, (n[0] + n[1] * self.a + n[2] * sum(self.v)) & (CELLS - 1))
        elif node.kind == "if":
            test = (n[0] + n[1] * self.a + sum(self.v)) % n[2] == 0
            self.run(node.parts[0 if test else 1])
        elif node.kind == "switch":
            chosen = (n[0] + sum(self.v)) & 3
            for case in range(chosen, 2 if chosen < 2 else 3):
                self.run(node.parts[case])
        elif node.kind == "call":
            machine.budget -= 1
            if machine.budget >= 0:
                own = tuple(iteration for _, iteration, _ in self.loops)
                machine.call(n[0], self.a + 1, self.outer + own)
        else:
            self.loop(node)

    def headers(self, node: Node) -> Iterator[None]:
        """The tests of a loop, each followed by the body if it holds."""
        level, count = node.numbers
        v, frame = self.v, self.loops[-1]
        if node.kind == "for":
            v[level] = 0
            while v[level] < count:
                frame[1] += 1
                yield
                v[level] += 1
        elif node.kind == "while":
            v[level] = count
            while True:
                v[level] -= 1
                if v[level] < 0:
                    return
                frame[1] += 1
                yield
        elif node.kind == "do":
            v[level] = 0
            while True:
                frame[1] += 1
                yield
                v[level] += 1
                if v[level] >= count:
                    return
        else:
            v[level] = -1
            while True:
                frame[1] += 1
                self.touch(node.line, level)
                v[level] += 1
                if v[level] >= count:
                    return
                yield

    def loop(self, node: Node) -> None:
        with suppress(Break), self.inside(node):
            for _ in self.headers(node):
                with suppress(Continue):
                    self.run(node.parts[0])

    @contextmanager
    def inside(self, node: Node) -> Iterator[None]:
        self.machine.entries[node.line] += 1
        self.loops.append([node.line, -1, self.machine.entries[node.line]])
        try:
            yield
        finally:
            self.loops.pop()


@dataclass(slots=True)
class Case:
    """A random program: what it should do, and what it did."""

    compiled: Compiled
    expected: list[Event]
    known: dict[object, tuple[Run, dict[str, np.ndarray]]] = field(default_factory=dict)

    def trace(self, nests: tuple[int, ...] | None = None) -> tuple[Run, dict[str, np.ndarray]]:
        """The run, and the columns of what it did with the array."""
        if nests not in self.known:
            self.known[nests] = self.traced(nests)
        return self.known[nests]

    def traced(self, nests: tuple[int, ...] | None) -> tuple[Run, dict[str, np.ndarray]]:
        chunks: list[Chunk] = []
        result = run(self.compiled, nests=nests, on_chunk=chunks.append)
        assert result.ending == "exit", result.message
        assert result.recorded == sum(map(len, chunks))
        accesses = self.compiled.program.accesses
        known = np.array([access.array == "A" for access in accesses])
        columns = {}
        for name in ("access", "address", "size", "iterations", "nest", "launch") if chunks else ():
            parts = [getattr(chunk, name) for chunk in chunks]
            if parts[0] is not None:
                kept = known[np.concatenate([chunk.access for chunk in chunks])]
                columns[name] = np.concatenate(parts)[kept]
        return result, columns


@pytest.fixture(scope="module")
def prepared(compiled: Compile) -> Callable[[int, str], Case]:
    known: dict[tuple[int, str], Case] = {}

    def prepared(seed: int, level: str) -> Case:
        if (seed, level) not in known:
            writer = Writer(seed)
            made = compiled(writer.program(), level=level)
            known[seed, level] = Case(made, Interpreter(writer.functions).main())
        return known[seed, level]

    return prepared


@pytest.fixture(params=SEEDS)
def written(request: pytest.FixtureRequest, prepared: Callable[[int, str], Case]) -> Case:
    """A program whose loops are still those of the source."""
    return prepared(request.param, "as-written")


@pytest.fixture(params=[(seed, level) for seed in SEEDS for level in ("as-written", "O1")], ids=str)
def case(request: pytest.FixtureRequest, prepared: Callable[[int, str], Case]) -> Case:
    return prepared(*request.param)


def test_every_access_is_there_in_its_order(case: Case) -> None:
    _, columns = case.trace()
    accesses = [case.compiled.program.accesses[a] for a in columns["access"]]
    merged = [
        (access, event)
        for access, event in zip(accesses, case.expected, strict=True)
        if access.line != event.line
    ]
    # where the optimiser merges two stores into one, it says that it comes from no line
    assert all(access.line == 0 for access, _ in merged)
    assert not merged or case.compiled.program.level == "O1"
    cells = [event.cell for event in case.expected]
    base = int(columns["address"][0]) - 4 * cells[0]
    assert ((columns["address"].astype(np.int64) - base) // 4).tolist() == cells
    assert set(columns["size"].tolist()) == {4}


def test_iterations_of_all_loops_on_the_way(written: Case) -> None:
    _, columns = written.trace()
    found = columns["iterations"]
    width = found.shape[1]
    expected = [(*event.iterations, *[-1] * width)[:width] for event in written.expected]
    assert width == 16 or all(len(event.iterations) <= width for event in written.expected)
    assert found.tolist() == [list(row) for row in expected]


def test_counts_are_those_of_the_accesses(case: Case) -> None:
    program = case.compiled.program
    with_trace, columns = case.trace()
    without, _ = case.trace(nests=())
    assert without.recorded == 0
    assert np.array_equal(with_trace.edge_counts, without.edge_counts)
    assert np.array_equal(with_trace.block_counts, without.block_counts)
    recorded = np.bincount(columns["access"], minlength=len(program.accesses))
    known = [access for access in program.accesses if access.array == "A"]
    for access in known:
        assert recorded[access.id] == with_trace.block_counts[access.block]
    assert sum(recorded) == len(case.expected)


def test_what_flows_into_a_block_flows_out(case: Case) -> None:
    program = case.compiled.program
    result, _ = case.trace(nests=())
    out = np.zeros(len(program.blocks), np.int64)
    np.add.at(out, [edge.source for edge in program.edges], result.edge_counts)
    for block in program.blocks:
        if block.successors:
            assert out[block.id] == result.block_counts[block.id]


@pytest.mark.parametrize("depth", [0, 1])
def test_a_nest_alone(written: Case, depth: int) -> None:
    program = written.compiled.program
    nests = {loop.line: loop.id for loop in program.loops if loop.depth == depth}
    _, columns = written.trace(nests=tuple(nests.values()))
    expected = []
    for event in written.expected:
        lines = [line for line, _, _ in event.loops]
        if len(lines) > depth and lines[depth] in nests:
            inner = [iteration for _, iteration, _ in event.loops[depth:]]
            expected.append((event.line, nests[lines[depth]], inner, event.loops[depth][2]))
    lines = [program.accesses[a].line for a in columns["access"]]
    assert lines == [line for line, *_ in expected]
    assert columns["nest"].tolist() == [nest for _, nest, *_ in expected]
    rows = [[i for i in row if i >= 0] for row in columns["iterations"].tolist()]
    assert rows == [inner for *_, inner, _ in expected]
    launches: dict[int, dict[int, int]] = {}
    ranks = []
    for _, nest, _, entry in expected:
        known = launches.setdefault(nest, {})
        ranks.append(known.setdefault(entry, len(known)))
    found: dict[int, dict[int, int]] = {}
    pairs = zip(columns["nest"].tolist(), columns["launch"].tolist(), strict=True)
    again = [found.setdefault(n, {}).setdefault(e, len(found.get(n, {}))) for n, e in pairs]
    assert again == ranks


def test_pages_of_sites_change_nothing(written: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    result, columns = written.traced(None)
    program, ir = written.compiled.program, written.compiled.ir
    sites = Counter(access.function for access in program.accesses)
    sites.update(block.function for block in program.blocks for _ in range(2))
    pages = []

    def paged(*arguments: Any, **named: Any) -> Any:
        made = plan(*arguments, **named, capacity=max(sites.values()))
        pages.append(len(made.sites.table) >> PAGE_BITS)
        return made

    monkeypatch.setattr(execution, "plan", paged)
    again, same = written.traced(None)
    assert pages[0] > 1
    assert np.array_equal(again.block_counts, result.block_counts)
    for found in (columns, same):
        found["address"] = found["address"] - found["address"].min()
    for name in columns:
        assert np.array_equal(columns[name], same[name]), name
    with pytest.raises(TraceError, match="too many accesses"):
        plan(program, ir, nests=None, capacity=max(sites.values()) // 2)
