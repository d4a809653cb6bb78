"""Passes of LLVM on a program's modules: linked, optimised at a level, and every value named.

A large program's functions are optimised in two halves, of which a process beside this one has the
second one.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from logca.common.errors import CompileError
from logca.common.extras import require
from logca.common.processes import answered, asked_beside
from logca.trace.compile.arguments_by_value import with_arguments_read
from logca.trace.compile.copies import copied_by_elements
from logca.trace.compile.halves import divisible, first_half, halved, joined
from logca.trace.compile.structures import (
    LOCAL,
    as_members,
    structures_of,
    without_undefined,
)
from logca.trace.ir.beside import is_long
from logca.trace.ir.control_flow import in_cycles
from logca.trace.ir.module_text import attributes_in, lines_with, replaced, with_attributes

__all__ = ["optimised", "parsed", "pass_builder"]

LIBRARY_IDIOMS = ("memset", "memcpy", "memmove", "strlen", "wcslen")
FEATURES = re.compile(r' "target-features"="([^"]*)"')
# what every machine of its kind has, and how zig would have code tuned
PLAIN = frozenset(
    {
        *("64bit", "cmov", "cx8", "fxsr", "mmx", "nopl", "sse", "sse2", "x87", "vzeroupper"),
        *("idivq-to-divl", "macrofusion", "slow-3ops-lea", "slow-incdec"),
        *("fp-armv8", "neon", "outline-atomics", "v8a"),
    }
)
ATTRIBUTES = re.compile(r"^attributes #\d+ = \{", re.MULTILINE)
GROUP = re.compile(r"^attributes #(\d+) = \{(.*)\}$", re.MULTILINE)
ALWAYS = re.compile(r"\balwaysinline\b")
DEFINED = re.compile(r'define .*?@([-\w.$]+|"[^"]*")\(.* #(\d+)\b')
WITH_DEBUG_DATA = re.compile(r"(define .*? #)(\d+)((?: .*)? !dbg .*)$")
# the names of functions that C allows have no quotes; those of some compilers' helpers do
CALLS = re.compile(r'\bcall\b[^@\n]*@([-\w.$]+|"[^"]*")\(')
# a call that lets the address escape keeps SROA from taking an array apart
KEEP = "logca.keep"


def optimised(
    bitcodes: Iterable[bytes], *, level: str, inline: bool, by_elements: bool = False
) -> str:
    """Link modules, optimise them and name every value."""
    text = with_pass_attributes(linked(bitcodes), inline=inline)
    if level == "as-written" and not inline:
        text = with_functions_kept(text)
        if by_elements:
            text = promoted(inlined_where_asked(text), by_elements=True)
        else:
            text = optimised_in_halves(text)
        return with_arguments_read(text)
    with parsed(text) as module:
        machine = machine_of(module)
        if inline:
            inlined(module, text, machine)
        run_passes(module, machine, ("instruction_namer",), pipeline=level == "O1")
        text = str(module)
    # after all passes, which would take what nobody reads for idle
    return with_arguments_read(text if level == "O1" else promoted(text, by_elements=by_elements))


def optimised_in_halves(text: str) -> str:
    """The module at the level as written; of a large one another process has the second half."""
    first = first_half(text) if is_long(text) else frozenset()
    if not first or not divisible(text):
        return optimised_as_written(text)
    one, two = halved(text, first, whole=always_inlined(text))
    with asked_beside("logca.trace.compile.optimisation", two) as answer:
        mine = optimised_as_written(one)
        return joined(mine, answer() or optimised_as_written(two), first)


def optimised_as_written(text: str) -> str:
    """The module at the level as written."""
    return promoted(inlined_where_asked(text))


def inlined_where_asked(text: str) -> str:
    """The module in which what asks always to be inlined is."""
    # a large program's module takes seconds to read and print: not where nothing is inlined
    if not always_inlined(text):
        return text
    with parsed(text) as module:
        run_passes(module, machine_of(module), ("always_inliner", "instruction_namer"))
        return str(module)


def promoted(text: str, *, by_elements: bool = False) -> str:
    """The module whose scalars are in registers, with no empty blocks."""
    text = as_members(copied_by_elements(text) if by_elements else text)
    with parsed(with_arrays_kept(text)) as module:
        for function in definitions(module):
            # keeps simplify_cfg from merging conditions and from executing what a branch guards
            function.add_function_attribute("optforfuzzing")
            # a write to address 0 is to crash as it does: simplify_cfg would put a trap there
            function.add_function_attribute("null_pointer_is_valid")
        passes = ("sroa", "simplify_cfg", "instruction_namer")
        run_passes(
            module, machine_of(module), (*(("always_inliner",) if by_elements else ()), *passes)
        )
        text = without_undefined(replaced(str(module), f"void @{KEEP}(", lambda _line: None))
        return text.replace(" optforfuzzing", "")


@contextmanager
def parsed(text: str) -> Iterator[Any]:
    """A module in a context of its own, which ends after it.

    Left to the garbage collector, as after an error, a context may end before its modules, which
    then end in memory that is not theirs any more. What LLVM does not read, a defect of ours, is a
    `CompileError`.
    """
    binding = require("llvmlite.binding", "trace")
    with binding.create_context() as context:
        try:
            read = binding.parse_assembly(text, context)
        except RuntimeError as error:
            said = str(error).splitlines()
            reason = next((line for line in said if "error: " in line), said[-1])
            raise CompileError(
                "LLVM does not read the program as it was rewritten, which is a defect of logca: "
                f"{reason.rpartition('error: ')[2]}; another --level may do, and please report it"
            ) from error
        del text
        with read as module:
            yield module


def machine_of(module: Any) -> Any:
    """The machine that a module is for."""
    binding = require("llvmlite.binding", "trace")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_triple(module.triple).create_target_machine(opt=1, reloc="pic")


def with_arrays_kept(text: str) -> str:
    """The module with a call after each local array, or structure with arrays, that keeps it."""
    structures = structures_of(text)

    def has_array(type_: str) -> bool:
        if re.search(r"\[\d+ x ", type_):
            return True
        inner = re.findall(r'%(?:[-\w.$]+|"[^"]*")', type_)
        return any(has_array(structures.get(name, "")) for name in inner)

    def kept(line: str) -> str:
        found = LOCAL.match(line)
        if found is None or not has_array(found.group(2).partition(", align")[0]):
            return line
        return f"{line}\n  call void @{KEEP}(ptr {found.group(1)})"

    return replaced(text, " = alloca ", kept) + f"\ndeclare void @{KEEP}(ptr)\n"


def linked(bitcodes: Iterable[bytes]) -> str:
    """One module of all, as text in which every value has a name."""
    binding = require("llvmlite.binding", "trace")
    with ExitStack() as stack:
        context = stack.enter_context(binding.create_context())
        first, *others = (
            stack.enter_context(binding.parse_bitcode(code, context)) for code in bitcodes
        )
        for other in others:
            try:
                first.link_in(other)
            except RuntimeError as error:
                raise CompileError(f"the files do not link: {error}") from error
        run_passes(first, machine_of(first), ("instruction_namer",))
        return str(first)


def with_pass_attributes(text: str, *, inline: bool) -> str:
    """The module without what the front end says to the passes and we do not mean."""
    # of each function, for `-fno-builtin` would make calls of sqrt or fabs opaque as well
    idioms = " ".join(f'"no-builtin-{name}"' for name in LIBRARY_IDIOMS)

    def changed(groups: str) -> str:
        groups = FEATURES.sub(lambda found: features_attribute(found[1]), groups)
        groups = ATTRIBUTES.sub(lambda found: f"{found.group()} {idioms}", groups)
        return re.sub(r" (?:noinline|optnone)\b", "", groups) if inline else groups

    # C99's `inline` without a definition elsewhere is an error of the linker at -O0 only
    text = text.replace("define available_externally", "define linkonce_odr")
    return with_attributes(text, changed)


def with_functions_kept(text: str) -> str:
    """The module in which functions that ask always to be inlined do so only without debug data.

    Those are the intrinsics of a machine: what they access belongs to the line that calls them. A
    function that the user wrote stays one that can be asked for by its name.
    """
    groups = groups_in(text)
    new = 1 + max(map(int, groups), default=0)
    kept = {
        number: str(new + int(number))
        for number, content in groups.items()
        if ALWAYS.search(content)
    }
    if not kept:
        return text
    text = replaced(
        text,
        "\ndefine ",
        lambda line: WITH_DEBUG_DATA.sub(
            lambda found: f"{found[1]}{kept.get(found[2], found[2])}{found[3]}", line
        ),
    )
    more = (
        f"attributes #{other} = {{{ALWAYS.sub('', groups[number])}}}\n"
        for number, other in kept.items()
    )
    return text + "\n" + "".join(more)


def groups_in(text: str) -> dict[str, str]:
    """Contents of the groups of attributes, by their numbers."""
    start, end = attributes_in(text)
    return dict(GROUP.findall(text[start:end]))


def always_inlined(text: str) -> frozenset[str]:
    """The functions of a module that are to be inlined wherever they are called."""
    groups = {number for number, content in groups_in(text).items() if ALWAYS.search(content)}
    if not groups:
        return frozenset()
    definitions = (DEFINED.match(line) for _, line in lines_with(text, "\ndefine "))
    return frozenset(found[1].strip('"') for found in definitions if found and found[2] in groups)


def features_attribute(features: str) -> str:
    """The attribute for what a function asks of the machine beyond the plain one.

    Examples
    --------
    >>> features_attribute("+avx,+sse2,-sse3")
    ' "target-features"="+avx"'
    >>> features_attribute("+cmov,+sse2,-avx")
    ''
    """
    more = [each for each in features.split(",") if each[:1] == "+" and each[1:] not in PLAIN]
    return f' "target-features"="{",".join(more)}"' if more else ""


def definitions(module: Any) -> list[Any]:
    """The functions of a module that have a body."""
    return [function for function in module.functions if not function.is_declaration]


def recursive(text: str) -> frozenset[str]:
    """Names of the functions that call themselves, directly or through others."""
    calls = []
    for definition in re.split(r"^define ", text, flags=re.MULTILINE)[1:]:
        definition = definition.partition("\n}")[0]
        name = re.search(r'@([-\w.$]+|"[^"]*")\(', definition)
        if name:
            calls += [(name.group(1), callee) for callee in CALLS.findall(definition)]
    return in_cycles((one.strip('"'), other.strip('"')) for one, other in calls)


def attributes(function: Any) -> str:
    """The attributes of a function as they are printed."""
    return "".join(f" {each.decode()}" for each in function.attributes)


def target_features(function: Any) -> frozenset[str]:
    """Features that a function asks of the machine beyond the plain ones."""
    found = FEATURES.search(attributes(function))
    return frozenset(found[1].split(",")) if found else frozenset()


def inlined(module: Any, text: str, machine: Any) -> None:
    """Inline every call that can be, and drop functions that are then not called any more."""
    repeated = recursive(text)
    functions = definitions(module)
    whole = any(function.name == "main" for function in functions)
    extended = {function.name: target_features(function) for function in functions}
    for function in functions:
        if function.name == "main":
            continue
        words = attributes(function).split()
        # a naked function is assembly code that returns by itself; one for another machine than
        # its callers cannot be a part of them, except if it was written to be
        other = extended[function.name] - extended.get("main", frozenset())
        kept = (
            function.name in repeated or "naked" in words or (other and "alwaysinline" not in words)
        )
        function.add_function_attribute("noinline" if kept else "alwaysinline")
        if whole:
            function.visibility = "default"
            function.linkage = "internal"
    run_passes(module, machine, ("always_inliner", "global_dead_code_eliminate"))


def pass_builder(machine: Any, *, speed: int, multiply: bool) -> Any:
    """The maker of LLVM's pipeline of a level, with or without what multiplies a loop's body."""
    binding = require("llvmlite.binding", "trace")
    options = binding.create_pipeline_tuning_options(speed_level=speed)
    options.loop_vectorization = options.slp_vectorization = multiply
    options.loop_unrolling = options.loop_interleaving = multiply
    return binding.create_pass_builder(machine, options)


def run_passes(module: Any, machine: Any, passes: Iterable[str], *, pipeline: bool = False) -> None:
    """Run passes by their names in llvmlite, after LLVM's own pipeline if that is asked for."""
    binding = require("llvmlite.binding", "trace")
    builder = pass_builder(machine, speed=1, multiply=False)
    manager = builder.getModulePassManager() if pipeline else None
    if manager is None:
        manager = binding.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)


if __name__ == "__main__":
    answered(optimised_as_written)
    os._exit(0)  # taking down what a large module consists of takes a second
