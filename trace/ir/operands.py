"""Types and values in LLVM's textual assembly: where one ends, and what is inside of it."""

import re
from collections.abc import Iterator

__all__ = [
    "FLAGS",
    "IN_NAME",
    "NAME",
    "behind",
    "closing",
    "element",
    "member",
    "split",
    "type_at",
    "value",
]

IN_NAME = r"[-\w.$]"
"""A character of a name, which ends before any other one, or with the text."""
NAME = rf'(?:"[^"]*"|{IN_NAME}+)'
VALUE = re.compile(rf"[%@]{NAME}$")
FLAGS = re.compile(
    r"(?:(?:volatile|atomic|weak|inbounds|nuw|nsw|nusw|exact|disjoint|nneg|samesign|fast|nnan|ninf"
    r"|nsz|arcp|contract|afn|reassoc|inalloca|swifterror|musttail|notail|tail) )*"
)
ORDER = re.compile(
    r'(?: syncscope\("[^"]*"\))?(?: (?:unordered|monotonic|acquire|release|acq_rel|seq_cst))+$'
)
TYPE = re.compile(
    r"void\b|ptr\b(?: addrspace\(\d+\))?|i\d+\b|half\b|bfloat\b|float\b|double\b|fp128\b"
    r"|x86_fp80\b|ppc_fp128\b|x86_amx\b|metadata\b|token\b|label\b"
    r'|%"[^"]*"|%[-\w.$]+|target\("[^)]*\)'
)
OPEN, CLOSE = "([{<", ")]}>"
NESTING = re.compile(r'["(\[{<]')
MARKS = re.compile(r'"[^"]*"?|[](){}<>[,]')


def closing(text: str, start: int) -> int:
    """Index just behind the bracket that closes the one at `start`."""
    closed = (place + 1 for place, mark, depth in marks(text, start) if mark in CLOSE and not depth)
    return next(closed, len(text))


def marks(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Brackets and commas outside of quotes: where, which, and how many are open behind it."""
    depth = 0
    for found in MARKS.finditer(text, start):
        mark = found[0]
        if mark[0] != '"':
            depth += (mark in OPEN) - (mark in CLOSE)
            yield found.start(), mark, depth


def type_at(text: str, start: int = 0) -> tuple[str, int]:
    """The type that starts at an index, and the index behind it; no text if none starts there.

    Examples
    --------
    >>> type_at("[4 x i8], ptr %p")
    ('[4 x i8]', 8)
    """
    if start < len(text) and text[start] in "[{<":
        end = closing(text, start)
        return text[start:end], end
    found = TYPE.match(text, start)
    return (found.group(), found.end()) if found else ("", start)


def split(text: str) -> list[str]:
    """The parts between commas outside of brackets and quotes.

    Examples
    --------
    >>> split("[2 x i8], ptr @f(i8 1, i8 2), align 8")
    ['[2 x i8]', 'ptr @f(i8 1, i8 2)', 'align 8']
    """
    if not text:
        return []
    # most have none; looking at them mark by mark takes most of the time that reading takes
    if not NESTING.search(text):
        return [piece.strip() for piece in text.split(",")]
    pieces, last = [], 0
    for place, mark, depth in marks(text):
        if mark == "," and depth == 0:
            pieces.append(text[last:place].strip())
            last = place + 1
    pieces.append(text[last:].strip())
    return pieces


def element(type_: str) -> tuple[int, str]:
    """Length and element type of an array or a vector; a length of 0 if it is neither.

    Examples
    --------
    >>> element("[8 x [4 x double]]")
    (8, '[4 x double]')
    """
    if type_[:1] in "[<" and type_[:2] != "<{":
        count, found, inner = type_[1:-1].removeprefix("vscale x ").partition(" x ")
        if found and count.isdigit():
            return int(count), inner
    return 0, type_


def value(operand: str) -> str:
    """The value of an operand printed as type, attributes, value.

    Examples
    --------
    >>> value("ptr noundef %x"), value("i32 4"), value("ptr @f"), value("%y")
    ('%x', '4', '@f', '%y')
    """
    last = operand.rpartition(" ")[2]
    if VALUE.match(last):
        return last
    operand = ORDER.sub("", operand)
    if found := VALUE.search(operand):
        return found.group()
    _, end = type_at(operand)
    return operand[end:].strip() or operand


def member(type_: str, indices: list[str]) -> str:
    """Type of a member of a structure without a name, or of an array; no text of another."""
    for index in indices:
        body = type_[1:-1] if type_.startswith("<{") else type_
        type_ = split(body[1:-1])[int(index)] if body.startswith("{") else element(type_)[1]
    return type_


def behind(start: re.Pattern[str], text: str) -> str:
    """The text without what it starts with."""
    found = start.match(text)
    return text[found.end() :] if found else text
