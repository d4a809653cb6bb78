"""``#pragma`` lines of C sources: what ours, OpenMP's and OpenACC's mean, and for which loops.

They are read in what the preprocessor leaves: those in comments, texts and branches of ``#if`` that
are not compiled are gone; those of ``_Pragma`` and of headers are there.

``offload [collapse(n)]`` and ``threads [collapse(n)]`` before a loop, ``shared(names)``,
``private(names)`` and ``barrier`` in its body, ``work(N=1024, ...)`` and ``size(N)`` anywhere in
the file. All loops that a macro expands to are at the place of the macro: a pragma before it means
the first of them, a second one from the same macro the next.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from logca.common.errors import RegionError
from logca.common.readable_numbers import whole_number_from
from logca.common.toml import shown
from logca.trace.ir.functions import Place
from logca.trace.ir.program import Directive, Loop, Pragma, Program, Synchronisation
from logca.trace.source.constructs import Construct, construct_of

__all__ = [
    "WORDS",
    "PragmaLine",
    "directives_in",
    "offloaded",
    "pragma_lines",
    "pragma_lines_in",
    "pragmas_in",
    "size_in",
    "with_pragmas",
    "work_in",
]

MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
ESCAPED = re.compile(rb"\\(?:([0-7]{3})|(.))")
OF_INTEREST = re.compile(r"#pragma((?:\s+)(?:logca|omp|acc|scop|endscop)\b.*)")
"""Whose meaning is asked for here."""
SIGNS = re.compile(r"[{}();]")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'')
LOOP_START = re.compile(r"(?:for|while|do)\b")
"""Beginning of a loop, once macros are replaced."""


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
    end: int = 0  # last line of the statement after it [1]
    # texts of the pragmas whose statements this one is in, outermost first, and of those before it
    around: tuple[str, ...] = ()


@dataclass(slots=True)
class OpenStatement:
    """A statement behind pragmas that has not ended yet."""

    pragmas: list[int]  # their places among those found [1]
    braces: int = 0  # open ones [1]
    brackets: int = 0  # open ones [1]

    def ends(self, line: str) -> bool:
        """True if it ends in a line, which is its next one."""
        for sign in SIGNS.findall(LITERAL.sub("", line)):
            self.braces += (sign == "{") - (sign == "}")
            self.brackets += (sign == "(") - (sign == ")")
            if self.brackets <= 0 and self.braces <= 0 and sign in ";}":
                return True
        return False


def pragma_lines(texts: Mapping[Path, str]) -> tuple[PragmaLine, ...]:
    """The pragmas in what the preprocessor left of C sources, in order; each once."""
    spelling = {str(path.resolve()): str(path) for path in texts}
    found: dict[PragmaLine, None] = {}
    for text in texts.values():
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
    unfinished: list[OpenStatement] = []

    def close(target: int, statement: str) -> None:
        text = statement.lstrip()
        column = len(statement) - len(text) + (target > 0)
        around = [found[each].text for other in unfinished for each in other.pragmas]
        first = len(found)
        for line, content in waiting:
            found.append(
                PragmaLine(
                    file=file,
                    line=line,
                    text=content,
                    target=target,
                    column=column,
                    before_loop=LOOP_START.match(text) is not None,
                    order=before[file, target, column],
                    end=target,
                    around=tuple(around),
                )
            )
            around.append(content)
        before[file, target, column] += bool(waiting and target)
        if waiting and target:
            unfinished.append(OpenStatement(pragmas=list(range(first, len(found)))))
        waiting.clear()

    def read(line: str) -> None:
        for each in [each for each in unfinished if each.ends(line)]:
            unfinished.remove(each)
            for place in each.pragmas:
                found[place] = replace(found[place], end=max(number, found[place].target))

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
        elif (waiting or unfinished) and line.strip() and not line.startswith("#"):
            if waiting:
                close(number, line)
            read(line)
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


OFFLOAD = re.compile(r"\s*logca\s+offload\b")
ONLY_COLLAPSE = re.compile(r"\s*(?:collapse\s*\([^()]*\)\s*)?")
COLLAPSE = re.compile(r"\bcollapse\s*\(\s*(?:force\s*:\s*)?([^)]*?)\s*\)")
STANDALONE = {
    "barrier",
    "flush",
    "taskwait",
    "taskyield",
    "cancel",
    "cancellation",
    "threadprivate",
}
"""Directives of OpenMP that no statement belongs to."""


def pragmas_in(lines: Iterable[PragmaLine]) -> list[Pragma]:
    """The pragmas that say of a loop that its iterations are to run side by side."""
    lines, found = tuple(lines), []
    own = [each for each in map(threadprivate, lines) if each is not None]
    for pragma in lines:
        ours = OFFLOAD.match(pragma.text)
        construct = construct_of(pragma.text)
        if ours is not None:
            if not ONLY_COLLAPSE.fullmatch(pragma.text, ours.end()):
                raise RegionError(
                    f"{pragma.file}:{pragma.line}: after `logca offload` only collapse(n) may "
                    f"stand, not {pragma.text[ours.end() :].strip()!r}"
                )
            found.append(pragma_of(pragma, "logca offload", []))
        elif construct is not None and (
            construct.of_loop or (construct.words == ("kernels",) and pragma.before_loop)
        ):
            around = [each for each in map(construct_of, pragma.around) if each is not None]
            outside = own if construct.model == "omp" else []
            found.append(pragma_of(pragma, construct.text, [*outside, *around, construct]))
    # several directives of one loop, as `kernels` and `loop`, are one
    return list(
        {(each.file, each.target, each.column, each.order): each for each in found}.values()
    )


def threadprivate(pragma: PragmaLine) -> Construct | None:
    """The directive of variables of which each thread has its own; None if it is another one."""
    construct = construct_of(pragma.text) if "threadprivate" in pragma.text else None
    return construct if construct is not None and construct.variables else None


def pragma_of(pragma: PragmaLine, directive: str, constructs: Sequence[Construct]) -> Pragma:
    """The mark that a directive sets on the loop after it, with clauses of those around it."""
    return Pragma(
        file=pragma.file,
        line=pragma.line,
        target=pragma.target,
        column=pragma.column,
        collapse=collapsed(pragma),
        before_loop=pragma.before_loop,
        order=pragma.order,
        directive=directive,
        device=not constructs or any(each.of_device for each in constructs),
        in_parallel=any("parallel" in each.words for each in constructs[:-1]),
        clauses=tuple(dict.fromkeys(each for one in constructs for each in one.variables)),
        private=tuple(dict.fromkeys(name for each in constructs for name in each.private)),
        reduction=tuple(dict.fromkeys(name for each in constructs for name in each.reduction)),
    )


def constructs_in(lines: Iterable[PragmaLine]) -> list[Synchronisation]:
    """The directives of OpenMP and OpenACC of which no loop is the subject."""
    found = []
    for pragma in lines:
        construct = construct_of(pragma.text)
        if construct is None or construct.of_loop or not construct.words:
            continue
        alone = construct.words[0] in STANDALONE or not pragma.target
        found.append(
            Synchronisation(
                directive=construct.text,
                file=pragma.file,
                line=pragma.line,
                first=pragma.line if alone else pragma.target,
                last=pragma.line if alone else pragma.end,
                before_loop=pragma.before_loop,
            )
        )
    return list(dict.fromkeys(found))


def collapsed(pragma: PragmaLine) -> int:
    """Number of loops that a pragma collapses."""
    clause = COLLAPSE.search(pragma.text)
    if clause is None:
        return 1
    number = whole_number_from(clause.group(1))
    if not number:
        raise RegionError(
            f"{pragma.file}:{pragma.line}: collapse({clause.group(1):.40}): "
            "write a positive whole number, such as collapse(2)"
        )
    return number


def scops_in(lines: Iterable[PragmaLine]) -> list[tuple[str, int, int]]:
    """File, first and last line of the parts between ``scop`` and ``endscop``."""
    found, begin = [], {}
    for pragma in lines:
        if pragma.text == "scop":
            begin[pragma.file] = pragma.line
        elif pragma.text == "endscop" and pragma.file in begin:
            found.append((pragma.file, begin.pop(pragma.file), pragma.line))
    return found


def offloaded(program: Program) -> tuple[Loop, ...]:
    """The loops that pragmas ask to offload, in program order."""
    if not program.pragmas:
        raise RegionError("no loop is marked: write `#pragma logca offload` on the line before one")
    marked = tuple(loop for loop in program.loops if loop.offload)
    below = {inner.id for loop in marked for inner in program.loops_of[loop.id][1:]}
    chosen = tuple(loop for loop in marked if loop.id not in below)
    lost = [pragma for pragma in program.pragmas if not pragma.loops]
    stray = next((pragma for pragma in lost if not pragma.before_loop), None)
    if stray is not None:
        raise RegionError(f"{stray.file}:{stray.line}: the pragma stands before no loop")
    if not chosen:
        places = ", ".join(f"{pragma.file}:{pragma.target}" for pragma in lost)
        raise RegionError(f"no marked loop is in code that runs: {places}")
    for loop in chosen:
        inner = loop
        for depth in range(1, loop.offload):
            inside = [other for other in program.loops if other.parent == inner.id]
            if len(inside) != 1:
                raise RegionError(
                    f"{loop.file}:{loop.line}: collapse({loop.offload}) needs {loop.offload} loops"
                    f" one in the other, but the loop at line {inner.line} (number {depth}) has"
                    f" {len(inside) or 'none'} in it"
                )
            inner = inside[0]
    return chosen


OURS = re.compile(r"\s*logca\b\s*([A-Za-z_]\w*)?\s*(.*)", re.DOTALL)
CLAUSE = re.compile(r"(?:collapse\s*\(\s*([^()]*?)\s*\))?\s*")
LIST = re.compile(r"\(\s*([^()]*?)\s*\)\s*")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
SIZE = re.compile(r"([A-Za-z_]\w*)\s*=\s*([0-9]+)", re.ASCII)
SIZE_RANGE = re.compile(r"[A-Za-z_]\w*\s*=\s*[0-9]+\s*:\s*[0-9]+(\s*:\s*x?[0-9]+)?", re.ASCII)
LARGEST = 2**53


def parse_threads(text: str) -> tuple[str, ...]:
    """The number of loops."""
    clause = CLAUSE.fullmatch(text)
    number = "1" if clause is None else clause.group(1)
    if clause is None or (number is not None and not whole_number_from(number)):
        raise ValueError("nothing, or collapse(n) with a positive whole number n")
    return (number or "1",)


def parse_names(text: str) -> tuple[str, ...]:
    """Names of arrays."""
    found = pieces(text)
    if not found or not all(NAME.fullmatch(name) for name in found):
        raise ValueError("names of arrays in brackets, such as (As, Bs)")
    return found


def parse_nothing(text: str) -> tuple[str, ...]:
    """No arguments."""
    if text:
        raise ValueError("nothing more")
    return ()


def parse_sizes(text: str) -> tuple[str, ...]:
    """Macros and their values, without blanks."""
    found = [SIZE.fullmatch(piece) for piece in pieces(text)]
    sizes = [
        (each.group(1), whole_number_from(each.group(2)) or 0) if each is not None else ("", 0)
        for each in found
    ]
    if not found or not all(0 < size < LARGEST for _, size in sizes):
        raise ValueError("macros with positive whole numbers in brackets, such as (N=1024, M=64)")
    return tuple(f"{name}={size}" for name, size in sizes)


def parse_size(text: str) -> tuple[str, ...]:
    """The macro that sets a program's size, and maybe from which value to which."""
    (found, *more) = pieces(text) or ("",)
    if more or not (NAME.fullmatch(found) or SIZE_RANGE.fullmatch(found)):
        raise ValueError("one macro in brackets, such as (N) or (N=64:8192)")
    return (found,)


