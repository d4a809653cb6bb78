"""Instructions of a thread as a GPU compiler emits them, by the pipe that executes them.

What the source computes for its addresses becomes one addition an iteration for each stream of
addresses; what does not change in a loop stands before it; products are fused with sums; a loop's
counter, comparison and jump are shared by the iterations that are unrolled.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from logca.gpu.bounds.divergence import of_warps
from logca.gpu.bounds.kept_values import KeptValues, kept_values
from logca.gpu.bounds.kernel_code import CASTS, UNROLLED, KernelCode, Site, is_math, kernel_code
from logca.gpu.bounds.sequences import PIPES, sequence_of
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.program import Program
from logca.trace.ir.statements import Statement

__all__ = ["VECTOR_BYTES", "InstructionMix", "instruction_mix"]

VECTOR_BYTES = 16
"""Bytes that a thread loads or stores at a time, at most [B]."""

_ENTRY = {"control": 2.0}  # set-up of the stack pointer and the last instruction of a kernel [1]
_DIRECTION = {"control": 3.0, "integer": 2.0}
"""Of each loop that is threads: numbers of block and thread, their sum, the test of the end [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionMix:
    """Instructions that a thread executes on average, by the pipe of a multiprocessor."""

    # fp32, integer, fp64, conversions, special: arithmetic of each pipe [1]
    fp32: float
    integer: float
    fp64: float
    conversions: float
    special: float
    loads: float  # from the memory of the device [1]
    stores: float  # to the memory of the device [1]
    shared: float  # loads and stores of shared memory [1]
    control: float  # jumps and what else only steers the thread [1]
    # arithmetic that a thread waits for between loads and their last use, and from one iteration
    # to the next [cycles]
    dependent_cycles: float
    # how often a thread executes each static access of the device's memory and of shared memory
    # that is left [1]
    accesses: Mapping[int, float]
    # accesses that the compiler leaves out: their value is in a register [1]
    never: frozenset[int]
    # accesses that stand outside of loops: the outermost loop, of an entry of which one is left [1]
    outside: Mapping[int, int]
    # loops whose loads wait for the stores of the iteration before, which may reach the same
    # memory; of others a compiler moves loads of several iterations ahead of their uses [1]
    ordered: frozenset[int]
    # elements that one instruction loads from shared memory, of accesses with more than one [1]
    elements: Mapping[int, int]
    steering: float  # of the integer arithmetic that of addresses and of loops [1]

    total: float = field(init=False)  # all of them [1]

    def __post_init__(self) -> None:
        """Add up."""
        kinds = (*PIPES, "loads", "stores", "shared", "control")
        object.__setattr__(self, "total", sum(getattr(self, kind) for kind in kinds))


def instruction_mix(
    ir: str,
    program: Program,
    loops: Sequence[int],
    times: Mapping[int, float],
    *,
    shared: Collection[int] = (),
    registers: Collection[int] = (),
) -> InstructionMix:
    """Instructions of the threads of a nest in a program that was read from this text.

    `loops` are threads or blocks of them, outermost first; `times` is how often a thread executes
    each block. Of the accesses, those in `shared` reach shared memory, and those in `registers` a
    variable that each thread has in registers.
    """
    code = of_warps(kernel_code(ir, program, loops, times))
    kept = kept_values(code, registers)
    counts = dict.fromkeys((*PIPES, "loads", "stores", "shared", "control"), 0.0)
    accesses: dict[int, float] = {}
    elements: dict[int, int] = {}
    for site in code.sites:
        if site.access in kept.never:
            continue
        often = accesses[site.access] = _executed(code, kept, site)
        if site.access in shared:
            wide = _elements(code, site)
            if wide > 1:
                elements[site.access] = wide
            counts["shared"] += often / wide
        else:
            counts["stores" if site.store else "loads"] += often
    needed = _needed(code, kept)
    steering = (
        _ENTRY,
        *([_DIRECTION] * len(_directions(code, program, loops))),
        _of_addresses(code, kept),
        _of_control(code, needed),
    )
    for found in (*steering, _of_arithmetic(code, needed)):
        for pipe, number in found.items():
            counts[pipe] += number
    first = code.index.first_block
    numbers = {loop.header - first: loop.id for loop in program.loops_of[loops[0]]}
    return InstructionMix(
        **counts,
        dependent_cycles=_dependent_cycles(code, kept),
        accesses=accesses,
        never=kept.never,
        outside={site: numbers[header] for site, header in kept.outside.items()},
        ordered=frozenset(numbers[header] for header in kept.ordered),
        elements=elements,
        steering=sum(found.get("integer", 0.0) for found in steering),
    )


def _directions(code: KernelCode, program: Program, loops: Sequence[int]) -> list[int]:
    """Loops that are directions of the grid: those of blocks and of threads in them are one."""
    inside = [loop for loop in loops if program.loops[loop].threads]
    return list(dict.fromkeys(loops))[: max(1, min(len(loops), 3) if not inside else 2)]


def _executed(code: KernelCode, kept: KeptValues, site: Site) -> float:
    """Executions of an access that is left by a thread [1]."""
    if site.access in kept.outside:
        return min(code.times[site.block], code.entered[kept.outside[site.access]])
    return code.times[site.block]


def _elements(code: KernelCode, site: Site) -> int:
    """Elements that one load takes from shared memory, where unrolled iterations make it wider."""
    around = code.loops_around(site.block)
    if site.store or not around or around[-1] not in code.wholly_unrolled:
        return 1
    size = {"float": 4, "i32": 4, "double": 8, "i64": 8, "i16": 2, "i8": 1}
    each = size.get(site.statement.type, VECTOR_BYTES)
    found = code.address(site.address).terms
    counters = code.counters(around[-1])
    moving = {name: factor for name, factor in found.items() if around[-1] in code.varies(name)}
    steps = [factor * (counters.get(code.uncast(name)) or 0) for name, factor in moving.items()]
    return max(1, VECTOR_BYTES // each) if steps == [each] else 1


def _needed(code: KernelCode, kept: KeptValues) -> list[tuple[int, Statement]]:
    """Statements whose value is needed for more than addresses and the counting of loops."""
    index = code.index
    waiting: list[str] = []
    for block, statement in code.statements():
        if statement.opcode == "store":
            waiting.append(statement.operands[0])
        elif statement.opcode in ("call", "atomicrmw", "cmpxchg"):
            if statement.callee.startswith(("llvm.dbg", "llvm.lifetime", "llvm.assume")):
                continue
            if not is_math(statement):
                waiting += statement.uses
        elif statement.opcode in ("br", "switch") and statement.uses:
            left = code.leaves(block)
            if left is None:
                waiting += statement.uses
            elif left not in code.threads:
                waiting += _beside_counter(code, left, statement.uses[0])
    for site in code.sites:
        if site.access not in kept.never:
            waiting += _nonlinear(code, site)
    seen: set[str] = set()
    found = []
    while waiting:
        value = waiting.pop()
        made = index.statements.get(value)
        home = index.defining_block.get(value, -1)
        if value in seen or made is None or code.times.get(home, 0.0) <= 0:
            continue
        seen.add(value)
        counts = made.opcode == "phi" and (
            home in code.threads or (home in code.own_loops and value in code.counters(home))
        )
        if made.opcode != "load" and not counts:
            found.append((home, made))
            waiting += made.uses
    return found


def _beside_counter(code: KernelCode, header: int, condition: str) -> Iterator[str]:
    """Values that the end of a loop is decided by, other than its counter's."""
    compared = code.index.statements.get(condition)
    if compared is None or compared.opcode != "icmp":
        yield condition
        return
    counters = code.counters(header)
    for operand in compared.operands:
        found = code.address(operand).terms
        if not set(map(code.uncast, found)) & set(counters):
            yield operand


def _nonlinear(code: KernelCode, site: Site) -> Iterator[str]:
    """Parts of an address that are no sums of counters times what a loop does not change."""
    for name in code.address(site.address).terms:
        statement = code.index.statements.get(name)
        if statement is None or _affine(code, name, site.block):
            continue
        yield name


def _affine(code: KernelCode, name: str, block: int) -> bool:
    """True if each iteration of any loop moves a value by what that loop does not change."""
    value = code.uncast(name)
    statement = code.index.statements.get(value)
    if statement is None or statement.opcode in ("getelementptr", "alloca", "load", "call"):
        return True
    if statement.opcode == "phi":
        return True
    varied = code.varies(value)
    if statement.opcode in ("add", "sub", "mul", "shl"):
        parts = [_affine(code, each, block) for each in statement.operands]
        if statement.opcode in ("mul", "shl"):
            both = frozenset.intersection(*map(code.varies, statement.operands))
            return all(parts) and not both
        return all(parts)
    return not varied and False


def _of_addresses(code: KernelCode, kept: KeptValues) -> dict[str, float]:
    """Instructions for addresses: for each stream its start, and what each iteration adds."""
    streams: dict[object, tuple[Site, float]] = {}
    for site in code.sites:
        if site.access in kept.never:
            continue
        key = code.address(site.address).stream
        level = _level(code, kept, site)
        known = streams.get(key)
        if known is None or (level is not None and _level(code, kept, known[0]) is None):
            streams[key] = (site, _executed(code, kept, site))
    integer = 0.0
    indices = set()
    for site, _ in streams.values():
        address = code.address(site.address)
        around = code.loops_around(site.block)
        if site.access in kept.outside:
            around = around[: around.index(kept.outside[site.access])]
        varied = code.varies(site.address)
        moving = [header for header in around if header in varied]
        integer += min(1.0, code.times[site.block])
        for header in moving:
            # an iteration of the innermost one moves the stream; one of those around it, its start
            share = min(1.0, code.times[site.block] / max(code.iterations(moving[-1]), 1e-9))
            integer += code.iterations(header) * share * _step_cost(code, header, address.terms)
        rows = {
            code.number(name): factor
            for name, factor in address.terms.items()
            if name not in address.roots and not any(name in code.counters(h) for h in moving)
        }
        if len(rows) > 1 or any(_is_product(code, name) for name in address.terms):
            indices.add(frozenset(rows.items()))
    return {"integer": integer + len(indices)}


def _is_product(code: KernelCode, name: str) -> bool:
    statement = code.index.statements.get(code.uncast(name))
    return statement is not None and statement.opcode in ("mul", "shl")


def _level(code: KernelCode, kept: KeptValues, site: Site) -> int | None:
    return None if site.access in kept.outside else code.level_of(site.block, site.address)


def _step_cost(code: KernelCode, header: int, found: Mapping[str, int]) -> float:
    """Additions that an iteration of a loop makes to a stream of addresses [1]."""
    counters = code.counters(header)
    moving = [name for name in found if header in code.varies(name)]
    if all(counters.get(code.uncast(name)) is not None for name in moving):
        return 0.0 if header in code.wholly_unrolled else 1.0 / UNROLLED
    return 1.0


def _of_arithmetic(code: KernelCode, needed: Sequence[tuple[int, Statement]]) -> dict[str, float]:
    """Instructions of what is computed, once for what is computed alike."""
    fused = _fused(code)
    counts: dict[str, float] = {}
    seen: dict[object, float] = {}
    for block, statement in needed:
        if statement.name in fused or statement.opcode in (*CASTS, "phi", "getelementptr"):
            continue
        level = code.level_of(block, statement.name)
        often = code.often(block, level)
        key = (code.number(statement.name), level)
        more = max(0.0, often - seen.get(key, 0.0))
        seen[key] = seen.get(key, 0.0) + more
        for pipe, number in sequence_of(statement, code.index).items():
            counts[pipe] = counts.get(pipe, 0.0) + more * number
    return counts


def _fused(code: KernelCode) -> frozenset[str]:
    """Products that only one sum reads: an instruction makes both."""
    found = set()
    readers = code.index.readers
    for _, statement in code.statements():
        if statement.opcode not in ("fadd", "fsub", "add"):
            continue
        for operand in statement.operands:
            product = code.index.statements.get(operand)
            if (
                product is not None
                and product.opcode == ("mul" if statement.opcode == "add" else "fmul")
                and len(readers[operand]) == 1
            ):
                found.add(operand)
                break
    return frozenset(found)


def _of_control(code: KernelCode, needed: Sequence[tuple[int, Statement]]) -> dict[str, float]:
    """Counting of loops, and jumps."""
    integer = control = 0.0
    used = {code.uncast(each) for _, statement in needed for each in statement.uses}
    for header in code.own_loops:
        if header in code.wholly_unrolled:
            continue
        inner = not any(
            each != header and each in code.index.shape.loops[header].blocks
            for each in code.own_loops
            if each not in code.wholly_unrolled
        )
        share = code.iterations(header) / (UNROLLED if inner else 1)
        integer += 2 * share
        if used & set(code.counters(header)):  # unrolled, each iteration makes its own number
            integer += code.iterations(header) - share
        control += share + code.entered[header]
    for block in code.times:
        last = code.index.body.blocks[block].statements[-1]
        decides = len(code.targets(block)) > 1 and code.leaves(block) is None
        if decides and not _continues(code, block):
            control += code.often(block, code.level_of(block, last.uses[0]) if last.uses else None)
    return {"integer": integer, "control": control}


def _continues(code: KernelCode, block: int) -> bool:
    """True if a block only goes on with a condition whose beginning another block has decided."""
    before = code.before[block]
    return len(before) == 1 and bool({*code.targets(block)} & {*code.targets(before[0])})


def _dependent_cycles(code: KernelCode, kept: KeptValues) -> float:
    """Cycles of arithmetic that wait for each other, of all iterations [cycles]."""
    total = 0.0
    fused = _fused(code)
    inner: dict[int | None, list[int]] = {header: [] for header in (None, *code.own_loops)}
    for block in code.times:
        around = code.loops_around(block)
        inner[around[-1] if around else None].append(block)
    for header, blocks in inner.items():
        carried, path = _paths(code, header, blocks, fused)
        if header is None:
            total += path
            continue
        overlap = 1 if header in kept.ordered else UNROLLED
        total += code.iterations(header) * max(carried, path / overlap)
    return total


def _paths(
    code: KernelCode, header: int | None, blocks: Sequence[int], fused: Collection[str]
) -> tuple[float, float]:
    """Longest chains from one iteration to the next, and from a load to its last use [cycles]."""
    index = code.index
    within = {
        statement.name: statement
        for block in blocks
        for statement in index.body.blocks[block].statements
        if statement.name
    }
    counters = code.counters(header) if header is not None else {}
    length: dict[tuple[str, bool], float] = {}

    def longest(value: str, from_phi: bool) -> float:
        """The longest chain to a value from a load, or from what the iteration before left."""
        key = (value, from_phi)
        if key in length:
            return length[key]
        length[key] = float("-inf")
        statement = within.get(value)
        if statement is None:
            return length[key]
        if statement.opcode == "phi":
            at_head = header is not None and index.defining_block[value] == header
            if at_head and from_phi and value not in counters:
                length[key] = 0.0
            elif not at_head:
                length[key] = max(
                    (longest(each, from_phi) for each in statement.operands),
                    default=float("-inf"),
                )
        elif statement.opcode == "load":
            length[key] = float("-inf") if from_phi else 0.0
        else:
            before = max(
                (longest(each, from_phi) for each in statement.uses), default=float("-inf")
            )
            length[key] = before + (0.0 if value in fused else _latency(statement, index))
        return length[key]

    path = max((longest(name, False) for name in within), default=0.0)
    carried = 0.0
    if header is not None:
        for statement in index.body.blocks[header].statements:
            if statement.opcode == "phi" and statement.name not in counters:
                carried = max(carried, *(longest(each, True) for each in statement.operands))
    return max(carried, 0.0), max(path, 0.0)


def _latency(statement: Statement, index: FunctionIndex) -> float:
    """Cycles until the result of a statement is there, one instruction after the other [cycles]."""
    counts = sequence_of(statement, index)
    return sum(number * PIPES.get(pipe, 0.0) for pipe, number in counts.items())
