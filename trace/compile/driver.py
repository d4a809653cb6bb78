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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logca.common.arguments import checked_folders, checked_macros, checked_texts
from logca.common.errors import CompileError, TraceError
from logca.common.extras import require
from logca.common.programs import threads
from logca.trace.compile.copies import copied_by_elements
from logca.trace.compile.structures import (
    LOCAL,
    as_members,
    structures_of,
    without_undefined,
)
from logca.trace.ir.control_flow import in_cycles
from logca.trace.ir.module_text import (
    attributes_in,
    lines_with,
    replaced,
    with_attributes,
)
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
from logca.trace.source.pragmas import pragma_lines, with_pragmas

__all__ = ["Compiled", "all_kept", "compile_program", "give_back", "parsed", "pass_builder"]

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
DEFINED = re.compile(r"define .*? #(\d+)\b")
WITH_DEBUG_DATA = re.compile(r"(define .*? #)(\d+)((?: .*)? !dbg .*)$")
NOT_FOR_ZIG = re.compile(r'[\\\t\r\n]|".*[ $#]|[ $#].*"')
"""Characters of a path that zig cannot read again where clang escapes them for `make`."""
# the names of functions that C allows have no quotes; those of some compilers' helpers do
CALLS = re.compile(r'\bcall\b[^@\n]*@([-\w.$]+|"[^"]*")\(')
MANY = 1 << 18
"""Objects that are looked through in less than a tenth of a second [1]."""
# a call that lets the address escape keeps SROA from taking an array apart
KEEP = "logca.keep"


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
    give_back()
    text = without_records(ir)
    spelling = {str(path.resolve()): str(path) for path in paths}
    with all_kept():
        program, starts = program_of(ir, level=level, spelling=spelling)
    del ir
    give_back()
    program = with_pragmas(program, starts, pragma_lines(texts.result()))
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
            f"{source}: zig takes no source whose path has a backslash, tab or end of line, or "
            "a double quote beside blanks, `$` or `#`, or whose name has a colon; "
            f"rename it, or choose a clang with {VARIABLE}=clang"
        )
    options = tool.options(defines=defines, includes=includes, flags=flags)
    since, alone = PLACES_ALONE
    front_end = (*FRONT_END, alone) if tool.major >= since else FRONT_END
    return [*tool.command, *tool.target, *front_end, *options, str(source), "-o", str(output)]


def optimised(
    bitcodes: Iterable[bytes], *, level: str, inline: bool, by_elements: bool = False
) -> str:
    """Link modules, optimise them and name every value."""
    binding = require("llvmlite.binding", "trace")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    text = with_pass_attributes(linked(bitcodes), inline=inline)
    if level == "as-written" and not inline:
        text = with_functions_kept(text)
    # a large program's module takes seconds to read and print: not where nothing is inlined
    if inline or level == "O1" or asks_to_inline(text):
        with parsed(text) as module:
            machine = machine_of(module)
            if inline:
                inlined(module, text, machine)
            elif level == "as-written":
                run_passes(module, machine, ("always_inliner",))
            if level == "O1":
                run_passes(module, machine, ("instruction_namer",), pipeline=True)
                return str(module)
            run_passes(module, machine, ("instruction_namer",))
            text = str(module)
    text = as_members(copied_by_elements(text) if by_elements else text)
    with parsed(with_arrays_kept(text)) as module:
        machine = machine_of(module)
        for function in definitions(module):
            # keeps simplify_cfg from merging conditions and from executing what a branch guards
            function.add_function_attribute("optforfuzzing")
            # a write to address 0 is to crash as it does: simplify_cfg would put a trap there
            function.add_function_attribute("null_pointer_is_valid")
        passes = ("sroa", "simplify_cfg", "instruction_namer")
        run_passes(module, machine, (*(("always_inliner",) if by_elements else ()), *passes))
        text = without_undefined(replaced(str(module), f"void @{KEEP}(", lambda _line: None))
        return text.replace(" optforfuzzing", "")


def without_records(text: str) -> str:
    """The text without debug records, which code generation has no use for."""
    return replaced(text, "\n    #dbg_", lambda _line: None)


@contextmanager
def parsed(text: str) -> Iterator[Any]:
    """A module in a context of its own, which ends after it.

    Left to the garbage collector, as after an error, a context may end before its modules, which
    then end in memory that is not theirs any more.
    """
    binding = require("llvmlite.binding", "trace")
    with binding.create_context() as context, binding.parse_assembly(text, context) as module:
        del text
        yield module


def machine_of(module: Any) -> Any:
    """The machine that a module is for."""
    binding = require("llvmlite.binding", "trace")
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


def asks_to_inline(text: str) -> bool:
    """True if a function of a module is to be inlined wherever it is called."""
    groups = {number for number, content in groups_in(text).items() if ALWAYS.search(content)}
    return bool(groups) and any(
        (found := DEFINED.match(line)) and found[1] in groups
        for _, line in lines_with(text, "\ndefine ")
    )


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
