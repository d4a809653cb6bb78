"""Theorems of ours: granularities in radicals, and by the Lambert W function."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, closed forms"

_RADICALS = (
    Claim(
        id="ext-radicals-half-lower",
        source=_SOURCE,
        statement="For beta = 1/2 the lower granularity is the square of "
        "2*c/(a + sqrt(a**2 - 4*c*l)), with a = a_s, c = o + L0 and l = L1.",
        given=("beta == 1/2", "exists(g_s)"),
        asserts=(
            "root_half_lower == g_s",
            "sqrt(root_half_lower) == 2*(o + L0)/"
            "(effective_index + sqrt(effective_index**2 - 4*(o + L0)*L1))",
        ),
    ),
    Claim(
        id="ext-radicals-half-upper",
        source=_SOURCE,
        statement="The upper one is the square of (a + sqrt(a**2 - 4*c*l))/(2*l).",
        given=("beta == 1/2", "exists(g_s_upper)"),
        asserts=(
            "root_half_upper == g_s_upper",
            "sqrt(root_half_upper) == "
            "(effective_index + sqrt(effective_index**2 - 4*(o + L0)*L1))/(2*L1)",
        ),
    ),
    Claim(
        id="ext-radicals-two",
        source=_SOURCE,
        statement="For beta = 2 the granularity is (l + sqrt(l**2 + 4*a*c))/(2*a).",
        given=("beta == 2", "exists(g_s)"),
        asserts=(
            "root_two == g_s",
            "root_two == (L1 + sqrt(L1**2 + 4*effective_index*(o + L0)))/(2*effective_index)",
        ),
    ),
    Claim(
        id="ext-radicals-third-lower",
        source=_SOURCE,
        statement="For beta = 1/3 the lower granularity is the cube of 2*sqrt(a/(3*l)) times the "
        "sine of a third of an angle, that with the sine 3*c/(2*a)*sqrt(3*l/a).",
        given=("beta == 1/3", "exists(g_s)", "L1 > 0"),
        asserts=("root_third_lower == g_s",),
    ),
    Claim(
        id="ext-radicals-third-upper",
        source=_SOURCE,
        statement="For the upper one take the other angle with this sine.",
        given=("beta == 1/3", "exists(g_s_upper)", "L1 > 0"),
        asserts=("root_third_upper == g_s_upper",),
    ),
    Claim(
        id="ext-radicals-two-thirds-lower",
        source=_SOURCE,
        statement="For beta = 2/3 the lower granularity is the reciprocal of the upper one for "
        "beta = 1/3 with c and l exchanged.",
        given=("latency == affine", "beta == 2/3", "exists(g_s)"),
        asserts=("root_two_thirds_lower == g_s",),
    ),
    Claim(
        id="ext-radicals-two-thirds-upper",
        source=_SOURCE,
        statement="And the upper one is the reciprocal of the lower.",
        given=("beta == 2/3", "exists(g_s_upper)", "o + L0 > 0"),
        asserts=("root_two_thirds_upper == g_s_upper",),
    ),
    Claim(
        id="ext-radicals-three-halves",
        source=_SOURCE,
        statement="For beta = 3/2, matrix multiplication, the granularity is the reciprocal "
        "square of 2*sqrt(l/(3*c)) times a hyperbolic sine of a third.",
        given=("beta == 3/2", "s < A", "L1 > 0", "o + L0 > 0"),
        asserts=("root_three_halves == g_s",),
    ),
    Claim(
        id="ext-radicals-three",
        source=_SOURCE,
        statement="For beta = 3 it is 2*sqrt(l/(3*a)) times a cosine or hyperbolic cosine of a "
        "third.",
        given=("beta == 3", "s < A", "L1 > 0"),
        asserts=("root_three == g_s",),
    ),
)

_LAMBERT = (
    Claim(
        id="ext-lambert-log",
        source=_SOURCE,
        statement="A kernel of complexity log(g) has speedup s where "
        "a*log(g) = o + L0 + L1*g, with a = a_s; Lambert's function solves that.",
        given=("exists(g_log_upper)",),
        asserts=(
            "effective_index*log(g_log) == o + L0 + L1*g_log",
            "effective_index*log(g_log_upper) == o + L0 + L1*g_log_upper",
            "g_log <= effective_index/L1 <= g_log_upper",
        ),
    ),
    Claim(
        id="ext-lambert-log-speedup",
        source=_SOURCE,
        statement="Its speedup is C*log(g)/(o + L0 + L1*g + C*log(g)/A); it reaches s exactly "
        "between the two granularities.",
        given=("g > 1", "s < A"),
        asserts=(
            "speedup_log == C*log(g)/(o + L0 + L1*g + C*log(g)/A)",
            "iff(speedup_log >= s, effective_index*log(g) >= o + L0 + L1*g)",
        ),
    ),
    Claim(
        id="ext-lambert-log-peak",
        source=_SOURCE,
        statement="It is greatest at exp(1 + W((o + L0)/(e*L1))), where "
        "L1*g*(log(g) - 1) = o + L0.",
        given=("L1 > 0",),
        asserts=(
            "L1*g_log_peak*(log(g_log_peak) - 1) == o + L0",
            "g_log_peak >= exp(1)",
            "speedup_log_peak == A*C/(C + A*L1*g_log_peak)",
            "speedup_log_peak == speedup_log(g=g_log_peak)",
            "index_threshold_log == L1*g_log_peak",
        ),
        argument="That the speedup is greatest there is ext-lambert-log-peak-greatest.",
    ),
    Claim(
        id="ext-lambert-log-peak-greatest",
        source=_SOURCE,
        statement="At every other granularity the speedup is smaller than where "
        "L1*x*(log(x) - 1) = o + L0.",
        given=("L1 > 0", "g > 1", "log(x) >= 1"),
        asserts=(
            "speedup_log(o=L1*x*(log(x) - 1), L0=0) <= A*C/(C + A*L1*x)",
            "iff(speedup_log(o=L1*x*(log(x) - 1), L0=0) == A*C/(C + A*L1*x), g == x)",
        ),
        argument="What an offload pays once is written as L1*x*(log(x) - 1), which takes every "
        "value from zero on exactly once as x grows from e.",
    ),
    Claim(
        id="ext-lambert-log-existence",
        source=_SOURCE,
        statement="So the target is reached if, and only if, a_s >= L1*g_log_peak; in closed form, "
        "if L1/a*exp(1 + (o + L0)/a) <= 1.",
        given=("s < A", "log(x) >= 1"),
        asserts=(
            "iff(effective_index >= L1*x, "
            "L1*exp(1 + L1*x*(log(x) - 1)/effective_index) <= effective_index)",
            "iff(A*C/(C + A*L1*x) >= s, effective_index >= L1*x)",
        ),
        argument="Overhead as in ext-lambert-log-peak-greatest.",
    ),
    Claim(
        id="ext-lambert-log-constant",
        source=_SOURCE,
        statement="Without latency per byte it is reached from exp((o + L0)/a) on.",
        given=("L1 == 0", "o + L0 > 0", "s < A", "g > 1"),
        asserts=(
            "g_log == exp((o + L0)/effective_index)",
            "iff(speedup_log >= s, g >= exp((o + L0)/effective_index))",
        ),
    ),
    Claim(
        id="ext-lambert-glog",
        source=_SOURCE,
        statement="A kernel of complexity g*log(g) reaches every target below the acceleration "
        "at one granularity, exp(l/a + W(c/a*exp(-l/a))).",
        given=("s < A", "o + L0 + L1 > 0"),
        asserts=(
            "effective_index*g_glog*log(g_glog) == o + L0 + L1*g_glog",
            "g_glog > 1",
        ),
    ),
    Claim(
        id="ext-lambert-glog-speedup",
        source=_SOURCE,
        statement="Its speedup is C*g*log(g)/(o + L0 + L1*g + C*g*log(g)/A), and exceeds the "
        "target exactly beyond the granularity x with a_s*x*log(x) = o + L0 + L1*x.",
        given=("g > 1", "effective_index*log(x) >= L1"),
        asserts=(
            "speedup_glog == C*g*log(g)/(o + L0 + L1*g + C*g*log(g)/A)",
            "iff(speedup_glog(o=effective_index*x*log(x) - L1*x, L0=0) > s, g > x)",
            "iff(speedup_glog(o=effective_index*x*log(x) - L1*x, L0=0) == s, g == x)",
        ),
        argument="What an offload pays once is written as a_s*x*log(x) - L1*x, which takes every "
        "value from zero on exactly once as x grows from exp(L1/a_s).",
    ),
    Claim(
        id="ext-lambert-glog-constant",
        source=_SOURCE,
        statement="Without latency per byte the granularity is exp(W((o + L0)/a)).",
        given=("L1 == 0", "o + L0 > 0", "s < A"),
        asserts=(
            "g_glog*log(g_glog) == (o + L0)/effective_index",
            "log(g_glog)*exp(log(g_glog)) == (o + L0)/effective_index",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_RADICALS, *_LAMBERT)
