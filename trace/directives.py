"""What ``#pragma logca`` can say besides ``offload``: how a kernel works in tiles, and its size.

``threads [collapse(n)]`` before a loop, ``shared(names)``, ``private(names)`` and ``barrier`` in
the body of the loops under ``offload``, and ``work(N=1024, ...)`` anywhere in the file.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from logca.trace.errors import RegionError
from logca.trace.pragma_lines import PragmaLine
from logca.trace.program import Directive, Program

__all__ = ["WORDS", "directives_in", "work_in", "work_sizes"]

OURS = re.compile(r"\s*logca\b\s*([A-Za-z_]\w*)?\s*(.*)", re.DOTALL)
CLAUSE = re.compile(r"(?:collapse\s*\(\s*([^()]*?)\s*\))?\s*")
LIST = re.compile(r"\(\s*([^()]*?)\s*\)\s*")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
SIZE = re.compile(r"([A-Za-z_]\w*)\s*=\s*([0-9]+)", re.ASCII)
LARGEST = 2**53


def threads(says: str) -> tuple[str, ...]:
    """The number of loops."""
    clause = CLAUSE.fullmatch(says)
    number = "1" if clause is None else clause.group(1)
    if clause is None or (number is not None and not (number.isdecimal() and int(number) > 0)):
        raise ValueError("nothing, or collapse(n) with a positive whole number n")
    return (number or "1",)


def names(says: str) -> tuple[str, ...]:
    """Names of arrays."""
    found = pieces(says)
    if not found or not all(NAME.fullmatch(name) for name in found):
        raise ValueError("names of arrays in brackets, such as (As, Bs)")
    return found


def nothing(says: str) -> tuple[str, ...]:
    """No arguments."""
    if says:
        raise ValueError("nothing more")
    return ()


def sizes(says: str) -> tuple[str, ...]:
    """Macros and their values, without blanks."""
    found = [SIZE.fullmatch(piece) for piece in pieces(says)]
    good = [each for each in found if each is not None and 0 < int(each.group(2)) < LARGEST]
    if not found or len(good) < len(found):
        raise ValueError("macros with positive whole numbers in brackets, such as (N=1024, M=64)")
    return tuple(f"{each.group(1)}={int(each.group(2))}" for each in good)


def pieces(says: str) -> tuple[str, ...]:
    """What stands in brackets between commas; none if there are no brackets."""
    inside = LIST.fullmatch(says)
    return () if inside is None else tuple(map(str.strip, inside.group(1).split(",")))


ARGUMENTS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "threads": threads,
    "shared": names,
    "private": names,
    "barrier": nothing,
    "work": sizes,
}
WORDS = ("offload", *ARGUMENTS)
"""Words that may follow ``#pragma logca`` [text]."""


def directives_in(lines: Iterable[PragmaLine]) -> list[Directive]:
    """The directives, but for ``offload``, which `logca.trace.pragmas` reads.

    Parameters
    ----------
    lines : iterable of PragmaLine
        The pragmas of the sources, in order.

    Raises
    ------
    RegionError
        If a word after ``#pragma logca`` is unknown, or cannot have such arguments.
    """
    found = []
    for each in lines:
        ours = OURS.match(each.says)
        if ours is None:
            continue
        word, rest = ours.group(1) or "", ours.group(2).strip()
        if word not in WORDS:
            said = f"logca {word or rest}".strip()
            raise RegionError(
                f"{each.file}:{each.line}: `#pragma {said}`: after `logca` must stand one of "
                f"{', '.join(WORDS)}"
            )
        if word == "offload":
            continue
        try:
            arguments = ARGUMENTS[word](rest)
        except ValueError as error:
            raise RegionError(
                f"{each.file}:{each.line}: after `logca {word}` must stand {error}, not {rest!r}"
            ) from None
        found.append(
            Directive(
                name=word,
                arguments=arguments,
                file=each.file,
                line=each.line,
                target=each.target,
                column=each.column,
                order=each.order,
            )
        )
    return found


def work_sizes(program: Program) -> dict[str, int]:
    """The sizes that a program stands for, by ``#pragma logca work``: macros and values [1].

    Parameters
    ----------
    program : Program
        The program.

    Raises
    ------
    RegionError
        If a macro is given two values.
    """
    return stated(program.directives)


def work_in(lines: Iterable[PragmaLine]) -> dict[str, int]:
    """The same for sources that are not compiled yet [1].

    Parameters
    ----------
    lines : iterable of PragmaLine
        The pragmas of the sources, in order.

    Raises
    ------
    RegionError
        If a macro is given two values, or a directive is wrong.
    """
    return stated(directives_in(lines))


def stated(directives: Iterable[Directive]) -> dict[str, int]:
    """The macros and values of all ``work`` directives."""
    found: dict[str, int] = {}
    for each in directives:
        for argument in each.arguments if each.name == "work" else ():
            name, _, value = argument.partition("=")
            if found.setdefault(name, int(value)) != int(value):
                raise RegionError(
                    f"{each.file}:{each.line}: work({argument}), but elsewhere the work size is "
                    f"{name}={found[name]}"
                )
    return found
