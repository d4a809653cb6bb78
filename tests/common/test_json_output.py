"""Any result as JSON, which knows neither NaN nor infinities nor fractions."""

import json
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.common.json_output import to_json, to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    share: float


class Ends(NamedTuple):
    low: float
    high: float


class Kind(Enum):
    ONE = 1


class Name(StrEnum):
    TWO = "two"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((nan, -inf, inf, 0.5), [None, None, None, 0.5]),
        (Fraction(10**30), 10**30),
        (Fraction(-5, 2), -2.5),
        ({True: Part(name="a", share=nan)}, {"True": {"name": "a", "share": None}}),
        (Ends(low=0.0, high=inf), {"low": 0.0, "high": None}),
        ([Kind.ONE, Name.TWO], [1, "two"]),
        ({"b", "a"}, ["a", "b"]),
        (Path("a") / "b", str(Path("a") / "b")),
        (np.array([[1.0, np.nan]]), [[1.0, None]]),
        ((np.float32(0.5), np.int64(3), np.bool_(True)), [0.5, 3, True]),
    ],
)
def test_what_json_cannot_hold(value: Any, expected: Any) -> None:
    found = to_plain(value)
    assert found == expected
    assert to_plain(found) == found


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="JSON has nothing for object"):
        to_plain([object()])


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.fractions()


@given(st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_everything_is_read_again_as_it_was(value: Any) -> None:
    assert json.loads(to_json(value)) == to_plain(value)


def test_texts_are_indented_by_one_unless_they_are_one_line() -> None:
    assert to_json({"a": [1]}) == '{\n "a": [\n  1\n ]\n}'
    assert to_json({"a": [1]}, indent=None) == '{"a": [1]}'
