"""Summaries of random programs, against ones made straight from the definitions."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca import trace
from logca.common.errors import TraceError
from logca.trace.execute.decoding import Chunk, decoder
from logca.trace.instrument.plan import SitesBuilder
from logca.trace.instrument.records import (
    AGAIN,
    BASE_SITE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
)
from logca.trace.profiling.access_statistics import AccessStatistics
from logca.trace.profiling.findings import AccessFindings, Footprint, Strides

LOOPS = 14
CALLERS = 4
NESTED = f"""
static int a[1 << {LOOPS + 1}];
static void f(int *p) {{
    {"".join(f"for (int i{n} = 0; i{n} < 2; i{n}++) " for n in range(LOOPS))}
        p[{" + ".join(f"(i{n} << {LOOPS - 1 - n})" for n in range(LOOPS))}] = 1;
}}
int main(void) {{
    {"".join(f"for (int c{n} = 0; c{n} < 2; c{n}++) " for n in range(CALLERS))}
        f(a + 3 * c3 + 100 * c2);
    return 0;
}}
"""

QUEENS = 18
PLACES = """
static int used[N], order[N];
static long found;
static void place(int row) {
    if (row == N) { found++; return; }
    for (int c = 0; c < N; c++) {
        if (used[c]) continue;
        used[c] = 1;
        order[row] = c;
        place(row + 1);
        used[c] = 0;
        if (found > 200) return;
    }
}
int main(void) { place(0); return 0; }
"""

TWICE = """
static double x[8], y[8];
static void part(double *a, int one) {
    for (int i = 0; i < 8; i++)
        if (i == one) a[i] = 1;
}
static void every(double *a, int one) {
    for (int k = 0; k < 2; k++) part(a, one);
}
int main(void) {
    part(y, 0); part(x, 1); part(y, 2); part(x, 3);
    for (int t = 4; t < 6; t++) { every(x, t); every(y, t); }
    return 0;
}
"""


def strides(folder: Path, text: str, line: str, **more: Any) -> tuple[Strides, ...]:
    """Strides of the last access of a line."""
    source = folder / "program.c"
    source.write_text(text)
    found = trace.profile(source, **more)
    return next(each for each in found.lines if line in each.text).accesses[-1].strides


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_more_loops_than_a_trace_has_columns(tmp_path: Path, level: str) -> None:
    found = strides(tmp_path, NESTED, "= 1;", level=level)
    *own, outside = found
    # innermost first: half of all executions but the first of each entry go on with that loop
    calls = 2**CALLERS
    assert [each.common for each in own] == [
        ((4 << n, calls << (LOOPS - 1 - n)),) for n in range(LOOPS)
    ]
    # c3 goes on 8 times, c2 4 times, c1 twice and c0 once
    assert outside.cause == "around"
    assert dict(outside.common) == {12: 8, 400: 4, 0: 3}


def test_recursion_deeper_than_a_trace_has_columns(tmp_path: Path) -> None:
    wanted: dict[str, Counter[int]] = {"test": Counter(), "use": Counter(), "free": Counter()}
    used, found = [0] * QUEENS, 0

    def place(row: int) -> None:
        nonlocal found
        if row == QUEENS:
            found += 1
            return
        last: dict[str, int] = {}

        def access(what: str, c: int) -> None:
            if what in last:
                wanted[what][4 * (c - last[what])] += 1
            last[what] = c

        for c in range(QUEENS):
            access("test", c)
            if used[c]:
                continue
            used[c] = 1
            access("use", c)
            place(row + 1)
            used[c] = 0
            access("free", c)
            if found > 200:
                return

    place(0)
    for line, what in (("used[c])", "test"), ("used[c] = 1", "use"), ("used[c] = 0", "free")):
        got = strides(tmp_path, PLACES, line, defines={"N": QUEENS})
        assert [each.cause for each in got] == ["loop", "around", "again"]
        assert dict(got[0].common) == wanted[what]


def test_what_two_entries_of_a_loop_do_is_no_stride_of_the_loop(tmp_path: Path) -> None:
    outside, call = strides(tmp_path, TWICE, "a[i] = 1")
    # the access is executed once in each entry of `i`: 4 of main's calls, then 8 by way of `every`
    assert (outside.cause, call.cause) == ("around", "again")
    assert outside.count + call.count == 11
    # k goes on within each of 4 calls of `every`; t goes on once, from x[4] to x[5]
    assert dict(outside.common) == {0: 4, 8: 1}


Chain = tuple[tuple[int, int], ...]
"""Loops that run, outermost first: which entry of a loop, and which iteration."""

ACCESS_BITS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One execution of an access, with the loops of its function and those of the callers."""

    site: int
    address: int
    size: int
    own: Chain
    callers: Chain


