"""What the compiler says of a program: functions, blocks, edges, loops, accesses, values.

Data only. Identifiers are dense from 0 over the whole linked program and index the tuples of
`Program`: ``program.blocks[b].id == b``. Within a function the identifiers of accesses and of
loops increase in program order: the order of the source's statements, where everything inside a
loop comes before what follows the loop.
"""

from dataclasses import dataclass

__all__ = [
    "Access",
    "Block",
    "Directive",
    "Edge",
    "Function",
    "Instruction",
    "Loop",
    "Pragma",
    "Program",
    "Value",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of LLVM's intermediate language.

    Parameters
    ----------
    opcode : str
        LLVM's name of the operation [text].
    type : str
        Type of the result, ``void`` if there is none; of a store, the type stored [text].
    name : str
        The register that it defines, or an empty text [text].
    uses : tuple of str
        Registers that it reads, arguments of the function among them, each once [text].
    line, column : int
        Where it comes from; 0 if unknown [1].
    callee : str
        The function that it calls, if it calls one by name [text].
    incoming : tuple of (str, int)
        Of a merge of control flow (``phi``): each register that it takes over, and the block that
        control comes from then [text, 1].
    multiplies : int
        Of an address (``getelementptr``): multiplications that the source leaves to the compiler,
        one for each variable index that steps over a row of an array [1].
    adds : int
        Of an address: additions left to the compiler, one for each variable index but the first
        of the whole chain of addresses. ``A[i][k]`` thus costs one multiplication and one
        addition, as does ``A[i*N + k]``, where both are instructions of their own [1].
    unrecorded : str
        What it is, if it reaches memory in a way that no trace has: inline assembly, loads and
        stores with masks, instructions of one kind of processor; otherwise empty [text].
    assembly : bool
        Whether it is inline assembly, be it that it reaches memory or not.
    """

    opcode: str
    type: str
    name: str = ""
    uses: tuple[str, ...] = ()
    line: int = 0
    column: int = 0
    callee: str = ""
    incoming: tuple[tuple[str, int], ...] = ()
    multiplies: int = 0
    adds: int = 0
    unrecorded: str = ""
    assembly: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A basic block.

    Parameters
    ----------
    id : int
        Its number [1].
    function : str
        The function it is in, by its name in the linked module [text].
    name : str
        Its label in that function [text].
    file : str
        Source file of its instructions [text].
    first_line, last_line : int
        The lines its instructions come from; 0 if unknown [1].
    instructions : tuple of Instruction
        In order.
    successors : tuple of int
        Blocks that control may pass to, each once [1].
    loop : int or None
        The innermost loop around it [1].
    """

    id: int
    function: str
    name: str
    file: str
    first_line: int
    last_line: int
    instructions: tuple[Instruction, ...]
    successors: tuple[int, ...]
    loop: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A way from one block to another.

    Parameters
    ----------
    id : int
        Its number [1].
    source, target : int
        The blocks [1].
    """

    id: int
    source: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A natural loop.

    Parameters
    ----------
    id : int
        Its number; loops of a function are numbered in program order, outer before inner [1].
    function, source_function : str
        The function it is in after linking and inlining, and the one it was written in [text].
    header : int
        The block through which every iteration starts [1].
    latches : tuple of int
        Blocks that jump back to the header [1].
    blocks : frozenset of int
        All of its blocks, those of inner loops among them [1].
    parent : int or None
        The loop around it, in the same function [1].
    depth : int
        Loops around it, in the same function [1].
    file : str
        Source file [text].
    line, end_line : int
        First and last line in the source; 0 if unknown [1].
    inductions : tuple of str
        Variables that each iteration advances by the same amount [text].
    carried : tuple of str
        Other variables whose value passes in a register from one iteration to the next, such as
        ``sum (reduction)`` or ``state (recurrence)``: iterations cannot run side by side as they
        are [text].
    position : int
        Place in the program order of the function's blocks [1].
    offload : int
        Loops that a pragma before it collapses into threads; 0 where no pragma stands [1].
    threads : int
        Loops that a pragma before it declares to be the threads of a block; 0 where none stands
        [1].
    """

    id: int
    function: str
    source_function: str
    header: int
    latches: tuple[int, ...]
    blocks: frozenset[int]
    parent: int | None
    depth: int
    file: str
    line: int
    end_line: int
    inductions: tuple[str, ...]
    carried: tuple[str, ...]
    position: int
    offload: int = 0
    threads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A place in the program that reads or writes memory.

    Parameters
    ----------
    id : int
        Its number; accesses of a function are numbered in program order [1].
    function, source_function : str
        The function it is in after linking and inlining, and the one it was written in [text].
    block, index : int
        Its block and its place among the block's instructions. A copy of memory is two accesses
        at one place, the load first [1].
    store : bool
        Whether it writes.
    size : int
        How much [B]; 0 where only the run can tell.
    type : str
        LLVM type of the value [text].
    file : str
        Source file [text].
    line, column : int
        Place in the source; 0 if unknown [1].
    array : str
        The array it reaches: the name of a global or local array, or of the pointer variable or
        parameter; empty if unknown [text].
    real : bool
        Whether the value is a floating-point number.
    loop : int or None
        The innermost loop around it [1].
    private : bool
        Whether the array is a local variable of the function.
    private_to : int or None
        The innermost loop whose body declares the array, so that each iteration has its own [1].
    variable : str
        The variable that it reaches, as LLVM calls it, if that is a scalar or a structure of which
        it reaches one member, the same every time, or of which it writes several; empty for
        elements of arrays and for whatever a pointer leads to [text].
    offset : int
        Where in that variable it begins [B].
    """

    id: int
    function: str
    source_function: str
    block: int
    index: int
    store: bool
    size: int
    type: str
    file: str
    line: int
    column: int
    array: str
    real: bool
    loop: int | None
    private: bool
    private_to: int | None = None
    variable: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function with a body.

    Parameters
    ----------
    name : str
        Its name after linking, where equal names of two files' static functions differ [text].
    source_name : str
        Its name in the source [text].
    file : str
        Source file [text].
    line : int
        Where its definition starts; 0 if unknown [1].
    blocks : tuple of int
        Its blocks, entry first [1].
    irreducible : tuple of int
        Blocks in cycles with several entries, which are no natural loops [1].
    """

    name: str
    source_name: str
    file: str
    line: int
    blocks: tuple[int, ...]
    irreducible: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A register that crosses from one block to another.

    Parameters
    ----------
    name, function : str
        The register and its function [text].
    type : str
        LLVM type [text].
    bits : int
        Its width [bit].
    defined_in : int
        The block that defines it; of an argument, the entry [1].
    used_in : tuple of int
        The other blocks that read it [1].
    """

    name: str
    function: str
    type: str
    bits: int
    defined_in: int
    used_in: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pragma:
    """A directive that asks for the loop after it to be offloaded.

    Parameters
    ----------
    file : str
        Source file [text].
    line : int
        Line of the directive [1].
    target, column : int
        Place of the statement after it; 0 if none follows [1].
    collapse : int
        How many nested loops become threads [1].
    loops : tuple of int
        The loops that it marks: none if it stands before something else or before a loop in code
        that is not there, several if their function was inlined in several places [1].
    before_loop : bool
        Whether the statement after it is a loop.
    order : int
        Others that come first and mean statements at the same place, see
        `logca.trace.pragma_lines.PragmaLine` [1].
    """

    file: str
    line: int
    target: int
    column: int
    collapse: int
    loops: tuple[int, ...] = ()
    before_loop: bool = False
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """What a source says with ``#pragma logca``, but for ``offload``.

    Parameters
    ----------
    name : str
        ``threads``, ``shared``, ``private``, ``barrier`` or ``work`` [text].
    arguments : tuple of str
        Of ``threads`` the number of loops; of ``shared`` and ``private`` names of arrays; of
        ``work`` macros with values, as ``N=1024`` [text].
    file : str
        Source file [text].
    line : int
        Line of the directive [1].
    target, column : int
        Place of the statement after it; 0 if none follows [1].
    loops : tuple of int
        Of ``threads`` the loops that it marks, of the others the innermost loops around it:
        several if their function was inlined in several places [1].
    order : int
        As of a `Pragma` [1].
    """

    name: str
    arguments: tuple[str, ...]
    file: str
    line: int
    target: int
    column: int
    loops: tuple[int, ...] = ()
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A linked program.

    Parameters
    ----------
    level : str
        How far it was optimised: ``as-written`` or ``O1`` [text].
    functions, blocks, edges, loops, accesses, values : tuple
        Its parts; those with identifiers are in the order of these.
    files : tuple of str
        Source files [text].
    pragmas : tuple of Pragma
        Directives in the sources that ask for offloading.
    directives : tuple of Directive
        The other ones of ours.
    scops : tuple of (str, int, int)
        File, first and last line of the parts between ``#pragma scop`` and ``#pragma endscop``, as
        PolyBench and tools of its kind have them.
    """

    level: str
    functions: tuple[Function, ...]
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    loops: tuple[Loop, ...]
    accesses: tuple[Access, ...]
    values: tuple[Value, ...]
    files: tuple[str, ...]
    pragmas: tuple[Pragma, ...] = ()
    directives: tuple[Directive, ...] = ()
    scops: tuple[tuple[str, int, int], ...] = ()
