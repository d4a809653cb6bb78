"""Proof scripts from the shape of a statement: what is taken apart, and the goals that are left."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import sympy as sp

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.proofs.ledger.kernel.claim_text import Derivative
from logca.proofs.ledger.kernel.expressions import as_term, identifier
from logca.proofs.ledger.kernel.propositions import (
    Conjunction,
    Disjunction,
    Equivalence,
    Implication,
    LimitRelation,
    Negation,
    Proposition,
    Relation,
    RootExistence,
    Truth,
)
from logca.proofs.ledger.kernel.statements import TheoremStatement
from logca.proofs.terms.limits import PowerLimit

__all__ = ["Goal", "GoalContext", "Skeleton", "Tending", "skeleton"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalContext:
    """The hypotheses where a goal stands."""

    # hypotheses of the proof by name; roots are symbols of their own in them
    relations: tuple[tuple[str, sp.Basic], ...]
    # for each root's symbol: the root that it is
    roots: "tuple[tuple[sp.Symbol, TrinomialRoot | RootByArguments], ...]"
    touch: tuple[sp.Expr, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tending:
    """That an expression tends to a value."""

    expr: sp.Expr
    variable: sp.Symbol
    to: sp.Expr
    value: sp.Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A goal that is left to the tactics."""

    index: int
    known: GoalContext
    # the relation to show over symbols, roots among them; None for False
    relation: sp.Basic | None
    proposition: Proposition | Derivative | Tending | None  # where it is not a relation


@dataclass(slots=True, kw_only=True)
class Skeleton:
    """A proof script with gaps."""

    limit_value: "LimitValue"  # finds the values of limits
    parts: list[str | Goal] = field(default_factory=list)
    _names: int = 0

    def goals(self) -> list[Goal]:
        """The gaps."""
        return [part for part in self.parts if isinstance(part, Goal)]

    def script(self, fill: Callable[[Goal], str]) -> str:
        """The script with its gaps filled."""
        return "\n".join(part if isinstance(part, str) else fill(part) for part in self.parts)

    def say(self, text: str) -> None:
        """Add a step."""
        self.parts.append(text)

    def fresh(self) -> str:
        """A name for a hypothesis."""
        self._names += 1
        return f"X{self._names}"

    def goal(
        self,
        known: GoalContext,
        relation: sp.Basic | None,
        proposition: Proposition | Derivative | Tending | None = None,
    ) -> None:
        """Leave a gap."""
        self.parts.append(
            Goal(index=len(self.goals()), known=known, relation=relation, proposition=proposition)
        )


LimitValue = Callable[[GoalContext, sp.Expr, sp.Symbol, sp.Expr], sp.Expr | None]


def skeleton(statement: TheoremStatement, limit_value: LimitValue) -> Skeleton:
    """The script of a statement, with gaps for its comparisons, limits and existences."""
    made = Skeleton(limit_value=limit_value)
    names = [identifier(symbol.name) for symbol in statement.symbols]
    names += [name for name, _ in statement.domains()]
    names += [name for _, name in statement.assumed_roots]
    names += [f"R_{name}" for _, name in statement.assumed_roots]
    names += [name for name, _ in statement.hypotheses]
    made.say(f"intros {' '.join(names)}.")
    for derivative in statement.derivatives:
        made.goal(GoalContext(relations=(), roots=()), None, derivative)
    unfolded = [definition.name for definition in statement.definitions]
    if unfolded:
        made.say(f"unfold {', '.join(unfolded)} in *.")
    known = GoalContext(relations=(), roots=(), touch=statement.touch)
    for root, name in statement.assumed_roots:
        known = _with_root(made, known, root, name, f"R_{name}")
    assumptions = list(statement.hypotheses)
    _assume(made, known, assumptions, lambda inside: _conclude(made, inside, statement))
    return made


def root_symbol(name: str) -> sp.Symbol:
    """The symbol that stands for a root [B]."""
    return sp.Symbol(name, positive=True)


