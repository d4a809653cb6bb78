"""Results of one method under one set of assumptions, looked up by what is varied."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from logca.numeric.partition.exploration.explorer import Point, Setting, Value, differing
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.links import scaled
from logca.numeric.partition.problem.platform import Platform

__all__ = ["ASSUMPTIONS", "Assumption", "Results"]

Look = Callable[[Setting], Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A reading of what kenter2010 leaves open, or a value that it does not print."""

    name: str  # what it is called
    values: tuple[tuple[str, Value], ...] = ()  # keys of the platform that have another value
    # write-backs cost this times what the first shared level takes; None: as the platform has it
    # [1]
    write_back: Fraction | None = None

    def changes(self, platform: Platform, design: str) -> dict[str, Value]:
        """Keys of the platform that have another value in a design.

        Examples
        --------
        >>> from logca.numeric.partition.problem.platform import platform
        >>> twice = Assumption(name="write-backs 2x", write_back=Fraction(2))
        >>> [twice.changes(platform("kenter2010"), name) for name in ("SL2+", "SMM+")]
        [{'write_back': Fraction(30, 1)}, {'write_back': Fraction(400, 1)}]
        """
        found = dict(self.values)
        if self.write_back is not None:
            shared = DESIGNS[design].shared == 3
            level = platform.latency_memory if shared else platform.latency_L2
            found["write_back"] = self.write_back * level
        return found


ASSUMPTIONS = (
    Assumption(name="defaults"),
    Assumption(name="each pair pays", values=(("values", "pair"),)),
    Assumption(name="resident lines are written back", values=(("dirty", "resident"),)),
    Assumption(name="write-backs cost nothing", write_back=Fraction(0)),
    Assumption(name="write-backs cost 4x", write_back=Fraction(4)),
    Assumption(name="lines of 32 B", values=(("line", 32),)),
    Assumption(name="lines of 128 B", values=(("line", 128),)),
    Assumption(name="casts cost as other operations", values=(("free_casts", "none"),)),
)
"""The defaults, and one other reading at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Results by one method under one assumption."""

    look: Look  # the point of a setting
    programs: tuple[str, ...]  # the programs
    platform: Platform  # the machine
    method: str  # the method
    assumption: Assumption  # the assumption

    def at(
        self,
        program: str,
        *,
        design: str = "SL2+",
        penalised: bool = False,
        factor: Fraction | None = None,
        **changes: Value,
    ) -> Point:
        """Result for a program under the assumption, with these changes."""
        values = self.assumption.changes(self.platform, design) | changes
        if factor is not None:
            values |= scaled(self.platform, factor)
        return self.look(
            Setting(
                program=program,
                method=self.method,
                design=design,
                penalised=penalised,
                changes=differing(self.platform, values),
            )
        )

    def mean(self, design: str, *, penalised: bool = False) -> float:
        """Mean relative speedup of all programs in a design [1]."""
        found = [self.at(each, design=design, penalised=penalised) for each in self.programs]
        return sum(point.relative for point in found) / len(found)
