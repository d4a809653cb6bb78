"""Functions in the source code of a language, apart from its comments and texts in quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

__all__ = ["ASKED", "OffloadFunction", "offload_functions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffloadFunction:
    """A definition of should_offload, without comments; of each text in quotes, only the quotes."""

    prefix: str  # before should_offload in its name, such as logca_aes_
    body: str  # what stands in its braces, or after the colon of Python
    answer: re.Pattern[str]  # a body that returns a marked question, and does nothing else
    directives: bool  # whether the C preprocessor chooses what of it is compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class _Syntax:
    """Comments, texts and functions of a language."""

    # One part of the code, by the names: a comment, a text, or what else is to be passed over.
    part: re.Pattern[str]
    definition: re.Pattern[str]  # to the brace or colon of the body, or a directive before it
    answer: re.Pattern[str]
    nested: bool = False  # whether comments in /* */ nest
    preprocessor: bool = False
    indented: bool = False  # whether indentation says where a body ends


ASKED = "\0"
"""Mark in the place of a question, which no code has."""

_BLOCK = r"(?P<block>/\*(?:.*?\*/|.*))"  # one that is not closed goes to the end
_LINE = r"(?P<line>//[^\n]*)"
_WORD = r"(?P<word>[A-Za-z_$][\w$]*)"
_DOUBLE, _SINGLE, _BACK = (
    rf"{quote}(?:\\.|[^{quote}\\{line}])*{quote}"
    for quote, line in (('"', r"\n"), ("'", r"\n"), ("`", ""))
)
_NAME = r"(?P<prefix>\w*)should_offload\s*\([^()]*\)\s*"


def _part(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.DOTALL)


_C = _Syntax(
    part=_part(
        rf"{_BLOCK}|{_LINE}",
        rf'(?P<text>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{{0,16}})\((?:.*?\)(?P=fence)"|.*)'
        rf"|{_DOUBLE}|{_SINGLE})",
        r"(?P<number>[0-9](?:'?[\w.])*)",  # its quotes separate digits
        _WORD,
    ),
    definition=re.compile(
        rf"\b(?:bool|_Bool)\s+(?:\w+\s*::\s*)*{_NAME}(?:noexcept\s*)?(?P<opened>[{{#])"
    ),
    answer=re.compile(rf"\s*return\s*{ASKED}\s*;\s*"),
    preprocessor=True,
)
_RUST = _Syntax(
    part=_part(
        rf"{_BLOCK}|{_LINE}",
        r'(?P<text>[bc]?r(?P<fence>#*)"(?:.*?"(?P=fence)|.*)|"(?:\\.|[^"\\])*"'
        r"|'(?:\\(?:u\{[^{}]*\}|x..|.)|[^'\\\n])')",  # 'a alone is a lifetime
        _WORD,
    ),
    definition=re.compile(rf"\bfn\s+{_NAME}->\s*bool\s*(?P<opened>\{{)"),
    answer=re.compile(rf"\s*(?:return\s*{ASKED}\s*;?|{ASKED})\s*"),
    nested=True,
)
_JAVASCRIPT = _Syntax(
    part=_part(
        rf"{_BLOCK}|{_LINE}|(?P<text>{_DOUBLE}|{_SINGLE}|{_BACK})",
        # a regular expression: where an operand is to come, a slash does not divide
        r"(?P<pattern>(?:(?<=[(,=:\[!&|?{};])|\breturn\b)\s*/(?![/*])"
        r"(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)",
        _WORD,
    ),
    definition=re.compile(rf"\bfunction\s+{_NAME}(?P<opened>\{{)"),
    answer=re.compile(rf"\s*return[ \t]*{ASKED}\s*;?\s*"),  # a line break ends a return
)
_PYTHON = _Syntax(
    part=_part(
        r"(?P<line>\#[^\n]*|\\\n)",
        r"(?P<text>(?i:\b[rbuft]{1,2})?"
        r'(?:"""(?:(?:\\.|[^\\])*?"""|.*)'
        r"|'''(?:(?:\\.|[^\\])*?'''|.*)"
        rf"|{_DOUBLE}|{_SINGLE}))",
        _WORD,
    ),
    definition=re.compile(rf"\bdef\s+{_NAME}(?:->[^:\n]*)?(?P<opened>:)"),
    answer=re.compile(rf'\s*(?:""\s*)?return[ \t]*{ASKED}\s*;?\s*'),
    indented=True,
)
_ENDINGS: dict[str, _Syntax | None] = {
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


def offload_functions(text: str, file: str) -> tuple[OffloadFunction, ...]:
    r"""All definitions of should_offload, also with a prefix, in a file of that name.

    Examples
    --------
    >>> code = "def should_offload(size):  # old: 16\n    return _within(size, 64 // 4, 99)"
    >>> [each.body.strip() for each in offload_functions(code, "aes.py")]
    ['return _within(size, 64 // 4, 99)']
    """
    syntax = _syntax(text, file)
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


def _syntax(text: str, file: str) -> _Syntax | None:
    """That of the ending of a file, or that which the text looks like."""
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    return next((_LOOKS[each] for each in _LOOKS if re.search(each, text, re.MULTILINE)), _C)


def _without_comments(text: str, syntax: _Syntax) -> Iterator[str]:
    """Parts of a code; a comment is a space or a line break, a text in quotes is empty."""
    if syntax.preprocessor:
        text = _SPLICE.sub("", text)
    at = 0
    while (part := syntax.part.search(text, at)) is not None:
        yield text[at : part.start()]
        kinds, at = part.groupdict(), part.end()
        if kinds.get("block"):
            at = _end_of_nested(text, part.start()) if syntax.nested else at
            yield "\n" if "\n" in text[part.start() : at] else " "
        elif kinds["line"]:
            yield " "
        elif kinds["text"]:
            yield part[0] if _INFINITE.fullmatch(part[0]) else '""'
        else:
            yield part[0]
    yield text[at:]


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
