"""Theorems of ours: granularities as power series, and their radii of convergence."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, roots"

_SERIES = (
    Claim(
        id="ext-series-epsilon",
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
        statement="The first four coefficients, n = 0 to 3, of the series of the granularity over "
        "u in powers of epsilon are binomial((n + 1)/beta, n)/(n + 1), as those of generalised "
        "binomial series.",
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
        source=_SOURCE,
        statement="The first coefficients are 1, 1/beta and (3 - beta)/(2*beta**2).",
        asserts=(
            "epsilon_coefficient(n=0) == 1",
            "epsilon_coefficient(n=1) == 1/beta",
            "epsilon_coefficient(n=2) == (3 - beta)/(2*beta**2)",
        ),
    ),
    Claim(
        id="ext-series-omega-coefficients",
        source=_SOURCE,
        statement="For beta > 1 the first coefficients, n = 1 to 3, of the series over v in "
        "powers of omega are -q/n!*(product of n*q - q - j for j = 1 to n - 1), q = 1/(1 - beta).",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta > 1"),
        asserts=(
            "g_s == latency_root",
            "diff(g_s, o)*L1 == omega_coefficient(n=1)",
            "diff(g_s, o, 2)*L1**2*latency_root == 2*omega_coefficient(n=2)",
            "diff(g_s, o, 3)*L1**3*latency_root**2 == 6*omega_coefficient(n=3)",
            "omega_coefficient(n=1) == 1/(beta - 1)",
            "omega_coefficient(n=2) == 1/(beta - 1)/2*(1/(1 - beta) - 1)",
        ),
        argument="As in ext-series-epsilon-coefficients, here at o + L0 = 0: every coefficient is "
        "Lagrange's, shown for n up to 3.",
    ),
    Claim(
        id="ext-series-omega-coefficients-upper",
        source=_SOURCE,
        statement="For beta < 1 the same coefficients, n = 1 to 3, are those of the upper "
        "granularity.",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta < 1"),
        asserts=(
            "g_s_upper == latency_root",
            "diff(g_s_upper, o)*L1 == omega_coefficient(n=1)",
            "diff(g_s_upper, o, 2)*L1**2*latency_root == 2*omega_coefficient(n=2)",
            "diff(g_s_upper, o, 3)*L1**3*latency_root**2 == 6*omega_coefficient(n=3)",
        ),
        argument="As in ext-series-omega-coefficients.",
    ),
)

_RADII = (
    Claim(
        id="ext-series-radius-kappa",
        source=_SOURCE,
        statement="Both small quantities are powers of the scaled index.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta != 1"),
        asserts=("epsilon**beta*kappa == 1", "omega**(1 - beta)*kappa == 1"),
    ),
    Claim(
        id="ext-series-radius-sublinear",
        source=_SOURCE,
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
        source=_SOURCE,
        statement="The same for the series in omega and the upper granularity.",
        given=("s < A", "L1 > 0", "beta < 1"),
        asserts=("iff(omega <= omega_radius, exists(g_s_upper))",),
        argument="Radius of convergence: ext-series-radius-singularity-omega.",
        touch=("omega", "(1 - beta)*beta**(beta/(1 - beta))"),
    ),
    Claim(
        id="ext-series-radius-complementary",
        source=_SOURCE,
        statement="For beta > 1 each of the two small quantities is a power of the other.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta > 1"),
        asserts=("omega == epsilon**(-beta/(beta - 1))",),
    ),
    Claim(
        id="ext-series-radius-complementary-epsilon",
        source=_SOURCE,
        statement="The series in epsilon diverges where the scaled index is small.",
        given=("s < A", "L1 > 0", "o + L0 > 0", "beta > 1"),
        asserts=("iff(epsilon > epsilon_radius, kappa < beta**-beta*(beta - 1)**(beta - 1))",),
        touch=("epsilon", "epsilon_radius"),
    ),
    Claim(
        id="ext-series-radius-complementary-omega",
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
        statement="And for beta > 1 at z = -(beta - 1)/beta.",
        given=("beta > 1", "x == (beta - 1)/beta"),
        asserts=(
            "diff(x*(1 - x)**(1/(beta - 1)), x) == 0",
            "(beta - 1)/beta*(1 - (beta - 1)/beta)**(1/(beta - 1)) == omega_radius",
        ),
        argument="With z = -x, as in ext-series-radius-singularity-superlinear.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_SERIES, *_RADII)
