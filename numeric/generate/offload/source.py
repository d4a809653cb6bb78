"""From a fit or an accelerator to a source file, from a template per language."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from shlex import join
from string import Template
from textwrap import fill, wrap
from typing import NamedTuple

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.fit import Fit
from logca.numeric.generate.offload.rule import (
    OffloadError,
    OffloadRule,
    SizeRange,
    offload_rule,
    printable,
)

__all__ = ["LANGUAGES", "commented", "head_lines", "source", "source_of_rule", "template"]

_TEMPLATES = files("logca.numeric.generate.offload").joinpath("templates")
_SAFE = 2**53 - 1  # the largest whole number that JavaScript keeps exactly without an n
_LIKELY = "Whether offloading {so_many} most likely pays."
_STATE = "Whether to offload {so_many}, by what the caller does now."
_HYSTERESIS = (
    "A caller that offloads keeps offloading until the size is outside the interval of the"
    " break-even; one that does not starts only beyond the interval."
)


def _uint64(end: int | None) -> str:
    return "UINT64_MAX" if end is None or end >= 2**64 else f"UINT64_C({end})"


def _u64(end: int | None) -> str:
    return "u64::MAX" if end is None or end >= 2**64 else f"{end:_}"


def _number(end: int | None) -> str:
    return "Infinity" if end is None else f"{end}{'n' * (end > _SAFE)}"


def _int(end: int | None) -> str:
    return "math.inf" if end is None else str(end)


class OffloadLanguage(NamedTuple):
    """Comments, sizes and the template of a language."""

    template: str
    end: Callable[[int | None], str]  # a size as a constant; what has no end if there is none
    mark: str = "//"  # of a comment
    doc: str = "//"  # of the comment of a function
    width: int = 100  # of a line
    read: str = "at the first question"  # when the environment is read
    within: str = "within"  # the function that asks whether a size is in a range
    either: str = "||"  # between two questions, of which one is to be answered by yes
    brackets: bool = False  # whether questions on several lines stand in brackets
    step: int = 4  # columns of indentation [1]
    namespace: str = ""  # how names that other files see begin: with this and the kernel's name


LANGUAGES = {
    "c": OffloadLanguage(
        template="should_offload.h",
        end=_uint64,
        read="at the first question in each source file that includes this",
        namespace="logca_",
        within="{prefix}within",
    ),
    "cpp": OffloadLanguage(
        template="should_offload.hpp", end=_uint64, within="{prefix}detail::within"
    ),
    "cuda": OffloadLanguage(  # its host code asks
        template="should_offload.hpp", end=_uint64, within="{prefix}detail::within"
    ),
    "rust": OffloadLanguage(template="should_offload.rs", end=_u64, doc="///"),
    "javascript": OffloadLanguage(template="should_offload.js", end=_number, doc=" *", step=2),
    "python": OffloadLanguage(
        template="should_offload.py.txt",
        end=_int,
        within="_within",
        either="or",
        brackets=True,
        mark="#",
        doc="   ",
        width=88,
    ),
}
"""The languages, and how each is written."""


def source(
    language: str,
    basis: Fit | Accelerator,
    options: Sequence[str] = ("--fit", "FIT"),
    *,
    name: str = "",
    most_likely: bool = False,
    in_flight: int | None = None,
) -> str:
    """A source file that says whether to offload a size, on the standard library alone.

    It has `should_offload(size)` and `should_offload_from(size, offloading)`, for whole numbers of
    bytes; they answer as `thresholds` of the basis does, or as `thresholds_in_flight` if there is a
    number of requests in flight. `options` name the basis on the command line, for the comment that
    says how the file came about. With a kernel's name they are
    NAME_should_offload and NAME_should_offload_from in C, where all names begin with logca_, and in
    C++ and CUDA C++, where they are in the namespace logca.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise OffloadError(f"there are no thresholds in {language}, only in {known}")
    rule = offload_rule(basis, name, most_likely=most_likely, in_flight=in_flight)
    command = f"logca codegen --lang {language} --what should_offload {printable(join(options))}"
    command += f" --name {name}" * bool(name) + " --most-likely" * most_likely
    command += f" --in-flight {in_flight}" * (in_flight is not None)
    return source_of_rule(language, rule, command)


