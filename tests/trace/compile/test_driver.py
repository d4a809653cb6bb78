"""Sources in, programs out, and what the compiler says when it refuses."""

from pathlib import Path

import pytest

from logca.common.errors import CompileError, TraceError
from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "kernel.c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { return 0 }", r"kernel\.c:1:26: error: expected ';'.*"),
        ("\n\nint f(void) { return x; }", r"kernel\.c:3:22: error: use of undeclared identifier"),
        ('#include "nowhere.h"\n', r"kernel\.c:1:10: error: 'nowhere\.h' file not found"),
        ("int f(void) { return x + y; }", r"undeclared identifier 'x'.* \(and 1 more\)"),
        ("#error no size given\n", r"kernel\.c:1:2: error: no size given"),
        ("int f(void) { return g(); }", r"call to undeclared function 'g'"),
    ],
)
def test_the_compiler_s_first_message(source: Path, text: str, message: str) -> None:
    source.write_text(text, encoding="utf-8")
    with pytest.raises(CompileError, match=message):
        compile_program(source)


def test_the_place_is_written_as_the_user_writes_it(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.write_text("int f(void) { return 0 }\nint g;\n", encoding="utf-8")
    monkeypatch.chdir(source.parent)
    with pytest.raises(CompileError) as refused:
        compile_program("kernel.c")
    assert str(refused.value).startswith("kernel.c:1:23: error: ")
    source.write_text("double a[9];\nvoid f(void) { for (int i = 0; i < 9; i++) a[i] = 0; }\n")
    program = compile_program("kernel.c").program
    assert program.files == ("kernel.c",)
    assert {access.file for access in program.accesses} == {"kernel.c"}
    assert {block.file for block in program.blocks} == {"kernel.c"}


def test_an_error_in_one_of_several_files(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.c", tmp_path / "bad.c"
    good.write_text("int f(void) { return 0; }\n", encoding="utf-8")
    bad.write_text("int g(void) { return }\n", encoding="utf-8")
    with pytest.raises(CompileError, match=r"bad\.c:1:22: error: expected expression"):
        compile_program([good, bad])


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([], "no C source given"),
        (["nowhere.c"], r"there is no file .*nowhere\.c"),
        (["."], "is a folder"),
        (["here.c", "./here.c"], "named twice"),
    ],
)
def test_sources_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: list[str], message: str
) -> None:
    (tmp_path / "here.c").write_text("int x;\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TraceError, match=message):
        compile_program(sources)


def test_defines_includes_and_flags(tmp_path: Path) -> None:
    folder = tmp_path / "headers with space"
    folder.mkdir()
    (folder / "size.h").write_text("#define SIZE (N * 2)\n", encoding="utf-8")
    source = tmp_path / "kernel.c"
    source.write_text(
        '#include "size.h"\n#include <assert.h>\n'
        "#if !defined FAST || FAST != 1 || MODE != 7\n#error flags\n#endif\n"
        "char a[SIZE]; void f(int i) { assert(i > 0); a[i] = SIZE; }\n",
        encoding="utf-8",
    )
    found = compile_program(
        source, defines={"N": 16, "FAST": None}, includes=[folder], flags=["-DMODE=7", "-lm"]
    )
    assert "[32 x i8]" in found.ir
    assert found.link_flags == ("-lm",)
    assert "__assert_fail" in found.ir


@pytest.mark.parametrize("flag", ["-S", "-E"])
def test_flags_that_ask_for_something_else(source: Path, flag: str) -> None:
    source.write_text("int x;\n", encoding="utf-8")
    with pytest.raises(CompileError, match="leave out flags that say what it writes"):
        compile_program(source, flags=[flag])


def test_a_program_without_functions(source: Path) -> None:
    source.write_text("int x;\n", encoding="utf-8")
    program = compile_program(source).program
    assert (program.functions, program.blocks, program.loops) == ((), (), ())


SERIAL = """
#include <omp.h>
#include <openacc.h>
static int index = 1, malloc_calls; /* names of the C library, of which these include no header */
int main(void) {
  omp_nest_lock_t nest; omp_lock_t lock; omp_sched_t kind; int chunk;
  double begin = omp_get_wtime();
  omp_init_lock(&lock); omp_set_lock(&lock); omp_unset_lock(&lock); omp_destroy_lock(&lock);
  omp_init_nest_lock(&nest); omp_set_nest_lock(&nest);
  omp_set_num_threads(8); omp_set_dynamic(1); omp_set_schedule(omp_sched_guided, 4);
  omp_get_schedule(&kind, &chunk); acc_init(acc_device_default);
  int *copy = omp_target_alloc(sizeof index, omp_get_default_device());
  if (omp_target_memcpy(copy, &index, sizeof index, 0, 0, 0, 0) || *copy != 1) return 1;
  omp_target_free(copy, 0);
  if (omp_get_num_threads() != 1 || omp_get_max_threads() != 1 || omp_get_thread_num()) return 2;
  if (omp_get_num_devices() || !omp_is_initial_device() || omp_in_parallel()) return 3;
  if (!omp_test_lock(&lock) || omp_test_nest_lock(&nest) != 2) return 4;
  if (acc_get_num_devices(acc_device_nvidia) || acc_on_device(acc_device_not_host)) return 5;
  double end = omp_get_wtime();
  if (!(begin > 0 && end >= begin && end < begin + 60) || omp_get_wtick() > 1e-6) return 6;
#ifdef _OPENMP
  return 40 + malloc_calls;
#else
  return 50;
#endif
}
"""


@pytest.mark.parametrize(
    ("flags", "status", "note"),
    [
        (["-std=c99", "-Wall", "-Werror"], 50, ""),
        (["-fopenmp=libomp", "-lgomp"], 40, "compiled without -fopenmp=libomp, -lgomp: "),
        (["-fopenacc", "-fopenmp-simd"], 50, "compiled without -fopenacc, -fopenmp-simd: "),
    ],
)
def test_openmp_runs_on_one_thread(source: Path, flags: list[str], status: int, note: str) -> None:
    source.write_text(SERIAL, encoding="utf-8")
    compiled = compile_program(source, flags=flags)
    assert run(compiled).status == status
    assert compiled.note.startswith(note)
    assert bool(compiled.note) == bool(note)
    # what the headers define leaves no function behind
    assert [each.name for each in compiled.program.functions] == ["main"]


def test_a_header_of_the_user_s_own_goes_first(source: Path) -> None:
    folder = source.parent / "own"
    folder.mkdir()
    (folder / "omp.h").write_text("static int omp_get_num_threads(void) { return 7; }\n")
    source.write_text("#include <omp.h>\nint main(void) { return omp_get_num_threads(); }\n")
    for how in (
        {"includes": [folder]},
        {"flags": [f"-I{folder}"]},
        {"flags": [f"-isystem{folder}"]},
    ):
        assert run(compile_program(source, **how)).status == 7
