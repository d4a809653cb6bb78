"""Functions in the source code of a language, apart from its comments and texts in quotes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

__all__ = [
    "ASKED",
    "OffloadFunction",
    "Syntax",
    "Token",
    "offload_functions",
    "source_line",
    "syntax_of",
    "tokens",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffloadFunction:
    """A definition of should_offload, without comments; of each text in quotes, only the quotes."""

    prefix: str  # before should_offload in its name, such as logca_aes_
    body: str  # what stands in its braces, or after the colon of Python
    answer: re.Pattern[str]  # a body that returns a marked question, and does nothing else
    directives: bool  # whether the C preprocessor chooses what of it is compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """Comments, texts and functions of a language."""

    # One part of the code, by the names: a comment, a text, or what else is to be passed over.
    part: re.Pattern[str]
    head: str  # of should_offload, as `logca codegen` writes it, or with less around the names
    opened: str  # first sign of its body
    templates: tuple[tuple[str, str], ...]  # files of `logca codegen`, and how their names begin
    answer: re.Pattern[str]
    nested: bool = False  # whether comments in /* */ nest
    preprocessor: bool = False
    html: bool = False  # whether it has the comments of HTML, too
    indented: bool = False  # whether indentation says where a body ends
    line_end: re.Pattern[str] = re.compile(r"\r\n?")  # besides a line feed

    @property
    def definition(self) -> re.Pattern[str]:
        """Definition of should_offload, to the first sign of its body, or a directive before it."""
        return re.compile(rf"{self.head}(?P<opened>{self.opened})")


class Token(NamedTuple):
    """A word, number, text, sign or directive; of what has indentation, also a line break."""

    text: str
    line: int  # that it begins in, from 0 on


ASKED = "\0"
"""Mark in the place of a question, which no code has."""

_BLOCK = r"(?P<block>/\*(?:.*?\*/|.*))"  # one that is not closed goes to the end
_LINE = r"(?P<line>//[^\n]*)"
_WORD = r"(?P<word>[A-Za-z_$][\w$]*)"
_DOUBLE, _SINGLE, _BACK = (
    rf"{quote}(?:\\.|[^{quote}\\{line}])*{quote}"
    for quote, line in (('"', r"\n"), ("'", r"\n"), ("`", ""))
)
_NAME = r"(?P<prefix>\w*)should_offload\s*"


def _part(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.DOTALL)


_C = Syntax(
    part=_part(
        rf"{_BLOCK}|{_LINE}",
        rf'(?P<text>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{{0,16}})\((?:.*?\)(?P=fence)"|.*)'
        rf"|{_DOUBLE}|{_SINGLE})",
        r"(?P<number>[0-9](?:'?[\w.])*)",  # its quotes separate digits
        _WORD,
    ),
    head=r"\b(?:static\s+)?(?:inline\s+)?(?:bool|_Bool)\s+"
    rf"{_NAME}\(\s*(?:(?:std\s*::\s*)?size_t\s+)?size\s*\)\s*(?:noexcept\s*)?",
    opened=r"[{#]",
    templates=(("should_offload.h", "logca_"), ("should_offload.hpp", "")),
    answer=re.compile(rf"\s*return\s*{ASKED}\s*;\s*"),
    preprocessor=True,
)
_RUST = Syntax(
    part=_part(
        rf"{_BLOCK}|{_LINE}",
        r'(?P<text>[bc]?r(?P<fence>#*)"(?:.*?"(?P=fence)|.*)|"(?:\\.|[^"\\])*"'
        r"|'(?:\\(?:u\{[^{}]*\}|x..|.)|[^'\\\n])')",  # 'a alone is a lifetime
        _WORD,
    ),
    head=rf"\b(?:pub\s+)?fn\s+{_NAME}\(\s*size\s*:\s*usize\s*\)\s*->\s*bool\s*",
    opened=r"\{",
    templates=(("should_offload.rs", ""),),
    answer=re.compile(rf"\s*(?:return\s*{ASKED}\s*;?|{ASKED})\s*"),
    nested=True,
)
_JAVASCRIPT = Syntax(
    part=_part(
        r"(?P<line>\A\#![^\n]*|//[^\n]*)",
        rf"{_BLOCK}|(?P<text>{_DOUBLE}|{_SINGLE}|{_BACK})",
        # a regular expression: where an operand is to come, a slash does not divide
        r"(?P<pattern>(?:(?<=[(,=:\[!&|?{};])|\breturn\b)\s*/(?![/*])"
        r"(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)",
        _WORD,
    ),
    head=rf"\b(?:export\s+)?function\s+{_NAME}\(\s*size\s*\)\s*",
    opened=r"\{",
    templates=(("should_offload.js", ""),),
    html=True,
    line_end=re.compile(r"\r\n?|[\u2028\u2029]"),
    answer=re.compile(rf"\s*return[ \t]*{ASKED}\s*;?\s*"),  # a line break ends a return
)
_PYTHON = Syntax(
    part=_part(
        r"(?P<line>\#[^\n]*|\\\n)",
        r"(?P<text>(?i:\b[rbuft]{1,2})?"
        r'(?:"""(?:(?:\\.|[^\\])*?"""|.*)'
        r"|'''(?:(?:\\.|[^\\])*?'''|.*)"
        rf"|{_DOUBLE}|{_SINGLE}))",
        _WORD,
    ),
    head=rf"\bdef\s+{_NAME}\(\s*size\s*(?::\s*[\w.]+\s*)?\)\s*(?:->\s*bool\s*)?",
    opened=":",
    templates=(("should_offload.py.txt", ""),),
    answer=re.compile(rf'\s*(?:""\s*)?return[ \t]*{ASKED}\s*;?\s*'),
    indented=True,
)
_ENDINGS: dict[str, Syntax | None] = {
    **dict.fromkeys(["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "cu", "cuh"], _C),
    **dict.fromkeys(["py", "pyi"], _PYTHON),
    **dict.fromkeys(["js", "mjs", "cjs"], _JAVASCRIPT),
    "rs": _RUST,
    # Julia and Fortran: should_offload is not written in these
    **dict.fromkeys(["jl", "f", "f90", "f95", "f03", "f08"]),
}
_LOOKS = {  # where the name of a file does not tell
    r"^[ \t]*def\s+\w*should_offload\s*\(": _PYTHON,
    r"^[^\n/*#]*\bfn\s+\w*should_offload\s*\(": _RUST,
    r"^[^\n/*#]*\bfunction\s+\w*should_offload\s*\(": _JAVASCRIPT,
}
_INFINITE = re.compile(r"([\"'])inf(?:inity)?\1")  # float("inf")
_NESTED = re.compile(r"/\*|\*/")
_SPLICE = re.compile(r"\\\r?\n")
_WORDS = re.compile(r"(?P<margin>[^\S\n]*)\S")  # a line that is not empty
_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_SIGN = re.compile(r"\n[^\S\n]*-->|\n[^\S\n]*|<!--|%:|\?\?=|[=!]==?|[<>]=|&&|\|\||::|->|=>|\S")


def offload_functions(text: str, file: str) -> tuple[OffloadFunction, ...]:
    r"""All definitions of should_offload, also with a prefix, in a file of that name.

    Examples
    --------
    >>> code = "def should_offload(size):  # old: 16\n    return _within(size, 64 // 4, 99)"
    >>> [each.body.strip() for each in offload_functions(code, "aes.py")]
    ['return _within(size, 64 // 4, 99)']
    """
    syntax = syntax_of(text, file)
    if syntax is None:
        return ()
    code = "".join(_without_comments(text, syntax)).replace(ASKED, "?")
    found = []
    for each in syntax.definition.finditer(code):
        body = _indented(code, each) if syntax.indented else _braced(code, each.end("opened"))
        found.append(
            OffloadFunction(
                prefix=each["prefix"],
                body=body,
                answer=syntax.answer,
                directives=syntax.preprocessor
                and (each["opened"] == "#" or _DIRECTIVE.search(body) is not None),
            )
        )
    return tuple(found)


def syntax_of(text: str, file: str) -> Syntax | None:
    """That of the ending of a file, or that which the text looks like."""
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    return next((_LOOKS[each] for each in _LOOKS if re.search(each, text, re.MULTILINE)), _C)


def tokens(text: str, syntax: Syntax) -> list[Token]:
    r"""All of a code but comments and blanks.

    Line breaks count between statements of Python, and after the return of a language in which
    they may end it.

    Examples
    --------
    >>> [each.text for each in tokens("x = 1  # why", syntax_of("", "aes.py"))]
    ['\n', 'x', '=', '1']
    """
    found = [Token("\n", 0)] if syntax.indented else []
    depth, fresh, directive = 0, True, False  # fresh: nothing stands before it on its line
    for each in _signs(text, syntax):
        last = found[-1].text if found else ""
        if each.text.startswith("\n"):
            if syntax.indented and depth <= 0:
                del found[len(found) - last.startswith("\n") :]  # an empty line
                found.append(each)
            elif last == "return" and not syntax.preprocessor:
                found.append(each)
            fresh, directive = True, False
        elif directive:
            found[-1] = found[-1]._replace(text=f"{last} {each.text}")
        else:
            found.append(each)
            directive, fresh = fresh and syntax.preprocessor and each.text == "#", False
            depth += (each.text in _OPENING) - (each.text in _CLOSING)
    if found and found[-1].text.startswith("\n"):
        found.pop()
    return list(_levels(found)) if syntax.indented else found


def _levels(found: Iterable[Token]) -> Iterator[Token]:
    """Tokens, with a space for each level of indentation, however wide it is."""
    widths = [0]
    for each in found:
        if each.text.startswith("\n"):
            width = len(each.text[1:].expandtabs(8))
            while widths[-1] > width:
                widths.pop()
            if widths[-1] < width:
                widths.append(width)
            yield each._replace(text="\n" + " " * (len(widths) - 1))
        else:
            yield each


def source_line(text: str, syntax: Syntax, token: Token) -> str:
    """The line of a code in which a token begins."""
    code = "".join(part for _, part in _parts(text, syntax))
    return code.split("\n")[token.line].strip()


def _signs(text: str, syntax: Syntax) -> Iterator[Token]:
    """Tokens, with all line breaks, and directives in parts."""
    line = 0
    for kind, part in _parts(text, syntax):
        if kind == "block" and "\n" in part and not syntax.preprocessor:
            yield Token("\n", line)
        elif not kind:
            for sign in _SIGN.finditer(part):
                at = line + part.count("\n", 0, sign.start()) + sign[0].startswith("\n")
                yield Token(sign[0].strip() if sign[0].endswith("-->") else sign[0], at)
        elif kind not in ("block", "line"):
            yield Token(" ".join(part.split()), line + part[: -len(part.lstrip())].count("\n"))
        line += part.count("\n")


def _without_comments(text: str, syntax: Syntax) -> Iterator[str]:
    """Parts of a code; a comment is a space or a line break, a text in quotes is empty."""
    for kind, part in _parts(text, syntax):
        if kind == "block":
            yield "\n" if "\n" in part else " "
        elif kind == "line":
            yield " "
        elif kind == "text":
            yield part if _INFINITE.fullmatch(part) else '""'
        else:
            yield part


def _parts(text: str, syntax: Syntax) -> Iterator[tuple[str, str]]:
    """Comments, texts and words of a code, and what stands between these, with their kinds."""
    text = syntax.line_end.sub("\n", text.removeprefix("\ufeff"))
    if syntax.preprocessor:
        text = _SPLICE.sub("", text)
    at = 0
    while (part := syntax.part.search(text, at)) is not None:
        yield "", text[at : part.start()]
        kind, at = part.lastgroup or "", part.end()
        if kind == "block" and syntax.nested:
            at = _end_of_nested(text, part.start())
        yield kind, text[part.start() : at]
    yield "", text[at:]


def _end_of_nested(text: str, start: int) -> int:
    """Position after a comment in which there may be others."""
    depth = 0
    for mark in _NESTED.finditer(text, start):
        depth += 1 if mark[0] == "/*" else -1
        if not depth:
            return mark.end()
    return len(text)


def _braced(code: str, start: int) -> str:
    """Code from a brace that was opened to the one that closes it."""
    depth = 1
    for at in range(start, len(code)):
        depth += (code[at] == "{") - (code[at] == "}")
        if not depth:
            return code[start:at]
    return code[start:]


def _indented(code: str, definition: re.Match[str]) -> str:
    """Code to the first line that is indented no more than the definition."""
    line = code[code.rfind("\n", 0, definition.start()) + 1 : definition.start()]
    margin, depth, start = len(line) - len(line.lstrip()), 0, definition.end()
    for at in range(start, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if code[at] == "\n" and depth <= 0:
            words = _WORDS.match(code, at + 1)
            if words is not None and len(words["margin"]) <= margin:
                return code[start:at]
    return code[start:]
