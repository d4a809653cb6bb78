"""Questions of a user's own: proof or counterexample, and which hypotheses were needed.

Unlike in the ledger, quantities that the question mentions are taken to exist; the answer says so
where the hypotheses do not imply it. A question that leaves the form of latency open is put for
constant and for linear latency: it is proved if it holds for both, refuted if it fails for one.
"""

import ast
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath
import sympy as sp

from logca.derive.core.symbols import TABLE
from logca.proofs.engine.answer import (
    NO_QUESTION,
    NO_VALUES,
    SECONDS_PER_QUESTION,
    UNTRIED,
    Answer,
    late_answer,
)
from logca.proofs.engine.needed_hypotheses import assumed_existence, needed_hypotheses
from logca.proofs.engine.problems import forms, problem
from logca.proofs.engine.theorems import LedgerTheorem, with_theorems
from logca.proofs.language.parser import ClaimSyntaxError, parse, parse_expression
from logca.proofs.language.syntax import split_list, tree
from logca.proofs.numbers.counterexamples import find_counterexample, find_witness
from logca.proofs.provers import symbolic
from logca.proofs.provers.effort import Effort, OutOfTimeError
from logca.proofs.provers.problem import ProofMethod, ProofProblem, ProverDecision
from logca.proofs.provers.proof_attempts import by_lemmas, prove
from logca.proofs.provers.proof_or_refutation import decide
from logca.proofs.provers.transcendental import without_logarithms
from logca.proofs.terms.limits import PowerLimit, free_variable

__all__ = ["ask", "contradictory", "hypotheses", "with_existence"]

_DIGITS = 12
_UNITS_OF_A_CONTRADICTION = 10_000_000
_UNITS_OF_A_THEOREM = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _FormResult:
    """The outcome for one form of latency.

    `empty` says that no values of the symbols satisfy the hypotheses.
    """

    latency: str
    decision: ProverDecision
    empty: bool = False
    witnessed: bool = True


def hypotheses(given: str | Iterable[str]) -> tuple[str, ...]:
    """Hypotheses one by one; texts may hold several, separated by commas.

    Examples
    --------
    >>> hypotheses(["A > 2, beta > 1", "o == 0"])
    ('A > 2', 'beta > 1', 'o == 0')
    """
    texts = [given] if isinstance(given, str) else list(given)
    for text in texts:
        if not isinstance(text, str):
            raise ClaimSyntaxError(f"a hypothesis is text, not {type(text).__name__}")
    return tuple(part for text in texts for part in split_list(text))


def ask(
    claim: str,
    given: str | Iterable[str] = (),
    timeout: float = SECONDS_PER_QUESTION,
    report: Callable[[Answer], None] = lambda answer: None,
    theorems: Sequence[LedgerTheorem] = (),
) -> Answer:
    """Prove or refute a claim, by theorems of the ledger where it cannot be decided without."""
    started = time.monotonic()
    effort = Effort(until=started + timeout)
    tree(claim)
    given = hypotheses(given)
    found: list[_FormResult] = []
    answer = None
    try:
        for latency in forms((claim,), given):
            found.append(_decide(claim, given, latency, effort, theorems))
            if found[-1].decision.status != "proved" and not found[-1].empty:
                break
        answer = _answer(claim, given, found)
        if answer.verdict == "proved":
            report(replace(answer, seconds=time.monotonic() - started))
            answer = _with_needed(answer, effort, theorems)
    except OutOfTimeError:
        answer = answer and replace(answer, reason=_joined(answer.reason, UNTRIED))
    answer = answer or late_answer(claim, given, timeout)
    return replace(answer, seconds=time.monotonic() - started)


def _with_needed(answer: Answer, effort: Effort, theorems: Sequence[LedgerTheorem]) -> Answer:
    """A proof with the hypotheses that it needs, and what is taken to exist."""
    claim, given = answer.claim, answer.given
    assuming = assumed_existence(claim, given, effort)
    used, complete = needed_hypotheses(
        claim, given, assuming, lambda rest: _claim_follows(claim, rest, effort, theorems), effort
    )
    if len(assuming) > 1:
        assuming = assumed_existence(claim, given, effort, together=True)
    reason = answer.reason if complete else _joined(answer.reason, UNTRIED)
    return replace(answer, used=used, assuming=assuming, reason=reason)


