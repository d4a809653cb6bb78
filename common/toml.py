"""TOML files, ours and users': read exactly as written, and their keys checked, units among them.

Every complaint names the file and the place in it. How a number is read, and what is said of a
wrong one, stays with its format: one works in floats, another in fractions.
"""

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any, NamedTuple, get_type_hints

from logca.common.errors import FileError
from logca.common.files import read_text
from logca.common.near_misses import did_you_mean

__all__ = [
    "UNITS",
    "Described",
    "Format",
    "Key",
    "check_keys",
    "checked_text",
    "keys_of",
    "packaged",
    "packaged_names",
    "packaged_text",
    "parsed",
    "rows_of",
    "shown",
    "text_of",
    "with_unit",
]


@cache
def packaged(package: str, name: str) -> dict[str, Any]:
    """The contents of a file of ours, such as "table4.toml"; not to be changed.

    Examples
    --------
    >>> packaged("logca.numeric.paper", "table4.toml")["kernels"]["gemm"]["beta"]
    Decimal('1.7')
    """
    return parsed(packaged_text(package, name), name)


def packaged_text(package: str, name: str) -> str:
    """The text of a file of ours."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def packaged_names(package: str, folder: str = "") -> tuple[str, ...]:
    """Names of the TOML files of a package, or of a folder in it, without their ending, sorted.

    Examples
    --------
    >>> packaged_names("logca.gpu.devices")[-1]
    'v100-pcie'
    """
    paths = (PurePath(file.name) for file in files(package).joinpath(folder).iterdir())
    return tuple(sorted(path.stem for path in paths if path.suffix == ".toml"))


def text_of(
    path: str | PathLike[str],
    *,
    error: type[Exception] = FileError,
    not_text: str = "not TOML, because not UTF-8 text",
    newline: str | None = None,
) -> str:
    """The text of a user's file; its lines end as `read_text` has them."""
    try:
        return read_text(path, "utf-8-sig", newline)
    except FileNotFoundError:
        raise error(f"there is no file {fspath(path)!r}") from None
    except OSError as reason:
        raise error(f"cannot read {fspath(path)!r}: {reason.strerror}") from reason
    except UnicodeDecodeError as reason:
        raise error(f"{fspath(path)}: {not_text}") from reason
    except ValueError as reason:  # a name that no file can have
        raise error(f"cannot read {fspath(path)!r}: {reason}") from reason


def parsed(text: str, file: str) -> dict[str, Any]:
    r"""Contents of a TOML text; whole numbers as int, others as Decimal.

    Examples
    --------
    >>> parsed("C = 2\nbeta = 1.7", "mine.toml")
    {'C': 2, 'beta': Decimal('1.7')}
    """
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise FileError(f"{file}: not TOML that can be read: nested too deeply") from None
    except ValueError as error:
        raise FileError(f"{file}: not TOML: {error}") from error


