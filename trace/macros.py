"""Values that macros have in C sources: as ``-D`` says, or as ``#define`` does."""

import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from logca.trace.compiler import checked, run, without_linking
from logca.trace.diagnostics import complaint
from logca.trace.errors import CompileError, TraceError
from logca.trace.toolchain import toolchain

__all__ = ["macro_values", "traced_sizes"]

DEFINITION = re.compile(r"#define (\w+) (.*)")
WHOLE = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]{0,3}")
BRACKETS = re.compile(r"\(\s*(.*?)\s*\)")


def macro_values(
    sources: str | Path | Iterable[str | Path],
    names: Iterable[str],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    compiler: str | None = None,
) -> dict[str, int]:
    """Values of macros at the end of C sources.

    Parameters
    ----------
    sources : path or iterable of paths
        C files.
    names : iterable of str
        Macros that hold whole numbers.
    defines : mapping, optional
        Macros and their values; None defines one as the compiler does.
    includes : iterable of paths
        Folders searched for headers.
    flags : iterable of str
        Further options of the compiler.
    compiler : str, optional
        ``zig``, ``clang`` or a path [text]; see `logca.trace.toolchain.toolchain`.

    Raises
    ------
    TraceError
        If a macro is defined nowhere, differently in several sources, or as no whole number.
    CompileError
        If the compiler refuses a source.
    """
    wanted = tuple(names)
    if not wanted:
        return {}
    return values(texts(sources, defines or {}, includes, flags, compiler), wanted)


Texts = Mapping[Path, Mapping[str, str]]
"""For each source what its macros stand for."""


def texts(
    sources: str | Path | Iterable[str | Path],
    defines: Mapping[str, object],
    includes: Iterable[str | Path],
    flags: Iterable[str],
    compiler: str | None = None,
) -> Texts:
    """What the macros without arguments stand for at the end of each source."""
    tool = toolchain(compiler)
    folders, kept = [str(include) for include in includes], without_linking(flags)
    found = {}
    for path in checked(sources):
        command = tool.preprocess_command(
            path.resolve(), macros=True, defines=defines, includes=folders, flags=kept
        )
        answer = run(command, tool)
        if answer.returncode:
            raise CompileError(complaint(path, answer.stderr))
        lines = [DEFINITION.fullmatch(line.rstrip()) for line in answer.stdout.splitlines()]
        found[path] = {line.group(1): line.group(2) for line in lines if line is not None}
    return found


def values(known: Texts, wanted: Iterable[str]) -> dict[str, int]:
    """The values of some macros, which must be the same in all sources."""
    found: dict[str, int] = {}
    for path, own in known.items():
        for name in wanted:
            if name in own and found.setdefault(name, whole(name, own)) != whole(name, own):
                raise TraceError(
                    f"macro {name} is {found[name]} in one source, but {whole(name, own)} in "
                    f"{path}: give it with -D {name}=NUMBER"
                )
    for name in wanted:
        if name not in found:
            raise TraceError(
                f"macro {name} of the work size is defined nowhere: "
                f"give the value to trace with -D {name}=NUMBER"
            )
    return found


def traced_sizes(
    sources: str | Path | Iterable[str | Path],
    work: Mapping[str, int],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
) -> dict[str, int]:
    """Values that the macros of the work size have where nothing sets them to it.

    Parameters
    ----------
    sources : path or iterable of paths
        C files.
    work : mapping of str to int
        The macros at the work size [1].
    defines, includes, flags
        As in `macro_values`.

    Raises
    ------
    TraceError
        If a macro has no such value, a source sets it whatever the options say, so that no other
        size can be compiled, or leaves out other sizes where it is given.
    CompileError
        If the compiler refuses a source.
    """
    if not work:
        return {}
    paths, folders, options = checked(sources), list(includes), list(flags)
    given = dict(defines or {})
    with ThreadPoolExecutor() as pool:
        before, after = pool.map(
            lambda macros: texts(paths, macros, folders, options), (given, {**given, **work})
        )
    traced, changed = values(before, work), values(after, work)
    for name, size in work.items():
        if changed[name] != size:
            raise TraceError(
                f"{name} stays {changed[name]} where it should be {size}, because a source defines "
                f"it in any case: put `#ifndef {name}` and `#endif` around the definition"
            )
    gone = {
        name: text
        for path, own in before.items()
        for name, text in own.items()
        if name not in after[path] and WHOLE.fullmatch(text.strip())
    }
    if gone:
        raise TraceError(
            f"the sources no longer define {', '.join(gone)} where {', '.join(work)} is given: "
            "name them in the work size too, such as "
            f"{','.join(f'{name}={text.strip()}' for name, text in gone.items())}"
        )
    return traced


def whole(name: str, texts: Mapping[str, str]) -> int:
    """The whole number that a macro stands for, perhaps through other macros."""
    text, seen = texts[name].strip(), {name}
    while WHOLE.fullmatch(text) is None:
        inside = BRACKETS.fullmatch(text)
        if inside is not None:
            text = inside.group(1)
        elif text in texts and text not in seen:
            seen.add(text)
            text = texts[text].strip()
        else:
            raise TraceError(
                f"macro {name} of the work size is {texts[name].strip()!r}, no whole number: "
                f"give the value to trace with -D {name}=NUMBER"
            )
    digits = text.rstrip("uUlL").lower()
    octal = digits.startswith("0") and digits.isdecimal()
    return int(digits, 8 if octal else 0)
