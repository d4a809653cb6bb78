"""Every fact and lemma handed to the solvers is true: evaluated at real points, 40 digits.

The engine proves a claim when its negation contradicts these statements, so a single false one
would make it prove anything. Values are computed by mpmath alone.
"""

import math
import random
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy.core.relational import Relational

from logca.derive.algebra.trinomial import TrinomialRoot, crossings
from logca.derive.core.symbols import TABLE, UNITS, L, beta, g, o
from logca.proofs.language.parser import ParsedClaim, parse
from logca.proofs.provers.abstraction import Abstraction
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.instantiation import Supply
from logca.proofs.provers.lemmas import Logarithm, logarithm_instances
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_or_refutation import decide
from logca.proofs.provers.smt import satisfiable
from logca.proofs.terms.definedness import RootExists

STATEMENTS = [
    ("speedup(g=g1) == 1", "constant"),
    ("g1 < gA2", "linear"),
    ("g1_upper > g1", "linear"),
    ("x**beta/(o + L*x) < y**beta/(o + L*y)", "linear"),
    ("gA2(A=2*A) == 2**(1/beta)*gA2", "constant"),
    ("(2*x*y)**beta*(o + L)**(1 - beta) > x/3", "constant"),
    ("(o + L0)**(1 - beta)*L1**beta < beta**beta*(1 - beta)**(1 - beta)*C", "affine"),
    ("max(A, g**beta) > min(C, 1/g)", "constant"),
    ("log(g*C) < log(A) + beta", "constant"),
    ("exp(o/C)*x**(1/(1 + beta)) > 1", "constant"),
    ("x**(3/2) + abs(o - L) > (A*x - C)**2", "constant"),
    ("diff(g1, o) > 0", "linear"),
    ("x**o + y**L < C", "constant"),
    ("x**(o - L) < y**(2*L)", "constant"),
]
Point = dict[sp.Symbol, mpmath.mpf]
DIGITS = 40
POINTS = 12
TOLERANCE = mpmath.mpf(10) ** -25


def value(expr: sp.Basic, point: Point) -> mpmath.mpf | None:
    """The real value of an expression, None where it has none."""
    if expr.is_Rational:
        return mpmath.mpf(int(expr.p)) / int(expr.q)
    if expr.is_Symbol:
        return point[expr]
    parts = [value(arg, point) for arg in expr.args]
    if any(part is None for part in parts):
        return None
    if isinstance(expr, TrinomialRoot):
        root = crossings(*parts)[expr.upward]
        return root if mpmath.isfinite(root) else None
    if isinstance(expr, sp.Pow):
        base, exponent = parts
        if (base == 0 and exponent <= 0) or (base < 0 and not expr.exp.is_Integer):
            return None
        return mpmath.power(base, int(expr.exp) if expr.exp.is_Integer else exponent)
    if isinstance(expr, sp.log):
        return mpmath.log(parts[0]) if parts[0] > 0 else None
    return {
        sp.Add: mpmath.fsum,
        sp.Mul: mpmath.fprod,
        sp.Max: max,
        sp.Min: min,
        sp.Abs: lambda v: abs(v[0]),
        sp.exp: lambda v: mpmath.exp(v[0]),
    }[expr.func](parts)


def sign(expr: sp.Expr, point: Point) -> int | None:
    """Sign of a polynomial; None where its terms cancel to within rounding but not exactly."""
    terms = [value(term, point) for term in sp.Add.make_args(sp.expand(expr))]
    total, size = mpmath.fsum(terms), mpmath.fsum(abs(term) for term in terms)
    if total != 0 and abs(total) <= TOLERANCE * size:
        return None
    return int(mpmath.sign(total))


def possible(statement: sp.Basic, point: Point) -> bool:
    """Whether a statement may hold; within rounding both answers are possible."""
    if statement in (sp.true, sp.false):
        return bool(statement)
    if isinstance(statement, Relational):
        if any(value(side, point) is None for side in statement.args):
            return False
        found = sign(statement.lhs - statement.rhs, point)
        return (
            found is None
            or found
            in {
                sp.Eq: {0},
                sp.Ne: {-1, 1},
                sp.Lt: {-1},
                sp.Le: {-1, 0},
                sp.Gt: {1},
                sp.Ge: {0, 1},
            }[type(statement)]
        )
    if isinstance(statement, sp.Not):
        return possible(~statement.args[0].canonical, point)
    if isinstance(statement, RootExists):
        return possible(statement.condition(), point)
    parts = [possible(part, point) for part in statement.args]
    return all(parts) if isinstance(statement, sp.And) else any(parts)