def pieces(text: str) -> tuple[str, ...]:
    """Pieces between commas in brackets; none if there are no brackets."""
    inside = LIST.fullmatch(text)
    return () if inside is None else tuple(map(str.strip, inside.group(1).split(",")))


ARGUMENTS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "threads": parse_threads,
    "shared": parse_names,
    "private": parse_names,
    "barrier": parse_nothing,
    "work": parse_sizes,
    "size": parse_size,
}
WORDS = ("offload", *ARGUMENTS)
"""Words that may follow ``#pragma logca``."""


def directives_in(lines: Iterable[PragmaLine]) -> list[Directive]:
    """The directives, but for ``offload``, which `pragmas_in` reads."""
    found = []
    for pragma in lines:
        ours = OURS.match(pragma.text)
        if ours is None:
            continue
        word, rest = ours.group(1) or "", ours.group(2).strip()
        if word not in WORDS:
            said = f"logca {word or rest}".strip()
            raise RegionError(
                f"{pragma.file}:{pragma.line}: `#pragma {said}`: after `logca` must stand one of "
                f"{', '.join(WORDS)}"
            )
        if word == "offload":
            continue
        try:
            arguments = ARGUMENTS[word](rest)
        except ValueError as error:
            raise RegionError(
                f"{pragma.file}:{pragma.line}: after `logca {word}` must stand {error}, "
                f"not {shown(rest, 80)}"
            ) from None
        found.append(
            Directive(
                name=word,
                arguments=arguments,
                file=pragma.file,
                line=pragma.line,
                target=pragma.target,
                column=pragma.column,
                order=pragma.order,
            )
        )
    return found


