"""From instrumented text to an executable."""

import re
import subprocess
from pathlib import Path

from logca.trace.codegen import emit
from logca.trace.compilation import Compiled
from logca.trace.errors import CompileError, TraceError

__all__ = ["RUNTIME", "built"]

RUNTIME = Path(__file__).with_name("runtime.c")
SECONDS_TO_LINK = 300


def built(compiled: Compiled, ir: str, folder: Path) -> Path:
    """Generate code for a text, and link it with the runtime.

    Parameters
    ----------
    compiled : Compiled
        The program before it was instrumented.
    ir : str
        Its text now [text].
    folder : Path
        Where the executable is to be.

    Raises
    ------
    TraceError
        If it has no function `main`.
    CompileError
        If it cannot be linked: the linker's first messages.
    """
    if all(function.name != "main" for function in compiled.program.functions):
        raise TraceError("the program has no function main: name the file that has it too")
    program, executable = folder / "program.o", folder / "program"
    emit(ir, program)
    # the runtime stands first: it starts before the constructors of the program
    command = compiled.toolchain.link_command(
        [RUNTIME, program], executable, flags=("-no-pie", *compiled.link_flags)
    )
    try:
        answer = subprocess.run(
            command,
            env=compiled.toolchain.environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS_TO_LINK,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"the linker did not end within {SECONDS_TO_LINK} s") from error
    if re.search(r"relocation .* out of range", answer.stderr):
        raise CompileError(
            "the program does not link: its static variables are more than this machine's code can"
            " reach; allocate the large ones with malloc"
        )
    if answer.returncode:
        said = [line for line in answer.stderr.splitlines() if "error" in line] or ["no message"]
        raise CompileError("the program does not link: " + "; ".join(said[:3]))
    return executable
