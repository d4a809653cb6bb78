"""Tactics that show that the trinomial equation has a root: by the cases of its exponent."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import sympy as sp

from logca.derive.core.symbols import TABLE
from logca.proofs.ledger.kernel.comparisons import by_lemmas, simple
from logca.proofs.ledger.kernel.expressions import as_term
from logca.proofs.ledger.kernel.inserted_equations import solved
from logca.proofs.ledger.kernel.propositions import RootExistence
from logca.proofs.ledger.kernel.skeletons import Goal, GoalContext

__all__ = ["existing"]

_Alternative = tuple[str, tuple[sp.Basic, ...]]


def existing(goal: Goal, part: RootExistence, *, searched: bool) -> list[str]:
    """Tactics that show a root's existence, by search only if asked."""
    known = solved(goal)
    start = known.opening
    roots = {root: symbol for symbol, root in goal.known.roots}
    k, c, l, b, _ = (
        arg.xreplace({k: v for k, v in roots.items() if isinstance(k, sp.Basic)}).xreplace(
            dict(known.values)
        )
        for arg in part.formula.args
    )
    arguments = (k, c, l, b)
    seen = "eexists; eassumption"
    if not any(part.free_symbols for part in arguments):
        return [seen, *(f"{start}{each}" for each in _numeric(arguments, part.upward))]
    if not searched:
        return [seen]
    inside = replace(goal, known=replace(goal.known, relations=known.relations))
    found = _shown(inside, arguments, part.upward, split=True)
    return [seen, *([] if found is None else [start + found])]


def _numeric(arguments: Sequence[sp.Expr], upward: bool) -> Iterator[str]:
    """Tactics for a root of which all is a number."""
    _, c, l, b = arguments
    if not upward:
        names = ["upper_root_from_zero"]
    elif b > 1:
        names = ["lower_root_superlinear"]
    else:
        names = ["lower_root_linear", "lower_root_level", "lower_root_sublinear"]
    for name in names:
        yield f"apply {name}; first [numbers | lra]"
    if not upward and b < 1:
        # where a weighted mean touches the line, if any number does
        point = sp.floor(b * c / (l * (1 - b))) + 1
        yield f"apply (upper_root_after _ _ _ _ {as_term(point)}); numbers"


def _shown(goal: Goal, arguments: Sequence[sp.Expr], upward: bool, *, split: bool) -> str | None:
    for lemma, sides in _alternatives(goal.known, arguments, upward):
        tactics: list[str] = []
        for side in sides:
            tactic = _side(goal, side)
            if tactic is None:
                break
            tactics.append(tactic)
        else:
            return f"apply ({lemma}); [ {' | '.join(tactics)} ]"
    if not split:
        return None
    _, _, l, b = arguments
    if not b.is_number:
        return _by_cases(goal, arguments, upward, (b, sp.S.One))
    if l.is_nonnegative and not l.is_number:
        return _by_cases(goal, arguments, upward, (l, sp.S.Zero))
    return None


def _by_cases(
    goal: Goal, arguments: Sequence[sp.Expr], upward: bool, pair: tuple[sp.Expr, sp.Expr]
) -> str | None:
    branches = []
    for kind in (sp.Lt, sp.Eq, sp.Gt):
        relation = kind(*pair, evaluate=False)
        told = GoalContext(
            relations=(*goal.known.relations, ("T", relation)),
            roots=goal.known.roots,
            touch=goal.known.touch,
        )
        case = replace(goal, known=told)
        absurd = by_lemmas(replace(case, relation=None), patient=False)
        if absurd is not None:
            branches.append(f"exfalso; {absurd}")
            continue
        shown = _shown(case, arguments, upward, split=False)
        if shown is None:
            return None
        branches.append(shown)
    return (
        f"destruct (Rtotal_order {as_term(pair[0])} {as_term(pair[1])}) as [T | [T | T]]; "
        f"[ {' | '.join(branches)} ]"
    )


def _side(goal: Goal, relation: sp.Basic) -> str | None:
    """A tactic for one of the conditions of a lemma."""
    side = replace(goal, relation=relation, proposition=None)
    heavy = by_lemmas(side, patient=False)
    if heavy is None:
        return None
    return "first [ " + " | ".join(f"solve [{each}]" for each in [*simple(side), heavy]) + " ]"


def _alternatives(
    known: GoalContext, arguments: Sequence[sp.Expr], upward: bool
) -> Iterator[_Alternative]:
    k, c, l, b = arguments
    terms = "_ _ _ _"  # as the goal writes them

    def is_(kind: type[sp.Basic], left: sp.Expr | int, right: sp.Expr | int) -> sp.Basic:
        return kind(sp.sympify(left), sp.sympify(right), evaluate=False)

    def positive(*parts: sp.Expr) -> tuple[sp.Basic, ...]:
        return tuple(is_(sp.Lt, 0, part) for part in parts)

    if upward:
        yield (
            f"lower_root_superlinear {terms}",
            (
                is_(sp.Lt, 0, k),
                is_(sp.Le, 0, c),
                is_(sp.Le, 0, l),
                is_(sp.Lt, 0, c + l),
                is_(sp.Lt, 1, b),
            ),
        )
        yield (f"lower_root_linear {terms}", (is_(sp.Eq, b, 1), is_(sp.Lt, l, k), *positive(c)))
        yield (f"lower_root_level {terms}", (*positive(k, c), is_(sp.Eq, l, 0), *positive(b)))
    else:
        yield (
            f"upper_root_from_zero {terms}",
            (*positive(k), is_(sp.Eq, c, 0), *positive(l, b), is_(sp.Lt, b, 1)),
        )
    for point in _points(known, arguments):
        reached = sp.Le(c + l * point, k * point**b, evaluate=False)
        if upward:
            yield (
                f"lower_root_before {terms} {as_term(point)}",
                (*positive(k, c), is_(sp.Le, 0, l), *positive(b, point), reached),
            )
        else:
            yield (
                f"upper_root_after {terms} {as_term(point)}",
                (
                    *positive(k),
                    is_(sp.Le, 0, c),
                    *positive(l, b),
                    is_(sp.Lt, b, 1),
                    *positive(point),
                    reached,
                ),
            )
    if upward:
        peak = sp.Le(c * l**b, k * b**b * (1 - b) ** (1 - b) * c**b, evaluate=False)
        yield (
            f"lower_root_sublinear {terms}",
            (*positive(k, c, l, b), is_(sp.Lt, b, 1), peak),
        )


def _points(known: GoalContext, arguments: Sequence[sp.Expr]) -> Iterator[sp.Expr]:
    """Points at which the power may have reached the line: granularities and roots spoken of."""
    spoken = set().union(*(each.free_symbols for _, each in known.relations), set())
    for name in ("g", "x", "y", "g0"):
        if TABLE[name].symbol in spoken:
            yield TABLE[name].symbol
    for symbol, _ in known.roots:
        yield symbol
    _, c, l, b = arguments
    if l != 0 and b != 1:
        yield b * c / (l * (1 - b))
