"""One function while it is analysed: its registers, what the source calls them, its loops."""

import re
from dataclasses import dataclass, field

from logca.trace.assembly import Body, Module, Statement
from logca.trace.debug import Debug, unquoted
from logca.trace.graph import Shape, shape

__all__ = ["Routine", "routine"]

# the compiler's endings: `sum.0` after promotion, `sum.0.lcssa` behind a loop, `sum.0.i` inlined
ENDING = re.compile(r"(?:\.(?:addr|sroa|lcssa|i?\d+|i))+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A function and indices into it. Blocks are numbered within the function.

    Parameters
    ----------
    body : Body
        The function as printed.
    module : Module
        The module it is in.
    debug : Debug
        The module's debug metadata.
    shape : Shape
        Loops and program order.
    statements : dict
        The statement that defines a register.
    homes : dict
        The block that defines a register; of an argument, the entry [1].
    users : dict
        The statements that read a register, each with its block.
    variables : dict
        What the source calls a register, or a local variable in memory [text].
    declared : dict
        The blocks in which a local variable in memory comes to life [1].
    names : dict
        Names of arrays that have been found out already [text].
    answers : dict
        Answers to questions about pairs of values that have been asked already.
    """

    body: Body
    module: Module
    debug: Debug
    shape: Shape
    statements: dict[str, Statement]
    homes: dict[str, int]
    users: dict[str, list[tuple[int, Statement]]]
    variables: dict[str, str]
    declared: dict[str, set[int]]
    names: dict[str, str] = field(default_factory=dict)
    answers: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def called(self, register: str) -> str:
        """What the source calls a register, as far as that can be told [text]."""
        if register in self.variables:
            return self.variables[register]
        return ENDING.sub("", unquoted(register[1:]))


def routine(body: Body, module: Module, debug: Debug) -> Routine:
    """Index a function.

    Parameters
    ----------
    body : Body
        The function.
    module : Module
        The module that it is in.
    debug : Debug
        The debug metadata of the module.
    """
    numbers = {part.name: number for number, part in enumerate(body.parts)}
    successors = [
        [numbers[label] for label in dict.fromkeys(part.statements[-1].labels)]
        for part in body.parts
    ]
    statements: dict[str, Statement] = {}
    homes = dict.fromkeys(body.arguments, 0)
    users: dict[str, list[tuple[int, Statement]]] = {}
    variables: dict[str, str] = {}
    depths: dict[str, int] = {}
    alive: dict[str, set[int]] = {}
    declared: dict[str, set[int]] = {}
    for number, part in enumerate(body.parts):
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
    return Routine(
        body=body,
        module=module,
        debug=debug,
        shape=shape(successors),
        statements=statements,
        homes=homes,
        users=users,
        variables=variables,
        declared=declared | alive,
    )
