"""Loops that gather values: recognised, against what is none, and against a kernel by hand."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from logca import gpu
from logca.gpu.prediction.result import KernelPrediction, Prediction
from logca.numeric.generated import cgpredict

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

N = 8192
HEAD = f"""\
#include <math.h>
#include <stdatomic.h>
#define N {N}
static float a[N], b[N], c[64][N / 64], one[1], g;
static double wide;
static int k[N], bins[16], where;
static atomic_int count[16], twice;
static _Atomic int all;
static _Atomic double real;
static unsigned char x[N];
"""
MAIN = """
int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 23);
        x[i] = (unsigned char)(i % 64 ? i % 7 : 9);
        k[i] = i % 5;
        c[i / 128][i % 128] = 1;
    }
    g = kernel();
    return g > 1e9f;
}
"""

Predict = Callable[[str], Prediction]


@pytest.fixture
def predicted(tmp_path: Path) -> Predict:
    """The prediction of a function `kernel` with a body, by model logca."""

    def of(body: str) -> Prediction:
        source = tmp_path / "program.c"
        source.write_text(f"{HEAD}static float kernel(void)\n{{\n{body}\n}}{MAIN}")
        return predict(source, "kernel", model="logca")

    return of


def gathered(found: Prediction) -> list[tuple[str, str]]:
    return [(each.operation, each.name) for kernel in found.kernels for each in kernel.reduction]


EACH = "for (int i = 0; i < N; i++)"
SERIAL = "for (int i = 1; i < N; i++)"


@pytest.mark.parametrize(
    ("body", "what", "how"),
    [
        (f"float s = 0; {EACH} s += a[i] * b[i]; return s;", ("sum", "s"), "one atomic"),
        (f"int s = 0; {EACH} s ^= k[i]; return s;", ("xor", "s"), "one atomic"),
        (f"float p = 1; {EACH} p *= a[i]; return p;", ("product", "p"), "second launch"),
        (f"float m = 0; {EACH} m = fmaxf(m, a[i]); return m;", ("maximum", "m"), "second launch"),
        (f"{EACH} one[0] += a[i]; return one[0];", ("sum", "one"), "one atomic"),
        (f"{EACH} wide += a[i]; return wide;", ("sum", "wide"), "second launch"),
        (f"{EACH} bins[x[i]]++; return bins[1];", ("sum", "bins"), "for each update"),
        (f"{EACH} bins[x[i]] = bins[x[i]] + k[i]; return bins[1];", ("sum", "bins"), "each update"),
        (
            f"{EACH} if (a[i] > wide) wide = a[i]; return wide;",
            ("maximum", "wide"),
            "second launch",
        ),
        (f"float *m = one; {EACH} if (*m > -a[i]) *m = -a[i]; return g;", ("minimum", "one"), ""),
        (f"{EACH} g = a[i] * 2 > g ? a[i] * 2 : g; return g;", ("maximum", "g"), "second launch"),
        (f"{EACH} g = fminf(a[i] - 9, g); return g;", ("minimum", "g"), "second launch"),
        (f"{EACH} if (k[i] && a[i] > g) g = a[i]; return g;", ("maximum", "g"), "second launch"),
        (
            f"{EACH} if (k[i] > bins[x[i]]) bins[x[i]] = k[i]; return bins[1];",
            ("maximum", "bins"),
            "an atomic operation for each update",
        ),
        (f"{EACH} atomic_fetch_add(&count[x[i]], 2); return 1;", ("sum", "count"), "each update"),
        (f"{EACH} __sync_fetch_and_or(&bins[1], k[i]); return 1;", ("or", "bins"), "one atomic"),
        (f"{EACH} all += k[i]; return all;", ("sum", "all"), "one atomic operation a block"),
        (f"{EACH} real -= a[i]; return real;", ("sum", "real"), "second launch"),
    ],
)
def test_what_iterations_gather_is_a_kernel(
    predicted: Predict, body: str, what: tuple[str, str], how: str
) -> None:
    found = predicted(body)
    assert gathered(found) == [what]
    (kernel,) = found.kernels
    assert how in kernel.reduction[0].how
    assert kernel.layout.threads == N
    assert not kernel.against
    assert not kernel.dependences
    assert not any("partial results" in note for note in [*kernel.notes, *found.notes])


def test_the_place_of_an_extreme_in_a_register_is_found_with_it(predicted: Predict) -> None:
    found = predicted(
        f"float m = 0; int at = 0; {EACH} if (a[i] > m) {{ m = a[i]; at = i; }} return m + at;"
    )
    assert gathered(found) == [("extreme", "m")]
    assert not found.against_dependences


def test_the_place_of_an_extreme_in_memory_is_written_in_another_order(predicted: Predict) -> None:
    found = predicted(f"float m = 0; {EACH} if (a[i] > m) {{ m = a[i]; where = i; }} return m;")
    assert any("where" in each for each in found.against_dependences)


def test_the_place_of_an_extreme_is_found_with_it_where_both_are_in_memory(
    predicted: Predict,
) -> None:
    found = predicted(f"{EACH} if (a[i] > g) {{ where = i; g = a[i]; }} return where;")
    assert sorted(gathered(found)) == [("maximum", "g"), ("place of maximum", "where")]
    assert not found.against_dependences


@pytest.mark.parametrize(
    "body",
    [
        f"{EACH} {{ if (a[i] > g) g = a[i]; if (b[i] < g) g = b[i]; }} return g;",
        f"float m = 0; {EACH} {{ if (a[i] > m) m = a[i]; if (b[i] < m) m = b[i]; }} return m;",
        f"float m = 0; {EACH} {{ m = m < a[i] ? a[i] : m; m = b[i] < m ? b[i] : m; }} return m;",
        f"{EACH} {{ if (a[i] > g) g = a[i]; b[i] = g; }} return g;",
        f"{EACH} if (a[i] > g) g = a[i] + 1; return g;",
        f"{EACH} {{ if (a[i] > g) {{ g = a[i]; where = i; }} k[i] = where; }} return g;",
        f"{EACH} if (k[i]) b[atomic_fetch_add(&count[0], 1)] = a[i]; return g;",
        f"{EACH} {{ atomic_fetch_add(&twice, 1); atomic_fetch_xor(&twice, k[i]); }} return 1;",
        f"{SERIAL} a[i] += a[i - 1]; return a[1];",
        f"float s = 0; {EACH} {{ s += a[i]; b[i] = s; }} return s;",
        f"float s = 0; {EACH} s = 0.5f * s + a[i]; return s;",
        f"{EACH} bins[x[i]] = bins[x[i]] * 2 + k[i]; return bins[1];",
        f"{EACH} {{ bins[x[i]]++; k[i] = bins[3]; }} return bins[1];",
        f"{EACH} {{ bins[x[i]]++; bins[x[i]] *= 3; }} return bins[1];",
    ],
)
def test_what_passes_on_more_is_none(predicted: Predict, body: str) -> None:
    found = predicted(body)
    assert not gathered(found)
    assert found.against_dependences


def test_a_sum_over_two_loops_has_threads_for_both(predicted: Predict) -> None:
    found = predicted(
        "float s = 0;\nfor (int i = 0; i < 64; i++)\nfor (int j = 0; j < N / 64; j++)\n"
        "s += c[i][j];\nreturn s;"
    )
    (kernel,) = found.kernels
    assert gathered(found) == [("sum", "s")]
    assert kernel.layout.extents == (64, 128)


def test_loops_around_sums_are_threads_as_before(predicted: Predict) -> None:
    found = predicted(
        "for (int i = 0; i < 64; i++) {\nfloat s = 0;\nfor (int j = 0; j < N / 64; j++)\n"
        "s += c[i][j];\na[i] = s;\n}\nreturn a[1];"
    )
    (kernel,) = found.kernels
    assert kernel.layout.threads == 64
    assert not kernel.reduction


def test_short_sums_in_a_serial_loop_stay_on_the_host(predicted: Predict) -> None:
    found = predicted(
        "for (int i = 1; i < 64; i++) {\nfloat s = 0;\nfor (int j = 0; j < 32; j++)\n"
        f"s += c[i][j] * a[i - 1];\na[i] = s;\n}}\n{EACH} b[i] = a[i];\nreturn a[1];"
    )
    assert not gathered(found)
    assert len(found.kernels) == 1


def test_sums_that_inspect_results_stay_out(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    program = f"{HEAD}int main(void) {{ float s = 0; {EACH} a[i] = b[i] + i; {EACH} s += a[i]; "
    source.write_text(f"{program} return s > 1e9f; }}")
    assert [each.reduction for each in predict(source).kernels] == [()]


def test_a_histogram_waits_for_its_highest_bin(predicted: Predict) -> None:
    found = predicted(f"{EACH} bins[x[i]]++; return bins[1];")
    (kernel,) = found.kernels
    often = Counter(i % 7 if i % 64 else 9 for i in range(N))
    assert kernel.reduction[0].hottest_share == max(often.values()) / N
    same = predicted(f"{EACH} bins[x[i] / 16]++; return bins[1];").kernels[0]
    assert same.reduction[0].hottest_share == 1
    assert same.timing.cycles >= N
    assert kernel.timing.cycles < same.timing.cycles + N


def combining(kernel: KernelPrediction, **values: float) -> float:
    return float(
        cgpredict.combining_cycles(
            block_threads=256, warp_threads=32, latency_shared=67, latency_L2=164, delay_atomic=1,
            cycles_per_instruction=0.5, active_blocks=8, blocks=8, **values,
        )
    )  # fmt: skip


def test_a_sum_takes_as_long_as_two_levels_by_hand(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    head = f"#define N {8 * N}\n#define T 2048\nstatic float a[N], part[T];\n"
    init = "for (int i = 0; i < N; i++) a[i] = i % 23;"
    source.write_text(
        f"{head}int main(void) {{ {init}\nfloat s = 0;\nfor (int i = 0; i < N; i++) s += a[i];\n"
        "return s > 1e9f; }"
    )
    alone = predict(source)
    (kernel,) = alone.kernels
    assert kernel.timing.cycles_combining == pytest.approx(combining(kernel))
    by_hand = (
        f"{head}int main(void) {{ {init}\n#pragma logca offload\nfor (int t = 0; t < T; t++) {{\n"
        "float s = 0;\nfor (int k = 0; k < N / T; k++) s += a[k * T + t];\npart[t] = s; }\n"
        "for (int half = T / 2; half > 0; half /= 2)\n#pragma logca offload\n"
        "for (int t = 0; t < half; t++) part[t] += part[t + half];\nreturn part[0] > 1e9f; }"
    )
    source.write_text(by_hand)
    twin = predict(source)
    assert twin.time_s / 1.5 < alone.time_s < 1.5 * twin.time_s


def test_no_memory_but_a_sum(predicted: Predict) -> None:
    body = f"float s = 0; {EACH} s += 4.0f / (1.0f + (float)i * (float)i); return s;"
    found = predicted(body)
    assert gathered(found) == [("sum", "s")]
    assert found.longest.timing.bound == "combining"


def test_clauses_and_atomic_directives(predicted: Predict) -> None:
    found = predicted(
        f"float s = 0;\n#pragma omp parallel for reduction(+:s)\n{EACH} s += a[i];\n"
        f"#pragma omp parallel for\n{EACH} {{\n#pragma omp atomic\nbins[x[i]]++;\n}}\nreturn s;"
    )
    assert gathered(found) == [("sum", "s"), ("sum", "bins")]
    assert "sum s: a tree in each block, then one atomic operation a block" in (
        found.kernels[0].reason
    )
    assert not any("not in the time" in note for note in found.notes)
