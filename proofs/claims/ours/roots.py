"""Theorems of ours: granularities in closed form and as power series; their symmetries."""

from logca.proofs.claims.claim import Claim

__all__ = [
    "CLAIMS",
]

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


_ROOTS_SOURCE = "logca2026, roots"

_SYMMETRIES = (
    Claim(
        id="ext-duality",
        source=_ROOTS_SOURCE,
        statement="Exchanging overhead and latency per byte, g and 1/g, beta and 1 - beta leaves "
        "the speedup as it is.",
        given=("beta < 1",),
        asserts=(
            "speedup(g=1/g, o=L1, L0=0, L1=o + L0, beta=1 - beta) == speedup",
            "speedup_reflected == speedup",
        ),
    ),
    Claim(
        id="ext-duality-roots",
        source=_ROOTS_SOURCE,
        statement="So the upper granularity is the reciprocal of the lower one of the reflected "
        "model.",
        given=("exists(g_s_upper)",),
        asserts=("g_s_upper*g_s(o=L1, L0=0, L1=o + L0, beta=1 - beta) == 1",),
    ),
    Claim(
        id="ext-units",
        source=_ROOTS_SOURCE,
        statement="A new unit of granularity leaves the speedup as it is, if C and the latency "
        "per byte are converted with it.",
        asserts=(
            "speedup(g=g/scale, C=C*scale**beta, L1=L1*scale) == speedup",
            "speedup_rescaled == speedup",
        ),
    ),
    Claim(
        id="ext-units-roots",
        source=_ROOTS_SOURCE,
        statement="Granularities convert like granularities.",
        given=("exists(g_s)",),
        asserts=("scale*g_s(C=C*scale**beta, L1=L1*scale) == g_s",),
        touch=("scale*g_s(C=C*scale**beta, L1=L1*scale)",),
    ),
    Claim(
        id="ext-units-invariant",
        source=_ROOTS_SOURCE,
        statement="The number C/((o + L0)**(1 - beta)*L1**beta) does not depend on the unit.",
        given=("o + L0 > 0", "L1 > 0"),
        asserts=(
            "omega_invariant == C/((o + L0)**(1 - beta)*L1**beta)",
            "omega_invariant(C=C*scale**beta, L1=L1*scale) == omega_invariant",
            "speedup_infinite(g=x*(o + L0)/L1) == omega_invariant*x**beta/(1 + x)",
        ),
    ),
    Claim(
        id="ext-units-intensity",
        source=_ROOTS_SOURCE,
        statement="The computational intensity C/L1 does, except for linear kernels.",
        given=("L1 > 0", "scale != 1", "beta != 1"),
        asserts=(
            "computational_intensity(C=C*scale**beta, L1=L1*scale) != computational_intensity",
        ),
    ),
    Claim(
        id="ext-units-newton",
        source=_ROOTS_SOURCE,
        statement="Eq. 11 depends on the unit too: for radix sort on the APU it gives 1.83 MB "
        "computed in bytes, 2.87 MB computed in KiB; break-even is at 4.77 MB.",
        given=(
            "latency == linear",
            "o == 4e8",
            "L == 15",
            "C == 290",
            "A == 7",
            "beta == 0.94",
        ),
        asserts=(
            "1.829e6 < g1_newton < 1.83e6",
            "2.873e6 < 1024*g1_newton(C=C*1024**beta, L=L*1024) < 2.875e6",
            "4.773e6 < g1 < 4.775e6",
        ),
        argument="Parameters of Table 5, the exponent of Table 4.",
    ),
    Claim(
        id="ext-units-newton-unit-free",
        source=_ROOTS_SOURCE,
        statement="The step from the granularity without latency per byte does not.",
        given=("o + L0 > 0", "beta*(o + L0) > L1*overhead_root"),
        asserts=("scale*newton_unit_free(C=C*scale**beta, L1=L1*scale) == newton_unit_free",),
    ),
)

