"""Instructions of a thread by Table 2 of wang2017, LLVM's under the names that PTX has."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from logca.trace.ir.program import BasicBlock, Instruction, Program

__all__ = [
    "MATH_FUNCTIONS",
    "Instructions",
    "executions",
    "in_ptx",
    "innermost_blocks",
    "instructions",
    "of_thread",
]

_REAL_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 "
    "llrint llround lrint lround nearbyint pow remainder rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc "
)
MATH_FUNCTIONS = frozenset(
    {"abs", "labs", "llabs"}
    | {name + suffix for name in _REAL_FUNCTIONS.split() for suffix in ("", "f", "l")}
)
"""Functions of the C library that threads of a GPU can call."""

_FREE = {
    *("phi", "icmp", "sext", "zext", "trunc", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"),
    *("freeze", "alloca", "extractvalue", "insertvalue", "ret", "unreachable", "fence"),
}
_FREE_CALLS = (
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.invariant.",
    "llvm.experimental.noalias",
    "llvm.stacksave",
    "llvm.stackrestore",
)
_COPIES = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_FUSED = ("llvm.fmuladd.", "llvm.fma.")
_OTHER_NAMES = {
    "fmul": "mul",
    "fadd": "add",
    "fsub": "sub",
    "fdiv": "div",
    "sdiv": "div",
    "udiv": "div",
    "srem": "rem",
    "urem": "rem",
    "frem": "rem",
    "ashr": "shr",
    "lshr": "shr",
    "fneg": "neg",
    "fcmp": "setp",
    "select": "selp",
    "switch": "br",
    "fmod": "rem",
}
_CONVERSIONS = frozenset(["fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui"])


def in_ptx(instruction: Instruction, jump: bool) -> Iterator[tuple[str, int]]:
    """PTX instructions of one of LLVM's that accesses no memory on the device, and how many [1]."""
    opcode = instruction.opcode
    if opcode == "getelementptr":
        if instruction.multiplies:
            yield "mul", instruction.multiplies
        if instruction.adds:
            yield "add", instruction.adds
    elif opcode in ("call", "invoke"):
        if instruction.callee.startswith(_FUSED):
            yield "fma", 1
        elif not instruction.callee.startswith((*_FREE_CALLS, *_COPIES)):
            yield _function(instruction.callee), 1
    elif opcode in ("br", "switch", "indirectbr"):
        if jump:
            yield "br", 1
    elif opcode in _CONVERSIONS:
        yield "cvt", 1
    elif opcode not in _FREE:
        yield _OTHER_NAMES.get(opcode, opcode), 1