@dataclass(slots=True, kw_only=True)
class Interpreter:
    """Runs random programs: what they record, and what they do.

    A function is a list of statements: ``("access", site)``, ``("loop", number, statements)``,
    ``("call", function)``. Whether one is executed, how often a loop iterates, and which address an
    access reaches is left to chance.
    """

    random: Random
    functions: list[list[tuple]]
    nested: bool
    left: int = 150
    running: int = 0
    builder: SitesBuilder = field(default_factory=SitesBuilder)
    numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    records: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    executions: list[Execution] = field(default_factory=list)
    serial: count = field(default_factory=lambda: count(1))
    launches: int = 0

    def record(
        self, kind: int, low: int, *, access: int = 0, size: int = 0, depth: int = 0
    ) -> None:
        key = kind, access, size, depth
        if key not in self.numbers:
            column = max(depth - 1, 0)
            self.numbers[key] = self.builder.add(
                kind, access=access, size=size, depth=depth, column=column, nest=0
            )
        self.whole.append(len(self.records))
        self.records.append(self.numbers[key] << ACCESS_BITS | low)

    def base(self, cells: int) -> None:
        self.whole.append(len(self.records))
        self.records.append(BASE_SITE << ACCESS_BITS | cells)

    def run(self, function: int, callers: Chain) -> None:
        self.running += 1
        self.statements(self.functions[function], (), callers)
        self.running -= 1

    def statements(self, body: list[tuple], own: Chain, callers: Chain, start: int = 0) -> None:
        """Execute statements; `start` is how the first access is to mark an iteration."""
        for statement in body:
            if self.left <= 0 or self.random.random() < 0.3:
                continue
            if start and statement[0] != "access":
                self.record(start, 0, depth=len(own))
                start = 0
            if statement[0] == "access":
                self.access(statement[1], own, callers, start)
                start = 0
            elif statement[0] == "loop":
                entry = next(self.serial)
                for iteration in range(self.random.randrange(5)):
                    launch = LAUNCH if self.nested and not own else 0
                    inner = callers
                    if launch and not iteration:
                        self.launches += 1
                    if launch:
                        inner = ((0, self.launches),)
                    kind = AGAIN if iteration else ENTER | launch
                    now = (*own, (entry, iteration))
                    self.statements(statement[2], now, inner, kind)
            elif self.running < 30:
                if own:
                    self.base(len(callers) + len(own))
                self.run(statement[1], callers + own)
                if own:
                    self.base(len(callers))
        if start:
            self.record(start, 0, depth=len(own))

    def access(self, site: int, own: Chain, callers: Chain, start: int) -> None:
        if self.nested and not own:
            return
        address = (1 << 40) + self.random.choice([self.random.randrange(1 << 14), 8 * len(own)])
        longer = self.random.random() < 0.2
        size = self.random.choice([0, 100, 3000]) if longer else 8
        kind = OUTPUT | LENGTH if longer else OUTPUT
        self.record(kind | start, address, access=site, size=0 if longer else size, depth=len(own))
        if longer:
            self.records.append(size)
        self.left -= 1
        self.executions.append(
            Execution(site=site, address=address, size=size, own=own, callers=callers)
        )


def random_functions(random: Random, calls: bool) -> tuple[list[list[tuple]], dict[int, int]]:
    """Functions, which may call each other and themselves, and the depth of each access."""
    depths: dict[int, int] = {}
    loops = count()

    def body(depth: int) -> list[tuple]:
        found: list[tuple] = []
        for _ in range(random.randrange(1, 4)):
            kind = random.choice(["access", "access", "loop", "call"])
            if kind == "loop" and depth < 4:
                found.append(("loop", next(loops), body(depth + 1)))
            elif kind == "call" and calls:
                found.append(("call", random.randrange(3)))
            else:
                found.append(("access", len(depths)))
                depths[len(depths)] = depth
        return found

    return [body(0) for _ in range(3)], depths


