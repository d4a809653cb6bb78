"""Lines of the source: how often, how long, on which core, and where control crosses."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from logca.numeric.partition.accounting import Account
from logca.numeric.partition.answer import Partition
from logca.numeric.partition.places import Place, lines_of
from logca.numeric.partition.problem import Problem
from logca.numeric.partition.tracing import Traced

__all__ = ["LineAccount", "line_accounts"]

Core = Literal["cpu", "accelerator", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAccount:
    """A line of the source that is executed.

    Parameters
    ----------
    file : str
        Its file [text].
    line : int
        Its number [1].
    executions : int
        Those of the block of it that is executed most often [1].
    alone : Fraction
        Its part of the time of the CPU alone: that of its blocks, divided among their lines by
        instructions [cycles].
    core : str
        Where its blocks run: ``cpu``, ``accelerator`` or ``both`` [text].
    to_accelerator, to_cpu : int
        How often control comes to it from the other core [1].
    """

    file: str
    line: int
    executions: int
    alone: Fraction
    core: Core
    to_accelerator: int
    to_cpu: int


def line_accounts(
    source: Problem | Traced, found: Partition, account: Account
) -> tuple[LineAccount, ...]:
    """The lines that are executed, by file and number.

    Parameters
    ----------
    source : Problem or Traced
        The program.
    found : Partition
        A partition of it.
    account : Account
        Where its time goes.
    """
    blocks = found.case.problem.blocks
    time: dict[Place, Fraction] = defaultdict(Fraction)
    members: dict[Place, list[int]] = defaultdict(list)
    of_block = lines_of(source)
    for number, places in enumerate(of_block):
        whole = sum(places.values())
        for place, part in places.items():
            if blocks[number].executions:
                members[place].append(number)
                time[place] += account.alone[number] * part / whole
    arrivals: dict[tuple[Place, bool], int] = defaultdict(int)
    for crossing in account.crossings:
        places = of_block[crossing.target] or of_block[crossing.source]
        if places:
            arrivals[min(places), bool(found.mapped[crossing.target])] += crossing.executions
    return tuple(
        LineAccount(
            file=place[0],
            line=place[1],
            executions=max(blocks[each].executions for each in members[place]),
            alone=time[place],
            core=_core([bool(found.mapped[each]) for each in members[place]]),
            to_accelerator=arrivals[place, True],
            to_cpu=arrivals[place, False],
        )
        for place in sorted(members)
    )


def _core(mapped: Sequence[bool]) -> Core:
    if all(mapped):
        return "accelerator"
    return "both" if any(mapped) else "cpu"
