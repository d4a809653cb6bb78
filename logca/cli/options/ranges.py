"""Values of options: numbers, sizes, times, lists, ranges such as 16B:32MiB:200, NAME=VALUE."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.terminal.errors import UsageFailure
from logca.common.readable_numbers import whole_number_from
from logca.common.toml import shown

if TYPE_CHECKING:
    from logca.numeric.accelerator.parameter_ranges import WrittenValue

__all__ = [
    "GAIN",
    "GRANULARITY",
    "IMPROVEMENT",
    "LATENCY",
    "TARGET",
    "Given",
    "Shared",
    "ends",
    "given_values",
    "listed",
    "pairs",
    "single",
    "size_of",
    "window",
]

_LOW, _HIGH = 16.0, 2.0**25
_SIZES = {"g", "g_low", "g_high", "N"}
_SUCH = {"o": "29000", "L": "1500", "C": "90", "A": "12", "beta": "1", "s": "2", "r": "10"}
_SUCH |= {"q": "1.2", "speedup": "2"}


_SIZES_TEXT = "Smallest and largest size, such as 1KiB:64MiB; either may be left out."
IMPROVEMENT = "Factor by which a parameter is improved."
GAIN = "Smallest gain in speedup that counts."
_JOBS = "Computations at a time."
LATENCY = "Form of the latency: constant, per offload, or linear, per byte{}."
TARGET, GRANULARITY = "Target speedup.", "Granularity, such as 4KiB [B]."


class Shared:
    """Types of options that several verbs have, to be used as annotations."""

    sizes = Annotated[
        str | None, typer.Option(help=_SIZES_TEXT, metavar="FROM:TO", show_default="16B:32MiB")
    ]
    measured = Annotated[
        str | None,
        typer.Option("--sizes", help=_SIZES_TEXT, metavar="FROM:TO", show_default="all measured"),
    ]
    any_sizes = Annotated[
        str | None,
        typer.Option("--sizes", help=_SIZES_TEXT, metavar="FROM:TO", show_default="all sizes"),
    ]
    improvement = Annotated[float | None, typer.Option(help=IMPROVEMENT, show_default="10")]
    gain = Annotated[float | None, typer.Option(help=GAIN, show_default="1.2")]
    jobs = Annotated[int, typer.Option(help=_JOBS, metavar="NUMBER")]
    jobs_of_cores = Annotated[
        int | None,
        typer.Option(
            "--jobs", help=_JOBS, min=1, metavar="NUMBER", show_default="one for each core"
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Values of options, with all times in one unit."""

    values: dict[str, float | list[float]]  # of each option that is given [unit of each]
    texts: Mapping[str, str]  # the values as they are written
    unit: str  # unit of time of o, L and C: "cycles" or "seconds"
    per_byte: bool | None  # whether L is written as a time per byte; None if no unit says so


def given_values(
    texts: Mapping[str, str | None],
    *,
    base: str = "",
    clock_Hz: float | None = None,
    into: str = "",
) -> Given:
    """The values of the options that are given.

    `base` is the unit of time of what they change, `into` the one that they are to have.

    Examples
    --------
    >>> given_values({"g": "4KiB", "A": "2:16:4", "o": "435, 16_000", "L": None}).values
    {'g': 4096.0, 'A': [2.0, 4.0, 8.0, 16.0], 'o': [435.0, 16000.0]}
    >>> given_values({"o": "1us", "C": "10 cycles/B"}, clock_Hz=2e9).values
    {'o': 1e-06, 'C': 5e-09}
    """
    written = {name: text for name, text in texts.items() if text is not None}
    pieces = {name: [*_pieces(name, text)] for name, text in written.items()}
    per_byte = {
        each.per_byte for piece in pieces.get("L", ()) for each in piece.ends if each.unit
    } - {None}
    if len(per_byte) > 1:
        raise UsageFailure(f"--L {texts['L']!r} mixes times of an offload and of a byte")
    unit = _unit(pieces, {"the accelerator": base, "the sweep": into}, clock_Hz)
    values = {name: _value(found, into or unit, clock_Hz) for name, found in pieces.items()}
    found = per_byte.pop() if per_byte else None
    return Given(values=values, texts=written, unit=into or unit, per_byte=found)


def single(given: Given) -> dict[str, float]:
    """Values of options that take one value each [unit of each].

    Examples
    --------
    >>> single(given_values({"A": "2"}))
    {'A': 2.0}
    """
    found = {}
    for name, value in given.values.items():
        if isinstance(value, list):
            raise UsageFailure(
                f"--{name} {given.texts[name]} is several values, and one is needed; decimals have "
                "a point"
            )
        found[name] = value
    return found


