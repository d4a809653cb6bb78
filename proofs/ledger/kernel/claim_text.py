"""From the syntax tree of a claim to a proposition of Coq, quantities by their names."""

import ast
from dataclasses import dataclass, field

import sympy as sp

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.catalogue import formula, names
from logca.derive.core.symbols import TABLE
from logca.proofs.language.latency_forms import in_form, with_binomials_as_products
from logca.proofs.language.parser import parse, parse_expression
from logca.proofs.language.syntax import tree
from logca.proofs.ledger.kernel.expressions import (
    NotExported,
    as_proposition,
    as_term,
    identifier,
    number,
)
from logca.proofs.ledger.kernel.propositions import (
    Conjunction,
    Disjunction,
    Equivalence,
    Implication,
    LimitRelation,
    Negation,
    Proposition,
    Relation,
    Truth,
)

__all__ = ["ClaimWriter", "Definition", "Derivative", "definition", "root_condition"]

_SIGNS = {
    ast.Eq: "=",
    ast.NotEq: "<>",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_FUNCTIONS = {
    "log": "ln",
    "exp": "exp",
    "sqrt": "sqrt",
    "abs": "Rabs",
    "min": "Rmin",
    "max": "Rmax",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A formula of the catalogue under one form of latency, as a definition."""

    name: str  # such as speedup_linear
    arguments: tuple[sp.Symbol, ...]  # its symbols, in the order of the arguments [their units]
    expr: sp.Expr  # what it is [its unit]
    comment: str  # its meaning and source

    def text(self) -> str:
        """The definition in Coq."""
        binder = f" ({' '.join(identifier(s.name) for s in self.arguments)} : R)"
        body = as_term(self.expr)
        comment = self.comment.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
        opening = f"Definition {self.name}{binder * bool(self.arguments)} : R :="
        return f"(* {comment} *)\n{opening}\n  {body}."


def definition(name: str, latency: str) -> Definition:
    """The definition of a formula that has no root of the trinomial in it.

    Examples
    --------
    >>> definition("T0", "constant").text().splitlines()[1:]
    ['Definition T0_constant (C beta g : R) : R :=', '  (C * (Rpower g beta)).']
    """
    entry = formula(name)
    expr, _ = in_form(entry.expr, entry.domain, latency)
    symbols = tuple(sorted(expr.free_symbols, key=lambda symbol: str(symbol.name)))
    return Definition(
        name=f"{name}_{latency}",
        arguments=symbols,
        expr=expr,
        comment=f"{name}: {entry.meaning} ({entry.source})",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivative:
    """A derivative in a claim: the function, where it is taken, its order, and what it is."""

    function: str  # as a term of Coq
    variable: sp.Symbol  # with respect to which, and at which [its unit]
    order: int
    expr: sp.Expr  # the function's value [its unit]

    def exists(self) -> str:
        """That there is one, as a proposition of Coq."""
        at = identifier(self.variable.name)
        if self.order == 1:
            return f"(ex_derive {self.function} {at})"
        return f"(ex_derive_n {self.function} {self.order} {at})"


@dataclass(slots=True, kw_only=True)
class ClaimWriter:
    """Writes claims under one form of latency; collects what they mention."""

    latency: str
    definitions: dict[str, Definition] = field(default_factory=dict)
    roots: dict[TrinomialRoot, str] = field(default_factory=dict)  # with their variables
    derivatives: list[Derivative] = field(default_factory=list)
    symbols: set[sp.Symbol] = field(default_factory=set)
    bound: list[sp.Symbol] = field(default_factory=list)  # variables of functions, innermost last
    # inside of a limit: the roots in it, each as a function's value there
    followed: dict[TrinomialRoot, str] = field(default_factory=dict)

    def proposition(self, text: str) -> Proposition:
        """A claim or hypothesis as a proposition [1]."""
        return self._boolean(tree(text))

    def condition(self, condition: sp.Basic) -> Proposition:
        """A condition of existence as a proposition [1]."""
        self.note(condition)
        return as_proposition(condition, self.roots)

    def note(self, expr: sp.Basic) -> None:
        """Take note of the roots and symbols of an expression."""
        for root in sorted(expr.atoms(TrinomialRoot), key=sp.default_sort_key):
            if any(arg.has(TrinomialRoot) for arg in root.args):
                raise NotExported("a root of a trinomial whose coefficients are roots")
            if root not in self.followed:
                self.roots.setdefault(root, f"root{len(self.roots) + 1}")
        self.symbols |= expr.free_symbols - set(self.bound)

    def _boolean(self, node: ast.expr) -> Proposition:
        if isinstance(node, ast.BoolOp):
            joined = Conjunction if isinstance(node.op, ast.And) else Disjunction
            return joined(parts=tuple(map(self._boolean, node.values)))
        if isinstance(node, ast.UnaryOp):
            return Negation(part=self._boolean(node.operand))
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Constant):
            return Truth(value=bool(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "exists":
                return self.condition(parse(ast.unparse(node), self.latency).formula)
            left, right = map(self._boolean, node.args)
            if node.func.id == "implies":
                return Implication(premise=left, conclusion=right)
            return Equivalence(left=left, right=right)
        raise NotExported(f"{ast.unparse(node)} is no statement")

    def _comparison(self, node: ast.Compare) -> Proposition:
        operands = [node.left, *node.comparators]
        if any(getattr(operand, "id", "") == "latency" for operand in operands):
            return Truth(value=parse(ast.unparse(node), self.latency).formula is sp.true)
        pairs = zip(node.ops, operands, operands[1:], strict=False)
        parts = tuple(self._relation(op, left, right) for op, left, right in pairs)
        return parts[0] if len(parts) == 1 else Conjunction(parts=parts)

    def _relation(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> Proposition:
        single = ast.Compare(left=left, ops=[op], comparators=[right])
        meaning = parse(ast.unparse(single), self.latency).formula
        sign = _SIGNS[type(op)]
        if any(getattr(getattr(side, "func", None), "id", "") == "limit" for side in (left, right)):
            return self._limit_relation(sign, left, right, meaning)
        return Relation(sign=sign, left=self.value(left), right=self.value(right), formula=meaning)

    def _limit_relation(
        self, sign: str, left: ast.expr, right: ast.expr, meaning: sp.Basic
    ) -> LimitRelation:
        limits: list[str] = []
        sides: list[str] = []
        for side in (left, right):
            if getattr(getattr(side, "func", None), "id", "") == "limit":
                limits.append(self._tends(side))
                sides.append(f"limit{len(limits)}")
            else:
                sides.append(self.value(side))
        if sign == "=" and len(limits) == 1:
            value = sides[1] if sides[0] == "limit1" else sides[0]
            text = limits[0].format(value=value)
        else:
            names_ = [f"limit{index + 1}" for index in range(len(limits))]
            parts = [tends.format(value=name) for name, tends in zip(names_, limits, strict=True)]
            parts.append(f"{sides[0]} {sign} {sides[1]}")
            text = f"exists {' '.join(names_)} : R, " + " /\\ ".join(parts)
        return LimitRelation(proposition=text, formula=meaning)

    def _tends(self, node: ast.expr) -> str:
        """That the function of a limit tends to {value}."""
        assert isinstance(node, ast.Call)
        expr, variable, to = node.args
        symbol = TABLE[ast.unparse(variable)].symbol
        following = self._follow(parse_expression(ast.unparse(expr), self.latency), symbol)
        function = self._function(expr, symbol)
        self.followed = {}
        endless = getattr(to, "id", "") == "oo"
        end = sp.oo if endless else parse_expression(ast.unparse(to), self.latency)
        if end == 0:
            return f"{following}filterlim {function} (at_right 0) (locally {{value}})"
        at = "p_infty" if endless else number(end)
        return f"{following}is_lim {function} {at} {{value}}"

    def _follow(self, expr: sp.Expr, variable: sp.Symbol) -> str:
        """For whatever functions of the variable that are the roots wherever there are any."""
        text = ""
        name = identifier(variable.name)
        for root in sorted(expr.atoms(TrinomialRoot), key=sp.default_sort_key):
            if any(arg.has(TrinomialRoot) for arg in root.args):
                raise NotExported("a root of a trinomial whose coefficients are roots")
            function = f"root_at{len(self.followed) + 1}"
            self.symbols |= root.free_symbols - {variable}
            there = self.followed[root] = f"({function} {name})"
            text += (
                f"forall {function} : R -> R, (forall {name} : R, (exists root : R, "
                f"{root_condition(root, 'root')}) -> {root_condition(root, there)}) -> "
            )
        return text

    def _function(self, node: ast.expr, variable: sp.Symbol) -> str:
        self.bound.append(variable)
        try:
            return f"(fun {identifier(variable.name)} : R => {self.value(node)})"
        finally:
            self.bound.pop()

    def value(self, node: ast.expr) -> str:
        """A value as a term of Coq."""
        if isinstance(node, ast.Constant):
            return number(parse_expression(ast.unparse(node), self.latency))
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.UnaryOp):
            operand = self.value(node.operand)
            return f"(- {operand})" if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in _FUNCTIONS:
            return f"({_FUNCTIONS[name]} {' '.join(map(self.value, node.args))})"
        if name == "diff":
            return self._derivative(node)
        return self._quantity(name, {str(key.arg): key.value for key in node.keywords})

    def _name(self, name: str) -> str:
        if name in TABLE:
            self.note(TABLE[name].symbol)
            return identifier(name)
        assert name in names()
        return self._quantity(name, {})

    def _arithmetic(self, node: ast.BinOp) -> str:
        if isinstance(node.op, ast.Pow):
            return self._power(node)
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
        return f"({self.value(node.left)} {sign} {self.value(node.right)})"

    def _power(self, node: ast.BinOp) -> str:
        base, exponent = (
            parse_expression(ast.unparse(part), self.latency) for part in (node.left, node.right)
        )
        below = self.value(node.left)
        if exponent.is_Integer:
            text = f"({below} ^ {abs(exponent)})"
            return text if exponent >= 0 else f"(/ {text})"
        function = "Rpower" if base.is_positive else "power"
        return f"({function} {below} {self.value(node.right)})"

    def _derivative(self, node: ast.Call) -> str:
        variable = TABLE[ast.unparse(node.args[1])].symbol
        order = int(ast.unparse(node.args[2])) if len(node.args) == 3 else 1
        expr = parse_expression(ast.unparse(node.args[0]), self.latency)
        if expr.has(TrinomialRoot):
            raise NotExported("a root of the trinomial stands inside of a derivative")
        found = Derivative(
            function=self._function(node.args[0], variable),
            variable=variable,
            order=order,
            expr=expr,
        )
        self.note(variable)
        if variable in self.bound:
            raise NotExported("a derivative of a derivative")
        if found not in self.derivatives:
            self.derivatives.append(found)
        at = identifier(variable.name)
        if order == 1:
            return f"(Derive {found.function} {at})"
        return f"(Derive_n {found.function} {order} {at})"

    def _quantity(self, name: str, values: dict[str, ast.expr]) -> str:
        entry = formula(name)
        expr, _ = in_form(entry.expr, entry.domain, self.latency)
        given = {
            TABLE[key].symbol: parse_expression(ast.unparse(value), self.latency)
            for key, value in values.items()
        }
        if expr.has(TrinomialRoot) or expr.has(sp.binomial):
            instance = with_binomials_as_products(expr.xreplace(given))
            self.note(instance)
            return as_term(instance, {**self.roots, **self.followed})
        found = self.definitions.setdefault(name, definition(name, self.latency))
        found.text()
        arguments = []
        for symbol in found.arguments:
            if symbol.name in values:
                arguments.append(self.value(values[symbol.name]))
            else:
                self.note(symbol)
                arguments.append(identifier(symbol.name))
        return f"({' '.join([found.name, *arguments])})" if arguments else found.name


def root_condition(root: TrinomialRoot, name: str) -> str:
    """That something is the root, as a proposition of Coq."""
    kind = "lower_root" if root.upward else "upper_root"
    return f"{kind} {' '.join(as_term(part) for part in root.args)} {name}"
