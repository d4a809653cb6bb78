"""Limits on the time, memory and output of a traced program."""

from dataclasses import dataclass, fields

from logca.common.errors import TraceError
from logca.common.real_numbers import is_real

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a run.

    Parameters
    ----------
    time_s : float
        Wall time of the run, reading its trace included [s].
    memory_B : int
        Address space of the program, and memory in use by all of its processes together [B].
    stack_B : int
        Its stack [B].
    records : int
        Accesses recorded; when they are reached, the trace ends and the program runs on [1].
    output_B : int
        What it may write to standard output, and to standard error [B].
    file_B : int
        Largest file that it may write [B].
    disk_B : int
        Room that all files together may take that it has written [B].
    processes : int
        Processes that may run at once, the program among them [1].

    Raises
    ------
    TraceError
        If a limit is no positive number.

    Examples
    --------
    >>> Limits(time_s=2.5).time_s
    2.5
    """

    time_s: float = 120.0
    memory_B: int = 4 << 30
    stack_B: int = 64 << 20
    records: int = 1 << 40
    output_B: int = 16 << 20
    file_B: int = 1 << 30
    disk_B: int = 4 << 30
    processes: int = 64

    def __post_init__(self) -> None:
        """Refuse what is no limit."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not is_real(value):
                raise TraceError(f"limit {field.name} = {value!r} must be a number")
            if not float(value) > 0:
                raise TraceError(f"limit {field.name} = {float(value):g} must be more than 0")
