"""Loops that are chosen and what loops carry, against what reading the programs tells."""

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from logca.common.errors import RegionError
from logca.common.json_output import to_plain
from logca.common.limits import Limits
from logca.gpu.advice.advise import advise
from logca.gpu.advice.results import Advice
from logca.gpu.loops.carried_dependences import watched
from logca.gpu.loops.detection import detected
from logca.gpu.nests.nest import Nest
from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import Prediction
from logca.gpu.program.running import Executable
from logca.gpu.program.running import counted as counts
from logca.gpu.program.workload import Workload, workload
from logca.show.gpu.data import prediction_data
from logca.show.gpu.words import headline
from logca.trace.compile.driver import compile_program

pytest.importorskip("numba")

PROGRAMS = Path(__file__).parents[1] / "programs"
FACTS: dict[str, Any] = tomllib.loads((PROGRAMS / "facts.toml").read_text())
MARK = re.compile(r"/\* @(\w+) \*/")
IN_MAIN = {
    ("heat-pointers", "now[]"): "next",
    ("heat-pointers", "next[]"): "next",
    ("nbody", "bodies"): "p",
}
"""Arrays that `main` has under other names than the functions that it passes them to."""

Loaded = Callable[[str], Workload]


def labels(name: str) -> dict[int, str]:
    """Names of the marked loops by their lines."""
    lines = (PROGRAMS / f"{name}.c").read_text().splitlines()
    found = {number: MARK.findall(line) for number, line in enumerate(lines, start=1)}
    return {number: marks[0] for number, marks in found.items() if marks}


def counted(source: Path, *arguments: str) -> Workload:
    def program(sizes: object) -> Executable:
        compiled = compile_program([source], inline=True)
        return Executable(compiled=compiled, arguments=arguments, limits=Limits(time_s=20))

    return workload(counts(program({})), program, {}, {})


@pytest.fixture(scope="module")
def loads() -> Loaded:
    """The programs of the folder and their counts."""
    return cache(lambda name: counted(PROGRAMS / f"{name}.c"))


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Workload]:
    """A program given as text, and its counts."""

    def load(text: str, *arguments: str) -> Workload:
        source = tmp_path / "program.c"
        source.write_text(text, encoding="utf-8")
        return counted(source, *arguments)

    return load


def chosen_labels(load: Workload, nests: Sequence[Nest], name: str) -> list[list[str]]:
    lines = labels(name)
    loops = [[load.static.loops[number] for number in nest.loops] for nest in nests]
    return [[lines.get(loop.line, f"line {loop.line}") for loop in each] for each in loops]


@pytest.mark.parametrize("name", FACTS)
def test_chosen_are_the_outermost_parallel_loops(loads: Loaded, name: str) -> None:
    load = loads(name)
    choice = detected(load)
    nests = choice.nests
    if FACTS[name]["nests"]:
        assert chosen_labels(load, nests, name) == FACTS[name]["nests"]
    else:
        (nest,) = nests
        assert chosen_labels(load, nests, name)[0][0] in FACTS[name]["loops"]
        assert nest.reason.startswith("no loop has independent iterations")


@pytest.mark.parametrize("name", FACTS)
def test_loops_carry_what_the_facts_say(loads: Loaded, name: str) -> None:
    load, lines = loads(name), labels(name)
    counts = load.traced[: len(load.static.blocks)]
    tops = [
        loop.id
        for loop in load.static.loops
        if loop.parent is None and counts[loop.header] and loop.line in lines
    ]
    found: dict[str, dict[str, set[str]]] = {}
    for each in watched(load.executable, tops).values():
        for one in each.carried:
            arrays = found.setdefault(lines[load.static.loops[one.loop].line], {})
            array = IN_MAIN.get((name, one.sink.array), one.sink.array)
            arrays.setdefault(array, set()).add(one.kind)
    expected = {
        label: {array: set(kinds) for array, kinds in arrays.items() if kinds != ["register"]}
        for label, arrays in FACTS[name]["loops"].items()
    }
    for arrays in expected.values():
        for kinds in arrays.values():
            kinds.discard("register")
    assert found == {label: arrays for label, arrays in expected.items() if arrays}
    registers = {
        lines[loop.line]
        for loop in load.static.loops
        if loop.line in lines and loop.carried and loop.inductions
    }
    assert registers == {
        label
        for label, arrays in FACTS[name]["loops"].items()
        if any("register" in kinds for kinds in arrays.values())
    }


