"""Options that say how a C program is compiled and run, and what is told of it meanwhile."""

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import typer

from logca.cli.options.ranges import size_of
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.output import say

if TYPE_CHECKING:
    from logca.common.limits import Limits

__all__ = [
    "Compiling",
    "Option",
    "limits",
    "macros",
    "note_unused",
    "only_for_C",
    "read_input",
    "running",
    "warn_uncontained",
]

_compiling = partial(typer.Option, rich_help_panel="Compiling")
_running = partial(typer.Option, rich_help_panel="Running")
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")


class Compiling(TypedDict):
    """Options of the compilation of a program, as keyword arguments."""

    defines: dict[str, str | None]
    includes: list[Path]
    flags: list[str]
    level: str
    compiler: str | None


class Option:
    """Types of the options, to be used as annotations."""

    files = typer.Argument(help="C files, one of them with main.", metavar="FILE.c...")
    sources = Annotated[list[Path], files]
    function = Annotated[
        str | None, typer.Option(help="Only what is written in this function.", metavar="NAME")
    ]
    stage = typer.Option(
        help="Print the result of this stage instead; may be repeated.", metavar="NAME"
    )
    defines = Annotated[
        list[str] | None,
        _compiling("-D", help="Define a macro: N=128, or N.", metavar="NAME[=VALUE]"),
    ]
    includes = Annotated[
        list[Path] | None, _compiling("-I", help="Folder with headers.", metavar="FOLDER")
    ]
    flags = Annotated[
        list[str] | None,
        _compiling(
            "--flag",
            help="Option for compiler or linker, such as --flag=-std=gnu99.",
            metavar="FLAG",
        ),
    ]
    level = Annotated[
        Literal["as-written", "O1"],
        _compiling(
            help="Optimisation: as-written, scalars in registers and every access to an array "
            "stays; or O1."
        ),
    ]
    compiler = Annotated[
        str | None,
        _compiling(help="zig, clang, or the path of a clang.", metavar="NAME", show_default="zig"),
    ]
    arguments = Annotated[
        list[str] | None,
        _running(
            "--arg",
            help="Argument for the program; --arg=-x if it begins with a dash.",
            metavar="TEXT",
        ),
    ]
    stdin = Annotated[
        Path | None,
        _running(help="File for its standard input.", show_default="empty", metavar="FILE"),
    ]
    time_limit = Annotated[
        float | None,
        _running(
            help="Time limit of the program, without the analysis of its trace [s].",
            show_default="120",
            metavar="SECONDS",
        ),
    ]
    memory_limit = Annotated[
        str | None,
        _running(
            help="Memory limit of the program, such as 512MiB.",
            show_default="4 GiB",
            metavar="SIZE",
        ),
    ]
    record_limit = Annotated[
        int | None,
        _running(
            help="Accesses to record; then the program runs on unrecorded.",
            show_default="all",
            metavar="NUMBER",
        ),
    ]


def macros(defines: Sequence[str]) -> dict[str, str | None]:
    """Macros and their values.

    Examples
    --------
    >>> macros(["N=128", "FAST", "TEXT=a=b"])
    {'N': '128', 'FAST': None, 'TEXT': 'a=b'}
    """
    found: dict[str, str | None] = {}
    for define in defines:
        name, equals, value = define.partition("=")
        if not _MACRO.fullmatch(name):
            raise UsageFailure(f"-D {define!r} defines no macro: write -D NAME or -D NAME=VALUE")
        given = value if equals else None
        if found.get(name, given) != given:
            raise UsageFailure(f"-D {define}: {name} is {found[name]} already; define it once")
        found[name] = given
    return found


_INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_FOR_LIBRARIES = re.compile(r"_|NDEBUG\b")  # names that headers of the C library look at


def note_unused(
    defines: Sequence[str],
    sources: Iterable[Path],
    includes: Sequence[Path] = (),
    work: Collection[str] = (),
) -> None:
    """Tell on stderr which macros no source mentions, or one defines in any case.

    A macro of the work size must be mentioned.
    """
    from logca.common.files import source_text

    waiting, texts = [*sources], dict[Path, str]()
    if not all(path.is_file() for path in waiting):
        return
    while waiting and (defines or work):
        path = waiting.pop()
        if path in texts or not path.is_file():
            continue
        texts[path] = source_text(path) or ""
        for name in _INCLUDED.findall(texts[path]):
            waiting += [folder / name for folder in (path.parent, *includes)]
    for name in work:
        if not _mentioning(name, texts):
            raise UsageFailure(f"no source mentions {name}: name the macro of --work as they do")
    for define in defines:
        name = re.split(r"\W", define, maxsplit=1)[0]
        own = _mentioning(name, texts)
        if not own and not _FOR_LIBRARIES.match(name):
            say(f"note: -D {define} changes nothing: no source mentions {name}", err=True)
        for path in own:
            sets = re.search(rf"^\s*#\s*define\s+{name}\b", texts[path], re.MULTILINE)
            if sets and not re.search(rf"(?:ifndef|ifdef|defined|undef)\W*{name}\b", texts[path]):
                say(
                    f"note: -D {define} changes nothing: {path.name} defines {name} in any case; "
                    f"put `#ifndef {name}` and `#endif` around the definition",
                    err=True,
                )


def _mentioning(name: str, texts: Mapping[Path, str]) -> list[Path]:
    return [path for path, text in texts.items() if re.search(rf"\b{name}\b", text)]


def only_for_C(given: Mapping[str, object]) -> None:
    """Refuse options for C programs, by name, that are given with a described problem."""
    for option, value in given.items():
        if value:
            raise UsageFailure(
                f"{option} is for C programs; a described problem is not run, leave it out"
            )


def limits(time_s: float | None, memory: str | None, records: int | None) -> "Limits":
    """Limits of a run; what is not given is as `Limits` has it."""
    from logca.common.limits import Limits

    given: dict[str, float | int] = {}
    if time_s is not None:
        given["time_s"] = time_s
    if memory is not None:
        given["memory_B"] = int(size_of("--memory-limit", memory))
    if records is not None:
        given["records"] = records
    return Limits(**given)  # type: ignore[arg-type]  # of the type that each field has


def read_input(path: Path | None) -> bytes:
    """Contents of a file for the standard input; nothing without a file."""
    if path is None:
        return b""
    from logca.common.files import read_whole

    try:
        return read_whole(path)
    except OSError as error:
        raise UsageFailure(f"--stdin {path} cannot be read: {error.strerror}") from None


def warn_uncontained() -> None:
    """Warn on stderr, before a program runs, if this kernel does not contain it."""
    from logca.trace.execute.containment import missing_guarantees

    if warning := missing_guarantees():
        say(f"warning: {warning}", err=True)


@contextmanager
def running() -> Iterator[Callable[[str, int], None] | None]:
    """Tells on a terminal what is going on and how many accesses there were; nothing in a pipe.

    First it warns if this kernel does not contain the program that is about to run.
    """
    warn_uncontained()
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from logca.common.terminal import safe_console

    console = safe_console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        SpinnerColumn(), TextColumn("{task.description}"),
        TextColumn("[dim]{task.fields[so_far]}"), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None, so_far="")
        since = 0.0

        def tell(step: str, number: int) -> None:
            nonlocal since
            now = time.perf_counter()
            if not number:
                since = now
            rate = f", {number / (now - since) / 1e6:.3g} M/s" if number and now > since else ""
            so_far = f"{number / 1e6:,.1f} M accesses{rate}" if number else ""
            progress.update(task, description=step, so_far=so_far)

        yield tell