def ends(text: str) -> tuple[float | None, float | None]:
    """Smallest and largest of --sizes; None for an end that is left out [B].

    Examples
    --------
    >>> ends("1KiB:2 kB"), ends("4KiB:")
    ((1024.0, 2000.0), (4096.0, None))
    """
    first, colon, last = (part.strip() for part in text.partition(":"))
    if not (first or last) or not colon or ":" in last:
        raise UsageFailure(f"--sizes {text!r}: write FROM:TO, such as 1KiB:64MiB")
    low, high = (size_of("--sizes", end) if end else None for end in (first, last))
    if low is not None and high is not None and low >= high:
        raise UsageFailure(
            f"--sizes {text}: {first} must be less than {last}; write the smaller first"
        )
    return low, high


def window(text: str | None) -> dict[str, float]:
    """Smallest and largest of --sizes, where they are left out those of the paper's figures [B].

    Examples
    --------
    >>> window("1KiB:2KiB"), window(":1KiB")
    ({'low': 1024.0, 'high': 2048.0}, {'low': 16.0, 'high': 1024.0})
    """
    low, high = (None, None) if text is None else ends(text)
    found = {"low": _LOW if low is None else low, "high": _HIGH if high is None else high}
    if found["low"] >= found["high"]:
        raise UsageFailure(f"--sizes {text!r}: write both ends, such as 1KiB:64MiB")
    return found


def size_of(option: str, text: str) -> float:
    """A size that an option has [B].

    Examples
    --------
    >>> size_of("--sizes", "1 KiB")
    1024.0
    """
    from logca.common.sizes import SizeError, parse_size

    try:
        return parse_size(text)
    except SizeError as error:
        raise UsageFailure(f"{option}: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """One value, or a range of them."""

    text: str  # as it is written, with the option
    ends: "tuple[WrittenValue, ...]"  # the value, or both ends
    count: int = 1
    spacing: tuple[str, ...] = ()
    alone: bool = False  # whether it is all that the option has, and no range


def _pieces(name: str, text: str) -> Iterator[_Piece]:
    parts = [piece.strip() for piece in text.split(",")]
    if parts == [""]:
        raise UsageFailure(
            f"--{name} '' is empty; give a value, such as --{name} {_SUCH.get(name, '4096')}"
        )
    for part in parts:
        first, *rest = part.split(":")
        said = f"--{name} {part}"
        if not rest:
            yield _Piece(text=said, ends=(_number(name, first),), alone=len(parts) == 1)
            continue
        count = whole_number_from(rest[1].strip()) if len(rest) in (2, 3) else None
        if count is None:
            raise UsageFailure(
                f"--{name} {shown(part, 80)} is no range; write FROM:TO:COUNT, or FROM:TO:COUNT:lin"
            )
        last, _, *spacing = rest
        ends = (_number(name, first), _number(name, last))
        yield _Piece(text=said, ends=ends, count=count, spacing=tuple(map(str.strip, spacing)))


def _number(name: str, text: str) -> "WrittenValue":
    from logca.numeric.accelerator.parameter_ranges import DomainError, WrittenValue, written_value

    if name in _SIZES:
        size = size_of(f"--{name.replace('_', '-')}", text)
        return WrittenValue(value=size, unit="", per_byte=None)
    try:
        return written_value(name, text)
    except DomainError as error:
        raise UsageFailure(f"--{str(error).replace(' = ', ' ', 1)}") from None


def _unit(
    pieces: Mapping[str, list[_Piece]], others: Mapping[str, str], clock_Hz: float | None
) -> str:
    """The unit of time in which all parameters can be said; the others have one already."""
    where: dict[str, str] = {}
    for name, unit in others.items():
        if unit:
            where.setdefault(unit, name)
    for piece in (piece for found in pieces.values() for piece in found):
        for end in piece.ends:
            if end.unit:
                where.setdefault(end.unit, piece.text)
    if clock_Hz is None:
        if len(where) > 1:
            said = " and ".join(f"{text} is in {unit}" for unit, text in where.items())
            raise UsageFailure(
                f"{said}: give the clock that turns one into the other, such as --clock 2.5GHz, or "
                "write all times in one unit"
            )
        return next(iter(where), "cycles")
    return "cycles" if [*where] == ["seconds"] else "seconds"


def _value(pieces: list[_Piece], unit: str, clock_Hz: float | None) -> float | list[float]:
    from logca.numeric.sweep.axes import spaced
    from logca.numeric.sweep.blocks import SweepError

    values: list[float] = []
    for piece in pieces:
        first, last = (piece.ends[place].within(unit, clock_Hz) for place in (0, -1))
        ranged = len(piece.ends) > 1
        try:
            values += spaced(first, last, piece.count, *piece.spacing) if ranged else [first]
        except SweepError as error:
            raise UsageFailure(f"{piece.text}: {error}") from None
    return values[0] if pieces[0].alone else values


def listed(text: str) -> list[str]:
    """The names of a list with commas between them.

    Examples
    --------
    >>> listed("g1, gA2,")
    ['g1', 'gA2']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


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
            raise UsageFailure(f"{option} {again.format(name)}; give it once")
        found[name] = value
    return found
