"""Platforms: Table I as it is printed, and files of one's own."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from logca.numeric.partition.problem.platform import (
    KEYS,
    PlatformError,
    changed,
    checked_platform,
    platform,
    platforms,
)

MINE: dict[str, Any] = {
    name: getattr(platform("kenter2010"), name) for name in KEYS if name != "write_back"
}


def mine(**changes: object) -> dict[str, Any]:
    plain = {
        name: int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
        for name, value in MINE.items()
    }
    return plain | {"accelerator_cycles": 1} | changes


def test_table_1() -> None:
    """kenter2010, Table I."""
    found = platform("kenter2010")
    assert (found.cpu_cycles, found.accelerator_cycles) == (1, Fraction(1, 2))
    assert (found.control, found.push, found.pull) == (2, 1, 3)
    assert (found.latency_L1, found.latency_L2, found.latency_memory) == (3, 15, 200)
    assert (found.size_L1, found.size_L2, found.area) == (32 * 1024, 4 * 1024 * 1024, 128)


def test_every_platform_that_comes_along_has_a_source_for_each_number() -> None:
    for name in platforms():
        found = platform(name)
        assert platform(found) is found
        given = {
            row["parameter"]: row["source"] for row in found.rows() if row["value"] is not None
        }
        assert not [key for key, source in given.items() if source == f"{name}.toml"]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    text = "".join(
        f'{key} = "{value}"\n' if isinstance(value, str) else f"{key} = {value}\n"
        for key, value in mine(control=1.25, size_L1="8 KiB").items()
    )
    path.write_text(text, encoding="utf-8")
    found = platform(path)
    assert (found.name, found.control, found.size_L1) == ("board", Fraction(5, 4), 8192)
    assert found.write_back is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"control": -1}, "control must be a number .cycles. from 0 on, not -1"),
        ({"control": Decimal("1e-999999999")}, "control must be a number .cycles. from 0 on"),
        ({"control": 10**400}, "control must be at most 1e.06, not 1000"),
        ({"latency_L2": "many"}, "latency_L2 must be a number"),
        ({"size_L1": 3000}, "size_L1 must be a power of two, not 3000"),
        ({"size_L1": "32 kB"}, "size_L1 must be a whole number in B, KiB or MiB"),
        ({"line": 1 << 30}, "line <= size_L1 <= size_L2 must hold"),
        ({"size_L1": 1 << 23}, "line <= size_L1 <= size_L2 must hold"),
        ({"area": -5}, "area must be a whole number .1. from 1 on, not -5"),
        ({"area": True}, "area must be a whole number"),
        ({"free_casts": "some"}, "free_casts must be 'none' or 'integer' or 'all', not 'some'"),
        ({"pusch": 1}, "unknown key 'pusch'; did you mean 'push'"),
        ({"title": ""}, "title must be a text"),
        ({"sources": ["a"]}, "sources must be a table"),
        ({"sources": {"contrl": "x"}}, "sources: unknown key 'contrl'; did you mean 'control'"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(PlatformError, match=f"mine.toml: {message}"):
        checked_platform(mine(**changes), "mine.toml")


def test_what_is_missing_is_named() -> None:
    data = mine()
    del data["pull"]
    with pytest.raises(PlatformError, match="missing pull"):
        checked_platform(data, "mine.toml")
    with pytest.raises(PlatformError, match="no platform 'kenter2011'; did you mean 'kenter2010'"):
        platform("kenter2011")


TABLE_1 = {
    **{"cpu_cycles": 1, "accelerator_cycles": Decimal("0.5"), "control": 2, "push": 1, "pull": 3},
    **{"latency_L1": 3, "latency_L2": 15, "latency_memory": 200, "area": 128},
    **{"size_L1": "32 KiB", "size_L2": "4 MiB"},
}


def test_what_table_1_does_not_print_may_be_left_out() -> None:
    found, kenter = checked_platform(TABLE_1, "mine.toml"), platform("kenter2010")
    assert {name: getattr(found, name) for name in KEYS} == {
        name: getattr(kenter, name) for name in KEYS
    }
    assert found.sources["penalty"].startswith("default, as the file does not have it")
    assert found.sources["control"] == "mine.toml"


@pytest.mark.parametrize("key", TABLE_1)
def test_what_table_1_prints_must_be_there(key: str) -> None:
    less = {name: value for name, value in TABLE_1.items() if name != key}
    with pytest.raises(PlatformError, match=f"mine.toml: missing {key}$"):
        checked_platform(less, "mine.toml")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(16**5000, id="hexadecimal"),
        *("9" * 5000, f"{'9' * 5000} KiB", f"{'9' * 300} KiB", Decimal("9" * 5000), "٣ B"),
    ],
)
def test_numbers_of_thousands_of_digits_are_refused_in_a_line(value: object) -> None:
    with pytest.raises(PlatformError, match=r"size_L1 must be .*, not ") as told:
        changed(platform("kenter2010"), {"size_L1": value})
    assert len(str(told.value)) < 150


def test_a_platform_is_a_name_or_a_file() -> None:
    for wrong in (3, None, b"kenter2010"):
        with pytest.raises(PlatformError, match="a platform is the name of one, a file"):
            platform(wrong)  # type: ignore[arg-type]
