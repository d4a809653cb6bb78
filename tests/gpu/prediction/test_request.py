"""Wrong arguments of a prediction: an error that names the value, before anything is compiled."""

from pathlib import Path
from typing import Any

import pytest

from logca.gpu import predict

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"args": [3]}, "args must be text, not 3"),
    ({"args": "abc"}, "args must be a sequence, not 'abc'"),
    ({"args": ["a\0"]}, "zero byte"),
    ({"flags": "-lm"}, "flags must be a sequence, not '-lm'"),
    ({"includes": "folder"}, "includes must be a sequence, not 'folder'"),
    ({"defines": "N=3"}, "defines must be a mapping .*, not 'N=3'"),
    ({"work": {"N": "8"}}, "work: N = '8' must be a whole number from 1 on"),
    ({"work": {"N": 0}}, "work: N = 0 must be a whole number from 1 on"),
    ({"work": 3}, "work must be a mapping .*, not 3"),
    ({"limits": 3}, "limits must be logca.trace.Limits.*, not 3"),
    ({"device": 3}, "device must be .*, not 3"),
    ({"model": []}, r"model must be text, not \[\]"),
    ({"function": 3}, "function must be text, not 3"),
    (
        {"block": 32},
        r"block must be a tuple of one to three .* or 'fullest', not 32: write \(32,\)",
    ),
    (
        {"block": (3.5, 2)},
        r"one to three whole numbers from 1 on .*, not \(3\.5, 2\): write \(32, 32",
    ),
    ({"block": (True, 2)}, r"whole numbers from 1 on .*, not \(True, 2\)"),
    ({"block": "abc"}, "block must be .* or 'fullest', not 'abc'"),
    ({"block": ()}, r"block must be .*, not \(\)"),
    ({"block": (1, 1, 1, 1)}, r"one to three .*, not \(1, 1, 1, 1\)"),
    ({"grid": (0, 4)}, r"grid must be .* from 1 on, not \(0, 4\)"),
    ({"grid": "fullest"}, "grid must be .*, not 'fullest'"),
    ({"stdin": "5"}, r"stdin must be bytes, not '5': call its encode\(\)"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_wrong_argument(tmp_path: Path, wrong: dict[str, Any], message: str) -> None:
    source = tmp_path / "program.c"
    source.write_text("this is never compiled")
    with pytest.raises(ValueError, match=message):
        predict(source, **wrong)


@pytest.mark.parametrize("source", [None, 3, ["a.c", 3]])
def test_sources_that_are_no_paths(source: Any) -> None:
    with pytest.raises(ValueError, match=r"source: .* is no path"):
        predict(source)


def test_sources_that_are_no_c(tmp_path: Path) -> None:
    source = tmp_path / "kernel.cu"
    source.write_text("__global__ void f() {}")
    with pytest.raises(ValueError, match=r"kernel\.cu does not end in \.c"):
        predict(source)
