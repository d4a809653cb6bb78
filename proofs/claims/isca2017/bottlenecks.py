"""Statements of ISCA 2017 on bounds, bottlenecks and optimisation regions: section 3."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = [
    "CLAIMS",
]

_BOUNDS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec3.1-bounds",
        source="altaf2017, §3.1",
        statement="With latency per byte acceleration, and the product of C/L and g**(beta - 1), "
        "bound the speedup.",
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


_CUT_O = "(A*(22/5*o - L)/C)**(1/beta)"
_CUT_L = "(A*(22/5*L - o)/C)**(1/beta)"
_CUT_C = "(22/5*A*(o + L)/C)**(1/beta)"
_CUT_A = "(5/22*A*(o + L)/C)**(1/beta)"

_SENSITIVITY: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec3.2-bottleneck-overhead",
        source="altaf2017, §3.2",
        statement="The overhead is a bottleneck where a tenth of it gains 20 %.",
        asserts=(
            "iff(speedup(o=o/10) >= 1.2*speedup, o/T1 >= 5/27)",
            "gain_o(r=10) == speedup(o=o/10)/speedup",
        ),
        argument="So exactly where it takes 5/27 of the accelerated time.",
    ),
    Claim(
        id="isca2017-sec3.2-bottleneck-latency",
        source="altaf2017, §3.2",
        statement="The latency is a bottleneck where a tenth of it gains 20 %.",
        asserts=(
            "iff(speedup(L=L/10) >= 1.2*speedup, (T1 - o - T0/A)/T1 >= 5/27)",
            "gain_L(r=10) == speedup(L=L/10)/speedup",
        ),
        argument="So exactly where it takes 5/27 of the accelerated time.",
    ),
    Claim(
        id="isca2017-sec3.2-bottleneck-index",
        source="altaf2017, §3.2",
        statement="The index is a bottleneck where ten times as much gains 20 %.",
        asserts=(
            "iff(speedup(C=10*C) >= 1.2*speedup, speedup/A <= 22/27)",
            "gain_C(r=10) == speedup(C=10*C)/speedup",
        ),
        argument="So exactly where overhead and latency take 5/27 of the accelerated time.",
    ),
    Claim(
        id="isca2017-sec3.2-bottleneck-acceleration",
        source="altaf2017, §3.2",
        statement="The acceleration is a bottleneck where ten times as much gains 20 %.",
        asserts=(
            "iff(speedup(A=10*A) >= 1.2*speedup, speedup/A >= 5/27)",
            "gain_A(r=10) == speedup(A=10*A)/speedup",
        ),
        argument="So exactly where computation takes 5/27 of the accelerated time.",
    ),
    Claim(
        id="isca2017-fig5a-negligible",
        source="altaf2017, §3.2, Fig. 5 a",
        statement="UltraSPARC T2 gains next to nothing from a lower latency.",
        given=("latency == constant", "o == 29000", "L == 1500"),
        asserts=("speedup(L=L/10) < 1.05*speedup",),
        argument="AES in Table 5. At no granularity more than 5 %, whatever C, A and beta.",
    ),
    Claim(
        id="isca2017-fig5a-independent",
        source="altaf2017, §3.2, Fig. 5 a",
        statement="The gain from a lower latency does not depend on granularity.",
        given=("latency == constant", "L > 0", "x < y"),
        asserts=("gain_L(r=10, g=x) == gain_L(r=10, g=y)",),
        corrected=Correction(
            statement="It falls with granularity, to none.",
            given=("latency == constant", "L > 0", "x < y"),
            asserts=("gain_L(r=10, g=x) > gain_L(r=10, g=y)", "limit(gain_L(r=10), g, oo) == 1"),
        ),
        argument="For UltraSPARC T2 it starts from less than 5 %, so that it hardly shows.",
    ),
    Claim(
        id="isca2017-fig5b-setup-cost",
        source="altaf2017, §3.2, Fig. 5 b",
        statement="Set-up costs more per byte at small granularities than at large ones.",
        given=("o > 0",),
        asserts=("implies(x < y, o/x > o/y)", "limit(g/o, g, 0) == 0", "limit(o/g, g, oo) == 0"),
    ),
    Claim(
        id="isca2017-fig5b-small",
        source="altaf2017, §3.2, Fig. 5 b",
        statement="With constant latency, at small granularities a lower overhead gains much.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "limit(gain_o(r=10), g, 0) == (o + L)/(o/10 + L)",
            "(29000 + 1500)/(29000/10 + 1500) > 6.9",
        ),
        argument="For UltraSPARC T2 in Table 5 nearly sevenfold.",
    ),
    Claim(
        id="isca2017-fig5b-large",
        source="altaf2017, §3.2, Fig. 5 b",
        statement="With constant latency, at large granularities, where set-up is amortised, less "
        "overhead gains little.",
        given=("latency == constant",),
        asserts=("limit(gain_o, g, oo) == 1",),
        argument="However much lower.",
    ),
    Claim(
        id="isca2017-fig5b-bottleneck",
        source="altaf2017, §3.2, Fig. 5 b",
        statement="With constant latency the overhead is a bottleneck at small granularities.",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit(gain_o(r=10), g, 0) > 1.2",),
        corrected=Correction(
            statement="It is one at small granularities exactly where 22*o > 5*L; and where it is "
            "one at some granularity, it is one at all smaller ones.",
            given=("latency == constant", "o + L > 0"),
            asserts=(
                "iff(limit(gain_o(r=10), g, 0) > 1.2, 22*o > 5*L)",
                "implies(x < y and gain_o(r=10, g=y) >= 1.2, gain_o(r=10, g=x) >= 1.2)",
            ),
        ),
        argument="A bottleneck is what gains 20 % if it is improved tenfold (altaf2017, §3.2).",
    ),
    Claim(
        id="isca2017-fig5c-gains",
        source="altaf2017, §3.2, Fig. 5 c",
        statement="With constant latency, as with the overhead, a larger index gains much at "
        "small granularities.",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit(gain_C(r=10), g, 0) == 10", "limit(gain_C(r=10), g, oo) == 1"),
    ),
    Claim(
        id="isca2017-fig5c-decrease",
        source="altaf2017, §3.2, Fig. 5 c",
        statement="With constant latency the gain from a larger index falls gradually with "
        "granularity.",
        given=("latency == constant", "o + L > 0", "x < y"),
        asserts=("gain_C(r=10, g=x) > gain_C(r=10, g=y)",),
    ),
    Claim(
        id="isca2017-fig5c-computation-time",
        source="altaf2017, §3.2, Fig. 5 c",
        statement="A larger index means a longer computation.",
        given=("r > 1",),
        asserts=("T0(C=r*C) > T0",),
    ),
    Claim(
        id="isca2017-fig5c-setup-cost",
        source="altaf2017, §3.2, Fig. 5 c",
        statement="With a constant overhead a larger index lowers the set-up cost per byte.",
        given=("latency == constant", "o > 0", "r > 1"),
        asserts=("(T1(C=r*C) - T0(C=r*C)/A - L)/g < (T1 - T0/A - L)/g",),
        corrected=Correction(
            statement="It leaves the cost per byte as it is, and lowers it relative to the work.",
            given=("latency == constant", "o > 0", "r > 1"),
            asserts=(
                "(T1(C=r*C) - T0(C=r*C)/A - L)/g == (T1 - T0/A - L)/g",
                "(T1(C=r*C) - T0(C=r*C)/A - L)/T0(C=r*C) < (T1 - T0/A - L)/T0",
            ),
        ),
        argument="The set-up cost is what T1 is without latency and computation.",
    ),
    Claim(
        id="isca2017-fig5d-small",
        source="altaf2017, §3.2, Fig. 5 d",
        statement="With constant latency, at small granularities a larger acceleration gains next "
        "to nothing.",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit(gain_A(r=10), g, 0) == 1",),
    ),
    Claim(
        id="isca2017-fig5d-large",
        source="altaf2017, §3.2, Fig. 5 d",
        statement="With constant latency, at large granularities a larger acceleration gains much.",
        given=("latency == constant",),
        asserts=("limit(gain_A(r=10), g, oo) == 10",),
    ),
    Claim(
        id="isca2017-fig5d-setup-cost",
        source="altaf2017, §3.2, Fig. 5 d",
        statement="A larger acceleration does not lower the set-up cost per byte.",
        asserts=("(T1(A=r*A) - T0/(r*A) - L)/g == (T1 - T0/A - L)/g",),
    ),
    Claim(
        id="isca2017-fig5d-only-large",
        source="altaf2017, §3.2, Fig. 5 d",
        statement="With constant latency a larger acceleration pays only at large granularities.",
        given=("latency == constant", "x < y", "gain_A(r=10, g=x) >= 1.2"),
        asserts=("gain_A(r=10, g=y) >= 1.2",),
        argument="If it pays at some granularity, then at all larger ones.",
    ),
    Claim(
        id="isca2017-fig6-cutoff-overhead",
        source="altaf2017, §3.2, Fig. 6",
        statement="With constant latency lower overheads pay up to a cut-off granularity, where "
        "the gain is 20 %, if the overhead is more than 5/22 of the latency.",
        given=("latency == constant", "22*o > 5*L"),
        asserts=(
            f"cutoff_o(r=10, q=1.2) == {_CUT_O}",
            f"gain_o(r=10, g={_CUT_O}) == 1.2",
            f"iff(gain_o(r=10) >= 1.2, g <= {_CUT_O})",
        ),
        argument="With less overhead than 5/22 of the latency it pays nowhere.",
    ),
    Claim(
        id="isca2017-fig6-cutoff-latency",
        source="altaf2017, §3.2, Fig. 6",
        statement="With constant latency a lower latency pays up to a cut-off granularity, where "
        "the gain is 20 %, if the latency is more than 5/22 of the overhead.",
        given=("latency == constant", "22*L > 5*o"),
        asserts=(
            f"cutoff_L(r=10, q=1.2) == {_CUT_L}",
            f"gain_L(r=10, g={_CUT_L}) == 1.2",
            f"iff(gain_L(r=10) >= 1.2, g <= {_CUT_L})",
        ),
        argument="With less latency than 5/22 of the overhead, as in Fig. 6, it pays nowhere.",
    ),
    Claim(
        id="isca2017-fig6-cutoff-index",
        source="altaf2017, §3.2, Fig. 6",
        statement="With constant latency a larger index pays up to a cut-off granularity, where "
        "the gain is 20 %.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            f"cutoff_C(r=10, q=1.2) == {_CUT_C}",
            f"gain_C(r=10, g={_CUT_C}) == 1.2",
            f"iff(gain_C(r=10) >= 1.2, g <= {_CUT_C})",
        ),
    ),
    Claim(
        id="isca2017-fig6-cutoff-acceleration",
        source="altaf2017, §3.2, Fig. 6",
        statement="With constant latency a larger acceleration pays from a cut-off granularity "
        "on, where the gain is 20 %.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            f"cutoff_A(r=10, q=1.2) == {_CUT_A}",
            f"gain_A(r=10, g={_CUT_A}) == 1.2",
            f"iff(gain_A(r=10) >= 1.2, g >= {_CUT_A})",
        ),
    ),
    Claim(
        id="isca2017-fig6-high-cutoff",
        source="altaf2017, §3.2, after Fig. 6",
        statement="A high cut-off granularity of the overhead tells of a high overhead: of two "
        "designs, the one with the higher cut-off granularity has the higher overhead.",
        given=("latency == constant", "22*x > 5*L", "22*y > 5*L"),
        asserts=(
            "implies(cutoff_o(r=10, q=1.2, o=x) < cutoff_o(r=10, q=1.2, o=y, C=n*C, A=m*A), x < y)",
        ),
        corrected=Correction(
            statement="If latency, index, complexity and acceleration are the same.",
            given=("exists(cutoff_o(r=10, q=1.2, o=x))", "exists(cutoff_o(r=10, q=1.2, o=y))"),
            asserts=("iff(cutoff_o(r=10, q=1.2, o=x) < cutoff_o(r=10, q=1.2, o=y), x < y)",),
        ),
        argument="Of two designs with overheads x and y, of which the other has n times the index "
        "and m times the acceleration.",
    ),
)


CLAIMS = (*_BOUNDS, *_SENSITIVITY)