_SERIES = (
    Claim(
        id="ext-series-epsilon",
        source=_ROOTS_SOURCE,
        statement="In units of u, the granularity without latency per byte, the equation is "
        "y**beta = 1 + epsilon*y, with epsilon = L1*u/(o + L0).",
        given=("s < A", "o + L0 > 0"),
        asserts=(
            "epsilon == L1*overhead_root/(o + L0)",
            "trinomial(g=overhead_root*x) == (o + L0)*(x**beta - 1 - epsilon*x)",
        ),
    ),
    Claim(
        id="ext-series-omega",
        source=_ROOTS_SOURCE,
        statement="In units of v, the granularity without overhead, it is "
        "y**beta = omega + y, with omega = (o + L0)/(L1*v).",
        given=("s < A", "L1 > 0", "beta != 1"),
        asserts=(
            "omega == (o + L0)/(L1*latency_root)",
            "trinomial(g=latency_root*x) == L1*latency_root*(x**beta - omega - x)",
        ),
    ),
    Claim(
        id="ext-series-epsilon-coefficients",
        source=_ROOTS_SOURCE,
        statement="The series of the granularity over u in powers of epsilon has the coefficients "
        "binomial((n + 1)/beta, n)/(n + 1): those of generalised binomial series.",
        given=("L1 == 0", "s < A", "o + L0 > 0"),
        asserts=(
            "g_s == epsilon_coefficient(n=0)*overhead_root",
            "diff(g_s, L1)*(o + L0) == epsilon_coefficient(n=1)*overhead_root**2",
            "diff(g_s, L1, 2)*(o + L0)**2 == 2*epsilon_coefficient(n=2)*overhead_root**3",
            "diff(g_s, L1, 3)*(o + L0)**3 == 6*epsilon_coefficient(n=3)*overhead_root**4",
        ),
        argument="Every coefficient is Lagrange's (flajolet2009, appendix A.6), as derived in "
        "the formula; shown here, by implicit differentiation at L1 = 0, for n up to 3.",
    ),
    Claim(
        id="ext-series-epsilon-second",
        source=_ROOTS_SOURCE,
        statement="The first coefficients are 1, 1/beta and (3 - beta)/(2*beta**2).",
        asserts=(
            "epsilon_coefficient(n=0) == 1",
            "epsilon_coefficient(n=1) == 1/beta",
            "epsilon_coefficient(n=2) == (3 - beta)/(2*beta**2)",
        ),
    ),
    Claim(
        id="ext-series-omega-coefficients",
        source=_ROOTS_SOURCE,
        statement="For beta > 1 the series over v in powers of omega has coefficients "
        "-q/n!*(product of n*q - q - j for j = 1 to n - 1), q = 1/(1 - beta).",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta > 1"),
        asserts=(
            "g_s == latency_root",
            "diff(g_s, o)*L1 == omega_coefficient(n=1)",
            "diff(g_s, o, 2)*L1**2*latency_root == 2*omega_coefficient(n=2)",
            "diff(g_s, o, 3)*L1**3*latency_root**2 == 6*omega_coefficient(n=3)",
            "omega_coefficient(n=1) == 1/(beta - 1)",
            "omega_coefficient(n=2) == 1/(beta - 1)/2*(1/(1 - beta) - 1)",
        ),
        argument="As in ext-series-epsilon-coefficients, here at o + L0 = 0.",
    ),
    Claim(
        id="ext-series-omega-coefficients-upper",
        source=_ROOTS_SOURCE,
        statement="For beta < 1 the same series gives the upper granularity.",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta < 1"),
        asserts=(
            "g_s_upper == latency_root",
            "diff(g_s_upper, o)*L1 == omega_coefficient(n=1)",
            "diff(g_s_upper, o, 2)*L1**2*latency_root == 2*omega_coefficient(n=2)",
            "diff(g_s_upper, o, 3)*L1**3*latency_root**2 == 6*omega_coefficient(n=3)",
        ),
        argument="As in ext-series-epsilon-coefficients, here at o + L0 = 0.",
    ),
)

