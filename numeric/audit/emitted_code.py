"""The rule of code that `logca codegen` wrote, in which no more than sizes has been edited since.

Only code that is known line for line has the rule that it seems to have: whatever stands beside it
could change what it calls.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import inf, nextafter
from string import Template

from logca.common.readable_numbers import whole_number_from
from logca.common.toml import shown
from logca.numeric.audit.rule import PresentRule, RuleError
from logca.numeric.fit.size_ranges import SizesBetween, ranges_text

__all__ = ["code_rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    """Parts that a template leaves open: comments, and questions whether a size is in a range."""

    comment: str = r"///?"  # how its line begins
    doc: str = r"///?"  # how that of a function begins
    within: str = "within"  # the function that asks
    either: str = "||"  # between questions
    brackets: bool = False  # whether questions on several lines stand in brackets
    namespace: str = ""  # how names begin that other files see
    endless: str  # a size that has no end
    most: float = 2**64 - 1  # the largest number, which is how some write no end, too [B]


# Read as data: this room runs without those that generate code.
_TEMPLATES = files("logca.numeric").joinpath("generate", "offload", "templates")
_C_ENDLESS = r"(?:UINT64|UINTMAX|ULLONG|SIZE)_MAX"
_LANGUAGES = {
    "should_offload.h": _Language(namespace="logca_", within="${prefix}within", endless=_C_ENDLESS),
    "should_offload.hpp": _Language(
        within="${prefix}detail::within",
        endless=rf"{_C_ENDLESS}|(?:std::)?numeric_limits<\s*(?:std::)?"
        r"(?:size_t|uint64_t|uintmax_t)\s*>::max\(\)",
    ),
    "should_offload.rs": _Language(
        endless=r"(?:(?:std|core)::)?(?:u64|usize)::(?:MAX|max_value\(\))"
    ),
    "should_offload.js": _Language(
        doc=r" \*", endless=r"Infinity|Number\.POSITIVE_INFINITY", most=inf
    ),
    "should_offload.py.txt": _Language(
        comment="#",
        within="_within",
        either="or",
        brackets=True,
        endless=r"math\.inf|float\(([\"'])inf(?:inity)?\1\)",
        most=inf,
    ),
}
_UNKNOWN = "\0"
"""Mark at the end of a line that is in no emitted code, whatever else it says."""

_COMMENT = rf"(?:{{}}(?: (?!.*\*/)[^\n{_UNKNOWN}]*)?(?<!\\)(?<!\?\?/)\n)*"  # whole lines
_SIZE = r"[^,\n]+"
_PROSE = rf'[^"\\\n{_UNKNOWN}]*'  # in a text of Python
_OPEN = {  # values that emitted code may have, where only their form is known
    "variable": r"LOGCA_OFFLOAD(?:_[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)?",
    "guard": r"LOGCA_OFFLOAD[A-Z0-9_]*_[0-9A-F]{8}_H",
    "number": r"a number of bytes|a value of [A-Za-z_][A-Za-z0-9_]*",
}
_MATHEMATICS = re.compile(r"^import math$|^ .*\(size, .*\bmath\.", re.MULTILINE)  # of Python
_MACRO = re.compile(r"never, auto and a value of (\w+)")
_ENCODING = re.compile(r"coding[:=]")  # to Python, a comment of the first two lines can name one
_LINE = 80  # characters of a line that is shown
_OR_THRESHOLD = "or name its threshold with --threshold"


def code_rule(text: str, file: str) -> PresentRule:
    """The rule of a file that `logca codegen --what should_offload` wrote, in any language.

    Sizes may have been edited since: they are numbers as the language writes them. So may have been
    comments, and blanks at ends of lines; all else is as it was written.
    """
    lines = [each.removesuffix("\r").rstrip(" \t") for each in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    known = "".join(f"{each}{_UNKNOWN * _is_unknown(each, at)}\n" for at, each in enumerate(lines))
    found = {name: _matched(known, name) for name in _LANGUAGES}
    name = max(found, key=lambda each: found[each][0])
    end, asked = found[name]
    if end < len(known) or not asked:
        at = known.count("\n", 0, end)
        line = shown(lines[at], _LINE) if at < len(lines) else "its end"
        raise RuleError(
            f"{file}: line {at + 1}, {line}, is not what `logca codegen --what should_offload` "
            "writes for sizes; keep that in a file of its own, with no more than sizes edited, "
            f"{_OR_THRESHOLD}"
        )
    language = _LANGUAGES[name]
    if macro := _MACRO.search(known):
        raise RuleError(
            f"{file}: its sizes are values of {macro[1]}, and those of timings are bytes; "
            "name its threshold in bytes with --threshold"
        )
    try:
        # All are to be numbers: in others, code could stand.
        ends = {
            key: [(_bytes(above, language), _bytes(last, language)) for above, last in pairs]
            for key, pairs in asked.items()
        }
    except ValueError as error:
        raise RuleError(
            f"{file}: should_offload asks for {error}; write a whole number, such as 65536, "
            f"{_OR_THRESHOLD}"
        ) from None
    ranges = tuple(
        SizesBetween(above=above, below=nextafter(last, inf))
        for above, last in ends["likely"]
        if above < last
    )
    return PresentRule(name=f"the rule of {file}, to offload {ranges_text(ranges)}", ranges=ranges)


def _is_unknown(line: str, at: int) -> bool:
    return not line.isprintable() or (at < 2 and _ENCODING.search(line) is not None)


def _matched(text: str, name: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """Length of the text that is as a template has it, and the sizes that its functions ask for."""
    template = _TEMPLATES.joinpath(name).read_text(encoding="utf-8")
    values = _values(text, template, _LANGUAGES[name])
    at, asked = 0, dict[str, list[tuple[str, str]]]()
    question = _question(_LANGUAGES[name], values, f"({_SIZE})")
    for pattern in _patterns(template, _LANGUAGES[name], values):
        match = re.compile(pattern).match(text, at)
        if match is None:
            return at, {}
        at = match.end()
        for key, questions in match.groupdict().items():
            asked[key] = re.findall(question, questions)
    return len(text) - len(text[at:].lstrip("\n")), asked


def _values(text: str, template: str, language: _Language) -> dict[str, str]:
    """Values of a template's placeholders in a file that was made of it: names, and so on."""
    values = {"mathematics": "import math\n" * (_MATHEMATICS.search(text) is not None)}
    for key, form in _OPEN.items():
        line = next((each for each in _code(template, language) if f"${key}" in each), f"${key}")
        around = (re.escape(Template(each).safe_substitute()) for each in line.split(f"${key}"))
        written = re.search(f"^{f'(?P<value>{form})'.join(around)}$", text, re.MULTILINE)
        match = written or re.search(f"(?P<value>{form})", text)  # else in the comment at the top
        values[key] = match["value"] if match else ""
    kernel = values["variable"].removeprefix("LOGCA_OFFLOAD").removeprefix("_").lower()
    prefix = language.namespace + f"{kernel}_" * bool(kernel)
    return values | {"macro": values["variable"], "prefix": prefix}