def naive_strides(executions: list[Execution]) -> dict[tuple[int, str, int], Counter[int]]:
    """By access, cause, and loops around the one that went on: differences of addresses."""
    found: dict[tuple[int, str, int], Counter[int]] = defaultdict(Counter)
    history: dict[int, list[Execution]] = defaultdict(list)

    def went_on(chain: Chain, before: list[tuple[int, Chain]]) -> tuple[int, int] | None:
        """The outermost loop that is in an iteration without an execution; the last one's first."""
        for level, (entry, _) in enumerate(chain):
            if not any(other[: level + 1] == chain[: level + 1] for _, other in before):
                same = [
                    (address, other[: level + 1])
                    for address, other in before
                    if len(other) > level
                    and other[:level] == chain[:level]
                    and other[level][0] == entry
                ]
                if not same:
                    return None
                return next((level, a) for a, other in same if other == same[-1][1])
        return None

    for now in executions:
        before = history[now.site]
        if before:
            own = went_on(now.own, [(each.address, each.own) for each in before])
            inside = now.own and any(each.own[:1] == now.own[:1] for each in before)
            if own is not None:
                found[now.site, "loop", own[0]][now.address - own[1]] += 1
            elif not inside and (
                outside := went_on(now.callers, [(each.address, each.callers) for each in before])
            ):
                found[now.site, "around", -1][now.address - outside[1]] += 1
            else:
                found[now.site, "again", -1][now.address - before[-1].address] += 1
        before.append(now)
    return found


def naive_reuse(lines: list[tuple[int, int]]) -> dict[int, tuple[int, Counter[int]]]:
    """By access: first touches, and distances by their number of bits."""
    stack: list[int] = []
    first: Counter[int] = Counter()
    powers: dict[int, Counter[int]] = defaultdict(Counter)
    for site, number in lines:
        if number in stack:
            powers[site][stack.index(number).bit_length()] += 1
            stack.remove(number)
        else:
            first[site] += 1
        stack.insert(0, number)
    return {site: (first[site], powers[site]) for site, _ in lines}


