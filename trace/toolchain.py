"""The C compiler that reads sources and links programs: zig's clang from pip, or a system's clang.

The compiler is front end and linker only; passes and code generation are llvmlite's. Compiler and
llvmlite share the bitcode format, which newer readers understand and older ones do not: clang must
not be newer than llvmlite's LLVM.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path

from logca.trace.errors import MissingCompilerError, TraceError, require

__all__ = ["Toolchain", "toolchain"]

VARIABLE = "LOGCA_CC"
SECONDS_FOR_VERSION = 120
FRONT_END = (
    # -O1 without the passes: lifetimes and alias metadata, and no function marked `optnone`
    *("-O1", "-Xclang", "-disable-llvm-passes", "-fno-inline", "-UNDEBUG"),
    # names of variables and places in the source, for the reports
    *("-g", "-fno-discard-value-names"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-ffp-contract=off"),
    *("-fno-builtin-printf", "-w", "-fno-color-diagnostics"),
    *("-emit-llvm", "-c"),
)
LINK = ("-O2", "-fno-sanitize=undefined", "-fno-stack-protector", "-w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A C compiler.

    Parameters
    ----------
    kind : str
        ``zig`` or ``clang`` [text].
    command : tuple of str
        How to start it.
    major : int
        The version of its clang [1].
    target : tuple of str
        Options that say which machine to compile for.
    """

    kind: str
    command: tuple[str, ...]
    major: int
    target: tuple[str, ...]

    def compile_command(
        self,
        source: Path,
        output: Path,
        *,
        defines: Mapping[str, object],
        includes: Iterable[str],
        flags: Iterable[str],
    ) -> list[str]:
        """The command that turns one C source into unoptimised LLVM bitcode.

        Parameters
        ----------
        source, output : Path
            C source and bitcode file.
        defines : mapping
            Macros; one without a value is defined as 1, as by the compiler.
        includes : iterable of str
            Folders searched for headers.
        flags : iterable of str
            Further options of the compiler.

        Raises
        ------
        TraceError
            If zig does not take the name of the source.
        """
        if self.kind == "zig" and (re.search(r"[\\\n]", str(source)) or ":" in source.name):
            raise TraceError(
                f"{source}: zig takes no source whose path has a backslash or an end of line, or "
                f"whose name has a colon; rename it, or choose a clang with {VARIABLE}=clang"
            )
        options = self.options(defines=defines, includes=includes, flags=flags)
        return [*self.command, *self.target, *FRONT_END, *options, str(source), "-o", str(output)]

    def preprocess_command(
        self,
        source: Path,
        *,
        macros: bool,
        defines: Mapping[str, object],
        includes: Iterable[str],
        flags: Iterable[str],
    ) -> list[str]:
        """The command that prints a preprocessed C source.

        Parameters
        ----------
        source : Path
            C source.
        macros : bool
            Whether to print the macros instead that are defined at its end.
        defines, includes, flags
            As in `compile_command`.
        """
        options = self.options(defines=defines, includes=includes, flags=flags)
        only = ("-dM",) if macros else ()
        same = ("-O1", "-UNDEBUG")
        return [*self.command, *self.target, *same, *options, "-E", *only, str(source)]

    @staticmethod
    def options(
        *, defines: Mapping[str, object], includes: Iterable[str], flags: Iterable[str]
    ) -> list[str]:
        """Macros, folders of headers and the user's flags as options of the compiler."""
        macros = [f"-D{name}" if to is None else f"-D{name}={to}" for name, to in defines.items()]
        return [*macros, *(f"-I{folder}" for folder in includes), *flags]

    def link_command(
        self, inputs: Iterable[Path], output: Path, *, flags: Iterable[str] = ()
    ) -> list[str]:
        """The command that links objects, and C sources compiled on the way, to a program.

        Parameters
        ----------
        inputs : iterable of Path
            Objects and C sources.
        output : Path
            The program.
        flags : iterable of str
            Further options, libraries among them; C's mathematical functions are always there.
        """
        mathematics = () if sys.platform == "win32" else ("-lm",)
        files = map(str, inputs)
        return [*self.command, *self.target, *LINK, *files, "-o", str(output), *flags, *mathematics]

    def environment(self) -> dict[str, str]:
        """The environment to start it in: ours, and where zig may keep what it has compiled."""
        variables = dict(os.environ)
        if self.kind == "zig":
            cache = user_cache_path("logca") / "zig"
            for name, folder in (
                ("ZIG_GLOBAL_CACHE_DIR", cache / "global"),
                ("ZIG_LOCAL_CACHE_DIR", cache / "local"),
            ):
                if not variables.get(name):
                    folder.mkdir(parents=True, exist_ok=True)
                    variables[name] = str(folder)
        return variables


def toolchain(compiler: str | None = None) -> Toolchain:
    """Find a C compiler.

    Parameters
    ----------
    compiler : str, optional
        ``zig``, ``clang`` or the path of a clang [text]; otherwise what the environment variable
        ``LOGCA_CC`` says, otherwise zig if it is installed, otherwise clang.

    Raises
    ------
    MissingCompilerError
        If none is installed.
    TraceError
        If it is no clang, or newer than llvmlite's LLVM.
    """
    require("llvmlite")
    if compiler is not None and not isinstance(compiler, str):
        raise TraceError(f"compiler must be zig, clang or the path of a clang, not {compiler!r}")
    chosen = compiler or os.environ.get(VARIABLE)
    if not chosen:
        chosen = "zig" if find_spec("ziglang") or not shutil.which("clang") else "clang"
    return found(chosen)


@lru_cache(maxsize=8)
def found(compiler: str) -> Toolchain:
    """The compiler of that name, checked."""
    if compiler == "zig":
        require("ziglang")
        command: tuple[str, ...] = (sys.executable, "-m", "ziglang", "cc")
    else:
        path = shutil.which(compiler)
        if path is None:
            raise MissingCompilerError(
                f"there is no compiler {compiler!r}: name a clang that exists, "
                "or take zig's: pip install 'logca[trace]'"
            )
        command = (path,)
    kind = "zig" if compiler == "zig" else "clang"
    target = zig_target(platform.system(), platform.machine()) if kind == "zig" else ()
    result = Toolchain(kind=kind, command=command, major=0, target=target)
    major = version(compiler, result)
    newest = require("llvmlite.binding").llvm_version_info[0]
    if major > newest:
        raise TraceError(
            f"{compiler} is clang {major}, but llvmlite reads bitcode up to that of clang "
            f"{newest}: upgrade llvmlite, or choose an older clang with {VARIABLE}=PATH"
        )
    return Toolchain(kind=kind, command=command, major=major, target=target)


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

    Parameters
    ----------
    system, machine : str
        As `platform` names them [text].

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
