"""The ``#pragma`` lines of C sources, and the statement that each stands before.

They are read from what the preprocessor leaves: those in comments, texts and branches of ``#if``
that are not compiled are gone, those of ``_Pragma`` and of headers are there.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from logca.trace.compiler import checked, run, without_linking
from logca.trace.diagnostics import complaint
from logca.trace.errors import CompileError
from logca.trace.toolchain import toolchain

__all__ = ["PragmaLine", "pragma_lines", "pragma_lines_in"]

MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
ESCAPED = re.compile(rb"\\(?:([0-7]{3})|(.))")
OF_INTEREST = re.compile(r"#pragma((?:\s+)(?:logca|omp|scop|endscop)\b.*)")
"""Whose meaning is asked for here."""
LOOP = re.compile(r"(?:for|while|do)\b")
"""How a loop begins, once macros are replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PragmaLine:
    """A ``#pragma`` of a source.

    Parameters
    ----------
    file : str
        The source or header, as the user wrote it if it is a source [text].
    line : int
        Its line [1].
    says : str
        What follows the word ``pragma``, without comments [text].
    target, column : int
        Place of the statement after it; 0 if none follows in the file [1].
    before_loop : bool
        Whether that statement is a loop.
    order : int
        Statements with a pragma before them that are at the same place and come first: from the
        same macro, or from a file that is included again [1].
    """

    file: str
    line: int
    says: str
    target: int
    column: int
    before_loop: bool = False
    order: int = 0


def pragma_lines(
    sources: str | Path | Iterable[str | Path],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    compiler: str | None = None,
) -> tuple[PragmaLine, ...]:
    """The pragmas of C sources and their headers, in order; each once.

    Parameters
    ----------
    sources, defines, includes, flags, compiler
        As in `logca.trace.compilation.compile_program`.

    Raises
    ------
    TraceError
        If a source is no file.
    CompileError
        If the compiler refuses a source.
    MissingCompilerError
        If there is no compiler.
    """
    paths, tool = checked(sources), toolchain(compiler)
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
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda command: run(command, tool), commands))
    spelling = {str(path.resolve()): str(path) for path in paths}
    found: dict[PragmaLine, None] = {}
    for path, answer in zip(paths, answers, strict=True):
        if answer.returncode:
            raise CompileError(complaint(path, answer.stderr))
        found |= dict.fromkeys(pragma_lines_in(answer.stdout, spelling))
    return tuple(found)


def pragma_lines_in(text: str, spelling: Mapping[str, str]) -> list[PragmaLine]:
    r"""The pragmas in what a preprocessor wrote.

    Parameters
    ----------
    text : str
        Preprocessed C, with markers of lines [text].
    spelling : mapping of str to str
        How the user wrote the names of the sources, by absolute path.

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
                says=says,
                target=target,
                column=column,
                before_loop=LOOP.match(text) is not None,
                order=before[file, target, column],
            )
            for line, says in waiting
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

    Parameters
    ----------
    text : str
        What stands between the quotes [text].

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
