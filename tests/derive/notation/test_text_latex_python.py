"""Formulas in every markup: legible, well-formed, and still saying the same."""

import math
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import mpmath
import pytest
import sympy as sp
from effort import LAWS
from matplotlib.mathtext import MathTextParser

from logca.derive.algebra.dimension import BYTES
from logca.derive.algebra.trinomial import LowerRoot, TrinomialRoot
from logca.derive.core.catalogue import formula, names
from logca.derive.core.formula import FormulaError
from logca.derive.core.symbols import L0, L1, TABLE, A, C, L, beta, g, n, o, q, r, s, x
from logca.derive.notation import text_latex_python
from logca.derive.notation.boxes import Letter, Script, Word
from logca.derive.notation.layout import Figure, chain
from logca.derive.notation.signs import latex_of, layout_of, text_of

FORMS = ("affine", "constant", "linear")
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
CORE = {
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msup", "msub",
    "msubsup", "mover", "munderover", "mtable", "mtr", "mtd",
}  # fmt: skip
POINT = {
    entry.symbol: sp.Rational(7 + 3 * index, 5 + index)
    for index, entry in enumerate(TABLE.values())
}
FUNCTIONS = ("log", "exp", "sqrt", "sinh", "cosh", "sin", "cos", "binomial")
MATHTEXT = MathTextParser("path")


def printed(name: str) -> list[sp.Basic]:
    """Everything of a formula that is ever printed: equations, steps, conditions."""
    entry = formula(name)
    forms = [form for form in FORMS if sp.false not in text_latex_python.conditions(entry, form)]
    return [
        *(text_latex_python.equation(entry, form) for form in forms),
        *(text_latex_python.abbreviated(step.relation) for step in entry.derivation.steps),
        *entry.domain,
    ]


@pytest.mark.parametrize("name", names())
def test_text_is_one_line_and_pretty_fits(name: str) -> None:
    for expr in printed(name):
        assert "\n" not in text_latex_python.text(expr)
        drawn = text_latex_python.pretty(expr, 100)
        assert drawn == text_latex_python.text(expr) or max(map(len, drawn.splitlines())) <= 100
        assert "Dummy" not in drawn
        assert "Rational" not in drawn


@pytest.mark.parametrize("name", names())
def test_mathml_is_well_formed_and_of_the_core(name: str) -> None:
    for expr in printed(name):
        root = ElementTree.fromstring(text_latex_python.mathml(expr))
        found = [
            element.tag.removeprefix("{http://www.w3.org/1998/Math/MathML}")
            for element in root.iter()
        ]
        assert set(found) <= CORE
        for element in root.iter():
            count = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munderover": 3}
            wanted = count.get(element.tag.rpartition("}")[2])
            assert wanted is None or len(element) == wanted


TOKEN = re.compile(r"(?P<name>[A-Za-z]+)|(?P<number>\d+)|\\[A-Za-z]+|\\?\S")


def neighbours(latex: str) -> set[tuple[str, ...]]:
    """Which kinds of signs stand beside each other; a name is as good as another one."""
    signs = [found.lastgroup or found[0] for found in TOKEN.finditer(f"${latex}$")]
    return set(pairwise(signs))


def test_latex_is_accepted_by_mathtext() -> None:
    """KaTeX has its own target, `make katex`; mathtext has no environments, so `plain`.

    It is slow: what has no two signs beside each other that another one has not is for `make laws`.
    """
    printed_by_length = sorted(
        {text_latex_python.latex(expr, plain=True) for name in names() for expr in printed(name)},
        key=lambda latex: (len(latex), latex),
    )
    seen: set[tuple[str, ...]] = set()
    for latex in printed_by_length:
        new = neighbours(latex) - seen
        if new or LAWS:
            MATHTEXT.parse(f"${latex}$")
        seen |= new
    assert len(seen) > 100