_CASES = {"beta": sp.S.One, "L": sp.S.Zero, "o": sp.S.Zero, "A": sp.S.One}
"""Where the order of terms, or the sign of a coefficient, changes."""
_LIMIT = (
    "; the limit depends on which term dominates, and on what exists near it: assume that, such as "
    "beta > 1 and L > 0"
)


def _joined(*reasons: str) -> str:
    return "; ".join(reason for reason in reasons if reason)


def _decide(
    claim: str,
    given: Sequence[str],
    latency: str,
    effort: Effort,
    theorems: Sequence[LedgerTheorem],
) -> _FormResult:
    stated = problem((claim,), given, latency)
    if stated.goals:
        decision = _refuted(claim, stated) or _decided(claim, given, latency, stated, effort)
        if decision.status == "undecided" and not _has_limit(stated):
            decision = _by_theorems(stated, theorems, latency, effort) or decision
    else:
        decision = ProverDecision(status="proved", methods=(ProofMethod(name="symbolic"),))
    if decision.status != "proved":
        return _FormResult(latency=latency, decision=decision)
    meant = with_existence(stated, (claim, *given), latency)
    if find_witness(meant.given()) is not None:
        return _FormResult(latency=latency, decision=decision)
    empty = contradictory(meant, effort)
    return _FormResult(latency=latency, decision=decision, empty=empty, witnessed=False)


def with_existence(stated: ProofProblem, texts: Sequence[str], latency: str) -> ProofProblem:
    """The hypotheses with the existence of all that the texts mention, roots too."""
    conditions = [
        (f"{name} exists", free_variable(condition))
        for text in texts
        for name, condition in parse(text, latency).defined
    ]
    return replace(stated, hypotheses=(*stated.hypotheses, *conditions))


def _decided(
    claim: str, given: Sequence[str], latency: str, stated: ProofProblem, effort: Effort
) -> ProverDecision:
    """With the tangent at the peak of the speedup if need be: there the means are equal."""
    if _has_limit(stated):
        mentioned = set().union(*(goal.free_symbols for _, goal in stated.goals))
        among = [symbol for name in _CASES if (symbol := TABLE[name].symbol) in mentioned]
        return _by_cases(claim, given, latency, stated, among, effort)
    decision = decide(stated, effort)
    if decision.status != "undecided" or latency == "constant":
        return decision
    peak = parse_expression("g_peak", latency)
    return decide(replace(stated, touch=(peak,)), effort)


def _by_theorems(
    stated: ProofProblem, theorems: Sequence[LedgerTheorem], latency: str, effort: Effort
) -> ProverDecision | None:
    """A proof that rests on theorems of the ledger, which is one of its methods."""
    for ids, known in with_theorems(stated, theorems, latency, effort):
        work = effort.part(_UNITS_OF_A_THEOREM)
        methods: dict[ProofMethod, None] = {}
        for _, goal in known.goals:
            found = prove(known, goal, work, thorough=False)
            if not found and (raised := without_logarithms(goal)) is not None:
                found = prove(known, raised, work, thorough=False)
            if not found:
                break
            methods |= dict.fromkeys(found)
        else:
            ledger = ProofMethod(name=f"ledger: {ids}")
            return ProverDecision(status="proved", methods=(*methods, ledger))
    return None


def _has_limit(stated: ProofProblem) -> bool:
    return any(goal.has(PowerLimit) for _, goal in stated.goals)


def _by_cases(
    claim: str,
    given: Sequence[str],
    latency: str,
    stated: ProofProblem,
    among: Sequence[sp.Symbol],
    effort: Effort,
) -> ProverDecision:
    """Limits depend on which term dominates, and so on beta and on which parameters vanish.

    What refutes a case refutes the whole; the whole is proved if all cases are. Each is a problem
    of its own: where roots become closed forms, that they exist is one hypothesis more.
    """
    decision = decide(stated, effort)
    if decision.status != "undecided" or not among:
        return decision
    symbol, *others = among
    border = _CASES[str(symbol)]
    cases = {"==": sp.Eq(symbol, border), ">": symbol > border, "<": symbol < border}
    methods: dict[ProofMethod, None] = {}
    for sign in (sign for sign, case in cases.items() if case is not sp.false):
        within = (*given, f"{symbol} {sign} {border}")
        part = problem((claim,), within, latency)
        decision = _by_cases(claim, within, latency, part, others, effort)
        if decision.status == "refuted":
            at = {str(symbol): border} if sign == "==" else {}
            return replace(decision, counterexample={**(decision.counterexample or {}), **at})
        if decision.status == "undecided":
            return decision
        methods |= dict.fromkeys(decision.methods)
    return ProverDecision(status="proved", methods=tuple(methods))


