"""The machine that a program is partitioned for, and the keys of the files that describe one."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from logca.common.errors import FileError
from logca.common.schema import Format, Key, did_you_mean, rows_of, with_unit
from logca.common.toml import packaged, packaged_names, parsed, text_of

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


KEYS = {
    "cpu_cycles": _cycles("mean cycles of an instruction on the CPU"),
    "accelerator_cycles": _cycles("mean cycles of an instruction on the accelerator"),
    "control": _cycles("passing control from one core to the other"),
    "push": _cycles("sending a register to the other core"),
    "pull": _cycles("fetching a register from the other core"),
    "latency_L1": _cycles("access latency of the L1 cache"),
    "latency_L2": _cycles("access latency of the L2 cache"),
    "latency_memory": _cycles("access latency of the memory"),
    "size_L1": _size("size of an L1 cache"),
    "size_L2": _size("size of an L2 cache"),
    "line": _size("length of a cache line", default=64),
    "area": Key(
        meaning="size of the accelerator, in instructions", unit="1", low=1, whole=True, high=10**9
    ),
    "penalty": _cycles("what a shared cache takes longer, where that is asked for", default=1),
    "write_back": _cycles(
        "what an access takes longer if the other core must write the line back",
        optional=True,
    ),
    "free_casts": Key(
        meaning="casts that cost nothing on the accelerator",
        unit="text",
        choices=("none", "integer", "all"),
        default="all",
    ),
    "values": Key(
        meaning="whether a register is paid for once, or for each pair of blocks",
        unit="text",
        choices=("value", "pair"),
        default="value",
    ),
    "dirty": Key(
        meaning="whether lines are written back if changed, or if there at all",
        unit="text",
        choices=("dirty", "resident"),
        default="dirty",
    ),
}
"""The keys of a file."""


def number_of(value: object, key: Key) -> Fraction | None:
    """The number that a value of a file stands for [unit of the key]; None if it stands for none.

    Examples
    --------
    >>> number_of("32 KiB", KEYS["size_L1"]), number_of(True, KEYS["push"])
    (Fraction(32768, 1), None)
    """
    if isinstance(value, str) and key.unit == "B":
        number, factor = with_unit(value, "B") or ("", 0)
        return Fraction(int(number) * int(factor)) if number.isdigit() else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return None
    if isinstance(value, float | Decimal) and not isfinite(value):
        return None
    return Fraction(repr(float(value)) if isinstance(value, float) else value)


class PlatformError(FileError):
    """There is no such platform, or its description is malformed; the message has file and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A CPU with an accelerator."""

    # name, title: what it is called
    name: str
    title: str
    # cpu_cycles, accelerator_cycles: mean cycles of an instruction on each core, eps [cycles]
    cpu_cycles: Fraction
    accelerator_cycles: Fraction
    control: Fraction  # passing control from one core to the other, lambda_c [cycles]
    # push, pull: sending a register to the other core, fetching one from it [cycles]
    push: Fraction
    pull: Fraction
    # latency_L1, latency_L2, latency_memory: access latencies [cycles]
    latency_L1: Fraction
    latency_L2: Fraction
    latency_memory: Fraction
    # size_L1, size_L2: sizes of each cache, powers of two [B]
    size_L1: int
    size_L2: int
    line: int  # length of their lines, a power of two [B]
    area: int  # size of the accelerator, in LLVM instructions [1]
    # what a shared cache costs more for being shared, where that is asked for [cycles]
    penalty: Fraction
    # what an access costs more if the other core's private cache must write the line back first;
    # None: as much as the first shared level takes [cycles]
    write_back: Fraction | None
    free_casts: str  # which casts cost nothing on the accelerator: ``none``, ``integer`` or ``all``
    # whether one push of a register serves all its consumers on the other core (``value``), or
    # each pair of blocks is paid for (``pair``)
    values: str
    # whether a line is written back only if the other core changed it (``dirty``), or whenever
    # its private cache has it (``resident``)
    dirty: str
    sources: Mapping[str, str]  # where each number is from

    def __post_init__(self) -> None:
        """Refuse what is no platform, also where it was not read from a file."""
        for name, key in KEYS.items():
            value = getattr(self, name)
            if value is not None or not key.optional:
                _FORMAT.value(value, name, self.name)
        _check_caches(self.line, self.size_L1, self.size_L2, self.name)

    def rows(self) -> list[dict[str, object]]:
        """What is printed of it: one row for each parameter."""
        return rows_of(self, KEYS, self.sources)


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
    given = {name: getattr(known, name) for name in KEYS}
    data = {name: value for name, value in given.items() if value is not None} | dict(values)
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


def _number(value: object, name: str, key: Key, file: str) -> int | Fraction:
    number = number_of(value, key)
    wanted = "a whole number" if key.whole else "a number"
    if number is None or (key.whole and number.denominator != 1) or not key.low <= number:
        echo = value if isinstance(value, int | Decimal) else repr(value)
        unit = " in B, KiB or MiB" if key.unit == "B" else f" [{key.unit}]"
        raise PlatformError(f"{file}: {name} must be {wanted}{unit} from {key.low} on, not {echo}")
    if number > key.high:
        raise PlatformError(f"{file}: {name} must be at most {key.high:g}, not {value}")
    if key.power_of_two and int(number) & (int(number) - 1):
        raise PlatformError(f"{file}: {name} must be a power of two, not {value}")
    return int(number) if key.whole else number


_FORMAT = Format(keys=KEYS, number=_number, error=PlatformError, listed="known")

assert {each.name for each in fields(Platform)} == {"name", "title", "sources", *KEYS}
