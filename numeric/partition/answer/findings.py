"""All that is said of a partition: beside it those of other methods, where its time goes, why."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from logca.numeric.partition.answer.associativity import Associativity
from logca.numeric.partition.answer.breakdown import Account, account_of
from logca.numeric.partition.answer.case import Case, case_of
from logca.numeric.partition.answer.methods import METHODS
from logca.numeric.partition.answer.partition import Tell, solve
from logca.numeric.partition.answer.reasons_to_stay import Staying, reasons_to_stay
from logca.numeric.partition.answer.remedies import PartitionRemedy, larger_areas, without_pins
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.blocks import Problem
from logca.numeric.partition.program.locations import SourceRegion, regions_of
from logca.numeric.partition.program.tracing import Traced

__all__ = ["PartitionReport", "findings"]

RELEASE_TIME_LIMIT = 5.0
"""Longest search for a partition without a pin [s]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PartitionReport:
    """A partition, and all that is said of it."""

    source: Problem | Traced  # the program
    partition: Partition  # the partition
    beside: tuple[Partition, ...]  # partitions by all methods that were tried, this one among them
    account: Account  # where its time goes
    regions: tuple[SourceRegion, ...]  # the parts of the program
    staying: tuple[Staying, ...]  # what stays on the CPU
    remedies: tuple[PartitionRemedy, ...]  # what would make it faster
    proved: bool  # whether its bound rests on the certificate, and that was checked
    checked_s: float  # how long checking took [s]
    # its time with set-associative caches, if that was asked for
    associativity: Associativity | None = None

    def bound_of(self, other: Partition) -> Fraction:
        """Largest bound known below the time of every partition that fits [cycles]."""
        return max(other.bound, self.partition.bound) if self.proved else other.bound

    def gap_of(self, other: Partition) -> float:
        """By what share of its time a partition can be too slow [1]."""
        total = other.time.total
        return float((total - self.bound_of(other)) / total) if total else 0.0


def findings(
    source: Problem | Traced,
    case: Case,
    method: str = "optimal",
    *,
    time_limit: float = 60.0,
    pins: Mapping[str, str] | None = None,
    tell: Tell | None = None,
) -> PartitionReport:
    """Partition a case, and find out what there is to say of it."""
    say = tell or (lambda _step, _number: None)
    found: dict[str, Partition] = {}
    for name in (method, *METHODS):
        if name not in found and name in (method, *list(METHODS)[1:]):
            say(f"partitioning, {name}", 0)
            found[name] = solve(case, name, time_limit=time_limit)
    chosen = found[method]
    say("checking", 0)
    begun = monotonic()
    proved = chosen.check()
    checked_s = monotonic() - begun
    account, regions = account_of(source, chosen), regions_of(source)

    def again(other: Problem | Traced, others: Mapping[str, str]) -> Partition:
        released = case_of(
            other,
            case.platform,
            case.design.name,
            area=case.instance.capacity,
            penalty=case.penalised,
            pins=others,
        )
        return solve(released, method, time_limit=min(time_limit, RELEASE_TIME_LIMIT))

    say("looking for what would help", 0)
    remedies = (
        *larger_areas(chosen, found["frontier"].frontier),
        *without_pins(source, chosen, account, pins or {}, again),
    )
    return PartitionReport(
        source=source,
        partition=chosen,
        beside=tuple(found[name] for name in METHODS if name in found),
        account=account,
        regions=regions,
        staying=reasons_to_stay(chosen, regions),
        remedies=remedies,
        proved=proved,
        checked_s=checked_s,
    )
