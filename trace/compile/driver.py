"""From C sources to one optimised module and what there is to say of it."""

import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.common.arguments import checked_folders, checked_macros, checked_texts
from logca.common.errors import CompileError, TraceError
from logca.trace.compile.optimisation import optimised, without_records
from logca.trace.ir.program import Program
from logca.trace.ir.reading import program_of
from logca.trace.source.compiler import (
    Toolchain,
    checked_sources,
    outputs,
    preprocessed,
    toolchain,
    without_linking,
)
from logca.trace.source.pragmas import pragma_lines, with_pragmas

__all__ = ["Compiled", "compile_program"]

LEVELS = ("as-written", "O1")
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
            texts = pool.submit(
                preprocessed,
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
    text = without_records(ir)
    spelling = {str(path.resolve()): str(path) for path in paths}
    program, starts = program_of(ir, level=level, spelling=spelling)
    program = with_pragmas(program, starts, pragma_lines(texts.result()))
    linking = tuple(flag for flag in flags if flag not in compiling)
    return Compiled(ir=text, program=program, toolchain=tool, link_flags=linking)


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
