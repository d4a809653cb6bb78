"""From SymPy to a layout: the order of terms and factors, fractions, brackets.

One order for five markups: each of SymPy's printers would need its own sums, products and powers.

Sums stand in the order of the papers (overhead, latency, computation), positive terms first;
products have coefficients before powers of the granularity. SymPy's own order is alphabetical.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from logca.derive.algebra.dimension import ONE, Dimension
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.symbols import TABLE, UNITS, beta, g, g0, x, y
from logca.derive.notation.boxes import (
    Cases,
    Choose,
    Fence,
    Fraction,
    Name,
    Node,
    Number,
    Radical,
    RootOf,
    Row,
    Script,
    Sign,
    Word,
)

__all__ = ["Figure", "chain", "in_order", "typeset"]

_FIRST = ("s", "o", "L", "L0", "L1", "C", "A")
_RANK = {name: rank for rank, name in enumerate(dict.fromkeys((*_FIRST, *TABLE)))}
_HALF = sp.Rational(1, 2)
_STAND_IN = sp.Symbol("z", positive=True)
_GRANULARITIES = frozenset((g, g0, x, y, _STAND_IN))
_WORDS = {
    "asinh": "arsinh",
    "acosh": "arcosh",
    "asin": "arcsin",
    "acos": "arccos",
    "ceiling": "ceil",
    "log": "log",
}
_RELATIONS = {
    sp.Eq: "=",
    sp.Ne: "!=",
    sp.Lt: "<",
    sp.Le: "<=",
    sp.Gt: ">",
    sp.Ge: ">=",
}


class Figure(sp.Symbol):
    """A number in the place of a symbol, which keeps the symbol's place in sums and products.

    Examples
    --------
    >>> from logca.derive.core.symbols import C, o
    >>> (2 * C + o).subs({o: Figure(o, "29000"), C: Figure(C, "90")})
    2*90 + 29000
    """

    __slots__ = ()

    def __new__(cls, symbol: sp.Symbol, digits: str) -> "Figure":
        """Positive, like all numbers that are not zero."""
        figure: Figure = super().__new__(cls, f"{symbol.name}={digits}", positive=True)
        return figure

    @property
    def digits(self) -> str:
        """The number as it is printed."""
        return str(self.name).partition("=")[2]

    def _sympystr(self, printer: object) -> str:
        return self.digits

    _pythoncode = _sympystr


def chain(
    quantity: sp.Symbol, forms: Iterable[sp.Expr], value: float | None, unit: Dimension
) -> Node:
    """A quantity equal to an expression, written in several ways, and to a number with its unit.

    Examples
    --------
    >>> from logca.derive.algebra.dimension import BYTES
    >>> len(chain(sp.Symbol("g1"), (), 357.7160, BYTES).parts)
    3
    """
    sides = [Name(quantity.name), *(typeset(form) for form in dict.fromkeys(forms))]
    if value is not None:
        number, units = _digits(f"{value:.6g}"), _unit(unit)
        sides.append(Row((number, *units)) if units else number)
    parts = [part for side in sides for part in (Sign("="), _fenced(side, "relation"))]
    return Row(tuple(parts[1:]), kind="relation")


def _digits(written: str) -> Node:
    """A number, such as 1.5e-05, with its power of ten as it is printed."""
    digits, _, power = written.partition("e")
    negative = digits.startswith("-")
    node: Node = Number(digits.removeprefix("-"))
    if power:
        ten = Script(Number("10"), sup=_node(sp.Integer(power), small=True))
        node = Row((node, Sign("dot"), ten), kind="product")
    return Row((Sign("neg"), node), kind="sum") if negative else node


def _unit(unit: Dimension) -> list[Node]:
    over: list[Node] = []
    under: list[Node] = []
    for name, exponent in zip(("cycles", "B", "W", "s"), unit.exponents(), strict=True):
        if exponent != 0:
            size = abs(exponent) if exponent.is_number else exponent
            power = Word(name) if size == 1 else Script(Word(name), sup=_node(size, small=True))
            (under if exponent.could_extract_minus_sign() else over).append(power)
    if not under:
        return [part for power in over for part in (Sign("of"), power)]
    above = Row(tuple(over)) if over else Number("1")
    return [Sign("of"), above, Sign("/"), *under]


def typeset(expr: sp.Basic) -> Node:
    """The layout of an expression, a relation or a condition.

    Examples
    --------
    >>> from logca.derive.core.symbols import A
    >>> typeset(A - 1)
    Row(parts=(Name(name='A'), Sign(key='-'), Number(digits='1')), kind='sum')
    """
    return _node(sp.sympify(expr), small=False)


@lru_cache(maxsize=1 << 14)  # the steps of a derivation repeat most of their terms
def _node(expr: sp.Basic, small: bool) -> Node:
    """The layout; in small print, such as exponents, fractions are written with a slash."""
    if isinstance(expr, Figure):
        return _digits(expr.digits)
    if isinstance(expr, sp.Symbol):
        return Name(expr.name)
    if expr is sp.oo:
        return Sign("oo")
    if expr is sp.pi or expr is sp.E:
        return Name("pi" if expr is sp.pi else "e")
    if expr.is_Number:
        return _number(expr, small)
    if isinstance(expr, sp.Add):
        return _sum(expr, small)
    if isinstance(expr, sp.Mul | sp.Pow):
        return _product(expr, small)
    if isinstance(expr, TrinomialRoot):
        return _root(expr, small)
    if isinstance(expr, sp.Piecewise):
        return _cases(expr)
    if isinstance(expr, sp.Derivative):
        return _derivative(expr, small)
    if isinstance(expr, sp.Sum):
        return _series(expr, small)
    if isinstance(expr, sp.Limit):
        return _limit(expr, small)
    if isinstance(expr, sp.Function | sp.Min | sp.Max):
        return _function(expr, small)
    return _statement(expr, small)


def _number(value: sp.Number, small: bool) -> Node:
    if value < 0:
        return Row((Sign("neg"), _number(-value, small)), kind="sum")
    if value.is_Integer or value.is_Float:
        return Number(str(value))
    return _ratio(Number(str(value.p)), Number(str(value.q)), small)


def _ratio(over: Node, under: Node, small: bool) -> Node:
    if not small:
        return Fraction(over, under)
    return Row((_fenced(over, "sum"), Sign("/"), _fenced(under, "sum", "product")), kind="product")


def _fenced(node: Node, *kinds: str) -> Node:
    return Fence(node) if isinstance(node, Row) and node.kind in kinds else node


def _is_negative(term: sp.Expr) -> bool:
    return bool(term.as_coeff_Mul()[0].is_negative)


def _rank(expr: sp.Basic) -> int:
    factors = {base for base, exponent in map(_base_and_exponent, sp.Mul.make_args(expr))}
    symbols = {base for base in factors if base.is_Symbol} - _GRANULARITIES
    names = (s.name.partition("=")[0] for s in symbols or expr.free_symbols - _GRANULARITIES)
    ranks = [_RANK.get(name, len(_RANK)) for name in names]
    return min(ranks, default=-1)


def _base_and_exponent(factor: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    base, exponent = factor.as_base_exp()
    return (sp.S.One, exponent) if _is_below(exponent) else (base, exponent)


@lru_cache(maxsize=1 << 12)
def _term_key(term: sp.Expr) -> tuple[bool, int, int, str]:
    granular = sum(term.has(symbol) for symbol in _GRANULARITIES)
    return (_is_negative(term), _rank(term), granular, str(term))


def _sum(expr: sp.Add, small: bool) -> Node:
    parts: list[Node] = []
    for term in sorted(expr.args, key=_term_key):
        negative = _is_negative(term)
        if parts or negative:
            parts.append(Sign(("-" if negative else "+") if parts else "neg"))
        node = _node(-term if negative else term, small)
        parts.append(_fenced(node, "sum"))
    return Row(tuple(parts), kind="sum")


@lru_cache(maxsize=1 << 12)
def _factor_key(factor: sp.Expr) -> tuple[int, bool, int, int, str]:
    base, exponent = factor.as_base_exp()
    group = 0 if factor.is_number else 1 if factor.free_symbols <= {beta} else 3
    if base.is_Symbol and UNITS.get(base) == ONE:
        group = min(group, 2)
    if isinstance(factor, sp.Derivative):
        group = 4
    simple = 2 if not base.is_Symbol else 0 if exponent == 1 else 1
    return (group, base in _GRANULARITIES, simple, _rank(base), str(factor))


def _product(expr: sp.Mul | sp.Pow, small: bool) -> Node:
    over: list[sp.Expr] = []
    under: list[sp.Expr] = []
    negative = False
    for factor in sp.Mul.make_args(expr):
        if factor.is_Rational:
            negative ^= factor.is_negative
            over += [sp.Integer(abs(factor.p))] * (abs(factor.p) != 1)
            under += [sp.Integer(factor.q)] * (factor.q != 1)
            continue
        base, exponent = factor.as_base_exp()
        if _is_below(exponent) and base != sp.E:
            under.append(sp.Pow(base, -exponent, evaluate=False) if exponent != -1 else base)
        else:
            over.append(factor)
    over, under = _one_radical(over, under)
    whole = _factors(over, small)
    if under:
        whole = _ratio(whole, _factors(under, small), small)
    return Row((Sign("neg"), whole), kind="sum") if negative else whole


def _one_radical(over: list[sp.Expr], under: list[sp.Expr]) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """Square roots, which SymPy keeps apart, under one sign: real ones are of what is positive."""
    roots = [[f for f in side if f.as_base_exp()[1] == _HALF] for side in (over, under)]
    if sum(map(len, roots)) < 2:
        return over, under
    above, below = (sp.Mul(*(f.as_base_exp()[0] for f in side)) for side in roots)
    if not roots[0]:
        above, below = below, above
    radical = sp.Pow(above / below, _HALF, evaluate=False)
    rest = [
        [f for f in side if f not in some] for side, some in zip((over, under), roots, strict=True)
    ]
    rest[0 if roots[0] else 1].append(radical)
    return rest[0], rest[1]


def _is_below(exponent: sp.Expr) -> bool:
    """True if a power stands below the line: a negative multiple, not a sum such as 1 - beta."""
    return not exponent.is_Add and _is_negative(exponent)


def _factors(factors: Sequence[sp.Expr], small: bool) -> Node:
    if not factors:
        return Number("1")
    if len(factors) == 1:
        return _factor(factors[0], small)
    parts: list[Node] = []
    for factor in sorted(factors, key=_factor_key):
        node = _fenced(_factor(factor, small), "sum", "relation")
        if parts:
            parts.append(Sign("dot" if _starts_with_digit(node) else "times"))
        parts.append(node)
    return Row(tuple(parts), kind="product")


def _starts_with_digit(node: Node) -> bool:
    if isinstance(node, Script):
        return _starts_with_digit(node.base)
    if isinstance(node, Fraction):
        return _starts_with_digit(node.over)
    if isinstance(node, Row) and node.kind == "product":
        return _starts_with_digit(node.parts[0])
    return isinstance(node, Number)


def _factor(factor: sp.Expr, small: bool) -> Node:
    if not isinstance(factor, sp.Pow):
        return _node(factor, small)
    if factor.exp == 1:
        return _node(factor.base, small)
    if factor.exp == _HALF:
        return Radical(_node(factor.base, small))
    base = _node(factor.base, small)
    if not isinstance(base, Name | Number):
        base = Fence(base)
    return Script(base, sup=_node(factor.exp, small=True))


def _root(expr: TrinomialRoot, small: bool) -> Node:
    """The bound variable is x, or z where x is taken."""
    k, c, l, exponent = expr.args
    unknown = _STAND_IN if x in expr.free_symbols else x
    power = unknown**exponent
    equation = (_factored(k) * power, _factored(c) + _factored(l) * unknown)
    left, right = (_node(side, small) for side in equation)
    return RootOf(unknown.name, left, right, expr.upward)


def _factored(coefficient: sp.Expr) -> sp.Expr:
    """In factors, without a minus sign before them where one of them can take it."""
    product = sp.factor(coefficient)
    if not _is_negative(product):
        return product
    factors = list((-product).as_ordered_factors())
    at = next((index for index, factor in enumerate(factors) if factor.is_Add), None)
    if at is None:
        return product
    return sp.Mul(*factors[:at], -factors[at], *factors[at + 1 :])


def _cases(expr: sp.Piecewise) -> Node:
    rows = [
        (_node(value, False), None if condition is sp.true else _node(condition, True))
        for value, condition in expr.args
    ]
    return Cases(tuple(rows))


def _derivative(expr: sp.Derivative, small: bool) -> Node:
    order = sum(count for _, count in expr.variable_count)
    top: Node = Sign("d") if order == 1 else Script(Sign("d"), sup=Number(str(order)))
    under: list[Node] = []
    for variable, count in expr.variable_count:
        letter = _node(variable, small)
        power = letter if count == 1 else Script(letter, sup=Number(str(count)))
        under += [Sign("d"), power]
    over = Row((top, _fenced(_node(expr.expr, small), "sum", "product")))
    return _ratio(over, Row(tuple(under)), small)


def _series(expr: sp.Sum, small: bool) -> Node:
    index, start, end = expr.args[1]
    lower = Row((Name(index.name), Sign("="), _node(start, True)), kind="relation")
    label = Script(Sign("sum"), sub=lower, sup=_node(end, True))
    terms = _fenced(_node(expr.function, small), "sum")
    return Row((label, Sign("of"), terms), kind="product")


def _limit(expr: sp.Limit, small: bool) -> Node:
    function, variable, end, _ = expr.args
    below = Row((Name(variable.name), Sign("->"), _node(end, small=True)), kind="relation")
    terms = _fenced(_node(function, small), "sum")
    return Row((Script(Word("lim"), sub=below), Sign("of"), terms), kind="product")


def _function(expr: sp.Expr, small: bool) -> Node:
    arguments = [_node(arg, small) for arg in expr.args]
    label: Node
    if isinstance(expr, sp.Abs):
        return Fence(arguments[0], "||")
    if isinstance(expr, sp.binomial):
        return Choose(*arguments)
    if isinstance(expr, sp.LambertW):
        label = Script(Word("W"), sub=arguments[1] if len(arguments) == 2 else Number("0"))
        arguments = arguments[:1]
    elif isinstance(expr, sp.factorial):
        whole = arguments[0] if isinstance(arguments[0], Name | Number) else Fence(arguments[0])
        return Row((whole, Sign("!")), kind="product")
    elif isinstance(expr, AppliedUndef):
        label = Name(expr.func.__name__)
    else:
        name = expr.func.__name__
        label = Word(_WORDS.get(name, name.lower() if name in ("Min", "Max") else name))
    listed: list[Node] = []
    for argument in arguments:
        listed += [Sign(","), argument] if listed else [argument]
    return Row((label, Fence(Row(tuple(listed)) if len(listed) > 1 else listed[0])))


def in_order(parts: Iterable[sp.Basic]) -> list[sp.Basic]:
    """Parts of a condition as they are printed: simple ones first [1]."""
    return sorted(parts, key=_part_key)


def _part_key(part: sp.Basic) -> tuple[int, str]:
    """Simple conditions first; cases, such as those of an exponent, by their simplest condition."""
    if isinstance(part, sp.And):
        return min(map(_part_key, part.args))
    if isinstance(part, Relational):
        return (len(part.free_symbols), f"{part.lhs} {part.rel_op} {part.rhs}")
    return (len(part.free_symbols), str(part))


def _statement(expr: sp.Basic, small: bool) -> Node:
    if isinstance(expr, Relational):
        sides = [_fenced(_node(side, small), "relation") for side in expr.args]
        return Row((sides[0], Sign(_RELATIONS[type(expr)]), sides[1]), kind="relation")
    if isinstance(expr, sp.And | sp.Or):
        joined: list[Node] = []
        for part in in_order(expr.args):
            node = _statement(part, small)
            joined += [Sign("and" if isinstance(expr, sp.And) else "or")] if joined else []
            joined.append(_fenced(node, "or" if isinstance(expr, sp.And) else "and"))
        return Row(tuple(joined), kind="and" if isinstance(expr, sp.And) else "or")
    if isinstance(expr, sp.Not):
        return Row((Word("not"), Fence(_node(expr.args[0], small))))
    if expr is sp.true or expr is sp.false:
        return Word(str(expr).lower())
    return Word(str(expr))
