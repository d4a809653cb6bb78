"""Theorems of ours: when and how often a target is reached; peak, brackets, budgets."""

from logca.proofs.claims.claim import Claim

__all__ = [
    "CLAIMS",
]

_SOURCE = "logca2026, existence"
_SUBLINEAR = ("beta < 1", "L1 > 0", "o + L0 > 0")

_CASES = (
    Claim(
        id="ext-existence-constant",
        source=_SOURCE,
        statement="Without latency per byte every target below the acceleration is reached at "
        "exactly one granularity.",
        given=("L1 == 0", "o + L0 > 0", "s < A"),
        asserts=(
            "iff(speedup == s, g == overhead_root)",
            "iff(speedup > s, g > overhead_root)",
            "exists(g_s) and g_s == overhead_root",
        ),
    ),
    Claim(
        id="ext-existence-superlinear",
        source=_SOURCE,
        statement="A superlinear kernel reaches every target below the acceleration, with any "
        "latency.",
        given=("beta > 1", "s < A", "o + L0 > 0", "L1 > 0"),
        asserts=("trinomial(g=root_floor) < 0 <= trinomial(g=root_ceiling)", "exists(g_s)"),
        argument="By the intermediate value theorem the continuous trinomial vanishes in "
        "between; by ext-target-equivalence-index the speedup is s there. Without overhead or "
        "latency: ext-existence-constant and ext-edge-cases-no-overhead.",
    ),
    Claim(
        id="ext-existence-superlinear-unique",
        source=_SOURCE,
        statement="At one granularity only, beyond which the speedup is larger.",
        given=("beta >= 1", "o + L0 > 0", "x < y", "speedup(g=x) >= s"),
        asserts=("speedup(g=y) > s",),
        argument="So a second granularity with speedup s, the larger of two, cannot exist.",
    ),
    Claim(
        id="ext-existence-linear",
        source=_SOURCE,
        statement="A linear kernel reaches the target if, and only if, the effective index "
        "exceeds the latency per byte; then at (o + L0)/(a_s - L1), and only there.",
        given=("beta == 1", "o + L0 > 0", "effective_index > L1"),
        asserts=(
            "iff(speedup == s, g == (o + L0)/(effective_index - L1))",
            "exists(g_s) and g_s == (o + L0)/(effective_index - L1)",
        ),
    ),
    Claim(
        id="ext-existence-linear-none",
        source=_SOURCE,
        statement="Otherwise its speedup stays below the target.",
        given=("beta == 1", "o + L0 > 0", "effective_index <= L1"),
        asserts=("speedup < s", "not exists(g_s)"),
    ),
    Claim(
        id="ext-existence-linear-break-even",
        source=_SOURCE,
        statement="A linear kernel breaks even if, and only if, C/L1 > A/(A - 1).",
        given=("beta == 1", "A > 1", "o + L0 > 0", "L1 > 0"),
        asserts=("iff(exists(g1), computational_intensity > A/(A - 1))",),
    ),
    Claim(
        id="ext-existence-sublinear-rise",
        source=_SOURCE,
        statement="A sublinear kernel's speedup rises up to the peak granularity.",
        given=("latency == affine", "x < y", "y <= g_peak"),
        asserts=("speedup(g=x) < speedup(g=y)",),
    ),
    Claim(
        id="ext-existence-sublinear-fall",
        source=_SOURCE,
        statement="And falls from there on.",
        given=("latency == affine", "g_peak <= x", "x < y"),
        asserts=("speedup(g=x) > speedup(g=y)",),
    ),
    Claim(
        id="ext-existence-sublinear-two",
        source=_SOURCE,
        statement="It has the target speedup at two granularities, one on each side of the peak, "
        "if the effective index exceeds the threshold.",
        given=("latency == affine", "effective_index > index_threshold"),
        asserts=(
            "trinomial(g=g_peak) > 0",
            "lower_root_floor < g_peak < upper_root_ceiling",
            "trinomial(g=lower_root_floor) < 0",
            "trinomial(g=upper_root_ceiling) < 0",
            "exists(g_s) and exists(g_s_upper)",
            "g_s < g_peak < g_s_upper",
        ),
        touch=("g_peak",),
        argument="Intermediate value theorem on each side; ext-existence-sublinear-rise and "
        "-fall leave no more than one granularity on each.",
    ),
    Claim(
        id="ext-existence-sublinear-one",
        source=_SOURCE,
        statement="At the threshold the peak is the only one.",
        given=("latency == affine", "effective_index == index_threshold"),
        asserts=("iff(speedup == s, g == g_peak)", "exists(g_s)", "exists(g_s_upper)"),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-existence-sublinear-none",
        source=_SOURCE,
        statement="Below the threshold the target is never reached.",
        given=("latency == affine", "effective_index < index_threshold"),
        asserts=("speedup < s", "not exists(g_s)", "not exists(g_s_upper)"),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-existence-sublinear-interval",
        source=_SOURCE,
        statement="Between the two granularities, and only there, the speedup exceeds the target.",
        given=("latency == affine", "exists(g_s)", "exists(g_s_upper)"),
        asserts=("iff(speedup >= s, g_s <= g and g <= g_s_upper)",),
    ),
)

