"""A C program as a problem: its pieces, how often they run, and what passes between them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logca.numeric.partition.problem.blocks import (
    OUTSIDE,
    Block,
    Flow,
    Problem,
    ProblemError,
    Value,
)
from logca.numeric.partition.problem.files import problem_from, saved
from logca.numeric.partition.program.operations_and_area import instruction_counter
from logca.numeric.partition.program.pieces import Pieces, executions_of, pieces_of
from logca.trace.ir.program import Instruction, Program

__all__ = ["problem_of"]


def problem_of(
    program: Program, block_counts: Sequence[int], edge_counts: Sequence[int], name: str
) -> tuple[Problem, Pieces]:
    """A program that was run, as a problem.

    Calls of functions of the program, and returns from them, are flows; arguments and results are
    values. What is called through a pointer or by a library comes from `OUTSIDE`, which is as good
    as the calling block, since that is on the CPU too.
    """
    edges = [int(each) for each in edge_counts]
    left: dict[int, int] = defaultdict(int)
    for edge in program.edges:
        left[edge.source] += edges[edge.id]
    pieces = pieces_of(program)
    building = _Building(
        program=program,
        pieces=pieces,
        executions=executions_of(program, pieces, [int(each) for each in block_counts], left),
        edges=edges,
    )
    flows: dict[tuple[int, int], int] = defaultdict(int)
    for source, target, times in building.flows():
        if times:
            flows[source, target] += times
    called = sum(times for (source, _), times in flows.items() if source == building.outside)
    outside = Block(name=OUTSIDE, executions=called, operations=0, pinned=OUTSIDE)
    problem = Problem(
        name=name,
        blocks=(*building.blocks(), outside),
        flows=tuple(
            Flow(source=source, target=target, executions=times)
            for (source, target), times in sorted(flows.items())
        ),
        values=tuple(building.values()),
        loops=tuple(building.loops()),
    )
    _check(problem)
    return problem, building.pieces


def _check(problem: Problem) -> None:
    """Refuse what would be refused as a file: counts that the program cannot have."""
    try:
        problem_from(saved(problem), problem.name)
    except ProblemError as error:
        raise ProblemError(
            "how often the blocks ran is not known, since calls of recursive functions were left "
            f"by longjmp or exit: {error}"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Building:
    """A program, its pieces, and its counts."""

    program: Program
    pieces: Pieces
    executions: tuple[int, ...]
    edges: list[int]

    def times(self, piece: int) -> int:
        """Executions of a piece."""
        return self.executions[piece]

    def instructions(self, piece: int) -> Sequence[Instruction]:
        own = self.pieces.pieces[piece]
        return self.program.blocks[own.block].instructions[own.begin : own.end]

    def blocks(self) -> Iterator[Block]:
        count = instruction_counter(self.program)
        for number, piece in enumerate(self.pieces.pieces):
            block = self.program.blocks[piece.block]
            counts = count(piece)
            lines = [each.line for each in self.instructions(number) if each.line]
            part = number - self.pieces.first[piece.block]
            yield Block(
                name=f"{block.function}:{block.name}" + (f".{part}" if part else ""),
                executions=self.times(number),
                operations=counts.operations,
                integer_casts=counts.integer_casts,
                real_casts=counts.real_casts,
                area=counts.area,
                pinned=piece.pinned,
                function=block.function,
                file=block.file,
                first_line=min(lines, default=0),
                last_line=max(lines, default=0),
            )

    def flows(self) -> Iterator[tuple[int, int, int]]:
        """Source, target and executions; the same pair may come again."""
        for edge in self.program.edges:
            yield (
                self.pieces.last(edge.source),
                self.pieces.first[edge.target],
                self.edges[edge.id],
            )
        for number, piece in enumerate(self.pieces.pieces[:-1]):
            if not piece.calls and self.pieces.pieces[number + 1].block == piece.block:
                yield number, number + 1, min(self.times(number), self.times(number + 1))
        for function in self.program.functions:
            entry = self.pieces.first[function.blocks[0]]
            sites = self.sites(function.name)
            for site in sites:
                yield site, entry, self.times(site)
            yield self.outside, entry, self.times(entry) - sum(map(self.times, sites))
            yield from self.returns(function.blocks, sites)

    @property
    def outside(self) -> int:
        return len(self.pieces.pieces)

    def sites(self, function: str) -> list[int]:
        """The pieces that call a function."""
        return [n for n, piece in enumerate(self.pieces.pieces) if piece.calls == function]

    def ends(self, blocks: Sequence[int]) -> list[int]:
        """The pieces of a function that return."""
        found = [block for block in blocks if self.program.blocks[block].instructions]
        return [
            self.pieces.last(block)
            for block in found
            if self.program.blocks[block].instructions[-1].opcode == "ret"
        ]

    def returns(
        self, blocks: Sequence[int], sites: Sequence[int]
    ) -> Iterator[tuple[int, int, int]]:
        """From the ends of a function to where it was called.

        With several ends, which of them led back to which call was not counted; they are taken in
        their order.
        """
        left = {end: self.times(end) for end in self.ends(blocks)}
        for site in sites:
            wanted = self.times(site + 1)
            for end in left:
                share = min(wanted, left[end])
                yield end, site + 1, share
                wanted -= share
                left[end] -= share
        for end, rest in left.items():
            yield end, self.outside, rest

    def values(self) -> Iterator[Value]:
        for function in self.program.functions:
            yield from self.registers(function.blocks)
            yield from self.passed(function.name, function.blocks)

    def registers(self, blocks: Sequence[int]) -> Iterator[Value]:
        """Registers of a function that another piece reads than writes."""
        entry = self.pieces.first[blocks[0]]
        home: dict[str, int] = {}
        always: dict[str, set[int]] = defaultdict(set)
        merged: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        fetched: set[tuple[str, int, int]] = set()
        taken = {
            (edge.source, edge.target): self.edges[edge.id]
            for edge in self.program.edges
            if edge.source in range(blocks[0], blocks[-1] + 1)
        }
        for block in blocks:
            for number in range(self.pieces.first[block], self.pieces.first[block + 1]):
                calls = self.pieces.pieces[number].calls
                for each in self.instructions(number):
                    if each.name:
                        # what a call returns is there only when control is back
                        home[each.name] = number + bool(calls and each.callee == calls)
                    if each.opcode == "phi":
                        # several phis of a block, or cases of one switch, take a register once
                        for register, source in each.incoming:
                            if (register, source, block) not in fetched:
                                fetched.add((register, source, block))
                                merged[register][number] += taken[source, block]
                    else:
                        for register in each.uses:
                            always[register].add(number)
        for register in dict.fromkeys([*always, *merged]):
            producer = home.get(register, entry)
            readers = dict(merged[register]) | {n: self.times(n) for n in always[register]}
            readers.pop(producer, None)
            consumers = tuple((n, times) for n, times in sorted(readers.items()) if times)
            sent = self.times(producer)
            if consumers and sent:
                function = self.program.blocks[blocks[0]].function
                yield Value(
                    name=f"{function}:{register}",
                    producer=producer,
                    sent=sent,
                    consumers=consumers,
                )

    def passed(self, function: str, blocks: Sequence[int]) -> Iterator[Value]:
        """Arguments and results of a function."""
        entry, ends = self.pieces.first[blocks[0]], self.ends(blocks)
        sites = [site for site in self.sites(function) if self.times(site)]
        for site in sites:
            for register in self.instructions(site)[-1].uses:
                yield Value(
                    name=f"{function}({register})",
                    producer=site,
                    sent=self.times(site),
                    consumers=((entry, self.times(site)),),
                )
        fetching = tuple(
            (site + 1, self.times(site)) for site in sites if self.instructions(site)[-1].name
        )
        for end in ends:
            if fetching and self.times(end) and self.instructions(end)[-1].uses:
                yield Value(
                    name=f"{function} returns",
                    producer=end,
                    sent=self.times(end),
                    consumers=fetching,
                )

    def loops(self) -> Iterator[tuple[int, ...]]:
        """The pieces of each loop and of each function, with those of the functions they call."""
        seen: set[tuple[int, ...]] = set()
        bodies = [loop.blocks for loop in self.program.loops]
        bodies += [frozenset(function.blocks) for function in self.program.functions]
        for body in bodies:
            found = tuple(sorted(self.reached(body)))
            if found not in seen:
                seen.add(found)
                yield found

    def reached(self, body: frozenset[int]) -> set[int]:
        """Pieces of some blocks, and of all functions that they call."""
        functions = {each.name: each.blocks for each in self.program.functions}
        found: set[int] = set()
        waiting, called = [body], set()
        while waiting:
            for block in waiting.pop():
                for number in range(self.pieces.first[block], self.pieces.first[block + 1]):
                    found.add(number)
                    name = self.pieces.pieces[number].calls
                    if name and name not in called:
                        called.add(name)
                        waiting.append(frozenset(functions[name]))
        return found
