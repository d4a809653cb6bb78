"""Theorems of ours: what one Newton step finds, how wrong it is, and steps that cannot fail."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, Newton's method"
_STEEP = "beta*effective_index*g0**(beta - 1) > L1"
_AHEAD = "effective_index*(beta - 1)*g0**beta + o + L0 > 0"

_STEP = (
    Claim(
        id="ext-newton-step",
        source=_SOURCE,
        statement="One Newton step from g0 goes to where the tangent of the trinomial at g0 "
        "vanishes.",
        given=("beta*effective_index*g0**(beta - 1) != L1",),
        asserts=(
            "trinomial(g=g0) + diff(trinomial(g=g0), g0)*(newton_step - g0) == 0",
            "newton_step == (effective_index*(beta - 1)*g0**beta + o + L0)/"
            "(beta*effective_index*g0**(beta - 1) - L1)",
        ),
    ),
    Claim(
        id="ext-newton-step-printed",
        source=_SOURCE,
        statement="Eqs. 11 to 13 are such steps from one byte, for the targets 1 and A/2; the "
        "latter two are the same.",
        given=("beta*C*(A - 1) != A*L1", "beta*C != A*L1"),
        asserts=(
            "g1_newton == newton_step(s=1, g0=1)",
            "g1_newton == (C*(beta - 1)*(A - 1) + A*(o + L0))/(C*beta*(A - 1) - A*L1)",
            "gA2_newton == newton_step(s=A/2, g0=1)",
            "gA2_newton == (C*(beta - 1) + A*(o + L0))/(C*beta - A*L1)",
            "gA_newton == gA2_newton",
        ),
    ),
    Claim(
        id="ext-newton-exact",
        source=_SOURCE,
        statement="For a linear kernel the step is exact, from anywhere.",
        given=("latency == affine", "beta == 1", "exists(g_s)"),
        asserts=("newton_step == g_s",),
    ),
    Claim(
        id="ext-newton-residual",
        source=_SOURCE,
        statement="The residual it leaves is the gap between a power and its tangent, times the "
        "effective index.",
        given=(_STEEP, _AHEAD),
        asserts=(
            "newton_residual == trinomial(g=newton_step)",
            "newton_residual == effective_index*"
            "(newton_step**beta - g0**beta - beta*g0**(beta - 1)*(newton_step - g0))",
        ),
    ),
    Claim(
        id="ext-newton-residual-sign",
        source=_SOURCE,
        statement="A power lies above its tangents for beta > 1, below for beta < 1, and touches "
        "only at g0.",
        asserts=(
            "implies(beta > 1, x**beta >= g0**beta + beta*g0**(beta - 1)*(x - g0))",
            "implies(beta < 1, x**beta <= g0**beta + beta*g0**(beta - 1)*(x - g0))",
            "implies(beta != 1, iff(x**beta == g0**beta + beta*g0**(beta - 1)*(x - g0), x == g0))",
        ),
        argument="With x the step and ext-newton-residual this is the sign of the residual.",
    ),
    Claim(
        id="ext-newton-side-superlinear",
        source=_SOURCE,
        statement="For beta > 1 a step with positive slope lands at or beyond the granularity "
        "sought.",
        given=("beta > 1", "L1 > 0", _STEEP),
        asserts=("newton_step >= g_s",),
        argument="The tangent lies below the trinomial, so the trinomial is not negative where "
        "the tangent vanishes.",
        touch=("newton_step",),
    ),
    Claim(
        id="ext-newton-side-sublinear",
        source=_SOURCE,
        statement="For beta < 1 it lands at or below the granularity sought.",
        given=("beta < 1", "exists(g_s)", _STEEP),
        asserts=("newton_step <= g_s",),
        touch=("newton_step",),
    ),
    Claim(
        id="ext-newton-error",
        source=_SOURCE,
        statement="A step from one byte may be far off: with A = 6, L = 3, o = 1000, C = 35 and "
        "beta = 2 Eq. 11 gives a granularity with a speedup of 3.9, not 1.",
        given=("latency == linear", "beta == 2", "A == 6", "L == 3", "o == 1000", "C == 35"),
        asserts=("3.93 < speedup(g=g1_newton) < 3.94", "g1_newton > 3*g1"),
    ),
    Claim(
        id="ext-newton-error-unbounded",
        source=_SOURCE,
        statement="The relative error of a step from one byte has no bound: for beta = 2 without "
        "latency per byte the step over the granularity sought grows at least like the square "
        "root of the overhead.",
        given=("beta == 2", "s < A", "L1 == 0", "o + L0 > 0"),
        asserts=(
            "newton_step(g0=1) >= (o + L0)/(2*effective_index)",
            "newton_step(g0=1)/g_s >= sqrt((o + L0)/effective_index)/2",
        ),
    ),
    Claim(
        id="ext-newton-error-bound",
        source=_SOURCE,
        statement="For beta > 1 what lies beyond the granularity sought is at most the residual "
        "over beta*(o + L0)/x + (beta - 1)*L1; newton_error_bound is that for the step.",
        given=("beta > 1", "x > g_s"),
        asserts=("trinomial(g=x) >= (beta*(o + L0)/x + (beta - 1)*L1)*(x - g_s)",),
        argument="By ext-newton-side-superlinear the step is such a granularity x.",
    ),
    Claim(
        id="ext-newton-error-bound-exists",
        source=_SOURCE,
        statement="Where the step exists so does a bound for it, the formula newton_error_bound.",
        given=("beta >= 1", "o + L0 > 0", _STEEP),
        asserts=("exists(newton_error_bound)",),
    ),
    Claim(
        id="ext-newton-error-bound-value",
        source=_SOURCE,
        statement="That bound, as a formula.",
        given=("beta >= 1", "exists(newton_error_bound)"),
        asserts=(
            "newton_error_bound*(beta*(o + L0)/newton_step + (beta - 1)*L1) == newton_residual",
        ),
    ),
    Claim(
        id="ext-newton-error-bound-sublinear",
        source=_SOURCE,
        statement="For beta < 1 what is missing to it is at most the negative residual over the "
        "slope at the ceiling of ext-brackets-lower.",
        given=("beta < 1", "exists(g_s)", "x <= g_s"),
        asserts=(
            "-trinomial(g=x) >= (beta*(o + L0)/lower_root_ceiling + (beta - 1)*L1)*(g_s - x)",
        ),
        argument="By ext-newton-side-sublinear the step is such a granularity x.",
    ),
    Claim(
        id="ext-newton-error-bound-sublinear-value",
        source=_SOURCE,
        statement="That bound, as a formula.",
        given=("beta < 1", "exists(newton_error_bound)"),
        asserts=(
            "newton_error_bound*(beta*(o + L0)/lower_root_ceiling + (beta - 1)*L1) "
            "== -newton_residual",
        ),
    ),
)

_UNIT_FREE = (
    Claim(
        id="ext-unit-free-newton",
        source=_SOURCE,
        statement="A step from u, the granularity without latency per byte, gives "
        "u*beta/(beta - epsilon).",
        given=("latency == affine", "beta > epsilon"),
        asserts=(
            "newton_unit_free == newton_step(g0=overhead_root)",
            "newton_unit_free == overhead_root*beta/(beta - epsilon)",
        ),
    ),
    Claim(
        id="ext-unit-free-newton-exact",
        source=_SOURCE,
        statement="It is exact for a linear kernel.",
        given=("beta == 1", "exists(g_s)"),
        asserts=("newton_unit_free == g_s",),
    ),
    Claim(
        id="ext-unit-free-newton-ceiling",
        source=_SOURCE,
        statement="For beta > 1 it is an upper bound.",
        given=("beta > 1", "L1 > 0", "beta > epsilon"),
        asserts=("newton_unit_free > g_s",),
        touch=("newton_unit_free",),
    ),
    Claim(
        id="ext-unit-free-newton-floor",
        source=_SOURCE,
        statement="For beta < 1 it is a lower bound on the lower granularity.",
        given=("beta < 1", "exists(g_s)", "L1 > 0", "beta > epsilon"),
        asserts=("newton_unit_free < g_s",),
        touch=("newton_unit_free",),
    ),
    Claim(
        id="ext-unit-free-newton-defined",
        source=_SOURCE,
        statement="For beta < 1 the step is defined wherever the target is reached.",
        given=("beta < 1", "exists(g_s)", "L1 > 0"),
        asserts=("epsilon < beta",),
        touch=("g_peak", "beta*(o + L0)/L1"),
    ),
    Claim(
        id="ext-unit-free-newton-error",
        source=_SOURCE,
        statement="Its relative error is (1 - beta)*epsilon**2/(2*beta**2), up to terms of third "
        "order.",
        asserts=(
            "epsilon_coefficient(n=0) == 1",
            "epsilon_coefficient(n=1) == 1/beta",
            "epsilon_coefficient(n=2) - 1/beta**2 == (1 - beta)/(2*beta**2)",
        ),
        argument="beta/(beta - epsilon) is the geometric series with coefficients beta**-n; the "
        "series of the granularity is that of ext-series-epsilon-coefficients.",
    ),
    Claim(
        id="ext-unit-free-newton-radix",
        source=_SOURCE,
        statement="For radix sort on the APU it is a tenth of a percent below break-even.",
        given=(
            "latency == linear",
            "o == 4e8",
            "L == 15",
            "C == 290",
            "A == 7",
            "beta == 0.94",
        ),
        asserts=("0.0009 < 1 - newton_unit_free(s=1)/g1 < 0.0011",),
        argument="Parameters of Table 5, the exponent of Table 4.",
    ),
    Claim(
        id="ext-unit-free-newton-gemm",
        source=_SOURCE,
        statement="For matrix multiplication on the discrete GPU it is 14 percent above.",
        given=(
            "latency == linear",
            "o == 2e8",
            "L == 3000",
            "C == 2",
            "A == 30",
            "beta == 1.7",
        ),
        asserts=("1.13 < newton_unit_free(s=1)/g1 < 1.15",),
        argument="Parameters of Table 5, the exponent of Table 4.",
    ),
)

_LOG = (
    Claim(
        id="ext-log-newton",
        source=_SOURCE,
        statement="The logarithm of cost over what the target allows is convex in the logarithm "
        "of the granularity; it vanishes where the speedup is s.",
        given=("s < A", "o + L0 > 0"),
        asserts=(
            "iff(log((o + L0 + L1*g)/(effective_index*g**beta)) == 0, speedup == s)",
            "g*diff(log((o + L0 + L1*g)/(effective_index*g**beta)), g) "
            "== L1*g/(o + L0 + L1*g) - beta",
            "g*diff(g*diff(log((o + L0 + L1*g)/(effective_index*g**beta)), g), g) "
            "== (o + L0)*L1*g/(o + L0 + L1*g)**2",
        ),
    ),
    Claim(
        id="ext-log-newton-tangent",
        source=_SOURCE,
        statement="So it lies above each of its tangents.",
        given=("o + L0 > 0",),
        asserts=("log((o + L0 + L1*y)/(o + L0 + L1*x)) >= L1*x/(o + L0 + L1*x)*log(y/x)",),
        argument="A Newton step goes to where the tangent vanishes; there the function is not "
        "negative. With a negative slope the step goes up and stays below the root: steps from a "
        "point where the function is not negative converge monotonically.",
    ),
    Claim(
        id="ext-log-newton-starts-lower",
        source=_SOURCE,
        statement="For beta < 1, u, the granularity without latency per byte, is a start below the "
        "lower granularity from which they rise: there the function is not negative and falls.",
        given=("beta < 1", "exists(g_s)", "L1 > 0"),
        asserts=(
            "overhead_root < g_s",
            "o + L0 + L1*overhead_root >= effective_index*overhead_root**beta",
            "L1*overhead_root/(o + L0 + L1*overhead_root) < beta",
        ),
        touch=("g_peak",),
        argument="By ext-log-newton-tangent they then converge to the lower granularity.",
    ),
    Claim(
        id="ext-log-newton-starts-upper",
        source=_SOURCE,
        statement="For beta < 1, v, the granularity without overhead, is a start above the upper "
        "one from which they fall: there the function is not negative and rises.",
        given=("beta < 1", "exists(g_s_upper)", "o + L0 > 0"),
        asserts=(
            "latency_root > g_s_upper",
            "o + L0 + L1*latency_root >= effective_index*latency_root**beta",
            "L1*latency_root/(o + L0 + L1*latency_root) > beta",
        ),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-log-newton-starts-superlinear",
        source=_SOURCE,
        statement="For beta > 1 the larger of the two is a start below the granularity from which "
        "they rise: there the function is not negative and falls.",
        given=("beta > 1", "s < A", "o + L0 > 0", "L1 > 0"),
        asserts=(
            "root_floor < g_s",
            "o + L0 + L1*root_floor >= effective_index*root_floor**beta",
            "L1*root_floor/(o + L0 + L1*root_floor) < beta",
        ),
    ),
    Claim(
        id="ext-log-newton-tangency",
        source=_SOURCE,
        statement="The slope vanishes at the root only if the peak just reaches the target.",
        given=("beta < 1", "exists(g_s)", "L1 > 0"),
        asserts=(
            "iff(L1*g_s/(o + L0 + L1*g_s) == beta, g_s == g_peak)",
            "iff(g_s == g_peak, effective_index == index_threshold)",
        ),
        touch=("g_peak",),
        argument="Where the slope does not vanish Newton's method converges quadratically.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_STEP, *_UNIT_FREE, *_LOG)