def chosen(load: Workload, function: str | None = None) -> tuple[list[tuple[str, int, int]], str]:
    """Function, line and depth of the chosen nests, and the notes."""
    choice = detected(load, function)
    nests, notes = choice.nests, choice.notes
    loops = load.static.loops
    places = [
        (loops[nest.loop].source_function, loops[nest.loop].line, nest.collapse) for nest in nests
    ]
    return places, "; ".join(notes)


SUMS = """\
static float A[64][64], x[64], y[64], z[64][64][3];
static void prepare(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            A[i][j] = (float)((i * j + i + j) % 7) / 7 + (float)(i % 5) / (j + 1);
}
static void product(void)
{
    for (int i = 0; i < 64; i++)
        y[i] = 0;
    MARK
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            y[i] += A[i][j] * x[j];
    END
}
static void colours(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            for (int c = 0; c < 3; c++)
                z[i][j][c] = 2 * z[i][j][c] + A[i][j];
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int rep = 0; rep < 3; rep++) {
        prepare();
        product();
        if (argc > 1)
            colours();
    }
    float sum = 0;
    for (int i = 0; i < 64; i++)
        sum += y[i];
    return sum > 1e9f;
}
"""
PLAIN = SUMS.replace("MARK", "").replace("END", "")


def test_preparation_and_sums_of_results_are_left_out(written: Callable[[str], Workload]) -> None:
    separate = PLAIN.replace("for (int rep = 0; rep < 3; rep++)", "")
    load = written(separate)
    assert chosen(load)[0] == [("product", 13, 1)]
    told = {part.line: part.reason for part in detected(load).shares.left_out}
    assert told[4] == "which only writes: it prepares data"


def test_a_repeating_loop_around_everything_stays_on_the_host(
    written: Callable[[str], Workload],
) -> None:
    found, _ = chosen(written(PLAIN))
    assert found == [("prepare", 4, 2), ("product", 10, 1), ("product", 13, 1)]


def test_a_function_can_be_named(written: Callable[[str], Workload]) -> None:
    load = written(PLAIN)
    assert chosen(load, "prepare")[0] == [("prepare", 4, 2)]
    with pytest.raises(RegionError, match="no loop of function 'colours' was executed"):
        chosen(load, "colours")
    with pytest.raises(RegionError, match=r"no function 'sum'; there are .*main"):
        chosen(load, "sum")


def test_between_the_marks_of_a_scop(written: Callable[[str], Workload]) -> None:
    marked = SUMS.replace("MARK", "#pragma scop").replace("END", "#pragma endscop")
    assert chosen(written(marked))[0] == [("product", 13, 1)]


def test_no_threads_are_made_of_a_few_iterations_inside(
    written: Callable[..., Workload],
) -> None:
    assert ("colours", 20, 2) in chosen(written(PLAIN, "all"))[0]


def test_the_exit_status_is_told(written: Callable[..., Workload]) -> None:
    load = written("int main(int n, char **v)\n{\n if (n < 2) return 3;\n return v == 0;\n}\n")
    with pytest.raises(
        RegionError, match="none was executed; the program ended with exit status 3"
    ):
        chosen(load)


def test_a_dependence_on_an_iteration_long_ago(written: Callable[[str], Workload]) -> None:
    """The next iteration of the outer loop comes after two million accesses."""
    text = """\
static float a[1000][1000];
int main(void)
{
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 1000; i++)
            for (int j = 0; j < 1000; j++)
                a[i][j] = a[i][j] * 0.5f + t;
    return a[1][1] > 9;
}
"""
    assert chosen(written(text))[0] == [("main", 5, 2)]


def test_serial_loops_with_few_iterations_are_passed_over(
    written: Callable[[str], Workload],
) -> None:
    """Three passes over the data carry fewer dependences, but would be three threads."""
    text = """\
static unsigned char d[6000];
static int h[256];
int main(void)
{
    unsigned s = 7;
    for (int i = 0; i < 6000; i++) {
        s = s * 1664525u + 1013904223u;
        d[i] = s >> 24;
    }
    for (int r = 0; r < PASSES; r++)
        for (int i = 0; i < 6000; i++)
            h[d[i]]++;
    return h[3] < 0;
}
"""
    text = text.replace("h[d[i]]++", "h[d[i]] = 3 * h[d[i]] + 1")
    assert chosen(written(text.replace("PASSES", "3")))[0] == [("main", 11, 1)]
    assert chosen(written(text.replace("PASSES", "40")))[0] == [("main", 10, 1)]