_THRESHOLDS = (
    Claim(
        id="ext-entropy-threshold",
        source=_SOURCE,
        statement="The speedup of an infinitely fast accelerator never exceeds its peak, the "
        "bound of weighted means on overhead and latency.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite <= speedup_infinite_peak",
            "iff(speedup_infinite == speedup_infinite_peak, g == g_peak)",
            "o + L0 + L1*g >= ((o + L0)/(1 - beta))**(1 - beta)*(L1*g/beta)**beta",
        ),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-entropy-threshold-value",
        source=_SOURCE,
        statement="That peak is C*exp(-H)/((o + L0)**(1 - beta)*L1**beta), with H the natural "
        "binary entropy of the exponent.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite_peak == C*exp(-entropy)/((o + L0)**(1 - beta)*L1**beta)",
            "entropy == -beta*log(beta) - (1 - beta)*log(1 - beta)",
            "kappa_threshold == exp(entropy)",
            "kappa_threshold == beta**-beta*(1 - beta)**(beta - 1)",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-range",
        source=_SOURCE,
        statement="The exponential of the entropy lies between one and two, two only for "
        "beta = 1/2.",
        given=("beta < 1",),
        asserts=(
            "1 < kappa_threshold <= 2",
            "iff(kappa_threshold == 2, beta == 1/2)",
            "entropy > 0",
        ),
        touch=("2*beta", "2*(1 - beta)"),
    ),
    Claim(
        id="ext-entropy-threshold-kappa",
        source=_SOURCE,
        statement="One number decides: in units of (o + L0)/L1 the equation is "
        "kappa*xi**beta = 1 + xi.",
        given=("s < A", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "kappa == effective_index*(o + L0)**(beta - 1)*L1**-beta",
            "trinomial(g=x*(o + L0)/L1) == (o + L0)*(kappa*x**beta - 1 - x)",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-equivalent",
        source=_SOURCE,
        statement="Thresholds of scaled index, effective index, intensity and peak all say the "
        "same.",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "kappa/kappa_threshold == effective_index/index_threshold",
            "computational_intensity/intensity_threshold == effective_index/index_threshold",
            "speedup_infinite_peak*(1/s - 1/A) == effective_index/index_threshold",
            "index_threshold == ((o + L0)/(1 - beta))**(1 - beta)*(L1/beta)**beta",
            "iff(effective_index >= index_threshold, speedup_peak >= s)",
            "iff(effective_index >= index_threshold, exists(g_s))",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-intensity",
        source=_SOURCE,
        statement="The least intensity is exp(H)*((o + L0)/L1)**(1 - beta)*s*A/(A - s).",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "intensity_threshold == exp(entropy)*((o + L0)/L1)**(1 - beta)*s*A/(A - s)",
            "iff(computational_intensity >= intensity_threshold, exists(g_s))",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-half",
        source=_SOURCE,
        statement="For beta = 1/2 the target is reached if, and only if, a_s**2 >= 4*(o + L0)*L1.",
        given=("beta == 1/2", "s < A", "o + L0 > 0"),
        asserts=("iff(exists(g_s), effective_index**2 >= 4*(o + L0)*L1)",),
    ),
)


