"""A compiled program as data: functions, blocks, edges, loops, accesses, values.

Identifiers are dense from 0 over the whole linked program and index the tuples of `Program`:
``program.blocks[b].id == b``. Within a function those of accesses and of loops increase in program
order: the order of the source's statements, where everything inside a loop comes before what
follows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = [
    "NOT_EXECUTED",
    "Access",
    "BasicBlock",
    "ControlFlowEdge",
    "CrossingRegister",
    "Directive",
    "Function",
    "Gathered",
    "Instruction",
    "Loop",
    "Pragma",
    "Program",
    "Synchronisation",
    "chain_of",
]

NOT_EXECUTED = frozenset({"phi"})
"""Opcodes that LLVM's language has for its form only, and that no machine executes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of LLVM's intermediate language."""

    opcode: str  # LLVM's name of the operation
    type: str  # type of the result, ``void`` if there is none; of a store, the type stored
    name: str = ""  # the register that it defines, or an empty text
    # registers that it reads, arguments of the function among them, each once
    uses: tuple[str, ...] = ()
    # line, column: where it comes from; 0 if unknown [1]
    line: int = 0
    column: int = 0
    callee: str = ""  # the function that it calls, if it calls one by name
    # of a call of a function without a body, as a library's: arrays whose addresses it is given, by
    # their names
    given: tuple[str, ...] = ()
    # of a merge of control flow (``phi``): each register that it takes over, and the block that
    # control comes from then [text, 1]
    incoming: tuple[tuple[str, int], ...] = ()
    # of an address (``getelementptr``): multiplications that the source leaves to the compiler,
    # one for each variable index that steps over a row of an array [1]
    multiplies: int = 0
    # of an address: additions left to the compiler, one for each variable index but the first of
    # the whole chain of addresses. ``A[i][k]`` thus costs one multiplication and one addition, as
    # does ``A[i*N + k]``, where both are instructions of their own [1]
    adds: int = 0
    # what it is, if it reaches memory in a way that no trace has: inline assembly, loads and
    # stores with masks, instructions of one kind of processor; otherwise empty
    unrecorded: str = ""
    assembly: bool = False  # whether it is inline assembly, be it that it reaches memory or not

    @property
    def executed(self) -> bool:
        """True if a machine executes it: a phi only names what a register holds."""
        return self.opcode not in NOT_EXECUTED


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicBlock:
    """A basic block."""

    id: int  # its number [1]
    function: str  # the function it is in, by its name in the linked module
    name: str  # its label in that function
    file: str  # source file of its instructions
    # first_line, last_line: the lines its instructions come from; 0 if unknown [1]
    first_line: int
    last_line: int
    instructions: tuple[Instruction, ...]  # in order
    successors: tuple[int, ...]  # blocks that control may pass to, each once [1]
    loop: int | None  # the innermost loop around it [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlFlowEdge:
    """A way from one block to another."""

    id: int  # its number [1]
    # source, target: the blocks [1]
    source: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A variable in which iterations of a loop gather values, so that their order is free."""

    name: str  # what the source calls it
    operation: str  # ``sum``, ``product``, ``minimum``, ``maximum``, ``extreme``, ``and``, ...
    type: str  # LLVM type


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A natural loop."""

    id: int  # its number; loops of a function are numbered in program order, outer before inner [1]
    # function, source_function: the function it is in after linking and inlining, and the one it
    # was written in
    function: str
    source_function: str
    header: int  # the block through which every iteration starts [1]
    latches: tuple[int, ...]  # blocks that jump back to the header [1]
    blocks: frozenset[int]  # all of its blocks, those of inner loops among them [1]
    parent: int | None  # the loop around it, in the same function [1]
    depth: int  # loops around it, in the same function [1]
    file: str  # source file
    # line, end_line: first and last line in the source; 0 if unknown [1]
    line: int
    end_line: int
    inductions: tuple[str, ...]  # variables that each iteration advances by the same amount
    # other variables whose value passes in a register from one iteration to the next, such as
    # ``sum (reduction)`` or ``state (recurrence)``: iterations cannot run side by side as they
    # are
    carried: tuple[str, ...]
    position: int  # place in the program order of the function's blocks [1]
    gathered: tuple[Gathered, ...] = ()  # those of the carried ones that are reductions
    # loops that a pragma before it collapses into threads; 0 where no pragma stands [1]
    offload: int = 0
    # loops that a pragma before it declares to be the threads of a block; 0 where none stands [1]
    threads: int = 0
    # variables that no iteration reads, but what follows the loop, in registers; and those of them
    # that an iteration may leave as they are
    left: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    # clauses, private, reduction: variables that the pragma before it names, with the clause and
    # the operation of a reduction; those of which each thread has its own; those that threads
    # gather values in
    clauses: tuple[tuple[str, str, str], ...] = ()
    private: tuple[str, ...] = ()
    reduction: tuple[str, ...] = ()
    # ``file:line:column`` of the calls in whose place its function was inlined, innermost first
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A place in the program that reads or writes memory."""

    id: int  # its number; accesses of a function are numbered in program order [1]
    # function, source_function: the function it is in after linking and inlining, and the one it
    # was written in
    function: str
    source_function: str
    # block, index: its block and its place among the block's instructions. A copy of memory is
    # two accesses at one place, the load first [1]
    block: int
    index: int
    store: bool  # whether it writes
    size: int  # how much [B]; 0 where only the run can tell
    type: str  # LLVM type of the value
    file: str  # source file
    # line, column: place in the source; 0 if unknown [1]
    line: int
    column: int
    # the array it reaches: the name of a global or local array, or of the pointer variable or
    # parameter; empty if unknown
    array: str
    real: bool  # whether the value is a floating-point number
    loop: int | None  # the innermost loop around it [1]
    private: bool  # whether the array is a local variable of the function
    # the innermost loop whose body declares the array, so that each iteration has its own [1]
    private_to: int | None = None
    # the variable that it reaches, as LLVM calls it, if that is a scalar or a structure of which
    # it reaches one member, the same every time, or of which it writes several; empty for
    # elements of arrays and for whatever a pointer leads to
    variable: str = ""
    offset: int = 0  # where in that variable it begins [B]
    # the operation, as of `Gathered`, if it is the load or the store of an update such as
    # ``h[k] += x`` whose old value nothing else reads
    update: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function with a body."""

    name: str  # its name after linking, where equal names of two files' static functions differ
    source_name: str  # its name in the source
    file: str  # source file
    line: int  # where its definition starts; 0 if unknown [1]
    blocks: tuple[int, ...]  # its blocks, entry first [1]
    # blocks in cycles with several entries, which are no natural loops [1]
    irreducible: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingRegister:
    """A register that crosses from one block to another."""

    # name, function: the register and its function
    name: str
    function: str
    type: str  # LLVM type
    bits: int  # its width [bit]
    defined_in: int  # the block that defines it; of an argument, the entry [1]
    used_in: tuple[int, ...]  # the other blocks that read it [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pragma:
    """A directive that says of the loop after it that its iterations are to run side by side."""

    file: str  # source file
    line: int  # line of the directive [1]
    # target, column: place of the statement after it; 0 if none follows [1]
    target: int
    column: int
    collapse: int  # how many nested loops become threads [1]
    # the loops that it marks: none if it stands before something else or before a loop in code
    # that is not there, several if their function was inlined in several places [1]
    loops: tuple[int, ...] = ()
    before_loop: bool = False  # whether the statement after it is a loop
    # others that come first and mean statements at the same place, see
    # `logca.trace.source.pragmas.PragmaLine` [1]
    order: int = 0
    directive: str = "logca offload"  # its name, as ``omp parallel for``
    device: bool = True  # whether it is for a GPU: ours, OpenACC's, those in OpenMP's ``target``
    # whether a parallel region is around it, whose threads have variables of their own
    in_parallel: bool = False
    # clauses, private, reduction: as of a `Loop`, with those of the directives around it
    clauses: tuple[tuple[str, str, str], ...] = ()
    private: tuple[str, ...] = ()
    reduction: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Synchronisation:
    """A directive of OpenMP or OpenACC that is about no loop's iterations."""

    directive: str  # its name, as ``omp critical``
    file: str  # source file
    line: int  # line of the directive [1]
    # first, last: lines of the statement that it is about; its own line if there is none [1]
    first: int
    last: int
    before_loop: bool = False  # whether that statement is a loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A ``#pragma logca`` other than ``offload``."""

    name: str  # ``threads``, ``shared``, ``private``, ``barrier`` or ``work``
    # of ``threads`` the number of loops; of ``shared`` and ``private`` names of arrays; of
    # ``work`` macros with values, as ``N=1024``
    arguments: tuple[str, ...]
    file: str  # source file
    line: int  # line of the directive [1]
    # target, column: place of the statement after it; 0 if none follows [1]
    target: int
    column: int
    # of ``threads`` the loops that it marks, of the others the innermost loops around it: several
    # if their function was inlined in several places [1]
    loops: tuple[int, ...] = ()
    order: int = 0  # as of a `Pragma` [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A linked program.

    Parameters
    ----------
    level : str
        How far it was optimised: ``as-written`` or ``O1``.
    functions, blocks, edges, loops, accesses, values : tuple
        Its parts; those with identifiers are in the order of these.
    files : tuple of str
        Source files.
    compiled_files : frozenset of str
        Files that its parts name and the compiler read: sources, and the headers that they include.
        Others are named by a ``#line``, and their lines are not shown.
    pragmas : tuple of Pragma
        Directives in the sources that ask for offloading.
    directives : tuple of Directive
        The other ones of ours.
    scops : tuple of (str, int, int)
        File, first and last line of the parts between ``#pragma scop`` and ``#pragma endscop``, as
        PolyBench and tools of its kind have them.
    synchronisations : tuple of Synchronisation
        Directives of OpenMP and OpenACC that are about no loop's iterations.

    Attributes
    ----------
    loops_of, accesses_of : tuple of tuple
        For each loop the loops inside it, itself among them, and the accesses in it and in those,
        in program order.
    edges_into, edges_from : tuple of tuple
        For each block the edges that lead to it, and those that leave it.
    """

    level: str
    functions: tuple[Function, ...]
    blocks: tuple[BasicBlock, ...]
    edges: tuple[ControlFlowEdge, ...]
    loops: tuple[Loop, ...]
    accesses: tuple[Access, ...]
    values: tuple[CrossingRegister, ...]
    files: tuple[str, ...]
    compiled_files: frozenset[str] = frozenset()
    pragmas: tuple[Pragma, ...] = ()
    directives: tuple[Directive, ...] = ()
    scops: tuple[tuple[str, int, int], ...] = ()
    synchronisations: tuple[Synchronisation, ...] = ()

    loops_of: tuple[tuple[Loop, ...], ...] = field(init=False, repr=False, compare=False)
    accesses_of: tuple[tuple[Access, ...], ...] = field(init=False, repr=False, compare=False)
    edges_into: tuple[tuple[ControlFlowEdge, ...], ...] = field(
        init=False, repr=False, compare=False
    )
    edges_from: tuple[tuple[ControlFlowEdge, ...], ...] = field(
        init=False, repr=False, compare=False
    )

    def __repr__(self) -> str:
        parts = ("functions", "blocks", "loops", "accesses")
        told = ", ".join(f"{len(getattr(self, name)):,} {name}" for name in parts)
        return f"<Program {' '.join(self.files)}, {self.level}: {told}>"

    def __post_init__(self) -> None:
        """Note for each loop what is in it, and for each block its edges."""
        loops: list[list[Loop]] = [[] for _ in self.loops]
        accesses: list[list[Access]] = [[] for _ in self.loops]
        for loop in self.loops:
            for around in self.chain_of(loop.id):
                loops[around].append(loop)
        for access in self.accesses:
            for around in self.chain_of(access.loop):
                accesses[around].append(access)
        into: list[list[ControlFlowEdge]] = [[] for _ in self.blocks]
        leaving: list[list[ControlFlowEdge]] = [[] for _ in self.blocks]
        for edge in self.edges:
            into[edge.target].append(edge)
            leaving[edge.source].append(edge)
        # the instance is frozen
        object.__setattr__(self, "loops_of", tuple(map(tuple, loops)))
        object.__setattr__(self, "accesses_of", tuple(map(tuple, accesses)))
        object.__setattr__(self, "edges_into", tuple(map(tuple, into)))
        object.__setattr__(self, "edges_from", tuple(map(tuple, leaving)))

    def chain_of(self, loop: int | None, nest: int | None = None) -> tuple[int, ...]:
        """The loop and all loops around it in its function, outermost first.

        With a nest only from that loop inwards; none if it is not among them.
        """
        return chain_of(self.loops, loop, nest)

    def executed_in(self, loop: int, counts: Sequence[int]) -> int:
        """Instructions executed in a loop and in those inside it, given counts of blocks."""
        return sum(
            int(counts[block]) * sum(each.executed for each in self.blocks[block].instructions)
            for block in self.loops[loop].blocks
        )


def chain_of(loops: Sequence[Loop], loop: int | None, nest: int | None = None) -> tuple[int, ...]:
    """`Program.chain_of` for the loops alone."""
    chain: list[int] = []
    while loop is not None:
        chain.append(loop)
        loop = None if loop == nest else loops[loop].parent
    return tuple(reversed(chain)) if nest is None or nest in chain else ()