def work_in(lines: Iterable[PragmaLine]) -> dict[str, int]:
    """The sizes that sources stand for, by ``#pragma logca work``: macros and values [1]."""
    found: dict[str, int] = {}
    for directive in directives_in(lines):
        for argument in directive.arguments if directive.name == "work" else ():
            name, _, value = argument.partition("=")
            if found.setdefault(name, int(value)) != int(value):
                raise RegionError(
                    f"{directive.file}:{directive.line}: work({argument}), but elsewhere the work "
                    f"size is {name}={found[name]}"
                )
    return found


def size_in(lines: Iterable[PragmaLine]) -> str | None:
    """The macro that sets a program's size, by ``#pragma logca size``, maybe with its values."""
    found: str | None = None
    for directive in directives_in(lines):
        for argument in directive.arguments if directive.name == "size" else ():
            if found not in (None, argument):
                raise RegionError(
                    f"{directive.file}:{directive.line}: size({argument}), but elsewhere the size "
                    f"is ({found}): a program has one"
                )
            found = argument
    return found


def with_pragmas(program: Program, starts: Sequence[Place], lines: Sequence[PragmaLine]) -> Program:
    """A program whose loops know what stands before them, with what pragmas say and of which loops.

    Where its loops start is to be given.
    """
    if not lines:
        return program
    loops = program.loops

    def after(pragma: Pragma | Directive) -> tuple[int, ...]:
        # A copy of the function, and the loops at the place in it that lie in no other one there.
        copies: dict[tuple[str, int], list[Loop]] = {}
        # Behind a pragma of a macro the preprocessor begins a line with a blank at least.
        columns = {0, pragma.column} | ({1} if pragma.column == 2 else set())
        for loop, start in zip(loops, starts, strict=True):
            place = (loop.file, loop.line) == (pragma.file, pragma.target)
            if place and start.column in columns:
                there = copies.setdefault((loop.function, start.call), [])
                if not any(loop.header in other.blocks for other in there):
                    there.append(loop)
        return tuple(
            there[pragma.order].id for there in copies.values() if pragma.order < len(there)
        )

    # A file that is included again in another function says the same once more, of no other loops.
    pragmas = tuple(
        each
        for each in (replace(each, loops=after(each)) for each in pragmas_in(lines))
        if each.loops or not each.order
    )
    directives = tuple(
        dict.fromkeys(
            replace(each, loops=after(each))
            if each.name == "threads"
            else replace(each, loops=innermost_around(loops, each), order=0)
            for each in directives_in(lines)
        )
    )
    marks = {loop: each for each in pragmas for loop in each.loops}
    threads = {
        loop: int(each.arguments[0])
        for each in directives
        if each.name == "threads"
        for loop in each.loops
    }
    known = [replace(loop, threads=threads.get(loop.id, 0)) for loop in loops]
    for loop, mark in marks.items():
        known[loop] = replace(
            known[loop],
            offload=mark.collapse,
            clauses=mark.clauses,
            private=mark.private,
            reduction=mark.reduction,
        )
    return replace(
        program,
        loops=tuple(known),
        pragmas=pragmas,
        directives=directives,
        scops=tuple(scops_in(lines)),
        synchronisations=tuple(constructs_in(lines)),
    )


def innermost_around(loops: Sequence[Loop], directive: Directive) -> tuple[int, ...]:
    """The innermost loops around a directive."""
    found = [
        loop
        for loop in loops
        if loop.file == directive.file and loop.line < directive.line <= loop.end_line
    ]
    parents = {loop.parent for loop in found}
    return tuple(loop.id for loop in found if loop.id not in parents)
