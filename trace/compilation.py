"""From C sources to one optimised module and what there is to say of it."""

import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.trace.diagnostics import complaint
from logca.trace.errors import CompileError, TraceError
from logca.trace.levels import checked_level, optimised
from logca.trace.program import Program
from logca.trace.reading import program_of
from logca.trace.toolchain import Toolchain, toolchain

__all__ = ["Compiled", "compile_program"]

SECONDS_TO_COMPILE = 300
BITCODE = b"BC\xc0\xde"
FOR_THE_LINKER = ("-l", "-L", "-Wl,", "-pthread", "-static")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A compiled program, not yet instrumented.

    Parameters
    ----------
    ir : str
        The optimised module in LLVM's assembly; every value has a name [text].
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
        ``as-written`` or ``O1`` [text].
    inline : bool
        Whether every call to a function of these sources that is not recursive is inlined, so that
        each place in the code has one chain of loops around it.
    compiler : str, optional
        ``zig``, ``clang`` or a path [text]; see `toolchain`.

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
    paths = checked(sources)
    tool = toolchain(compiler)
    flags = tuple(flags)
    linking = tuple(flag for flag in flags if flag.startswith(FOR_THE_LINKER))
    with tempfile.TemporaryDirectory(prefix="logca-") as folder:
        outputs = [Path(folder, f"{number}.bc") for number in range(len(paths))]
        commands = [
            tool.compile_command(
                path.resolve(),
                output,
                defines=defines or {},
                includes=[str(include) for include in includes],
                flags=[flag for flag in flags if flag not in linking],
            )
            for path, output in zip(paths, outputs, strict=True)
        ]
        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(lambda command: run(command, tool), commands))
        for path, answer in zip(paths, answers, strict=True):
            if answer.returncode:
                raise CompileError(complaint(path, answer.stderr))
        for path, output in zip(paths, outputs, strict=True):
            if not output.is_file() or output.read_bytes()[: len(BITCODE)] != BITCODE:
                raise CompileError(
                    f"{path}: the compiler wrote something else than a module: leave out flags that"
                    " say what it writes, such as -S or -E"
                )
        ir = optimised((output.read_bytes() for output in outputs), level=level, inline=inline)
    spelling = {str(path.resolve()): str(path) for path in paths}
    program, text = program_of(ir, level=level, spelling=spelling)
    return Compiled(ir=text, program=program, toolchain=tool, link_flags=linking)


def checked(sources: str | Path | Iterable[str | Path]) -> list[Path]:
    """The sources as paths of files that exist."""
    paths = [Path(sources)] if isinstance(sources, str | Path) else [Path(path) for path in sources]
    if not paths:
        raise TraceError("no C source given: name at least one file")
    for path in paths:
        if path.is_dir():
            raise TraceError(f"{path} is a folder: name the C files in it")
        if not path.is_file():
            raise TraceError(f"there is no file {path}")
    if len({path.resolve() for path in paths}) < len(paths):
        raise TraceError("a C source is named twice")
    return paths


def run(command: list[str], tool: Toolchain) -> subprocess.CompletedProcess[str]:
    """Run the compiler."""
    try:
        return subprocess.run(
            command,
            env=tool.environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS_TO_COMPILE,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"the compiler did not end within {SECONDS_TO_COMPILE} s") from error
