"""Values of macros, as the compiler has them."""

from pathlib import Path

import pytest

from logca.common.errors import CompileError, TraceError
from logca.trace.source.macros import traced_sizes


def write(folder: Path, text: str, name: str = "program.c") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_or_what_is_given(tmp_path: Path) -> None:
    known = {"L": ("(0x40u)", 64), "SMALL": ("010", 8), "N": ("128", 128), "M": ("( N )", 128)}
    guarded = [
        f"#ifndef {name}\n#define {name} {text}\n#endif\n" for name, (text, _) in known.items()
    ]
    (tmp_path / "sizes.h").write_text("".join(guarded[:2]))
    path = write(
        tmp_path,
        '#include "sizes.h"\n' + "".join(guarded[2:]) + "#define TWICE (2 * N)\n#define f(x) x\n"
        "int main(void) { return 0; }\n",
    )
    work = dict.fromkeys(known, 4096)
    assert traced_sizes(path, work) == {name: value for name, (_, value) in known.items()}
    assert traced_sizes([path], {"M": 4096}, defines={"N": 64}) == {"M": 64}
    assert traced_sizes(path, {"X": 7}, defines={"X": None}) == {"X": 1}
    assert traced_sizes(path, {"X": 3}, flags=["-DX=3", "-lm"]) == {"X": 3}
    with pytest.raises(TraceError, match=r"TWICE .* is '\(2 \* N\)', no whole number: .* -D TWICE"):
        traced_sizes(path, {"TWICE": 8})
    with pytest.raises(TraceError, match="macro f of the work size is defined nowhere"):
        traced_sizes(path, {"f": 8})
    with pytest.raises(CompileError, match=r"nowhere\.h"):
        traced_sizes(write(tmp_path, '#include "nowhere.h"\n', "bad.c"), {"N": 8})


@pytest.mark.parametrize(
    "text",
    ["09", "08u", "0", "0x7fuL", "0b101", "0777", "0x", "1.5", "²", "9" * 5000, "0x" + "f" * 5000],
)
def test_a_number_is_one_that_c_reads(tmp_path: Path, text: str) -> None:
    """By the preprocessor's own arithmetic; what it does not read is said where it is asked for."""
    known = {"0": 0, "0x7fuL": 127, "0b101": 5, "0777": 511}
    path = write(tmp_path, f"#ifndef N\n#define N {text}\n#endif\n#define M 16\n")
    assert traced_sizes(path, {"N": 20}, defines={"N": 10}) == {"N": 10}
    if text in known:
        assert traced_sizes(path, {"N": 20}) == {"N": known[text]}
        write(tmp_path, f"#if {text} != {known[text]}\n#error\n#endif\n", "check.c")
        assert traced_sizes(tmp_path / "check.c", {"X": 1}, defines={"X": 2}) == {"X": 2}
        return
    with pytest.raises(
        TraceError, match=f"macro N of the work size is '{text[:9]}.*no whole"
    ) as told:
        traced_sizes(path, {"N": 20})
    assert len(str(told.value)) < 200


def test_macros_that_name_each_other_have_no_value(tmp_path: Path) -> None:
    path = write(tmp_path, "#define A B\n#define B A\n")
    with pytest.raises(TraceError, match="no whole number"):
        traced_sizes(path, {"A": 8})


def test_sources_must_agree(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"#define N {n}\n", f"{n}.c") for n in (4, 5)]
    with pytest.raises(TraceError, match=r"N is 4 in one source, but 5 in .*5\.c"):
        traced_sizes(paths, {"N": 8})


def test_a_size_that_cannot_be_changed_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "#ifndef N\n#define N 128\n#endif\n#define M 128\n")
    assert traced_sizes(path, {"N": 1024}) == {"N": 128}
    assert traced_sizes(path, {"N": 1024}, defines={"N": 64}) == {"N": 64}
    assert traced_sizes(path, {}) == {}
    with pytest.raises(TraceError, match=r"M stays 128 whatever is given.*#ifndef M"):
        traced_sizes(path, {"M": 1024})


def test_sizes_that_headers_define_together_are_asked_for_together(tmp_path: Path) -> None:
    path = write(tmp_path, "#if !defined(N) && !defined(M)\n#define N 8\n#define M 9\n#endif\n")
    with pytest.raises(TraceError, match=r"no longer define M where N is given: .* M=9"):
        traced_sizes(path, {"N": 16})
    assert traced_sizes(path, {"N": 16, "M": 16}) == {"N": 8, "M": 9}
