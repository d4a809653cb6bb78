"""Models whose formulas become functions of keywords, one generated module for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from logca.derive.algebra.dimension import SymbolEntry
from logca.derive.core import cgpredict_symbols, partition_symbols
from logca.derive.core.catalogue import CGPREDICT, PARTITION
from logca.numeric.generate import cgpredict_points, partition_points

__all__ = ["GROUPS", "Group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A model."""

    title: str  # the first line of the module
    formulas: tuple[str, ...]  # their names, in order
    symbols: tuple[SymbolEntry, ...]  # their symbols, in the order of arguments
    # points, sequences: values for examples [any]
    points: Sequence[Mapping[str, Fraction]]
    sequences: Mapping[str, Sequence[int]]
    # whether sums, products and extrema of whole numbers are to be whole numbers
    whole: bool = False


GROUPS = {
    "cgpredict": Group(
        title="Array functions of CGPredict, a model of the execution time of GPU kernels.",
        formulas=tuple(name for listed in CGPREDICT.values() for name in listed),
        symbols=cgpredict_symbols.ENTRIES,
        points=cgpredict_points.POINTS,
        sequences=cgpredict_points.SEQUENCES,
    ),
    "partition": Group(
        title="Array functions of partitions between CPU and accelerator (kenter2010).",
        formulas=tuple(name for listed in PARTITION.values() for name in listed),
        symbols=partition_symbols.ENTRIES,
        points=partition_points.POINTS,
        sequences=partition_points.SEQUENCES,
        whole=True,
    ),
}
"""By the name of the module in `logca.numeric.generated`."""
