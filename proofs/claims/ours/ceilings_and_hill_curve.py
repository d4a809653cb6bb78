"""Theorems of ours: the speedup as a harmonic sum, its ceilings, its odds, the Hill curve."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, shape"

_HARMONIC = (
    Claim(
        id="ext-harmonic",
        source=_SOURCE,
        statement="The reciprocal of the speedup is that of the acceleration plus that of the "
        "speedup of an infinitely fast accelerator.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "reciprocal_speedup == 1/A + 1/speedup_infinite",
            "reciprocal_speedup*speedup == 1",
        ),
        argument="At one granularity any host time may be written C*g**beta and any latency time "
        "L0, so the identity holds for every kernel and every interface.",
    ),
    Claim(
        id="ext-harmonic-terms",
        source=_SOURCE,
        statement="It is a sum of three terms: one for the acceleration, one for the overhead, "
        "one for the latency.",
        asserts=("1/speedup == 1/A + o/T0 + (L0 + L1*g)/T0",),
    ),
)

_ROOFLINE = (
    Claim(
        id="ext-roofline",
        source=_SOURCE,
        statement="The speedup lies below the smaller of the acceleration and the speedup of an "
        "infinitely fast accelerator, and is at least half of it.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "min(A, speedup_infinite)/2 <= speedup < min(A, speedup_infinite)",
            "roofline == min(A, speedup_infinite)",
            "roofline_floor == roofline/2",
        ),
    ),
    Claim(
        id="ext-roofline-equality",
        source=_SOURCE,
        statement="It is exactly half of it where, and only where, it is half the acceleration.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "iff(speedup == min(A, speedup_infinite)/2, speedup == A/2)",
            "iff(speedup_infinite == A, speedup == A/2)",
        ),
    ),
    Claim(
        id="ext-roofline-ridge-constant",
        source=_SOURCE,
        statement="Under constant latency that is the case at gA2, the ridge, and nowhere else.",
        given=("latency == constant", "o + L > 0"),
        asserts=("iff(speedup_infinite == A, g == gA2)", "ridge == gA2"),
    ),
    Claim(
        id="ext-roofline-ridge-superlinear",
        source=_SOURCE,
        statement="The same for superlinear kernels with either form of latency.",
        given=("L > 0", "beta > 1"),
        asserts=("iff(speedup_infinite == A, g == gA2)", "ridge == gA2"),
    ),
    Claim(
        id="ext-roofline-ridge-sublinear",
        source=_SOURCE,
        statement="For sublinear kernels under linear latency it is the case at two ridges, "
        "gA2 and gA2_upper.",
        given=("latency == linear", "exists(gA2)", "exists(gA2_upper)"),
        asserts=(
            "iff(speedup_infinite == A, g == gA2 or g == gA2_upper)",
            "ridge == gA2",
        ),
    ),
    Claim(
        id="ext-roofline-three-ceilings",
        source=_SOURCE,
        statement="The speedup lies below the smallest of three ceilings, set by acceleration, "
        "overhead and latency, and is at least a third of it.",
        given=("o > 0", "L > 0", "latency == constant"),
        asserts=(
            "min(A, min(T0/o, T0/L))/3 <= speedup",
            "speedup < min(A, min(T0/o, T0/L))",
        ),
        argument="At one granularity the latency time may be written L whatever the interface.",
    ),
    Claim(
        id="ext-roofline-three-equality",
        source=_SOURCE,
        statement="It is exactly a third of it where, and only where, the three ceilings meet.",
        given=("o > 0", "L > 0", "latency == constant"),
        asserts=("iff(speedup == min(A, min(T0/o, T0/L))/3, A == T0/o and T0/o == T0/L)",),
    ),
)

_ODDS = (
    Claim(
        id="ext-odds",
        source=_SOURCE,
        statement="The reached part of the acceleration over the missing part is the host time "
        "over A times overhead and latency.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "speedup/(A - speedup) == T0/(A*(o + L0 + L1*g))",
            "odds == speedup/(A - speedup)",
            "odds == speedup_infinite/A",
        ),
    ),
    Claim(
        id="ext-odds-logit",
        source=_SOURCE,
        statement="Under constant latency the logarithm of the odds is linear in the logarithm "
        "of the granularity, with slope beta.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "log(speedup/(A - speedup)) == log(C/(A*(o + L))) + beta*log(g)",
            "g*diff(log(odds), g) == beta",
        ),
    ),
    Claim(
        id="ext-odds-stable",
        source=_SOURCE,
        statement="Under constant latency the speedup is a logistic function of the logarithm of "
        "the granularity.",
        given=("latency == constant", "o + L > 0"),
        asserts=("speedup == A/(1 + exp(log(A*(o + L)/C) - beta*log(g)))",),
    ),
)

_HILL = (
    Claim(
        id="ext-hill",
        source=_SOURCE,
        statement="Under constant latency the speedup is a Hill curve with half-way point gA2 "
        "and steepness beta.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "speedup == A*g**beta/(g**beta + gA2**beta)",
            "speedup_hill == speedup",
            "speedup(g=gA2) == A/2",
        ),
    ),
    Claim(
        id="ext-hill-hockney",
        source=_SOURCE,
        statement="Under constant latency, for a linear kernel it is Hockney's curve, with gA2 as "
        "half-performance length.",
        given=("latency == constant", "o + L > 0", "beta == 1"),
        asserts=("speedup == A*g/(g + gA2)", "gA2 == A*(o + L)/C"),
    ),
    Claim(
        id="ext-hill-logistic",
        source=_SOURCE,
        statement="Under constant latency, over the logarithm of the granularity the speedup "
        "obeys the logistic differential equation.",
        given=("latency == constant",),
        asserts=("g*diff(speedup, g) == beta*speedup*(1 - speedup/A)",),
    ),
    Claim(
        id="ext-hill-inflection-log",
        source=_SOURCE,
        statement="Under constant latency, over the logarithm of the granularity the curve is "
        "steepest at gA2.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "g*diff(g*diff(speedup, g), g) == beta**2*speedup*(1 - speedup/A)*(1 - 2*speedup/A)",
            "iff(speedup < A/2, g < gA2)",
            "iff(speedup == A/2, g == gA2)",
            "inflection_log == gA2",
        ),
        argument="The slope over the logarithm rises where the speedup is below half the "
        "acceleration, and falls where it is above.",
    ),
    Claim(
        id="ext-hill-inflection",
        source=_SOURCE,
        statement="Under constant latency, over granularity itself a superlinear kernel's curve "
        "is steepest at gA2*((beta - 1)/(beta + 1))**(1/beta).",
        given=("latency == constant", "o + L > 0", "beta > 1"),
        asserts=(
            "inflection == gA2*((beta - 1)/(beta + 1))**(1/beta)",
            "diff(speedup, g, 2)*(g**beta + gA2**beta)**3 == A*beta*gA2**beta*g**(beta - 2)"
            "*((beta - 1)*gA2**beta - (beta + 1)*g**beta)",
            "iff((beta - 1)*gA2**beta > (beta + 1)*g**beta, g < inflection)",
            "iff((beta - 1)*gA2**beta == (beta + 1)*g**beta, g == inflection)",
        ),
        argument="The last factor is the only one of the second derivative that changes sign.",
    ),
    Claim(
        id="ext-hill-concave",
        source=_SOURCE,
        statement="Under constant latency, up to linear complexity the curve is concave: no "
        "inflection over granularity.",
        given=("latency == constant", "o + L > 0", "beta <= 1"),
        asserts=("diff(speedup, g, 2) < 0",),
    ),
    Claim(
        id="ext-hill-rise-width",
        source=_SOURCE,
        statement="Under constant latency, from a tenth to nine tenths of the acceleration takes "
        "a factor of 81**(1/beta) in granularity, whatever the other parameters.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "g_s(s=9*A/10) == 81**(1/beta)*g_s(s=A/10)",
            "rise_width == g_s(s=9*A/10)/g_s(s=A/10)",
            "rise_width**beta == 81",
        ),
    ),
    Claim(
        id="ext-hill-mirror",
        source=_SOURCE,
        statement="Under constant latency the granularities with speedups s and A - s lie "
        "symmetrically about gA2 on a logarithmic scale.",
        given=("latency == constant", "o + L > 0", "s < A"),
        asserts=(
            "g_s*g_s(s=A - s) == gA2**2",
            "speedup(g=gA2*r) + speedup(g=gA2/r) == A",
        ),
    ),
)

_CEILINGS = (
    Claim(
        id="ext-ceilings-overhead",
        source=_SOURCE,
        statement="Without latency and with any acceleration the speedup is at most "
        "overhead_ceiling, a straight line on logarithmic scales.",
        given=("latency == affine", "o > 0"),
        asserts=(
            "overhead_ceiling == speedup_infinite(L0=0, L1=0)",
            "speedup < overhead_ceiling",
            "g*diff(overhead_ceiling, g) == slope_overhead*overhead_ceiling",
        ),
    ),
    Claim(
        id="ext-ceilings-latency",
        source=_SOURCE,
        statement="So is the ceiling that latency per byte sets.",
        given=("latency == linear", "L > 0"),
        asserts=(
            "speedup < latency_ceiling",
            "g*diff(latency_ceiling, g) == slope_latency*latency_ceiling",
        ),
    ),
    Claim(
        id="ext-ceilings-acceleration",
        source=_SOURCE,
        statement="And the acceleration, whose slope is zero.",
        asserts=(
            "acceleration_ceiling == speedup(o=0, L0=0, L1=0)",
            "speedup <= acceleration_ceiling",
            "g*diff(acceleration_ceiling, g) == slope_acceleration*acceleration_ceiling",
        ),
    ),
    Claim(
        id="ext-ceilings-latency-bound",
        source=_SOURCE,
        statement="The bound of a latency-bound kernel, at most linear, is its speedup without "
        "overhead.",
        given=("latency == linear", "L > 0", "beta <= 1"),
        asserts=("latency_bound == speedup(o=0)", "speedup <= latency_bound"),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_HARMONIC, *_ROOFLINE, *_ODDS, *_HILL, *_CEILINGS)
