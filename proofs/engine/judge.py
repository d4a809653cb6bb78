"""From a claim to a verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import SECONDS_PER_CLAIM
from logca.proofs.engine.problems import forms, problem
from logca.proofs.language.parser import Lookup
from logca.proofs.numbers.counterexamples import find_witness
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofMethod, ProofProblem, ProverDecision
from logca.proofs.provers.proof_or_refutation import decide

__all__ = ["Judgement", "judge", "settle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict and what it rests on."""

    verdict: Verdict  # the verdict
    methods: tuple[ProofMethod, ...] = ()  # what confirmed the claim, or its correction
    # exact values of the symbols, and the form of latency [their units]
    counterexample: dict[str, str] | None = None
    failing: str = ""  # the assertion that the counterexample violates or that stayed open
    seconds: float = 0.0  # time taken [s]
    # how many methods confirm the assertion that the fewest methods confirm [1]
    confirmations: int = 0


def judge(claim: Claim, lookup: Lookup = formula) -> Judgement:
    """Decide a claim, and its correction if it is false; undecided if it asserts nothing."""
    started = time.monotonic()
    doubtful = claim.corrected is not None
    decision, latency = settle(claim.asserts, claim.given, claim.touch, lookup, doubtful=doubtful)
    verdict = {
        "proved": Verdict.PROVED,
        "refuted": Verdict.REFUTED,
        "undecided": Verdict.UNDECIDED,
    }[decision.status]
    confirmed = decision
    failing = decision.failing
    if verdict is Verdict.REFUTED and claim.corrected is not None:
        true = claim.corrected
        repaired, _ = settle(true.asserts, true.given, true.touch, lookup)
        if repaired.status == "proved":
            verdict, confirmed = Verdict.CORRECTED, repaired
        else:
            failing = f"correction: {repaired.failing}"
            verdict = Verdict.UNDECIDED
    return Judgement(
        verdict=verdict,
        methods=confirmed.methods,
        counterexample=_readable(decision, latency),
        failing=failing,
        seconds=time.monotonic() - started,
        confirmations=confirmed.confirmations,
    )


def settle(
    asserts: tuple[str, ...],
    given: tuple[str, ...],
    touch: tuple[str, ...] = (),
    lookup: Lookup = formula,
    *,
    thorough: bool = True,
    doubtful: bool = False,
) -> tuple[ProverDecision, str]:
    """Decide under every form of latency left open; the first failure, or all methods in common.

    Returns the decision and the form in which it failed, or all forms; an OutOfTimeError if that
    takes longer than a claim may.
    """
    if not asserts:
        return ProverDecision(status="undecided", failing="its source prints no numbers"), ""
    decisions: list[ProverDecision] = []
    open_forms = forms(asserts, given)
    until = time.monotonic() + SECONDS_PER_CLAIM
    known: dict[ProofProblem, ProverDecision] = {}
    for latency in open_forms:
        stated = problem(asserts, given, latency, touch=touch, total=True, lookup=lookup)
        if stated in known:
            continue
        effort = Effort(until=until)
        decision = decide(stated, effort, thorough=thorough, doubtful=doubtful)
        known[stated] = decision
        if decision.status == "proved" and find_witness(stated.given()) is None:
            decision = ProverDecision(
                status="undecided", failing="no value satisfies the hypotheses"
            )
        if decision.status != "proved":
            return decision, latency
        decisions.append(decision)
    proved = ProverDecision(
        status="proved",
        methods=_joined(decisions, open_forms),
        confirmations=min(decision.confirmations for decision in decisions),
    )
    return proved, " and ".join(open_forms)


def _joined(
    decisions: Sequence[ProverDecision], latencies: Sequence[str]
) -> tuple[ProofMethod, ...]:
    """Methods over all forms of latency; one that covers only some of them says which."""
    if len(decisions) == 1:
        return decisions[0].methods
    names = dict.fromkeys(method.name for decision in decisions for method in decision.methods)
    joined = []
    for name in names:
        scopes = {
            latency: method.scope
            for latency, decision in zip(latencies, decisions, strict=False)
            for method in decision.methods
            if method.name == name
        }
        everywhere = len(scopes) == len(decisions) and len(set(scopes.values())) == 1
        scope = "; ".join(f"{latency} latency: {scope}" for latency, scope in scopes.items())
        joined.append(
            ProofMethod(name=name, scope=next(iter(scopes.values())) if everywhere else scope)
        )
    return tuple(sorted(joined, key=lambda method: "whole domain" not in method.scope))


def _readable(decision: ProverDecision, latency: str) -> dict[str, str] | None:
    if decision.counterexample is None:
        return None
    values: dict[str, sp.Rational] = decision.counterexample
    return {name: str(value) for name, value in values.items()} | {"latency": latency}
