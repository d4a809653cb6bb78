"""From C sources to a problem with its memory: compile, run once, and record signatures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.numeric.partition.memory.caches import CacheError, Geometry
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.signatures import Signatures
from logca.numeric.partition.problem.blocks import Problem
from logca.numeric.partition.problem.platform import Platform
from logca.numeric.partition.program.flows import problem_of
from logca.numeric.partition.program.pieces import Pieces, pieces_of
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import COPYING_CALLS, FORKS, Run, calls, run
from logca.trace.ir.program import Program

__all__ = ["Traced", "geometry_of", "pushed", "traced"]

Push = Callable[[Any, Any, Any, Any], None]

_MOST_SAID = 160


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traced:
    """A C program that was run, as a problem."""

    compiled: Compiled  # the program
    run: Run  # how it ran
    pieces: Pieces  # where the blocks of the problem are in the program
    problem: Problem  # what there is to partition
    geometry: Geometry  # the caches that were simulated
    signatures: Signatures  # its memory accesses, for every partition

    def signatures_for(self, geometry: Geometry) -> Signatures:
        """The memory accesses, if they were recorded for these caches."""
        if geometry != self.geometry:
            raise CacheError(
                f"the program was traced for {self.geometry}, not for {geometry}: trace it again"
            )
        return self.signatures


def geometry_of(platform: Platform) -> Geometry:
    """The caches of a platform."""
    return Geometry(line=platform.line, l1=platform.size_L1, l2=platform.size_L2)


def traced(
    sources: str | Path | Iterable[str | Path],
    platform: Platform,
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    args: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits | None = None,
    tell: Callable[[str, int], None] | None = None,
) -> Traced:
    """Compile C sources, run the program once, and make a problem of it."""
    say = tell or (lambda _step, _number: None)
    say("compiling", 0)
    compiled = compile_program(
        sources,
        defines=defines,
        includes=includes,
        flags=flags,
        level=level,
    )
    program = compiled.program
    pieces = pieces_of(program)
    recorder = Recorder(
        len(pieces.pieces) + 1, geometry_of(platform), resident=platform.dirty == "resident"
    )
    say("running", 0)
    ran = run(
        compiled,
        arguments=args,
        stdin=stdin,
        limits=limits or Limits(),
        on_chunk=pushed(program, pieces, [recorder.push], lambda done: say("running", done)),
    )
    if ran.ending != "exit" or ran.truncated:
        raise TraceError(
            f"{ran.message or 'the trace was cut off'}: a partition needs the whole run"
        )
    _check_copies(program, ran)
    problem, _ = problem_of(
        program, ran.block_counts.tolist(), ran.edge_counts.tolist(), Path(program.files[0]).stem
    )
    return Traced(
        compiled=compiled,
        run=ran,
        pieces=pieces,
        problem=replace(problem, notes=(*problem.notes, *_notes(ran))),
        geometry=geometry_of(platform),
        signatures=recorder.signatures(),
    )


def pushed(
    program: Program, pieces: Pieces, pushes: Sequence[Push], tell: Callable[[int], None]
) -> Callable[[Chunk], None]:
    """A function that takes the accesses of a run, and pushes them on by piece."""
    block_of = np.array([pieces.at(each.block, each.index) for each in program.accesses], np.int64)
    store_of = np.array([each.store for each in program.accesses], np.bool_)
    done = 0

    def take(chunk: Chunk) -> None:
        nonlocal done
        done += len(chunk)
        columns = block_of[chunk.access], chunk.address, chunk.size, store_of[chunk.access]
        for push in pushes:
            push(*columns)
        tell(done)

    return take


def _check_copies(program: Program, ran: Run) -> None:
    """Refuse a program that has made a copy of itself, whose work is in no trace."""
    places = calls(program, ran.block_counts, FORKS | COPYING_CALLS)
    if places or ran.copies:
        at = f" at {places[0]}" if places else ""
        raise TraceError(
            f"the program makes a copy of itself{at}, and what that does is in no trace:"
            " a partition needs the whole run"
        )


def _notes(ran: Run) -> list[str]:
    """Notes on a run for its reader."""
    missing = [f"not seen: {each}" for each in ran.unseen]
    if not ran.status:
        return missing
    written = next((each for each in (ran.stderr, ran.stdout) if each.strip()), b"")
    words = " ".join(written.decode(errors="replace").split())
    text = "".join(letter for letter in words if letter.isprintable())
    said = f"{text[:_MOST_SAID]}..." if len(text) > _MOST_SAID else text
    wrote = f"; it wrote: {said}" if said else ""
    return [
        *missing,
        f"the program ended with exit status {ran.status}, which usually means that it failed; "
        f"these results are of that run{wrote}",
    ]
