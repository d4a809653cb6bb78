"""GPUs as a table, one row each, and one of them with all its numbers and their sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Column, Table
from logca.common.toml import UNITS
from logca.gpu.devices.file_format import PROVENANCES, provenance_of
from logca.gpu.devices.parameters import GpuDevice

__all__ = ["gpu_facts", "gpu_row", "gpu_table", "gpus_answer", "quantity"]


def gpu_row(gpu: GpuDevice) -> dict[str, Any]:
    """A GPU as JSON has it in a list, under the names that Python has."""
    said = [gpu.provenance(key) for key in gpu.sources]
    return {
        **attributes(gpu, "name title architecture multiprocessors frequency bandwidth l2_size"),
        "provenance": {each: said.count(each) for each in PROVENANCES},
    }


def gpu_table(gpus: Sequence[GpuDevice]) -> Table:
    """GPUs, and how well their numbers are known."""
    columns = (
        Column("GPU", style="bold cyan"),
        Column("architecture"),
        Column.number("multi-\nprocessors"),
        Column.number("clock\n[MHz]"),
        Column.number("bandwidth\n[GB/s]"),
        Column("which is"),
        Column.number("L2\n[KiB]"),
        Column.number("numbers\nestimated"),
    )
    rows = []
    for gpu in gpus:
        known = gpu_row(gpu)["provenance"]
        rows.append(
            (
                gpu.name,
                gpu.architecture,
                str(gpu.multiprocessors),
                f"{gpu.frequency / 1e6:.0f}",
                f"{gpu.bandwidth / 1e9:.0f}",
                gpu.provenance("bandwidth"),
                str(gpu.l2_size // 2**10),
                f"{known['estimated']} of {sum(known.values())}",
            )
        )
    return Table.by_rows(columns, rows)


def gpus_answer(gpus: Sequence[GpuDevice]) -> str:
    """Sentence that says how many GPUs, and of how many the bandwidth was measured."""
    measured = sum(gpu.provenance("bandwidth") == "measured" for gpu in gpus)
    return f"{len(gpus)} GPUs; the bandwidth of {measured} was measured."


def gpu_facts(
    rows: Sequence[Mapping[str, object]], title: str = "", *, short: bool = False
) -> Table:
    """A parameter with value, meaning and source in each row; if short, only where that is from."""
    cells = (
        (
            str(row["parameter"]),
            f"{quantity(row['value'], str(row['unit']))}, {row['meaning']}; "
            f"{provenance_of(str(row['source'])) if short else row['source']}",
        )
        for row in rows
    )
    return Table.facts(cells, title=title)


def quantity(value: object, unit: str) -> str:
    """A value with the largest unit that leaves at least one of it.

    Examples
    --------
    >>> quantity(907e9, "B/s"), quantity(2.5e-6, "s"), quantity(65536, "1"), quantity(None, "s")
    ('907 GB/s', '2.5 us', '65,536', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, int) and unit == "1":
        return f"{value:,}"
    if isinstance(value, str) or not isinstance(value, int | float):
        return str(value)
    if unit == "1":
        return f"{value:g}"
    known = UNITS.get(unit, {unit: 1.0})
    fitting = [name for name, factor in known.items() if value >= factor]
    name = max(fitting, key=lambda name: known[name]) if fitting else unit
    return f"{value / known[name]:g} {name}"
