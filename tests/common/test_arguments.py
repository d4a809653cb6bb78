"""Wrong arguments: an error that names the value, before anything is compiled."""

from pathlib import Path
from typing import Any

import pytest

from logca.trace import Limits, TraceError, profile

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"args": [3]}, "args must be text, not 3: write '3'"),
    ({"args": "abc"}, r"args must be a sequence, not 'abc': write \['abc'\]"),
    ({"args": None}, "args must be a sequence, not None"),
    ({"args": ["a\0b"]}, r"args: 'a\\x00b' has a zero byte"),
    ({"args": ["x" * 200_000]}, "200000 bytes, and 131071 is the most"),
    ({"stdin": "text"}, "stdin must be bytes, not 'text': call its encode"),
    ({"stdin": 3}, "stdin must be bytes, not 3"),
    ({"limits": None}, "limits must be logca.trace.Limits.*, not None"),
    ({"flags": "-lm"}, r"flags must be a sequence, not '-lm': write \['-lm'\]"),
    ({"flags": [b"-lm"]}, "flags must be text, not b'-lm'"),
    ({"includes": "folder"}, "includes must be a sequence, not 'folder'"),
    ({"includes": [3]}, "includes: 3 is no path"),
    ({"defines": "N=3"}, "defines must be a mapping .*, not 'N=3'"),
    ({"defines": {"N M": 1}}, "defines: 'N M' is no name of a macro"),
    ({"defines": {"N": "a\0"}}, "zero byte"),
    ({"compiler": 3}, "compiler must be .*, not 3"),
    ({"output": 3}, "output: 3 is no path"),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sources") / "program.c"
    path.write_text("int main(int n, char **words) { return n; }\n")
    return path


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_wrong_argument(source: Path, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        profile(source, **wrong)


def test_more_arguments_than_the_system_takes(source: Path) -> None:
    with pytest.raises(TraceError, match="args have 3000000 bytes, more than the system"):
        profile(source, args=["x" * 100_000] * 30)


@pytest.mark.parametrize("sources", [None, 3, b"a.c", ["a.c", 3]])
def test_sources_that_are_no_paths(sources: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TraceError, match=r"sources: .* is no path"):
        profile(sources)


@pytest.mark.parametrize("name", ["a.cu", "a.txt", "a.i", "a", "a.h", "a.cpp", "a.C", "a.cc", ".c"])
def test_sources_that_are_no_c(name: str, source: Path, tmp_path: Path) -> None:
    other = tmp_path / name
    other.write_text(source.read_text())
    with pytest.raises(TraceError, match=r"does not end in \.c: C is read, and neither C\+\+"):
        profile([other])


@pytest.mark.parametrize("value", ["3", None, True])
def test_limits_that_are_no_numbers(value: Any) -> None:
    with pytest.raises(TraceError, match=f"time_s = {value!r} must be a number"):
        Limits(time_s=value)


def test_what_is_right_stays(source: Path) -> None:
    found = profile(
        [str(source)], args=("a", "b"), stdin=bytearray(b"x"), flags=iter(["-std=c11"]), defines={}
    )
    assert found.run.status == 3