_PEAK = (
    Claim(
        id="ext-peak",
        source=_SOURCE,
        statement="A sublinear kernel with a latency per byte has its greatest speedup at "
        "beta*(o + L0)/((1 - beta)*L1), and only there.",
        given=_SUBLINEAR,
        asserts=(
            "g_peak == beta*(o + L0)/((1 - beta)*L1)",
            "speedup <= speedup_peak",
            "iff(speedup == speedup_peak, g == g_peak)",
        ),
        touch=("g_peak",),
        argument="Neither C nor A occurs in g_peak.",
    ),
    Claim(
        id="ext-peak-slope",
        source=_SOURCE,
        statement="Below that granularity the speedup rises, above it falls.",
        given=_SUBLINEAR,
        asserts=(
            "iff(diff(speedup, g) > 0, g < g_peak)",
            "iff(diff(speedup, g) == 0, g == g_peak)",
        ),
    ),
    Claim(
        id="ext-peak-value",
        source=_SOURCE,
        statement="The greatest speedup is A*P/(A + P), with P that of an infinitely fast "
        "accelerator.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite_peak == speedup_infinite(g=g_peak)",
            "speedup_peak == A*speedup_infinite_peak/(A + speedup_infinite_peak)",
            "speedup_peak == speedup(g=g_peak)",
        ),
    ),
    Claim(
        id="ext-peak-shares",
        source=_SOURCE,
        statement="At the peak latency and overhead are as beta to 1 - beta.",
        given=_SUBLINEAR,
        asserts=("(1 - beta)*L1*g_peak == beta*(o + L0)",),
    ),
    Claim(
        id="ext-peak-none",
        source=_SOURCE,
        statement="From linear complexity on the speedup has no peak: it keeps rising.",
        given=("beta >= 1", "o + L0 > 0"),
        asserts=("diff(speedup, g) > 0",),
    ),
)

_SAVINGS = (
    Claim(
        id="ext-savings",
        source=_SOURCE,
        statement="A sublinear kernel saves most time at g_saving; the saving there is "
        "(1 - beta)/beta*L1*g_saving - o - L0.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=(
            "g_saving == (beta*C*(1 - 1/A)/L1)**(1/(1 - beta))",
            "T0 - T1 <= saving_peak",
            "iff(T0 - T1 == saving_peak, g == g_saving)",
            "saving_peak == (1 - beta)/beta*L1*g_saving - o - L0",
            "saving_peak == T0(g=g_saving) - T1(g=g_saving)",
        ),
    ),
    Claim(
        id="ext-savings-slope",
        source=_SOURCE,
        statement="Below g_saving every further byte saves time, above it costs time.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=(
            "iff(diff(T0 - T1, g) > 0, g < g_saving)",
            "iff(diff(T0 - T1, g) == 0, g == g_saving)",
        ),
    ),
    Claim(
        id="ext-savings-positive",
        source=_SOURCE,
        statement="Some time can be saved if, and only if, the most is saved beyond the peak; "
        "then offloading breaks even twice.",
        given=(*_SUBLINEAR, "A > 1"),
        asserts=(
            "iff(saving_peak > 0, g_saving > g_peak)",
            "iff(g_saving > g_peak, speedup_peak > 1)",
            "iff(g_saving >= g_peak, exists(g1_upper))",
        ),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-savings-interlacing",
        source=_SOURCE,
        statement="The four granularities then interlace: lower break-even, peak, most time "
        "saved, upper break-even.",
        given=("latency == affine", "g_saving > g_peak"),
        asserts=("g1 < g_peak < g_saving < g1_upper",),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-savings-denominator",
        source=_SOURCE,
        statement="The condition on the denominator of Eq. 11 says that the most is saved beyond "
        "one byte.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=("iff(C*beta*(A - 1) - A*L1 > 0, g_saving > 1)",),
    ),
)