def _code(template: str, language: _Language) -> Iterator[str]:
    """Lines of a template that are no comments."""
    comment = re.compile(f"{language.comment} ")
    return (each for each in template.splitlines() if comment.match(each) is None)


def _questions(language: _Language, values: Mapping[str, str]) -> str:
    """One question, or several of which one is to be answered by yes, on one line or on several."""
    one = _question(language, values, _SIZE)
    either = re.escape(language.either)
    if language.brackets:
        return rf"{one}(?: {either} {one})*|\(\n *{one}(?:\n *{either} {one})*\n *\)"
    return rf"{one}(?:(?: |\n *){either} {one})*"


def _question(language: _Language, values: Mapping[str, str], size: str) -> str:
    within = re.escape(Template(language.within).substitute(values))
    return rf"{within}\(size, {size}, {size}\)"


def _patterns(template: str, language: _Language, values: Mapping[str, str]) -> Iterator[str]:
    """Patterns of the lines of a file, one for each line of a template, in this order."""
    comment, doc = (_COMMENT.format(each) for each in (language.comment, language.doc))
    questions = _questions(language, values)
    left = {f"{key}_within": f"(?P<{key}>{questions})" for key in ("likely", "staying", "starting")}
    left |= {"likely": _PROSE, "state": _PROSE}
    for line in Template(template).safe_substitute(values).splitlines():
        if line == "$head" or re.match(f"{language.comment} ", line):
            yield comment
        elif line.endswith("_comment") or re.match(f"{language.doc}(?: |$)", line):
            yield doc
        elif line == "$hysteresis":
            yield rf"(?:    {_PROSE}\n)*"
        else:
            first, *parts = re.split(r"\$(\w+)", line)
            rest = (
                left[key] + re.escape(each)
                for key, each in zip(parts[::2], parts[1::2], strict=True)
            )
            yield f"{re.escape(first)}{''.join(rest)}\n"


_TYPE = r"(?:(?:std::)?(?:size_t|uintmax_t|uint64_t)|usize|u64)"
_AROUND = re.compile(  # macros, casts and brackets, which leave a size as it is
    rf"\(\s*{_TYPE}\s*\)\s*(.*)|(.*)\sas\s+{_TYPE}|{_TYPE}\s*\{{(.*)\}}"
    rf"|(?:UINT(?:64|MAX)_C|static_cast<\s*{_TYPE}\s*>|{_TYPE})?\s*\((.*)\)",
    re.DOTALL,
)
_SUFFIX = r"(?:_?u(?:64|size)|u?(?:ll?|z)|(?:ll?|z)u|u|n)?"
_WHOLE = re.compile(
    rf"(?:0x(?P<hex>[0-9a-f_']+?)|0b(?P<binary>[01_']+?)|0o(?P<octal>[0-7_']+?)"
    rf"|(?P<decimal>[0-9][0-9_']*?)){_SUFFIX}"
)
_DECIMALS = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:e\+?[0-9]{1,2})?")
_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_LONGEST = 64  # digits of a number: those of 64 bits


def _bytes(constant: str, language: _Language) -> float:
    """An end of emitted code, perhaps edited; ValueError if it is no number of a size [B]."""
    text = constant
    while (around := _AROUND.fullmatch(text)) is not None:
        text = next(each for each in around.groups() if each is not None).strip()
    if re.fullmatch(language.endless, text):
        return inf
    size = _number(text.lower())
    if size is None or size > language.most:
        raise ValueError(f"the size {shown(constant)}, which is no number")
    return float(size) if size < 2**64 - 1 else inf


def _number(text: str) -> float | None:
    """The number that one of the languages writes so; None if that is none, or not the same in all.

    A leading zero makes a number octal in C, and not in Rust.
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        return float(text) if _DECIMALS.fullmatch(text) and len(text) <= _LONGEST else None
    kind = next(name for name in _BASES if whole[name] is not None)
    digits = whole[kind].replace("_", "").replace("'", "")
    if kind != "decimal":
        return int(digits, _BASES[kind]) if 0 < len(digits) <= _LONGEST else None
    return None if len(digits) > 1 and digits.startswith("0") else whole_number_from(digits)
