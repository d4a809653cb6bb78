"""Functions as code, written by `make generate`, and those of them that make up a program.

No formula is derived for it: what is written is as old as the formulas' files, which a test checks.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from logca.common.errors import LogcaError
from logca.common.near_misses import did_you_mean
from logca.numeric.accelerator.parameter_ranges import LATENCIES

__all__ = [
    "DEFAULT",
    "CodegenError",
    "Offered",
    "SourceFunction",
    "SourceProgram",
    "bound_name",
    "bound_program",
    "check_name",
    "first_and_named",
    "offered",
    "program",
]

DEFAULT = ("speedup", "g1", "should_offload")
"""Functions that are generated if nothing is named."""

_WRITTEN = files("logca.numeric.generated").joinpath("code")


class CodegenError(LogcaError, ValueError):
    """Something was asked for that cannot be generated; the message says what can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """Something that can be generated."""

    name: str  # what it is asked for by
    meaning: str  # what it is
    unit: str  # its unit, "yes or no" for a decision
    functions: Mapping[str, str]  # by form of latency under which it exists, its function's name
    formulas: str  # digest of the formulas that it rests on, to tell versions apart


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFunction:
    """A function in a language."""

    name: str  # the name, without what a language puts before it
    parameters: Sequence[str]  # names of its arguments in order
    calls: Sequence[str]  # the functions that it calls
    answers: bool  # whether the result is a truth value [1]
    public: bool  # whether it can be asked for, or others only need it [1]
    lines: Sequence[str]  # its text


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceProgram:
    """Functions in the order in which they are written."""

    names: tuple[str, ...]  # what was asked for
    functions: tuple[SourceFunction, ...]  # each function after those that it calls
    origin: str  # version and a digest of the formulas: equal if nothing changed

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines of all functions, with empty ones between them."""
        return tuple(line for each in self.functions for line in ("", *each.lines))[1:]

    @property
    def public(self) -> tuple[str, ...]:
        """Names of the functions that were asked for."""
        return tuple(each.name for each in self.functions if each.public)


@cache
def offered() -> dict[str, Offered]:
    """All that can be asked for, by name."""
    return {name: Offered(name=name, **each) for name, each in _read("offers").items()}


@cache
def _functions(language: str) -> dict[str, SourceFunction]:
    """All functions of a language by name, those first that others call."""
    return {name: SourceFunction(name=name, **each) for name, each in _read(language).items()}


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_WRITTEN.joinpath(f"{name}.json").read_text("utf-8"))
    return found


def first_and_named(
    parameters: Sequence[str], *, public: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Parameters by position and by name: granularity or target first, helpers all by position."""
    if not public:
        return parameters, ()
    first = [name for name in parameters if name in ("g", "s")][:1]
    return first, [name for name in parameters if name not in first]


def check_name(name: str) -> None:
    """Refuse a name that stands for nothing that can be generated."""
    if name in offered():
        return
    from logca.derive.core.catalogue import resolve

    near = did_you_mean(name, offered(), most=3, quote=str, joined=" or ", before=" ")
    if resolve(name) in offered():
        near = f" did you mean {resolve(name)}?"
    raise CodegenError(f"unknown quantity '{name}';{near} `logca codegen --list` has all")


def program(language: str, names: Sequence[str], latency: str) -> SourceProgram:
    """The functions that were asked for in a language, and those that they need."""
    chosen = LATENCIES if latency == "both" else (latency,)
    asked = tuple(dict.fromkeys(names))
    there = _functions(language)
    public = list(dict.fromkeys(each for name in asked for each in _named(name, chosen)))
    needed = set(_called(public, there))
    return SourceProgram(
        names=asked,
        functions=tuple(there[name] for name in (*(n for n in there if n in needed), *public)),
        origin=f"logca {version('logca')}, formulas {_digest(asked)}",
    )


def bound_name(quantity: str, latency: str) -> str:
    """Name under which a function of granularity alone is kept, with @o@ where o belongs."""
    return f"@name@@{latency}@{quantity}"


def bound_program(language: str, quantity: str, latency: str) -> SourceProgram:
    """The function of granularity alone, whose text has @o@ where o belongs, and what it needs."""
    there, kept = _functions(language), bound_name(quantity, latency)
    needed = set(_called([kept], there))
    return SourceProgram(
        names=(quantity,),
        functions=tuple(there[name] for name in there if name in {*needed, kept}),
        origin=f"logca {version('logca')}, formulas {_digest([quantity])}",
    )


def _named(name: str, chosen: Sequence[str]) -> list[str]:
    """Names of the functions that an offer becomes under the chosen forms of latency."""
    check_name(name)
    functions = offered()[name].functions
    if not set(functions) & set(chosen):
        (form,) = functions
        raise CodegenError(f"'{name}' exists under {form} latency only: add --latency {form}")
    return [function for form, function in functions.items() if form in chosen]


def _called(names: Sequence[str], there: Mapping[str, SourceFunction]) -> Iterator[str]:
    for name in names:
        yield from there[name].calls
        yield from _called(there[name].calls, there)


def _digest(names: Sequence[str]) -> str:
    from hashlib import sha256

    texts = "\n".join(f"{name} {offered()[name].formulas}" for name in names)
    return sha256(texts.encode()).hexdigest()[:16]
