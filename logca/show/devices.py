"""Devices on the terminal, drawn with Rich."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from logca.common.tables import Column, Table
from logca.common.terminal import facts
from logca.numeric.paper.devices import Device
from logca.numeric.paper.platforms import kernels, platforms
from logca.show.results import View

__all__ = ["VIEWS", "device_details", "device_row", "device_table", "devices_answer"]

_LONG = 7
"""Digits from which on a round number is written with an exponent [1]."""

_SYMBOLS = {"o": "o", "L": "L", "C": "C", "A": "A", "beta": "β"}


def device_row(entry: Device) -> dict[str, Any]:
    """A device as JSON has it: every field, and the units."""
    return {**asdict(entry), "units": entry.units}


def device_table(entries: Sequence[Device]) -> Table:
    """Devices and their parameters, one row each, with units in the header."""
    columns = [Column("device", style="bold cyan"), Column("kernel"), Column("latency")]
    for key, symbol in _SYMBOLS.items():
        units = dict.fromkeys(entry.units[key] for entry in entries)
        heading = "\n".join((symbol, *(f"[{unit}]" for unit in units)))
        columns.append(Column.number(heading.replace("/B**", "/\nB**").replace("/B]", "\n/B]")))
    latencies = {entry.latency: entry.units["L"] for entry in entries}
    note = ", ".join(f"in {unit} where latency is {form}" for form, unit in latencies.items())
    return Table.by_rows(
        columns,
        (
            (
                *(entry.device, entry.kernel, entry.latency),
                *(_written(getattr(entry, key)) for key in _SYMBOLS),
            )
            for entry in entries
        ),
        notes=[f"L: {note}"] if len(latencies) > 1 else [],
    )


def device_details(entry: Device, *, described: bool) -> RenderableType:
    """A device: its parameters, where they are from and how they were read."""
    heading = Text.assemble(
        (f"{entry.device_title}, {entry.kernel_title}", "bold"),
        (f"  {entry.device} {entry.kernel}", "cyan"),
    )
    rows: list[tuple[str, RenderableType]] = [("latency", Text(entry.latency))]
    for key, symbol in _SYMBOLS.items():
        rows.append((symbol, Text(f"{_written(getattr(entry, key))}{_unit(entry, key)}")))
    rows += [("source", Text(entry.source)), ("reading", Text(entry.reading))]
    if described:
        rows += _described(entry)
    return Group(heading, Padding(facts(rows), (0, 0, 1, 2)))


def _described(entry: Device) -> list[tuple[str, RenderableType]]:
    kernel = next(kernel for kernel in kernels() if kernel.kernel == entry.kernel)
    rows: list[tuple[str, RenderableType]] = [
        (
            "Table 4",
            Text(f"{kernel.full_title}: O({kernel.complexity}), O(g^{kernel.beta_table4})"),
        )
    ]
    for platform in platforms():
        if entry.device in platform.devices:
            told = ", ".join(f"{label} {cell}" for label, cell in platform.facts)
            rows += [
                ("machine", Text(f"{platform.title}: {told}")),
                ("", Text(f"{platform.source}\n{platform.reading}", style="dim")),
            ]
    return rows


def _unit(entry: Device, key: str) -> str:
    return "" if entry.units[key] == "1" else f" {entry.units[key]}"


def _written(value: float) -> str:
    """A number without a needless fraction, and without losing a digit.

    Examples
    --------
    >>> _written(200_000_000), _written(29000.0), _written(0.14), _written(123_456_789)
    ('2e8', '29000', '0.14', '123456789')
    """
    whole = repr(value).removesuffix(".0")
    short = f"{float(value):.0e}".replace("e+0", "e").replace("e+", "e")
    return short if len(whole) > _LONG and float(short) == value else whole


def devices_answer(entries: Sequence[Device]) -> str:
    """Sentence that says how many kernels on which devices, or of one kernel the parameters."""
    titles = dict.fromkeys(each.device_title for each in entries)
    if len(entries) == 1:
        [entry] = entries
        values = ", ".join(
            f"{symbol} = {_written(getattr(entry, key))}{_unit(entry, key)}"
            for key, symbol in _SYMBOLS.items()
        )
        return f"{entry.kernel_title} on {entry.device_title}: {values}, {entry.latency} latency."
    on = f"{len(titles)} devices" if len(titles) > 1 else next(iter(titles), "no device")
    return f"Parameters of {len(entries)} kernels on {on}."


VIEWS = {
    "Device": View(
        answer=lambda found: devices_answer([found]),
        tables=lambda found: [device_table([found]), Table.facts([("source", found.source)])],
    ),
    "Devices": View(
        answer=devices_answer,
        tables=lambda found: [device_table(found)],
        rows={"devices": lambda found: map(asdict, found)},
    ),
}
"""Views of devices in Python."""
