"""Names of files and variables that are not plain, and the lines that stand in a report."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.annotation import source_reader
from logca.trace.compilation import Compiled, compile_program
from logca.trace.errors import TraceError

Compile = Callable[..., Compiled]

PLAIN = "int a[3];\nint main(int n, char **v) { a[n] = n; return 0; }\n"


@pytest.mark.parametrize("name", ['a"b.c', "a b.c", "größe.c", "a#b$c%.c", "a'b.c"])
def test_files_keep_their_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(PLAIN)
    program = compile_program(path).program
    assert program.files == (str(path),)
    (access,) = program.accesses
    assert (access.file, access.line, access.array) == (str(path), 2, "a")


@pytest.mark.parametrize("name", ["a\\b.c", "a\nb.c", "a:b.c"])
def test_files_that_zig_cannot_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(PLAIN)
    with pytest.raises(TraceError, match=r"zig takes no source whose path .* rename it"):
        compile_program(path)


def test_variables_of_threads_and_in_other_alphabets(compiled: Compile) -> None:
    program = compiled(
        "static __thread int own[9]; _Thread_local double other[4];"
        " static struct { int größe[3]; } ß; int Länge[5];"
        " int main(int n, char **v) { static _Thread_local long inside[2];"
        " own[n] = 1; other[n] = 2; inside[n] = 3; ß.größe[n] = 4; Länge[n] = 5;"
        " double *within = other + n; within[1] += 6; return 0; }"
    ).program
    stored = [access.array for access in program.accesses if access.store]
    assert stored == ["own", "other", "inside", "ß", "Länge", "other"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_ends_of_lines_count(tmp_path: Path, end: str) -> None:
    path = tmp_path / "page.c"
    separators = "\f\v\x1c\x1d\x1e\x85\u2028\u2029"
    lines = ["int a;", f"/* {separators} */", f"{separators}int  b;", "", "  int c;"]
    path.write_bytes(end.join(lines).encode())
    text = source_reader()
    assert [text(str(path), line) for line in (1, 3, 4, 5, 6)] == [
        "int a;",
        "int b;",
        "",
        "int c;",
        "",
    ]


def test_lines_of_the_compiler_are_those_of_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "page.c"
    path.write_bytes(
        b"int a[3];\r\n\x0c\r\n/* \x0b \x0c */\r\nint main(void) {\r\na[1] = 2; return 0; }\r\n"
    )
    (access,) = compile_program(path).program.accesses
    assert source_reader()(str(path), access.line) == "a[1] = 2; return 0; }"