_BRACKETS = (
    Claim(
        id="ext-brackets-lower",
        source=_SOURCE,
        statement="For beta < 1 the lower granularity lies between u = ((o + L0)/a_s)**(1/beta) "
        "and u*(1 - beta)**(-1/beta).",
        given=("beta < 1", "L1 > 0", "exists(g_s)"),
        asserts=(
            "lower_root_floor < g_s <= lower_root_ceiling",
            "lower_root_floor == ((o + L0)/effective_index)**(1/beta)",
            "lower_root_ceiling == ((o + L0)/((1 - beta)*effective_index))**(1/beta)",
            "iff(g_s == lower_root_ceiling, g_s == g_peak)",
        ),
    ),
    Claim(
        id="ext-brackets-upper",
        source=_SOURCE,
        statement="And the upper one between v*beta**(1/(1 - beta)) and v = "
        "(a_s/L1)**(1/(1 - beta)).",
        given=("o + L0 > 0", "exists(g_s_upper)"),
        asserts=(
            "upper_root_floor <= g_s_upper < upper_root_ceiling",
            "upper_root_floor == (beta*effective_index/L1)**(1/(1 - beta))",
            "upper_root_ceiling == (effective_index/L1)**(1/(1 - beta))",
            "iff(g_s_upper == upper_root_floor, g_s_upper == g_peak)",
        ),
    ),
    Claim(
        id="ext-brackets-parts",
        source=_SOURCE,
        statement="The two numbers u and v are the granularities for which overhead alone, or "
        "latency alone, costs all that the target allows.",
        given=("s < A", "L1 > 0", "beta != 1"),
        asserts=(
            "overhead_root == ((o + L0)/effective_index)**(1/beta)",
            "latency_root == (L1/effective_index)**(1/(beta - 1))",
            "effective_index*overhead_root**beta == o + L0",
            "effective_index*latency_root**beta == L1*latency_root",
        ),
    ),
    Claim(
        id="ext-brackets-superlinear",
        source=_SOURCE,
        statement="For beta > 1 the granularity lies between the larger of u and v and the "
        "larger of 2**(1/beta)*u and 2**(1/(beta - 1))*v.",
        given=("beta > 1", "L1 > 0", "o + L0 > 0", "s < A"),
        asserts=(
            "root_floor < g_s <= root_ceiling",
            "root_floor == max(overhead_root, latency_root)",
            "root_ceiling == max(2**(1/beta)*overhead_root, 2**(1/(beta - 1))*latency_root)",
        ),
    ),
)

_BUDGETS = (
    Claim(
        id="ext-budgets-overhead",
        source=_SOURCE,
        statement="For beta < 1 the target is reached if, and only if, overhead and latency per "
        "offload stay within (1 - beta)*(a_s*(beta/L1)**beta)**(1/(1 - beta)).",
        given=("s < A", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "overhead_budget == (1 - beta)*(effective_index*(beta/L1)**beta)**(1/(1 - beta))",
            "iff(o + L0 <= overhead_budget, exists(g_s))",
            "iff(o + L0 == overhead_budget, effective_index == index_threshold)",
        ),
        touch=("(o + L0)/(1 - beta)",),
    ),
    Claim(
        id="ext-budgets-latency",
        source=_SOURCE,
        statement="If, and only if, the latency per byte stays within "
        "beta*(a_s*((1 - beta)/(o + L0))**(1 - beta))**(1/beta).",
        given=("s < A", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "latency_budget == beta*(effective_index*((1 - beta)/(o + L0))**(1 - beta))**(1/beta)",
            "iff(L1 <= latency_budget, exists(g_s))",
            "iff(L1 == latency_budget, effective_index == index_threshold)",
        ),
        touch=("L1/beta",),
    ),
)

