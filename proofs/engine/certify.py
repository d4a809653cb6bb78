"""Certificates of answers: what Z3 found contradictory, written so that another solver sees it.

For each part of a claim the hypotheses, the negated part, what defines the variables, and the
lemmas on powers and logarithms that are needed, no more; for a counterexample its values.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version

import sympy as sp

from logca.common.errors import ContradictionError
from logca.derive.algebra.fractions import as_fraction
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.symbols import TABLE, beta
from logca.proofs.engine.answer import SECONDS_PER_QUESTION, Answer
from logca.proofs.engine.certificate import CertificatePart, NotCertifiedError, SmtCertificate
from logca.proofs.engine.certificate_text import file_text
from logca.proofs.engine.problems import forms, problem
from logca.proofs.engine.theorems import LedgerTheorem, with_theorems
from logca.proofs.language.parser import parse_expression
from logca.proofs.language.printer import mathematics
from logca.proofs.numbers.exact import Undefined, holds
from logca.proofs.provers import symbolic
from logca.proofs.provers.abstraction import Unsupported
from logca.proofs.provers.cvc5_worker import Cvc5Answer, answer_with_proof
from logca.proofs.provers.effort import UNITS, Effort
from logca.proofs.provers.lemmas import Logarithm, Power
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import LemmaContradiction, by_lemmas, prove, translated
from logca.proofs.provers.proof_or_refutation import with_beta_inserted
from logca.proofs.provers.smt import satisfiable, status_of
from logca.proofs.provers.smtlib import Assertion, named, script
from logca.proofs.provers.transcendental import without_logarithms
from logca.proofs.provers.unsat_core import fewest
from logca.proofs.terms.definedness import assumed
from logca.proofs.terms.elimination import conjuncts, substitute
from logca.proofs.terms.limits import PowerLimit

__all__ = ["certify"]

_UNITS_AT_FIRST = 12_000_000
_UNITS_OF_A_DROP = 300_000
_UNITS_OF_A_CORE = 20_000_000

_MOST_DEGREE = 6
"""Of a root in a counterexample: Z3 does not count its work on algebraic numbers [1]."""

_LEMMAS = {
    (Power, 1): "lemma-power-monotone",
    (Power, 2): "lemma-power-slope",
    (Power, 3): "lemma-power-tangent",
    (Logarithm, 1): "lemma-log-monotone",
    (Logarithm, 3): "lemma-log-tangent",
}
"""The claim of the ledger that each kind of instance follows from."""


def certify(
    answer: Answer,
    timeout: float = SECONDS_PER_QUESTION,
    theorems: Sequence[LedgerTheorem] = (),
) -> SmtCertificate:
    """The certificate of an answer; a `NotCertifiedError` if no solver can check any of it."""
    effort = Effort(until=time.monotonic() + timeout)
    if answer.verdict == "proved":
        parts = [
            part
            for latency in forms((answer.claim,), answer.given)
            for part in _proved(answer, latency, theorems, effort)
        ]
    elif answer.verdict == "refuted":
        parts = [_refuted(answer, effort)]
    else:
        raise NotCertifiedError(f"'{answer.claim}' is undecided: there is nothing to certify")
    if not any(part.smtlib for part in parts):
        methods = ", ".join(dict.fromkeys(method for part in parts for method in part.methods))
        raise NotCertifiedError(
            f"no solver can check '{answer.claim}': it was proved by {methods or 'other methods'}"
        )
    return SmtCertificate(answer=answer, parts=tuple(parts), smtlib=file_text(answer, parts))


def _proved(
    answer: Answer, latency: str, theorems: Sequence[LedgerTheorem], effort: Effort
) -> Iterator[CertificatePart]:
    """All that is to be shown under one form of latency."""
    stated = problem((answer.claim,), answer.given, latency)
    if not stated.goals:
        yield CertificatePart(statement=answer.claim, latency=latency, methods=("algebra",))
    plain = tuple(each for each in stated.goals if not each[1].has(PowerLimit))
    for _, goal in (each for each in stated.goals if each not in plain):
        limit = CertificatePart(
            statement=mathematics(goal, {}), latency=latency, methods=("dominant terms",)
        )
        yield limit
    for index in range(len(plain)):
        methods = " ".join(answer.methods)
        yield _part(replace(stated, goals=plain), index, latency, methods, theorems, effort)


def _part(
    stated: ProofProblem,
    index: int,
    latency: str,
    methods: str,
    theorems: Sequence[LedgerTheorem],
    effort: Effort,
) -> CertificatePart:
    """One goal: what solvers show is written as a script, else the methods are named.

    What the answer was found by (`methods`) is tried again.
    """
    effort.check()
    asked = [with_beta_inserted(stated)]
    if latency != "constant":
        peak = parse_expression("g_peak", latency)
        asked.append(with_beta_inserted(replace(stated, touch=(peak,))))
    statement = mathematics(asked[0].goals[index][1], {})
    found = _contradiction(asked, index, effort.part(_UNITS_AT_FIRST))
    others: tuple[str, ...] = ()
    if found is None:
        shown = prove(asked[0], asked[0].goals[index][1], effort.part(0), thorough=False)
        others = tuple(method.name for method in shown)
    if found is None and not others and "ledger" in methods:
        found = _by_theorems(stated, index, theorems, latency, effort)
    elif found is None and not others and "z3" in methods:
        found = _contradiction(asked, index, effort.part(UNITS))
    if found is not None:
        part = _script(*found, statement, latency, effort)
        if part is not None:
            return part
    return CertificatePart(statement=statement, latency=latency, methods=others)


_Found = tuple[ProofProblem, sp.Basic, LemmaContradiction]


def _contradiction(asked: Sequence[ProofProblem], index: int, effort: Effort) -> _Found | None:
    for each in asked:
        goal = symbolic.without_cases(each.goals[index][1], each.given())
        found = None if goal is sp.true else by_lemmas(each, goal, effort)
        if found is not None:
            return each, goal, found
    return None


def _by_theorems(
    stated: ProofProblem,
    index: int,
    theorems: Sequence[LedgerTheorem],
    latency: str,
    effort: Effort,
) -> _Found | None:
    goal = stated.goals[index][1]
    for _, known in with_theorems(stated, theorems, latency, effort.part(UNITS)):
        for form in (goal, without_logarithms(goal)):
            if form is None:
                continue
            found = by_lemmas(known, form, effort.part(_UNITS_AT_FIRST))
            if found is not None:
                return known, form, found
    return None


def _script(
    asked: ProofProblem,
    goal: sp.Basic,
    found: LemmaContradiction,
    statement: str,
    latency: str,
    effort: Effort,
) -> CertificatePart | None:
    """The script of a contradiction that Z3 finds again when it reads it; None if it does not."""
    negated = Assertion(
        kind="negated_claim", why="The claim does not hold:", statement=_negated(goal, found)
    )
    known = [*_hypotheses(asked, found.hypotheses), *_definitions(found.supply.work.facts)]
    lemmas = list(dict.fromkeys(_lemmas(found)))
    work = effort.part(_UNITS_OF_A_CORE)

    def contradict(kept: list[Assertion]) -> bool:
        statements = [*(each.statement for each in kept), found.negated]
        return satisfiable(statements, work, most=_UNITS_OF_A_DROP).status == "unsat"

    def attempt(kept: list[Assertion]) -> tuple[CertificatePart | None, list[Assertion]]:
        """A script that Z3 and, if it can, cvc5 find contradictory; what cvc5's proof needs."""
        text = script(kept, found.supply.work.meaning, "unsat")
        if status_of(text, effort, most=UNITS) != "unsat":
            return None, []
        second = answer_with_proof(text, effort)
        part = CertificatePart(
            statement=statement,
            latency=latency,
            methods=_solvers(text, "unsat", second),
            smtlib=text,
            alethe=second.proof,
        )
        used = second.names.split()
        return part, [each for name, each in named(kept).items() if name in used]

    everything = [*dict.fromkeys((*known, *lemmas)), negated]
    needed = fewest([*lemmas, *reversed(known)], contradict)
    shortest, _ = attempt([each for each in everything if each in (*needed, negated)])
    if shortest is not None and shortest.alethe:
        return shortest
    # cvc5 does not see all that Z3 sees: it may need lemmas that Z3 does not
    longest, used = attempt(everything)
    if longest is not None and longest.alethe:
        shorter, _ = attempt(used)
        return shorter if shorter is not None and shorter.alethe else longest
    return shortest or longest


