"""Names that are not ASCII: of folders, files, headers, functions and variables."""

from pathlib import Path

from logca import trace
from logca.trace.compilation import compile_program

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
