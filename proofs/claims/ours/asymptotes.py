"""Theorems of ours: slopes and corners of the speedup on logarithmic scales."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, targets"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-loglog-asymptotes-overhead",
        source=_SOURCE,
        statement="On logarithmic scales the speedup rises with slope beta for small "
        "granularities.",
        given=("o + L0 > 0",),
        asserts=(
            "limit(e_g, g, 0) == beta",
            "limit(speedup/g**beta, g, 0) == C/(o + L0)",
            "limit(speedup, g, 0) == limit_small",
            "limit_small == 0",
        ),
    ),
    Claim(
        id="ext-loglog-asymptotes-constant",
        source=_SOURCE,
        statement="Under constant latency it is flat for large granularities.",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit(e_g, g, oo) == 0", "limit(speedup, g, oo) == A", "limit_large == A"),
        argument="The slope e_g is that of ext-elasticities-granularity.",
    ),
    Claim(
        id="ext-loglog-asymptotes-corner",
        source=_SOURCE,
        statement="Under constant latency the two straight lines meet at gA2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("iff(T0/(o + L) == A, g == gA2)", "corner_overhead_acceleration == gA2"),
    ),
    Claim(
        id="ext-loglog-asymptotes-superlinear",
        source=_SOURCE,
        statement="So it is for a superlinear kernel with either form of latency.",
        given=("L > 0", "beta > 1"),
        asserts=("limit(e_g, g, oo) == 0", "limit(speedup, g, oo) == A", "limit_large == A"),
    ),
    Claim(
        id="ext-loglog-asymptotes-sublinear",
        source=_SOURCE,
        statement="A sublinear kernel's speedup falls with slope beta - 1 under linear latency.",
        given=("latency == linear", "L > 0", "beta < 1"),
        asserts=(
            "limit(e_g, g, oo) == beta - 1",
            "limit(speedup/g**(beta - 1), g, oo) == C/L",
            "limit_large == 0",
        ),
    ),
    Claim(
        id="ext-loglog-asymptotes-linear",
        source=_SOURCE,
        statement="Under linear latency a linear kernel's speedup levels off at A*C/(A*L + C).",
        given=("latency == linear", "beta == 1"),
        asserts=("limit(speedup, g, oo) == A*C/(A*L + C)", "limit_large == A*C/(A*L + C)"),
    ),
    Claim(
        id="ext-loglog-asymptotes-slopes",
        source=_SOURCE,
        statement="Ceilings set by overhead, latency and acceleration have the slopes beta, "
        "beta - 1 and 0.",
        given=("o + L0 > 0", "L1 > 0"),
        asserts=(
            "g*diff(log(T0/(o + L0)), g) == beta",
            "g*diff(log(T0/(L1*g)), g) == beta - 1",
            "latency_ceiling == T0/(L1*g)",
        ),
    ),
    Claim(
        id="ext-loglog-asymptotes-corners",
        source=_SOURCE,
        statement="Latency takes over from overhead at o/L, and acceleration from latency at "
        "(A*L/C)**(1/(beta - 1)).",
        given=("latency == linear", "o > 0", "L > 0", "beta > 1"),
        asserts=(
            "iff(T0/o < T0/(L*g), g < o/L)",
            "iff(T0/(L*g) < A, g < (A*L/C)**(1/(beta - 1)))",
            "corner_overhead_latency == o/L",
            "corner_latency_acceleration == (A*L/C)**(1/(beta - 1))",
        ),
    ),
    Claim(
        id="ext-loglog-asymptotes-order",
        source=_SOURCE,
        statement="The corners come in that order, and the middle slope shows, if the ceilings "
        "of overhead and latency meet below the acceleration; gA2 lies beyond the corners with "
        "the acceleration.",
        given=("latency == linear", "o > 0", "L > 0", "beta > 1"),
        asserts=(
            "iff(o/L < (A*L/C)**(1/(beta - 1)), C*(o/L)**beta/o < A)",
            "gA2 > (A*L/C)**(1/(beta - 1))",
            "gA2 > (A*o/C)**(1/beta)",
        ),
    ),
)
