"""The language of claims and hypotheses: parsed by a whitelisted syntax tree, never evaluated.

Python's own grammar reads the text; every node is then translated by hand into SymPy. Names
outside the table of symbols and formulas, attributes, subscripts, lambdas, strings and every
other construct are refused with a message that names the column.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef

from logca.derive.core.catalogue import formula, names
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import FORMS, TABLE
from logca.proofs.language.functions import COMPARISONS, FUNCTIONS, KINKED, RESERVED, unknown
from logca.proofs.language.latency_forms import in_form, with_binomials_as_products, without_poles
from logca.proofs.language.sums import one_term
from logca.proofs.language.syntax import (
    MAX_DEPTH,
    MAX_DIGITS,
    ClaimSyntaxError,
    described,
    exact_number,
    tree,
)
from logca.proofs.terms.definedness import (
    Defined,
    definedness,
    power_condition,
    too_long_to_expand,
    why_not_expanded,
)
from logca.proofs.terms.limits import PowerLimit, bound_variable

__all__ = ["ClaimSyntaxError", "Lookup", "ParsedClaim", "parse"]

Lookup = Callable[[str], Formula]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedClaim:
    """A parsed claim."""

    text: str  # the source
    formula: sp.Basic  # what it says, over symbols and trinomial roots [1]
    # for each quantity mentioned, its name and the condition under which it exists [1]
    defined: tuple[tuple[str, sp.Basic], ...]


def parse(text: str, latency: str, lookup: Lookup = formula) -> ParsedClaim:
    """Read one claim under one form of latency.

    Examples
    --------
    >>> parse("A > 1 and o + L > 0", "constant").formula
    (A > 1) & (L + o > 0)
    """
    reader = _Reader(text, latency, lookup)
    result = reader.boolean(tree(text), 0)
    return ParsedClaim(text=text, formula=result, defined=tuple(dict.fromkeys(reader.defined)))


def parse_expression(text: str, latency: str, lookup: Lookup = formula) -> sp.Expr:
    """Read an arithmetic expression, such as an auxiliary granularity [any unit]."""
    return _Reader(text, latency, lookup).value(tree(text), 0)


_ENDLESS = {"oo": sp.oo, "-oo": -sp.oo}


def _is_limit(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "limit"


class _Reader:
    """Translates one syntax tree; collects the conditions under which its parts exist."""

    def __init__(self, text: str, latency: str, lookup: Lookup) -> None:
        if latency not in FORMS:
            raise ClaimSyntaxError(f"unknown latency '{latency}'; choose {', '.join(FORMS)}")
        self.text = text
        self.latency = latency
        self.lookup = lookup
        self.defined: list[tuple[str, sp.Basic]] = []
        # conditions of derivatives' formulas that the functions themselves have not [1]
        self.formal: list[sp.Basic] = []

    def fail(self, node: ast.AST, message: str) -> ClaimSyntaxError:
        text = self.text.strip()
        before = text.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore")
        start = max(0, len(before) - 30)
        shown = "..." * (start > 0) + text[start : start + 70] + "..." * (len(text) > start + 70)
        return ClaimSyntaxError(f"{message} (column {len(before) + 1} of {shown!r})")

    def boolean(self, node: ast.expr, depth: int) -> sp.Basic:
        self._guard(node, depth)
        if isinstance(node, ast.BoolOp):
            joined = sp.And if isinstance(node.op, ast.And) else sp.Or
            return joined(*[self.boolean(value, depth + 1) for value in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return sp.Not(self.boolean(node.operand, depth + 1))
        if isinstance(node, ast.Compare):
            return self._comparison(node, depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ("implies", "iff"):
                left, right = (self.boolean(arg, depth + 1) for arg in self._arguments(node, 2))
                forward = sp.Or(sp.Not(left), right)
                return forward if name == "implies" else sp.And(forward, sp.Or(sp.Not(right), left))
            if name == "exists":
                return self._exists(self._arguments(node, 1)[0], depth)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return sp.true if node.value else sp.false
        raise self.fail(
            node,
            "expected a statement such as 'g1 < gA2', not a value"
            if isinstance(node, ast.Name | ast.BinOp | ast.Constant | ast.Call)
            else f"{described(node)} is not part of the claim language",
        )

    def _comparison(self, node: ast.Compare, depth: int) -> sp.Basic:
        operands = [node.left, *node.comparators]
        if any(isinstance(operand, ast.Name) and operand.id == "latency" for operand in operands):
            return self._latency(node, operands)
        limits = any(_is_limit(operand) for operand in operands)
        values = [self._side(operand, depth + 1, limits) for operand in operands]
        relations = []
        for operator, left, right in zip(node.ops, values, values[1:], strict=False):
            make = COMPARISONS.get(type(operator))
            if make is None:
                raise self.fail(node, "comparisons are == != < <= > >=")
            try:
                relations.append(make(left, right))
            except TypeError:
                raise self.fail(node, "one side is no real number") from None
        return relations[0] if len(relations) == 1 else sp.And(*relations)

    def _side(self, node: ast.expr, depth: int, limits: bool) -> sp.Expr:
        """Only here stands a limit: it may be infinite, and then there is no arithmetic with it."""
        if isinstance(node, ast.Call) and _is_limit(node):
            self._guard(node, depth)
            return self._limit(node, depth)
        if limits and (ending := _ENDLESS.get(ast.unparse(node))) is not None:
            return ending
        return self.value(node, depth)

    def _latency(self, node: ast.Compare, operands: list[ast.expr]) -> sp.Basic:
        if len(operands) == 2 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            form = operands[1] if getattr(operands[0], "id", "") == "latency" else operands[0]
            if isinstance(form, ast.Name) and form.id in FORMS:
                same = form.id == self.latency
                return sp.true if same == isinstance(node.ops[0], ast.Eq) else sp.false
        raise self.fail(node, f"latency is compared with == to one of {', '.join(FORMS)}")

    def _exists(self, node: ast.expr, depth: int) -> sp.Basic:
        before, formal = len(self.defined), len(self.formal)
        self.value(node, depth + 1)
        conditions = [condition for _, condition in self.defined[before:]]
        if len(self.formal) > formal:
            raise self.fail(
                node,
                "this derivative may exist where its formula does not, such as that of o**beta at "
                "o = 0; claim something of its value",
            )
        del self.defined[before:]
        return Defined(sp.And(*conditions))

    def value(self, node: ast.expr, depth: int) -> sp.Expr:
        result = without_poles(self._value(node, depth))
        if result.has(sp.nan, sp.zoo, sp.I) or (result.is_number and result.is_real is False):
            raise self.fail(node, "this has no real value")
        return result

    def _value(self, node: ast.expr, depth: int) -> sp.Expr:
        self._guard(node, depth)
        if isinstance(node, ast.Constant):
            return self._number(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            operand = self.value(node.operand, depth + 1)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise self.fail(node, f"{described(node)} is not part of the claim language")

    def _number(self, node: ast.Constant) -> sp.Expr:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self.fail(node, "only numbers, symbols and quantities are values")
        digits = exact_number(node, self.text.strip())
        if digits is None:
            raise self.fail(node, f"numbers have at most {MAX_DIGITS} digits")
        return sp.Rational(digits)

    def _name(self, node: ast.Name) -> sp.Expr:
        name = node.id
        if name == "oo":
            raise self.fail(
                node,
                "oo stands at the end of a limit, as in limit(f, g, oo), or is compared with one",
            )
        if name in TABLE:
            return self._symbol(node)
        if name in names():
            return self._quantity(name, {})
        if name in RESERVED or name in FORMS:
            raise self.fail(node, f"'{name}' is not a value here")
        raise self.fail(node, unknown(name))

    def _symbol(self, node: ast.Name) -> sp.Expr:
        name = node.id
        if name == "L" and self.latency == "affine":
            raise self.fail(node, "under affine latency write L0 and L1 instead of L")
        if name in ("L0", "L1") and self.latency != "affine":
            raise self.fail(node, f"{name} belongs to 'latency == affine'; write L instead")
        return TABLE[name].symbol

    def _quantity(self, name: str, values: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
        entry = self.lookup(name)
        stated = entry.expr
        if stated.has(AppliedUndef):
            stated = one_term(stated, values, self.lookup)
            if stated is None:
                length = next(iter(entry.expr.atoms(sp.Sum))).limits[0][2]
                raise ClaimSyntaxError(
                    f"{name} is a sum over a sequence; claims are about numbers, such as that of "
                    f"one term, {name}({length}=1)"
                )
        try:
            expr, exists = in_form(stated, entry.domain, self.latency)
        except TypeError:
            expr = sp.nan
        if expr.has(sp.zoo, sp.nan):
            others = " or ".join(f"'latency == {form}'" for form in FORMS if form != self.latency)
            raise ClaimSyntaxError(
                f"{name} is not defined under {self.latency} latency; assume {others}"
            )
        if values:
            if too_long_to_expand(expr, values):
                raise ClaimSyntaxError(f"{name} with these values has too many digits")
            try:
                expr, exists = (part.xreplace(values) for part in (expr, exists))
            except (TypeError, ValueError):
                raise ClaimSyntaxError(f"{name} with these values has no real value") from None
        condition = sp.And(exists, *definedness(expr))
        if condition is not sp.true:
            label = (
                name
                if not values
                else f"{name}({', '.join(f'{k}={v}' for k, v in values.items())})"
            )
            self.defined.append((label, condition))
        return with_binomials_as_products(expr)

    def _arithmetic(self, node: ast.BinOp, depth: int) -> sp.Expr:
        left, right = self.value(node.left, depth + 1), self.value(node.right, depth + 1)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return self._nonzero(node, right) and left / right
        if isinstance(node.op, ast.Pow):
            return self._power(node, left, right)
        hints = {
            ast.BitXor: "; powers are written **",
            ast.BitAnd: "; & is written and",
            ast.BitOr: "; | is written or",
        }
        hint = hints.get(type(node.op), "")
        raise self.fail(node, f"arithmetic is + - * / **{hint}")

    def _nonzero(self, node: ast.expr, divisor: sp.Expr) -> bool:
        if divisor == 0:
            raise self.fail(node, "division by zero")
        if not divisor.is_positive:
            self.defined.append((ast.unparse(node), sp.Ne(divisor, 0, evaluate=False)))
        return True

    def _power(self, node: ast.expr, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        objection = why_not_expanded(base, exponent)
        if objection:
            raise self.fail(node, objection)
        if exponent.is_Rational and exponent < 0:
            self._nonzero(node, base)
        if not exponent.is_Integer:
            if base.is_nonpositive:
                raise self.fail(node, "powers with real exponents need a positive base")
            exists = power_condition(base, exponent)
            if exists is not sp.true:
                self.defined.append((ast.unparse(node), exists))
        return sp.Pow(base, exponent)

    def _call(self, node: ast.Call, depth: int) -> sp.Expr:
        if not isinstance(node.func, ast.Name):
            raise self.fail(node, "only named quantities and functions are called")
        name = node.func.id
        if name in FUNCTIONS:
            count, function = FUNCTIONS[name]
            arguments = [self.value(a, depth + 1) for a in self._arguments(node, count)]
            exists = sp.true
            if name == "sqrt":
                exists = power_condition(arguments[0], sp.S.Half)
            elif name == "exp" and (objection := why_not_expanded(sp.E, arguments[0])):
                raise self.fail(node, objection)
            elif name == "log" and not arguments[0].is_positive:
                exists = sp.Gt(arguments[0], 0, evaluate=False)
            if exists is not sp.true:
                self.defined.append((ast.unparse(node), exists))
            try:
                return function(*arguments)
            except ValueError:
                raise self.fail(node, "this has no real value") from None
        if name == "diff":
            return self._derivative(node, depth)
        if name == "limit":
            raise self.fail(node, "a limit stands alone on its side of a comparison")
        if name in names():
            return self._instance(node, name, depth)
        if name in TABLE:
            raise self.fail(node, f"'{name}' is a symbol and cannot be called; write {name}*(...)")
        self._name(node.func)
        raise self.fail(node, f"'{name}' cannot be called")

    def _instance(self, node: ast.Call, name: str, depth: int) -> sp.Expr:
        if node.args:
            raise self.fail(node, f"name the symbol to replace, as in {name}(g=2*g)")
        values: dict[sp.Symbol, sp.Expr] = {}
        given = [keyword.arg for keyword in node.keywords]
        if len(set(given)) < len(given):
            raise self.fail(node, "a symbol is replaced once")
        for keyword in node.keywords:
            if keyword.arg not in TABLE:
                raise self.fail(node, f"'{keyword.arg}' is not a symbol; see `logca formula`")
            target = self._symbol(ast.Name(id=keyword.arg, col_offset=node.col_offset))
            values[target] = self.value(keyword.value, depth + 1)
            self._in_domain(keyword.value, target, values[target])
        return self._quantity(name, values)

    def _in_domain(self, node: ast.AST, target: sp.Symbol, value: sp.Expr) -> None:
        """Numbers are refused outside the domain; n also counts from zero."""
        bound = "positive" if target.is_positive and target.name != "n" else "not negative"
        if value.is_negative or (value.is_zero and bound == "positive"):
            raise self.fail(node, f"{target} is {bound}")
        if not (value.is_positive if bound == "positive" else value.is_nonnegative):
            kind = sp.Gt if bound == "positive" else sp.Ge
            self.defined.append(
                (f"the instance at {target} = {value}", kind(value, 0, evaluate=False))
            )

    def _derivative(self, node: ast.Call, depth: int) -> sp.Expr:
        if len(node.args) not in (2, 3) or node.keywords:
            raise self.fail(
                node, "write diff(expression, symbol) or diff(expression, symbol, order)"
            )
        expr, variable = self.value(node.args[0], depth + 1), self._variable(node.args[1])
        if expr.has(*KINKED):
            raise self.fail(
                node,
                "abs, min, max and quantities defined by cases have no derivative where the case "
                "changes; write out the case that is meant",
            )
        order = self.value(node.args[2], depth + 1) if len(node.args) == 3 else sp.S.One
        if order not in (1, 2, 3):
            raise self.fail(node, "the order of a derivative is 1, 2 or 3")
        derivative = sp.diff(expr, variable, int(order))
        own = definedness(expr)
        for condition in definedness(derivative):
            self.defined.append((f"the derivative with respect to {variable}", condition))
            if condition not in own:
                self.formal.append(condition)
        return derivative

    def _limit(self, node: ast.Call, depth: int) -> sp.Expr:
        expr_node, variable_node, to_node = self._arguments(node, 3)
        endless = isinstance(to_node, ast.Name) and to_node.id == "oo"
        to = sp.oo if endless else self.value(to_node, depth + 1)
        if to != sp.oo and to.free_symbols:
            raise self.fail(node, "limits go to 0, oo or a number")
        variable = self._variable(variable_node)
        if to < 0:
            raise self.fail(to_node, f"{variable} is never negative; limits go to 0, oo or above")
        outside = len(self.defined)
        expr = self.value(expr_node, depth + 1)
        exists = sp.And(*definedness(expr), *(condition for _, condition in self.defined[outside:]))
        self.defined[outside:] = [
            (label, condition.xreplace({variable: bound_variable(variable)}))
            for label, condition in self.defined[outside:]
        ]
        return PowerLimit(expr, variable, to, exists)

    def _variable(self, node: ast.expr) -> sp.Symbol:
        if isinstance(node, ast.Name) and node.id in TABLE:
            return self._symbol(node)
        raise self.fail(node, "the variable must be a symbol such as g")

    def _arguments(self, node: ast.Call, count: int) -> list[ast.expr]:
        if len(node.args) != count or node.keywords:
            name = getattr(node.func, "id", "the function")
            raise self.fail(node, f"{name} takes {count} argument{'s' * (count != 1)}")
        return node.args

    def _guard(self, node: ast.AST, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.fail(node, f"nested more than {MAX_DEPTH} deep")
