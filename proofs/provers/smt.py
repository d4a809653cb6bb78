"""Polynomial statements over the reals, decided with Z3."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.expansion import expand
from logca.proofs.provers.effort import Effort

__all__ = [
    "SolverAnswer",
    "as_z3",
    "as_z3_sign",
    "as_z3_term",
    "in_order",
    "satisfiable",
    "signed",
    "status_of",
    "variable",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverAnswer:
    """The answer of a solver."""

    status: str  # "unsat", "sat" or "unknown"
    model: dict[sp.Symbol, sp.Expr] | None = None  # values, exact where rational [any unit]
    problem: str = ""  # an unsatisfiable problem in SMT-LIB 2, for a second solver


def satisfiable(statements: Iterable[sp.Basic], effort: Effort, most: int) -> SolverAnswer:
    """Answer to the question if polynomial statements hold together for some reals [1].

    It takes `most` units of Z3 at most, and no more than are left, from which they are taken.
    """
    import z3

    effort.check()
    limit = min(most, effort.units)
    if limit <= 0:
        return SolverAnswer(status="unknown")
    statements = list(statements)
    symbols = in_order(statements)
    # A context of its own, so that nothing that was asked before changes how Z3 goes on; and this
    # tactic, since those that try several, such as qfnra, divide their time by the clock.
    context = z3.Context()
    solver = _solver(context, limit, effort)
    formulas = (*map(as_z3, statements), *map(as_z3_sign, signed(symbols)))
    solver.add(*(formula.translate(context) for formula in formulas))
    status = str(solver.check())
    counted = dict(iter(solver.statistics()))  # without a count where nothing had to be done
    effort.units -= limit if status == "unknown" else min(limit, counted.get("rlimit count", 0))
    if status == "unknown":
        effort.check()
    model = _model(solver.model(), symbols) if status == "sat" else None
    return SolverAnswer(
        status=status, model=model, problem=solver.to_smt2() if status == "unsat" else ""
    )


def status_of(problem: str, effort: Effort, most: int) -> str:
    """The answer of Z3 to a problem in SMT-LIB 2 with so much work: "unsat", "sat" or "unknown"."""
    import z3

    effort.check()
    context = z3.Context()
    solver = _solver(context, most, effort)
    solver.add(z3.parse_smt2_string(problem, ctx=context))
    status = str(solver.check())
    if status == "unknown":
        effort.check()
    return status


def _solver(context: Any, limit: int, effort: Effort) -> Any:
    import z3

    solver = z3.Tactic("qfnra-nlsat", context).solver()
    solver.set("rlimit", limit)
    solver.set("timeout", int(1000 * effort.seconds_left()))
    return solver


def in_order(statements: Iterable[sp.Basic]) -> list[sp.Symbol]:
    """The symbols of statements, and the variables that stand for parts, by name [any unit].

    Z3 and files know a variable by its name alone: SymPy numbers its dummies from a number that is
    drawn anew for each process, and with that in its names Z3's work would be another each time.
    """
    symbols = set().union(*(statement.free_symbols for statement in statements))
    found = sorted(symbols, key=lambda s: (isinstance(s, sp.Dummy), len(s.name), s.name))
    if len({symbol.name for symbol in found}) < len(found):
        raise ValueError(f"two variables of {found} have one name")
    return found


def signed(symbols: Iterable[sp.Symbol]) -> list[sp.Symbol]:
    """The symbols that are positive, then those that are not negative [any unit]."""
    symbols = list(symbols)
    positive = [symbol for symbol in symbols if symbol.is_positive]
    return [*positive, *(s for s in symbols if s.is_nonnegative and not s.is_positive)]


def as_z3_sign(symbol: sp.Symbol) -> Any:
    """That a symbol has the sign that it is known to have."""
    return variable(symbol) > 0 if symbol.is_positive else variable(symbol) >= 0


@lru_cache(maxsize=512)
def variable(symbol: sp.Symbol) -> Any:
    """A symbol as Z3 has it."""
    import z3

    return z3.Real(symbol.name)


def as_z3_term(expr: sp.Expr) -> Any:
    """A polynomial as Z3 has it, multiplied out or not."""
    import z3

    if expr.is_Rational:
        return z3.RealVal(f"{expr.p}/{expr.q}")
    if expr.is_Symbol:
        return variable(expr)
    if expr.is_Add:
        return z3.Sum([_monomial(arg) for arg in expr.args])
    return _monomial(expr)


@lru_cache(maxsize=8192)
def _monomial(expr: sp.Expr) -> Any:
    import z3

    if expr.is_Mul:
        return z3.Product([as_z3_term(arg) for arg in expr.args])
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return z3.Product([as_z3_term(expr.base)] * int(expr.exp))
    if expr.is_Symbol or expr.is_Rational:
        return as_z3_term(expr)
    raise ValueError(f"{expr} is not a polynomial")


def _is_expanded(polynomial: sp.Expr) -> bool:
    """True for a sum of products of powers of symbols, which `expand` would walk in vain."""
    return all(
        part.is_Rational or part.as_base_exp()[0].is_Symbol
        for term in sp.Add.make_args(polynomial)
        for part in sp.Mul.make_args(term)
    )


@lru_cache(maxsize=1024)
def as_z3(statement: sp.Basic) -> Any:
    """A polynomial statement as Z3 has it."""
    import z3

    if statement is sp.true or statement is sp.false:
        return z3.BoolVal(statement is sp.true)
    if isinstance(statement, Relational):
        difference = statement.lhs - statement.rhs
        if not _is_expanded(difference):
            difference = expand(difference)
        left, zero = as_z3_term(difference), z3.RealVal(0)
        return {
            sp.Eq: lambda: left == zero,
            sp.Ne: lambda: left != zero,
            sp.Lt: lambda: left < zero,
            sp.Le: lambda: left <= zero,
            sp.Gt: lambda: left > zero,
            sp.Ge: lambda: left >= zero,
        }[type(statement)]()
    parts = [as_z3(arg) for arg in statement.args]
    if isinstance(statement, sp.And):
        return z3.And(parts)
    if isinstance(statement, sp.Or):
        return z3.Or(parts)
    if isinstance(statement, sp.Not):
        return z3.Not(parts[0])
    raise ValueError(f"{type(statement).__name__} is not a statement")


def _model(found: Any, symbols: Iterable[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    import z3

    values: dict[sp.Symbol, sp.Expr] = {}
    for symbol in symbols:
        value = found.eval(variable(symbol).translate(found.ctx), model_completion=True)
        if z3.is_rational_value(value):
            values[symbol] = sp.Rational(value.numerator_as_long(), value.denominator_as_long())
        elif z3.is_algebraic_value(value):
            near = value.approx(40)
            values[symbol] = sp.Rational(near.numerator_as_long(), near.denominator_as_long())
    return values
