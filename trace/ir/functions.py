"""A function while it is analysed: registers, their names in the source, its loops.

Also the registers that cross from block to block, and the sizes of local variables in memory.
"""

import re
from dataclasses import dataclass, field

from logca.trace.ir import types
from logca.trace.ir.assembly import FunctionText, Module, Statement, parse
from logca.trace.ir.debug_info import Debug, unquoted
from logca.trace.ir.loop_detection import LoopNest, loops_and_order
from logca.trace.ir.program import CrossingRegister, Function

__all__ = [
    "FunctionIndex",
    "crossing_values",
    "function_of",
    "indexed",
    "local_sizes",
]

# the compiler's endings: `sum.0` after promotion, `sum.0.lcssa` behind a loop, `sum.0.i` inlined
ENDING = re.compile(r"(?:\.(?:addr|sroa|lcssa|i?\d+|i))+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionIndex:
    """A function and indices into it. Blocks are numbered within the function."""

    body: FunctionText  # the function as printed
    module: Module  # the module it is in
    debug: Debug  # the module's debug metadata
    shape: LoopNest  # loops and program order
    statements: dict[str, Statement]  # the statement that defines a register
    defining_block: dict[
        str, int
    ]  # the block that defines a register; of an argument, the entry [1]
    # the statements that read a register, each with its block
    readers: dict[str, list[tuple[int, Statement]]]
    variables: dict[str, str]  # what the source calls a register, or a local variable in memory
    # the blocks in which a local variable in memory comes to life [1]
    live_from: dict[str, set[int]]
    # names of arrays that have been found out already
    names: dict[str, str] = field(default_factory=dict)
    # answers to questions about pairs of values that have been asked already
    memo: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def called(self, register: str) -> str:
        """Name of a register in the source, as far as that can be told."""
        if register in self.variables:
            return self.variables[register]
        return ENDING.sub("", unquoted(register[1:]))


def indexed(body: FunctionText, module: Module, debug: Debug) -> FunctionIndex:
    """Index a function."""
    numbers = {part.name: number for number, part in enumerate(body.blocks)}
    successors = [
        [numbers[label] for label in dict.fromkeys(part.statements[-1].labels)]
        for part in body.blocks
    ]
    statements: dict[str, Statement] = {}
    homes = dict.fromkeys(body.arguments, 0)
    users: dict[str, list[tuple[int, Statement]]] = {}
    variables: dict[str, str] = {}
    depths: dict[str, int] = {}
    alive: dict[str, set[int]] = {}
    declared: dict[str, set[int]] = {}
    for number, part in enumerate(body.blocks):
        for statement in part.statements:
            if statement.name:
                statements[statement.name] = statement
                homes[statement.name] = number
            for register in statement.uses:
                users.setdefault(register, []).append((number, statement))
            if statement.callee.startswith("llvm.lifetime.start"):
                alive.setdefault(statement.operands[-1], set()).add(number)
        for record in part.records:
            if record.kind == "declare":
                declared.setdefault(record.value, set()).add(number)
            if record.plain and (name := debug.variable(record.variable)):
                # what an allocating function calls its result says less than what its caller does
                depth = debug.inlined(record.location)
                if depth < depths.get(record.value, depth + 1):
                    variables[record.value], depths[record.value] = name, depth
    return FunctionIndex(
        body=body,
        module=module,
        debug=debug,
        shape=loops_and_order(successors),
        statements=statements,
        defining_block=homes,
        readers=users,
        variables=variables,
        live_from=declared | alive,
    )


def function_of(function: FunctionIndex, first: int) -> Function:
    """A function, whose first block has the given number in the program."""
    debug, body = function.debug, function.body
    fields = {} if body.subprogram is None else debug.fields(body.subprogram)
    return Function(
        name=body.name,
        source_name=fields.get("name", body.name),
        file=debug.file_of(body.subprogram),
        line=int(fields.get("line", 0)),
        blocks=tuple(range(first, first + len(body.blocks))),
        irreducible=tuple(first + block for block in sorted(function.shape.irreducible)),
    )


def crossing_values(function: FunctionIndex, first: int) -> list[CrossingRegister]:
    """The registers and arguments that other blocks than their own read.

    What a phi takes in counts as read by the block of the phi.
    """
    arguments = function.body.arguments
    found = []
    for register, home in function.defining_block.items():
        readers = {block for block, _ in function.readers.get(register, [])} - {home}
        if readers:
            type_ = arguments.get(register) or function.statements[register].type
            found.append(
                CrossingRegister(
                    name=unquoted(register[1:]),
                    function=function.body.name,
                    type=type_,
                    bits=types.bits_of(type_, function.module.structures),
                    defined_in=first + home,
                    used_in=tuple(first + block for block in sorted(readers)),
                )
            )
    return found


def local_sizes(ir: str) -> dict[tuple[str, str], int]:
    """Sizes of local variables in memory, by function and register [B].

    Those whose size only the run knows are left out.
    """
    module = parse(ir)
    found = {}
    for body in module.bodies:
        for part in body.blocks:
            for statement in part.statements:
                number = (*statement.operands, "1")[0]
                if statement.opcode == "alloca" and number.isdecimal():
                    size = types.size_of(statement.stepped, module.structures)
                    found[body.name, unquoted(statement.name[1:])] = size * int(number)
    return found
