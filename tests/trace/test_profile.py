"""Profiles of real programs against counts made by hand, and summaries against naive ones."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca import trace
from logca.trace.findings import Footprint, Strides
from logca.trace.sheets import written as written_sheets
from logca.trace.stages import COUNTED, MEASURED, STATIC, staged
from logca.trace.summary import Summary

N = 12

TRIANGLE = f"""
#include <stdio.h>
#define N {N}
double A[N][N], x[N], y[N];
static double dot(const double *a, const double *b, int n) {{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}}
int main(void) {{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = i + j;
    for (int i = 0; i < N; i++)
        y[i] = dot(A[i], x, i + 1);
    int left = N;
    while (left > 0)
        left -= 5;
    do left++; while (left < 3);
    return printf("%g\\n", y[N - 1]) < 0;
}}
"""
PAIRS = N * (N + 1) // 2

PRODUCT = """
#include <stdlib.h>
#include <string.h>
static double A[N][N], B[N][N], C[N][N];
struct __attribute__((packed)) odd { char tag; double value; };
int main(void) {
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0;
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
    int *order = malloc(N * sizeof *order);
    for (int i = 0; i < N; i++)
        order[i] = i * 5 % N;
    struct odd *odds = malloc(40 * N * sizeof *odds);
    for (int i = 0; i < 40 * N; i++)
        odds[i].value = i;
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += C[order[i]][0] + odds[order[i] * 7].value;
    memcpy(B, C, sizeof B);
    return sum < 0;
}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def triangle(folder: Path) -> trace.Profile:
    return trace.profile(written(folder, "triangle.c", TRIANGLE))


@pytest.fixture(scope="module")
def product_file(folder: Path) -> Path:
    return folder / "product.parquet"


@pytest.fixture(scope="module")
def product(folder: Path, product_file: Path) -> trace.Profile:
    source = written(folder, "product.c", PRODUCT)
    return trace.profile([source], defines={"N": N}, output=product_file)


def loop_at(profile: trace.Profile, text: str) -> Any:
    return next(found for found in profile.loops if text in found.text)


def executed(profile: trace.Profile, opcode: str) -> int:
    return sum(each.executed for each in profile.instructions if each.opcode == opcode)


def line(profile: trace.Profile, text: str) -> Any:
    return next(found for found in profile.lines if text in found.text)


