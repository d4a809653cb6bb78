"""Machine code from LLVM's assembly, and programs linked of it.

LLVM answers a mistake in inline assembly, or an instruction that the machine does not have, by
ending its process: a module that has any such thing is compiled in a process of its own, for which
this module is also a program. So is a large module, whose memory then comes on top of nothing.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path

from logca.common.errors import CompileError
from logca.common.extras import require
from logca.common.processes import command
from logca.trace.compile.driver import give_back
from logca.trace.compile.halves import share, shared_names
from logca.trace.compile.optimisation import parsed, pass_builder
from logca.trace.compile.structures import structures_of
from logca.trace.ir import types
from logca.trace.ir.module_text import lines_with, with_attributes
from logca.trace.ir.operands import type_at
from logca.trace.source.compiler import Toolchain, run_compiler

__all__ = ["NATIVE", "QUICK", "USUAL", "emit", "is_large", "link", "link_command"]

DANGEROUS = (
    re.compile(r'asm (?:[a-z]+ )*"'),
    re.compile(r"@llvm\.(?:x86|aarch64|arm|instrprof)\."),
)
LINK = ("-O2", "-fno-sanitize=undefined", "-fno-stack-protector", "-w")
SECONDS = 300
TOLD = 3
"""Status of a process that says by itself why there is no code; others are LLVM's and Python's."""
DIVISION = re.compile(
    r"  (?P<start>%\S+ = [su](?:div|rem) (?P<type>i(?:8|16|32|64)) [^,\s]+), (?P<by>0|%[^,\s]+)"
    r"(?=,|$)"
)
ZERO = re.compile(r"  (%\S+) = (?:sext|zext|trunc) i\d+ 0 to ")
VARIABLE = re.compile(r"^@.*? (?:global|constant) (?=\S)", re.MULTILINE)
NEAR = 1 << 30
"""Static data that code with short addresses reaches for sure, with room for the libraries' [B]."""
LARGE_TEXT = 1 << 23
"""Longest assembly, before records are added, that is optimised as code: 20,000 lines of C [B]."""
OWN = "@__logca_trace_"
QUICK, USUAL, NATIVE = "0", "2", "3-native"
"""Levels: for large programs; for all others; all that LLVM can do on the machine at hand."""
NOT_NATIVE = re.compile(
    r' "(?:target-cpu|tune-cpu|target-features|no-builtin-[^"]*|no-builtins)"(?:="[^"]*")?'
    r" | (?:noinline|optnone|null_pointer_is_valid|allockind\([^)]*\))(?= )"
)
LARGE = 1 << 16
"""Least size of a variable with a long address, where all static data exceed `NEAR` [B]."""


def link_command(
    toolchain: Toolchain, inputs: Iterable[Path], output: Path, *, flags: Iterable[str] = ()
) -> list[str]:
    """The command that links objects, and C sources compiled on the way, to a program."""
    words = [*toolchain.command, *toolchain.target, *LINK, *map(str, inputs), "-o", str(output)]
    return [*words, *flags, *(() if sys.platform == "win32" else ("-lm",))]


def is_large(ir: str) -> bool:
    """True if selecting good instructions for a program takes longer than most of its runs."""
    return len(ir) > LARGE_TEXT


def link(
    objects: Iterable[Path],
    folder: Path,
    toolchain: Toolchain,
    flags: Sequence[str],
    *,
    name: str = "program",
) -> Path:
    """The executable of object files, and of C sources that start before their constructors."""
    executable = folder / name
    command = link_command(toolchain, objects, executable, flags=("-no-pie", *flags))
    answer = run_compiler(command, toolchain, folder=folder, task="linker")
    if re.search(r"relocation .* out of range", answer.stderr):
        raise CompileError(
            "the program does not link: its static variables are more than this machine's code can"
            " reach; allocate the large ones with malloc"
        )
    if answer.returncode:
        said = [line for line in answer.stderr.splitlines() if "error" in line] or ["no message"]
        raise CompileError("the program does not link: " + "; ".join(said[:3]))
    return executable