def exists(stated: ParsedClaim, point: Point) -> bool:
    """Whether the statement is defined at a point: elsewhere nothing is claimed."""
    sides = [side for relation in stated.formula.atoms(Relational) for side in relation.args]
    conditions = (condition for _, condition in stated.defined)
    return all(value(side, point) is not None for side in sides) and all(
        possible(condition, point) for condition in conditions
    )


def points(work: Abstraction, symbols: Iterable[sp.Symbol]) -> Iterator[Point]:
    """Real points at which every abstract variable has the value it stands for."""
    generator = random.Random(20171)
    for _ in range(2000):
        point: Point = {
            s: mpmath.mpf(2) ** generator.uniform(-2, 2 if s.name == "beta" else 6)
            if s.is_positive or generator.random() < 0.7
            else mpmath.mpf(0)
            for s in symbols
        }
        for dummy, meaning in work.meaning.items():
            point[dummy] = value(meaning, point)
            if point[dummy] is None:
                break
        else:
            yield point


@pytest.mark.parametrize(("text", "form"), STATEMENTS)
def test_all_statements_given_to_a_solver_hold(text: str, form: str) -> None:
    work = Abstraction()
    stated = parse(text, form)
    work.statement(stated.formula)
    statements = [*work.facts, *Supply(work=work).lemmas(3, alike=False)]
    assert statements
    shown = (stated.formula, *statements, *work.meaning.values())
    named = set().union(*(s.free_symbols for s in shown))
    with mpmath.workdps(DIGITS):
        everywhere = points(work, sorted(named & set(UNITS), key=str))
        tried = list(islice((p for p in everywhere if exists(stated, p)), POINTS))
        assert len(tried) == POINTS
        for point in tried:
            for statement in statements:
                assert possible(statement, point), f"{statement} at {point}"


def test_a_false_lemma_would_be_noticed() -> None:
    x = TABLE["x"].symbol
    below, above = {x: mpmath.mpf(1) / 2}, {x: mpmath.mpf(2)}
    assert possible(sp.Or(x <= 1, x**2 > x), above)
    assert not possible(sp.Or(x <= 1, x**2 < x), above)
    assert not possible(sp.And(x > 1, x**2 > x), below)
    assert all(a < b for a, b in pairwise(sorted(point[x] for point in (above, below))))


_POSITIVE = st.fractions(min_value="1/1000", max_value=1000)


def _difference(left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left - right


@given(_POSITIVE, _POSITIVE)
def test_lemmas_hold_at_numbers(u: object, w: object) -> None:
    u, w = sp.Rational(str(u)), sp.Rational(str(w))
    a, b = (Logarithm(u=value, log=sp.log(value)) for value in (u, w))
    with mpmath.workdps(50):
        assert all(
            bool(lemma.doit())
            for level in (1, 3)
            for lemma in logarithm_instances(a, b, level, _difference)
        )


@pytest.mark.parametrize(
    ("given", "goal"),
    [
        ([g > 1], sp.log(g) > 0),
        ([], sp.log(g) <= g - 1),
        ([], sp.exp(beta) >= 1 + beta),
        ([sp.Ne(g, 1)], sp.exp(sp.log(g) ** 2) > 1),
        ([], sp.LambertW(g) < g),
    ],
)
def test_true_statements_are_proved(given: list[sp.Basic], goal: sp.Basic) -> None:
    found = decide(
        ProofProblem(hypotheses=tuple(("", h) for h in given), goals=(("", goal),)),
        Effort(until=math.inf),
    )
    assert found.status == "proved"


@pytest.mark.parametrize("goal", [sp.log(g) > 0, sp.log(g) < g / 3, sp.exp(beta) < 1 + 2 * beta])
def test_false_statements_are_not(goal: sp.Basic) -> None:
    assert (
        decide(ProofProblem(hypotheses=(), goals=(("", goal),)), Effort(until=math.inf)).status
        == "refuted"
    )


def test_lemmas_on_powers_do_not_exclude_a_base_of_zero() -> None:
    work = Abstraction()
    statements = [work.statement(sp.Eq((o + L) ** beta * (g + o) ** beta, 0, evaluate=False))]
    statements += Supply(work=work).lemmas(3, alike=False)
    model = satisfiable([*statements, *work.facts, beta > 1], Effort(until=math.inf), most=10**8)
    assert model.status == "sat"
