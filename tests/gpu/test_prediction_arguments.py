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
