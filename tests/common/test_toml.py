"""Keys of files: what a table of them refuses, and where it says so."""

from datetime import date
from decimal import Decimal

import pytest

from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import Format, Key, shown, with_unit


def number(
    value: object, written: tuple[str, float] | None, name: str, key: Key, file: str
) -> float:
    if not isinstance(value, int):
        raise FileError(f"{file}: {name} must be a number [{key.unit}], not {shown(value)}")
    return value


CAR = Format(
    keys={
        "wheels": Key(unit="1", meaning="wheels"),
        "spare": Key(unit="1", meaning="wheels in the boot", default=0),
        "front": Key(unit="1", meaning="wheels in front", default_key="wheels"),
        "doors": Key(unit="1", meaning="doors, if there are any", optional=True),
        "fuel": Key(
            unit="text", meaning="what it runs on", choices=("none", "wood"), default="none"
        ),
    },
    number=number,
)


def test_what_is_left_out_has_its_default_or_that_of_another_key() -> None:
    found = CAR.described({"wheels": 3, "sources": {"wheels": "counted"}}, "car.toml")
    assert found.title == "car"
    default = "default, as the file does not have it"
    assert found.sources == {"wheels": "counted", "spare": default, "fuel": default}
    assert found.values == {"wheels": 3, "spare": 0, "front": 3, "doors": None, "fuel": "none"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "missing wheels"),
        ({"wheels": "4"}, r"wheels must be a number \[1\], not '4'"),
        ({"wheel": 4}, "unknown key 'wheel'; did you mean 'wheels'?"),
        ({"x": 4}, "unknown key 'x'; known keys: title, sources, wheels, spare"),
        ({"wheels": 4, "title": " "}, "title must be a text, not ' '"),
        ({"wheels": 4, "sources": {"wheels": 4}}, "sources must be a table of texts"),
        ({"wheels": 4, "sources": {"wheelz": "a"}}, "sources: unknown key 'wheelz'; did you mean"),
        ({"wheels": 4, "fuel": "coal"}, "fuel must be 'none' or 'wood', not 'coal'"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(data: dict[str, object], message: str) -> None:
    with pytest.raises(FileError, match=f"^car.toml: {message}"):
        CAR.described(data, "car.toml")


def test_near_words_are_asked_for_as_many_as_wanted() -> None:
    known = ("speedup", "speedups", "latency")
    assert did_you_mean("speedupp", known, most=2, joined=" or ", quote=str, before="; ") in (
        "; did you mean speedup or speedups?",
        "; did you mean speedups or speedup?",
    )
    assert did_you_mean("zzz", known, before="; ") == ""


def test_values_are_shown_as_a_file_has_them() -> None:
    assert shown(date(2024, 1, 1)) == "2024-01-01"
    assert shown(Decimal("1.50")) == "1.50"
    assert shown("y" * 80) == f"'{'y' * 36}..."
    assert shown(16**9000) == "a number of thousands of digits"


def test_a_unit_is_one_of_the_base_unit() -> None:
    assert with_unit(" 1.5 GHz ", "Hz") == ("1.5", 1e9)
    assert with_unit("1.5 GHz", "B") is None
    assert with_unit("1.5", "Hz") is None
    assert with_unit("3 cycles", "cycles") is None