def _negated(goal: sp.Basic, found: LemmaContradiction) -> sp.Basic:
    """The negated goal; of an identity both sides times all denominators, not multiplied out."""
    if not isinstance(goal, sp.Eq) or found.negated.free_symbols:
        return found.negated
    sides = [
        [as_fraction(part) for part in sp.Add.make_args(found.supply.work.term(side))]
        for side in goal.args
    ]
    below = dict.fromkeys(under for side in sides for _, under in side if under != 1)
    cleared = [
        [sp.Mul(over, *(each for each in below if each != under)) for over, under in side]
        for side in sides
    ]
    left, right = (
        sp.Add(*(term for part in side for term in sp.Add.make_args(part)), evaluate=False)
        for side in cleared
    )
    return sp.Ne(left, right, evaluate=False)


def _hypotheses(
    asked: ProofProblem, over_reals: Sequence[sp.Basic], where: str = ""
) -> Iterator[Assertion]:
    """The hypotheses of a problem over the reals, with the texts that they are from."""
    labels = {
        part: label for label, statement in asked.hypotheses for part in conjuncts([statement])
    }
    stated = assumed(conjuncts(asked.given()))
    for original, real in zip(stated, over_reals, strict=True):
        why = f"Hypothesis{where}: {labels.get(original, 'the case that is left')}"
        yield Assertion(kind="hypothesis", why=why, statement=real)


