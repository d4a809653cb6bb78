"""Parts of a program that stay on the host: loops that no kernel takes, and the reasons."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from logca.common.readable_numbers import percent
from logca.gpu.loops.directives import ON_HOST
from logca.gpu.loops.offloadable_loops import outermost, reads, writes
from logca.gpu.loops.parallelism import Serial
from logca.gpu.loops.thread_loops import iterations, obstacle
from logca.gpu.nests.nest import Nest, whole_work, work
from logca.trace.ir.program import Loop, Program

__all__ = ["HostPart", "ProgramShares", "WhyOnHost", "shares"]

_TOLD = 0.01
"""Parts with a smaller share of the executed instructions are not told one by one [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPart:
    """Instructions that no kernel executes: a loop, or what is outside of all loops."""

    file: str  # source file; empty outside of loops
    line: int  # where the loop begins; 0 outside of loops [1]
    function: str  # the function that it was written in; empty outside of loops
    share: float  # of all executed instructions, without those of kernels inside [1]
    reason: str  # why it stays
    fix: str  # what can be done about it; empty if nothing is known

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return f"line {self.line} in {self.function}" if self.line else self.reason

    @property
    def note(self) -> str:
        """Its share, where it is, why it stays, and what can be done."""
        told = f"{percent(self.share, 1)} % of the executed instructions: "
        told += f"the loop at {self.place}, {self.reason}" if self.line else self.reason
        return f"{told}; {self.fix}" if self.fix else told


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramShares:
    """Shares of the executed instructions of a program at the work size."""

    predicted: float  # what the kernels execute [1]
    left_out: tuple[HostPart, ...]  # the rest, largest first; parts below a hundredth are not told


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyOnHost:
    """Reasons why loops stay on the host, as they were found when others were chosen."""

    serial: Mapping[int, Serial]  # those whose iterations wait for each other
    function: str | None = None  # in which alone loops were looked for
    # those that directives mark in vain, and why; None if no directive chose
    refused: Mapping[int, str] | None = None
    brief: Mapping[int, str] = field(default_factory=dict)  # those whose launches are too brief


def shares(
    program: Program,
    counts: Sequence[int],
    nests: Sequence[Nest],
    why: WhyOnHost,
) -> ProgramShares:
    """Share of a program that is predicted, and the parts that stay on the host."""
    whole = whole_work(program, counts)
    own = {nest.loop for nest in nests}
    reason = _reasons(program, counts, nests, why)
    parts = [
        HostPart(
            file=program.loops[loop].file,
            line=program.loops[loop].line,
            function=program.loops[loop].source_function,
            share=executed / whole,
            reason=told,
            fix=fix,
        )
        for loop, executed in _on_host(program, counts, own)
        if executed >= _TOLD * whole
        for told, fix in [reason(loop)]
    ]
    looping = sum(work(program, counts, loop.id) for loop in program.loops if loop.parent is None)
    if whole - looping >= _TOLD * whole:
        outside = "what is outside of loops, or in functions that call themselves"
        parts.append(
            HostPart(
                file="", line=0, function="", share=1 - looping / whole, reason=outside, fix=""
            )
        )
    return ProgramShares(
        predicted=sum(work(program, counts, loop) for loop in own) / whole,
        left_out=tuple(sorted(parts, key=lambda part: -part.share)),
    )


def _on_host(program: Program, counts: Sequence[int], nests: set[int]) -> Iterator[tuple[int, int]]:
    """Loops with no kernel inside, and what others execute around their kernels [1]."""
    waiting = [loop.id for loop in program.loops if loop.parent is None]
    while waiting:
        loop = waiting.pop()
        if loop in nests or not work(program, counts, loop):
            continue
        if nests.isdisjoint(each.id for each in program.loops_of[loop]):
            yield loop, work(program, counts, loop)
            continue
        inside = [each.id for each in program.loops if each.parent == loop]
        yield (
            loop,
            work(program, counts, loop) - sum(work(program, counts, each) for each in inside),
        )
        waiting += inside


def _reasons(
    program: Program,
    counts: Sequence[int],
    nests: Sequence[Nest],
    why: WhyOnHost,
) -> Callable[[int], tuple[str, str]]:
    """A function from a loop to why it stays on the host, and to what can be done about it."""
    serial, function, refused = why.serial, why.function, why.refused
    asked = outermost(program, counts, function)
    among = {each.id for loop in asked for each in program.loops_of[loop]}
    around = {each for loop in asked for each in program.chain_of(program.loops[loop].parent)}
    functions = {program.loops[nest.loop].source_function for nest in nests}

    def reason(number: int) -> tuple[str, str]:
        loop, found, calls = program.loops[number], serial.get(number), obstacle(program, number)
        inside = {each.id for each in program.loops_of[number]}
        if any(nest.loop in inside for nest in nests):
            if calls is not None and refused is None:
                return f"which launches kernels, as {calls.what}", calls.fix
            return "which launches kernels and has statements of its own", ""
        if refused is not None:
            head, _, because = refused.get(number, "").partition(": ")
            if number in refused:
                return (f"as {because}" if head == ON_HOST else f"which {refused[number]}"), ""
            if found is not None:
                return f"which {found.why}", found.fix
            return _undirected(program, loop), ""
        if number not in among and number not in around:
            where = f"function {function}" if function else "the part between scop and endscop"
            return f"which is outside of {where}", ""
        if calls is not None:
            return f"as {calls.what}", calls.fix
        if found is not None:
            alone = function is None and loop.source_function not in functions and not program.scops
            named = (
                f"`--function {loop.source_function}`"
                if alone
                else "`#pragma logca offload` before the loop that is to be threads"
            )
            only = "as a kernel that gathers" if found.gathers else "despite its dependences"
            despite = f"{named} predicts it {only}"
            return f"which {found.why}", despite if found.countable else found.fix
        if number in why.brief:
            return why.brief[number], ""
        if not writes(program, counts, number):
            return "which only reads: it inspects results", ""
        if not reads(program, counts, number):
            return "which only writes: it prepares data", ""
        if not iterations(program, counts, number):
            return "whose body was not executed", ""
        return "beside which others execute far more", ""

    return reason


def _undirected(program: Program, loop: Loop) -> str:
    """Words on a loop that no directive makes threads, with the one that says so."""
    for each in program.synchronisations:
        alone = {"loop", "serial"} & {*each.directive.split()}
        if alone and each.before_loop and (each.file, each.first) == (loop.file, loop.line):
            return f"which `{each.directive}` leaves to one thread"
    return "before which no directive stands"
