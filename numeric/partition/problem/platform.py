"""The machine that a program is partitioned for, and the keys of the files that describe one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType
from typing import Annotated, Any

from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.readable_numbers import is_written_out, whole_number_from
from logca.common.toml import (
    Format,
    Key,
    keys_of,
    packaged,
    packaged_names,
    parsed,
    rows_of,
    shown,
    text_of,
)

__all__ = [
    "KEYS",
    "Platform",
    "PlatformError",
    "changed",
    "checked_platform",
    "number_of",
    "platform",
    "platforms",
]

_TABLES = "logca.numeric.partition.problem.tables"
_MOST = 10**6


def _cycles(meaning: str, *, default: int | None = None, optional: bool = False) -> Key:
    return Key(meaning=meaning, high=_MOST, default=default, optional=optional)


def _size(meaning: str, default: int | None = None) -> Key:
    return Key(
        meaning=meaning,
        unit="B",
        low=1,
        high=1 << 40,
        whole=True,
        power_of_two=True,
        default=default,
    )


def _choice(meaning: str, *choices: str, default: str) -> Key:
    return Key(meaning=meaning, unit="text", choices=choices, default=default)


class PlatformError(FileError):
    """There is no such platform, or its description is malformed; the message has file and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A CPU with an accelerator; what is annotated with a `Key` stands in its file."""

    # name, title: what it is called
    name: str
    title: str
    # the mean cycles are eps of kenter2010, `control` is its lambda_c
    cpu_cycles: Annotated[Fraction, _cycles("mean cycles of an instruction on the CPU")]
    accelerator_cycles: Annotated[
        Fraction, _cycles("mean cycles of an instruction on the accelerator")
    ]
    control: Annotated[Fraction, _cycles("passing control from one core to the other")]
    push: Annotated[Fraction, _cycles("sending a register to the other core")]
    pull: Annotated[Fraction, _cycles("fetching a register from the other core")]
    latency_L1: Annotated[Fraction, _cycles("access latency of the L1 cache")]
    latency_L2: Annotated[Fraction, _cycles("access latency of the L2 cache")]
    latency_memory: Annotated[Fraction, _cycles("access latency of the memory")]
    size_L1: Annotated[int, _size("size of an L1 cache")]
    size_L2: Annotated[int, _size("size of an L2 cache")]
    line: Annotated[int, _size("length of a cache line", default=64)]
    area: Annotated[
        int,
        Key(
            meaning="size of the accelerator, in instructions",
            unit="1",
            low=1,
            whole=True,
            high=10**9,
        ),
    ]
    penalty: Annotated[
        Fraction, _cycles("what a shared cache takes longer, where that is asked for", default=1)
    ]
    # None: as much as the first shared level takes
    write_back: Annotated[
        Fraction | None,
        _cycles(
            "what an access takes longer if the other core must write the line back", optional=True
        ),
    ]
    free_casts: Annotated[
        str,
        _choice(
            "casts that cost nothing on the accelerator", "none", "integer", "all", default="all"
        ),
    ]
    # value: one push of a register serves all its consumers on the other core
    values: Annotated[
        str,
        _choice(
            "whether a register is paid for once, or for each pair of blocks",
            "value",
            "pair",
            default="value",
        ),
    ]
    # dirty: what the other core changed; resident: whatever its private cache has
    dirty: Annotated[
        str,
        _choice(
            "whether lines are written back if changed, or if there at all",
            "dirty",
            "resident",
            default="dirty",
        ),
    ]
    sources: Mapping[str, str]  # where each number is from

    def __post_init__(self) -> None:
        """Refuse what is no platform, also where it was not read from a file."""
        for name, key in KEYS.items():
            value = getattr(self, name)
            if value is not None or not key.optional:
                _FORMAT.value(value, name, self.name)
        _check_caches(self.line, self.size_L1, self.size_L2, self.name)

    def rows(self) -> list[dict[str, object]]:
        """Rows to print, one for each parameter."""
        return rows_of(self, KEYS, self.sources)


KEYS = keys_of(Platform)
"""The keys of a file."""


def number_of(value: object, written: tuple[str, float] | None = None) -> Fraction | None:
    """The number that a value of a file stands for [base unit]; None if it stands for none.

    Of a text with a unit the number is to be given, and the unit [base unit].

    Examples
    --------
    >>> number_of("32 KiB", ("32", 1024.0)), number_of(True)
    (Fraction(32768, 1), None)
    """
    if written is not None:
        number, factor = written
        whole = whole_number_from(number)
        return None if whole is None else Fraction(whole * int(factor))
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return None
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Decimal) and not is_written_out(value):
        return None
    return Fraction(repr(float(value)) if isinstance(value, float) else value)


def platforms() -> tuple[str, ...]:
    """Names of the platforms that come with the package.

    Examples
    --------
    >>> "kenter2010" in platforms()
    True
    """
    return packaged_names(_TABLES)


def platform(name: str | PathLike[str] | Platform) -> Platform:
    """A platform by its name, or by the file that describes it.

    Examples
    --------
    >>> kenter = platform("kenter2010")
    >>> kenter.accelerator_cycles, kenter.latency_memory, kenter.size_L1
    (Fraction(1, 2), Fraction(200, 1), 32768)
    """
    if isinstance(name, Platform):
        return name
    if not isinstance(name, str | PathLike):
        raise PlatformError(
            f"a platform is the name of one, a file that ends in .toml, or a Platform, not {name!r}"
        )
    if fspath(name).endswith(".toml"):
        return checked_platform(parsed(text_of(name), fspath(name)), fspath(name))
    if name not in platforms():
        hint = did_you_mean(fspath(name), platforms()) or f"known: {', '.join(platforms())}"
        raise PlatformError(
            f"there is no platform {fspath(name)!r}; {hint}; a file of your own must end in .toml"
        )
    file = f"{fspath(name)}.toml"
    return checked_platform(packaged(_TABLES, file), file)


def changed(known: Platform, values: Mapping[str, Any], source: str = "changed") -> Platform:
    """A platform with other values, checked as those of a file are.

    Examples
    --------
    >>> slow = changed(platform("kenter2010"), {"control": 128, "write_back": Decimal("7.5")})
    >>> slow.control, slow.write_back, slow.sources["control"]
    (Fraction(128, 1), Fraction(15, 2), 'changed')
    """
    before = {name: getattr(known, name) for name in KEYS}
    data = {name: value for name, value in before.items() if value is not None} | dict(values)
    made = checked_platform(data | {"title": known.title}, known.name)
    sources = {**known.sources, **dict.fromkeys(values, source)}
    return replace(made, name=known.name, sources=MappingProxyType(sources))


def checked_platform(data: Mapping[str, Any], file: str) -> Platform:
    """A platform from the contents of a file."""
    title, sources, values = _FORMAT.described(data, file)
    _check_caches(values["line"], values["size_L1"], values["size_L2"], file)
    return Platform(
        name=PurePath(file).stem,
        title=title,
        sources=MappingProxyType(
            {name: sources.get(name, file if name in data else "default") for name in KEYS}
        ),
        **values,
    )


def _check_caches(line: int, size_L1: int, size_L2: int, file: str) -> None:
    if not line <= size_L1 <= size_L2:
        raise PlatformError(
            f"{file}: line <= size_L1 <= size_L2 must hold, not {line} B, {size_L1} B, {size_L2} B"
        )


def _number(
    value: object, written: tuple[str, float] | None, name: str, key: Key, file: str
) -> int | Fraction:
    number = number_of(value, written)
    wanted = "a whole number" if key.whole else "a number"
    if number is None or (key.whole and number.denominator != 1) or not key.low <= number:
        unit = " in B, KiB or MiB" if key.unit == "B" else f" [{key.unit}]"
        raise PlatformError(
            f"{file}: {name} must be {wanted}{unit} from {key.low} on, not {shown(value)}"
        )
    told = f"{value:.40}" if isinstance(value, str) else shown(value)
    if number > key.high:
        raise PlatformError(f"{file}: {name} must be at most {key.high:g}, not {told}")
    if key.power_of_two and int(number) & (int(number) - 1):
        raise PlatformError(f"{file}: {name} must be a power of two, not {told}")
    return int(number) if key.whole else number


_FORMAT = Format(keys=KEYS, number=_number, error=PlatformError, listed="known")
