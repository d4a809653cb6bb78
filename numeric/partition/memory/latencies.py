"""What accesses to each level of the memory hierarchy cost."""

from dataclasses import dataclass, fields

from logca.numeric.partition.memory.geometry import CacheError

__all__ = ["Latencies"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """What an access costs, in whole numbers: cycles times a scale.

    Parameters
    ----------
    l1, l2, memory : int
        Served by level 1, by level 2, by the memory [scaled cycles] (kenter2010, Table I).
    write_back : int
        What comes on top if the other core holds the line changed [scaled cycles].
    penalty : int
        What comes on top if the shared cache next to the cores serves it [scaled cycles].

    Raises
    ------
    CacheError
        If one is no whole number, or negative.

    Examples
    --------
    >>> Latencies(l1=3, l2=15, memory=200, write_back=15).penalty
    0
    """

    l1: int
    l2: int
    memory: int
    write_back: int
    penalty: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no latency."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise CacheError(
                    f"latency {field.name} = {value!r}; allowed are whole numbers from 0 on: "
                    "multiply cycles by a scale that makes all of them whole"
                )
