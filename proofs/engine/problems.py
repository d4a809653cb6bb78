"""Problems from text: which forms of latency are meant, what must exist, what is to be shown."""

import re
from collections.abc import Sequence

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import FORMS
from logca.proofs.language.parser import (
    ClaimSyntaxError,
    Lookup,
    ParsedClaim,
    parse,
    parse_expression,
)
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.terms.definedness import Defined, RootExists
from logca.proofs.terms.elimination import conjuncts, eliminate, substitute
from logca.proofs.terms.limits import PowerLimit, free_variable

__all__ = ["forms", "problem"]


def forms(asserts: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
    """Forms of latency that the texts leave open.

    Constant and linear, less what a hypothesis excludes; affine as well where it is mentioned, and
    nothing else where the symbols L0 or L1 are.

    Examples
    --------
    >>> forms(["speedup < A"], ["latency != linear"]), forms(["L1 > 0"], [])
    (('constant',), ('affine',))
    """
    text = " ".join([*asserts, *given])
    mentioned = re.search(r"\baffine\b", text)
    candidates = tuple(form for form in FORMS if form != "affine" or mentioned)
    if re.search(r"\bL[01]\b", text):
        candidates = ("affine",)
    left: list[str] = []
    errors: list[ClaimSyntaxError] = []
    for form in candidates:
        try:
            read = [parse(hypothesis, form) for hypothesis in given if "latency" in hypothesis]
        except ClaimSyntaxError as error:
            errors.append(error)
            continue
        if all(statement.formula is not sp.false for statement in read):
            left.append(form)
    if not left and errors:
        raise errors[0]
    if not left:
        raise ClaimSyntaxError(
            "the hypotheses exclude all forms of latency; L0 and L1 belong to the affine one"
        )
    return tuple(left)


def problem(
    asserts: Sequence[str],
    given: Sequence[str],
    latency: str,
    *,
    touch: Sequence[str] = (),
    total: bool = False,
    lookup: Lookup = formula,
) -> ProofProblem:
    """The problem under one form of latency."""
    hypotheses: list[tuple[str, sp.Basic]] = []
    existence: list[tuple[str, sp.Basic]] = []
    goals: list[tuple[str, sp.Basic]] = []
    mentioned: list[ParsedClaim] = []
    for text in given:
        statement = parse(text, latency, lookup)
        if statement.formula.has(PowerLimit):
            raise ClaimSyntaxError(f"'{text}': a limit can be claimed, not assumed")
        mentioned.append(statement)
        hypotheses += _existence_beyond_mention(statement)
        if statement.formula is not sp.true:
            hypotheses.append((text, _as_assumed(statement.formula)))
    for text in asserts:
        statement = parse(text, latency, lookup)
        if total:
            existence += _split(
                [(f"{name} exists", free_variable(c)) for name, c in statement.defined]
            )
        else:
            mentioned.append(statement)
            hypotheses += _existence_beyond_mention(statement)
        goals += _goals(statement)
    hypotheses += _existence_lost_by_substitution(mentioned, hypotheses)
    return ProofProblem(
        hypotheses=tuple(dict.fromkeys(hypotheses)),
        goals=(*_existence_to_show(existence, hypotheses), *goals),
        touch=tuple(parse_expression(text, latency, lookup) for text in touch),
    )


def _existence_to_show(
    existence: Sequence[tuple[str, sp.Basic]], hypotheses: Sequence[tuple[str, sp.Basic]]
) -> list[tuple[str, sp.Basic]]:
    """Conditions of existence, each once, that are not hypotheses themselves."""
    known = set(conjuncts([statement for _, statement in hypotheses]))
    found = {condition: label for label, condition in reversed(existence) if condition not in known}
    return [(label, condition) for condition, label in reversed(found.items())]


def _goals(statement: ParsedClaim) -> list[tuple[str, sp.Basic]]:
    return _split([(statement.text, statement.formula)])


def _as_assumed(formula: sp.Basic) -> sp.Basic:
    """A statement that is assumed: then all its parts exist."""
    return formula.args[0] if isinstance(formula, Defined) else formula


def _split(goals: Sequence[tuple[str, sp.Basic]]) -> list[tuple[str, sp.Basic]]:
    found: list[tuple[str, sp.Basic]] = []
    for label, goal in goals:
        # not by And.make_args, whose order is that of hashes: another one in every process
        for clause in conjuncts([goal]):
            parts = conjuncts([_part_by_part(clause)])
            found += [(label, part) for part in parts if part is not sp.true]
    return found


def _part_by_part(clause: sp.Basic) -> sp.Basic:
    """A clause without `Defined`, where it may be shown one condition of existence at a time.

    A premise that something exists brings the existence of its parts with it. In one conclusion
    each condition is a goal of its own, and so is the existence of the parts it rests on.
    """
    literals = [
        sp.Not(_as_assumed(part.args[0])) if isinstance(part, sp.Not) else part
        for part in (clause.args if isinstance(clause, sp.Or) else (clause,))
    ]
    found = [part for part in literals if isinstance(part, Defined)]
    if len(found) > 1:
        return clause
    rest = [part for part in literals if part not in found]
    wanted = conjuncts([_as_assumed(found[0])]) if found else (sp.false,)
    return sp.And(*[sp.Or(*rest, part) for part in wanted])


def _existence_beyond_mention(statement: ParsedClaim) -> list[tuple[str, sp.Basic]]:
    """Conditions under which the quantities exist, less what the mention of a root already says."""
    found = []
    for name, condition in statement.defined:
        parts = condition.args if isinstance(condition, sp.And) else (condition,)
        found += [(f"{name} exists", p) for p in parts if not isinstance(p, RootExists)]
    return found


def _existence_lost_by_substitution(
    mentioned: Sequence[ParsedClaim], hypotheses: Sequence[tuple[str, sp.Basic]]
) -> list[tuple[str, sp.Basic]]:
    """Existence of roots that evaluate themselves once the hypotheses fix a symbol, as beta == 1.

    What is left then, such as c/(k - l), no longer says that there is a root.
    """
    solved, _ = eliminate([statement for _, statement in hypotheses])
    found = []
    for statement in mentioned:
        for name, condition in statement.defined:
            for part in condition.args if isinstance(condition, sp.And) else (condition,):
                known = substitute(part, solved) if isinstance(part, RootExists) else part
                if known is not part and not isinstance(known, RootExists):
                    found.append((f"{name} exists", known))
    return _split(found)
