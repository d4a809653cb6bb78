"""What reaches memory and is in no trace is told, if it was executed."""

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.execute.run import run
from logca.trace.profiling.operation_counts import unrecorded_counts
from logca.trace.profiling.profile import profile
from logca.trace.profiling.report import overview

Compile = Callable[..., Compiled]

AVX2 = "avx2" in Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else False
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="instructions of x86")

MASKED = """
typedef int i8 __attribute__((vector_size(32)));
typedef int i4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef double d4 __attribute__((vector_size(32)));
static float x[64], y[64]; static double t[64];
__attribute__((target("avx2"))) static double masked(void) {
    const i8 mask = {-1, 0, -1, 0, -1, 0, -1, 0};
    const i4 at = {1, 9, 30, 63};
    const d4 all = {-1, -1, -1, -1};
    for (int i = 0; i < 64; i += 8) {
        f8 loaded = (f8)__builtin_ia32_maskloadps256((const f8 *)(x + i), mask);
        __builtin_ia32_maskstoreps256((f8 *)(y + i), mask, loaded);
    }
    d4 found = __builtin_ia32_gatherd_pd256(all, t, at, all, 8);
    return found[3];
}
int main(int n, char **v) {
    t[63] = 5; x[2] = 3;
    return n > 1 ? 0 : (int)masked() + (int)y[2];
}
"""

ASSEMBLY = """
static long m[8]; static int fence;
int main(int n, char **v) {
    for (int i = 0; i < 8; i++) __asm__ volatile("addq $2, %0" : "+m"(m[i]));
    for (int i = 0; i < 5; i++) __asm__ volatile("movq $1, (%0)" : : "r"(m) : "memory");
    for (int i = 0; i < 4; i++) __asm__ volatile("" : : "r"(m) : "memory");
    for (int i = 0; i < 3; i++) { long k; __asm__("movq $1, %0" : "=r"(k)); fence += k; }
    for (int i = 0; i < 2; i++) __builtin_prefetch(m + i);
    if (n > 9) __asm__ volatile("incq %0" : "+m"(m[0]));
    return m[0] + m[7] + fence;
}
"""


def unseen(made: Compiled, arguments: tuple[str, ...] = ()) -> tuple[int, dict[str, int]]:
    result = run(made, arguments=arguments)
    blocks = range(len(made.program.blocks))
    return result.status, unrecorded_counts(made.program, blocks, result.block_counts.tolist())


@pytest.mark.skipif(not AVX2, reason="the processor has none of them")
@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_masked_loads_and_stores_and_gathers(compiled: Compile, level: str) -> None:
    made = compiled(MASKED, level=level)
    status, found = unseen(made)
    kinds = {
        kind: sum(often for name, often in found.items() if kind in name)
        for kind in ("store", "load", "gather")
    }
    assert status == 8
    assert kinds == {"store": 8, "load": 8, "gather": 1}
    assert len(found) == 3
    assert unseen(made, ("stop",)) == (0, {})


def test_assembly_with_operands_in_memory(compiled: Compile) -> None:
    assert unseen(compiled(ASSEMBLY)) == (1 + 2 + 3, {"inline assembly": 8 + 5})


def test_the_summary_says_so(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(ASSEMBLY)
    ((part,),) = (table.sections for table in overview(profile(path)))
    rows = dict(part.rows)
    assert rows["not seen"].endswith(": inline assembly (13 times)")
    plain = tmp_path / "plain.c"
    plain.write_text("int a[4]; int main(void) { return a[1]; }\n")
    ((part,),) = (table.sections for table in overview(profile(plain)))
    assert "not seen" not in dict(part.rows)
