"""The ``#pragma`` lines of a C source, and the statement that each stands before."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PragmaLine", "pragma_lines"]

NO_CODE = re.compile(
    r"(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))"
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'',
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PragmaLine:
    """A ``#pragma`` of a source.

    Parameters
    ----------
    line : int
        Its line [1].
    says : str
        What follows the word ``pragma``, without comments [text].
    target, column : int
        Place of the statement after it; 0 if none follows [1].
    """

    line: int
    says: str
    target: int
    column: int


def pragma_lines(file: Path) -> list[PragmaLine]:
    """The pragmas of a file, in order.

    Parameters
    ----------
    file : Path
        A C source; one that cannot be read has no pragmas.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    lines = NO_CODE.sub(blanked, text).split("\n")
    found: list[PragmaLine] = []
    waiting: list[tuple[int, str]] = []
    number = 0
    while number < len(lines):
        line, content = number, lines[number]
        number += 1
        stripped = content.lstrip()
        if not stripped.startswith("#"):
            if stripped.strip("\\ \t\r"):
                found += before(waiting, line + 1, len(content) - len(stripped) + 1)
                waiting = []
            continue
        while content.rstrip("\r").endswith("\\") and number < len(lines):
            content = content.rstrip("\r")[:-1] + " " + lines[number]
            number += 1
        directive = re.match(r"\s*#\s*pragma\b(.*)", content)
        if directive is not None:
            waiting.append((line + 1, directive.group(1)))
    return found + before(waiting, 0, 0)


def before(waiting: list[tuple[int, str]], target: int, column: int) -> list[PragmaLine]:
    """Pragmas that stand before the statement at a place."""
    return [
        PragmaLine(line=line, says=says, target=target, column=column) for line, says in waiting
    ]


def blanked(found: re.Match[str]) -> str:
    """Text that is no code, on as many lines: spaces for a comment, quotes for a literal.

    A comment over several lines is one space of one line to the compiler.
    """
    if found["comment"]:
        return re.sub(r"[^\n]", " ", found.group()).replace("\n", "\\\n")
    return re.sub(r"[^\n]", '"', found.group())
