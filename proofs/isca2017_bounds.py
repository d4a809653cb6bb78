"""What ISCA 2017 says of compute-bound and latency-bound kernels: section 3.1."""

from logca.proofs.claim import Claim, Correction

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec3.1-bounds",
        source="altaf2017, §3.1",
        statement="Acceleration, and the product of C/L and g**(beta - 1), bound the speedup.",
        given=("latency == linear", "L > 0"),
        asserts=("speedup < min(A, C/L*g**(beta - 1))",),
    ),
    Claim(
        id="isca2017-sec3.1-compute-bound-constant",
        source="altaf2017, §3.1",
        statement="With latency independent of granularity a kernel is compute-bound: its "
        "achievable speedup is bounded by the acceleration.",
        given=("latency == constant", "o + L > 0"),
        asserts=("speedup < compute_bound", "limit(speedup, g, oo) == compute_bound == A"),
        argument="Achievable: A is the least upper bound.",
    ),
    Claim(
        id="isca2017-sec3.1-compute-bound-superlinear",
        source="altaf2017, §3.1",
        statement="With latency proportional to granularity a super-linear kernel is "
        "compute-bound: its achievable speedup is bounded by the acceleration.",
        given=("o + L > 0", "beta > 1"),
        asserts=("speedup < compute_bound", "limit(speedup, g, oo) == compute_bound == A"),
        argument="With either form of latency.",
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound",
        source="altaf2017, §3.1",
        statement="With latency proportional to granularity a linear or sub-linear kernel is "
        "latency-bound: its speedup is bounded by C/L.",
        given=("latency == linear", "L > 0", "beta <= 1"),
        asserts=("speedup < C/L",),
        corrected=Correction(
            statement="It is, for granularities of one byte or more; for linear kernels always.",
            given=("latency == linear", "L > 0", "beta <= 1", "beta == 1 or g >= 1"),
            asserts=("speedup < C/L",),
        ),
        argument="Below one byte the bound C/L*g**(beta - 1) of a sub-linear kernel is above C/L.",
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound-linear",
        source="altaf2017, §3.1",
        statement="A latency-bound linear kernel stays below a bound that is less than the "
        "acceleration.",
        given=("latency == linear", "beta == 1", "L > 0"),
        asserts=("speedup <= latency_bound", "latency_bound < A"),
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound-sublinear",
        source="altaf2017, §3.1",
        statement="The same of a latency-bound sub-linear kernel.",
        given=("latency == linear", "(1 - beta)*L*x == beta*o", "o > 0"),
        asserts=("speedup <= speedup(g=x)", "speedup(g=x) < A"),
        argument="x is the granularity of the greatest speedup; beta < 1 follows. Without an "
        "overhead the speedup falls from A, and is less at every granularity.",
    ),
    Claim(
        id="isca2017-sec3.1-compute-bound-investment",
        source="altaf2017, §3.1",
        statement="For compute-bound kernels the granularity decides whether to invest in "
        "acceleration or in overheads.",
        asserts=(
            "iff(A*diff(speedup, A) > -o*diff(speedup, o), T0/A > o)",
            "iff(T0/A > o, g > (A*o/C)**(1/beta))",
        ),
        argument="Relative changes of the speedup with small relative changes of either.",
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound-investment-sublinear",
        source="altaf2017, §3.1",
        statement="For latency-bound sub-linear kernels acceleration and overheads matter little, "
        "latency and index matter much.",
        given=("latency == linear", "L > 0", "o > 0", "beta < 1"),
        asserts=("e_A < abs(e_L)", "abs(e_o) < abs(e_L)"),
        corrected=Correction(
            statement="In the limit of large granularities. Overheads matter less than latency "
            "exactly from o/L on; up to there, at the peak of the speedup too if beta < 1/2, "
            "they matter more.",
            given=("latency == linear", "L > 0", "o > 0", "beta < 1"),
            asserts=(
                "limit(e_A, g, oo) == 0",
                "limit(e_o, g, oo) == 0",
                "limit(e_L, g, oo) == -1",
                "limit(e_C, g, oo) == 1",
                "iff(abs(e_o) < abs(e_L), g > o/L)",
                "iff(g_peak < o/L, beta < 1/2)",
            ),
        ),
        argument="Elasticities of the speedup; without overhead e_o is 0.",
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound-investment-linear",
        source="altaf2017, §3.1",
        statement="For latency-bound linear kernels latency matters more than acceleration.",
        given=("latency == linear", "L > 0", "beta == 1"),
        asserts=("abs(e_L) > e_A",),
        corrected=Correction(
            statement="It does if and only if C/L < A; otherwise acceleration matters more.",
            given=("latency == linear", "L > 0", "beta == 1"),
            asserts=("iff(abs(e_L) > e_A, C/L < A)",),
        ),
    ),
    Claim(
        id="isca2017-sec3.1-latency-bound-investment-linear-overhead",
        source="altaf2017, §3.1",
        statement="For latency-bound linear kernels overheads matter little, latency and index "
        "matter.",
        given=("latency == linear", "L > 0", "o > 0", "beta == 1"),
        asserts=("abs(e_o) < abs(e_L)",),
        corrected=Correction(
            statement="In the limit of large granularities; overheads matter less than latency "
            "exactly from o/L on.",
            given=("latency == linear", "L > 0", "o > 0", "beta == 1"),
            asserts=(
                "limit(e_o, g, oo) == 0",
                "limit(e_L, g, oo) == -A*L/(A*L + C)",
                "limit(e_C, g, oo) == A*L/(A*L + C)",
                "iff(abs(e_o) < abs(e_L), g > o/L)",
            ),
        ),
        argument="For AES on the APU o/L is 26.7 MB, close to the greatest size measured.",
    ),
)
