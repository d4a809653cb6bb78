"""Counts at the work size, against the program that is really run there."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logca.common.limits import Limits
from logca.gpu.program import workload as carrying
from logca.gpu.program.running import Executable, counted
from logca.gpu.program.work_size_extrapolation import ScalingError, size_grid
from logca.gpu.program.workload import Workload, code_change, code_of, workload
from logca.trace.compile.driver import compile_program

PROGRAMS = Path(__file__).parents[1] / "programs"
HEAD = """\
#ifndef N
#define N 32
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static float a[N][N], x[N], y[N];
"""
BAND = """\
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < MIN(N, 256); j++) y[i] += a[i][j] * x[j];
  return 0;
}
"""
BAND_OF_A_VARIABLE = """\
static void multiply(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j < 256) y[i] += a[i][j] * x[j];
}
int main(void) { multiply(N); return 0; }
"""
THRESHOLD = """\
int main(void) {
  if (N < 200) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i] += x[j]; }
  else { for (int i = 0; i < N; i++) y[i] += x[i]; }
  return 0;
}
"""

TILES = """\
#define TILE 8
int main(void) {
  for (int bi = 0; bi < N; bi += TILE)
    for (int bj = 0; bj < N; bj += TILE)
      for (int bk = 0; bk < N; bk += TILE)
        for (int i = bi; i < MIN(bi + TILE, N); i++)
          for (int j = bj; j < MIN(bj + TILE, N); j++)
            for (int k = bk; k < MIN(bk + TILE, N); k++) x[i] += a[i][k] * a[k][j];
  return 0;
}
"""

Build = Callable[[Mapping[str, int]], Executable]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Build]:
    """A compiler of a program text, for values of its macros."""

    def of(text: str) -> Build:
        path = tmp_path_factory.mktemp("work") / "program.c"
        path.write_text(text if "#include" in text else HEAD + text, encoding="utf-8")
        return lambda sizes: Executable(
            compiled=compile_program(path, defines=sizes, includes=[PROGRAMS], inline=True),
            arguments=(),
            limits=Limits(time_s=20),
        )

    return of


@pytest.fixture
def unaffordable(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Only runs of so many instructions are affordable."""

    def below(instructions: float) -> None:
        monkeypatch.setattr(carrying, "_COUNTED", instructions)
        monkeypatch.setattr(carrying, "_PATIENT", instructions)

    return below


def carried(build: Build, trace: int, work: int) -> Workload:
    return workload(counted(build({"N": trace})), build, {"N": trace}, {"N": work})


@pytest.mark.parametrize("text", [BAND, BAND_OF_A_VARIABLE])
def test_a_clamp_between_the_sizes_is_counted(build: Callable[[str], Build], text: str) -> None:
    program = build(text)
    found = carried(program, 32, 900)
    assert found.work == counted(program({"N": 900})).counts
    assert 900 * 256 in found.work


def test_counts_that_depend_on_data_are_counted(build: Callable[[str], Build]) -> None:
    program = build((PROGRAMS / "floyd-warshall.c").read_text(encoding="utf-8"))
    found = carried(program, 30, 97)
    assert found.work == counted(program({"N": 97})).counts


