"""Why the iterations of a loop cannot run side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.regions import uncountable
from logca.gpu.watching import Watched
from logca.trace.program import Loop, Program

__all__ = ["Serial", "left_early", "serial_loops"]

_TO_THE_END = "let all of its iterations run, with a flag in the place of `break` or `return`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial:
    """What makes a loop's iterations wait for each other.

    Parameters
    ----------
    line : int
        Where it begins [1].
    why : str
        The first thing found, in words that follow "the loop" [text].
    fix : str
        What would help, if it can be told [text].
    countable : bool
        Whether its iterations can be numbered as threads all the same.
    recurrent : bool
        Whether a register passes a value from one to the next that is no plain sum of theirs.
    dependences : int
        Dependences through memory that were seen [1].
    """

    line: int
    why: str
    fix: str
    countable: bool
    recurrent: bool
    dependences: int

    @property
    def reason(self) -> str:
        """The first thing found, in a sentence [text]."""
        return f"the loop at line {self.line} {self.why}"


def serial_loops(
    program: Program, edge_counts: Sequence[int], watched: Mapping[int, Watched]
) -> dict[int, Serial]:
    """The loops whose iterations cannot run side by side.

    Parameters
    ----------
    program : Program
        With calls inlined.
    edge_counts : sequence of int
        Executions of its edges [1].
    watched : mapping of int to Watched
        What was seen of the nests, by their outermost loops.
    """
    reasons: dict[int, list[str]] = {}
    seen: dict[int, int] = {}
    fixes: dict[int, str] = {}
    for loop in program.loops:
        why, fix = uncountable(program, loop) or (left_early(program, loop, edge_counts), "")
        if why:
            fixes[loop.id] = fix or _TO_THE_END
            reasons[loop.id] = [why]
        elif loop.carried:
            reasons[loop.id] = [f"carries {', '.join(loop.carried)}"]
    for nest, found in watched.items():
        for each in found.carried:
            array = each.sink.array or each.source.array or "memory"
            reasons.setdefault(each.loop, []).append(
                f"carries {array}, {each.kind} dependence from line {each.source.line} "
                f"to line {each.sink.line}"
            )
            # the last of n iterations has just begun, so that n - 2 were seen whole after another
            n = found.iterations if each.loop == nest else 0
            seen[each.loop] = seen.get(each.loop, 0) + round(
                each.count * ((n - 1) / (n - 2) if n > 2 else 1)
            )
        if not found.decided:
            reasons.setdefault(nest, []).append(
                f"is still in its first iteration after {found.accesses:,} accesses, so that "
                "nothing is known of what it carries"
            )
    return {
        loop: Serial(
            line=program.loops[loop].line,
            why=found[0],
            fix=fixes.get(loop, ""),
            countable=loop not in fixes,
            recurrent=any("recurrence" in each for each in program.loops[loop].carried),
            dependences=seen.get(loop, 0),
        )
        for loop, found in reasons.items()
    }


def left_early(program: Program, loop: Loop, edge_counts: Sequence[int]) -> str | None:
    """Where a run left the loop from its midst, besides where its condition ends it [text].

    Parameters
    ----------
    program : Program
        With calls inlined.
    loop : Loop
        One of its loops.
    edge_counts : sequence of int
        Executions of its edges [1].
    """
    ends = {loop.header, *loop.latches}
    out = [
        edge
        for edge in program.edges
        if edge.source in loop.blocks and edge.target not in loop.blocks
    ]
    regular = any(edge.source in ends for edge in out)
    for edge in out:
        if edge_counts[edge.id] and edge.source not in ends and (regular or len(out) > 1):
            line = program.blocks[edge.source].last_line
            return f"is left early, at line {line}, which no thread can know"
    return None
