"""The format of docs/devices.md: what a file of devices may hold, checked key by key."""

import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from logca.common.errors import FileError
from logca.common.toml import check_keys, checked_text, parsed, shown
from logca.numeric.accelerator.parameter_ranges import LATENCIES, DomainError, number_from
from logca.numeric.paper.platforms import Kernel, kernels

__all__ = ["checked_rows"]

_RANGES: dict[str, tuple[Callable[[float], bool], str]] = {
    "o": (lambda value: value >= 0, "at least 0"),
    "L": (lambda value: value >= 0, "at least 0"),
    "C": (lambda value: value > 0, "above 0"),
    "A": (lambda value: value > 1, "above 1"),
    "beta": (lambda value: value > 0, "above 0"),
}
_TOP = ("title", "source", "unit", "readings", "devices")
_ROW = ("title", "latency", *_RANGES, "source", "reading")
_TIMED = ("o", "L", "C")
_REQUIRED = ("latency", "o", "L", "C", "A")

_Table = dict[str, Any]
_Known = dict[str, Kernel]


def checked_rows(text: str, file: str) -> Iterator[_Table]:
    """Rows of a file, each with what it inherits, in the order of the file.

    Examples
    --------
    >>> text = "devices.fpga = {latency = 'linear', L = 2, o = 9, A = 8, kernels.aes = {C = 90}}"
    >>> [(row["device"], row["kernel"], row["C"]) for row in checked_rows(text, "mine.toml")]
    [('fpga', 'aes', 90)]
    """
    data = parsed(text, file)
    check_keys(data, _TOP, file)
    common = {"unit": "cycles", "source": file, **_texts(data, ("title", "source", "unit"), file)}
    readings = _table(data.get("readings", {}), f"{file}: readings")
    _texts(readings, readings, f"{file}: readings")
    devices = _table(data.get("devices", {}), f"{file}: devices")
    known = {kernel.kernel: kernel for kernel in kernels()}
    if not devices:
        raise FileError(f"{file}: no entry; begin one with [devices.NAME.kernels.NAME]")
    for device, entry in devices.items():
        where = f"{file}: devices.{_name(device, f'{file}: devices')}"
        check_keys(_table(entry, where), ("kernels", *_ROW), where)
        shared = _row(entry, readings, where)
        below = _table(entry.get("kernels", {}), f"{where}.kernels")
        if not below:
            raise FileError(f"{where}: no kernel; add [devices.{device}.kernels.NAME]")
        for kernel, own in below.items():
            there = f"{where}.kernels.{_name(kernel, f'{where}.kernels')}"
            check_keys(_table(own, there), _ROW, there)
            names = {"device": device, "kernel": kernel}
            yield names | _merged(common, shared, _row(own, readings, there), names, known, there)


def _merged(
    common: _Table, shared: _Table, own: _Table, names: dict[str, str], known: _Known, where: str
) -> _Table:
    """The fields of a row; what stands nearer to it goes before what stands further away."""
    row = {**common, **shared, **own}
    missing = [key for key in _REQUIRED if key not in row]
    if missing:
        raise FileError(
            f"{where}: missing {', '.join(missing)}; give each here or for the whole device"
        )
    for key, value in row.items():
        if _is_timed(key, value):
            row[key] = _with_unit(value, key, row, where)
    if row["o"] == 0 == row["L"]:
        raise FileError(f"{where}: o and L are both 0; an offload must cost something")
    reading = [*shared.get("reading", []), *own.get("reading", [])]
    kernel = known.get(names["kernel"])
    if "beta" not in row:
        if kernel is None:
            raise FileError(
                f"{where}: missing beta; only the kernels of altaf2017 have a default: "
                f"{', '.join(known)}"
            )
        row["beta"] = float(kernel.beta)
        row["source"] += f"; beta: {kernel.source}"
        reading.append(kernel.reading)
    return {key: value for key, value in row.items() if key != "title"} | {
        "device_title": shared.get("title", names["device"]),
        "kernel_title": own.get("title", kernel.title if kernel else names["kernel"]),
        "reading": "\n".join(reading),
    }


def _row(entry: _Table, readings: _Table, where: str) -> _Table:
    given = {key: entry[key] for key in _RANGES if key in entry}
    row: _Table = {
        key: value if _is_timed(key, value) else _number(value, key, where)
        for key, value in given.items()
    }
    row |= _texts(entry, ("title", "source"), where)
    if "latency" in entry:
        if entry["latency"] not in LATENCIES:
            raise FileError(
                f"{where}: latency must be 'constant' or 'linear', not {shown(entry['latency'])}"
            )
        row["latency"] = entry["latency"]
    if "reading" in entry:
        row["reading"] = list(_readings(entry["reading"], readings, where))
    return row


def _readings(names: object, readings: _Table, where: str) -> Iterator[str]:
    if not isinstance(names, list):
        raise FileError(
            f"{where}: reading must be a list of keys of [readings], not {shown(names)}"
        )
    for name in names:
        if not isinstance(name, str) or name not in readings:
            raise FileError(f"{where}: reading: there is no {shown(name)} in [readings]")
        yield readings[name]


def _is_timed(key: str, value: object) -> bool:
    """True if it is a time with its unit, such as 10us, which the file's unit has to be."""
    return key in _TIMED and isinstance(value, str) and value.strip()[-1:].isalpha()


def _with_unit(text: str, key: str, row: _Table, where: str) -> int | float:
    try:
        value = number_from(key, text, row["unit"], row["latency"])
    except DomainError as error:
        raise FileError(f"{where}: {error}") from None
    return _number(Decimal(repr(value)), key, where)


def _number(value: object, key: str, where: str) -> int | float:
    within, range_ = _RANGES[key]
    wanted = f"{where}: {key} must be a finite number {range_}, not {shown(value)}"
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise FileError(wanted)
    try:
        rounded = float(value)
    except OverflowError:
        raise FileError(wanted) from None
    if not (math.isfinite(rounded) and within(rounded)):
        raise FileError(wanted)
    return value if isinstance(value, int) else rounded


def _texts(table: _Table, keys: Iterable[str], where: str) -> dict[str, str]:
    return {
        key: checked_text(table[key], f"{where}: {key}", echo=shown) for key in keys if key in table
    }


def _table(value: object, where: str) -> _Table:
    if not isinstance(value, dict):
        raise FileError(f"{where}: must be a table, not {shown(value)}")
    return value


def _name(name: str, where: str) -> str:
    if not name.isprintable() or name != name.strip() or not name:
        raise FileError(f"{where}: {name!r} is no name; use letters, digits and hyphens")
    return name
