"""The format of docs/devices.md: what a file of devices may hold, checked key by key."""

import difflib
import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from logca.common.toml import DeviceFileError, parsed
from logca.numeric.paper.platforms import Kernel, kernels

__all__ = ["checked_rows"]

_RANGES: dict[str, tuple[Callable[[float], bool], str]] = {
    "o": (lambda value: value >= 0, "at least 0"),
    "L": (lambda value: value >= 0, "at least 0"),
    "C": (lambda value: value > 0, "above 0"),
    "A": (lambda value: value > 1, "above 1"),
    "beta": (lambda value: value > 0, "above 0"),
}
_LATENCIES = ("constant", "linear")
_TOP = ("title", "source", "unit", "readings", "devices")
_ROW = ("title", "latency", *_RANGES, "source", "reading")
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
    _only(data, _TOP, file)
    common = {"unit": "cycles", "source": file, **_texts(data, ("title", "source", "unit"), file)}
    readings = _table(data.get("readings", {}), f"{file}: readings")
    _texts(readings, readings, f"{file}: readings")
    devices = _table(data.get("devices", {}), f"{file}: devices")
    known = {kernel.kernel: kernel for kernel in kernels()}
    if not devices:
        raise DeviceFileError(f"{file}: no entry; begin one with [devices.NAME.kernels.NAME]")
    for device, entry in devices.items():
        where = f"{file}: devices.{_name(device, f'{file}: devices')}"
        _only(_table(entry, where), ("kernels", *_ROW), where)
        shared = _row(entry, readings, where)
        below = _table(entry.get("kernels", {}), f"{where}.kernels")
        if not below:
            raise DeviceFileError(f"{where}: no kernel; add [devices.{device}.kernels.NAME]")
        for kernel, own in below.items():
            there = f"{where}.kernels.{_name(kernel, f'{where}.kernels')}"
            _only(_table(own, there), _ROW, there)
            names = {"device": device, "kernel": kernel}
            yield names | _merged(common, shared, _row(own, readings, there), names, known, there)


def _merged(
    common: _Table, shared: _Table, own: _Table, names: dict[str, str], known: _Known, where: str
) -> _Table:
    """The fields of a row; what stands nearer to it goes before what stands further away."""
    row = {**common, **shared, **own}
    missing = [key for key in _REQUIRED if key not in row]
    if missing:
        raise DeviceFileError(
            f"{where}: missing {', '.join(missing)}; give each here or for the whole device"
        )
    if row["o"] == 0 == row["L"]:
        raise DeviceFileError(f"{where}: o and L are both 0; an offload must cost something")
    reading = [*shared.get("reading", []), *own.get("reading", [])]
    kernel = known.get(names["kernel"])
    if "beta" not in row:
        if kernel is None:
            raise DeviceFileError(
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
    row: _Table = {key: _number(entry[key], key, where) for key in _RANGES if key in entry}
    row |= _texts(entry, ("title", "source"), where)
    if "latency" in entry:
        if entry["latency"] not in _LATENCIES:
            raise DeviceFileError(
                f"{where}: latency must be 'constant' or 'linear', not {_shown(entry['latency'])}"
            )
        row["latency"] = entry["latency"]
    if "reading" in entry:
        row["reading"] = list(_readings(entry["reading"], readings, where))
    return row


def _readings(names: object, readings: _Table, where: str) -> Iterator[str]:
    if not isinstance(names, list):
        raise DeviceFileError(
            f"{where}: reading must be a list of keys of [readings], not {_shown(names)}"
        )
    for name in names:
        if not isinstance(name, str) or name not in readings:
            raise DeviceFileError(f"{where}: reading: there is no {_shown(name)} in [readings]")
        yield readings[name]


def _number(value: object, key: str, where: str) -> int | float:
    within, range_ = _RANGES[key]
    wanted = f"{where}: {key} must be a finite number {range_}, not {_shown(value)}"
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise DeviceFileError(wanted)
    try:
        rounded = float(value)
    except OverflowError:
        raise DeviceFileError(wanted) from None
    if not (math.isfinite(rounded) and within(rounded)):
        raise DeviceFileError(wanted)
    return value if isinstance(value, int) else rounded


def _texts(table: _Table, keys: Iterable[str], where: str) -> dict[str, str]:
    return {key: _text(table[key], key, where) for key in keys if key in table}


def _text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DeviceFileError(f"{where}: {key} must be a text, not {_shown(value)}")
    return value


def _table(value: object, where: str) -> _Table:
    if not isinstance(value, dict):
        raise DeviceFileError(f"{where}: must be a table, not {_shown(value)}")
    return value


def _name(name: str, where: str) -> str:
    if not name.isprintable() or name != name.strip() or not name:
        raise DeviceFileError(f"{where}: {name!r} is no name; use letters, digits and hyphens")
    return name


def _only(table: _Table, known: Iterable[str], where: str) -> None:
    known = tuple(known)
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(known)}"
            raise DeviceFileError(f"{where}: unknown key {key!r}; {hint}")


def _shown(value: object) -> str:
    try:
        shown = str(value) if isinstance(value, Decimal) else repr(value)
    except ValueError:  # Python does not write whole numbers of more than 4300 digits
        return "a number of thousands of digits"
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
