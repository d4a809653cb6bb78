"""Numbers that wang2017 prints, as text of the claim language: Table 3, and the rows of Tables 4-7.

They are those of `logca.gpu`, which has them once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.gpu.devices.parameters import device
from logca.gpu.paper.table_rows import Entry, entries, entry_of

__all__ = ["PrintedTimes", "printed", "rows", "table3"]

_BOARD = device("jetson-tk1")
_HALF = 0.005
"""Half of the last digit of times and errors, which are printed with two decimals [1]."""


def table3(*names: str) -> str:
    """Constants of the board as the arguments of a quantity.

    Examples
    --------
    >>> table3("latency_L2", "delay_L2")
    'latency_L2=164, delay_L2=2'
    """
    return ", ".join(f"{name}={getattr(_BOARD, name):.12g}" for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTimes:
    """A row of Tables 4 to 7, as text."""

    name: str  # the kernel
    # actual, estimate: measured and estimated time [ms]
    actual: str
    estimate: str
    # further numbers of the row, by the column's name [the column's unit]
    others: Mapping[str, str]

    @property
    def error(self) -> str:
        """The error of the estimate, from its two times [1]."""
        return f"abs({self.estimate} - {self.actual})/{self.actual}"

    def error_as_printed(self) -> str:
        """That the printed error, in percent, follows from times that round to those printed."""
        off, percent = f"abs({self.estimate} - {self.actual})", self.others["error"]
        return (
            f"({off} - {2 * _HALF})/({self.actual} + {_HALF})*100 <= {percent} + {_HALF}"
            f" and {percent} - {_HALF} <= ({off} + {2 * _HALF})/({self.actual} - {_HALF})*100"
        )


def printed(table: str, name: str) -> PrintedTimes:
    """A row of a table.

    Examples
    --------
    >>> row = printed("table5", "GEMM")
    >>> row.actual, row.estimate, row.others["error"]
    ('112.44', '105.75', '5.96')
    """
    return _as_text(entry_of(table, name))


def rows(table: str) -> tuple[PrintedTimes, ...]:
    """All rows of a table, in its order."""
    return tuple(map(_as_text, entries(table)))


def _as_text(entry: Entry) -> PrintedTimes:
    return PrintedTimes(
        name=entry.name,
        actual=f"{1e3 * entry.actual_s:.12g}",
        estimate=f"{1e3 * entry.estimate_s:.12g}",
        others={key: f"{value:.12g}" for key, value in entry.others.items()},
    )
