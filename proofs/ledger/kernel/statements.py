"""Theorems from claims: symbols with their domains, hypotheses, existence, assertions."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.proofs.engine.problems import forms, problem
from logca.proofs.ledger.kernel.claim_text import (
    ClaimWriter,
    Definition,
    Derivative,
    root_condition,
)
from logca.proofs.ledger.kernel.expressions import as_term, identifier
from logca.proofs.ledger.kernel.propositions import Proposition, RootExistence
from logca.proofs.terms.definedness import RootExists

__all__ = ["TheoremStatement", "statement", "statements"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoremStatement:
    """One theorem: a claim under one form of latency."""

    name: str
    symbols: tuple[sp.Symbol, ...]  # over which it is universally quantified [their units]
    definitions: tuple[Definition, ...]
    # roots that hypotheses mention, then those that only assertions do, with their variables
    assumed_roots: tuple[tuple[TrinomialRoot, str], ...]
    claimed_roots: tuple[tuple[TrinomialRoot, str], ...]
    hypotheses: tuple[tuple[str, Proposition], ...]  # with their names
    existence: tuple[Proposition, ...]  # shown first, of what has no root in it
    derivatives: tuple[Derivative, ...]
    assertions: tuple[Proposition, ...]  # all of them, for the claimed roots
    touch: tuple[sp.Expr, ...]  # where lemmas on powers help [B]

    def domains(self) -> list[tuple[str, str]]:
        """The domains of the symbols: names of the hypotheses and what they say."""
        return [
            (
                f"D_{symbol.name}",
                f"0 {'<' if symbol.is_positive else '<='} {identifier(symbol.name)}",
            )
            for symbol in self.symbols
        ]

    def text(self) -> str:
        """The theorem in Coq, without its proof."""
        lines = [f"Theorem {self.name} :"]
        if self.symbols:
            lines.append(f"  forall {' '.join(identifier(s.name) for s in self.symbols)} : R,")
        lines += [f"  {domain} ->" for _, domain in self.domains()]
        if self.assumed_roots:
            lines.append(f"  forall {' '.join(name for _, name in self.assumed_roots)} : R,")
            lines += [f"  {root_condition(root, name)} ->" for root, name in self.assumed_roots]
        lines += [f"  {hypothesis.text()} ->" for _, hypothesis in self.hypotheses]
        lines.append("  " + " /\\\n  ".join(self.conclusions()))
        return "\n".join(lines) + "."

    def conclusions(self) -> list[str]:
        """The parts of the conclusion, each of which is to be shown."""
        parts = [part.text() for part in self.existence]
        parts += [derivative.exists() for derivative in self.derivatives]
        inner = [part.text() for part in self.assertions]
        if self.claimed_roots and inner:
            names = " ".join(name for _, name in self.claimed_roots)
            premises = " -> ".join(root_condition(root, name) for root, name in self.claimed_roots)
            joined = " /\\ ".join(inner)
            parts.append(f"(forall {names} : R, {premises} -> {joined})")
        else:
            parts += inner
        return parts

    def digest(self) -> str:
        """Hash of the statement with the definitions that it rests on."""
        told = [definition.text() for definition in self.definitions]
        return hashlib.sha256("\n".join([*told, self.text()]).encode()).hexdigest()[:24]


def statements(
    claim_id: str, asserts: Sequence[str], given: Sequence[str], touch: Sequence[str] = ()
) -> tuple[TheoremStatement, ...]:
    """The theorems of a claim, one for each form of latency that it leaves open.

    A `NotExported` if a part of the claim has no counterpart in Coq yet.
    """
    found: dict[str, TheoremStatement] = {}
    for latency in forms(asserts, given):
        made = statement(claim_id, asserts, given, latency, touch)
        bare = made.text().split("\n", 1)[1].replace(f"_{latency} ", "_form ")
        told = "".join(
            d.text().split("\n", 1)[1].replace(f"_{latency} ", "_form ") for d in made.definitions
        )
        found.setdefault(bare + told, made)
    return tuple(found.values())


def statement(
    claim_id: str,
    asserts: Sequence[str],
    given: Sequence[str],
    latency: str,
    touch: Sequence[str] = (),
) -> TheoremStatement:
    """The theorem of a claim under one form of latency."""
    writer = ClaimWriter(latency=latency)
    stated = problem(asserts, given, latency, touch=touch, total=True)
    hypotheses = [writer.proposition(text) for text in given]
    hypotheses += [
        writer.condition(condition)
        for label, condition in stated.hypotheses
        if label not in given and condition is not sp.true
    ]
    assumed = dict(writer.roots)
    writer.derivatives.clear()
    assertions = [writer.proposition(text) for text in asserts]
    conditions = [c for label, c in stated.goals if label not in asserts and c is not sp.true]
    existence = [writer.condition(condition) for condition in conditions]
    outside = [p for p, c in zip(existence, conditions, strict=True) if not c.has(TrinomialRoot)]
    inside = [p for p, c in zip(existence, conditions, strict=True) if c.has(TrinomialRoot)]
    claimed = {root: name for root, name in writer.roots.items() if root not in assumed}
    said = {part.text() for part in outside}
    for root in claimed:
        exists = RootExistence(
            arguments=tuple(as_term(part) for part in root.args),
            upward=root.upward,
            formula=RootExists(*root.args, sp.true if root.upward else sp.false),
        )
        if exists.text() not in said:
            outside.insert(0, exists)
    shown = [part for part in dict.fromkeys(hypotheses) if part.text() != "True"]
    return TheoremStatement(
        name=f"{claim_id.replace('-', '_').replace('.', '_')}__{latency}",
        symbols=tuple(sorted(writer.symbols, key=lambda symbol: str(symbol.name))),
        definitions=tuple(writer.definitions.values()),
        assumed_roots=tuple(assumed.items()),
        claimed_roots=tuple(claimed.items()),
        hypotheses=tuple((f"H{index + 1}", part) for index, part in enumerate(shown)),
        existence=tuple(dict.fromkeys(outside)),
        derivatives=tuple(writer.derivatives),
        assertions=(*dict.fromkeys(inside), *assertions),
        touch=stated.touch,
    )
