"""Emitted thresholds in a program's macro: they answer as the offload does."""

from collections.abc import Callable
from typing import Any

import pytest
from offloads import SIZES, made

from logca.common.errors import FileError
from logca.numeric.generate.offload.source import LANGUAGES
from logca.offloading.break_even import PayingRange
from logca.offloading.result import Offload
from logca.show.offload.emitted import should_offload_source

PAYS = made(lambda size: size, lambda size: 10.0, spread=2.0)


def within(ranges: tuple[PayingRange, ...], size: int) -> bool:
    return any((each.least or SIZES[0]) <= size <= (each.most or size) for each in ranges)


def compiled(found: Offload) -> dict[str, Callable[..., bool]]:
    names: dict[str, Any] = {}
    exec(should_offload_source(found, "python", "command"), names)
    return names


@pytest.mark.parametrize(
    "found",
    [
        PAYS,
        made(lambda size: size, lambda size: 2.0 * size),
        made(lambda size: 5.0 * size, lambda size: 1.0),
        made(lambda size: 200.0, lambda size: 0.5 * size),
    ],
)
def test_python_answers_as_the_offload_does(found: Offload) -> None:
    names, where = compiled(found), found.break_even
    for size in (1, *range(10, 1200, 7)):
        if size < SIZES[0]:
            assert not names["should_offload"](size)
            continue
        assert names["should_offload"](size) == within(where.ranges, size)
        assert names["should_offload_from"](size, True) == within(where.early, size)
        assert names["should_offload_from"](size, False) == within(where.late, size)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_says_what_a_size_is(language: str) -> None:
    text = should_offload_source(PAYS, language, "logca offload */ x.c")
    assert "a value of N" in text
    assert "a number of bytes" not in text
    assert "$" not in text.replace("${", "") or language == "javascript"
    assert "logca offload * / x.c" in text


def test_what_carries_a_dependence_has_no_code() -> None:
    found = made(float, lambda size: 5.0, against=("file.c:7 carries a",))
    with pytest.raises(FileError, match="as it is written: file"):
        should_offload_source(found, "c", "")


def test_other_languages_are_named() -> None:
    with pytest.raises(FileError, match="no thresholds in 'cobol'"):
        should_offload_source(PAYS, "cobol", "")
