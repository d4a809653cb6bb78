"""Every symbol once: meaning, unit, domain."""

from dataclasses import dataclass

import sympy as sp

from logca.derive.dimension import ONE, Dimension

__all__ = [
    "FORMS",
    "L0",
    "L1",
    "TABLE",
    "UNITS",
    "A",
    "C",
    "L",
    "N",
    "SymbolEntry",
    "beta",
    "f",
    "g",
    "g0",
    "g_high",
    "g_low",
    "m",
    "n",
    "o",
    "p_accelerator",
    "p_host",
    "p_link",
    "p_overhead",
    "q",
    "r",
    "rho",
    "s",
    "scale",
    "x",
    "y",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolEntry:
    """One symbol of the models.

    Parameters
    ----------
    symbol : sympy.Symbol
        The SymPy symbol; its assumptions state the sign [unit as below].
    meaning : str
        What it stands for [text].
    unit : Dimension
        Its unit [cycles, B, W].
    domain : str
        The values it may take, as a relation [text].
    latex : str
        How it is typeset [text].
    """

    symbol: sp.Symbol
    meaning: str
    unit: Dimension
    domain: str
    latex: str


def _positive(name: str) -> sp.Symbol:
    return sp.Symbol(name, positive=True)


def _nonnegative(name: str) -> sp.Symbol:
    return sp.Symbol(name, nonnegative=True)


beta = _positive("beta")
g, g0, g_low, g_high, x, y = map(_positive, ("g", "g0", "g_low", "g_high", "x", "y"))
C, A, s, r, q, rho, f = map(_positive, ("C", "A", "s", "r", "q", "rho", "f"))
m, n, N, scale = map(_positive, ("m", "n", "N", "scale"))
p_host, p_overhead, p_link, p_accelerator = map(
    _positive, ("p_host", "p_overhead", "p_link", "p_accelerator")
)
o, L, L0, L1 = map(_nonnegative, ("o", "L", "L0", "L1"))

_CYCLES = Dimension(cycles=sp.Integer(1))
_BYTES = Dimension(bytes=sp.Integer(1))
_WATTS = Dimension(watts=sp.Integer(1))
_PER_BYTE = Dimension(cycles=sp.Integer(1), bytes=sp.Integer(-1))
_INDEX = Dimension(cycles=sp.Integer(1), bytes=-beta)


def _entry(
    symbol: sp.Symbol, unit: Dimension, meaning: str, latex: str = "", domain: str = ""
) -> SymbolEntry:
    sign = ">" if symbol.is_positive else ">="
    return SymbolEntry(
        symbol=symbol,
        meaning=meaning,
        unit=unit,
        domain=domain or f"{symbol.name} {sign} 0",
        latex=latex or symbol.name,
    )


TABLE: dict[str, SymbolEntry] = {
    entry.symbol.name: entry
    for entry in (
        _entry(g, _BYTES, "granularity: size of the offloaded data"),
        _entry(o, _CYCLES, "overhead: time the host spends to set the offload up"),
        _entry(
            L,
            _CYCLES,
            "latency: time to move the data across the interface; per offload [cycles] under "
            "constant latency, per byte [cycles/B] under linear latency",
        ),
        _entry(L0, _CYCLES, "latency that each offload pays once", "L_0"),
        _entry(L1, _PER_BYTE, "latency that each byte pays", "L_1"),
        _entry(C, _INDEX, "computational index: host time for a granularity of one byte"),
        _entry(A, ONE, "acceleration: peak speedup of the accelerator"),
        _entry(beta, ONE, "exponent of the kernel's complexity", r"\beta"),
        _entry(s, ONE, "target speedup"),
        _entry(x, _BYTES, "a granularity"),
        _entry(y, _BYTES, "another granularity"),
        _entry(g0, _BYTES, "granularity from which a Newton step starts", "g_0"),
        _entry(g_low, _BYTES, "smallest granularity of a window", r"g_{\mathrm{low}}"),
        _entry(g_high, _BYTES, "largest granularity of a window", r"g_{\mathrm{high}}"),
        _entry(r, ONE, "improvement: factor by which a parameter is improved"),
        _entry(q, ONE, "gain: factor by which the speedup grows"),
        _entry(m, ONE, "number of items sent in one offload"),
        _entry(n, ONE, "number of accelerators, of chunks, or of a term in a series"),
        _entry(N, _BYTES, "length of a stream of data"),
        _entry(f, ONE, "fraction of the application's host time spent in the kernel"),
        _entry(rho, ONE, "uncertainty: factor within which a parameter is known", r"\rho"),
        _entry(scale, ONE, "new unit of granularity, in bytes", r"\lambda"),
        _entry(p_host, _WATTS, "power while the host computes", r"p_{\mathrm{h}}"),
        _entry(p_overhead, _WATTS, "power during the overhead", r"p_{o}"),
        _entry(p_link, _WATTS, "power during the latency", r"p_{L}"),
        _entry(p_accelerator, _WATTS, "power while the accelerator computes", r"p_{\mathrm{a}}"),
    )
}

UNITS: dict[sp.Symbol, Dimension] = {entry.symbol: entry.unit for entry in TABLE.values()}

FORMS: dict[str, dict[sp.Symbol, sp.Expr]] = {
    "constant": {L0: L, L1: sp.S.Zero},
    "linear": {L0: sp.S.Zero, L1: L},
    "affine": {},
}
"""The latency L0 + L1 g [cycles] in the papers' two forms, and as it stands."""