def test_nests_that_are_deeper_than_their_counts_grow(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    unaffordable(1e8)
    program = build(TILES)
    found = carried(program, 12, 124)
    assert found.work == counted(program({"N": 124})).counts
    assert 124**3 in found.work


def test_pieces_of_code_that_a_macro_chooses(build: Callable[[str], Build]) -> None:
    program = build(THRESHOLD)
    with pytest.raises(ScalingError, match="at N = 1024 the program has other blocks"):
        carried(program, 64, 1024)
    assert carried(program, 250, 1024).work == counted(program({"N": 1024})).counts


def test_a_larger_run_contradicts_the_small_ones(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    program = build(BAND_OF_A_VARIABLE)
    unaffordable(3e6)
    with pytest.raises(
        ScalingError, match=r"program\.c:9: executed [\d,]+ times at N = \d+, "
    ) as e:
        carried(program, 32, 4000)
    size = int(str(e.value).split("at N = ")[1].split(",")[0])
    assert 256 < size < 4000
    assert f"executed {size * 256:,} times" in str(e.value)
    unaffordable(6e5)  # no longer beyond the clamp: what no run shows is not known
    assert 4000 * 4000 in carried(program, 32, 4000).work


def test_the_code_at_the_work_size_contradicts_the_small_ones(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    unaffordable(6e5)
    words = r"at N = 4000 the code has the number 256 in line 8 where the small sizes lead to 4000"
    with pytest.raises(ScalingError, match=words):
        carried(build(BAND), 32, 4000)


def test_polynomials_that_a_larger_run_confirms(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    program = build(BAND.replace("MIN(N, 256)", "N - i"))
    unaffordable(1e6)
    found = carried(program, 32, 1500)
    assert found.large is None
    assert found.work == counted(program({"N": 1500})).counts


def test_what_cannot_be_run_any_larger_is_said(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    """A program that ends by a signal at sizes beyond those that it was tried at."""
    text = BAND.replace("MIN(N, 256)", "N").replace(
        "  return 0;", "  int limit = 70; if (N > limit) __builtin_trap(); return 0;"
    )
    unaffordable(1e6)
    found = carried(build(text), 32, 2000)
    assert found.ending.startswith("counts follow from small sizes and were compared with no lar")
    assert 2000 * 2000 in found.work


def test_neither_polynomials_nor_affordable(
    build: Callable[[str], Build], unaffordable: Callable[[float], None]
) -> None:
    unaffordable(1e6)
    with pytest.raises(ScalingError, match=r"no polynomials .* there may be \de\+\d+ instructions"):
        carried(build(BAND.replace("MIN(N, 256)", "i * i % 7 * N")), 32, 2000)


GRID = size_grid({"N": 32}, {"N": 1024}, degree=2)


def ir(limit: int, *, line: int = 7, extra: str = "") -> str:
    return f"""\
@a = internal global [{limit} x float] zeroinitializer, align {16 if limit > 40 else 4}, !dbg !0
define i32 @main() #{limit} !dbg !{limit} {{
entry:  ; preds = %for.inc{limit}
  %i16 = icmp slt i32 %j.20, {limit}, !dbg !5
  %x = getelementptr inbounds [{limit} x [64 x float]], ptr @a, i64 0, i64 -3, !dbg !6
  %y = fmul double %x, {1 / limit:.6e}, !dbg !6
  %z = load float, ptr %x, align {16 if limit > 40 else 4}, !dbg !6, !tbaa !{limit}
{extra}  ret i32 0
}}
!5 = !DILocation(line: {line}, column: 3, scope: !33)
"""


def small() -> list[str]:
    return [ir(size["N"]) for size in GRID.sizes]


def change(large: str) -> str:
    return code_change([code_of(each) for each in small()], code_of(large), GRID)


def test_numbers_and_their_lines() -> None:
    code = code_of(ir(48))
    assert code.numbers == (48, 48, 64, 0, -3, 0)
    assert code.lines == (7, 0, 0, 0, 0, 0)


def test_the_law_of_the_small_sizes_holds() -> None:
    assert not change(ir(1024))


def test_a_number_that_stays_behind() -> None:
    assert change(ir(256)) == "the number 256 in line 7 where the small sizes lead to 1024"


def test_another_constant() -> None:
    told = change(ir(1024).replace("i64 -3", "i64 -4"))
    assert told == "the number -4 where the small sizes lead to -3"


def test_other_instructions() -> None:
    assert change(ir(1024, extra="  %w = fneg float %z\n")).startswith("other instructions")


def test_small_sizes_that_differ_tell_nothing() -> None:
    codes = [code_of(text) for text in small()]
    codes[1] = code_of(ir(64, extra="  %w = fneg float %z\n"))
    assert code_change(codes, code_of(ir(256)), GRID) == ""


def test_numbers_that_follow_no_polynomial_are_not_looked_at() -> None:
    codes = [code_of(ir(2**place)) for place in range(len(GRID.points))]
    assert code_change(codes, code_of(ir(5)), GRID) == ""