def emit(ir: str, path: Path, *, level: str = USUAL) -> Path:
    """Write the object file of a module, and return where."""
    if level == USUAL and not is_dangerous(ir):
        path.write_bytes(machine_code(ir, level))
        return path
    assembly = path.with_suffix(".ll")
    assembly.write_bytes(ir.encode())
    del ir
    answer = subprocess.run(
        command("logca.trace.compile.machine_code", str(assembly), str(path), level),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    told = answer.stderr.decode(errors="replace").strip()
    if answer.returncode == TOLD:
        raise CompileError(told)
    if answer.returncode:
        said = told.splitlines()
        reason = next(
            (line for line in said if "error" in line.lower()), said[-1] if said else "no message"
        )
        raise CompileError(f"LLVM refuses the program's code for this machine: {reason}")
    return path


def is_dangerous(ir: str) -> bool:
    """True if LLVM may end its process over a module.

    Examples
    --------
    >>> is_dangerous('module asm "nop"'), is_dangerous("define void @f() {")
    (True, False)
    """
    return any(each.search(ir) for each in DANGEROUS)


def with_divisions(ir: str) -> str:
    r"""The module, whose divisions by a constant zero stay: LLVM would leave them out.

    Examples
    --------
    >>> print(with_divisions("  %x = sdiv i32 5, 0"))
      %.logca.zero0 = call i32 asm sideeffect "", "=r,0"(i32 0)
      %x = sdiv i32 5, %.logca.zero0
    """
    zeros = {found[1] for _, line in lines_with(ir, " 0 to ") if (found := ZERO.match(line))}
    numbers = count()
    pieces, last = [], 0
    divisions = [each for word in ("div i", "rem i") for each in lines_with(ir, word)]
    for start, line in sorted(divisions):
        found = DIVISION.match(line)
        if found is None or found["by"] not in {"0", *zeros}:
            continue
        zero = f"%.logca.zero{next(numbers)}"
        type_, by = found["type"], found["by"]
        pieces += [
            ir[last:start],
            f'  {zero} = call {type_} asm sideeffect "", "=r,0"({type_} {by})\n',
            f"  {found['start']}, {zero}",
        ]
        last = start + found.end()
    return "".join([*pieces, ir[last:]])


def with_long_addresses(ir: str) -> str:
    r"""The module, whose large static variables may lie anywhere if they are many GiB together.

    Examples
    --------
    >>> with_long_addresses("@a = internal global [9000000000 x i8] zeroinitializer, align 16\n")
    '@a = internal global [9000000000 x i8] zeroinitializer, align 16, code_model "large"\n'
    """
    # all of them, but for the tracer's, are before the functions
    functions = ir.find("\ndefine ")
    head = ir if functions < 0 else ir[:functions]
    structures = structures_of(head)
    sizes = {
        found.start(): types.size_of(type_at(head, found.end())[0], structures)
        for found in VARIABLE.finditer(head)
        if " thread_local" not in found[0] and not found[0].startswith(OWN)
    }
    if sum(sizes.values()) <= NEAR:
        return ir
    pieces, last = [], 0
    for start, size in sizes.items():
        if size >= LARGE:
            end = ir.index("\n", start)
            pieces += [ir[last:end], ', code_model "large"']
            last = end
    return "".join([*pieces, ir[last:]])


def machine_code(ir: str, level: str) -> bytes:
    """The object file of a module, at one of the levels of this file."""
    binding = require("llvmlite.binding", "trace")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    shared = shared_names(ir)
    ir = with_long_addresses(with_divisions(ir))
    # reading a module with debug data verifies it
    with parsed(for_this_machine(ir) if level == NATIVE else ir) as module:
        del ir
        if level == QUICK:
            give_back()
        if shared is not None:
            share(module, shared)
        target = binding.Target.from_triple(module.triple)
        own = (
            {
                "cpu": binding.get_host_cpu_name(),
                "features": binding.get_host_cpu_features().flatten(),
            }
            if level == NATIVE
            else {}
        )
        machine = target.create_target_machine(
            opt=int(level.removesuffix("-native")), reloc="static", codemodel="small", **own
        )
        if level == NATIVE:
            # as `clang -O3` does
            builder = pass_builder(machine, speed=3, multiply=True)
            builder.getModulePassManager().run(module, builder)
        try:
            code: bytes = machine.emit_object(module)
        except SystemError:  # of ctypes, whose sizes end at 2 GiB
            raise CompileError(
                "the program's code and data have 2 GiB and more: give large arrays their values "
                "in main, and not where they are declared"
            ) from None
        return code


def for_this_machine(ir: str) -> str:
    """The module without what keeps the optimiser from code of the best kind for this machine."""
    return with_attributes(ir, lambda groups: NOT_NATIVE.sub("", groups))


if __name__ == "__main__":
    assembly, output, level = sys.argv[1:]
    try:
        Path(output).write_bytes(machine_code(Path(assembly).read_text("utf-8"), level))
    except CompileError as error:
        sys.stderr.write(str(error))
        sys.exit(TOLD)
    sys.stdout.flush()
    os._exit(0)  # taking down what a large module consists of takes a second