@pytest.mark.parametrize("name", names())
def test_plain_latex_differs_only_where_there_are_cases(name: str) -> None:
    expr = text_latex_python.equation(formula(name))
    same = text_latex_python.latex(expr) == text_latex_python.latex(expr, plain=True)
    assert same is not expr.has(sp.Piecewise)


def read_back(text: str) -> object:
    """Evaluate one line of Unicode text by the rules a reader would use."""
    for mark, code in {"·": "*", "−": "-", "^": "**", "√": "sqrt", "W_(-1)": "W_low"}.items():
        text = text.replace(mark, code)
    text = text.translate({ord("₀") + digit: str(digit) for digit in range(10)})
    text = re.sub(r"\b\d+\b", r"mpf(\g<0>)", text)
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    values = {"π": mpmath.pi} | {
        str(symbol): mpmath.mpf(value.p) / value.q for symbol, value in POINT.items()
    }
    values |= {text_of(str(symbol)): values[str(symbol)] for symbol in POINT}
    functions = {name: getattr(mpmath, name) for name in FUNCTIONS}
    functions |= {"arsinh": mpmath.asinh, "arccos": mpmath.acos, "arcsin": mpmath.asin}
    functions |= {"erf": mpmath.erf}
    functions |= {"W_0": mpmath.lambertw, "W_low": lambda z: mpmath.lambertw(z, -1)}
    functions |= {"abs": abs, "min": min, "max": max, "mpf": mpmath.mpf}
    return eval(text, {"__builtins__": {}}, values | functions)


def value_at_the_point(expr: sp.Expr) -> mpmath.mpc:
    """The value that SymPy gives, or a skip where its minimum of complex numbers is none."""
    try:
        value = sp.N(expr.xreplace(POINT), 30)
    except ValueError:
        pytest.skip("outside of the domain")
    return mpmath.mpc(*(mpmath.mpf(str(part)) for part in value.as_real_imag()))


READABLE = [
    name
    for name in names()
    if not formula(name).expr.has(TrinomialRoot, sp.Piecewise, sp.Sum, sp.factorial)
]


@pytest.mark.parametrize("name", READABLE)
def test_text_says_the_same_as_the_formula(name: str) -> None:
    """Brackets and signs are right: the text is evaluated again."""
    expr = formula(name).expr
    with mpmath.workdps(30):
        there, again = value_at_the_point(expr), read_back(text_latex_python.text(expr))
        assert abs(there - again) <= mpmath.mpf(10) ** -20 * (1 + abs(there))


@pytest.mark.parametrize("name", names())
def test_python_says_the_same_as_the_formula(name: str) -> None:
    expr = formula(name).expr
    code = compile(text_latex_python.python(expr), name, "eval")
    if expr.has(TrinomialRoot, sp.Sum, sp.LambertW, sp.binomial):
        return
    values = {str(symbol): float(value) for symbol, value in POINT.items()}
    there = complex(value_at_the_point(expr))
    try:
        again = complex(eval(code, {"math": math}, values))
    except (TypeError, ValueError):  # the math module has no complex numbers
        return
    assert abs(there - again) <= 1e-9 * (1 + abs(there))


@pytest.mark.parametrize("name", [*TABLE, *names()])
def test_every_name_has_a_layout(name: str) -> None:
    assert layout_of(latex_of(name))


