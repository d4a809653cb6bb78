"""Formulas as text, LaTeX, MathML, Markdown and Python; run, it prints all LaTeX as JSON.

The LaTeX is accepted by KaTeX in strict mode. With ``plain=True`` it is accepted by matplotlib's
mathtext as well, which has no ``cases``: alternatives then stand on one line.
"""

import json
import re
from collections.abc import Mapping

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.catalogue import all_formulas
from logca.derive.core.catalogue import formula as formula_named
from logca.derive.core.cgpredict_symbols import active_warps, instructions_coalesced
from logca.derive.core.formula import Formula, FormulaError
from logca.derive.core.symbols import FORMS, TABLE
from logca.derive.notation.boxes import (
    Accent,
    Cases,
    Choose,
    Fence,
    Fraction,
    Letter,
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
from logca.derive.notation.layout import typeset
from logca.derive.notation.signs import SIGNS, latex_of, text_of

__all__ = [
    "abbreviated",
    "all_latex",
    "code",
    "conditions",
    "equation",
    "formulas_in_latex",
    "latex",
    "markdown",
    "mathml",
    "pretty",
    "python",
    "text",
]


_UNITS = frozenset(("cycles", "B", "W", "s"))
_NONE: Mapping[sp.Symbol, sp.Expr] = {}


class _Printer(PythonCodePrinter):
    """Trinomial roots keep their names; what `math` lacks is mpmath's."""

    def _print_LowerRoot(self, expr: sp.Expr) -> str:
        return self._call("LowerRoot", expr)

    def _print_UpperRoot(self, expr: sp.Expr) -> str:
        return self._call("UpperRoot", expr)

    def _print_LambertW(self, expr: sp.Expr) -> str:
        return self._call("mpmath.lambertw", expr)

    def _print_binomial(self, expr: sp.Expr) -> str:
        return self._call("mpmath.binomial", expr)

    def _call(self, name: str, expr: sp.Expr) -> str:
        return f"{name}({', '.join(self._print(argument) for argument in expr.args)})"


def code(expr: sp.Basic) -> str:
    """A Python expression; `math` and `mpmath` stand before what is theirs.

    Examples
    --------
    >>> from logca.derive.core.symbols import beta
    >>> code(sp.log(1 - beta))
    'math.log(1 - beta)'
    """
    settings = {"fully_qualified_modules": True, "allow_unknown_functions": True}
    return str(_Printer(settings).doprint(expr))


def conditions(
    formula: Formula, latency: str = "affine", values: Mapping[sp.Symbol, sp.Expr] = _NONE
) -> tuple[sp.Basic, ...]:
    """The formula's domain under a form of latency, with values, without what always holds [1]."""
    form = FORMS.get(latency, {}) | dict(values)
    found = (condition.subs(form, simultaneous=True) for condition in formula.domain)
    return tuple(condition for condition in found if condition is not sp.true)


def equation(
    formula: Formula, latency: str = "affine", values: Mapping[sp.Symbol, sp.Expr] = _NONE
) -> sp.Eq:
    """The formula as an equation, name on the left, under a form of latency [its unit].

    With values for symbols, exact ones, it is simplified: roots whose exponents have a closed form
    are written in it.
    """
    for inserted in ({}, values):
        if sp.false in conditions(formula, latency, inserted):
            needed = "; ".join(text(condition) for condition in formula.domain)
            where = ", ".join(f"{symbol} = {value}" for symbol, value in inserted.items())
            raise FormulaError(
                f"{formula.name} is not defined under {latency} latency"
                f"{f' at {where}' * bool(where)}: it needs {needed}"
            )
    value = formula.in_form(latency)
    if formula.expr.has(TrinomialRoot) and not value.has(TrinomialRoot):
        value = sp.factor_terms(value)
    if values:
        from logca.derive.logca.closed_forms import with_closed_forms

        value, _ = with_closed_forms(value, values)
    return abbreviated(sp.Eq(formula.symbol, value, evaluate=False), latency)


def abbreviated(equation: sp.Basic, latency: str = "affine") -> sp.Basic:
    """The equation with what is long inside its sides by name [same unit].

    That is the roots g_s and g_s_upper, and the parts of CGPredict's execution time.
    """
    if (
        isinstance(equation, sp.Eq)
        and {active_warps, instructions_coalesced} <= equation.free_symbols
    ):
        return _with_parts_of_execution_time(equation)
    if not equation.has(TrinomialRoot):
        return equation
    entries = [formula_named(name) for name in ("g_s", "g_s_upper")]
    names = {entry.in_form(latency): entry.symbol for entry in entries}
    roots = {root: name for root, name in names.items() if isinstance(root, TrinomialRoot)}
    if not isinstance(equation, sp.Eq):
        return equation.xreplace(roots)
    sides = [side if side in roots else side.xreplace(roots) for side in equation.args]
    return sp.Eq(*sides, evaluate=False)


def _with_parts_of_execution_time(equation: sp.Eq) -> sp.Eq:
    from logca.derive.cgpredict.execution import PARTS

    lhs, rhs = equation.args
    for name, part in PARTS.items():
        rhs = rhs.xreplace({part: sp.Symbol(name)})
    return sp.Eq(lhs, rhs, evaluate=False)


def text(expr: sp.Basic | Node) -> str:
    """On one line, in Unicode.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, L0, beta, g, o
    >>> text(C * g**beta / (o + L0 + C * g**beta / A))
    'C·g^β / (o + L₀ + C·g^β / A)'
    """
    return _text(_boxes_of(expr), top=True)


def latex(expr: sp.Basic | Node, *, plain: bool = False) -> str:
    r"""In LaTeX, without delimiters.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> latex((A - 1) ** (1 / beta))
    '\\left(A - 1\\right)^{1 / \\beta}'
    """
    return _latex(_boxes_of(expr), plain)


def markdown(expr: sp.Basic | Node) -> str:
    """As displayed mathematics in Markdown."""
    return f"$$\n{latex(expr)}\n$$"


def mathml(expr: sp.Basic | Node, *, display: bool = True) -> str:
    """As a ``<math>`` element of presentation MathML, well-formed XML."""
    from logca.derive.notation.mathml import element

    return element(_boxes_of(expr), latex(expr), display=display)


def pretty(expr: sp.Basic | Node, width: int = 100) -> str:
    """In two dimensions for a terminal, or on one line where that is too wide."""
    from logca.derive.notation.two_dimensional import boxes

    drawn = boxes(_boxes_of(expr))
    return drawn if max(map(len, drawn.splitlines())) <= width else text(expr)


def _boxes_of(expr: sp.Basic | Node) -> Node:
    return typeset(expr) if isinstance(expr, sp.Basic) else expr


def python(expr: sp.Basic) -> str:
    """As a Python expression over the symbols' names, `math` and `logca.derive.algebra.trinomial`.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> python((A - 1) ** (1 / beta))
    '(A - 1)**(1/beta)'
    """
    return code(expr)


def _text(node: Node, *, top: bool = False) -> str:
    match node:
        case Name(name):
            return text_of(name)
        case Letter(letter):
            return letter
        case Number(digits):
            return digits
        case Sign(key):
            return SIGNS[key].text
        case Word(word):
            return word
        case Row(parts, kind):
            return "".join(_text_part(part, kind) for part in parts)
        case Fraction(over, under):
            above, below = _text_in(over, "sum"), _text_in(under, "sum", "product")
            simple = all(isinstance(part, Name | Number) for part in (over, under))
            return f"{above}/{below}" if simple else f"{above} / {below}"
        case Choose(over, under):
            return f"binomial({_text(over)}, {_text(under)})"
        case Script(base, sub, sup):
            lower = "" if sub is None else f"_{_text_in(sub, '', 'sum', 'product', 'relation')}"
            upper = "" if sup is None else f"^{_text_in(sup, '', 'sum', 'product')}"
            return _text(base) + lower + upper
        case Fence(body, marks):
            return marks[0] + _text(body, top=True) + marks[1]
        case Radical(body):
            return f"√({_text(body, top=True)})"
        case Accent(body, mark):
            return _text(body) + mark
        case Cases(rows):
            return "; ".join(
                f"{_text(value)} {'otherwise' if condition is None else f'if {_text(condition)}'}"
                for value, condition in rows
            ).join("{}")
        case RootOf(letter, left, right, rising):
            kind = "rising" if rising else "falling"
            root = f"the {kind} root {letter} of {_text(left)} = {_text(right)}"
            return root if top else f"[{root}]"


def _text_part(node: Node, kind: str) -> str:
    if kind == "product" and isinstance(node, Fraction):
        return f"({_text(node)})"
    return _text(node, top=kind == "relation")


def _text_in(node: Node, *kinds: str) -> str:
    wrapped = isinstance(node, Fraction | Cases) or (isinstance(node, Row) and node.kind in kinds)
    return f"({_text(node)})" if wrapped else _text(node)


def _is_compound(written: str) -> bool:
    """True if a symbol's LaTeX needs brackets before it takes a power."""
    bare = re.sub(r"\{[^{}]*\}", "", written)
    return any(mark in bare for mark in "^/+- '(")


def _latex(node: Node, plain: bool) -> str:
    def inner(part: Node) -> str:
        return _latex(part, plain)

    match node:
        case Name(name):
            return latex_of(name)
        case Letter(letter):
            return letter
        case Number(digits):
            return digits
        case Sign(key):
            return SIGNS[key].latex
        case Word(word):
            return _latex_word(word)
        case Row(parts, kind):
            return _latex_row(parts, kind, plain)
        case Fraction(over, under):
            return rf"\frac{{{inner(over)}}}{{{inner(under)}}}"
        case Choose(over, under):
            return rf"\binom{{{inner(over)}}}{{{inner(under)}}}"
        case Script(base, sub, sup):
            whole = inner(base)
            if isinstance(base, Name) and _is_compound(whole):
                whole = rf"\left({whole}\right)"
            lower = "" if sub is None else f"_{{{inner(sub)}}}"
            return whole + lower + ("" if sup is None else f"^{{{inner(sup)}}}")
        case Fence(body, marks):
            return rf"\left{marks[0]}{inner(body)}\right{marks[1]}"
        case Radical(body):
            return rf"\sqrt{{{inner(body)}}}"
        case Accent(body, mark):
            return rf"\{'hat' if mark == '^' else 'bar' if mark == '¯' else 'tilde'} {inner(body)}"
        case Cases(rows):
            return _latex_cases(rows, plain)
        case RootOf(letter, left, right, rising):
            arrow = r"\uparrow" if rising else r"\downarrow"
            sides = f"{inner(left)} = {inner(right)}"
            return rf"\operatorname{{root}}_{{{letter}}}^{{{arrow}}}\left[{sides}\right]"


def _latex_word(word: str) -> str:
    if word in ("exp", "lim", "min", "max", "sinh", "cosh", "sin", "cos", "arccos", "arcsin"):
        return f"\\{word}"
    if word in ("log", "W"):
        return r"\ln" if word == "log" else "W"
    upright = "mathrm" if word in _UNITS else "operatorname"
    return rf"\{upright}{{{word}}}"


def _latex_row(parts: tuple[Node, ...], kind: str, plain: bool) -> str:
    written = []
    for part in parts:
        shown = _latex(part, plain)
        if kind == "product" and isinstance(part, Name) and _is_compound(shown):
            shown = rf"\left({shown}\right)"
        written.append(shown)
    spaced = kind in ("sum", "relation", "product")
    joined = " ".join(written) if spaced else "".join(written)
    return joined.replace("- ", "-", 1) if parts[0] == Sign("neg") else joined


def _latex_cases(rows: tuple[tuple[Node, Node | None], ...], plain: bool) -> str:
    written = [
        (
            _latex(value, plain),
            r"\mathrm{otherwise}"
            if condition is None
            else rf"\mathrm{{if}}\ {_latex(condition, plain)}",
        )
        for value, condition in rows
    ]
    if plain:
        listed = r";\quad ".join(rf"{value}\ {condition}" for value, condition in written)
        return rf"\left\{{{listed}\right\}}"
    listed = r" \\ ".join(f"{value} & {condition}" for value, condition in written)
    return rf"\begin{{cases}} {listed} \end{{cases}}"


def formulas_in_latex(latency: str = "affine") -> list[dict[str, str]]:
    """Name and LaTeX of every formula that exists under a form of latency."""
    return [
        {"name": entry.name, "latex": latex(equation(entry, latency))}
        for entry in all_formulas()
        if not any(condition == False for condition in conditions(entry, latency))  # noqa: E712 (SymPy's false is no bool)
    ]


def all_latex() -> list[dict[str, str]]:
    """Symbols, formulas under every form of latency, their conditions and steps."""
    found = [{"name": f"symbol {name}", "latex": entry.latex} for name, entry in TABLE.items()]
    for latency in FORMS:
        found += [
            {"name": f"{row['name']}, {latency}", "latex": row["latex"]}
            for row in formulas_in_latex(latency)
        ]
    for entry in all_formulas():
        for condition in entry.domain:
            found.append({"name": f"{entry.name}, condition", "latex": latex(condition)})
        for step in entry.derivation.steps:
            shown = latex(abbreviated(step.relation))
            found.append({"name": f"{entry.name}, {step.name}", "latex": shown})
    return found


if __name__ == "__main__":
    print(json.dumps(all_latex(), indent=1))
