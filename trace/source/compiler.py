"""The C compiler: zig's clang from pip or a system's, found, checked and run.

It is front end and linker only; passes and code generation are llvmlite's. Both share the bitcode
format, which newer readers understand and older ones do not: clang must not be newer than
llvmlite's LLVM.
"""

import atexit
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

from platformdirs import user_cache_path

from logca.common.arguments import checked_paths
from logca.common.errors import CompileError, TraceError
from logca.common.extras import MissingCompilerError, require
from logca.common.files import source_text
from logca.common.processes import command, find_program, search_path
from logca.common.programs import finished, threads

__all__ = [
    "VARIABLE",
    "Toolchain",
    "checked_sources",
    "ignored_flags",
    "outputs",
    "preprocessed",
    "run_compiler",
    "serial",
    "toolchain",
    "without_linking",
]

VARIABLE = "LOGCA_CC"
"""The variable of the environment that names a compiler."""
SECONDS_FOR_VERSION = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A C compiler."""

    kind: str  # ``zig`` or ``clang``
    command: tuple[str, ...]  # how to start it
    major: int  # the version of its clang [1]
    target: tuple[str, ...]  # options that say which machine to compile for

    def preprocess_command(
        self,
        source: Path,
        *,
        macros: bool,
        defines: Mapping[str, object],
        includes: Iterable[str],
        flags: Iterable[str],
    ) -> list[str]:
        """The command that prints a preprocessed C source."""
        options = self.options(defines=defines, includes=includes, flags=flags)
        only = ("-dM",) if macros else ()
        # of the front end's options those that define or undefine macros
        same = ("-O1", "-UNDEBUG")
        return [*self.command, *self.target, *same, *options, "-E", *only, str(source)]

    @staticmethod
    def options(
        *, defines: Mapping[str, object], includes: Iterable[str], flags: Iterable[str]
    ) -> list[str]:
        """Macros, folders of headers and the user's flags as options of the compiler."""
        macros = [f"-D{name}" if to is None else f"-D{name}={to}" for name, to in defines.items()]
        folders = [f"-I{folder}" for folder in includes]
        # last, so that headers of the user's own are found first
        return [*macros, *folders, *serial(flags), "-isystem", str(HEADERS)]

    def environment(self) -> dict[str, str]:
        """The environment to start it in: ours, and where zig may keep what it has compiled."""
        variables = os.environ | {"PATH": search_path()}
        if self.kind == "zig":
            for name, kind in (
                ("ZIG_GLOBAL_CACHE_DIR", "global"),
                ("ZIG_LOCAL_CACHE_DIR", "local"),
            ):
                if not variables.get(name):
                    variables[name] = str(zig_cache() / kind)
        return variables


