"""Cut-off granularities: from where, or up to where, improving a parameter pays.

An r-fold improvement of o, L or A gains at least a factor q if, and only if, the share of its part
in the accelerated time is at least theta = (1 - 1/q)/(1 - 1/r); for C, the share of the other
parts. Each condition is a trinomial in the granularity.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import BYTES
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, g, o, q, r
from logca.derive.logca.sensitivity import GAIN_A, GAIN_C, GAIN_L, GAIN_O
from logca.derive.logca.speedup import T1

__all__ = [
    "CORNER_RATIO",
    "CUTOFF_A",
    "CUTOFF_A_GENERAL",
    "CUTOFF_A_GENERAL_UPPER",
    "CUTOFF_A_LINEAR",
    "CUTOFF_C",
    "CUTOFF_C_GENERAL",
    "CUTOFF_C_GENERAL_UPPER",
    "CUTOFF_C_LINEAR",
    "CUTOFF_FACTOR",
    "CUTOFF_L",
    "CUTOFF_L_FROM",
    "CUTOFF_L_FROM_UPPER",
    "CUTOFF_L_GENERAL",
    "CUTOFF_L_GENERAL_UPPER",
    "CUTOFF_L_LINEAR",
    "CUTOFF_O",
    "CUTOFF_O_GENERAL",
    "CUTOFF_O_LINEAR",
    "FORMULAS",
    "THETA",
]

_ACHIEVABLE = (q > 1, q < r)
_SOURCE = "logca2026; altaf2017, §3.2 and Figs. 6, 10, 11: read off plots, for r = 10 and q = 1.2"
_TIME, _SHARE = sp.symbols("T1 w", positive=True)

THETA = Formula(
    name="theta",
    meaning="least share of the time for which an r-fold improvement gains a factor q",
    source="logca2026, by amdahl1967; altaf2017, §3.2 has r = 10 and q = 1.2, hence 5/27",
    latex=r"\theta",
    domain=_ACHIEVABLE,
    derivation=begin("an r-fold smaller overhead gains a factor q", GAIN_O.expr, q)
    .substitute("write T1 for the accelerated time", L0=_TIME - o - L1 * g - C * g**beta / A)
    .substitute("write w for the share of the overhead", o=_SHARE * _TIME)
    .rewrite("the time cancels: Amdahl's law", lhs=1 / (1 - _SHARE + _SHARE / r))
    .invert("invert both sides")
    .solve("solve for the share", _SHARE)
    .rewrite("theta", lhs=_SHARE, rhs=(1 - 1 / q) / (1 - 1 / r))
    .rename("name it", sp.Symbol("theta")),
)

CUTOFF_FACTOR = Formula(
    name="cutoff_factor",
    meaning="what the other parts may take at most, as a multiple of the part that is improved",
    source="logca2026; 22/5 for r = 10 and q = 1.2 as in altaf2017, §3.2",
    latex="h",
    domain=_ACHIEVABLE,
    derivation=begin("other shares over the share", "cutoff_factor", 1 / THETA.expr - 1)
    .simplify("collect")
    .rewrite("as a ratio of differences", rhs=(r - q) / (r * (q - 1))),
)

_H = CUTOFF_FACTOR.expr
_FACTOR = sp.Symbol("h", positive=True)
_GAIN = (
    begin("the factor", _FACTOR, _H)
    .scale("multiply by the denominator", r * (q - 1))
    .solve("solve for the gain", q)
    .expr
)


def _equation(gain: Formula, lhs: sp.Expr, rhs: sp.Expr, term: sp.Expr) -> Derivation:
    """Gain = q, as ``lhs = rhs``, of which one term is to be isolated first."""
    improved = T1.expr / gain.expr
    label = gain.name.removeprefix("gain_")
    coefficient = lhs / term
    return (
        begin(f"improving {label} r-fold gains a factor q", gain.expr, q)
        .substitute("write the gain in terms of the factor h of the other parts", q=_GAIN)
        .scale("multiply by the denominator", improved)
        .isolate("solve for the power of the granularity", term)
        .scale("multiply by its coefficient", coefficient)
        .rewrite("collect by powers of the granularity", rhs=rhs)
    )


_COMPUTATION = C * g**beta / A
_O = _equation(GAIN_O, _COMPUTATION, _FACTOR * o - L0 - L1 * g, g**beta)
_L = _equation(GAIN_L, _COMPUTATION, _FACTOR * L0 - o + _FACTOR * L1 * g, g**beta)
_A = _equation(GAIN_A, _FACTOR * _COMPUTATION, o + L0 + L1 * g, g**beta)
_C = _equation(GAIN_C, _COMPUTATION / _FACTOR, o + L0 + L1 * g, g**beta)


def _cutoff(
    name: str, meaning: str, latex: str, derivation: Derivation, *domain: sp.Basic
) -> Formula:
    return Formula(
        name=name,
        meaning=meaning,
        source=_SOURCE,
        unit=BYTES,
        latex=latex,
        domain=(*_ACHIEVABLE, *domain),
        derivation=derivation.substitute("insert the factor", h=_H).rename(
            "name it", sp.Symbol(name)
        ),
    )


def _root(equation: Derivation, *, upper: bool = False) -> Derivation:
    which = "falls below" if upper else "rises above"
    return equation.root(f"where the left side {which} the right side", g, g, upper=upper)


def _constant(general: Derivation) -> Derivation:
    return general.substitute("no latency per byte", L1=0)


def _linear(general: Derivation) -> Derivation:
    return general.substitute("linear complexity", beta=1)


CUTOFF_O_GENERAL = _cutoff(
    "cutoff_o_general",
    "up to there an r-fold smaller overhead gains a factor q or more",
    "g_o",
    _root(_O),
    _H * o > L0,
)
CUTOFF_O = _cutoff(
    "cutoff_o",
    "up to there an r-fold smaller overhead gains a factor q or more; no latency per byte",
    "g_o",
    _constant(_root(_O)),
    sp.Eq(L1, 0),
    _H * o > L0,
)
CUTOFF_O_LINEAR = _cutoff(
    "cutoff_o_linear",
    "up to there an r-fold smaller overhead gains a factor q or more; linear complexity",
    "g_o",
    _linear(_root(_O)),
    sp.Eq(beta, 1),
    _H * o > L0,
)

CUTOFF_L_GENERAL = _cutoff(
    "cutoff_L_general",
    "up to there an r-fold smaller latency gains a factor q or more, if it does for small "
    "granularities",
    "g_L",
    _root(_L),
    o <= _H * L0,
)
CUTOFF_L_GENERAL_UPPER = _cutoff(
    "cutoff_L_general_upper",
    "from there on an r-fold smaller latency gains a factor q or more again",
    "g_L^{+}",
    _root(_L, upper=True),
    o <= _H * L0,
)
CUTOFF_L = _cutoff(
    "cutoff_L",
    "up to there an r-fold smaller latency gains a factor q or more; no latency per byte",
    "g_L",
    _constant(_root(_L)),
    sp.Eq(L1, 0),
    o < _H * L0,
)

_POWER = sp.Symbol("w", positive=True)
_MIRRORED = (
    _L.add("bring what an offload pays once to the left", o - _FACTOR * L0)
    .swap("exchange the sides")
    .substitute("write w for the power of the granularity", g=_POWER ** (1 / beta))
)


def _from(*, upper: bool = False) -> Derivation:
    which = "falls below" if upper else "rises above"
    step = f"where the left side {which} the right side"
    root = _MIRRORED.root(step, _POWER, _POWER, upper=upper)
    return root.raise_to("granularity of this power", 1 / beta)


CUTOFF_L_FROM = _cutoff(
    "cutoff_L_from",
    "from there on an r-fold smaller latency gains a factor q or more, if it does not for small "
    "granularities",
    "g_L'",
    _from(),
    o >= _H * L0,
)
CUTOFF_L_FROM_UPPER = _cutoff(
    "cutoff_L_from_upper",
    "up to there an r-fold smaller latency, which gained a factor q from cutoff_L_from on, "
    "still does",
    "g_L'^{+}",
    _from(upper=True),
    o >= _H * L0,
)
CUTOFF_L_LINEAR = _cutoff(
    "cutoff_L_linear",
    "from there on an r-fold smaller latency gains a factor q or more; linear complexity",
    "g_L'",
    _linear(_from()),
    sp.Eq(beta, 1),
    A * _H * L1 > C,
    o > _H * L0,
)

CUTOFF_C_GENERAL = _cutoff(
    "cutoff_C_general",
    "up to there an r-fold larger computational index gains a factor q or more",
    "g_C",
    _root(_C),
)
CUTOFF_C_GENERAL_UPPER = _cutoff(
    "cutoff_C_general_upper",
    "from there on an r-fold larger computational index gains a factor q or more again",
    "g_C^{+}",
    _root(_C, upper=True),
)
CUTOFF_C = _cutoff(
    "cutoff_C",
    "up to there an r-fold larger computational index gains a factor q or more; no latency per "
    "byte",
    "g_C",
    _constant(_root(_C)),
    sp.Eq(L1, 0),
    o + L0 > 0,
)
CUTOFF_C_LINEAR = _cutoff(
    "cutoff_C_linear",
    "up to there an r-fold larger computational index gains a factor q or more; linear complexity",
    "g_C",
    _linear(_root(_C)),
    sp.Eq(beta, 1),
    C > A * _H * L1,
    o + L0 > 0,
)

CUTOFF_A_GENERAL = _cutoff(
    "cutoff_A_general",
    "from there on an r-fold larger acceleration gains a factor q or more",
    "g_A'",
    _root(_A),
)
CUTOFF_A_GENERAL_UPPER = _cutoff(
    "cutoff_A_general_upper",
    "up to there an r-fold larger acceleration, which gained a factor q from cutoff_A_general on, "
    "still does",
    "g_A'^{+}",
    _root(_A, upper=True),
)
CUTOFF_A = _cutoff(
    "cutoff_A",
    "from there on an r-fold larger acceleration gains a factor q or more; no latency per byte",
    "g_A'",
    _constant(_root(_A)),
    sp.Eq(L1, 0),
    o + L0 > 0,
)
CUTOFF_A_LINEAR = _cutoff(
    "cutoff_A_linear",
    "from there on an r-fold larger acceleration gains a factor q or more; linear complexity",
    "g_A'",
    _linear(_root(_A)),
    sp.Eq(beta, 1),
    _H * C > A * L1,
    o + L0 > 0,
)

CORNER_RATIO = Formula(
    name="corner_ratio",
    meaning="ratio of the cut-off of the computational index to that of the acceleration",
    source="logca2026; altaf2017, Fig. 6, has 32 KB over 2 KB",
    latex="g_C/g_A'",
    domain=(*_ACHIEVABLE, sp.Eq(L1, 0), o + L0 > 0),
    derivation=begin(
        "ratio of the cut-offs",
        "corner_ratio",
        _constant(_root(_C)).expr / _constant(_root(_A)).expr,
    )
    .rewrite("overhead, latency, C and A cancel", rhs=_FACTOR ** (2 / beta))
    .substitute("insert the factor", h=_H),
)

FORMULAS = (
    THETA,
    CUTOFF_FACTOR,
    CUTOFF_O_GENERAL,
    CUTOFF_O,
    CUTOFF_O_LINEAR,
    CUTOFF_L_GENERAL,
    CUTOFF_L_GENERAL_UPPER,
    CUTOFF_L,
    CUTOFF_L_FROM,
    CUTOFF_L_FROM_UPPER,
    CUTOFF_L_LINEAR,
    CUTOFF_C_GENERAL,
    CUTOFF_C_GENERAL_UPPER,
    CUTOFF_C,
    CUTOFF_C_LINEAR,
    CUTOFF_A_GENERAL,
    CUTOFF_A_GENERAL_UPPER,
    CUTOFF_A,
    CUTOFF_A_LINEAR,
    CORNER_RATIO,
)