def _with_root(
    made: Skeleton,
    known: GoalContext,
    root: "TrinomialRoot | RootByArguments",
    name: str,
    hypothesis: str,
) -> GoalContext:
    """The context with a root: its equation, and the slope there."""
    kind = "lower_root" if root.upward else "upper_root"
    made.say(f"pose proof ({kind}_pos _ _ _ _ _ {hypothesis}) as D_{name}.")
    made.say(f"pose proof ({kind}_eq _ _ _ _ _ {hypothesis}) as E_{name}.")
    made.say(f"pose proof ({kind}_slope _ _ _ _ _ {hypothesis}) as S_{name}.")
    symbol = root_symbol(name)
    k, c, l, b = root.args
    equation = sp.Eq(k * symbol**b, c + l * symbol, evaluate=False)
    slope = b * c + (b - 1) * l * symbol
    sides = (sp.S.Zero, slope) if root.upward else (slope, sp.S.Zero)
    return GoalContext(
        relations=(
            *known.relations,
            (f"E_{name}", equation),
            (f"S_{name}", sp.Le(*sides, evaluate=False)),
        ),
        roots=(*known.roots, (symbol, root)),
        touch=known.touch,
    )


def _assume(
    made: Skeleton,
    known: GoalContext,
    assumptions: Sequence[tuple[str, Proposition]],
    then: Callable[[GoalContext], None],
) -> None:
    """Take hypotheses apart, one after the other, and go on in each case."""
    if not assumptions:
        then(known)
        return
    (name, proposition), *rest = assumptions
    if isinstance(proposition, Relation):
        added = GoalContext(
            relations=(*known.relations, (name, _inside(known, proposition.formula))),
            roots=known.roots,
            touch=known.touch,
        )
        _assume(made, added, rest, then)
    elif isinstance(proposition, Conjunction):
        names = [made.fresh() for _ in proposition.parts]
        pattern = names[-1]
        for each in reversed(names[:-1]):
            pattern = f"[{each} {pattern}]"
        made.say(f"destruct {name} as {pattern}.")
        _assume(made, known, [*zip(names, proposition.parts, strict=True), *rest], then)
    elif isinstance(proposition, Disjunction):
        first, *others = proposition.parts
        remaining = others[0] if len(others) == 1 else Disjunction(parts=tuple(others))
        made.say(f"destruct {name} as [{name} | {name}].")
        for part in (first, remaining):
            made.say("{")
            _assume(made, known, [(name, part), *rest], then)
            made.say("}")
    elif isinstance(proposition, Truth):
        if proposition.value:
            _assume(made, known, rest, then)
        else:
            made.say(f"destruct {name}.")
    elif isinstance(proposition, RootExistence):
        root = made.fresh().replace("X", "root_")
        made.say(f"destruct {name} as [{root} R_{root}].")
        k, c, l, b, upward = proposition.formula.args
        stand_in = RootByArguments(args=(k, c, l, b), upward=bool(upward))
        _assume(made, _with_root(made, known, stand_in, root, f"R_{root}"), rest, then)
    elif isinstance(proposition, Negation):
        _assume_not(made, known, name, proposition.part, rest, then)
    elif isinstance(proposition, LimitRelation):
        _assume(made, _assume_limit(made, known, name, proposition), rest, then)
    else:
        _assume(made, known, rest, then)


@dataclass(frozen=True, slots=True, kw_only=True)
class RootByArguments:
    """A root by its arguments, where SymPy would evaluate it."""

    args: tuple[sp.Expr, ...]
    upward: bool


_NEGATED = {
    "<": ("Rnot_lt_le", "<="),
    "<=": ("Rnot_le_lt", "<"),
    ">": ("Rnot_gt_le", "<="),
    ">=": ("Rnot_ge_lt", "<"),
    "<>": ("NNPP", "="),
}


def _assume_not(
    made: Skeleton,
    known: GoalContext,
    name: str,
    part: Proposition,
    rest: Sequence[tuple[str, Proposition]],
    then: Callable[[GoalContext], None],
) -> None:
    if isinstance(part, Relation):
        if part.sign in _NEGATED:
            made.say(f"apply {_NEGATED[part.sign][0]} in {name}.")
        negated = Relation(sign="", left="", right="", formula=negation(part.formula))
        _assume(made, known, [(name, negated), *rest], then)
    elif isinstance(part, Conjunction) and len(part.parts) == 2:
        made.say(f"apply not_and_or in {name}.")
        parts = tuple(Negation(part=each) for each in part.parts)
        _assume(made, known, [(name, Disjunction(parts=parts)), *rest], then)
    elif isinstance(part, Disjunction) and len(part.parts) == 2:
        made.say(f"apply not_or_and in {name}.")
        parts = tuple(Negation(part=each) for each in part.parts)
        _assume(made, known, [(name, Conjunction(parts=parts)), *rest], then)
    elif isinstance(part, Negation):
        made.say(f"apply NNPP in {name}.")
        _assume(made, known, [(name, part.part), *rest], then)
    elif isinstance(part, RootExistence):
        absent = (name, sp.Not(part.formula, evaluate=False))
        _assume(made, replace(known, relations=(*known.relations, absent)), rest, then)
    else:
        _assume(made, known, rest, then)


