"""A program: the functions that were asked for, and those that they need."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version

import sympy as sp

from logca.numeric.generate.codegen.extrema import EXTREMA
from logca.numeric.generate.codegen.roots import SOLVER
from logca.numeric.generate.codegen.tree import Function, called
from logca.numeric.generate.codegen.wanted import functions, offers

__all__ = ["Program", "program"]

_HELPERS: dict[str, Callable[[], Function]] = EXTREMA | SOLVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Functions in the order in which they are written.

    Parameters
    ----------
    names : tuple of str
        What was asked for [text].
    latency : str
        Under which form of latency: "constant", "linear" or "both" [text].
    functions : tuple of Function
        Each function after those that it calls.
    origin : str
        Versions and a digest of the formulas: equal if nothing changed [text].
    """

    names: tuple[str, ...]
    latency: str
    functions: tuple[Function, ...]
    origin: str


def program(names: Sequence[str], latency: str, provided: Collection[str]) -> Program:
    """A program for a language.

    Parameters
    ----------
    names : sequence of str
        What is asked for; a name that is there twice counts once [text].
    latency : str
        Form of latency: "constant", "linear" or "both" [text].
    provided : collection of str
        Helpers that the language has itself [text].

    Raises
    ------
    CodegenError
        If a name is unknown, or names nothing under this latency.
    """
    chosen = tuple(dict.fromkeys(names))
    public = functions(chosen, latency)
    needed: dict[str, Function] = {}
    for function in public:
        _add_helpers(function, needed, provided)
    return Program(
        names=chosen,
        latency=latency,
        functions=(*(needed[name] for name in _HELPERS if name in needed), *public),
        origin=f"logca {version('logca')}, SymPy {sp.__version__}, formulas {_digest(chosen)}",
    )


def _add_helpers(
    function: Function, needed: dict[str, Function], provided: Collection[str]
) -> None:
    for name in sorted(called(function) - set(provided) - needed.keys()):
        needed[name] = _HELPERS[name]()
        _add_helpers(needed[name], needed, provided)


def _digest(names: Sequence[str]) -> str:
    texts = (f"{name} {sp.srepr(each)}" for name in names for each in offers()[name].sources)
    return sha256("\n".join(texts).encode()).hexdigest()[:16]