@pytest.mark.parametrize(
    ("text", "entries", "iterations"),
    [
        ("int j = 0; j <= i", N, PAIRS),
        ("int k = 0; k < n", N, PAIRS),
        ("int i = 0", 1, N),
        ("while (left > 0)", 1, -(-N // 5)),
        ("do left++", 1, 3 - (N - 5 * -(-N // 5))),
    ],
)
def test_iterations_by_hand(
    triangle: trace.Profile, text: str, entries: int, iterations: int
) -> None:
    found = loop_at(triangle, text)
    assert (found.entries, found.iterations) == (entries, iterations)
    assert found.trip == iterations / entries


def test_instructions_by_hand(triangle: trace.Profile) -> None:
    assert executed(triangle, "fmul") == executed(triangle, "fadd") == PAIRS
    assert executed(triangle, "store") == triangle.stores == PAIRS + N
    assert executed(triangle, "load") == triangle.loads == 2 * PAIRS + 1
    assert triangle.executed == sum(
        count * sum(each.opcode != "phi" for each in block.instructions)
        for count, block in zip(triangle.run.block_counts, triangle.program.blocks, strict=True)
    )


def test_accesses_by_hand(triangle: trace.Profile) -> None:
    dot = line(triangle, "sum += a[k] * b[k]")
    assert (dot.loads, dot.stores, dot.bytes) == (2 * PAIRS, 0, 16 * PAIRS)
    assert dot.footprint.bytes == 8 * (PAIRS + N)
    assert line(triangle, "A[i][j] = i + j").footprint.bytes == 8 * PAIRS
    assert triangle.footprint.bytes == 8 * (PAIRS + 2 * N)
    assert triangle.bytes == 8 * (triangle.loads + triangle.stores)
    assert loop_at(triangle, "int j").accesses == PAIRS


def test_strides_by_hand(triangle: trace.Profile) -> None:
    stored = line(triangle, "A[i][j] = i + j").accesses[0].strides
    assert [(each.cause, each.common) for each in stored] == [
        ("loop", ((8, PAIRS - N),)),
        ("loop", ((8 * N, N - 1),)),
    ]
    a, b = line(triangle, "sum += a[k] * b[k]").accesses
    assert [(each.cause, each.common) for each in a.strides] == [
        ("loop", ((8, PAIRS - N),)),
        ("around", ((8 * N, N - 1),)),
    ]
    assert b.strides[1].common == ((0, N - 1),)


def test_strides_of_the_matrix_product(product: trace.Profile) -> None:
    a, b = (
        next(
            found
            for found in line(product, "C[i][j] += A[i][k] * B[k][j]").accesses
            if product.program.accesses[found.access].array == name
        )
        for name in "AB"
    )
    assert [each.stride for each in a.strides] == [8, 0, 8 * N]
    assert [each.stride for each in b.strides] == [8 * N, 8, 0]
    assert [each.count for each in a.strides] == [N * N * (N - 1), N * (N - 1), N - 1]
    assert all(each.share == 1 for each in (*a.strides, *b.strides))


def test_copies_count_whole(product: trace.Profile) -> None:
    copy = line(product, "memcpy(B, C, sizeof B)")
    assert (copy.loads, copy.stores, copy.bytes) == (1, 1, 2 * 8 * N * N)
    assert copy.footprint.bytes == 2 * 8 * N * N


def test_the_program_s_output_is_its_own(triangle: trace.Profile) -> None:
    assert triangle.run.stdout == b"0\n"
    assert (triangle.run.status, triangle.run.ending) == (0, "exit")


def naive_strides(
    accesses: list[tuple[int, int, tuple[int, ...]]], own: dict[int, int]
) -> dict[tuple[int, str, int], Counter[int]]:
    """By access, cause, and loops around the one that went on: differences of addresses.

    Straight from the definition: between the first executions in two iterations of a loop.
    """
    found: dict[tuple[int, str, int], Counter[int]] = defaultdict(Counter)
    before: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for site, address, iterations in accesses:
        history = before[site]
        if history:
            last = history[-1][1]
            longest = max(len(last), len(iterations))
            old, new = (v + (-1,) * (longest - len(v)) for v in (last, iterations))
            changed = next((k for k in range(longest) if old[k] != new[k]), None)
            if changed is not None and new[changed] > old[changed] >= 0:
                # the first execution with this iteration of all loops up to the one that went on
                start = len(history) - 1
                while start and history[start - 1][1][: changed + 1] == last[: changed + 1]:
                    start -= 1
                level = changed - (len(iterations) - own[site])
                kind = (site, "loop", level) if level >= 0 else (site, "around", -1)
                found[kind][address - history[start][0]] += 1
            else:
                found[site, "again", -1][address - history[-1][0]] += 1
        history.append((address, iterations))
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


def check_against_naive(
    summary: Summary,
    chains: dict[int, tuple[int, ...]],
    records: list[tuple[int, int, int, tuple[int, ...]]],
) -> None:
    records = [record for record in records if record[0] in chains]
    findings = {found.access: found for found in summary.findings()}
    assert {site: found.count for site, found in findings.items()} == Counter(
        site for site, *_ in records
    )
    expected = naive_strides(
        [(site, address, iterations) for site, address, _, iterations in records],
        {site: len(loops) for site, loops in chains.items()},
    )
    got = {}
    for site, found in findings.items():
        for each in found.strides:
            level = -1 if each.loop is None else chains[site].index(each.loop)
            got[site, each.cause, level] = each
            assert each.count == sum(times for _, times in each.common) + each.others
    assert got.keys() == expected.keys()
    for kind, strides in got.items():
        wanted = expected[kind]
        assert strides.count == wanted.total()
        assert dict(strides.common).items() <= wanted.items() or strides.others
        assert strides.others == 0 or len(strides.common) == 64
        if not strides.others:
            assert dict(strides.common) == wanted
    touched: dict[int, set[int]] = defaultdict(set)
    lines = []
    for site, address, size, _ in records:
        touched[site].update(range(address, address + size))
        if size:
            lines += [(site, n) for n in range(address // 64, (address + size - 1) // 64 + 1)]
    for site, found in findings.items():
        assert found.footprint == footprint_of(touched[site])
        first, powers = naive_reuse(lines).get(site, (0, Counter()))
        assert found.reuse.first == first
        assert {n: times for n, times in enumerate(found.reuse.powers) if times} == powers
    everything = set().union(*touched.values())
    assert summary.footprint(chains) == footprint_of(everything)


def footprint_of(touched: set[int]) -> Footprint:
    return Footprint(bytes=len(touched), lines=len({byte // 64 for byte in touched}))


def test_a_profile_against_its_own_trace(product: trace.Profile, product_file: Path) -> None:
    _, batches = trace.read_trace(product_file)
    records = [
        (
            row["access"],
            row["address"],
            row["size"],
            tuple(
                value
                for name, value in row.items()
                if name.startswith("iteration_") and value is not None
            ),
        )
        for batch in batches
        for row in batch.to_pylist()
    ]
    accesses = product.program.accesses
    assert len(records) == product.loads + product.stores == product.run.recorded
    assert product.bytes == sum(size for _, _, size, _ in records)
    chains = {}
    for access in accesses:
        loops, loop = [], access.loop
        while loop is not None:
            loops.insert(0, loop)
            loop = product.program.loops[loop].parent
        chains[access.id] = tuple(loops)
    summary = Summary(chains, len(accesses))
    push(summary, records, pieces=3)
    check_against_naive(summary, chains, records)
    assert summary.findings() == tuple(
        sorted(
            (found for line in product.lines for found in line.accesses),
            key=lambda found: found.access,
        )
    )


def push(
    summary: Summary, records: list[tuple[int, int, int, tuple[int, ...]]], *, pieces: int = 1
) -> None:
    columns = max((len(iterations) for *_, iterations in records), default=0)
    table = np.full((len(records), columns), -1, dtype=np.int32)
    for row, (*_, iterations) in enumerate(records):
        table[row, : len(iterations)] = iterations
    site, address, size = (
        np.array([record[place] for record in records], dtype=kind)
        for place, kind in enumerate((np.uint32, np.uint64, np.uint32))
    )
    for part in np.array_split(np.arange(len(records)), pieces):
        summary.push(site[part], address[part], size[part], table[part])


RECORDS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 1 << 14).map(lambda offset: (1 << 40) + offset),
        st.sampled_from([0, 1, 4, 8, 100, 3000]),
        st.lists(st.integers(0, 3), min_size=2, max_size=4).map(tuple),
    ),
    max_size=60,
)


@settings(max_examples=60)
@given(records=RECORDS, pieces=st.integers(1, 4))
def test_summaries_against_naive_ones(
    records: list[tuple[int, int, int, tuple[int, ...]]], pieces: int
) -> None:
    chains = {0: (), 1: (5,), 2: (5, 6)}
    summary = Summary(chains, 4)
    push(summary, records, pieces=pieces)
    check_against_naive(summary, chains, records)


def test_memory_grows_with_what_is_touched() -> None:
    rng = np.random.default_rng(7)
    records = [
        (site, int(rng.integers(0, 1 << 32)) * 8, 8, (step,))
        for step in range(60)
        for site in range(90)
    ]
    chains: dict[int, tuple[int, ...]] = {site: (0,) for site in range(90)}
    summary = Summary(chains, 90)
    push(summary, records)
    assert summary.footprint(chains).bytes == 8 * len({address for _, address, *_ in records})
    assert sum(found.strides[0].count for found in summary.findings()) == 59 * 90


def test_more_strides_than_are_told_apart() -> None:
    steps = [(n * n) * 8 for n in range(200)] + [(199 * 199 + n) * 8 for n in range(1, 100)]
    records = [(0, (1 << 40) + step, 8, (n,)) for n, step in enumerate(steps)]
    summary = Summary({0: (3,)}, 1)
    push(summary, records)
    (found,) = summary.findings()[0].strides
    assert isinstance(found, Strides)
    assert (found.loop, found.count, found.stride) == (3, 298, 8)
    assert len(found.common) == 64
    assert found.others == 199 - 63 - 1
    assert found.share == 100 / 298


def test_a_function_is_what_it_does_itself(folder: Path, triangle: trace.Profile) -> None:
    found = trace.profile(folder / "triangle.c", function="main")
    assert found.loads + found.stores == PAIRS + N + 1
    assert {found.program.loops[each.loop].function for each in found.loops} == {"main"}
    assert executed(found, "fmul") == 0
    assert executed(found, "call") == N + 1
    assert len(found.values) < len(triangle.values)


def test_a_marked_loop(folder: Path, product: trace.Profile) -> None:
    found = trace.profile(folder / "product.c", defines={"N": N}, region="pragma")
    assert found.loads + found.stores == N * N * (1 + 4 * N)
    assert [each.iterations for each in found.loops] == [N, N * N, N**3]
    whole = line(product, "C[i][j] += A[i][k]").accesses
    assert [each.strides for each in line(found, "C[i][j] += A[i][k]").accesses] == [
        each.strides for each in whole
    ]


def test_a_region_that_is_entered_again(folder: Path) -> None:
    text = """
    double x[9];
    int main(void) {
        for (int t = 0; t < 3; t++) {
    #pragma omp target teams distribute parallel for
            for (int i = 0; i < 9; i++)
                x[i] = t;
        }
        return 0;
    }
    """
    found = trace.profile(written(folder, "again.c", text), region="pragma")
    assert [(each.entries, each.iterations) for each in found.loops] == [(3, 27)]
    (store,) = found.lines[0].accesses
    assert [(each.cause, each.common) for each in store.strides] == [
        ("loop", ((8, 24),)),
        ("around", ((0, 2),)),
    ]


def test_the_hottest_nest_with_its_callees(folder: Path) -> None:
    found = trace.profile(folder / "triangle.c", region="auto")
    assert [each.text for each in found.loops] == [
        "for (int i = 0; i < N; i++)",
        "for (int k = 0; k < n; k++)",
    ]
    assert found.loads + found.stores == 2 * PAIRS + N
    a, _ = line(found, "sum += a[k] * b[k]").accesses
    assert [each.stride for each in a.strides] == [8, 8 * N]
    assert [each.cause for each in a.strides] == ["loop", "loop"]


def test_counts_alone(folder: Path, product: trace.Profile) -> None:
    found = trace.profile(folder / "product.c", defines={"N": N}, accesses=False)
    assert found.instructions == product.instructions
    assert [each.iterations for each in found.loops] == [each.iterations for each in product.loops]
    assert found.lines == ()
    assert found.loops[0].accesses is None


def test_a_profile_prints(product: trace.Profile) -> None:
    text = str(product)
    assert "C[i][j] += A[i][k] * B[k][j];" in text
    assert "k: +8 B" in text
    assert "k: +96 B" in text
    assert not any(each != each.rstrip() for each in text.splitlines())


FAILING = """
#include <stdlib.h>
int *nothing;
int data[100];
int main(int argc, char **argv) {
    for (int i = 0; i < 100; i++)
        data[i] = i;
    if (argc < 2)
        *nothing = 1;
    if (argv[1][0] == 'e')
        exit(7);
    for (volatile int n = 0;;)
        n++;
}
"""


@pytest.fixture(scope="module")
def failing(folder: Path) -> Path:
    return written(folder, "failing.c", FAILING)


def test_a_crash_says_where(failing: Path) -> None:
    found = trace.profile(failing)
    assert found.run.ending == "crash"
    assert "SIGSEGV" in found.run.message
    assert "failing.c:9" in found.run.message
    assert line(found, "data[i] = i").stores == 100
    assert loop_at(found, "i < 100").iterations == 100


def test_an_endless_loop_meets_the_time_limit(failing: Path) -> None:
    found = trace.profile(failing, args=["x"], limits=trace.Limits(time_s=0.5, records=1000))
    assert found.run.ending == "time"
    assert found.run.truncated
    assert found.loads + found.stores == 1000
    assert line(found, "data[i] = i").stores == 100


def test_a_program_may_exit_as_it_likes(failing: Path) -> None:
    found = trace.profile(failing, args=["exit"])
    assert (found.run.ending, found.run.status) == ("exit", 7)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"region": "some"}, "region must be one of all, pragma, auto, not 'some'"),
        ({"level": "O3"}, "level must be one of as-written, O1"),
        ({"function": "nobody"}, "there is no function 'nobody'; there are dot, main"),
        ({"region": "pragma"}, "pragma"),
        ({"region": "auto", "function": "nobody"}, "there is no function 'nobody'"),
        ({"accesses": False, "output": "t.parquet"}, "leave out output"),
    ],
)
def test_what_cannot_be_asked_for(
    folder: Path, triangle: trace.Profile, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(trace.TraceError, match=says):
        trace.profile(folder / "triangle.c", **options)


def test_no_loop_in_the_region(folder: Path) -> None:
    source = written(folder, "straight.c", "int main(void) { return 0; }\n")
    with pytest.raises(trace.RegionError, match="no loop of the program was executed"):
        trace.profile(source, region="auto")
    failing = written(folder, "failing.c", "int main(void) { __builtin_trap(); }\n")
    with pytest.raises(trace.RegionError, match=r"executed.*; the program was ended at"):
        trace.profile(failing, region="auto")
    found = trace.profile(source)
    assert found.lines == found.loops == ()
    assert "none" in str(found)
    for stage in (*STATIC, *COUNTED, *MEASURED):
        assert written_sheets(staged(found, stage))