def negation(relation: sp.Basic) -> sp.Basic:
    """The relation that holds where this one does not [1]."""
    kind = {sp.Lt: sp.Ge, sp.Le: sp.Gt, sp.Gt: sp.Le, sp.Ge: sp.Lt, sp.Eq: sp.Ne, sp.Ne: sp.Eq}
    return kind[type(relation)](*relation.args, evaluate=False)


def _inside(known: GoalContext, formula: sp.Basic) -> sp.Basic:
    """A relation with the symbols of roots for the roots."""
    symbols = {root: symbol for symbol, root in known.roots if isinstance(root, TrinomialRoot)}
    return _unevaluated(formula, symbols) if formula.has(TrinomialRoot) else formula


def _inside_value(known: GoalContext, value: sp.Expr) -> sp.Expr:
    symbols = {root: symbol for symbol, root in known.roots if isinstance(root, TrinomialRoot)}
    return value.xreplace(symbols)


def _unevaluated(relation: sp.Basic, values: dict[sp.Basic, sp.Expr]) -> sp.Basic:
    if isinstance(relation, sp.core.relational.Relational):
        return relation.func(*[part.xreplace(values) for part in relation.args], evaluate=False)
    return relation.xreplace(values)


def _conclude(made: Skeleton, known: GoalContext, statement: TheoremStatement) -> None:
    last = len(statement.conclusions()) - 1
    for index, part in enumerate(statement.existence):
        known = _shown(made, known, part, f"K{index + 1}", split=index < last)
    shown = len(statement.existence)
    for _ in statement.derivatives:
        made.say("split. { eexists; eassumption. }" if shown < last else "eexists; eassumption.")
        shown += 1
    if not statement.assertions:
        return
    if statement.claimed_roots:
        names = [name for _, name in statement.claimed_roots]
        made.say(f"intros {' '.join([*names, *(f'R_{name}' for name in names)])}.")
        for root, name in statement.claimed_roots:
            known = _with_root(made, known, root, name, f"R_{name}")
    assertions = list(statement.assertions)
    while (
        len(assertions) > 1 and isinstance(assertions[0], Relation) and assertions[0].sign == "<>"
    ):
        # of what is claimed, that it has a value is shown first, and then known
        known = _shown(made, known, assertions.pop(0), f"K{shown + 1}", split=True)
        shown += 1
    _prove_all(made, known, assertions)


def _shown(
    made: Skeleton, known: GoalContext, part: Proposition, name: str, *, split: bool
) -> GoalContext:
    """The context after the first part of the goal is shown under a name."""
    made.say(f"assert ({name} : {part.text()}).")
    made.say("{")
    _prove(made, known, part)
    made.say("}")
    made.say(f"split. {{ exact {name}. }}" if split else f"exact {name}.")
    if not isinstance(part, Relation):
        return known
    relation = (name, _inside(known, part.formula))
    return replace(known, relations=(*known.relations, relation))


def _prove_all(made: Skeleton, known: GoalContext, parts: Sequence[Proposition]) -> None:
    for index, part in enumerate(parts):
        if index < len(parts) - 1:
            made.say("split.")
            made.say("{")
        _prove(made, known, part)
        if index < len(parts) - 1:
            made.say("}")


_OR = {"<": "or_lt", "<=": "or_le", ">": "or_gt", ">=": "or_ge", "=": "or_eq", "<>": "or_ne"}


