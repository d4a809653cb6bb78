"""From a module in LLVM's assembly to a `Program`."""

from collections.abc import Mapping, Sequence

from logca.trace.ir.accesses import accesses_in, unrecorded
from logca.trace.ir.addresses import arithmetic
from logca.trace.ir.assembly import Statement, parse, without_records
from logca.trace.ir.debug_info import Debug, Place, unquoted
from logca.trace.ir.functions import Routine, crossing, routine
from logca.trace.ir.program import Access, Block, Edge, Function, Instruction, Loop, Program, Value
from logca.trace.ir.recurrences import extent, recurrences
from logca.trace.source.pragmas import directives_in, placed, pragmas_in, scops_in
from logca.trace.source.preprocessor import PragmaLine

__all__ = ["program_of"]


def program_of(
    ir: str, *, level: str, spelling: Mapping[str, str], said: Sequence[PragmaLine]
) -> tuple[Program, str]:
    """Read a module."""
    module = parse(ir)
    debug = Debug(module.metadata, spelling)
    functions: list[Function] = []
    blocks: list[Block] = []
    loops: list[Loop] = []
    starts: list[Place] = []
    accesses: list[Access] = []
    values: list[Value] = []
    for body in module.bodies:
        if not body.parts:
            continue
        one = routine(body, module, debug)
        first = len(blocks)
        numbers = {header: len(loops) + n for n, header in enumerate(one.shape.loops)}
        functions.append(function_of(one, first))
        for header in one.shape.loops:
            loop, start = loop_of(one, header, numbers, first)
            loops.append(loop)
            starts.append(start)
        blocks += blocks_of(one, numbers, first)
        accesses += accesses_in(one, numbers, first, len(accesses))
        values += crossing(one, first)
    files = tuple(dict.fromkeys([*spelling.values(), *(loop.file for loop in loops)]))
    files = tuple(file for file in files if file)
    placed_loops, pragmas, directives = placed(
        loops,
        starts,
        pragmas_in(said),
        directives_in(said),
    )
    program = Program(
        level=level,
        functions=tuple(functions),
        blocks=tuple(blocks),
        edges=edges_of(blocks),
        loops=placed_loops,
        accesses=tuple(accesses),
        values=tuple(values),
        files=files,
        pragmas=pragmas,
        directives=directives,
        scops=tuple(scops_in(said)),
    )
    return program, without_records(ir)


def edges_of(blocks: list[Block]) -> tuple[Edge, ...]:
    """All edges, in the order of their sources."""
    pairs = [(block.id, target) for block in blocks for target in block.successors]
    return tuple(Edge(id=n, source=a, target=b) for n, (a, b) in enumerate(pairs))


def function_of(routine: Routine, first: int) -> Function:
    """A function, whose first block has the given number in the program."""
    debug, body = routine.debug, routine.body
    fields = {} if body.subprogram is None else debug.fields(body.subprogram)
    return Function(
        name=body.name,
        source_name=fields.get("name", body.name),
        file=debug.file_of(body.subprogram),
        line=int(fields.get("line", 0)),
        blocks=tuple(range(first, first + len(body.parts))),
        irreducible=tuple(first + block for block in sorted(routine.shape.irreducible)),
    )


def loop_of(
    routine: Routine, header: int, numbers: Mapping[int, int], first: int
) -> tuple[Loop, Place]:
    """A loop, and where it starts."""
    shape = routine.shape
    natural = shape.loops[header]
    start, end_line = extent(routine, natural)
    found = recurrences(routine, natural)
    depth, outer = 0, natural.parent
    while outer is not None:
        depth, outer = depth + 1, shape.loops[outer].parent
    loop = Loop(
        id=numbers[header],
        function=routine.body.name,
        source_function=start.function or routine.body.name,
        header=first + header,
        latches=tuple(first + latch for latch in natural.latches),
        blocks=frozenset(first + block for block in natural.blocks),
        parent=None if natural.parent is None else numbers[natural.parent],
        depth=depth,
        file=start.file,
        line=start.line,
        end_line=end_line,
        inductions=found.inductions,
        carried=found.carried,
        position=shape.order.index(header),
    )
    return loop, start


def blocks_of(routine: Routine, numbers: Mapping[int, int], first: int) -> list[Block]:
    """The blocks of a function."""
    labels = {part.name: first + number for number, part in enumerate(routine.body.parts)}
    costs = arithmetic(routine)
    result = []
    for number, part in enumerate(routine.body.parts):
        places = [routine.debug.place(statement.location) for statement in part.statements]
        known = [place for place in places if place.line]
        lines = [place.line for place in known if place.file == known[0].file]
        innermost = routine.shape.innermost.get(number)
        result.append(
            Block(
                id=first + number,
                function=routine.body.name,
                name=part.name[1:].strip('"'),
                file=known[0].file if known else "",
                first_line=min(lines, default=0),
                last_line=max(lines, default=0),
                instructions=tuple(
                    instruction_of(routine, statement, costs, labels)
                    for statement in part.statements
                ),
                successors=tuple(
                    labels[label] for label in dict.fromkeys(part.statements[-1].labels)
                ),
                loop=None if innermost is None else numbers[innermost],
            )
        )
    return result


def instruction_of(
    routine: Routine,
    statement: Statement,
    costs: Mapping[str, tuple[int, int]],
    labels: Mapping[str, int],
) -> Instruction:
    """A statement as an instruction."""
    place = routine.debug.place(statement.location)
    multiplies, adds = costs.get(statement.name, (0, 0))
    return Instruction(
        opcode=statement.opcode,
        type=statement.type,
        name=unquoted(statement.name[1:]),
        uses=tuple(unquoted(register[1:]) for register in statement.uses),
        line=place.line,
        column=place.column,
        callee=statement.callee,
        incoming=incoming_of(statement, labels),
        multiplies=multiplies,
        adds=adds,
        unrecorded=unrecorded(routine, statement),
        assembly=statement.assembly,
    )


def incoming_of(statement: Statement, labels: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The registers that a phi takes over, each with the block that control comes from."""
    if statement.opcode != "phi":
        return ()
    pairs = zip(statement.operands, statement.labels, strict=True)
    return tuple(
        (unquoted(value[1:]), labels[label]) for value, label in pairs if value.startswith("%")
    )
