"""A program: the functions that were asked for, and those that they need."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version

import sympy as sp

from logca.numeric.generate.codegen.offers import functions, offer
from logca.numeric.generate.codegen.roots import SOLVER
from logca.numeric.generate.codegen.tree import Give, Parameter, TargetFunction, When, called

__all__ = ["SourceProgram", "program"]


def _extreme(name: str, first: Callable[[sp.Expr, sp.Expr], sp.Basic]) -> TargetFunction:
    x, y = sp.symbols("x y")
    return TargetFunction(
        name=name,
        meaning=f"the {name} of two numbers",
        unit="as they have",
        parameters=(
            Parameter(name="x", meaning="a number", unit="any"),
            Parameter(name="y", meaning="another", unit="that of x"),
        ),
        body=(
            When(condition=sp.Function("isnan")(x), body=(Give(value=x),)),
            When(condition=first(x, y), body=(Give(value=x),)),
            Give(value=y),
        ),
        notes=("NaN if either of them is.",),
        public=False,
    )


_HELPERS: dict[str, Callable[[], TargetFunction]] = {
    "larger": partial(_extreme, "larger", sp.StrictGreaterThan),
    "smaller": partial(_extreme, "smaller", sp.StrictLessThan),
    **SOLVER,
}


@cache
def _helper(name: str) -> TargetFunction:
    return _HELPERS[name]()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceProgram:
    """Functions in the order in which they are written."""

    names: tuple[str, ...]  # what was asked for
    latency: str  # under which form of latency: "constant", "linear" or "both"
    functions: tuple[TargetFunction, ...]  # each function after those that it calls
    origin: str  # versions and a digest of the formulas: equal if nothing changed


def program(names: Sequence[str], latency: str, provided: Collection[str]) -> SourceProgram:
    """A program for a language."""
    chosen = tuple(dict.fromkeys(names))
    public = functions(chosen, latency)
    needed: dict[str, TargetFunction] = {}
    for function in public:
        _add_helpers(function, needed, provided)
    return SourceProgram(
        names=chosen,
        latency=latency,
        functions=(*(needed[name] for name in _HELPERS if name in needed), *public),
        origin=f"logca {version('logca')}, SymPy {sp.__version__}, formulas {_digest(chosen)}",
    )


def _add_helpers(
    function: TargetFunction, needed: dict[str, TargetFunction], provided: Collection[str]
) -> None:
    for name in sorted(called(function) - set(provided) - needed.keys()):
        needed[name] = _helper(name)
        _add_helpers(needed[name], needed, provided)


def _digest(names: Sequence[str]) -> str:
    texts = (f"{name} {sp.srepr(each)}" for name in names for each in offer(name).sources)
    return sha256("\n".join(texts).encode()).hexdigest()[:16]
