"""Values of options: numbers and sizes, lists of them, and ranges such as 16B:32MiB:200."""

from collections.abc import Mapping

from logca.cli.terminal.errors import UsageFailure

__all__ = [
    "AXES",
    "numbers",
    "single",
]

AXES = """
**Values.** One number fixes a parameter. `435,16000` is an axis with these values, `2:64:7` one
with 7 values from 2 to 64 and equal factors between them, `0:500:11:lin` one with equal steps.
Lists may contain ranges. Granularities are bytes, or have a unit: `16B:32MiB:200`.
"""

_SIZES = {"g", "g_low", "g_high"}


def numbers(given: Mapping[str, str | None]) -> dict[str, float | list[float]]:
    """The values of the options that are given [unit of each].

    Examples
    --------
    >>> numbers({"g": "4KiB", "A": "2:16:4", "o": "435, 16_000", "L": None})
    {'g': 4096.0, 'A': [2.0, 4.0, 8.0, 16.0], 'o': [435.0, 16000.0]}
    """
    return {name: _values(name, text) for name, text in given.items() if text is not None}


def single(given: Mapping[str, str | None]) -> dict[str, float]:
    """As `numbers`, of options that take one value [unit of each]."""
    found = {}
    for name, value in numbers(given).items():
        if isinstance(value, list):
            raise UsageFailure(f"--{name} takes one value here, not several")
        found[name] = value
    return found


def _values(name: str, text: str) -> float | list[float]:
    pieces = [piece.strip() for piece in text.split(",")]
    if pieces == [""]:
        raise UsageFailure(f"--{name} is empty; give a value, or several")
    if len(pieces) == 1 and ":" not in text:
        return _number(name, pieces[0])
    return [value for piece in pieces for value in _range(name, piece)]


def _range(name: str, piece: str) -> list[float]:
    from logca.numeric.sweep.axes import spaced

    first, *rest = piece.split(":")
    if not rest:
        return [_number(name, first)]
    if len(rest) not in (2, 3) or not rest[1].strip().isdigit():
        raise UsageFailure(
            f"--{name} {piece!r} is no range; write FROM:TO:COUNT, or FROM:TO:COUNT:lin"
        )
    last, count, *spacing = rest
    return spaced(_number(name, first), _number(name, last), int(count), *map(str.strip, spacing))


def _number(name: str, text: str) -> float:
    if name in _SIZES:
        from logca.common.sizes import parse_size

        return parse_size(text)
    try:
        return float(text)
    except ValueError:
        raise UsageFailure(f"--{name} {text!r} is not a number") from None