def _definitions(facts: Sequence[sp.Basic]) -> Iterator[Assertion]:
    for fact in facts:
        why = "By what the variables stand for:"
        yield Assertion(kind="definition", why=why, statement=fact)


def _lemmas(found: LemmaContradiction) -> Iterator[Assertion]:
    meaning = found.supply.work.meaning
    origin = {
        id(instance): key for key, instances in found.supply.made.items() for instance in instances
    }
    for instance in found.lemmas:
        first, second, step = origin[id(instance)]
        at = f"x = {mathematics(first.u, meaning)} and x = {mathematics(second.u, meaning)}"
        if isinstance(first, Power):
            at += f", with the exponent {mathematics(first.v, meaning)}"
        why = f"By {_LEMMAS[type(first), step]} at {at}:"
        yield Assertion(kind="lemma", why=why, statement=instance)


def _refuted(answer: Answer, effort: Effort) -> CertificatePart:
    """The hypotheses and the negated claim at the counterexample, where they can be computed."""
    stated = problem((answer.claim,), answer.given, answer.latency)
    point = {
        TABLE[name].symbol: sp.Rational(value.numerator, value.denominator)
        for name, value in (answer.counterexample or {}).items()
    }
    if any(goal.has(PowerLimit) for _, goal in stated.goals):
        raise NotCertifiedError(f"'{answer.claim}' is refuted, but SMT-LIB has no limits")
    failing = next((goal for _, goal in stated.goals if _truth(goal, point) is False), None)
    if failing is None or not all(_truth(each, point) is True for each in stated.given()):
        raise NotCertifiedError(f"'{answer.claim}' does not fail at the values of the answer")
    exponents = {
        symbol
        for statement in (failing, *stated.given())
        for power in statement.atoms(sp.Pow, TrinomialRoot)
        for symbol in power.args[-1].free_symbols
    }
    fixed = {symbol: value for symbol, value in point.items() if symbol in exponents | {beta}}
    assertions, meaning = _at(stated, failing, fixed)
    assertions += [
        Assertion(
            kind=f"value_of_{symbol.name}",
            why="The counterexample:",
            statement=sp.Eq(symbol, value, evaluate=False),
        )
        for symbol, value in point.items()
        if any(symbol in each.statement.free_symbols for each in assertions)
    ]
    if (degree := _degree(assertions, meaning)) > _MOST_DEGREE:
        raise NotCertifiedError(
            f"'{answer.claim}' is refuted with roots of degree {degree}, too high for solvers"
        )
    text = script(assertions, meaning, "sat")
    if status_of(text, effort, most=UNITS) != "sat":
        raise NotCertifiedError(
            f"'{answer.claim}' is refuted by exact arithmetic, which Z3 does not follow"
        )
    return CertificatePart(
        statement=mathematics(failing, {}),
        latency=answer.latency,
        methods=_solvers(text, "sat", answer_with_proof(text, effort)),
        smtlib=text,
    )


