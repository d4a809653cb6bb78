"""Times of loops of a program on this machine, optimised for it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled
from logca.trace.compile.machine_code import NATIVE, emit, link
from logca.trace.execute.building import RUNTIME
from logca.trace.execute.containment import containment, run_folder
from logca.trace.execute.process import TraceReader, ring_buffer, served
from logca.trace.execute.run import ENDED, NO_LIMITS, ending
from logca.trace.instrument.loop_clocks import LOOP_WORDS, with_loop_clocks
from logca.trace.instrument.records import HEADER_WORDS, StateWord
from logca.trace.instrument.rewriting import instrumented, state_bytes

__all__ = ["LoopTimes", "TimedProgram", "timed_program"]

CLOCK = Path(__file__).with_name("loop_clock.c")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopTimes:
    """Times of loops in one run of their program."""

    seconds: NDArray[np.float64]  # of each loop, over all of its entries [s]
    entries: NDArray[np.int64]  # how often each was entered [1]
    program_s: float  # of the whole program, from before `main` to its end [s]
    stdout: bytes  # what the program wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedProgram:
    """A program in some of whose loops a clock runs; it is there as long as its context."""

    compiled: Compiled  # the program
    loops: tuple[int, ...]  # the loops that are timed [1]
    starter: Path  # contains it
    executable: Path  # optimised for this machine
    arguments: tuple[str, ...] = ()
    stdin: bytes = b""
    limits: Limits = NO_LIMITS

    def run(self) -> LoopTimes:
        """Run it once."""
        program = self.compiled.program
        with (
            run_folder() as work,
            ring_buffer(state_bytes(program), self.limits) as ring,
        ):
            reader = TraceReader(
                ring=ring, decoder=None, limits=self.limits, on_chunk=None, go_on=True
            )
            command = [Path(program.files[0]).stem, *self.arguments]
            ended = served(self.starter, self.executable, command, work, reader, self.stdin)
            how, message = ending(ended, ring.state, self.limits, "")
            if how not in ENDED:
                raise TraceError(f"optimised for this machine: {message}")
            words = ring.state[HEADER_WORDS:][: LOOP_WORDS * (len(self.loops) + 1)]
            assert ring.state[StateWord.READY]
            times, entries, _ = words.reshape(-1, LOOP_WORDS).T
            seconds = 1e-9 * times.astype(np.float64)
            return LoopTimes(
                seconds=seconds[:-1],
                entries=entries[:-1].astype(np.int64),
                program_s=float(seconds[-1]),
                stdout=bytes(ended.output[1]),
            )


@contextmanager
def timed_program(
    compiled: Compiled,
    loops: Sequence[int],
    *,
    arguments: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits = NO_LIMITS,
) -> Iterator[TimedProgram]:
    """A program with clocks in some loops, optimised as by ``clang -O3 -march=native``."""
    program = compiled.program
    text = instrumented(program, compiled.ir, plan=None, counts=False)
    text = with_loop_clocks(text, program, loops)
    with run_folder() as home:
        code = emit(text, Path(home, "program.o"), level=NATIVE)
        executable = link(
            [RUNTIME, CLOCK, code], Path(home), compiled.toolchain, compiled.link_flags
        )
        yield TimedProgram(
            compiled=compiled,
            loops=tuple(loops),
            starter=containment(Path(home), compiled.toolchain),
            executable=executable,
            arguments=tuple(arguments),
            stdin=stdin,
            limits=limits,
        )
