"""All that is said of a partition: beside it those of other methods, where its time goes, why."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from logca.numeric.partition.accounting import Account, account_of
from logca.numeric.partition.answer import Partition
from logca.numeric.partition.associativity import Associativity
from logca.numeric.partition.case import Case, case_of
from logca.numeric.partition.outlook import Remedy, Staying, areas, releases, staying
from logca.numeric.partition.partitioning import METHODS, Tell, solved
from logca.numeric.partition.places import Region, regions_of
from logca.numeric.partition.problem import Problem
from logca.numeric.partition.tracing import Traced

__all__ = ["Findings", "findings"]

RELEASE_TIME_LIMIT = 5.0
"""How long a partition without a pin is looked for at most [s]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """A partition, and all that is said of it.

    Parameters
    ----------
    source : Problem or Traced
        The program.
    partition : Partition
        The partition.
    beside : tuple of Partition
        Partitions by all methods that were tried, this one among them.
    account : Account
        Where its time goes.
    regions : tuple of Region
        The parts of the program.
    staying : tuple of Staying
        What stays on the CPU.
    remedies : tuple of Remedy
        What would make it faster.
    proved : bool
        Whether its bound rests on the certificate, and that was checked.
    checked_s : float
        How long checking took [s].
    associativity : Associativity, optional
        Its time with set-associative caches, if that was asked for.
    """

    source: Problem | Traced
    partition: Partition
    beside: tuple[Partition, ...]
    account: Account
    regions: tuple[Region, ...]
    staying: tuple[Staying, ...]
    remedies: tuple[Remedy, ...]
    proved: bool
    checked_s: float
    associativity: Associativity | None = None

    def bound_of(self, other: Partition) -> Fraction:
        """What no partition that fits takes less than, as far as that is known [cycles].

        Parameters
        ----------
        other : Partition
            One of `beside`: its own bound, or the proven one of the partition that is told.
        """
        return max(other.bound, self.partition.bound) if self.proved else other.bound

    def gap_of(self, other: Partition) -> float:
        """By what share of its time a partition can be too slow [1].

        Parameters
        ----------
        other : Partition
            One of `beside`.
        """
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
) -> Findings:
    """Partition a case, and find out what there is to say of it.

    Parameters
    ----------
    source : Problem or Traced
        The program.
    case : Case
        The case that was made of it.
    method : str
        As for `partition`. The greedy ones and the frontier are found beside it, the optimum only
        if it is asked for, since that may take long [text].
    time_limit : float
        As for `partition` [s].
    pins : mapping of str to str, optional
        What the user pins, as for `partition` [text].
    tell : callable, optional
        Told what is going on [text].

    Raises
    ------
    CertificateError
        If the proof of the bound is wrong.
    """
    say = tell or (lambda _step, _number: None)
    found: dict[str, Partition] = {}
    for name in (method, *METHODS):
        if name not in found and name in (method, *METHODS[1:]):
            say(f"partitioning, {name}", 0)
            found[name] = solved(case, name, time_limit=time_limit)
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
            area=case.asked.capacity,
            penalty=case.penalised,
            pins=others,
        )
        return solved(released, method, time_limit=min(time_limit, RELEASE_TIME_LIMIT))

    say("looking for what would help", 0)
    remedies = (
        *areas(chosen, found["frontier"].frontier),
        *releases(source, chosen, account, pins or {}, again),
    )
    return Findings(
        source=source,
        partition=chosen,
        beside=tuple(found[name] for name in METHODS if name in found),
        account=account,
        regions=regions,
        staying=staying(chosen, regions),
        remedies=remedies,
        proved=proved,
        checked_s=checked_s,
    )