def _function(callee: str) -> str:
    """Name that a called function is counted by: one for all types, and for LLVM's own of it."""
    name = callee.removeprefix("llvm.").partition(".")[0]
    if name in MATH_FUNCTIONS and name[-1] in "fl" and name[:-1] in MATH_FUNCTIONS:
        name = name[:-1]
    return _OTHER_NAMES.get(name, name) or "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """Instructions that a thread executes on average."""

    threads: float  # threads of the run, all launches together [1]
    # how often a thread executes each static access of the memory on the device [1]
    memory: dict[int, float]
    shared: dict[int, float]  # the same of accesses to shared memory [1]
    computation: dict[str, float]  # compute instructions by their name in PTX [1]
    # how often a thread executes each load from the memory of the device to shared memory [1]
    loads: dict[int, float] = field(default_factory=dict)
    # compute instructions by a static access that the same threads make; None where every thread
    # executes them, or no such access is known [1]
    computing: dict[int | None, float] = field(default_factory=dict)

    # all of them, no_total_insts of eq. 12, those of shared memory among them [1]
    total: float = field(init=False)

    def __post_init__(self) -> None:
        """Add up."""
        kinds = (self.memory, self.loads, self.shared, self.computation)
        object.__setattr__(self, "total", sum(sum(counts.values()) for counts in kinds))

    def times(self, factor: float) -> "Instructions":
        """Instructions of a thread that executes `factor` times as many."""
        return replace(
            self,
            memory={site: count * factor for site, count in self.memory.items()},
            shared={site: count * factor for site, count in self.shared.items()},
            computation={name: count * factor for name, count in self.computation.items()},
            loads={site: count * factor for site, count in self.loads.items()},
            computing={site: count * factor for site, count in self.computing.items()},
        )


def instructions(
    program: Program,
    loops: Sequence[int],
    counts: Sequence[float] | Mapping[int, float],
    *,
    private: Collection[int] = (),
    registers: Collection[int] = (),
    only: Collection[int] | None = None,
) -> Instructions:
    """Instructions that a thread executes of a nest whose loops are threads, outermost first."""
    times, threads = executions(program, loops, counts)
    if only is not None:
        times = {number: each for number, each in times.items() if number in only}
    return of_thread(
        program,
        loops,
        times,
        threads=threads,
        private=private,
        registers=registers,
    )


def executions(
    program: Program, loops: Sequence[int], counts: Sequence[float] | Mapping[int, float]
) -> tuple[dict[int, float], float]:
    """Executions of each block of a nest by a thread, and the number of threads [1]."""
    iterations = [sum(counts[latch] for latch in program.loops[loop].latches) for loop in loops]
    if not min(iterations) > 0:
        line = program.loops[loops[0]].line
        raise ValueError(f"a loop of the nest at line {line} did not iterate")
    times = {}
    for number in program.loops[loops[0]].blocks:
        level = max(at for at, loop in enumerate(loops) if number in program.loops[loop].blocks)
        times[number] = counts[number] / iterations[level]
    return times, float(iterations[-1])


def innermost_blocks(program: Program, thread: int) -> frozenset[int] | None:
    """Blocks of the innermost loops inside the last one of the threads [1]; None without any."""
    inside = [loop for loop in program.loops_of[thread] if loop.id != thread]
    parents = {loop.parent for loop in inside}
    leaves = [loop.blocks for loop in inside if loop.id not in parents]
    return frozenset().union(*leaves) if leaves else None


def of_thread(
    program: Program,
    loops: Sequence[int],
    times: Mapping[int, float],
    *,
    threads: float,
    private: Collection[int] = (),
    shared: Collection[int] = (),
    registers: Collection[int] = (),
) -> Instructions:
    """Instructions of a thread, from how often it executes each block."""
    free = _control(program, loops)
    function = program.loops[loops[0]].function
    products, sums = _fused(program, function)
    steps = {
        step
        for loop in loops
        for step in _steps(program, program.blocks[program.loops[loop].header], loop)
    }
    none = products | steps | _addresses(program, function, registers)
    places: dict[tuple[int, int], list[int]] = {}
    for access in program.accesses:
        places.setdefault((access.block, access.index), []).append(access.id)
    memory: dict[int, float] = {}
    own: dict[int, float] = {}
    computation: dict[str, float] = {}
    of_block: dict[int, float] = {}
    for number in sorted(number for number in times if number not in free and times[number]):
        block, often = program.blocks[number], times[number]
        for index, instruction in enumerate(block.instructions):
            sites = places.get((number, index), [])
            for site in sites:
                if site in registers:
                    continue
                if site not in private:
                    into = own if site in shared else memory
                    into[site] = into.get(site, 0.0) + often
                else:
                    computation["mov"] = computation.get("mov", 0.0) + often
                    of_block[number] = of_block.get(number, 0.0) + often
            if sites or instruction.name in none:
                continue
            jump = block.instructions[-1] is instruction and _is_branch(program, block, loops)
            mapped = [("fma", 1)] if instruction.name in sums else in_ptx(instruction, jump)
            for name, repeats in mapped:
                computation[name] = computation.get(name, 0.0) + often * repeats
                of_block[number] = of_block.get(number, 0.0) + often * repeats
    with_access = _with_access(program, times, memory)
    computing: dict[int | None, float] = {}
    for number, count in of_block.items():
        like = with_access.get(number)
        computing[like] = computing.get(like, 0.0) + count
    return Instructions(
        threads=threads, memory=memory, shared=own, computation=computation, computing=computing
    )


def _with_access(
    program: Program, times: Mapping[int, float], memory: Collection[int]
) -> dict[int, int]:
    """For blocks an access that the same threads make, as far as that is known.

    It is one of the block's own, or of another block of the same loop that is executed as often,
    or, of the head of a loop, one that is made in each iteration.
    """
    found: dict[int, int] = {}
    alike: dict[tuple[int | None, float], int] = {}
    for site in sorted(memory):
        block = program.accesses[site].block
        found.setdefault(block, site)
        alike.setdefault((program.blocks[block].loop, times[block]), site)
    for number, often in times.items():
        loop = program.blocks[number].loop
        if loop is not None and program.loops[loop].header == number:
            latches = [latch for latch in program.loops[loop].latches if latch in times]
            often = sum(times[latch] for latch in latches) or often
        if number not in found and (loop, often) in alike:
            found[number] = alike[loop, often]
    return found


def _control(program: Program, loops: Sequence[int]) -> frozenset[int]:
    """Headers that only test whether a collapsed loop goes on."""
    found = (program.loops[loop] for loop in loops)
    return frozenset(
        loop.header
        for loop in found
        if loop.header not in loop.latches
        and not set(program.blocks[loop.header].successors) <= loop.blocks
    )


def _steps(program: Program, header: BasicBlock, loop: int) -> Iterator[str]:
    """Registers that hold the next value of a loop's counters."""
    counters = {each.name: each.uses for each in header.instructions if each.opcode == "phi"}
    nexts = {use for uses in counters.values() for use in uses}
    for number in program.loops[loop].blocks:
        for each in program.blocks[number].instructions:
            if each.name in nexts and each.opcode in ("add", "sub", "getelementptr"):
                yield from (each.name for use in each.uses if use in counters)


