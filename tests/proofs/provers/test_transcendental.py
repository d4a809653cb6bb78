"""Parts of angles, Lambert W and logarithms of products as polynomial facts."""

import math

import mpmath
import pytest
import sympy as sp

from logca.derive.core.symbols import A, beta, g, o
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_or_refutation import decide
from logca.proofs.terms.definedness import definedness

_R = sp.Rational
_Z = [_R(-1), _R(-9, 10), _R(-1, 3), _R(0), _R(1, 5), _R(7, 8), _R(1)]
_z = sp.Symbol("z", real=True)

PARTS = [
    sp.cos(sp.acos(_z) / 3),
    sp.cos(sp.acos(_z) / 3 + 2 * sp.pi / 3),
    sp.cos((sp.acos(_z) - 2 * sp.pi) / 3),
    sp.sin(sp.asin(_z) / 3),
    sp.sin((sp.pi - sp.asin(_z)) / 3),
    sp.cos(sp.asin(_z) / 3 + sp.pi / 6),
    sp.cos(sp.acos(_z) / 4),
    sp.sin(sp.asin(_z) / 5),
    sp.sinh(sp.asinh(_z) / 3),
    sp.sinh(sp.asinh(_z) / 5),
    sp.LambertW(_z),
    sp.LambertW(_z / 3, -1),
]


def _numeric(expr: sp.Expr, point: dict[sp.Symbol, mpmath.mpf]) -> mpmath.mpf:
    value = sp.lambdify(list(point), expr, "mpmath")(*point.values())
    return mpmath.re(value)


@pytest.mark.parametrize("expr", PARTS, ids=str)
def test_facts_hold_at_numbers(expr: sp.Expr) -> None:
    work = Abstraction()
    work.term(expr)
    with mpmath.workdps(50):
        for z in _Z:
            if isinstance(expr, sp.LambertW) and expr.args[0].subs(_z, z) * sp.E < -1:
                continue
            if expr.args[1:] and z >= 0:
                continue
            values = {_z: mpmath.mpf(z.p) / z.q}
            point = values | {v: _numeric(e.xreplace({}), values) for v, e in _expand(work)}
            for fact in work.facts:
                assert _holds(fact, point), (fact, z)


def _expand(work: Abstraction) -> list[tuple[sp.Symbol, sp.Expr]]:
    meaning = dict(work.meaning)
    for symbol, expr in meaning.items():
        while expr.free_symbols & meaning.keys():
            expr = expr.xreplace(meaning)
        meaning[symbol] = expr
    return list(meaning.items())


def _holds(fact: sp.Basic, point: dict[sp.Symbol, mpmath.mpf]) -> bool:
    if isinstance(fact, sp.Or):
        return any(_holds(part, point) for part in fact.args)
    if isinstance(fact, sp.Not):
        return not _holds(fact.args[0], point)
    if isinstance(fact, sp.And):
        return all(_holds(part, point) for part in fact.args)
    difference = _numeric(fact.lhs - fact.rhs, point)
    tolerance = mpmath.mpf(10) ** -20
    return bool(
        {
            sp.Eq: abs(difference) < tolerance,
            sp.Ne: abs(difference) > tolerance,
            sp.Ge: difference > -tolerance,
            sp.Gt: difference > -tolerance,
            sp.Le: difference < tolerance,
            sp.Lt: difference < tolerance,
        }[type(fact)]
    )


def _status(goal: sp.Basic, *given: sp.Basic) -> str:
    problem = ProofProblem(hypotheses=tuple(("", h) for h in given), goals=(("", goal),))
    return decide(problem, Effort(until=math.inf)).status


def test_the_middle_root_of_a_cubic_is_found() -> None:
    y = 2 * sp.cos(sp.acos(A / 2) / 3)
    goal = sp.Eq(y**3 - 3 * y, A, evaluate=False)
    assert _status(goal, A <= 2) == "proved"
    assert _status(sp.Ge(y, 1, evaluate=False), A <= 2) == "proved"
    assert _status(sp.Ge(y, sp.sqrt(3), evaluate=False), A <= 2) == "proved"
    assert _status(sp.Ge(y, 2, evaluate=False), A <= 2) == "refuted"


def test_other_angles_are_refused() -> None:
    for expr in (sp.sin(g), sp.cos(sp.acos(g) * _R(2, 5)), sp.cos(sp.acos(g) / 3 + 1)):
        with pytest.raises(Unsupported):
            Abstraction().term(expr)


def test_conditions_of_existence() -> None:
    assert definedness(sp.acos(A)) == (A <= 1,)
    assert set(definedness(sp.asin(o - 2))) == {o - 2 >= -1, o - 2 <= 1}
    assert definedness(sp.acosh(A)) == (A >= 1,)
    assert definedness(sp.LambertW(A)) == ()
    assert len(definedness(sp.LambertW(-A, -1))) == 2


def test_logarithms_of_factors_known_to_be_negative_keep_their_sign() -> None:
    goal = sp.Eq(sp.log(g / (1 - beta)), sp.log(g) - sp.log(1 - beta), evaluate=False)
    assert _status(goal, beta < 1) == "proved"
    assert _status(sp.Gt(sp.log(g / (1 - beta)), sp.log(g), evaluate=False), beta < 1) == "proved"
    assert _status(sp.Ge(sp.log(1 + o), 0, evaluate=False)) == "proved"
