"""A remedy before it is predicted: the kernel as it would then go into the stages."""

from collections.abc import Callable
from dataclasses import dataclass

from logca.gpu.studies import Study
from logca.gpu.variants import Variant

__all__ = ["Candidate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A remedy, not yet predicted.

    Parameters
    ----------
    name : str
        What kind it is [text].
    array : str
        What it changes; empty if no array [text].
    accesses : tuple of int
        Static accesses at which it aims [1].
    what : str
        What is to be done [text].
    conditions : tuple of str
        What must hold, or be accepted [text].
    made : callable
        The kernel then, from the kernel as it is.
    """

    name: str
    array: str
    accesses: tuple[int, ...]
    what: str
    conditions: tuple[str, ...]
    made: Callable[[Study], Variant]
