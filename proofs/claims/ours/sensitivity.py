"""Theorems of ours: shares, elasticities, sum rules, and the shape of the speedup."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, sensitivity"

_SHARES = (
    Claim(
        id="ext-elasticities-shares",
        source=_SOURCE,
        statement="Overhead, latency and computation share the accelerated time; the share of "
        "the computation is the speedup over the acceleration.",
        asserts=(
            "share_o * T1 == o",
            "share_L * T1 == L0 + L1*g",
            "share_C * T1 == T0/A",
            "share_o + share_L + share_C == 1",
            "share_C == speedup/A",
            "0 <= share_o < 1",
            "0 <= share_L < 1",
            "0 < share_C <= 1",
        ),
    ),
    Claim(
        id="ext-elasticities-o",
        source=_SOURCE,
        statement="The elasticity of the speedup to the overhead is minus the share of the "
        "overhead.",
        given=("latency == affine",),
        asserts=("e_o == o*diff(log(speedup), o)", "e_o == -share_o"),
    ),
    Claim(
        id="ext-elasticities-latency",
        source=_SOURCE,
        statement="The elasticity of the speedup to the latency is minus the share of the "
        "latency, in both forms of the papers.",
        asserts=("e_L == L*diff(log(speedup), L)", "e_L == -share_L"),
    ),
    Claim(
        id="ext-elasticities-latency-affine",
        source=_SOURCE,
        statement="Under affine latency the elasticity to the latency as a whole adds up those "
        "to its two parts.",
        asserts=(
            "e_L == L0*diff(log(speedup), L0) + L1*diff(log(speedup), L1)",
            "e_L == -share_L",
        ),
    ),
    Claim(
        id="ext-elasticities-index",
        source=_SOURCE,
        statement="The elasticity of the speedup to the computational index is what the share "
        "of the computation leaves.",
        given=("latency == affine",),
        asserts=("e_C == C*diff(log(speedup), C)", "e_C == 1 - share_C"),
    ),
    Claim(
        id="ext-elasticities-acceleration",
        source=_SOURCE,
        statement="The elasticity of the speedup to the acceleration is the share of the "
        "computation, the speedup over the acceleration.",
        given=("latency == affine",),
        asserts=("e_A == A*diff(log(speedup), A)", "e_A == share_C", "e_A == speedup/A"),
    ),
    Claim(
        id="ext-elasticities-exponent",
        source=_SOURCE,
        statement="Per unit of the exponent the logarithm of the speedup changes by the "
        "logarithm of the granularity times what the share of the computation leaves.",
        given=("latency == affine",),
        asserts=(
            "e_beta == diff(log(speedup), beta)",
            "e_beta == log(g)*(1 - share_C)",
            "e_beta == log(g)*e_C",
        ),
    ),
    Claim(
        id="ext-elasticities-granularity",
        source=_SOURCE,
        statement="The slope of the speedup on logarithmic scales is beta times the shares of "
        "what an offload pays once plus beta - 1 times the share of what each byte pays.",
        asserts=(
            "e_g == g*diff(log(speedup), g)",
            "e_g == beta*(o + L0)/T1 + (beta - 1)*L1*g/T1",
        ),
    ),
    Claim(
        id="ext-elasticities-granularity-linear",
        source=_SOURCE,
        statement="Under linear latency that slope is beta times the share of the overhead plus "
        "beta - 1 times the share of the latency.",
        given=("latency == linear",),
        asserts=("e_g == beta*share_o + (beta - 1)*share_L",),
    ),
    Claim(
        id="ext-elasticities-granularity-constant",
        source=_SOURCE,
        statement="Under constant latency that slope is beta times what the speedup leaves of "
        "the acceleration, relative to the acceleration.",
        given=("latency == constant",),
        asserts=("e_g == beta*(1 - speedup/A)",),
    ),
)

_SUMS = (
    Claim(
        id="ext-sum-rules-scale",
        source=_SOURCE,
        statement="Elasticities to overhead, latency and computational index add up to zero: "
        "the speedup does not depend on the unit of time.",
        asserts=(
            "e_o + e_L + e_C == 0",
            "speedup(o=r*o, L0=r*L0, L1=r*L1, C=r*C) == speedup",
        ),
    ),
    Claim(
        id="ext-sum-rules-index-acceleration",
        source=_SOURCE,
        statement="Elasticities to computational index and acceleration add up to one.",
        given=("latency == affine",),
        asserts=("e_C + e_A == 1", "speedup(C=r*C, A=r*A) == r*speedup"),
    ),
    Claim(
        id="ext-sum-rules-all",
        source=_SOURCE,
        statement="All four elasticities add up to the speedup over the acceleration.",
        given=("latency == affine",),
        asserts=("e_o + e_L + e_C + e_A == speedup/A",),
    ),
    Claim(
        id="ext-sum-rules-absolute",
        source=_SOURCE,
        statement="The absolute values of the four elasticities add up to two less the speedup "
        "over the acceleration.",
        given=("latency == affine",),
        asserts=("abs(e_o) + abs(e_L) + abs(e_C) + abs(e_A) == 2 - speedup/A",),
    ),
    Claim(
        id="ext-sum-rules-granularity",
        source=_SOURCE,
        statement="A change of granularity is one of the computational index, beta times as "
        "large, and one of the latency per byte.",
        asserts=("e_g == beta*e_C + L1*diff(log(speedup), L1)",),
    ),
    Claim(
        id="ext-sum-rules-granularity-linear",
        source=_SOURCE,
        statement="Under linear latency the slope is beta times the elasticity to the "
        "computational index plus that to the latency.",
        given=("latency == linear",),
        asserts=("e_g == beta*e_C + e_L",),
    ),
    Claim(
        id="ext-sum-rules-granularity-constant",
        source=_SOURCE,
        statement="Under constant latency the slope is beta times the elasticity to the "
        "computational index.",
        given=("latency == constant",),
        asserts=("e_g == beta*e_C",),
    ),
)

_ROOTS = (
    Claim(
        id="ext-gs-elasticities-overhead",
        source=_SOURCE,
        statement="With l the share of the latency per byte in what precedes the computation, "
        "the elasticity of g_s to what an offload pays once is (1 - l)/(beta - l).",
        given=("exists(e_gs_o)",),
        asserts=(
            "e_gs_o*g_s == (o + L0)*diff(g_s, o)",
            "e_gs_o*(beta - L1*g_s/(o + L0 + L1*g_s)) == 1 - L1*g_s/(o + L0 + L1*g_s)",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-latency",
        source=_SOURCE,
        statement="The elasticity of g_s to the latency per byte is l/(beta - l).",
        given=("exists(e_gs_L1)",),
        asserts=(
            "e_gs_L1*g_s == L1*diff(g_s, L1)",
            "e_gs_L1*(beta - L1*g_s/(o + L0 + L1*g_s)) == L1*g_s/(o + L0 + L1*g_s)",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-index",
        source=_SOURCE,
        statement="The elasticity of g_s to the computational index is -1/(beta - l).",
        given=("exists(e_gs_C)",),
        asserts=(
            "e_gs_C*g_s == C*diff(g_s, C)",
            "e_gs_C*(beta - L1*g_s/(o + L0 + L1*g_s)) == -1",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-acceleration",
        source=_SOURCE,
        statement="The elasticity of g_s to the acceleration is -1/(beta - l), times s/(A - s).",
        given=("exists(e_gs_A)",),
        asserts=(
            "e_gs_A*g_s == A*diff(g_s, A)",
            "e_gs_A*(beta - L1*g_s/(o + L0 + L1*g_s)) == -s/(A - s)",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-sum",
        source=_SOURCE,
        statement="The elasticities of g_s to what an offload pays once, to the latency per "
        "byte and to the computational index add up to zero.",
        given=("exists(e_gs_o)",),
        asserts=("e_gs_o + e_gs_L1 + e_gs_C == 0",),
    ),
    Claim(
        id="ext-gs-elasticities-tangency",
        source=_SOURCE,
        statement="They grow without bound as the target approaches the greatest speedup: "
        "l reaches beta at the peak, and only there.",
        given=("beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "iff(L1*g/(o + L0 + L1*g) == beta, g == g_peak)",
            "iff(L1*g/(o + L0 + L1*g) < beta, g < g_peak)",
        ),
        argument="The numerators stay away from zero there, so the quotients with the "
        "denominator beta - l have poles.",
    ),
    Claim(
        id="ext-gs-elasticities-signs-lower",
        source=_SOURCE,
        statement="Overhead and latency delay the granularity from which the speedup is s; "
        "computational index and acceleration advance it.",
        given=("exists(e_gs_o)",),
        asserts=(
            "diff(g_s, o) > 0",
            "diff(g_s, L1) > 0",
            "diff(g_s, C) < 0",
            "diff(g_s, A) < 0",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-signs-upper",
        source=_SOURCE,
        statement="For the granularity up to which the speedup is s, beyond the peak, it is the "
        "reverse.",
        given=("exists(g_s_upper)", "g_s_upper > g_peak"),
        asserts=(
            "diff(g_s_upper, o) < 0",
            "diff(g_s_upper, L1) < 0",
            "diff(g_s_upper, C) > 0",
            "diff(g_s_upper, A) > 0",
        ),
    ),
    Claim(
        id="ext-gs-elasticities-existence",
        source=_SOURCE,
        statement="For sublinear complexity these derivatives exist exactly for targets below "
        "the greatest speedup.",
        given=("beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "iff(exists(e_gs_o), s < speedup_peak)",
            "implies(s < speedup_peak, exists(g_s_upper))",
        ),
        touch=("g_peak",),
    ),
)

_SHAPE = (
    Claim(
        id="ext-slope-curvature-mean",
        source=_SOURCE,
        statement="The slope of the speedup on logarithmic scales is beta less the mean of the "
        "exponents 0, 1 and beta of the parts of the accelerated time, weighted by their shares.",
        asserts=("e_g == beta - (0*(o + L0) + 1*L1*g + beta*T0/A)/T1",),
    ),
    Claim(
        id="ext-slope-curvature-variance",
        source=_SOURCE,
        statement="The second derivative is minus the variance of these exponents.",
        asserts=(
            "curvature == g*diff(g*diff(log(speedup), g), g)",
            "curvature == (L1*g + beta*T0/A)**2/T1**2 - (L1*g + beta**2*T0/A)/T1",
        ),
    ),
    Claim(
        id="ext-slope-curvature-concave",
        source=_SOURCE,
        statement="The logarithm of the speedup is concave in that of the granularity for every "
        "exponent.",
        given=("latency == affine",),
        asserts=("curvature <= 0",),
    ),
    Claim(
        id="ext-slope-curvature-midpoint",
        source=_SOURCE,
        statement="At the geometric mean of two granularities the speedup is at least the "
        "geometric mean of the two speedups.",
        given=("latency == affine", "x*y == g**2"),
        asserts=("speedup**2 >= speedup(g=x)*speedup(g=y)",),
    ),
    Claim(
        id="ext-slope-curvature-interval",
        source=_SOURCE,
        statement="The granularities with a speedup of at least s form an interval.",
        given=("latency == affine", "x < g", "g < y", "speedup(g=x) >= s", "speedup(g=y) >= s"),
        asserts=("speedup >= s",),
    ),
    Claim(
        id="ext-slope-curvature-interval-strict",
        source=_SOURCE,
        statement="Between two granularities of speedup s the speedup is larger.",
        given=("L1 > 0", "beta != 1", "x < g", "g < y", "speedup(g=x) >= s", "speedup(g=y) >= s"),
        asserts=("speedup > s",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_SHARES, *_SUMS, *_ROOTS, *_SHAPE)
