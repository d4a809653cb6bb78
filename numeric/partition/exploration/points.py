"""What is asked for in an exploration, and what is kept of each answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from logca.numeric.partition.answer import Partition
from logca.numeric.partition.platform import Platform

__all__ = ["Point", "Setting", "Value", "differing", "point_of"]

Value = int | Fraction | str
"""What a key of a platform may have as value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is asked for.

    Parameters
    ----------
    program : str
        Which program [text].
    method : str
        ``optimal``, ``greedy``, ``clusters`` or ``frontier`` [text].
    design : str
        How the accelerator is attached to the memory [text].
    penalised : bool
        Whether the shared cache takes longer for being shared.
    changes : tuple of (str, value)
        Keys of the platform that have another value here, in the order of their names.
    """

    program: str
    method: str = "optimal"
    design: str = "SL2+"
    penalised: bool = False
    changes: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(sorted(self.changes)))


def differing(platform: Platform, values: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The values that a platform has not already, so that equal settings are the same.

    Parameters
    ----------
    platform : Platform
        The platform.
    values : mapping
        Keys, and the values that they are to have.

    Examples
    --------
    >>> from logca.numeric.partition.platform import platform
    >>> differing(platform("kenter2010"), {"control": 2, "pull": 6})
    (('pull', 6),)
    """
    return tuple((key, value) for key, value in values.items() if getattr(platform, key) != value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What was found.

    Parameters
    ----------
    setting : Setting
        What was asked for.
    speedup, theoretical, relative : float
        Speedup, what it would be without limits, and the share of the gain that is achieved; NaN
        if there is no gain to achieve [1].
    gap : float
        By what share of its runtime the partition can be too slow; of methods other than
        ``optimal`` as the bound of a price of area has it [1].
    proven : bool
        Whether its certificate proves that no partition that fits is faster.
    traced : bool
        Whether the program was traced; if not, its memory time is the same in all designs.
    area : int
        What the partition takes of the accelerator, in instructions [1].
    te, tm, tc, tr : Fraction
        Where its runtime goes [cycles].
    cpu_te, cpu_tm : Fraction
        The same of everything on the CPU [cycles].
    mapped : tuple of int
        The blocks on the accelerator [1].
    elapsed_s : float
        How long it took to find [s].
    """

    setting: Setting
    speedup: float
    theoretical: float
    relative: float
    gap: float
    proven: bool
    traced: bool
    area: int
    te: Fraction
    tm: Fraction
    tc: Fraction
    tr: Fraction
    cpu_te: Fraction
    cpu_tm: Fraction
    mapped: tuple[int, ...]
    elapsed_s: float

    @property
    def total(self) -> Fraction:
        """Its runtime, t [cycles]."""
        return self.te + self.tm + self.tc + self.tr

    @property
    def gains(self) -> bool:
        """Whether the program becomes faster at all."""
        return self.speedup > 1


def point_of(setting: Setting, found: Partition) -> Point:
    """What is kept of a partition.

    Parameters
    ----------
    setting : Setting
        What was asked for.
    found : Partition
        What was found.
    """
    return Point(
        setting=setting,
        speedup=found.speedup,
        theoretical=found.theoretical_speedup,
        relative=found.relative_speedup,
        gap=found.gap,
        proven=found.proven,
        traced=found.case.coupling is not None,
        area=found.area,
        te=found.time.te,
        tm=found.time.tm,
        tc=found.time.tc,
        tr=found.time.tr,
        cpu_te=found.case.baseline.te,
        cpu_tm=found.case.baseline.tm,
        mapped=tuple(found.mapped.nonzero()[0].tolist()),
        elapsed_s=found.elapsed_s,
    )
