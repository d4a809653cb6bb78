"""Every symbol once: meaning, unit, domain."""

import sympy as sp

from logca.derive.algebra.dimension import (
    BYTES,
    CYCLES,
    CYCLES_PER_BYTE,
    ONE,
    WATTS,
    Dimension,
    SymbolEntry,
    described,
    nonnegative,
    positive,
)
from logca.derive.core import (
    cgpredict_symbols,
    gpu_bounds_symbols,
    partition_symbols,
    shape_symbols,
)

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
    "deviation",
    "f",
    "g",
    "g0",
    "g_high",
    "g_low",
    "growth",
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
    "spread_C",
    "spread_L",
    "spread_o",
    "u_accelerator",
    "u_host",
    "u_link",
    "u_shared",
    "x",
    "y",
]


beta = positive("beta")
g, g0, g_low, g_high, x, y = map(positive, ("g", "g0", "g_low", "g_high", "x", "y"))
C, A, s, r, q, rho, f = map(positive, ("C", "A", "s", "r", "q", "rho", "f"))
m, n, N, scale = map(positive, ("m", "n", "N", "scale"))
p_host, p_overhead, p_link, p_accelerator = map(
    positive, ("p_host", "p_overhead", "p_link", "p_accelerator")
)
u_host, u_link, u_accelerator, u_shared = map(
    positive, ("u_host", "u_link", "u_accelerator", "u_shared")
)
growth = positive("growth")
deviation = positive("deviation")
spread_o, spread_L, spread_C = map(nonnegative, ("spread_o", "spread_L", "spread_C"))
o, L, L0, L1 = map(nonnegative, ("o", "L", "L0", "L1"))

_INDEX = Dimension(cycles=sp.Integer(1), bytes=-beta)


TABLE: dict[str, SymbolEntry] = {
    entry.symbol.name: entry
    for entry in (
        described(g, BYTES, "granularity: size of the offloaded data"),
        described(o, CYCLES, "overhead: time the host spends to set the offload up"),
        described(
            L,
            CYCLES,
            "latency: time to move the data across the interface; per offload [cycles] under "
            "constant latency, per byte [cycles/B] under linear latency",
        ),
        described(L0, CYCLES, "latency that each offload pays once", "L_0"),
        described(L1, CYCLES_PER_BYTE, "latency that each byte pays", "L_1"),
        described(C, _INDEX, "computational index: host time for a granularity of one byte"),
        described(A, ONE, "acceleration: peak speedup of the accelerator"),
        described(beta, ONE, "exponent of the kernel's complexity", r"\beta"),
        described(s, ONE, "target speedup"),
        described(x, BYTES, "a granularity"),
        described(y, BYTES, "another granularity"),
        described(g0, BYTES, "granularity from which a Newton step starts", "g_0"),
        described(g_low, BYTES, "smallest granularity of a window", r"g_{\mathrm{low}}"),
        described(g_high, BYTES, "largest granularity of a window", r"g_{\mathrm{high}}"),
        described(r, ONE, "improvement: factor by which a parameter is improved"),
        described(q, ONE, "gain: factor by which the speedup grows"),
        described(m, ONE, "number of items sent in one offload"),
        described(
            n,
            ONE,
            "number of accelerators, of chunks, of requests in flight, or of a term in a series",
        ),
        described(N, BYTES, "length of a stream of data"),
        described(f, ONE, "fraction of the application's host time spent in the kernel"),
        described(rho, ONE, "uncertainty: factor within which a parameter is known", r"\rho"),
        described(scale, ONE, "new unit of granularity, in bytes", r"\lambda"),
        described(p_host, WATTS, "power while the host computes", r"p_{\mathrm{h}}"),
        described(p_overhead, WATTS, "power during the overhead", r"p_{o}"),
        described(p_link, WATTS, "power during the latency", r"p_{L}"),
        described(p_accelerator, WATTS, "power while the accelerator computes", r"p_{\mathrm{a}}"),
        described(u_host, ONE, "requests that the host computes side by side", r"u_{\mathrm{h}}"),
        described(u_link, ONE, "requests that host and link prepare side by side", r"u_{L}"),
        described(
            u_accelerator,
            ONE,
            "requests that the accelerators compute side by side",
            r"u_{\mathrm{a}}",
        ),
        described(
            u_shared,
            ONE,
            "offloads served side by side by what all their stages share, such as cores",
            r"u_{\mathrm{s}}",
        ),
        described(
            growth,
            ONE,
            "factor on the overhead for each doubling of the requests in flight",
            r"\varphi",
        ),
        *(
            described(
                symbol,
                ONE,
                f"spread of {name}: standard deviation of the logarithm of {name}",
                rf"\tau_{name}",
            )
            for symbol, name in ((spread_o, "o"), (spread_L, "L"), (spread_C, "C"))
        ),
        described(
            deviation,
            ONE,
            "a value of a log-normal quantity over its median",
            r"\zeta",
        ),
        *cgpredict_symbols.ENTRIES,
        *gpu_bounds_symbols.ENTRIES,
        *partition_symbols.ENTRIES,
        *shape_symbols.ENTRIES,
    )
}

UNITS: dict[sp.Symbol, Dimension] = {entry.symbol: entry.unit for entry in TABLE.values()}

FORMS: dict[str, dict[sp.Symbol, sp.Expr]] = {
    "constant": {L0: L, L1: sp.S.Zero},
    "linear": {L0: sp.S.Zero, L1: L},
    "affine": {},
}
"""The latency L0 + L1 g [cycles] in the papers' two forms, and as it stands."""
