"""Decide polynomial statements over the reals with Z3; check the same problem with cvc5."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

__all__ = ["Answer", "satisfiable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a solver said.

    Parameters
    ----------
    status : str
        "unsat", "sat" or "unknown" [text].
    model : dict or None
        Values of the symbols, exact where rational [any unit].
    problem : str
        An unsatisfiable problem in SMT-LIB 2, for a second solver [text].
    """

    status: str
    model: dict[sp.Symbol, sp.Expr] | None = None
    problem: str = ""


def satisfiable(statements: Iterable[sp.Basic], timeout: float, seed: int = 0) -> Answer:
    """Whether polynomial statements hold together for some reals [1].

    A fresh solver for every query: a second ``check()`` on the same one loses nlsat.

    Parameters
    ----------
    statements : iterable of sympy Boolean
        Polynomial relations and their Boolean combinations [any unit].
    timeout : float
        Limit for the solver [s].
    """
    import z3

    context = z3.main_ctx()
    translate = _Translator(z3, context)
    translated = [translate.boolean(statement) for statement in statements]
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("timeout", max(1, int(timeout * 1000)))
    solver.set("random_seed", seed)
    solver.add(*translated, *translate.signs())
    status = str(solver.check())
    model = translate.model(solver.model()) if status == "sat" else None
    return Answer(status=status, model=model, problem=solver.to_smt2() if status == "unsat" else "")


class _Translator:
    def __init__(self, z3: Any, context: Any) -> None:
        self.z3 = z3
        self.context = context
        self.variables: dict[sp.Symbol, Any] = {}

    def variable(self, symbol: sp.Symbol) -> Any:
        if symbol not in self.variables:
            name = (
                symbol.name
                if not isinstance(symbol, sp.Dummy)
                else f"{symbol.name}_{symbol.dummy_index}"
            )
            self.variables[symbol] = self.z3.Real(name, self.context)
        return self.variables[symbol]

    def signs(self) -> list[Any]:
        found = []
        for symbol, variable in self.variables.items():
            if symbol.is_positive:
                found.append(variable > 0)
            elif symbol.is_nonnegative:
                found.append(variable >= 0)
        return found

    def term(self, expr: sp.Expr) -> Any:
        z3 = self.z3
        if expr.is_Rational:
            return z3.RealVal(f"{expr.p}/{expr.q}", self.context)
        if expr.is_Symbol:
            return self.variable(expr)
        if expr.is_Add:
            return z3.Sum([self.term(arg) for arg in expr.args])
        if expr.is_Mul:
            return z3.Product([self.term(arg) for arg in expr.args])
        if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
            return z3.Product([self.term(expr.base)] * int(expr.exp))
        raise ValueError(f"{expr} is not a polynomial")

    def boolean(self, statement: sp.Basic) -> Any:
        z3 = self.z3
        if statement is sp.true or statement is sp.false:
            return z3.BoolVal(statement is sp.true, self.context)
        if isinstance(statement, Relational):
            difference = sp.expand(statement.lhs - statement.rhs)
            left, zero = self.term(difference), z3.RealVal(0, self.context)
            return {
                sp.Eq: lambda: left == zero,
                sp.Ne: lambda: left != zero,
                sp.Lt: lambda: left < zero,
                sp.Le: lambda: left <= zero,
                sp.Gt: lambda: left > zero,
                sp.Ge: lambda: left >= zero,
            }[type(statement)]()
        parts = [self.boolean(arg) for arg in statement.args]
        if isinstance(statement, sp.And):
            return z3.And(parts)
        if isinstance(statement, sp.Or):
            return z3.Or(parts)
        if isinstance(statement, sp.Not):
            return z3.Not(parts[0])
        raise ValueError(f"{type(statement).__name__} is not a statement")

    def model(self, found: Any) -> dict[sp.Symbol, sp.Expr]:
        values: dict[sp.Symbol, sp.Expr] = {}
        for symbol, variable in self.variables.items():
            value = found.eval(variable, model_completion=True)
            if self.z3.is_rational_value(value):
                values[symbol] = sp.Rational(value.numerator_as_long(), value.denominator_as_long())
            elif self.z3.is_algebraic_value(value):
                near = value.approx(40)
                values[symbol] = sp.Rational(near.numerator_as_long(), near.denominator_as_long())
        return values
