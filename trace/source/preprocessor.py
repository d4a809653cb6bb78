"""What the preprocessor leaves of C sources: their ``#pragma`` lines, and the values of macros.

Pragmas in comments, texts and branches of ``#if`` that are not compiled are gone; those of
``_Pragma`` and of headers are there.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.common.errors import TraceError
from logca.trace.source.compiler import checked_sources, outputs, toolchain, without_linking

__all__ = [
    "PragmaLine",
    "macro_values",
    "pragma_lines",
    "pragma_lines_in",
    "traced_sizes",
]

MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
ESCAPED = re.compile(rb"\\(?:([0-7]{3})|(.))")
OF_INTEREST = re.compile(r"#pragma((?:\s+)(?:logca|omp|scop|endscop)\b.*)")
"""Whose meaning is asked for here."""
LOOP = re.compile(r"(?:for|while|do)\b")
"""How a loop begins, once macros are replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PragmaLine:
    """A ``#pragma`` of a source."""

    file: str  # the source or header, as the user wrote it if it is a source
    line: int  # its line [1]
    text: str  # what follows the word ``pragma``, without comments
    # target, column: place of the statement after it; 0 if none follows in the file [1]
    target: int
    column: int
    before_loop: bool = False  # whether that statement is a loop
    # statements with a pragma before them that are at the same place and come first: from the
    # same macro, or from a file that is included again [1]
    order: int = 0


def pragma_lines(
    sources: str | Path | Iterable[str | Path],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    compiler: str | None = None,
) -> tuple[PragmaLine, ...]:
    """The pragmas of C sources and their headers, in order; each once."""
    paths, tool = checked_sources(sources), toolchain(compiler)
    commands = [
        tool.preprocess_command(
            path.resolve(),
            macros=False,
            defines=defines or {},
            includes=[str(include) for include in includes],
            flags=without_linking(flags),
        )
        for path in paths
    ]
    spelling = {str(path.resolve()): str(path) for path in paths}
    found: dict[PragmaLine, None] = {}
    for text in outputs(paths, commands, tool):
        found |= dict.fromkeys(pragma_lines_in(text, spelling))
    return tuple(found)


def pragma_lines_in(text: str, spelling: Mapping[str, str]) -> list[PragmaLine]:
    r"""The pragmas in what a preprocessor wrote.

    Examples
    --------
    >>> text = '# 7 "/a.c"\n#pragma omp simd\n\n  for (;;);\n'
    >>> [(each.file, each.line, each.target, each.column) for each in pragma_lines_in(text, {})]
    [('/a.c', 7, 9, 3)]
    """
    found: list[PragmaLine] = []
    waiting: list[tuple[int, str]] = []
    folder, file, number = Path.cwd(), "", 0
    before: Counter[tuple[str, int, int]] = Counter()

    def close(target: int, statement: str) -> None:
        text = statement.lstrip()
        column = len(statement) - len(text) + (target > 0)
        found.extend(
            PragmaLine(
                file=file,
                line=line,
                text=content,
                target=target,
                column=column,
                before_loop=LOOP.match(text) is not None,
                order=before[file, target, column],
            )
            for line, content in waiting
        )
        before[file, target, column] += bool(waiting and target)
        waiting.clear()

    for line in text.split("\n"):
        if (marker := MARKER.match(line)) is not None:
            path = str(folder / unescaped(marker.group(2)))
            now = spelling.get(path, path)
            if now != file:
                close(0, "")
            file, number = now, int(marker.group(1))
            continue
        if (pragma := OF_INTEREST.match(line)) is not None:
            waiting.append((number, pragma.group(1).strip()))
        elif waiting and line.strip() and not line.startswith("#"):
            close(number, line)
        number += 1
    close(0, "")
    return found


def unescaped(text: str) -> str:
    r"""The name of a file as clang prints it in a marker, where bytes that are no ASCII are octal.

    Examples
    --------
    >>> unescaped(r"/d\303\251/a\"b.c")
    '/dé/a"b.c'
    """
    content = ESCAPED.sub(
        lambda found: bytes([int(found[1], 8)]) if found[1] else found[2],
        text.encode("utf-8", "surrogateescape"),
    )
    return os.fsdecode(content)


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
    """Values of macros at the end of C sources."""
    wanted = tuple(names)
    if not wanted:
        return {}
    return agreed_values(macro_texts(sources, defines or {}, includes, flags, compiler), wanted)


Texts = Mapping[Path, Mapping[str, str]]
"""For each source what its macros stand for."""


def macro_texts(
    sources: str | Path | Iterable[str | Path],
    defines: Mapping[str, object],
    includes: Iterable[str | Path],
    flags: Iterable[str],
    compiler: str | None = None,
) -> Texts:
    """Texts of the macros without arguments at the end of each source."""
    paths, tool = checked_sources(sources), toolchain(compiler)
    folders, kept = [str(include) for include in includes], without_linking(flags)
    commands = [
        tool.preprocess_command(
            path.resolve(), macros=True, defines=defines, includes=folders, flags=kept
        )
        for path in paths
    ]
    found = {}
    for path, text in zip(paths, outputs(paths, commands, tool), strict=True):
        lines = [DEFINITION.fullmatch(line.rstrip()) for line in text.splitlines()]
        found[path] = {line.group(1): line.group(2) for line in lines if line is not None}
    return found


def agreed_values(known: Texts, wanted: Iterable[str]) -> dict[str, int]:
    """The values of some macros, which must be the same in all sources."""
    found: dict[str, int] = {}
    for path, own in known.items():
        for name in wanted:
            value = whole_number(name, own) if name in own else None
            if value is not None and found.setdefault(name, value) != value:
                raise TraceError(
                    f"macro {name} is {found[name]} in one source, but {value} in "
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
    """Values that the macros of the work size have where nothing sets them to it."""
    if not work:
        return {}
    paths, folders, options = checked_sources(sources), list(includes), list(flags)
    given = dict(defines or {})
    with ThreadPoolExecutor() as pool:
        before, after = pool.map(
            lambda macros: macro_texts(paths, macros, folders, options), (given, {**given, **work})
        )
    traced, changed = agreed_values(before, work), agreed_values(after, work)
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


def whole_number(name: str, texts: Mapping[str, str]) -> int:
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
    # C reads a leading zero as base 8, and Python refuses it
    digits = text.rstrip("uUlL").lower()
    octal = digits.startswith("0") and digits.isdecimal()
    return int(digits, 8 if octal else 0)