def _prove(made: Skeleton, known: GoalContext, proposition: Proposition) -> None:
    if isinstance(proposition, Relation):
        made.goal(known, _inside(known, proposition.formula))
    elif isinstance(proposition, Truth):
        if proposition.value:
            made.say("exact I.")
        else:
            made.goal(known, None)
    elif isinstance(proposition, Conjunction):
        _prove_all(made, known, proposition.parts)
    elif isinstance(proposition, Implication):
        name = made.fresh()
        made.say(f"intros {name}.")
        _assume(
            made,
            known,
            [(name, proposition.premise)],
            lambda inside: _prove(made, inside, proposition.conclusion),
        )
    elif isinstance(proposition, Equivalence):
        left, right = proposition.left, proposition.right
        _prove_all(
            made,
            known,
            (
                Implication(premise=left, conclusion=right),
                Implication(premise=right, conclusion=left),
            ),
        )
    elif isinstance(proposition, Disjunction):
        first, *others = proposition.parts
        remaining = others[0] if len(others) == 1 else Disjunction(parts=tuple(others))
        if (
            isinstance(first, RootExistence)
            and len(others) == 1
            and not isinstance(remaining, RootExistence)
        ):
            made.say("apply or_comm.")
            first, remaining = remaining, first
        name = made.fresh()
        lemma = _OR[first.sign] if isinstance(first, Relation) else "or_other"
        made.say(f"apply {lemma}; intros {name}.")
        otherwise: Proposition = Negation(part=first)
        if isinstance(first, Relation):
            otherwise = Relation(sign="", left="", right="", formula=negation(first.formula))
        _assume(made, known, [(name, otherwise)], lambda inside: _prove(made, inside, remaining))
    elif isinstance(proposition, Negation):
        name = made.fresh()
        made.say(f"intros {name}.")
        _assume(made, known, [(name, proposition.part)], lambda inside: made.goal(inside, None))
    elif isinstance(proposition, LimitRelation):
        _prove_limit(made, known, proposition)
    elif isinstance(proposition, RootExistence):
        made.goal(known, None, proposition)


def _prove_limit(made: Skeleton, known: GoalContext, proposition: LimitRelation) -> None:
    formula = proposition.formula
    limits = [side for side in formula.args if isinstance(side, PowerLimit)]
    if isinstance(formula, sp.Eq) and len(limits) == 1:
        (value,) = (side for side in formula.args if side is not limits[0])
        made.goal(
            known,
            None,
            Tending(
                expr=limits[0].args[0],
                variable=limits[0].args[1],
                to=limits[0].args[2],
                value=_inside_value(known, value),
            ),
        )
        return
    values = {limit: made.limit_value(known, *limit.args[:3]) for limit in limits}
    if None in values.values():
        made.goal(known, None, proposition)
        return
    for value in values.values():
        made.say(f"exists {as_term(value)}.")
    for limit, value in values.items():
        made.say("split.")
        made.say("{")
        expr, variable, to, _ = limit.args
        made.goal(known, None, Tending(expr=expr, variable=variable, to=to, value=value))
        made.say("}")
    made.goal(known, _inside(known, _unevaluated(formula, values)))


def _assume_limit(
    made: Skeleton, known: GoalContext, name: str, proposition: LimitRelation
) -> GoalContext:
    """A premise on a limit says the same of its value."""
    formula = proposition.formula
    limits = [side for side in formula.args if isinstance(side, PowerLimit)]
    if len(limits) != 1 or formula.has(TrinomialRoot):
        return known
    expr, variable, to, _ = limits[0].args
    value = made.limit_value(known, expr, variable, to)
    if value is None:
        return known
    said, equal = made.fresh(), made.fresh()
    unique = "limit_at_infinity_unique" if to == sp.oo else "limit_at_zero_unique"
    if isinstance(formula, sp.Eq):
        (limit,) = (as_term(side) for side in formula.args if side is not limits[0])
        tends = name
    else:
        limit, tends = made.fresh(), made.fresh()
        made.say(f"destruct {name} as [{limit} [{tends} {said}]].")
    made.say(f"assert ({equal} : {limit} = {as_term(value)}).")
    made.say(f"{{ refine ({unique} _ _ _ {tends} _).")
    made.goal(known, None, Tending(expr=expr, variable=variable, to=to, value=value))
    made.say("}")
    if isinstance(formula, sp.Eq):
        said = equal
    else:
        made.say(f"rewrite {equal} in {said}.")
    relation = _unevaluated(formula, {limits[0]: value})
    if isinstance(formula, sp.Eq) and formula.args[0] is limits[0]:
        relation = relation.func(*relation.args[::-1], evaluate=False)
    return GoalContext(
        relations=(*known.relations, (said, relation)), roots=known.roots, touch=known.touch
    )
