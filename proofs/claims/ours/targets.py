"""Theorems of ours: targets, monotonicity, asymptotes, the two forms of latency, fitting."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, targets"

_TARGETS = (
    Claim(
        id="ext-gs-i",
        source=_SOURCE,
        statement="Under constant latency every target below the acceleration is reached at "
        "exactly one granularity, (s*A/(A - s)*(o + L)/C)**(1/beta).",
        given=("latency == constant", "o + L > 0", "s < A"),
        asserts=(
            "g_s == (s*A/(A - s)*(o + L)/C)**(1/beta)",
            "iff(speedup == s, g == g_s)",
            "iff(speedup > s, g > g_s)",
        ),
    ),
    Claim(
        id="ext-gs-i-unreachable",
        source=_SOURCE,
        statement="No target from the acceleration on is reached.",
        given=("o + L0 + L1 > 0", "s >= A"),
        asserts=("speedup < s",),
    ),
    Claim(
        id="ext-target-equivalence",
        source=_SOURCE,
        statement="The speedup is s where an infinitely fast accelerator would have A*s/(A - s).",
        given=("o + L0 + L1 > 0", "s < A"),
        asserts=(
            "iff(speedup == s, speedup_infinite == A*s/(A - s))",
            "iff(speedup > s, speedup_infinite > A*s/(A - s))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-index",
        source=_SOURCE,
        statement="Acceleration and target enter only through the effective index "
        "C*(1/s - 1/A): the speedup is s where the trinomial vanishes.",
        given=("s < A",),
        asserts=(
            "effective_index == C*(1/s - 1/A)",
            "trinomial == effective_index*g**beta - (o + L0 + L1*g)",
            "iff(speedup == s, trinomial == 0)",
            "iff(speedup > s, trinomial > 0)",
        ),
    ),
    Claim(
        id="ext-target-equivalence-pairs",
        source=_SOURCE,
        statement="Two pairs of acceleration and target have the same least granularity if, and "
        "only if, the differences of their reciprocals agree; a larger difference is reached "
        "earlier.",
        given=("exists(g_s)", "exists(g_s(A=r, s=q))"),
        asserts=(
            "implies(1/s - 1/A == 1/q - 1/r, g_s == g_s(A=r, s=q))",
            "implies(1/s - 1/A > 1/q - 1/r, g_s < g_s(A=r, s=q))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-upper",
        source=_SOURCE,
        statement="So do the greatest granularities, where there are two.",
        given=("latency == linear", "exists(g_s_upper)", "exists(g_s_upper(A=r, s=q))"),
        asserts=(
            "implies(1/s - 1/A == 1/q - 1/r, g_s_upper == g_s_upper(A=r, s=q))",
            "implies(1/s - 1/A > 1/q - 1/r, g_s_upper > g_s_upper(A=r, s=q))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-half",
        source=_SOURCE,
        statement="Half the acceleration, and the acceleration for an infinitely fast "
        "accelerator, are reached at the same granularity.",
        given=("exists(gA2)",),
        asserts=("gA2 == gA", "speedup(g=gA2) == A/2", "speedup_infinite(g=gA) == A"),
    ),
    Claim(
        id="ext-target-equivalence-break-even",
        source=_SOURCE,
        statement="Under constant latency (A - 1)**(1/beta) times break-even is gA2.",
        given=("latency == constant", "o + L > 0", "A > 1"),
        asserts=("(A - 1)**(1/beta)*g1 == gA2",),
    ),
)

_MONOTONE = (
    Claim(
        id="ext-monotone-acceleration",
        source=_SOURCE,
        statement="The speedup grows with the acceleration and with the computational index.",
        given=("o + L0 + L1 > 0",),
        asserts=("diff(speedup, C) > 0", "diff(speedup, A) > 0"),
    ),
    Claim(
        id="ext-monotone-overhead",
        source=_SOURCE,
        statement="It falls with the overhead and with both parts of the latency.",
        asserts=("diff(speedup, o) < 0", "diff(speedup, L0) < 0", "diff(speedup, L1) < 0"),
    ),
    Claim(
        id="ext-monotone-exponent",
        source=_SOURCE,
        statement="It grows with the exponent for granularities above one byte, falls below: "
        "the sign depends on the unit of granularity.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "iff(diff(speedup, beta) > 0, g > 1)",
            "iff(diff(speedup, beta) == 0, g == 1)",
        ),
    ),
    Claim(
        id="ext-affine-latency",
        source=_SOURCE,
        statement="One affine latency L0 + L1*g covers both forms: what an offload pays once "
        "counts as overhead.",
        asserts=(
            "speedup == speedup(o=o + L0, L0=0)",
            "speedup(L1=0) == C*g**beta/(o + L0 + C*g**beta/A)",
            "speedup(L0=0) == C*g**beta/(o + L1*g + C*g**beta/A)",
        ),
    ),
    Claim(
        id="ext-affine-latency-roots",
        source=_SOURCE,
        statement="So the granularities for a target follow from those under linear latency.",
        given=("latency == affine", "exists(g_s)"),
        asserts=("g_s == g_s(o=o + L0, L0=0)", "speedup(g=g_s) == s"),
    ),
)

_ASYMPTOTES = (
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
        statement="The two straight lines meet at gA2.",
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
        statement="A linear kernel's speedup levels off at A*C/(A*L + C).",
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

_FORMS = (
    Claim(
        id="ext-i-vs-d",
        source=_SOURCE,
        statement="With the same number for L the two forms agree at one byte; above, the "
        "speedup is lower with a latency per byte, below it is higher.",
        asserts=(
            "iff(speedup(L0=0, L1=r) < speedup(L0=r, L1=0), g > 1)",
            "iff(speedup(L0=0, L1=r) == speedup(L0=r, L1=0), g == 1)",
        ),
    ),
    Claim(
        id="ext-identifiability",
        source=_SOURCE,
        statement="For a fixed exponent the reciprocal of the speedup is linear in 1/A, o/C and "
        "L/C; only these ratios enter.",
        asserts=(
            "1/speedup == 1/A + (o/C + L0/C)*g**-beta + L1/C*g**(1 - beta)",
            "speedup(o=r*o, L0=r*L0, L1=r*L1, C=r*C) == speedup",
        ),
    ),
    Claim(
        id="ext-identifiability-constant",
        source=_SOURCE,
        statement="Under constant latency two speedups determine A and (o + L)/C, and no more "
        "can be learnt.",
        given=(
            "latency == constant",
            "x != y",
            "speedup(g=x) == speedup(g=x, o=m, L=n, C=q, A=r)",
            "speedup(g=y) == speedup(g=y, o=m, L=n, C=q, A=r)",
        ),
        asserts=(
            "A == r",
            "(o + L)/C == (m + n)/q",
            "speedup == speedup(o=m, L=n, C=q, A=r)",
        ),
    ),
    Claim(
        id="ext-identifiability-linear-kernel",
        source=_SOURCE,
        statement="Under linear latency and for a linear kernel speedups tell of no more than o/C "
        "and 1/A + L/C.",
        given=("latency == linear", "beta == 1", "1/A + L/C == 1/r + m/C"),
        asserts=("1/speedup == 1/A + L/C + (o/C)/g", "speedup == speedup(A=r, L=m)"),
    ),
    Claim(
        id="ext-posynomial",
        source=_SOURCE,
        statement="For a fixed exponent the reciprocal of the speedup is a posynomial in o, L, "
        "1/C, 1/A and the granularity.",
        asserts=(
            "1/speedup == A**-1 + o*C**-1*g**-beta + L0*C**-1*g**-beta + L1*C**-1*g**(1 - beta)",
        ),
        argument="Design problems that minimise it under monomial constraints are geometric "
        "programs, convex in the logarithms.",
    ),
    Claim(
        id="ext-posynomial-convex",
        source=_SOURCE,
        statement="Half-way, on logarithmic scales, between two designs at two granularities the "
        "speedup is at least the geometric mean.",
        asserts=(
            "speedup(o=o*m, L=L*n, C=C*q, A=A*r, g=g*rho)**2 >= "
            "speedup*speedup(o=o*m**2, L=L*n**2, C=C*q**2, A=A*r**2, g=g*rho**2)",
        ),
        argument="Any two designs can be written like this. Constant latency adds to the "
        "overhead. A continuous function with this property is concave.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_TARGETS, *_MONOTONE, *_ASYMPTOTES, *_FORMS)