def source_of_rule(language: str, rule: OffloadRule, command: str) -> str:
    """A source file with the thresholds of a rule, which that command has written."""
    style = LANGUAGES[language]
    text = template(style.template).substitute(_substitutions(rule, command, style))
    # Of the contents: two headers for one name are an error of the compiler, not one left out.
    digest = sha256(text.encode()).hexdigest()[:8].upper()
    return text.replace("$guard", f"{rule.variable}_{digest}_H")


@cache
def template(name: str) -> Template:
    """A file with placeholders."""
    return Template(_TEMPLATES.joinpath(name).read_text(encoding="utf-8"))


def _substitutions(rule: OffloadRule, command: str, style: OffloadLanguage) -> dict[str, str]:
    """Text for each name in a template."""
    prefix = style.namespace + (f"{rule.name}_" if rule.name else "")
    ranges = {"likely": rule.likely, "staying": rule.staying, "starting": rule.starting}
    sizes = {
        f"{name}_within": _within(some, prefix, style, _column(style, f"${name}_within"))
        for name, some in ranges.items()
    }
    endless = any("math." in text for text in sizes.values())
    likely, state = (text.format(so_many=rule.so_many) for text in (_LIKELY, _STATE))
    return sizes | {
        "head": commented(style.mark, _head(rule, command, style)),
        "variable": rule.variable,
        "prefix": prefix,
        "guard": "$guard",  # of a C header: known when all of its contents are
        "macro": rule.variable,
        "mathematics": "import math\n" if endless else "",
        "likely_comment": _wrapped(style, likely),
        "state": state,
        "likely": likely,
        "number": rule.number,
        "hysteresis_comment": _wrapped(style, f"{state} {_HYSTERESIS}"),
        "hysteresis": _wrapped(style, _HYSTERESIS),
    }


def _column(style: OffloadLanguage, placeholder: str) -> int:
    """Indentation of the line of a template that has a placeholder."""
    lines = template(style.template).template.splitlines()
    line = next(each for each in lines if placeholder in each)
    return len(line) - len(line.lstrip())


def _within(ranges: Sequence[SizeRange], prefix: str, style: OffloadLanguage, column: int) -> str:
    """The question whether a size is in one of the ranges."""
    called = style.within.format(prefix=prefix)
    asked = [f"{called}(size, {style.end(each.above)}, {style.end(each.last)})" for each in ranges]
    one = f" {style.either} ".join(asked)
    if len(asked) == 1 or column + len("return ;") + len(one) <= style.width:
        return one
    margin = "\n" + " " * (column + style.step)
    lines = f"{margin}{style.either} ".join(asked)
    return f"({margin}{lines}\n{' ' * column})" if style.brackets else lines


def commented(mark: str, lines: Iterable[str]) -> str:
    """Lines as a comment."""
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)


def _wrapped(style: OffloadLanguage, text: str) -> str:
    """A sentence as the comment of a function."""
    lines = wrap(text, style.width - len(style.doc) - 1, break_on_hyphens=False)
    return commented(style.doc, lines)


def _head(rule: OffloadRule, command: str, style: OffloadLanguage) -> Iterator[str]:
    """Lines of the comment at the top of a file."""
    return head_lines(
        f"Does it pay to offload{f' {rule.name}' if rule.name else ''}? {rule.origin}",
        command,
        rule.facts,
        rule.notes,
        f"The environment variable {rule.variable} overrides the thresholds: always, never, auto"
        f" (the thresholds, as if it were not set), or {rule.number}, which replaces the lower"
        " break-even, whatever the caller does now. It is read once,"
        f" {style.read}. Any other value gives a warning, and counts as auto.",
        style.width - len(style.mark) - 1,
    )


def head_lines(
    title: str,
    command: str,
    facts: Mapping[str, str],
    notes: Iterable[str],
    override: str,
    width: int,
) -> Iterator[str]:
    """Lines that say what a file is, how it came about, what it rests on, and what overrides it."""
    yield from wrap(title, width)
    command = fill(
        command,
        width,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from ("", "Generated by", *command.splitlines())
    yield from (f"with logca {version('logca')}.", "")
    column = max(map(len, facts)) + 2
    for name, text in facts.items():
        first, *rest = wrap(text, max(width - column, 40)) or [""]
        yield f"{name:{column}}{first}".rstrip()
        yield from (" " * column + line for line in rest)
    for note in notes:
        yield from wrap(f"Note: {note}.", width)
    yield ""
    yield from wrap(override, width)