UNITS: dict[str, dict[str, float]] = {
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "B": {"B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30},
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "B/s": {"B/s": 1.0, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
    "W": {"W": 1.0, "mW": 1e-3, "kW": 1e3},
}
"""Units that may stand behind a number, by the base unit [unit of the key]."""


DEFAULT = "default, as the file does not have it"
"""Source of a number that a file leaves out."""


_MOST = 12
"""Missing keys that are named [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Specification of a key of a file: its unit, range, choices and default."""

    meaning: str  # what it is
    unit: str = "cycles"  # base unit
    # low, high: smallest and largest value that can be right [unit]
    low: float = 0
    high: float = math.inf
    # whole, power_of_two: whether it must be a whole number, a power of two
    whole: bool = False
    power_of_two: bool = False
    choices: tuple[str, ...] = ()  # the texts it may be, if it is no number
    # where it is left out: its value [unit], or the key whose value it has, or that it has none.
    # With none of these, it must be given
    default: float | str | None = None
    default_key: str = ""
    optional: bool = False


def keys_of(machine: type) -> dict[str, Key]:
    """The keys of a dataclass: those that annotate its fields, in their order."""
    return {
        name: key
        for name, hint in get_type_hints(machine, include_extras=True).items()
        for key in getattr(hint, "__metadata__", ())
        if isinstance(key, Key)
    }


class Described(NamedTuple):
    """Description of one machine as a file gives it."""

    title: str
    sources: Mapping[str, str]  # where a number is from, for some of the keys
    values: dict[str, Any]  # a value for each key, None where an optional one is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A kind of file that describes one machine: a title, a table of sources, and numbers."""

    keys: Mapping[str, Key]
    # the number that a value stands for [unit of the key], by the value; if that is a text with a
    # unit the number in it and the unit [base unit]; name of the key, key and file
    number: Callable[[object, tuple[str, float] | None, str, Key, str], Any]
    error: type[Exception] = FileError
    listed: str = "known keys"  # what stands before all keys where no one is near
    fix: str = ""  # what is said of missing keys besides their names

    def described(self, data: Mapping[str, Any], file: str) -> Described:
        """The contents of a file, checked key by key."""
        check_keys(
            data, ("title", "sources", *self.keys), file, error=self.error, listed=self.listed
        )
        values = {
            name: data.get(name, data.get(key.default_key, key.default))
            for name, key in self.keys.items()
        }
        missing = [
            name
            for name, key in self.keys.items()
            if values[name] is None and not (key.optional or key.default_key)
        ]
        if missing:
            more = f" and {len(missing) - _MOST} more" if len(missing) > _MOST else ""
            raise self.error(f"{file}: missing {', '.join(missing[:_MOST])}{more}{self.fix}")
        title = data.get("title", PurePath(file).stem)
        checked_text(title, f"{file}: title", error=self.error)
        sources = data.get("sources", {})
        if not isinstance(sources, dict) or not all(
            isinstance(source, str) for source in sources.values()
        ):
            raise self.error(f"{file}: sources must be a table of texts, one for each key")
        check_keys(sources, self.keys, f"{file}: sources", error=self.error, listed=self.listed)
        defaults = {
            name: DEFAULT
            for name, key in self.keys.items()
            if name not in data and key.default is not None
        }
        return Described(
            title=title,
            sources={**defaults, **sources},
            values={
                name: None if value is None else self.value(value, name, file)
                for name, value in values.items()
            },
        )

    def value(self, value: object, name: str, file: str) -> Any:
        """The value of a key: one of its choices, or a number [unit of the key]."""
        key = self.keys[name]
        if not key.choices:
            written = with_unit(value, key.unit) if isinstance(value, str) else None
            return self.number(value, written, name, key, file)
        if value not in key.choices:
            allowed = " or ".join(map(repr, key.choices))
            raise self.error(f"{file}: {name} must be {allowed}, not {value!r}")
        return value


def rows_of(
    machine: object, keys: Mapping[str, Key], sources: Mapping[str, str]
) -> list[dict[str, object]]:
    """Rows that are printed of a machine, one for each of its keys."""
    return [
        {
            "parameter": name,
            "value": getattr(machine, name),
            "unit": key.unit,
            "meaning": key.meaning,
            "source": sources.get(name, ""),
        }
        for name, key in keys.items()
    ]


def check_keys(
    table: Iterable[object],
    known: Iterable[str],
    where: str,
    *,
    error: type[Exception] = FileError,
    listed: str = "known keys",
) -> None:
    """Refuse a key that is not known, with one that is near."""
    known = tuple(known)
    for key in table:
        if key not in known:
            hint = did_you_mean(str(key), known) or f"{listed}: {', '.join(known)}"
            raise error(f"{where}: unknown key {key!r}; {hint}")


def checked_text(
    value: object,
    what: str,
    *,
    error: type[Exception] = FileError,
    echo: Callable[[object], str] = repr,
) -> str:
    """A text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise error(f"{what} must be a text, not {echo(value)}")
    return value


def with_unit(text: str, unit: str) -> tuple[str, float] | None:
    """A number as written, and the unit behind it [base unit]; None if it has no such unit.

    Examples
    --------
    >>> with_unit("852 MHz", "Hz"), with_unit("852 mhz", "Hz")
    (('852', 1000000.0), None)
    """
    match = re.fullmatch(r"\s*([0-9.eE+]+)\s*(\S+)\s*", text)
    factor = UNITS.get(unit, {}).get(match[2]) if match else None
    return None if match is None or factor is None else (match[1], factor)


def shown(value: object, most: int = 40) -> str:
    """A value as a file has it, cut to so many characters."""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # Python does not write whole numbers of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= most else f"{text[: most - 3]}..."
