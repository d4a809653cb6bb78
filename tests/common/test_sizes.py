"""Sizes as people write them."""

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.common.sizes import SizeError, format_size, parse_size

DECIMAL = {"B": 0, "kB": 1, "MB": 2, "GB": 3, "TB": 4, "PB": 5, "EB": 6}
BINARY = {"KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4, "PiB": 5, "EiB": 6}


@pytest.mark.parametrize(
    ("unit", "factor"),
    [(u, 1000**p) for u, p in DECIMAL.items()] + [(u, 1024**p) for u, p in BINARY.items()],
)
@pytest.mark.parametrize("form", ["3{}", "3 {}", " 3.0  {} ", "+3{}", "3e0 {}", "0.03e2{}", "3.{}"])
def test_units(unit: str, factor: int, form: str) -> None:
    assert parse_size(form.format(unit)) == 3 * factor


@pytest.mark.parametrize(
    ("given_", "size"),
    [
        ("4096", 4096),
        (4096, 4096),
        (0.5, 0.5),
        (".5 KiB", 512),
        ("1_000 B", 1000),
        ("1e3", 1000),
        ("1E3B", 1000),
        ("2E", None),
        ("1EB", 10**18),
        (5e-324, 5e-324),
    ],
)
def test_numbers(given_: Any, size: float | None) -> None:
    if size is None:
        with pytest.raises(SizeError):
            parse_size(given_)
    else:
        assert parse_size(given_) == size


BAD = [
    ("32 Mb", ["'32 Mb'", "32MB for 32000000", "32MiB for 33554432", "4MB if b means bits"]),
    ("4kb", ["'4kb'", "4kB for 4000 bytes", "4KiB for 4096 bytes", "0.5kB if b means bits"]),
    ("32 Mbit", ["bits", "write 4MB"]),
    ("16 Gib", ["bits", "write 2GiB"]),
    ("32 bits", ["bits", "write 4B"]),
    ("32 KB", ["'32 KB'", "ambiguous", "32KiB for 32768", "32kB for 32000"]),
    ("32 K", ["ambiguous"]),
    ("32 k", ["ambiguous"]),
    ("32 mib", ["'mib'", "did you mean MiB"]),
    ("32 mb", ["32MB for 32000000", "32MiB for 33554432"]),
    ("32 XB", ["'XB'", "known are B, kB"]),
    ("32 M", ["'32 M'", "32MB for 32000000"]),
    ("0", ["'0'", "more than 0 bytes"]),
    ("0 MiB", ["more than 0 bytes"]),
    ("-5 B", ["'-5 B'", "more than 0 bytes"]),
    ("1e400", ["finite"]),
    (0, ["0 is no size", "more than 0 bytes"]),
    (-4096, ["-4096"]),
    (math.nan, ["nan"]),
    (math.inf, ["inf", "finite"]),
    ("nan", ["'nan'", "such as 32MiB"]),
    ("", ["''", "such as 32MiB"]),
    ("MiB", ["'MiB'"]),
    ("1,000 B", ["'1,000 B'"]),
    ("1.5.2 B", ["'1.5.2 B'"]),
    ("32 MiB!", ["'32 MiB!'"]),
    ("0x10", ["'0x10'"]),
]


@pytest.mark.parametrize(("bad", "words"), BAD, ids=[repr(row[0]) for row in BAD])
def test_bad_sizes_say_what_would_be_good(bad: Any, words: list[str]) -> None:
    with pytest.raises(SizeError) as raised:
        parse_size(bad)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize("bits", ["32 kib", "32 Kib", "32 Gbit", "8 b"])
def test_what_is_proposed_instead_of_bits_is_a_size(bits: str) -> None:
    with pytest.raises(SizeError, match="is in bits") as raised:
        parse_size(bits)
    proposed = re.search(r"write (.*)", str(raised.value))
    assert proposed is not None
    assert parse_size(proposed[1]) > 0


@pytest.mark.parametrize("bad", ["32 Mb", "32 Kb", "1.5kb", "32 mb", "7 G", "4 KB", "4 tb"])
def test_what_is_proposed_instead_of_an_ambiguous_size_is_as_large_as_it_says(bad: str) -> None:
    with pytest.raises(SizeError, match="is ambiguous") as raised:
        parse_size(bad)
    proposed = re.findall(r"([\d.]+[A-Za-z]+) for ([\d.]+) bytes", str(raised.value))
    assert len(proposed) == 2
    for text, size in proposed:
        assert parse_size(text) == float(size)


@pytest.mark.parametrize("bad", ["1__0", "1_", "1_ B", "1_.5"])
def test_misplaced_underscores_are_no_number(bad: str) -> None:
    with pytest.raises(SizeError, match="is no size"):
        parse_size(bad)


@pytest.mark.parametrize("bad", [None, True, False, 3j, [1], b"32", 10**400], ids=type)
def test_what_is_neither_number_nor_text_is_no_size(bad: Any) -> None:
    with pytest.raises(SizeError, match="is no size"):
        parse_size(bad)


@given(size=st.floats(1e-6, 1e24))
def test_a_formatted_size_is_read_back_to_four_digits(size: float) -> None:
    text = format_size(size)
    assert parse_size(text) == pytest.approx(size, rel=5.1e-4)
    assert re.fullmatch(r"[0-9.e+-]+ ([KMGTPE]i)?B", text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1, "1 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (2**20, "1 MiB"),
        (2**25, "32 MiB"),
        (2.0**60, "1 EiB"),
        (2.0**70, "1.181e+21 B"),
        (675_597.7, "659.8 KiB"),
        (0, "0 B"),
        (0.5, "0.5 B"),
        (1e-5, "1e-05 B"),
        (math.inf, "inf B"),
    ],
)
def test_formatted(size: float, text: str) -> None:
    assert format_size(size) == text


@given(value=st.integers(1, 1023), unit=st.sampled_from(sorted(BINARY)))
def test_whole_units_stay_whole(value: int, unit: str) -> None:
    assert format_size(value * 1024 ** BINARY[unit]) == f"{value} {unit}"
