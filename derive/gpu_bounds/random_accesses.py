"""Model of bounds: sectors that accesses reach which go anywhere in an array, as a gather does.

How many sectors there are to choose from follows from two samples, as in the counting of fish that
are marked, set free and caught again; how many of them all blocks reach, from the chance that one
is left out by each of them.
"""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import ONE
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    common_sectors,
    first_sectors,
    reachable_sectors,
    sample_times,
    sampled_sectors,
    second_sectors,
)

__all__ = ["EXPECTED_SECTORS", "FORMULAS", "SECTORS_TO_REACH"]

SECTORS_TO_REACH = Formula(
    name="sectors_to_reach",
    meaning="sectors that accesses choose from, by what two samples of them have in common",
    source="seber1982, section 3.1: the estimator of Petersen (1896) and Lincoln (1930)",
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"\hat{N}_{\mathrm{sector}}",
    derivation=begin(
        "the share of the second sample that the first has too is the share of all that it has",
        "sectors_to_reach",
        first_sectors * second_sectors / common_sectors,
    ),
)

EXPECTED_SECTORS = Formula(
    name="expected_sectors",
    meaning="different sectors that a launch is expected to reach, from those that some of its "
    "blocks do",
    source="feller1968, section IV.2: the occupancy problem",
    unit=ONE,
    status=Exactness.APPROXIMATION,
    latex=r"\bar{n}_{\mathrm{sector}}",
    derivation=begin(
        "the sampled blocks leave a sector out with the probability 1 - n/N, and so do all others "
        "like them, independently of each other",
        "expected_sectors",
        reachable_sectors * (1 - (1 - sampled_sectors / reachable_sectors) ** sample_times),
    ),
)

FORMULAS = (SECTORS_TO_REACH, EXPECTED_SECTORS)
