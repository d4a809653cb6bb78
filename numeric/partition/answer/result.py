"""A partition, what it gains, and how far from the optimum it can be."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.common import results
from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.problem.blocks import Block
from logca.numeric.partition.problem.costs import Times, speedups
from logca.numeric.partition.solvers.certificates.tree import CertificateError
from logca.numeric.partition.solvers.optimum import Optimum, check_optimum

__all__ = ["Corner", "Partition", "evaluated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """A partition of the Lagrangian frontier."""

    area: int  # what it takes of the accelerator [1]
    time: Fraction  # its runtime, t [cycles]
    bound: Fraction  # what no partition of this area takes less than [cycles]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Partition:
    """Which blocks run on the accelerator, and what that means.

    Parameters
    ----------
    case : Case
        The program, the platform and the design.
    method : str
        How it was found: ``optimal``, ``greedy``, ``clusters`` or ``frontier``.
    found : Optimum
        The partition with its bound and its certificate, in scaled cycles.
    time : Times
        Where its runtime goes: te, tm, tc and tr [cycles].
    speedup : float
        Runtime of everything on the CPU divided by this one [1].
    theoretical_speedup : float
        That of all instructions on the accelerator, without communication [1].
    relative_speedup : float
        What share of the gain of the theoretical speedup it reaches [1] (kenter2010, section III).
    elapsed_s : float
        How long it took to find [s].
    frontier : tuple of Corner
        With the method ``frontier`` the partitions of all areas, from nothing mapped on.
    """

    case: Case
    method: str
    found: Optimum
    time: Times
    speedup: float
    theoretical_speedup: float
    relative_speedup: float
    elapsed_s: float
    frontier: tuple[Corner, ...] = ()

    @property
    def mapped(self) -> NDArray[np.bool_]:
        """For each block of the problem whether it is on the accelerator."""
        return self.found.mapped

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that are on the accelerator."""
        every = zip(self.case.problem.blocks, self.mapped.tolist(), strict=True)
        return tuple(block for block, on in every if on)

    @property
    def area(self) -> int:
        """Area of the mapped blocks on the accelerator, in instructions [1]."""
        return sum(block.area for block in self.blocks)

    @property
    def bound(self) -> Fraction:
        """Lower bound on the time of every partition that fits [cycles]."""
        return Fraction(self.found.bound, self.case.instance.scale)

    @property
    def gap(self) -> float:
        """By what share of its runtime the partition can be too slow [1]."""
        return self.found.gap

    @property
    def proven(self) -> bool:
        """True if the certificate proves that no partition that fits is faster."""
        return self.found.proven

    @property
    def certificate(self) -> object:
        """The proof of the bound, which `check` looks at."""
        return self.found.certificate

    def check(self) -> bool:
        """Check the partition, its runtime and the proof of its bound, with code of its own.

        Returns
        -------
        bool
            True if the certificate proves the bound; False if the bound is HiGHS's, which computes
            in floating point, so that all but the bound is checked.

        Raises
        ------
        CertificateError
            If something is wrong.
        """
        check_optimum(self.case.instance, self.found, self.case.coupling)
        again = evaluated(self.case, self.method, self.found)
        if again.time.total != Fraction(self.found.cost, self.case.instance.scale):
            raise CertificateError(
                f"the parts of the time are {again.time.total} cycles, and the partition takes "
                f"{Fraction(self.found.cost, self.case.instance.scale)}"
            )
        for name in ("time", "speedup", "theoretical_speedup", "relative_speedup"):
            told, found = getattr(self, name), getattr(again, name)
            if repr(told) != repr(found):  # the relative speedup may be NaN, which equals nothing
                raise CertificateError(f"{name} is {found}, not {told}")
        return self.found.proof == "certificate"

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def evaluated(
    case: Case,
    method: str,
    found: Optimum,
    *,
    elapsed_s: float = 0.0,
    frontier: tuple[Corner, ...] = (),
) -> Partition:
    """Partition of a case with its runtime, speedups and bound."""
    time = case.times(found.mapped)
    speedup, theoretical, relative = speedups(case.costs, case.baseline, time)
    return Partition(
        case=case,
        method=method,
        found=found,
        time=time,
        speedup=speedup,
        theoretical_speedup=theoretical,
        relative_speedup=relative,
        elapsed_s=elapsed_s,
        frontier=frontier,
    )