@cache
def zig_cache() -> Path:
    """Where zig keeps what it has compiled: for this process only, where the user has no place."""
    folder = user_cache_path("logca") / "zig"
    try:
        for kind in ("global", "local"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="logca-zig-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def toolchain(compiler: str | None = None) -> Toolchain:
    """Find a C compiler."""
    require("llvmlite", "trace")
    if compiler is not None and not isinstance(compiler, str):
        raise TraceError(f"compiler must be zig, clang or the path of a clang, not {compiler!r}")
    chosen = compiler or os.environ.get(VARIABLE)
    if not chosen:
        chosen = "zig" if find_spec("ziglang") or not find_program("clang") else "clang"
    return checked_toolchain(chosen)


@lru_cache(maxsize=8)
def checked_toolchain(compiler: str) -> Toolchain:
    """The compiler of that name, checked."""
    if compiler == "zig":
        package = require("ziglang", "trace")
        # its `__main__` does no more than to become this program, and costs the start of a Python
        binary = Path(package.__file__).with_name("zig.exe" if os.name == "nt" else "zig")
        words = (str(binary), "cc") if binary.is_file() else tuple(command("ziglang", "cc"))
    else:
        path = find_program(compiler)
        if path is None:
            raise MissingCompilerError(
                f"there is no compiler {compiler!r}: name a clang that exists, "
                "or take zig's: pip install 'logca[trace]'"
            )
        words = (path,)
    kind = "zig" if compiler == "zig" else "clang"
    target = zig_target(platform.system(), platform.machine()) if kind == "zig" else ()
    result = Toolchain(kind=kind, command=words, major=0, target=target)
    major = version(compiler, result)
    newest = require("llvmlite.binding", "trace").llvm_version_info[0]
    if major > newest:
        raise TraceError(
            f"{compiler} is clang {major}, but llvmlite reads bitcode up to that of clang "
            f"{newest}: upgrade llvmlite, or choose an older clang with {VARIABLE}=PATH"
        )
    return Toolchain(kind=kind, command=words, major=major, target=target)


def version(compiler: str, tool: Toolchain) -> int:
    """The major version of a compiler's clang."""
    try:
        answer = subprocess.run(
            [*tool.command, "--version"],
            env=tool.environment(),
            capture_output=True,
            text=True,
            timeout=SECONDS_FOR_VERSION,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TraceError(f"{compiler} does not start: {error}") from error
    banner = re.search(r"clang version (\d+)", answer.stdout)
    if banner is None:
        said = (answer.stdout or answer.stderr).strip().splitlines()
        raise TraceError(
            f"{compiler} is no clang (it says: {said[0] if said else 'nothing'}): "
            "take zig, clang, or the path of a clang"
        )
    return int(banner.group(1))


def zig_target(system: str, machine: str) -> tuple[str, ...]:
    """Options of zig for this machine, so that its code does not depend on the exact processor.

    On Linux the oldest C library that llvmlite's wheels run on is meant. Darwin and Windows follow
    zig's documentation and are not tested here.

    Examples
    --------
    >>> zig_target("Linux", "x86_64")
    ('-target', 'x86_64-linux-gnu.2.28')
    """
    names = {"amd64": "x86_64", "arm64": "aarch64"}
    processor = names.get(machine.lower(), machine.lower())
    ends = {"Linux": "linux-gnu.2.28", "Darwin": "macos", "Windows": "windows-gnu"}
    if system not in ends or processor not in {"x86_64", "aarch64"}:
        return ()
    return ("-target", f"{processor}-{ends[system]}")


ERROR = re.compile(r"^(?P<place>.+?:\d+:\d+): (?:fatal )?error: (?P<message>.*)$", re.MULTILINE)
OF_CPP = re.compile(
    r"^[ \t]*(?:template\s*<|namespace\s+\w*\s*\{|using\s+\w|class\s+\w+\s*[{:]"
    r"|#[ \t]*include\s*<[a-z_]+>).*|.*(?:\bstd::|_cast<).*",
    re.MULTILINE,
)
"""Lines that C++ has and C has not."""
OTHER = re.compile(r"^(?:.*?: )?(?:fatal )?error: (.*)$", re.MULTILINE)


def first_error(source: Path, output: str) -> str:
    r"""The first error in what the compiler printed, with the place as the user writes it.

    Examples
    --------
    >>> first_error(Path("a.c"), "a.c:3:9: error: expected ';'\na.c:9:1: error: and so on")
    "a.c:3:9: error: expected ';' (and 1 more)"
    """
    found = list(ERROR.finditer(output))
    if found:
        place = found[0]["place"].replace(str(source.resolve()), str(source))
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return f"{place}: error: {found[0]['message']}{more}{cpp_hint(source)}"
    if other := OTHER.search(output):
        return f"{source}: error: {other.group(1)}"
    return f"{source}: the compiler failed: {output.strip() or 'it says nothing'}"


def cpp_hint(source: Path) -> str:
    """Words to append to an error where the source is C++ and not C."""
    text = source_text(source) or ""
    found = OF_CPP.search(text)
    if found is None:
        return ""
    line = 1 + text.count("\n", 0, found.start())
    return f"; line {line} is C++ ({found[0].strip()[:40]}), and only C is read: write it in C"


SECONDS_TO_COMPILE = 300
MEMORY_TO_COMPILE = 8 << 30
HEADERS = Path(__file__).with_name("include")
"""Folder of our omp.h and openacc.h, for programs that run on one thread."""
OPENMP = re.compile(r"-[fq]open(?:mp|acc)(?:[-=].*)?|-mp|-l(?:gomp|omp|iomp5)")
ON_ONE_THREAD = 201511
"""Value of ``_OPENMP`` where the user asks for OpenMP: that of version 4.5, yyyymm."""
FOR_THE_LINKER = ("-l", "-L", "-Wl,", "-pthread", "-static")


def checked_sources(sources: str | Path | Iterable[str | Path]) -> list[Path]:
    """The sources as paths of files that exist."""
    paths = checked_paths("sources", sources)
    if not paths:
        raise TraceError("no C source given: name at least one file")
    for path in paths:
        if path.is_dir():
            raise TraceError(f"{path} is a folder: name the C files in it")
        if not path.is_file():
            hint = "; write -D NAME=VALUE as one word" if str(path) == "=" else ""
            raise TraceError(f"there is no file {path}{hint}")
        if path.suffix != ".c":
            raise TraceError(
                f"{path} does not end in .c: C is read, and neither C++, CUDA, headers by"
                " themselves, nor what a preprocessor wrote; if it is C, give it that ending"
            )
    places = [path.resolve() for path in paths]
    twice = next((path for path in paths if places.count(path.resolve()) > 1), None)
    if twice is not None:
        raise TraceError(f"{twice} is named twice; name each C source once")
    return paths


def without_linking(flags: Iterable[str]) -> list[str]:
    """The flags that are not for the linker.

    Examples
    --------
    >>> without_linking(["-O2", "-lm"])
    ['-O2']
    """
    return [flag for flag in flags if not flag.startswith(FOR_THE_LINKER)]


def serial(flags: Iterable[str]) -> list[str]:
    """The flags for one thread: without those of OpenMP, but with the macro that it defines.

    Examples
    --------
    >>> serial(["-O2", "-fopenmp", "-lgomp"])
    ['-O2', '-D_OPENMP=201511']
    """
    kept = [flag for flag in flags if not OPENMP.fullmatch(flag)]
    asked = any(re.fullmatch(r"-[fq]openmp(?:=.*)?|-mp", flag) for flag in flags)
    return [*kept, *([f"-D_OPENMP={ON_ONE_THREAD}"] if asked else [])]


def ignored_flags(flags: Iterable[str]) -> str:
    """A note on flags of OpenMP and OpenACC, which are taken away; no text without any."""
    found = [flag for flag in dict.fromkeys(flags) if OPENMP.fullmatch(flag)]
    if not found:
        return ""
    return (
        f"compiled without {', '.join(found)}: directives are read from the source, and the "
        "program runs on one thread"
    )


def outputs(sources: Iterable[Path], commands: Iterable[list[str]], tool: Toolchain) -> list[str]:
    """Output of the compiler for each source, given a command for each; or its first error."""
    first, *others = commands
    with threads() as pool:
        beside = pool.map(partial(run_compiler, tool=tool), others)
        answers = [run_compiler(first, tool), *beside]
    for source, answer in zip(sources, answers, strict=True):
        if answer.returncode:
            raise CompileError(first_error(source, answer.stderr))
    return [answer.stdout for answer in answers]


def preprocessed(
    sources: str | Path | Iterable[str | Path],
    *,
    macros: bool = False,
    defines: Mapping[str, object],
    includes: Iterable[str | Path],
    flags: Iterable[str],
    compiler: str | None = None,
    dependencies: Iterable[Path] | None = None,
) -> dict[Path, str]:
    """Preprocessed text of each C source; with `macros` the definitions at its end.

    What each source includes is written into a file of its `dependencies`, if these are given.
    """
    paths, tool = checked_sources(sources), toolchain(compiler)
    folders, kept = [str(include) for include in includes], without_linking(flags)
    commands = [
        tool.preprocess_command(
            path.resolve(), macros=macros, defines=defines, includes=folders, flags=kept
        )
        for path in paths
    ]
    if dependencies is not None:
        # zig writes no module where it is asked for them as it compiles
        commands = [
            [*command, "-MD", "-MF", str(file), "-MT", "read"]
            for command, file in zip(commands, dependencies, strict=True)
        ]
    return dict(zip(paths, outputs(paths, commands, tool), strict=True))


def run_compiler(
    command: list[str], tool: Toolchain, *, folder: Path | None = None, task: str = "compiler"
) -> subprocess.CompletedProcess[str]:
    """The compiler's exit and output; a CompileError if it does not end."""
    try:
        # a source may include an endless file, which would take all memory
        done = finished(
            command,
            SECONDS_TO_COMPILE,
            environment=tool.environment(),
            folder=folder,
            memory_B=MEMORY_TO_COMPILE,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"the {task} did not end within {SECONDS_TO_COMPILE} s") from error
    out, err = (
        StringIO(octets.decode(errors="replace"), newline=None).read()
        for octets in (done.stdout, done.stderr)
    )
    return subprocess.CompletedProcess(command, done.returncode, out, err)
