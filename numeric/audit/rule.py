"""The rule that a program has now: which sizes it offloads, by a threshold or by emitted code."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf, nextafter
from typing import NamedTuple

from logca.common.errors import LogcaError
from logca.common.readable_numbers import whole_number_from
from logca.common.sizes import SizeError, format_size, parse_size
from logca.common.toml import shown
from logca.numeric.audit.code_text import ASKED, OffloadFunction, offload_functions
from logca.numeric.audit.emitted_code import foreign_line
from logca.numeric.fit.size_ranges import Ranges, SizesBetween, ranges_text

__all__ = ["PresentRule", "RuleError", "code_rule", "threshold_rule"]


class RuleError(LogcaError, ValueError):
    """A threshold or a file does not say which sizes are offloaded; the message says what would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentRule:
    """Sizes that a program offloads now, and where that is said."""

    name: str  # in a sentence, such as "the threshold of 32 KiB"
    ranges: Ranges  # sizes that are offloaded [B]
    below: bool = False  # whether sizes below its threshold are offloaded, not those from there on

    def offloads(self, size: float) -> bool:
        """True if a size is offloaded."""
        return any(size in each for each in self.ranges)


_ALWAYS = SizesBetween(above=0.0, below=inf)
_WORDS: dict[str, Ranges] = {"always": (_ALWAYS,), "never": ()}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def threshold_rule(
    threshold: float | str,
    *,
    below: bool = False,
    environment: Mapping[str, str] | None = None,
) -> PresentRule:
    """The rule of a threshold: a size, NAME=VALUE, or env:NAME for what a variable says now.

    Sizes from the threshold on are offloaded, or those below it; "always" and "never" will do, too.

    Examples
    --------
    >>> rule = threshold_rule("MIN_BYTES=4096")
    >>> rule.name, rule.offloads(4095), rule.offloads(4096)
    ('the threshold of 4 KiB (MIN_BYTES)', False, True)
    """
    text, variable = (threshold.strip() if isinstance(threshold, str) else threshold), ""
    if isinstance(text, str) and text.startswith("env:"):
        variable = text.removeprefix("env:")
        known = os.environ if environment is None else environment
        if variable not in known:
            raise RuleError(
                f"threshold {threshold!r}: the environment has no variable {variable!r}; set it, "
                f"or write its value, such as {variable or 'NAME'}=32768"
            )
        text = known[variable].strip()
    elif isinstance(text, str) and "=" in text:
        variable, _, text = (part.strip() for part in text.partition("="))
        if not _VARIABLE.fullmatch(variable):
            raise RuleError(f"threshold {threshold!r}: write NAME=VALUE, such as MIN_BYTES=32768")
    of = f" ({variable})" if variable else ""
    if isinstance(text, str) and text in _WORDS:
        return PresentRule(name=f"the rule to offload {text}{of}", ranges=_WORDS[text])
    if _is_zero(text):
        return PresentRule(
            name=f"the threshold of 0 B{of}", ranges=() if below else (_ALWAYS,), below=below
        )
    try:
        size = parse_size(text)
    except SizeError as error:
        more = f"; {variable} says so" if variable else ""
        raise RuleError(f"threshold: {error}, or always or never{more}") from None
    kept = (
        SizesBetween(above=0.0, below=size)
        if below
        else SizesBetween(above=nextafter(size, 0), below=inf)
    )
    return PresentRule(
        name=f"the threshold of {format_size(size)}{of}", ranges=(kept,), below=below
    )


def _is_zero(threshold: float | str) -> bool:
    """True if a threshold is zero bytes: no size is, and yet it leaves all sizes on one side."""
    try:
        return float(threshold) == 0
    except (TypeError, ValueError):
        return False


