"""Hypotheses that a proved claim needed, and what was taken to exist besides."""

from collections.abc import Callable, Sequence

import sympy as sp

from logca.proofs.engine.problems import forms
from logca.proofs.language.parser import parse
from logca.proofs.provers import symbolic
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import by_lemmas

__all__ = ["assumed_existence", "needed_hypotheses"]

_UNITS_OF_A_CONDITION = 5_000_000


def needed_hypotheses(
    claim: str,
    given: tuple[str, ...],
    assuming: Sequence[str],
    follows: Callable[[Sequence[str]], bool],
    effort: Effort,
) -> tuple[tuple[str, ...], bool]:
    """Hypotheses left after each that is not needed was dropped, and whether all were tried.

    `follows` says whether the claim follows from some of them.

    A hypothesis is needed for the claim itself, or for the existence of what it mentions.
    """
    kept = list(given)
    for hypothesis in given:
        if effort.units <= 0:
            return tuple(kept), False
        rest = [text for text in kept if text is not hypothesis]
        if follows(rest) and not assumed_existence(claim, rest, effort, assuming):
            kept = rest
    return tuple(kept), True


def assumed_existence(
    claim: str,
    given: Sequence[str],
    effort: Effort,
    known: Sequence[str] = (),
    *,
    together: bool = False,
) -> tuple[str, ...]:
    """Quantities whose existence the hypotheses do not imply, beyond those known.

    Together with those listed before them, if so asked: none is listed that the others imply.
    """
    found: dict[str, None] = {}
    for latency in forms((claim,), given):
        told = [(text, parse(text, latency).formula) for text in given]
        for text in (claim, *given):
            for name, condition in parse(text, latency).defined:
                label = f"{name} exists"
                if label not in (*known, *found):
                    stated = ProofProblem(hypotheses=tuple(told), goals=())
                    if _condition_implied(stated, condition, effort):
                        continue
                    found[label] = None
                if together:
                    told.append((label, condition))
    return tuple(found)


def _condition_implied(stated: ProofProblem, condition: sp.Basic, effort: Effort) -> bool:
    if symbolic.proves(stated.given(), condition):
        return True
    return by_lemmas(stated, condition, effort.part(_UNITS_OF_A_CONDITION)) is not None