_RADII = (
    Claim(
        id="ext-series-radius-kappa",
        source=_ROOTS_SOURCE,
        statement="Both small quantities are powers of the scaled index.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta != 1"),
        asserts=("epsilon**beta*kappa == 1", "omega**(1 - beta)*kappa == 1"),
    ),
    Claim(
        id="ext-series-radius-sublinear",
        source=_ROOTS_SOURCE,
        statement="For beta < 1 both series converge exactly where the granularities exist.",
        given=("s < A", "o + L0 > 0", "beta < 1"),
        asserts=(
            "epsilon_radius == beta*(1 - beta)**((1 - beta)/beta)",
            "omega_radius == (1 - beta)*beta**(beta/(1 - beta))",
            "iff(epsilon <= epsilon_radius, exists(g_s))",
        ),
        argument="Radius of convergence: ext-series-radius-singularity. On the circle the series "
        "converges too, since the singularity is a square root (flajolet2009, section VI.7).",
        touch=("epsilon", "beta*(1 - beta)**((1 - beta)/beta)"),
    ),
    Claim(
        id="ext-series-radius-sublinear-upper",
        source=_ROOTS_SOURCE,
        statement="The same for the series in omega and the upper granularity.",
        given=("s < A", "L1 > 0", "beta < 1"),
        asserts=("iff(omega <= omega_radius, exists(g_s_upper))",),
        argument="Radius of convergence: ext-series-radius-singularity-omega.",
        touch=("omega", "(1 - beta)*beta**(beta/(1 - beta))"),
    ),
    Claim(
        id="ext-series-radius-complementary",
        source=_ROOTS_SOURCE,
        statement="For beta > 1 each of the two small quantities is a power of the other.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta > 1"),
        asserts=("omega == epsilon**(-beta/(beta - 1))",),
    ),
    Claim(
        id="ext-series-radius-complementary-epsilon",
        source=_ROOTS_SOURCE,
        statement="The series in epsilon diverges where the scaled index is small.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta > 1"),
        asserts=("iff(epsilon > epsilon_radius, kappa < beta**-beta*(beta - 1)**(beta - 1))",),
        touch=("epsilon", "epsilon_radius"),
    ),
    Claim(
        id="ext-series-radius-complementary-omega",
        source=_ROOTS_SOURCE,
        statement="Inside its circle of convergence the series in omega is exactly where that in "
        "epsilon is outside of its own.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta > 1"),
        asserts=("iff(omega < omega_radius, kappa < beta**-beta*(beta - 1)**(beta - 1))",),
        argument="With ext-series-radius-complementary-epsilon; on the common circle both "
        "converge, as n**(-3/2) is summable.",
        touch=("omega", "omega_radius"),
    ),
    Claim(
        id="ext-series-radius-singularity",
        source=_ROOTS_SOURCE,
        statement="For beta < 1 the series in epsilon is that of the inverse of "
        "z*(1 + z)**(-1/beta), whose derivative vanishes at z = beta/(1 - beta), where it is the "
        "radius.",
        given=("beta < 1", "x == beta/(1 - beta)"),
        asserts=(
            "diff(x*(1 + x)**(-1/beta), x) == 0",
            "beta/(1 - beta)*(1 + beta/(1 - beta))**(-1/beta) == epsilon_radius",
        ),
        argument="The coefficients are positive, so the dominant singularity is the one on the "
        "positive axis (Pringsheim): the point where the inverse ceases to be analytic.",
    ),
    Claim(
        id="ext-series-radius-singularity-superlinear",
        source=_ROOTS_SOURCE,
        statement="For beta > 1 that point is z = -beta/(beta - 1); the modulus there is the "
        "radius.",
        given=("beta > 1", "x == beta/(beta - 1)"),
        asserts=(
            "diff(x*(x - 1)**(-1/beta), x) == 0",
            "beta/(beta - 1)*(beta/(beta - 1) - 1)**(-1/beta) == epsilon_radius",
        ),
        argument="With z = -x; the moduli of the coefficients behave like radius**-n*n**(-3/2) by "
        "Stirling's formula.",
    ),
    Claim(
        id="ext-series-radius-singularity-omega",
        source=_ROOTS_SOURCE,
        statement="The series in omega is that of the inverse of z*(1 + z)**(1/(beta - 1)), "
        "singular for beta < 1 at z = (1 - beta)/beta.",
        given=("beta < 1", "x == (1 - beta)/beta"),
        asserts=(
            "diff(x*(1 + x)**(1/(beta - 1)), x) == 0",
            "(1 - beta)/beta*(1 + (1 - beta)/beta)**(1/(beta - 1)) == omega_radius",
        ),
        argument="As in ext-series-radius-singularity.",
    ),
    Claim(
        id="ext-series-radius-singularity-omega-superlinear",
        source=_ROOTS_SOURCE,
        statement="And for beta > 1 at z = -(beta - 1)/beta.",
        given=("beta > 1", "x == (beta - 1)/beta"),
        asserts=(
            "diff(x*(1 - x)**(1/(beta - 1)), x) == 0",
            "(beta - 1)/beta*(1 - (beta - 1)/beta)**(1/(beta - 1)) == omega_radius",
        ),
        argument="With z = -x, as in ext-series-radius-singularity-superlinear.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_RADICALS, *_LAMBERT, *_SYMMETRIES, *_SERIES, *_RADII)