def code_rule(text: str, file: str) -> PresentRule:
    """The rule of a file that `logca codegen --what should_offload` wrote.

    Its sizes may have been edited since: they are numbers as the language writes them, which is
    that of the ending of the file. Comments and texts in quotes do not count.

    Examples
    --------
    >>> code = "def should_offload(size): return _within(size, 357, math.inf)"
    >>> print(code_rule(code, "aes.py").name)
    the rule of aes.py, to offload from 357 B on
    """
    found = offload_functions(text, file)
    if len(found) > 1:
        raise RuleError(
            f"{file} has {len(found)} functions should_offload; leave one of them there, "
            f"{_OR_THRESHOLD}"
        )
    if found and found[0].directives:
        raise RuleError(
            f"should_offload of {file} has preprocessor lines, such as #if, and it depends on them "
            f"what is compiled; leave what is, without them, {_OR_THRESHOLD}"
        )
    asked = [*_questions(found[0])] if found else []
    foreign = foreign_line(text, file)
    if not asked:
        there = f" ({shown(foreign, _LINE)})" if foreign and "should_offload" in foreign else ""
        raise RuleError(
            f"{file} has no should_offload(size) as `logca codegen --what should_offload` writes "
            f"it{there}; name its threshold with --threshold"
        )
    try:
        pairs = [(_bytes(each.above), _bytes(each.last)) for each in asked]
    except ValueError as error:
        raise RuleError(
            f"{file}: should_offload asks for {error}; write a whole number, such as 65536, "
            f"{_OR_THRESHOLD}"
        ) from None
    if not _only_asks(found[0], asked):
        raise RuleError(
            f"should_offload of {file} does something else than asking within(...); "
            "name its threshold with --threshold"
        )
    if foreign is not None:
        raise RuleError(
            f"{file}: {shown(foreign, _LINE)} is not what `logca codegen` writes, or is in another "
            f"place, and may change the rule; leave all but sizes as it was, {_OR_THRESHOLD}"
        )
    ranges = tuple(
        SizesBetween(above=above, below=nextafter(last, inf))
        for above, last in pairs
        if above < last
    )
    return PresentRule(name=f"the rule of {file}, to offload {ranges_text(ranges)}", ranges=ranges)


_LINE = 80  # characters of a line that is shown
_OR_THRESHOLD = "or name its threshold with --threshold"


class _Question(NamedTuple):
    """A call of within(...), and its two sizes as written; the last is empty if there is one."""

    start: int
    end: int
    above: str
    last: str


def _questions(function: OffloadFunction) -> Iterator[_Question]:
    """Calls of the function that stands beside should_offload in emitted code."""
    name = rf"(?:::)?(?:logca::)?{function.prefix}(?:detail::|_)?within"  # as the languages name it
    code = function.body
    for call in re.finditer(rf"(?<![\w.:$]){name}\s*\(\s*size\s*,", code):
        sizes, depth, end = [""], 0, call.end()
        for sign in code[call.end() :]:
            end += 1
            depth += (sign in "([{") - (sign in ")]}")
            if depth < 0:
                break
            if sign == "," and not depth:
                sizes.append("")
            else:
                sizes[-1] += sign
        above, *rest = (size.strip() for size in sizes)
        last = ",".join(rest[:-1] if rest and not rest[-1] else rest)  # a comma may end the list
        yield _Question(call.start(), end, above, last)


_IN_BRACKETS = re.compile(rf"\(\s*{ASKED}\s*\)")
_EITHER = re.compile(rf"{ASKED}\s*(?:\|\||\bor\b)\s*{ASKED}")


def _only_asks(function: OffloadFunction, asked: Iterable[_Question]) -> bool:
    """True if a function answers by yes where one of the questions is, as emitted code does."""
    rest, at = "", 0
    for each in asked:
        rest += function.body[at : each.start] + ASKED
        at = each.end
    rest += function.body[at:]
    changed = 1
    while changed:
        rest, brackets = _IN_BRACKETS.subn(ASKED, rest)
        rest, pairs = _EITHER.subn(ASKED, rest)
        changed = brackets + pairs
    return function.answer.fullmatch(rest) is not None


_NO_END = re.compile(
    r"(?:UINT64|UINTMAX|ULLONG|ULONG|SIZE)_MAX"
    r"|(?:(?:std|core)::)?(?:u64|usize)::(?:MAX|max_value\(\))"
    r"|(?:std::)?numeric_limits<\s*(?:std::)?(?:size_t|uint64_t|uintmax_t)\s*>::max\(\)"
    r"|(?:(?:math|np|numpy)\.)?inf|float\(\s*([\"'])inf(?:inity)?\1\s*\)"
    r"|Infinity|Number\.POSITIVE_INFINITY"
)
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
_LARGEST = 2**64 - 1  # size of any memory, which is how C and Rust write no end [B]


def _bytes(constant: str) -> float:
    """An end of emitted code, perhaps edited; ValueError if it is no number [B]."""
    text = constant
    while (around := _AROUND.fullmatch(text)) is not None:
        text = next(each for each in around.groups() if each is not None).strip()
    if _NO_END.fullmatch(text):
        return inf
    size = _number(text.lower())
    if size is None:
        raise ValueError(f"the size {shown(constant)}, which is no number")
    return float(size) if size < _LARGEST else inf


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
        return float(int(digits, _BASES[kind])) if 0 < len(digits) <= _LONGEST else None
    return None if len(digits) > 1 and digits.startswith("0") else whole_number_from(digits)
