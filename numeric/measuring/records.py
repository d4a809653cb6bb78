"""What a file of samples says: header, samples, sizes that failed or were left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["PATHS", "Failed", "Header", "LeftOut", "Line", "Recorded", "Sample"]

PATHS = ("host", "accelerated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is measured, how, and where.

    Parameters
    ----------
    experiment, title : str
        Its name with all that changes what is measured, and a line for readers [text].
    sizes : tuple of int
        The sizes that were planned, ascending [B].
    step : int
        All sizes are multiples of it [B].
    how : Mapping
        How it is measured, such as whether the process is tied to a core.
    machine : Mapping
        Facts about the machine.
    resolution : float
        Smallest step of the clock [s].
    begun : str
        Date of the first sample, in UTC [text].
    notes : tuple of str
        What the reader of the timings should know [text].
    once : Mapping of str to float
        Times spent once before the first call [s].
    """

    experiment: str
    title: str
    sizes: tuple[int, ...]
    step: int
    how: Mapping[str, Any]
    machine: Mapping[str, Any]
    resolution: float
    begun: str = ""
    notes: tuple[str, ...] = ()
    once: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A time.

    Parameters
    ----------
    size : int
        Size of the data [B].
    path : str
        host or accelerated [text].
    seconds : float
        Time of one call [s].
    calls : int
        Calls that were timed together [1].
    round : int
        In which round, from 0 on [1].
    spent : float
        How much of the budget was spent after it [s].
    """

    size: int
    path: str
    seconds: float
    calls: int
    round: int
    spent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A size at which a run failed.

    Parameters
    ----------
    size : int
        Size of the data [B].
    path : str
        host or accelerated [text].
    message : str
        Why [text].
    """

    size: int
    path: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A size that was not measured.

    Parameters
    ----------
    size : int
        Size of the data [B].
    message : str
        Why [text].
    """

    size: int
    message: str


Line = Header | Sample | Failed | LeftOut


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """All that a file of samples says.

    Parameters
    ----------
    header : Header
        What is measured.
    samples : tuple of Sample
        Times, in the order in which they were taken.
    failed : tuple of Failed
        Sizes at which the last run failed.
    left_out : tuple of LeftOut
        Sizes that were not measured, and have no samples.
    """

    header: Header
    samples: tuple[Sample, ...] = ()
    failed: tuple[Failed, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
