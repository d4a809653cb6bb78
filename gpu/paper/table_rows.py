"""Rows of wang2017's tables: programs, sizes, measured times and the paper's estimates."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from logca.common.toml import packaged

__all__ = ["TABLES", "Entry", "entries", "entry_of", "printed_mean_error"]

TABLES = ("table4", "table5", "table6", "table7")
"""The tables that have rows of kernels."""

_MILLI = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of a table."""

    # table, name: where it stands
    table: str
    name: str
    # file, function: the program of `examples/polybench` that stands for it, and the function
    # that is meant; empty: all of it
    file: str
    function: str
    kernels: int  # how many of its first kernels belong to the row; 0: all [1]
    # trace_size, work_size: macros at the traced and at the work size [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    # actual_s, estimate_s: measured and estimated time in the paper [s]
    actual_s: float
    estimate_s: float
    undefined: str  # what the paper leaves open of the workload; empty if nothing
    # reading, miss: how it was read, and why models miss the measured time
    reading: str
    miss: str
    # further numbers of the row, in the table's own units [unit of the column]
    others: Mapping[str, float]
    words: Mapping[str, str]  # further texts of the row


@cache
def entries(table: str) -> tuple[Entry, ...]:
    """The rows of a table, in its order.

    Examples
    --------
    >>> row = entries("table4")[9]
    >>> row.name, row.actual_s, row.estimate_s
    ('GEMM', 0.24916, 0.24253)
    """
    rows: list[dict[str, Any]] = _tables()[table]["rows"]
    named = {"name", "file", "function", "kernels", "trace_size", "work_size"}
    named |= {"actual", "estimate", "undefined", "reading", "miss"}
    return tuple(
        Entry(
            table=table,
            name=row["name"],
            file=row["file"],
            function=row.get("function", ""),
            kernels=row.get("kernels", 0),
            trace_size=row["trace_size"],
            work_size=row["work_size"],
            actual_s=round(float(row["actual"]) * _MILLI, 12),
            estimate_s=round(float(row["estimate"]) * _MILLI, 12),
            undefined=row.get("undefined", ""),
            reading=row.get("reading", ""),
            miss=row.get("miss", ""),
            others={
                key: float(value)
                for key, value in row.items()
                if key not in named and not isinstance(value, str)
            },
            words={
                key: value
                for key, value in row.items()
                if key not in named and isinstance(value, str)
            },
        )
        for row in rows
    )


def printed_mean_error() -> float:
    """The mean error that Table 4 prints, in percent [1].

    Examples
    --------
    >>> printed_mean_error()
    9.0
    """
    return float(_tables()["table4"]["mean_error"])


def _tables() -> dict[str, Any]:
    return packaged(__package__, "wang2017.toml")


def entry_of(table: str, name: str) -> Entry:
    """The row of a table with that name.

    Examples
    --------
    >>> entry_of("table7", "DCT1D").words["choice"]
    'FPGA'
    """
    return next(entry for entry in entries(table) if entry.name == name)