_EDGES = (
    Claim(
        id="ext-edge-cases-no-overhead",
        source=_SOURCE,
        statement="Without overhead the target is reached exactly at v; from there on for "
        "beta > 1, up to there for beta < 1.",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta != 1"),
        asserts=(
            "iff(speedup == s, g == latency_root)",
            "iff(speedup > s, (g > latency_root and beta > 1) or (g < latency_root and beta < 1))",
            "iff(exists(g_s), beta > 1)",
            "iff(exists(g_s_upper), beta < 1)",
        ),
    ),
    Claim(
        id="ext-edge-cases-no-overhead-linear",
        source=_SOURCE,
        statement="Without overhead a linear kernel has the same speedup everywhere.",
        given=("o == 0", "L0 == 0", "beta == 1"),
        asserts=("speedup == A*C/(A*L1 + C)",),
    ),
    Claim(
        id="ext-edge-cases-nothing",
        source=_SOURCE,
        statement="Without overhead and latency the speedup is the acceleration; otherwise it "
        "stays below.",
        asserts=("iff(speedup == A, o + L0 + L1 == 0)", "speedup <= A"),
    ),
    Claim(
        id="ext-edge-cases-no-acceleration",
        source=_SOURCE,
        statement="An accelerator that is not faster than the host never breaks even.",
        given=("A <= 1", "o + L0 + L1 > 0"),
        asserts=("speedup < 1", "not exists(g1)"),
    ),
    Claim(
        id="ext-edge-cases-acceleration-to-one",
        source=_SOURCE,
        statement="As the acceleration falls to one, break-even moves beyond all bounds, and the "
        "condition for a linear kernel to break even becomes unattainable.",
        given=("L1 == 0", "o + L0 > 0"),
        asserts=(
            "g1(A=1 + r)**beta == (1 + 1/r)*(o + L0)/C",
            "limit(C/((1 + 1/r)*(o + L0)), r, 0) == 0",
            "limit(r/(1 + r), r, 0) == 0",
        ),
        argument="With r = A - 1, and the reciprocals of what grows; by "
        "ext-existence-linear-break-even the least C/L1 is A/(A - 1) = (1 + r)/r.",
    ),
    Claim(
        id="ext-edge-cases-acceleration-unbounded",
        source=_SOURCE,
        statement="As the acceleration grows the effective index tends to C/s.",
        given=("s < A",),
        asserts=("limit(effective_index, A, oo) == C/s",),
    ),
    Claim(
        id="ext-edge-cases-exponent-to-zero",
        source=_SOURCE,
        statement="For exponent zero, a host time that does not depend on granularity, the "
        "target is reached up to (a_s - o - L0)/L1, if that is positive.",
        given=("s < A",),
        asserts=("iff(C/(o + L0 + L1*g + C/A) >= s, L1*g <= effective_index - o - L0)",),
    ),
    Claim(
        id="ext-edge-cases-exponent-to-one",
        source=_SOURCE,
        statement="As the exponent rises to one the threshold tends to that of a linear kernel, "
        "a_s = L1.",
        given=("beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "log(index_threshold/L1) == (1 - beta)*log((o + L0)/L1) - beta*log(beta) "
            "- (1 - beta)*log(1 - beta)",
            "0 < -beta*log(beta) <= 1 - beta",
        ),
        argument="All three terms vanish as beta rises to one: the second by the assertion, the "
        "last by ext-edge-cases-exponent-to-one-bound.",
    ),
    Claim(
        id="ext-edge-cases-exponent-to-one-bound",
        source=_SOURCE,
        statement="The entropy of a vanishing share vanishes: with 1 - beta = r**2 it is at most "
        "2*r.",
        given=("r < 1",),
        asserts=("0 < -r**2*log(r**2) <= 2*r",),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    *_CASES,
    *_THRESHOLDS,
    *_PEAK,
    *_SAVINGS,
    *_BRACKETS,
    *_BUDGETS,
    *_EDGES,
)
