"""Values of macros, as the compiler has them."""

from pathlib import Path

import pytest

from logca.common.errors import CompileError, TraceError
from logca.trace.source.macros import macro_values, traced_sizes


def write(folder: Path, text: str, name: str = "program.c") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_or_what_is_given(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text("#define L (0x40u)\n#define SMALL 010\n")
    path = write(
        tmp_path,
        '#include "sizes.h"\n#ifndef N\n#define N 128\n#endif\n'
        "#define M ( N )\n#define TWICE (2 * N)\n#define f(x) x\nint main(void) { return 0; }\n",
    )
    known = {"N": 128, "M": 128, "L": 64, "SMALL": 8}
    assert macro_values(path, known) == known
    assert macro_values([path], ["M"], defines={"N": 64}) == {"M": 64}
    assert macro_values(path, ["X"], defines={"X": None}) == {"X": 1}
    assert macro_values(path, ["X"], flags=["-DX=3", "-lm"]) == {"X": 3}
    assert macro_values(path, []) == {}
    with pytest.raises(TraceError, match=r"TWICE .* is '\(2 \* N\)', no whole number: .* -D TWICE"):
        macro_values(path, ["TWICE"])
    with pytest.raises(TraceError, match="macro f of the work size is defined nowhere"):
        macro_values(path, ["f"])
    with pytest.raises(CompileError, match=r"nowhere\.h"):
        macro_values(write(tmp_path, '#include "nowhere.h"\n', "bad.c"), ["N"])


def test_macros_that_name_each_other_have_no_value(tmp_path: Path) -> None:
    path = write(tmp_path, "#define A B\n#define B A\n")
    with pytest.raises(TraceError, match="no whole number"):
        macro_values(path, ["A"])


def test_sources_must_agree(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"#define N {n}\n", f"{n}.c") for n in (4, 5)]
    with pytest.raises(TraceError, match=r"N is 4 in one source, but 5 in .*5\.c"):
        macro_values(paths, ["N"])


def test_a_size_that_cannot_be_changed_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "#ifndef N\n#define N 128\n#endif\n#define M 128\n")
    assert traced_sizes(path, {"N": 1024}) == {"N": 128}
    assert traced_sizes(path, {"N": 1024}, defines={"N": 64}) == {"N": 64}
    assert traced_sizes(path, {}) == {}
    with pytest.raises(TraceError, match=r"M stays 128 where it should be 1024.*#ifndef M"):
        traced_sizes(path, {"M": 1024})


def test_sizes_that_headers_define_together_are_asked_for_together(tmp_path: Path) -> None:
    path = write(tmp_path, "#if !defined(N) && !defined(M)\n#define N 8\n#define M 9\n#endif\n")
    with pytest.raises(TraceError, match=r"no longer define M where N is given: .* M=9"):
        traced_sizes(path, {"N": 16})
    assert traced_sizes(path, {"N": 16, "M": 16}) == {"N": 8, "M": 9}
