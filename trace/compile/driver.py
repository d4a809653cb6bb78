"""From C sources to one optimised module and what there is to say of it."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.common.arguments import checked_folders, checked_macros, checked_texts
from logca.common.errors import CompileError
from logca.trace.compile.machine_code import without_records
from logca.trace.compile.optimisation import checked_level, optimised
from logca.trace.ir.accesses import accesses_in, arithmetic, unrecorded
from logca.trace.ir.assembly import Statement, parse
from logca.trace.ir.debug_info import Debug, Place, unquoted
from logca.trace.ir.functions import FunctionIndex, crossing_values, function_of, indexed
from logca.trace.ir.program import (
    Access,
    BasicBlock,
    ControlFlowEdge,
    CrossingRegister,
    Function,
    Instruction,
    Loop,
    Program,
)
from logca.trace.ir.recurrences import loop_of
from logca.trace.source.compiler import (
    Toolchain,
    checked_sources,
    outputs,
    toolchain,
    without_linking,
)
from logca.trace.source.pragmas import directives_in, matched_to_loops, pragmas_in, scops_in
from logca.trace.source.preprocessor import PragmaLine, pragma_lines

__all__ = [
    "Compiled",
    "compile_program",
    "program_of",
]

BITCODE = b"BC\xc0\xde"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A compiled program, not yet instrumented.

    Parameters
    ----------
    ir : str
        The optimised module in LLVM's assembly; every value has a name.
    program : Program
        What there is to say of it.
    toolchain : Toolchain
        The compiler that links it.
    link_flags : tuple of str
        The user's flags that are for the linker.
    """

    ir: str
    program: Program
    toolchain: Toolchain
    link_flags: tuple[str, ...] = ()


def compile_program(
    sources: str | Path | Iterable[str | Path],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    inline: bool = False,
    compiler: str | None = None,
) -> Compiled:
    """Compile and link C sources, and read what the compiler made of them.

    Parameters
    ----------
    sources : path or iterable of paths
        C files.
    defines : mapping, optional
        Macros and their values; None defines one as the compiler does.
    includes : iterable of paths
        Folders searched for headers.
    flags : iterable of str
        Further options of the compiler and the linker.
    level : str
        ``as-written`` or ``O1``.
    inline : bool
        Whether every call to a function of these sources that is not recursive is inlined, so that
        each place in the code has one chain of loops around it.
    compiler : str, optional
        ``zig``, ``clang`` or a path; see `toolchain`.

    Raises
    ------
    CompileError
        If the compiler refuses: its first message.
    TraceError
        If a source is no file, or there is no such level.
    MissingCompilerError
        If there is no compiler.
    """
    checked_level(level)
    paths = checked_sources(sources)
    tool = toolchain(compiler)
    flags, includes = checked_texts("flags", flags), checked_folders(includes)
    defines = checked_macros(defines)
    compiling = without_linking(flags)
    with tempfile.TemporaryDirectory(prefix="logca-") as folder:
        modules = [Path(folder, f"{number}.bc") for number in range(len(paths))]
        commands = [
            tool.compile_command(
                path.resolve(),
                output,
                defines=defines,
                includes=includes,
                flags=compiling,
            )
            for path, output in zip(paths, modules, strict=True)
        ]
        with ThreadPoolExecutor(1) as pool:
            lines = pool.submit(
                pragma_lines,
                paths,
                defines=defines,
                includes=includes,
                flags=flags,
                compiler=compiler,
            )
            outputs(paths, commands, tool)
        for path, output in zip(paths, modules, strict=True):
            if not output.is_file() or output.read_bytes()[: len(BITCODE)] != BITCODE:
                raise CompileError(
                    f"{path}: the compiler wrote something else than a module: leave out flags that"
                    " say what it writes, such as -S or -E"
                )
        ir = optimised((output.read_bytes() for output in modules), level=level, inline=inline)
    spelling = {str(path.resolve()): str(path) for path in paths}
    program, text = program_of(ir, level=level, spelling=spelling, lines=lines.result())
    linking = tuple(flag for flag in flags if flag not in compiling)
    return Compiled(ir=text, program=program, toolchain=tool, link_flags=linking)


def program_of(
    ir: str, *, level: str, spelling: Mapping[str, str], lines: Sequence[PragmaLine]
) -> tuple[Program, str]:
    """Read a module."""
    module = parse(ir)
    debug = Debug(module.metadata, spelling)
    functions: list[Function] = []
    blocks: list[BasicBlock] = []
    loops: list[Loop] = []
    starts: list[Place] = []
    accesses: list[Access] = []
    values: list[CrossingRegister] = []
    for body in module.bodies:
        if not body.blocks:
            continue
        one = indexed(body, module, debug)
        first = len(blocks)
        numbers = {header: len(loops) + n for n, header in enumerate(one.shape.loops)}
        functions.append(function_of(one, first))
        for header in one.shape.loops:
            loop, start = loop_of(one, header, numbers, first)
            loops.append(loop)
            starts.append(start)
        blocks += blocks_of(one, numbers, first)
        accesses += accesses_in(one, numbers, first, len(accesses))
        values += crossing_values(one, first)
    edges = edges_of(blocks)
    files = tuple(dict.fromkeys([*spelling.values(), *(loop.file for loop in loops)]))
    files = tuple(file for file in files if file)
    placed_loops, pragmas, directives = matched_to_loops(
        loops,
        starts,
        pragmas_in(lines),
        directives_in(lines),
    )
    program = Program(
        level=level,
        functions=tuple(functions),
        blocks=tuple(blocks),
        edges=edges,
        loops=placed_loops,
        accesses=tuple(accesses),
        values=tuple(values),
        files=files,
        pragmas=pragmas,
        directives=directives,
        scops=tuple(scops_in(lines)),
    )
    return program, without_records(ir)


def edges_of(blocks: list[BasicBlock]) -> tuple[ControlFlowEdge, ...]:
    """All edges, in the order of their sources."""
    pairs = [(block.id, target) for block in blocks for target in block.successors]
    return tuple(ControlFlowEdge(id=n, source=a, target=b) for n, (a, b) in enumerate(pairs))


def blocks_of(function: FunctionIndex, numbers: Mapping[int, int], first: int) -> list[BasicBlock]:
    """The blocks of a function."""
    labels = {part.name: first + number for number, part in enumerate(function.body.blocks)}
    costs = arithmetic(function)
    result = []
    for number, part in enumerate(function.body.blocks):
        places = [function.debug.place(statement.location) for statement in part.statements]
        known = [place for place in places if place.line]
        lines = [place.line for place in known if place.file == known[0].file]
        innermost = function.shape.innermost.get(number)
        result.append(
            BasicBlock(
                id=first + number,
                function=function.body.name,
                name=part.name[1:].strip('"'),
                file=known[0].file if known else "",
                first_line=min(lines, default=0),
                last_line=max(lines, default=0),
                instructions=tuple(
                    instruction_of(function, statement, costs, labels)
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
    function: FunctionIndex,
    statement: Statement,
    costs: Mapping[str, tuple[int, int]],
    labels: Mapping[str, int],
) -> Instruction:
    """A statement as an instruction."""
    place = function.debug.place(statement.location)
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
        unrecorded=unrecorded(function, statement),
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
