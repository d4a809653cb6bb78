"""The code of a kernel's threads: which loops are threads, how often each block runs, what varies.

Loops around the threads and the threads' own loops are one function here; what varies with a
thread's number alone is constant for the thread.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from logca.gpu.stages.instructions import MATH_FUNCTIONS
from logca.trace.ir import types
from logca.trace.ir.accesses import roots
from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.program import Program
from logca.trace.ir.recurrences import from_latches
from logca.trace.ir.statements import Statement
from logca.trace.ir.subscripts import Linear, function_indices, linear

__all__ = ["PURE", "UNROLLED", "KernelCode", "kernel_code"]

UNROLLED = 4
"""Iterations that a GPU compiler makes one of, where it cannot unroll a loop wholly [1]."""

_WHOLLY = 1024
"""Statements of all iterations of a loop that is unrolled wholly, at most [1]."""

CASTS = frozenset(["sext", "zext", "trunc", "freeze", "bitcast", "addrspacecast"])
PURE = CASTS | {
    *("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or"),
    *("xor", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "icmp", "fcmp", "select"),
    *("getelementptr", "fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui"),
}
"""Operations whose result depends on their operands alone."""

_SCALARS = frozenset(["i16", "i32", "i64", "float", "double", "ptr"])
_ALLOCATING = frozenset(["malloc", "calloc", "aligned_alloc"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A load or store of the kernel."""

    access: int  # its number in the program [1]
    block: int  # its block, numbered within the function [1]
    index: int  # its place among the block's statements [1]
    store: bool  # whether it writes
    statement: Statement
    address: str  # the register, or constant, that holds the address


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """An address as registers times whole numbers."""

    terms: Linear  # the registers with their factors [B]
    # the same by what registers hold: equal of addresses that differ by a constant [1]
    stream: frozenset[tuple[int, int]]
    offset: int  # the constant [B]
    roots: frozenset[str]  # variables, arguments, loads and calls that it is derived from


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelCode:
    """The code of a kernel's threads. Blocks and headers are numbered within the function."""

    index: FunctionIndex  # the function
    outermost: NaturalLoop  # the outermost loop that is threads, or blocks of them
    threads: frozenset[int]  # headers of the loops that are threads, or blocks of them [1]
    times: Mapping[int, float]  # how often a thread executes each block [1]
    sites: tuple[Site, ...]  # loads and stores, in program order
    through_pointers: bool  # whether arrays come in by pointers that may lead to the same memory
    # answers to questions about values that have been found out already
    of_threads: dict[str, bool] = field(default_factory=dict, repr=False)
    memo: dict[str, frozenset[int]] = field(default_factory=dict, repr=False)
    numbers: dict[str, int] = field(default_factory=dict, repr=False)
    computed: dict[tuple[object, ...], int] = field(default_factory=dict, repr=False)
    addresses: dict[str, "Address"] = field(default_factory=dict, repr=False)
    aliases: dict[tuple[int, int], bool] = field(default_factory=dict, repr=False)

    def statements(self) -> Iterator[tuple[int, Statement]]:
        """All statements that a thread executes, each with its block."""
        for block, times in self.times.items():
            if times > 0:
                for statement in self.index.body.blocks[block].statements:
                    yield block, statement

    @cached_property
    def block_numbers(self) -> dict[str, int]:
        """Blocks by their labels [1]."""
        return {part.name: number for number, part in enumerate(self.index.body.blocks)}

    def targets(self, block: int) -> tuple[int, ...]:
        """Blocks that the jump at the end of a block leads to, each once [1]."""
        labels = self.index.body.blocks[block].statements[-1].labels
        return tuple(self.block_numbers[label] for label in dict.fromkeys(labels))

    @cached_property
    def before(self) -> dict[int, tuple[int, ...]]:
        """Blocks that may come before each block [1]."""
        found: dict[int, list[int]] = {}
        for block in range(len(self.index.body.blocks)):
            for target in self.targets(block):
                found.setdefault(target, []).append(block)
        return {block: tuple(before) for block, before in found.items()}

    @cached_property
    def _around(self) -> dict[int, tuple[int, ...]]:
        found = {}
        for block in self.outermost.blocks:
            chain: list[int] = []
            header = self.index.shape.innermost.get(block)
            while header is not None:
                if header not in self.threads and header in self.outermost.blocks:
                    chain.append(header)
                header = self.index.shape.loops[header].parent
            found[block] = tuple(reversed(chain))
        return found

    def loops_around(self, block: int) -> tuple[int, ...]:
        """Headers of the thread's own loops around a block, outermost first [1]."""
        return self._around.get(block, ())

    @cached_property
    def own_loops(self) -> tuple[int, ...]:
        """Headers of all loops that a thread runs itself, in program order [1]."""
        return tuple(
            header
            for header in self.index.shape.loops
            if header in self.outermost.blocks
            and header not in self.threads
            and self.times.get(header, 0.0) > 0
        )

    def iterations(self, header: int) -> float:
        """Iterations of a loop that a thread runs, over all its entries [1]."""
        latches = self.index.shape.loops[header].latches
        return sum(self.times.get(latch, 0.0) for latch in latches)

    @cached_property
    def entered(self) -> dict[int, float]:
        """Entries of each of its own loops by a thread [1]."""
        found = {}
        for header in self.own_loops:
            loop = self.index.shape.loops[header]
            outside = [each for each in self.before[header] if each not in loop.blocks]
            if all(len(self.targets(each)) == 1 for each in outside):
                found[header] = sum(self.times.get(each, 0.0) for each in outside)
            else:
                found[header] = max(self.times[header] - self.iterations(header), 0.0)
            # a loop outside of the threads' loops is entered by all of them alike
            found[header] = found[header] or min(1.0, self.times[header])
        return found

    def trips(self, header: int) -> float:
        """Iterations of an entry of a loop, on average [1]."""
        return self.iterations(header) / self.entered[header]

    @cached_property
    def wholly_unrolled(self) -> frozenset[int]:
        """Loops that a GPU compiler unrolls wholly: few iterations, whose number it knows [1]."""
        found: set[int] = set()
        for header in reversed(self.own_loops):
            loop = self.index.shape.loops[header]
            inside = {each for each in self.own_loops if each in loop.blocks and each != header}
            if not inside <= found or not self._constant_trips(header):
                continue
            size = sum(
                len(self.index.body.blocks[block].statements)
                * max(1.0, self.times.get(block, 0.0) / max(self.iterations(header), 1e-9))
                for block in loop.blocks
            )
            if size * self.trips(header) <= _WHOLLY:
                found.add(header)
        return frozenset(found)

    def _constant_trips(self, header: int) -> bool:
        """True if a loop counts from a number to a number by a number."""
        loop = self.index.shape.loops[header]
        counters = self.counters(header)
        ends = [
            self.index.statements.get(last.uses[0])
            for block in loop.blocks
            if (last := self.index.body.blocks[block].statements[-1]).uses
            and self.leaves(block) == header
        ]
        return bool(ends) and all(
            compared is not None
            and compared.opcode == "icmp"
            and any(_is_number(each) for each in compared.operands)
            and any(
                counters.get(self.uncast(each)) is not None
                and _is_number(str(self.start_of(header, self.uncast(each))))
                for each in compared.operands
            )
            for compared in ends
        )

    def leaves(self, block: int) -> int | None:
        """The loop, a thread's own or not, that the jump at the end of a block may leave [1]."""
        targets = self.targets(block)
        header = self.index.shape.innermost.get(block)
        while header is not None and len(targets) > 1:
            loop = self.index.shape.loops[header]
            if any(target not in loop.blocks for target in targets):
                return header
            header = loop.parent
        return None

    def counters(self, header: int) -> dict[str, int | None]:
        """Counters of a loop of the thread with their steps; None for one that is no number [1]."""
        return self._counters[header]

    @cached_property
    def _counters(self) -> dict[int, dict[str, int | None]]:
        return {header: self.counters_of(header) for header in self.own_loops}

    def counters_of(self, header: int) -> dict[str, int | None]:
        """Counters of any loop with their steps; None for a step that is no number [1]."""
        loop = self.index.shape.loops[header]
        found: dict[str, int | None] = {}
        for phi in self.index.body.blocks[header].statements:
            if phi.opcode != "phi":
                break
            again = from_latches(self.index, loop, phi)
            if phi.type[0] not in "ip" or len(set(again)) != 1:
                continue
            step = linear(self.index, again[0])
            if step.pop(phi.name, 0) != 1:
                continue
            if not any(name and header in self.varies(name) for name in step):
                found[phi.name] = step.get("", 0) if set(step) <= {""} else None
        return found

    def start_of(self, header: int, phi: str) -> str | None:
        """The value that a counter starts with; None if it has several."""
        loop = self.index.shape.loops[header]
        statement = self.index.statements[phi]
        again = set(from_latches(self.index, loop, statement))
        starts = {value for value in statement.operands if value not in again}
        return starts.pop() if len(starts) == 1 else None

    def uncast(self, value: str) -> str:
        """A value without casts between widths of integers."""
        while (found := self.index.statements.get(value)) is not None and found.opcode in CASTS:
            value = found.operands[0]
        return value

    def varies(self, value: str) -> frozenset[int]:
        """The thread's own loops whose iterations may change a value [1]."""
        if value not in self.memo:
            self.memo[value] = frozenset()  # a cycle adds what is found on the way
            self.memo[value] = self._varies(value)
        return self.memo[value]

    def _varies(self, value: str) -> frozenset[int]:
        statement = self.index.statements.get(value)
        home = self.index.defining_block.get(value, -1)
        if statement is None or home not in self.outermost.blocks:
            return frozenset()
        if statement.opcode == "phi" and home in self.index.shape.loops:
            if home in self.threads:
                return frozenset()
            further = (self.varies(each) for each in statement.operands)
            return frozenset([home]).union(*further) & frozenset(self.loops_around(home))
        around = frozenset(self.loops_around(home))
        if statement.opcode in PURE or is_math(statement):
            return frozenset().union(*map(self.varies, statement.operands)) & around
        if statement.opcode == "load":
            moved = self.varies(statement.operands[0])
            written = {
                header
                for site in self.sites
                if site.store and self.may_alias(site.statement, statement)
                for header in self.loops_around(site.block)
            }
            return (moved | written) & around
        return around

    def varies_with_threads(self, value: str) -> bool:
        """True if a value may differ between threads, also by the way that led to it."""
        if value not in self.of_threads:
            self.of_threads[value] = False  # a cycle adds what is found on the way
            self.of_threads[value] = self._varies_with_threads(value)
        return self.of_threads[value]

    def _varies_with_threads(self, value: str) -> bool:
        statement = self.index.statements.get(value)
        home = self.index.defining_block.get(value, -1)
        if statement is None or home not in self.outermost.blocks:
            return False
        if statement.opcode == "phi" and home in self.threads:
            return True
        if statement.opcode == "phi" and home not in self.index.shape.loops:
            ways = self.before.get(home, ())
            deciding = {*ways, *(each for way in ways for each in self.before.get(way, ()))}
            lasts = (self.index.body.blocks[each].statements[-1] for each in deciding)
            if any(
                self.varies_with_threads(last.uses[0])
                for last in lasts
                if len(statement.labels) > 1 and len(last.labels) > 1 and last.uses
            ):
                return True
        return any(map(self.varies_with_threads, statement.uses))

    def level_of(self, block: int, value: str) -> int | None:
        """The innermost loop around a block that changes a value; None if none does [1]."""
        varied = self.varies(value)
        return next((each for each in reversed(self.loops_around(block)) if each in varied), None)

    def often(self, block: int, level: int | None) -> float:
        """Executions by a thread of what only loops down to a level change [1]."""
        here, around = self.times[block], self.loops_around(block)
        inside = around[around.index(level) + 1 :] if level is not None else around
        if inside:
            return min(here, self.entered[inside[0]])
        return here if level is not None else min(here, 1.0)

    def number(self, value: str) -> int:
        """Equal for values that are computed alike [1]."""
        if value not in self.numbers:
            statement = self.index.statements.get(value)
            what: tuple[object, ...] = (value,)
            if statement is not None and statement.opcode in PURE:
                kind = (statement.opcode, statement.type, statement.stepped, statement.operation)
                what = (*kind, *map(self.number, statement.operands))
            elif statement is not None and statement.opcode == "load":
                # where a store goes may depend on what is loaded here: till known, like no other
                self.numbers[value] = self.computed.setdefault(what, len(self.computed))
                stores = (site.statement for site in self.sites if site.store)
                written = any(self.may_alias(store, statement) for store in stores)
                what = (
                    what
                    if written
                    else ("load", statement.type, self.number(statement.operands[0]))
                )
            self.numbers[value] = self.computed.setdefault(what, len(self.computed))
        return self.numbers[value]

    def address(self, value: str) -> "Address":
        """An address taken apart."""
        if value not in self.addresses:
            terms = {name: each for name, each in linear(self.index, value).items() if each}
            offset = terms.pop("", 0)
            alike: dict[int, int] = {}
            for name, factor in terms.items():
                number = self.number(name)
                alike[number] = alike.get(number, 0) + factor
            self.addresses[value] = Address(
                terms=terms,
                stream=frozenset(alike.items()),
                offset=offset,
                roots=frozenset(roots(self.index, value)),
            )
        return self.addresses[value]

    def may_alias(self, one: Statement, other: Statement) -> bool:
        """True if two loads or stores may reach the same memory.

        Variables have memory of their own, and so has each call of `malloc`. Where the function
        takes pointers without `restrict`, two of them may lead to the same array: a kernel gets its
        arrays so. Numbers of different types share no memory, by the rules of C.
        """
        question = (id(one), id(other))
        if question not in self.aliases:
            self.aliases[question] = self._may_alias(one, other)
        return self.aliases[question]

    def _may_alias(self, one: Statement, other: Statement) -> bool:
        if one.type != other.type and {one.type, other.type} <= _SCALARS:
            return False
        left, right = self.address(one.operands[-1]), self.address(other.operands[-1])
        if left.stream == right.stream:
            structures = self.index.module.structures
            apart = right.offset - left.offset
            behind = types.size_of(one.type, structures)
            return -types.size_of(other.type, structures) < apart < behind
        both = left.roots | right.roots
        if not left.roots or not right.roots or left.roots & right.roots:
            return True
        if all(map(self._is_variable, both)):
            return self.through_pointers and not any(map(self._is_local, both))
        return True

    def _is_local(self, root: str) -> bool:
        statement = self.index.statements.get(root)
        return statement is not None and statement.opcode == "alloca"

    def _is_variable(self, root: str) -> bool:
        """True if a root of addresses has memory of its own, but for what pointers lead to."""
        statement = self.index.statements.get(root)
        return root.startswith("@") or (
            root in self.index.body.arguments
            or (
                statement is not None
                and (statement.opcode == "alloca" or statement.callee in _ALLOCATING)
            )
        )


