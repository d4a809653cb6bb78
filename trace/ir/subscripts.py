"""Steps of accesses with each iteration of each loop: their subscripts, as far as they are linear.

An address is taken apart into registers times whole numbers. The variable that counts a loop's
iterations is its start plus iterations times step; what is left must be the same in every
iteration of a loop, or nothing is known of that loop.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from logca.trace.ir import types
from logca.trace.ir.accesses import memory_effects, roots
from logca.trace.ir.assembly import FUNCTION, parse
from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.expressions import invariant
from logca.trace.ir.functions import Debug, FunctionIndex, indexed
from logca.trace.ir.operands import element
from logca.trace.ir.program import Program
from logca.trace.ir.recurrences import from_latches, is_induction

__all__ = ["Linear", "Subscript", "function_indices", "linear", "subscripts"]

DEFINED = re.compile(r"^define .*?^\}\n?", re.MULTILINE | re.DOTALL)
DEEP = 64  # longer chains of one expression are taken as unknown
WIDER = {"sext", "zext", "trunc", "freeze", "bitcast", "addrspacecast"}

Linear = dict[str, int]
"""Registers with their factors; the constant stands under the empty name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscript:
    """Where an access goes in each iteration of the loops around it."""

    array: frozenset[str]  # what the address is derived from: variables, arguments, loads
    # for each loop around, outermost first, how far an iteration of it moves the access, those
    # of the others the same; None if that is not known, or changes [B]
    steps: tuple[int | None, ...]
    # what is left of the address in the first iterations: equal texts are equal addresses, but
    # for what `offset` says
    base: tuple[tuple[str, int], ...]
    offset: int  # [B]


def subscripts(ir: str, program: Program, accesses: Collection[int]) -> dict[int, Subscript]:
    """Subscripts of some accesses of a program that was read from this text."""
    wanted = {program.accesses[each].function for each in accesses}
    found: dict[int, Subscript] = {}
    for name, index in function_indices(ir, program, wanted).items():
        for each in accesses:
            access = program.accesses[each]
            if access.function != name:
                continue
            block = access.block - index.first_block
            statement = index.body.blocks[block].statements[access.index]
            address = next(
                effect.address
                for effect in memory_effects(statement, index.module.structures)
                if effect.store == access.store
            )
            chain = [
                index.shape.loops[program.loops[loop].header - index.first_block]
                for loop in program.chain_of(access.loop)
            ]
            found[each] = subscript(index, chain, address)
    return found


def function_indices(
    ir: str, program: Program, functions: Collection[str]
) -> dict[str, FunctionIndex]:
    """Some functions of a program that was read from this text, to be analysed."""
    module = parse(only(ir, functions))
    debug = Debug(module.metadata, {})
    bodies = {body.name: body for body in module.bodies}
    return {
        function.name: indexed(
            bodies[function.name],
            module,
            debug,
            first_block=function.blocks[0],
            first_loop=min(
                (loop.id for loop in program.loops if loop.function == function.name), default=0
            ),
        )
        for function in program.functions
        if function.name in bodies
    }


def only(ir: str, functions: Collection[str]) -> str:
    """A module with the bodies of some functions alone."""

    def kept(found: re.Match[str]) -> str:
        name = FUNCTION.match(found[0])
        return found[0] if name is not None and name[1].strip('"') in functions else ""

    return DEFINED.sub(kept, ir)


def subscript(function: FunctionIndex, chain: Sequence[NaturalLoop], address: str) -> Subscript:
    """The subscript of an access at an address in these loops, outermost first."""
    steps: list[int | None] = [0] * len(chain)
    rest = linear(function, address)
    for level in reversed(range(len(chain))):
        rest = without_counter(function, chain, level, rest, steps)
    for name in rest:
        for level, loop in enumerate(chain):
            if name and not invariant(function, loop, name):
                steps[level] = None
    base: Linear = {}
    for name, factor in rest.items():
        if name and factor:
            held = holder(function, chain, name)
            base[held] = base.get(held, 0) + factor
    return Subscript(
        array=frozenset(holder(function, chain, root) for root in roots(function, address)),
        steps=tuple(steps),
        base=tuple(sorted(base.items())),
        offset=rest.get("", 0),
    )