def footprint_of(touched: Collection[int]) -> Footprint:
    return Footprint(bytes=len(touched), lines=len({byte // 64 for byte in touched}))


def check_against_naive(
    findings: tuple[AccessFindings, ...],
    chains: dict[int, tuple[int, ...]],
    executions: list[Execution],
) -> None:
    executions = [each for each in executions if each.site in chains]
    by_site = {found.access: found for found in findings}
    counts = Counter(each.site for each in executions)
    assert {site: found.count for site, found in by_site.items()} == counts
    got = {}
    for site, found in by_site.items():
        for each in found.strides:
            level = -1 if each.loop is None else chains[site].index(each.loop)
            got[site, each.cause, level] = each
            assert each.count == sum(times for _, times in each.common) + each.others
    expected = naive_strides(executions)
    assert got.keys() == expected.keys()
    for kind, strides in got.items():
        wanted = expected[kind]
        assert strides.count == wanted.total()
        assert dict(strides.common).items() <= wanted.items()
        assert strides.others == 0 or len(strides.common) == 64
        if not strides.others:
            assert dict(strides.common) == wanted
    touched: dict[int, set[int]] = defaultdict(set)
    lines = []
    for each in executions:
        end = each.address + each.size
        touched[each.site].update(range(each.address, end))
        if each.size:
            lines += [(each.site, n) for n in range(each.address // 64, (end - 1) // 64 + 1)]
    for site, found in by_site.items():
        assert found.footprint == footprint_of(touched[site])
        first, powers = naive_reuse(lines).get(site, (0, Counter()))
        assert found.reuse.first == first
        assert {n: times for n, times in enumerate(found.reuse.powers) if times} == powers


def push(summary: AccessStatistics, ran: Interpreter, *, pieces: int = 1) -> None:
    sites = ran.builder.finish(nests=(0,) if ran.nested else (), columns=16)
    reader, records = decoder(sites), np.array(ran.records, np.uint64)
    cuts = [ran.whole[len(ran.whole) * n // pieces] for n in range(1, pieces)] if ran.whole else []
    for part in np.split(records, cuts):
        summary.push(reader.decode(part))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), nested=st.booleans(), pieces=st.integers(1, 4))
def test_summaries_of_random_programs(seed: int, nested: bool, pieces: int) -> None:
    random = Random(seed)
    functions, depths = random_functions(random, calls=not nested)
    ran = Interpreter(random=random, functions=functions, nested=nested)
    for _ in range(3):
        ran.run(0, ())
    chains = {site: tuple(range(depth)) for site, depth in depths.items() if site != 1}
    summary = AccessStatistics(chains, len(depths))
    push(summary, ran, pieces=pieces)
    check_against_naive(summary.findings(), chains, ran.executions)
    everything = {
        byte
        for each in ran.executions
        if each.site in chains
        for byte in range(each.address, each.address + each.size)
    }
    assert summary.footprint(chains) == footprint_of(everything)


def one_loop(addresses: list[list[int]]) -> Interpreter:
    """A loop that runs through as many accesses in each iteration."""
    ran = Interpreter(random=Random(0), functions=[], nested=False)
    for iteration, row in enumerate(addresses):
        for site, address in enumerate(row):
            start = (AGAIN if iteration else ENTER) if site == 0 else 0
            ran.record(OUTPUT | start, address, access=site, size=8, depth=1)
    return ran


def test_memory_grows_with_what_is_touched() -> None:
    rng = np.random.default_rng(7)
    addresses = (rng.integers(0, 1 << 32, (60, 90)) * 8).tolist()
    chains: dict[int, tuple[int, ...]] = {site: (0,) for site in range(90)}
    summary = AccessStatistics(chains, 90)
    push(summary, one_loop(addresses))
    assert summary.footprint(chains).bytes == 8 * len({each for row in addresses for each in row})
    assert sum(found.strides[0].count for found in summary.findings()) == 59 * 90


def test_more_strides_than_are_told_apart() -> None:
    steps = [(n * n) * 8 for n in range(200)] + [(199 * 199 + n) * 8 for n in range(1, 100)]
    summary = AccessStatistics({0: (3,)}, 1)
    push(summary, one_loop([[(1 << 40) + step] for step in steps]))
    (found,) = summary.findings()[0].strides
    assert (found.loop, found.count, found.stride) == (3, 298, 8)
    assert len(found.common) == 64
    assert found.others == 199 - 63 - 1
    assert found.share == 100 / 298


def test_accesses_need_their_records() -> None:
    none = np.zeros(0, np.uint32)
    chunk = Chunk(access=none, address=none, size=none, iterations=none)
    with pytest.raises(TraceError, match="records"):
        AccessStatistics({}, 1).push(chunk)


PRODUCT = """
#include <string.h>
static double A[9][9], B[9][9], C[9][9];
struct __attribute__((packed)) odd { char tag; double value; } odds[90];
int main(void) {
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            for (int k = j; k < 9; k++)
                C[i][j] += A[i][k] * B[k][j];
    for (int i = 0; i < 90; i++)
        odds[i * 7 % 90].value = i;
    memcpy(B, C, sizeof B);
    return 0;
}
"""


def test_a_profile_against_its_own_trace(tmp_path: Path) -> None:
    source, file = tmp_path / "product.c", tmp_path / "product.parquet"
    source.write_text(PRODUCT)
    found = trace.profile(source, output=file)
    chains = {access.id: found.program.chain_of(access.loop) for access in found.program.accesses}
    _, batches = trace.read_trace(file)
    entries: dict[tuple[object, ...], int] = {}
    executions = []
    for row in (row for batch in batches for row in batch.to_pylist()):
        steps = [value for name, value in row.items() if name.startswith("iteration_")]
        own = tuple(
            (entries.setdefault((loop, *steps[:level]), len(entries)), steps[level])
            for level, loop in enumerate(chains[row["access"]])
        )
        executions.append(
            Execution(
                site=row["access"], address=row["address"], size=row["size"], own=own, callers=()
            )
        )
    assert len(executions) == found.run.recorded == 9 * 45 * 4 + 90 + 2
    assert found.bytes == sum(each.size for each in executions)
    findings = sorted(
        (found for line in found.lines for found in line.accesses), key=lambda each: each.access
    )
    check_against_naive(tuple(findings), chains, executions)