def is_math(statement: Statement) -> bool:
    """True if a statement calls a function whose result depends on its arguments alone."""
    name = statement.callee.removeprefix("llvm.").partition(".")[0]
    return statement.opcode == "call" and (
        name in MATH_FUNCTIONS or statement.callee.startswith("llvm.fmuladd")
    )


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def kernel_code(
    ir: str,
    program: Program,
    loops: Collection[int],
    times: Mapping[int, float],
) -> KernelCode:
    """The code of the threads of a nest, from how often a thread executes each block.

    `loops` become threads or blocks of them, the outermost first.
    """
    outermost = program.loops[next(iter(loops))]
    index = function_indices(ir, program, [outermost.function])[outermost.function]
    first = index.first_block
    own = {
        block - first: each
        for block, each in sorted(times.items())
        if block in outermost.blocks and each > 0
    }
    sites = []
    for access in program.accesses_of[outermost.id]:
        block = access.block - first
        statement = index.body.blocks[block].statements[access.index]
        if own.get(block, 0.0) > 0 and statement.opcode in ("load", "store"):
            sites.append(
                Site(
                    access=access.id,
                    block=block,
                    index=access.index,
                    store=access.store,
                    statement=statement,
                    address=statement.operands[-1],
                )
            )
    return KernelCode(
        index=index,
        outermost=index.shape.loops[outermost.header - first],
        threads=frozenset(program.loops[loop].header - first for loop in loops),
        times=own,
        sites=tuple(sites),
        through_pointers=_takes_pointers(index, outermost.source_function),
    )


def _takes_pointers(index: FunctionIndex, function: str) -> bool:
    """True if a function of the source takes pointers that are not declared `restrict`."""
    debug = index.debug
    for number, content in debug.metadata.items():
        if "!DILocalVariable(" not in content or debug.fields(number).get("arg") is None:
            continue
        if debug.function_of(debug.reference(number, "scope")) != function:
            continue
        kind = debug.reference(number, "type")
        tags = []
        while kind is not None:
            tags.append(debug.fields(kind).get("tag", ""))
            if tags[-1] in ("DW_TAG_pointer_type", "DW_TAG_restrict_type"):
                break
            kind = debug.reference(kind, "baseType")
        if tags and tags[-1] == "DW_TAG_pointer_type":
            return True
    return False