def holder(function: FunctionIndex, chain: Sequence[NaturalLoop], name: str) -> str:
    """A value by the variable that it is loaded from, if no iteration changes that; or itself."""
    statement = function.statements.get(name)
    if statement is None or statement.opcode != "load" or not chain:
        return name
    return f"*{statement.operands[0]}" if invariant(function, chain[0], name) else name


def without_counter(
    function: FunctionIndex,
    chain: Sequence[NaturalLoop],
    level: int,
    rest: Mapping[str, int],
    steps: list[int | None],
) -> Linear:
    """An address with the counters of a loop replaced by their starts; steps are added up."""
    loop, found = chain[level], dict(rest)
    for phi in function.body.blocks[loop.header].statements:
        if phi.opcode != "phi":
            break
        factor = found.pop(phi.name, 0)
        if not factor:
            continue
        again = from_latches(function, loop, phi)
        starts = {value for value in phi.operands if value not in again}
        further = linear(function, again[0])
        step = {**further, phi.name: further.get(phi.name, 0) - 1}
        steady = is_induction(function, loop, phi, again) and not any(
            each for name, each in step.items() if name
        )
        if not steady or len(starts) != 1:
            found[phi.name] = factor  # varies in this loop, and may in those around
            for place in range(level + 1):
                steps[place] = None
            continue
        known = steps[level]
        steps[level] = None if known is None else known + factor * step.get("", 0)
        for name, each in linear(function, starts.pop()).items():
            found[name] = found.get(name, 0) + factor * each
    return found


def linear(function: FunctionIndex, value: str, depth: int = 0) -> Linear:
    """A value as registers times whole numbers."""
    if value.lstrip("-").isdigit():
        return {"": int(value)}
    if value in ("null", "zeroinitializer", "false"):
        return {"": 0}
    statement = function.statements.get(value)
    if statement is None or depth > DEEP:
        return {value: 1}
    operands = statement.operands
    if statement.opcode in WIDER:
        return linear(function, operands[0], depth + 1)
    if statement.opcode in ("add", "sub"):
        left, right = (linear(function, each, depth + 1) for each in operands)
        return added(left, right, 1 if statement.opcode == "add" else -1)
    if statement.opcode in ("mul", "shl"):
        left, right = (linear(function, each, depth + 1) for each in operands)
        for one, other in ((left, right), (right, left)):
            if set(other) <= {""}:
                factor = other.get("", 0)
                if statement.opcode == "shl":
                    factor = 1 << factor if other is right and 0 <= factor < 64 else 0
                    if not factor:
                        break
                return added({}, one, factor)
    if statement.opcode == "getelementptr":
        return address_of(function, operands, statement.stepped, depth) or {value: 1}
    return {value: 1}


def address_of(
    function: FunctionIndex, operands: Sequence[str], stepped: str, depth: int
) -> Linear | None:
    """An address as registers times whole numbers; None if a member is not a plain number."""
    structures = function.module.structures
    total, type_ = linear(function, operands[0], depth + 1), stepped
    for place, index in enumerate(operands[1:]):
        members = types.parts(type_, structures) if place else None
        if members is not None:
            if not index.isdigit():
                return None
            total = added(total, {"": types.offset_of(type_, int(index), structures)}, 1)
            type_ = members[int(index)]
            continue
        if place:
            type_ = element(type_)[1]
        size = types.size_of(type_, structures)
        total = added(total, linear(function, index, depth + 1), size)
    return total


def added(one: Mapping[str, int], other: Mapping[str, int], factor: int) -> Linear:
    """One sum, and another one times a factor."""
    found = dict(one)
    for name, each in other.items():
        found[name] = found.get(name, 0) + factor * each
    return found
