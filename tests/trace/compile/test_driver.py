"""Sources in, programs out, and what the compiler says when it refuses."""

from pathlib import Path

import pytest

from logca.common.errors import CompileError, TraceError
from logca.trace.compile.driver import compile_program


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
