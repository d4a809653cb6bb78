"""From C sources to one optimised module and what there is to say of it.

Front end and passes are chosen for each other: clang optimises nothing, and llvmlite's passes do so
at two levels. ``as-written`` promotes scalars to registers and drops empty blocks; every access to
an array in the source stays one load or store, and every branch stays a branch. Intrinsics, which
compilers' headers define as functions, become the instructions that they stand for. ``O1`` is
LLVM's own pipeline of that name, without the transformations that multiply a loop's body, or put a
library call in its place: unrolling, vectorising, interleaving, idioms of memset and memcpy.
"""

import ctypes
import gc
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from logca.common.arguments import checked_folders, checked_macros, checked_texts
from logca.common.errors import CompileError, TraceError
from logca.common.programs import threads
from logca.trace.compile.optimisation import optimised
from logca.trace.ir.module_text import replaced
from logca.trace.ir.program import Program
from logca.trace.ir.reading import program_of
from logca.trace.source.compiler import (
    VARIABLE,
    Toolchain,
    checked_sources,
    ignored_flags,
    outputs,
    preprocessed,
    serial,
    toolchain,
    without_linking,
)
from logca.trace.source.dependencies import compiled_among, dependencies_of
from logca.trace.source.pragmas import pragma_lines, with_pragmas

__all__ = ["Compiled", "all_kept", "compile_program", "give_back"]

LEVELS = ("as-written", "O1")
BITCODE = b"BC\xc0\xde"
FRONT_END = (
    # -O1 without the passes: lifetimes and alias metadata, and no function marked `optnone`
    *("-O1", "-Xclang", "-disable-llvm-passes", "-fno-inline", "-UNDEBUG"),
    # names of variables and places in the source, for the reports
    *("-g", "-fno-discard-value-names"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-ffp-contract=off"),
    *("-fno-builtin-printf", "-w", "-fno-color-diagnostics"),
    *("-emit-llvm", "-c"),
)
# ranks of what a debugger stops at: a quarter more places, of no use here
PLACES_ALONE = (22, "-gno-key-instructions")
NOT_FOR_ZIG = re.compile(r'[\\\t\r\n]|".*[ $#]|[ $#].*"')
"""Characters of a path that zig cannot read again where clang escapes them for `make`."""
MANY = 1 << 18
"""Objects that are looked through in less than a tenth of a second [1]."""


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
    note : str
        What to say of flags that were not taken; mostly no text.
    """

    ir: str = field(repr=False)
    program: Program
    toolchain: Toolchain
    link_flags: tuple[str, ...] = ()
    note: str = ""


def compile_program(
    sources: str | Path | Iterable[str | Path],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    inline: bool = False,
    by_elements: bool = False,
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
    by_elements : bool
        Whether local structures that are one array are copied in loops over its elements, as a
        thread of a GPU copies them.
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
        dependencies = [module.with_suffix(".d") for module in modules]
        commands = [
            compile_command(
                tool,
                path.resolve(),
                output,
                defines=defines,
                includes=includes,
                flags=compiling,
            )
            for path, output in zip(paths, modules, strict=True)
        ]
        with threads(1) as pool:
            texts = pool.submit(
                preprocessed,
                paths,
                defines=defines,
                includes=includes,
                flags=flags,
                compiler=compiler,
                dependencies=dependencies,
            )
            outputs(paths, commands, tool)
        for path, output in zip(paths, modules, strict=True):
            if not output.is_file() or output.read_bytes()[: len(BITCODE)] != BITCODE:
                raise CompileError(
                    f"{path}: the compiler wrote something else than a module: leave out flags that"
                    " say what it writes, such as -S or -E"
                )
        ir = optimised(
            (output.read_bytes() for output in modules),
            level=level,
            inline=inline,
            by_elements=by_elements,
        )
        preprocessed_texts = texts.result()
        read = dependencies_of(dependencies)
    give_back()
    text = without_records(ir)
    spelling = {str(path.resolve()): str(path) for path in paths}
    with all_kept():
        program, starts = program_of(ir, level=level, spelling=spelling)
    del ir
    give_back()
    compiled = compiled_among(files_named(program), spelling.values(), read)
    program = replace(program, compiled_files=compiled)
    program = with_pragmas(program, starts, pragma_lines(preprocessed_texts))
    linking = tuple(flag for flag in serial(flags) if flag not in serial(compiling))
    return Compiled(
        ir=text,
        program=program,
        toolchain=tool,
        link_flags=linking,
        note=ignored_flags(flags),
    )


@contextmanager
def all_kept() -> Iterator[None]:
    """A context in which nothing is looked through for garbage, nor later what is then there.

    Where millions of objects are made that stay, Python's collector takes a third of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # once for each generation it would go through all of them
        if gc.get_count()[0] > MANY:
            gc.freeze()
        if collects:
            gc.enable()


def give_back() -> None:
    """Give memory back that is not used any more: the C library keeps hundreds of MB in pieces."""
    # other C libraries than GNU's have no such function
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def checked_level(level: str) -> str:
    """The level.

    Examples
    --------
    >>> checked_level("O1")
    'O1'
    """
    if level not in LEVELS:
        raise TraceError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def compile_command(
    tool: Toolchain,
    source: Path,
    output: Path,
    *,
    defines: Mapping[str, object],
    includes: Iterable[str],
    flags: Iterable[str],
) -> list[str]:
    """The command that turns one C source into unoptimised LLVM bitcode."""
    if tool.kind == "zig" and (NOT_FOR_ZIG.search(str(source)) or ":" in source.name):
        raise TraceError(
            f"{str(source)!r}: zig takes no source whose path has a backslash, tab or end of line, "
            "or a double quote beside blanks, `$` or `#`, or whose name has a colon; "
            f"rename it, or choose a clang with {VARIABLE}=clang"
        )
    options = tool.options(defines=defines, includes=includes, flags=flags)
    since, alone = PLACES_ALONE
    front_end = (*FRONT_END, alone) if tool.major >= since else FRONT_END
    return [*tool.command, *tool.target, *front_end, *options, str(source), "-o", str(output)]


def files_named(program: Program) -> set[str]:
    """The files that places in a program are in."""
    parts = (program.functions, program.blocks, program.loops, program.accesses)
    return {each.file for some in parts for each in some} - {""}


def without_records(text: str) -> str:
    """The text without debug records, which code generation has no use for."""
    return replaced(text, "\n    #dbg_", lambda _line: None)