def _refuted(claim: str, stated: ProofProblem) -> ProverDecision | None:
    """A counterexample found at once saves the attempts at a proof."""
    if _has_limit(stated):
        return None
    point = find_counterexample(stated.given(), [goal for _, goal in stated.goals])
    if point is None:
        return None
    values = {str(symbol): value for symbol, value in point.items()}
    return ProverDecision(status="refuted", counterexample=values, failing=claim)


def contradictory(stated: ProofProblem, effort: Effort) -> bool:
    """True if no values satisfy the hypotheses, by a proof."""
    given = stated.given()
    if symbolic.proves(given, sp.false):
        return True
    return by_lemmas(stated, sp.false, effort.part(_UNITS_OF_A_CONTRADICTION)) is not None


def _answer(claim: str, given: tuple[str, ...], found: Sequence[_FormResult]) -> Answer:
    last = found[-1]
    base = Answer(claim=claim, given=given, verdict="undecided")
    if last.decision.status == "refuted":
        point = _whole_point(claim, given, last)
        return replace(
            base,
            verdict="refuted",
            latency=last.latency,
            methods=("exact arithmetic (one point)",),
            counterexample=point,
            values=_sides(claim, point, last.latency),
        )
    if last.decision.status != "proved" and not last.empty:
        reason = f"neither a proof nor a counterexample was found under {last.latency} latency"
        if "limit(" in claim:
            reason += _LIMIT
        return replace(base, latency=last.latency, reason=reason)
    real = [one for one in found if not one.empty]
    if not real:
        return replace(base, latency=last.latency, reason=NO_QUESTION)
    notes = [f"under {one.latency} latency {NO_VALUES}" for one in found if one.empty]
    notes += [
        f"no values that satisfy the hypotheses were found under {one.latency} latency"
        for one in real
        if not one.witnessed
    ]
    return replace(
        base,
        verdict="proved",
        latency=" and ".join(one.latency for one in real),
        methods=_methods(real),
        used=given,
        reason=_joined(*notes),
    )


def _methods(found: Sequence[_FormResult]) -> tuple[str, ...]:
    """Methods that confirmed the claim; with the form of latency where it was not all of them."""
    listed: dict[str, None] = {}
    for one in found:
        for method in one.decision.methods:
            everywhere = all(method in other.decision.methods for other in found)
            scope = method.scope if everywhere else f"{method.scope}, {one.latency} latency"
            listed[f"{method.name} ({scope})"] = None
    return tuple(listed)


def _whole_point(claim: str, given: Sequence[str], found: _FormResult) -> dict[str, Fraction]:
    """The counterexample with a value for every symbol that the texts mention."""
    values = dict(found.decision.counterexample or {})
    for text in (claim, *given):
        statement = parse(text, found.latency)
        for symbol in statement.formula.free_symbols.union(
            *(condition.free_symbols for _, condition in statement.defined)
        ):
            values.setdefault(str(symbol), sp.S.One)
    return {
        name: Fraction(int(values[name].p), int(values[name].q)) for name in TABLE if name in values
    }


def _sides(claim: str, point: dict[str, Fraction], latency: str) -> dict[str, str]:
    """The sides of the claim's comparisons at a point, as decimals."""
    values = {
        TABLE[name].symbol: sp.Rational(v.numerator, v.denominator) for name, v in point.items()
    }
    found: dict[str, str] = {}
    for node in ast.walk(tree(claim)):
        if not isinstance(node, ast.Compare):
            continue
        for side in (node.left, *node.comparators):
            if isinstance(side, ast.Constant) or getattr(side, "id", "") in ("latency", *TABLE):
                continue
            text = ast.get_source_segment(claim.strip(), side) or ast.unparse(side)
            try:
                value = sp.N(parse_expression(text, latency).subs(values), _DIGITS)
            except (ClaimSyntaxError, TypeError, ValueError):
                continue
            if value.is_Float or value.is_Integer:
                found[text] = mpmath.nstr(mpmath.mpf(str(value)), _DIGITS)
    return found


def _claim_follows(
    claim: str, given: Sequence[str], effort: Effort, theorems: Sequence[LedgerTheorem]
) -> bool:
    shown = 0
    for latency in forms((claim,), given):
        try:
            found = _decide(claim, given, latency, effort, theorems)
        except ClaimSyntaxError:
            return False
        if found.decision.status != "proved":
            return False
        shown += not found.empty
    return shown > 0
