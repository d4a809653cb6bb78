"""The machine that a program is partitioned for, and the keys of the files that describe one."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import isfinite
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from logca.common.toml import DeviceFileError, parsed, text_of

__all__ = [
    "KEYS",
    "Key",
    "Platform",
    "PlatformError",
    "changed",
    "checked_platform",
    "number_of",
    "platform",
    "platforms",
]

_SIZES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_MOST = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A parameter."""

    # meaning, unit: what it is, and in which unit
    meaning: str
    unit: str = "cycles"
    # low, high: its range [its unit]
    low: int = 0
    high: int = _MOST
    whole: bool = False  # whether it is a whole number
    power_of_two: bool = False  # whether it is a power of two
    choices: tuple[str, ...] = ()  # what it may be, if it is no number
    # what it is if it is left out; None if it must be given, or may be nothing [its unit]
    default: int | str | None = None
    optional: bool = False  # whether it may be nothing


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
    "cpu_cycles": Key(meaning="mean cycles of an instruction on the CPU"),
    "accelerator_cycles": Key(meaning="mean cycles of an instruction on the accelerator"),
    "control": Key(meaning="passing control from one core to the other"),
    "push": Key(meaning="sending a register to the other core"),
    "pull": Key(meaning="fetching a register from the other core"),
    "latency_L1": Key(meaning="access latency of the L1 cache"),
    "latency_L2": Key(meaning="access latency of the L2 cache"),
    "latency_memory": Key(meaning="access latency of the memory"),
    "size_L1": _size("size of an L1 cache"),
    "size_L2": _size("size of an L2 cache"),
    "line": _size("length of a cache line", default=64),
    "area": Key(
        meaning="size of the accelerator, in instructions", unit="1", low=1, whole=True, high=10**9
    ),
    "penalty": Key(meaning="what a shared cache takes longer, where that is asked for", default=1),
    "write_back": Key(
        meaning="what an access takes longer if the other core must write the line back",
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
        match = re.fullmatch(r"\s*([0-9]+)\s*([KMG]?i?B)\s*", value)
        return Fraction(int(match[1]) * _SIZES[match[2]]) if match and match[2] in _SIZES else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return None
    if not isfinite(value):
        return None
    return Fraction(repr(float(value)) if isinstance(value, float) else value)


class PlatformError(DeviceFileError):
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
                _value(value, name, key, self.name)
        _check_caches(self.line, self.size_L1, self.size_L2, self.name)

    def rows(self) -> list[dict[str, object]]:
        """What is printed of it: one row for each parameter."""
        return [
            {
                "parameter": name,
                "value": getattr(self, name),
                "unit": key.unit,
                "meaning": key.meaning,
                "source": self.sources.get(name, ""),
            }
            for name, key in KEYS.items()
        ]


@cache
def platforms() -> tuple[str, ...]:
    """Names of the platforms that come with the package.

    Examples
    --------
    >>> "kenter2010" in platforms()
    True
    """
    folder = files("logca.numeric.partition.problem").joinpath("tables")
    paths = (PurePath(each.name) for each in folder.iterdir())
    return tuple(sorted(path.stem for path in paths if path.suffix == ".toml"))


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
        raise PlatformError(
            f"there is no platform {fspath(name)!r}; {_near(fspath(name), platforms())}; a file of "
            "your own must end in .toml"
        )
    folder = files("logca.numeric.partition.problem").joinpath("tables")
    file = f"{fspath(name)}.toml"
    return checked_platform(parsed(folder.joinpath(file).read_text(encoding="utf-8"), file), file)


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
    known = ("title", "sources", *KEYS)
    for key in data:
        if key not in known:
            raise PlatformError(f"{file}: unknown key {key!r}; {_near(key, known)}")
    given = {name: data.get(name, key.default) for name, key in KEYS.items()}
    missing = [name for name, key in KEYS.items() if given[name] is None and not key.optional]
    if missing:
        raise PlatformError(f"{file}: missing {', '.join(missing)}")
    title = data.get("title", PurePath(file).stem)
    if not isinstance(title, str) or not title.strip():
        raise PlatformError(f"{file}: title must be a text, not {title!r}")
    sources = data.get("sources", {})
    if not isinstance(sources, dict) or not all(isinstance(each, str) for each in sources.values()):
        raise PlatformError(f"{file}: sources must be a table of texts, one for each key")
    for key in sources:
        if key not in KEYS:
            raise PlatformError(f"{file}: sources: unknown key {key!r}; {_near(key, KEYS)}")
    values: dict[str, Any] = {
        name: None if given[name] is None else _value(given[name], name, key, file)
        for name, key in KEYS.items()
    }
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


def _value(value: object, name: str, key: Key, file: str) -> Any:
    if key.choices:
        if value not in key.choices:
            allowed = " or ".join(map(repr, key.choices))
            raise PlatformError(f"{file}: {name} must be {allowed}, not {value!r}")
        return value
    number = number_of(value, key)
    wanted = "a whole number" if key.whole else "a number"
    if number is None or (key.whole and number.denominator != 1) or not key.low <= number:
        shown = value if isinstance(value, int | Decimal) else repr(value)
        unit = " in B, KiB or MiB" if key.unit == "B" else f" [{key.unit}]"
        raise PlatformError(f"{file}: {name} must be {wanted}{unit} from {key.low} on, not {shown}")
    if number > key.high:
        raise PlatformError(f"{file}: {name} must be at most {key.high:g}, not {value}")
    if key.power_of_two and int(number) & (int(number) - 1):
        raise PlatformError(f"{file}: {name} must be a power of two, not {value}")
    return int(number) if key.whole else number


def _near(key: str, known: Any) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"


assert {each.name for each in fields(Platform)} == {"name", "title", "sources", *KEYS}
