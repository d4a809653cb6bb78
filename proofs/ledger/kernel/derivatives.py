"""Tactics that find the derivatives of a claim, as the claim writes them out."""

import sympy as sp

from logca.proofs.ledger.kernel.claim_text import Definition, Derivative
from logca.proofs.ledger.kernel.expressions import as_term, identifier

__all__ = ["differentiated"]


def differentiated(
    derivative: Derivative, index: int, definitions: tuple[Definition, ...]
) -> tuple[str, str, str]:
    """The statement that gives the derivative, a tactic that shows it, and how it is used."""
    variable = identifier(derivative.variable.name)
    unfold = f"unfold {', '.join(d.name for d in definitions)}; " if definitions else ""
    results = [derivative.expr]
    for _ in range(derivative.order):
        results.append(sp.diff(results[-1], derivative.variable))
    terms = [as_term(result) for result in results]
    name = f"V{index}"
    if derivative.order == 1:
        statement = f"{name} : is_derive {derivative.function} {variable} {terms[1]}"
        return statement, f"{unfold}derivative", f"try rewrite (is_derive_unique _ _ _ {name})"
    statement = (
        f"{name} : is_derive_n {derivative.function} {derivative.order} {variable} {terms[-1]}"
    )
    between = " ".join(f"(fun {variable} : R => {term})" for term in terms[1:-1])
    lemma = {2: "derive_twice", 3: "derive_thrice"}[derivative.order]
    goals = " | ".join(["intros; derivative"] * (derivative.order - 1))
    tactic = f"{unfold}apply ({lemma} _ {between}); [assumption | {goals} | derivative]"
    return statement, tactic, f"try rewrite (is_derive_n_unique _ _ _ _ {name})"
