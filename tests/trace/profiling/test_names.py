"""Names of files and variables that are not plain, and the lines that stand in a report."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from logca import trace
from logca.common.errors import TraceError
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.profiling.loops_and_lines import source_reader

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


@pytest.mark.parametrize("name", ["a\\b.c", "a\nb.c", "a:b.c", "a\tb.c", 'a "b".c'])
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
    text = source_reader({str(path)})
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
    assert source_reader({str(path)})(str(path), access.line) == "a[1] = 2; return 0; }"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_that_debug_data_name_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "a.c"
    path.write_text(f'#line 1 "{tmp_path / "pipe"}"\n{PLAIN}')
    found: list[trace.Profile] = []
    # a daemon, as one that waits for the pipe never ends
    tracing = threading.Thread(target=lambda: found.append(trace.profile(path)), daemon=True)
    tracing.start()
    tracing.join(60)
    ((line,),) = (each.lines for each in found)
    assert (line.file, line.line, line.text) == (str(tmp_path / "pipe"), 2, "")


def test_only_files_that_were_compiled_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "he a#d$ers"
    folder.mkdir()
    (folder / "inner.h").write_text("static int twice(int i) {\n    return 2 * b[i];\n}\n")
    (tmp_path / "secret.txt").write_text("one\ntwo\n")
    (tmp_path / "a.c").write_text(
        'int a[10], b[10];\n#include "inner.h"\nint main(void) {\n    a[1] = twice(3);\n'
        '#line 1 "secret.txt"\n    a[2] = 1; a[3] = twice(4);\n#line 6 "a.c"\n    return a[4]; }\n'
    )
    monkeypatch.chdir(tmp_path)
    found = trace.profile("a.c", includes=[folder.name])
    header, secret = str(folder / "inner.h"), str(tmp_path / "secret.txt")
    assert found.program.compiled_files == {"a.c", header}
    assert {(Path(line.file).name, line.line): line.text for line in found.lines} == {
        ("a.c", 4): "a[1] = twice(3);",
        ("a.c", 6): "a[2] = 1; a[3] = twice(4);",
        ("inner.h", 2): "return 2 * b[i];",
        ("secret.txt", 1): "",
    }
    assert secret in {line.file for line in found.lines}


HEADER = """
static inline void füllen(double *größe) {
#pragma logca offload
    for (int 变量 = 0; 变量 < 8; 变量++)
        größe[变量] = 1;
}
"""
SOURCE = """
#include "kopf é.h"
static double maße[8];
struct höhe { int tiefe, länge; } *was;
int main(void) {
    füllen(maße);
    was->länge = 3;
    return 0;
}
"""


def test_names_in_all_scripts(tmp_path: Path) -> None:
    folder = tmp_path / "größe \U0001f600"
    folder.mkdir()
    source, header = folder / "prüfung.c", folder / "kopf é.h"
    source.write_text(SOURCE, encoding="utf-8")
    header.write_text(HEADER, encoding="utf-8")
    found = trace.profile(source, region="pragma")
    (loop,) = found.loops
    program = found.program
    inner = program.loops[loop.loop]
    assert (inner.file, inner.line, inner.inductions) == (str(header), 4, ("变量",))
    assert inner.source_function == "füllen"
    assert loop.text == "for (int 变量 = 0; 变量 < 8; 变量++)"
    (line,) = found.lines
    assert (line.file, line.text) == (str(header), "größe[变量] = 1;")
    assert program.accesses[line.accesses[0].access].array == "maße"
    assert found.run.last_line == f"{source}:7"
    assert [pragma.file for pragma in program.pragmas] == [str(header)]


def test_registers_and_members(tmp_path: Path) -> None:
    folder = tmp_path / "é"
    folder.mkdir()
    (folder / "kopf é.h").write_text(HEADER, encoding="utf-8")
    source = folder / "p.c"
    source.write_text(SOURCE.replace("= 3", "= was->tiefe"), encoding="utf-8")
    program = compile_program(source).program
    assert {value.name.partition(".")[0] for value in program.values} >= {"größe", "变量"}
    assert {access.array for access in program.accesses} >= {"größe", "was"}
    assert [function.source_name for function in program.functions] == ["main", "füllen"]


def test_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "\udce9"
    folder.mkdir()
    source = folder / "p.c"
    source.write_text("int a[4];\nint main(void) {\n    return a[1];\n}\n")
    (line,) = trace.profile(source).lines
    assert (line.file, line.text) == (str(source), "return a[1];")