def test_small_loops_are_told(written: Callable[[str], Workload]) -> None:
    """Of 64 x 64 x 8 and 32 updates, the latter are less than a hundredth."""
    text = """\
static float a[64][64], b[32];
static void large(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            for (int k = 0; k < 8; k++)
                a[i][j] = a[i][j] * 2 + k;
}
static void small(void)
{
    for (int i = 0; i < 32; i++)
        b[i] = b[i] * 2 + 1;
}
int main(void)
{
    large();
    small();
    return b[31] < 0;
}
"""
    nests, notes = chosen(written(text))
    assert nests == [("large", 4, 2)]
    assert re.fullmatch(
        r"1 loop is left out, with less than 1 % of the hottest one's instructions and "
        r"0\.\d+ % of all: line 11",
        notes,
    )
    assert chosen(written(text), "small")[0] == [("small", 11, 1)]


pytest.importorskip("numba")

SUM = """\
#define N 4096
static float x[N], y[N];
static void prepare(void) { for (int i = 0; i < N; i++) x[i] = y[i] = i; }
static float dot(void)
{
    float s = 0;
    for (int r = 0; r < 19; r++)
        for (int i = 0; i < N; i++)
            s = 0.5f * s + x[i] * y[i];
    return s;
}
int main(void) { prepare(); return dot() < 0; }
"""
IN_MAIN_left_out = """\
static double x[4096];
int main(void)
{
    for (int i = 0; i < 4096; i++)
        x[i] = i % 77;
    double most = 0;
    for (int r = 0; r < 9; r++)
        for (int i = 0; i < 4096; i++)
            most = 0.5 * most + x[i];
    return most < 0;
}
"""
RECURSIVE = """\
static double a[512];
static double f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }
int main(void)
{
    for (int i = 0; i < 512; i++)
        a[i] = i;
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 9; k++)
            a[i] += f(k % 3);
    return a[9] < 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "program.c"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_sum_that_takes_most_of_the_time(source: Callable[[str], Path]) -> None:
    found = predict(source(SUM))
    assert isinstance(found, Prediction)
    assert [kernel.function for kernel in found.kernels] == ["prepare"]
    (left,) = found.left_out
    # of 20 passes over N elements the sum makes 19, each with at least as much to do
    assert left.share >= 19 / 20 - 0.02
    assert 0.99 < left.share + found.share <= 1
    assert "line 7 in dot" in left.note
    assert "which carries s (recurrence)" in left.note
    assert "`--function dot` predicts it" in left.note
    for line in (str(found).splitlines()[0], headline(found)):
        assert "4.0 % of the executed instructions" in line
        assert line.endswith("On the host stays the hottest loop, at line 7 in dot (96.0 %).")
    assert to_plain(prediction_data(found))["left_out"][0]["share"] == left.share
    own = predict(source(SUM), "dot")
    (rest,) = own.left_out
    assert rest.reason == "which is outside of function dot"
    assert [kernel.function for kernel in own.kernels] == ["dot"]


@pytest.mark.parametrize(
    ("text", "line", "why", "fix"),
    [
        (
            IN_MAIN_left_out,
            7,
            "which carries most",
            "`#pragma logca offload` before the loop that is to be threads predicts it",
        ),
        (RECURSIVE, 7, "program.c:9 calls f, which is recursive", "write it with loops"),
    ],
)
def test_where_it_is_and_what_to_do(
    source: Callable[[str], Path], text: str, line: int, why: str, fix: str
) -> None:
    found = predict(source(text))
    first = found.left_out[0]
    assert f"at line {line} in main" in first.note
    assert why in first.note
    assert fix in first.note


def test_nothing_is_said_where_the_kernel_is_most(source: Callable[[str], Path]) -> None:
    text = SUM.replace("r < 19", "r < 1").replace("x[i] = y[i] = i", "x[i] = y[i] * y[i] / 3 + i")
    found: Any = predict(source(text))
    assert [kernel.function for kernel in found.kernels] == ["prepare"]
    assert found.share > 0.5
    assert "the hottest loop" not in headline(found)


def test_advice_says_it_too(source: Callable[[str], Path]) -> None:
    said = advise(source(SUM))
    assert isinstance(said, Advice)
    assert "left out: 96.0 % of the executed instructions: the loop at line 7 in dot" in str(said)
