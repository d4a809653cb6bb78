"""Values of options: numbers and sizes, lists, ranges such as 16B:32MiB:200, pairs NAME=VALUE."""

from collections.abc import Iterable, Mapping

from logca.cli.terminal.errors import UsageFailure

__all__ = [
    "AXES",
    "numbers",
    "pairs",
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


def pairs(
    option: str,
    texts: Iterable[str],
    form: str = "NAME=VALUE",
    *,
    last: bool = False,
    again: str = "has {} twice",
    once: bool = False,
) -> dict[str, str]:
    """Values by name, divided at the first or the last "="; `again` says that a name has two.

    With `once` a name may not even come twice with the same value.

    Examples
    --------
    >>> pairs("--set", ["mode = ctr", "text=a=b"])
    {'mode': 'ctr', 'text': 'a=b'}
    >>> pairs("--pin", ["x=y=cpu"], last=True)
    {'x=y': 'cpu'}
    """
    found: dict[str, str] = {}
    for text in texts:
        parts = text.rpartition("=") if last else text.partition("=")
        name, equals, value = (part.strip() for part in parts)
        if not (equals and name and value):
            raise UsageFailure(f"{option} {text!r}: write {form}")
        if name in found and (once or found[name] != value):
            raise UsageFailure(f"{option} {again.format(name)}")
        found[name] = value
    return found
