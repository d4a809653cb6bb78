"""Machine code from LLVM's assembly.

LLVM answers a mistake in inline assembly, or an instruction that the machine does not have, by
ending its process: a module that has any such thing is compiled in a process of its own, for which
this module is also a program.
"""

import re
import subprocess
import sys
from pathlib import Path

from logca.trace.errors import CompileError, require
from logca.trace.levels import parsed

__all__ = ["emit"]

DANGEROUS = re.compile(
    r'^module asm |\basm (?:[a-z]+ )*"|@llvm\.(?:x86|aarch64|arm|instrprof)\.', re.MULTILINE
)
SECONDS = 300


def emit(ir: str, path: Path) -> None:
    """Write the object file of a module.

    Parameters
    ----------
    ir : str
        The module [text].
    path : Path
        The object file.

    Raises
    ------
    CompileError
        If LLVM refuses its inline assembly, or what it asks of the machine.
    """
    if not DANGEROUS.search(ir):
        path.write_bytes(machine_code(ir))
        return
    command = [sys.executable, "-m", "logca.trace.codegen", str(path)]
    answer = subprocess.run(
        command, input=ir.encode(), capture_output=True, timeout=SECONDS, check=False
    )
    if answer.returncode:
        said = answer.stderr.decode(errors="replace").strip().splitlines()
        reason = next(
            (line for line in said if "error" in line.lower()), said[-1] if said else "no message"
        )
        raise CompileError(f"LLVM refuses the program's code for this machine: {reason}")


def machine_code(ir: str) -> bytes:
    """The object file of a module."""
    binding = require("llvmlite.binding")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    with parsed(ir) as module:
        module.verify()
        target = binding.Target.from_triple(module.triple)
        machine = target.create_target_machine(opt=2, reloc="static", codemodel="small")
        code: bytes = machine.emit_object(module)
        return code


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(machine_code(sys.stdin.read()))
