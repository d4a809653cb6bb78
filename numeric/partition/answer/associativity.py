"""Error of taking caches as direct-mapped: a partition again with sets and LRU.

The exact memory model of every partition holds for direct-mapped caches only (see
`memory.simulation`). For one partition the program is run once more, and its accesses are played
through set-associative caches of the same sizes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from logca.common.limits import Limits
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.memory.simulation import Shortcut, Simulation
from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.costs import latencies_of
from logca.numeric.partition.program.tracing import Traced, pushed
from logca.trace.execute.run import run

__all__ = ["Associativity", "associativity_error", "ways_of"]

_WAYS = re.compile(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Associativity:
    """A partition with direct-mapped caches, and with set-associative ones of the same sizes."""

    ways: tuple[int, int]  # lines in a set of level 1, and of level 2 [1]
    # memory time of the partition, simulated with LRU and taken as direct-mapped [scaled cycles]
    partition: Shortcut
    cpu_alone: Shortcut  # that of everything on the CPU, no cache being shared [scaled cycles]
    direct_mapped_speedup: float  # speedup of the partition as its answer gives it [1]
    speedup: float  # its speedup if both have set-associative caches [1]

    @property
    def error(self) -> float:
        """Excess of the partition's direct-mapped memory time over LRU's, relative to LRU's [1]."""
        return self.partition.error


def ways_of(text: str) -> tuple[int, int]:
    """Ways of level 1 and of level 2, as `logca partition --associativity` takes them.

    Examples
    --------
    >>> ways_of("8,16")
    (8, 16)
    """
    match = _WAYS.fullmatch(text)
    if not match:
        raise CacheError(f"--associativity {text!r}: write two whole numbers, such as 8,16")
    return int(match[1]), int(match[2])


def associativity_error(
    source: Traced,
    found: Partition,
    *,
    ways: tuple[int, int] = (8, 16),
    args: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits | None = None,
    tell: Callable[[str, int], None] | None = None,
) -> Associativity:
    """Error of a partition's memory time because caches are taken as direct-mapped.

    The partition stays as it is: it need not be the optimum with other caches.

    Notes
    -----
    Direct-mapped caches are (1, 1), exactly: with them both times are the same.
    """
    case = found.case
    if case.problem is not source.problem or case.coupling is None:
        raise ProblemError(
            f"the partition is one of {case.problem.name}, not of this traced {source.problem.name}"
        )
    say = tell or (lambda _step, _number: None)
    nothing = np.zeros(len(found.mapped), np.bool_)
    runs = ((found.mapped, found.time, case.penalised), (nothing, case.baseline, False))
    simulations = [
        Simulation(
            source.signatures.blocks, source.geometry, case.design, mapped,
            ways=ways, resident=case.platform.dirty == "resident",
        )
        for mapped, _, _ in runs
    ]  # fmt: skip
    say("simulating", 0)
    take = pushed(
        source.compiled.program,
        source.pieces,
        [each.push for each in simulations],
        lambda done: say("simulating", done),
    )
    run(
        source.compiled,
        arguments=args,
        stdin=stdin,
        limits=limits or Limits(),
        on_chunk=take,
        counts=False,
    )
    played = int(simulations[0].counts.sum())
    if played != source.signatures.accesses:
        raise CacheError(
            f"signatures of {source.signatures.accesses} accesses, and {played} were simulated; "
            "allowed is the same trace: give the arguments and the input that it was traced with"
        )
    scale, own = case.instance.scale, int(case.costs.memory.sum())
    partition, alone = (
        Shortcut(
            simulated=each.time(latencies_of(case.platform, case.design, penalty=penalty)),
            direct_mapped=int(time.tm * scale) - own,
        )
        for each, (_, time, penalty) in zip(simulations, runs, strict=True)
    )
    after, before = (
        time.total - time.tm + Fraction(own + each.simulated, scale)
        for each, (_, time, _) in zip((partition, alone), runs, strict=True)
    )
    return Associativity(
        ways=ways,
        partition=partition,
        cpu_alone=alone,
        direct_mapped_speedup=found.speedup,
        speedup=float(before / after),
    )