def _solvers(text: str, status: str, second: Cvc5Answer) -> tuple[str, ...]:
    """The solvers that give an answer: Z3, which has given it, and cvc5 if it does."""
    if second.status not in (status, "unknown"):
        raise ContradictionError(f"z3 says {status} and cvc5 says {second.status}:\n{text}")
    z3 = f"Z3 {version('z3-solver')}"
    return (z3, f"cvc5 {version('cvc5')}") if second.status == status else (z3,)


def _truth(statement: sp.Basic, point: dict[sp.Symbol, sp.Rational]) -> bool | None:
    """A statement at a point; None if it is not decided, or has no value there."""
    try:
        return holds(statement, point)
    except (Undefined, KeyError, ZeroDivisionError, OverflowError):
        return None


def _at(
    stated: ProofProblem, failing: sp.Basic, fixed: dict[sp.Symbol, sp.Rational]
) -> tuple[list[Assertion], dict[sp.Symbol, sp.Expr]]:
    """The hypotheses and the negated goal with the exponents inserted, over the reals."""
    inserted = ", ".join(f"{symbol} = {value}" for symbol, value in fixed.items())
    where = f", with {inserted}" * bool(inserted)
    hypotheses = tuple(
        (label, substitute(part, fixed))
        for label, statement in stated.hypotheses
        for part in conjuncts([statement])
    )
    goal = substitute(failing, fixed)
    if goal in (sp.true, sp.false):
        raise NotCertifiedError(
            "at the counterexample only numbers are left, which no solver reads"
        )
    at_point = ProofProblem(hypotheses=hypotheses, goals=())
    try:
        supply, [*premises, negated] = translated(at_point, goal)
    except Unsupported as error:
        raise NotCertifiedError(f"the counterexample is not one of algebra: {error}") from None
    if supply.work.powers or supply.work.logs:
        raise NotCertifiedError(
            "the counterexample has logarithms or exponentials, which SMT-LIB does not compute"
        )
    assertions = [*_hypotheses(at_point, premises, where), *_definitions(supply.work.facts)]
    why = f"The claim does not hold{where}:"
    assertions.append(Assertion(kind="negated_claim", why=why, statement=negated))
    return assertions, supply.work.meaning


def _degree(assertions: Sequence[Assertion], roots: Iterable[sp.Symbol]) -> int:
    """The highest power of a root [1]."""
    return max(
        (
            int(sp.degree(side, root))
            for each in assertions
            for relation in each.statement.atoms(sp.core.relational.Relational)
            for side in relation.args
            for root in roots
            if side.has(root)
        ),
        default=0,
    )