def _fused(program: Program, function: str) -> tuple[frozenset[str], frozenset[str]]:
    """Products that only a sum or difference in the same block uses, and these sums."""
    blocks = [block for block in program.blocks if block.function == function]
    uses = Counter(use for block in blocks for each in block.instructions for use in each.uses)
    products: set[str] = set()
    sums: set[str] = set()
    for block in blocks:
        made = {each.name for each in block.instructions if each.opcode == "fmul"}
        for each in block.instructions:
            product = next((use for use in each.uses if use in made and uses[use] == 1), None)
            if each.opcode in ("fadd", "fsub") and product is not None:
                products.add(product)
                sums.add(each.name)
    return frozenset(products), frozenset(sums)


def _addresses(program: Program, function: str, accesses: Collection[int]) -> frozenset[str]:
    """Registers with addresses, or parts of them, that only these accesses use."""
    if not accesses:
        return frozenset()
    places = {(program.accesses[each].block, program.accesses[each].index) for each in accesses}
    used: dict[str, list[tuple[int, int, str]]] = {}
    for block in program.blocks:
        for index, each in enumerate(block.instructions if block.function == function else ()):
            for use in each.uses:
                used.setdefault(use, []).append((block.id, index, each.name))
    computed = [
        each.name
        for block in program.blocks
        if block.function == function
        for each in block.instructions
        if each.opcode == "getelementptr"
    ]
    found: set[str] = set()
    for name in reversed(computed):
        if used.get(name) and all(
            (block, index) in places or by in found for block, index, by in used[name]
        ):
            found.add(name)
    return frozenset(found)


def _is_branch(program: Program, block: BasicBlock, loops: Sequence[int]) -> bool:
    """True if the jump at the end of a block is an instruction of the thread."""
    if block.loop is None:
        return False
    loop = program.loops[block.loop]
    back = loop.header in block.successors and block.id in loop.latches
    if loop.id in loops and back:
        return False
    if back:
        return True
    tests = block.id == loop.header and not set(block.successors) <= loop.blocks
    return len(block.successors) > 1 and not tests