@pytest.mark.parametrize(
    ("expr", "text", "latex"),
    [
        (o + L0 + L1 * g, "o + L₀ + L₁·g", r"o + L_0 + L_1 \, g"),
        (C * (1 / s - 1 / A), "C·(1/s − 1/A)", r"C \, \left(\frac{1}{s} - \frac{1}{A}\right)"),
        (-(g**2), "−g^2", "-g^{2}"),
        (1 / g, "1/g", r"\frac{1}{g}"),
        (g ** (1 / beta), "g^(1/β)", r"g^{1 / \beta}"),
        (sp.sqrt(g), "√(g)", r"\sqrt{g}"),
        (2 * 3**beta, "2·3^β", r"2 \cdot 3^{\beta}"),
        ((A / C) ** 2 * g / 3, "A^2·g / (3·C^2)", r"\frac{A^{2} \, g}{3 \, C^{2}}"),
        (sp.Max(g, 1), "max(1, g)", r"\max\left(1,\,g\right)"),
        (sp.Abs(A - 1), "|A − 1|", r"\left|A - 1\right|"),
        (sp.Derivative(sp.Symbol("speedup"), g), "∂speedup / ∂g", r"\frac{\partial S}{\partial g}"),
        (sp.Or(beta > 1, sp.Eq(L1, 0)), "L₁ = 0 or β > 1", r"L_1 = 0\ \mathrm{or}\ \beta > 1"),
        (
            LowerRoot(C, o, L, beta),
            "the rising root x of C·x^β = o + L·x",
            r"\operatorname{root}_{x}^{\uparrow}\left[C \, x^{\beta} = o + L \, x\right]",
        ),
        (
            1 / LowerRoot(x, o, L, beta),
            "1 / [the rising root z of x·z^β = o + L·z]",
            r"\frac{1}{\operatorname{root}_{z}^{\uparrow}\left[x \, z^{\beta} = o + L \, z\right]}",
        ),
    ],
)
def test_samples(expr: sp.Basic, text: str, latex: str) -> None:
    assert text_latex_python.text(expr) == text
    assert text_latex_python.latex(expr) == latex


def test_pretty_draws_fractions_and_powers() -> None:
    assert text_latex_python.pretty(C * g**beta / A) == "   β\nC·g\n────\n A"


def test_roots_inside_an_expression_go_by_name() -> None:
    shown = text_latex_python.text(text_latex_python.equation(formula("e_gs_o"), "linear"))
    assert shown == "e_gs_o = o / (β·o + (β − 1)·L·g_s)"


def test_a_form_in_which_a_formula_does_not_exist() -> None:
    with pytest.raises(FormulaError, match=r"under constant latency: it needs .*L₁ > 0"):
        text_latex_python.equation(formula("g_peak"), "constant")


def test_unknown_macros_are_refused() -> None:
    with pytest.raises(ValueError, match="mystery"):
        layout_of(r"\mystery_1")
    assert layout_of(r"g_{\mathrm{low}}") == Script(Letter("g"), sub=Word("low"))


def test_a_fraction_in_a_product_is_bracketed_in_text() -> None:
    expr = sp.Mul(sp.Derivative(sp.Symbol("S"), q), r, n, evaluate=False)
    assert text_latex_python.text(expr) == "r·n·(∂S / ∂q)"


@pytest.mark.parametrize("exponent", ["1/3", "1/2", "2/3", "1", "3/2", "2", "3"])
def test_values_close_the_break_even(exponent: str) -> None:
    """What is written solves the equation: speedup 1 at the break-even granularity."""
    index = sp.Rational(exponent)
    written = text_latex_python.equation(formula("g1"), "linear", {beta: index}).rhs
    assert not written.has(TrinomialRoot)
    at = {A: 4, C: 60, L: sp.Rational(1, 3), o: 50}
    size = written.subs(at).evalf(30)
    assert abs(45 * size ** index.evalf(30) - 50 - size / 3) < 1e-20


def test_a_quantity_is_written_as_formula_numbers_and_result() -> None:
    written = text_latex_python.equation(formula("g1"), "constant", {beta: sp.S.One}).rhs
    digits = {A: "30", C: "90", L: "0", o: "29000"}
    figures = written.subs({symbol: Figure(symbol, each) for symbol, each in digits.items()})
    line = chain(sp.Symbol("g1"), (written, figures), 1e4 / 30, BYTES)
    assert text_latex_python.text(line) == (
        "g1 = A·(o + L) / (C·(A − 1)) = 30·(29000 + 0) / (90·(30 − 1)) = 333.333 B"
    )
