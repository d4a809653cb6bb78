"""Statements of ISCA 2017 on half-peak and gA with latency per byte: section 2.3.

A condition that must hold is a claim that it is necessary; whether it suffices is a claim of its
own, because the paper reads it both ways.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_EQ12 = "(C*(beta - 1) + A*o)/(C*beta - A*L)"
_THRESHOLD = "C*beta**beta*(1 - beta)**(1 - beta)/(o**(1 - beta)*L**beta)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-eq12-positive-necessary",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte Eq. 12 gives a positive value only if (C/A)/L > 1/beta.",
        given=("latency == linear", "L > 0", f"x == {_EQ12}"),
        asserts=("(C/A)/L > 1/beta",),
        corrected=Correction(
            statement="True for beta >= 1; for beta < 1 it is also positive where both numerator "
            "and denominator are negative.",
            given=("L > 0", f"x == {_EQ12}"),
            asserts=("(C/A)/L > 1/beta or C*(1 - beta) > A*o",),
        ),
        argument="x is positive.",
    ),
    Claim(
        id="isca2017-eq12-positive-sufficient",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte Eq. 12 gives a positive value if (C/A)/L > 1/beta.",
        given=("latency == linear", "(C/A)/L > 1/beta"),
        asserts=(f"{_EQ12} > 0",),
        corrected=Correction(
            statement="It does if also A*o > C*(1 - beta), so always for beta > 1.",
            given=("(C/A)/L > 1/beta", "A*o > C*(1 - beta)"),
            asserts=(f"{_EQ12} > 0",),
        ),
    ),
    Claim(
        id="isca2017-eq12-exists-necessary",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte a granularity with half the acceleration exists only if "
        "(C/A)/L > 1/beta.",
        given=("latency == linear", "L > 0", "exists(gA2)"),
        asserts=("(C/A)/L > 1/beta",),
        corrected=Correction(
            statement="For beta < 1 it exists if and only if C/(o**(1 - beta)*L**beta) is at least "
            "A/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", "beta < 1", "L > 0", "o > 0"),
            asserts=(f"iff(exists(gA2), {_THRESHOLD} >= A)",),
        ),
        argument="That gA2 exists is the condition of ext-existence-sublinear-two, -one and "
        "-none. For beta = 1: ext-existence-linear and -linear-none; it always does for beta > 1: "
        "ext-existence-superlinear.",
    ),
    Claim(
        id="isca2017-eq12-exists-sufficient",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte a granularity with half the acceleration exists if "
        "(C/A)/L > 1/beta.",
        given=("latency == linear", "L > 0", "o > 0", "(C/A)/L > 1/beta"),
        asserts=("exists(gA2)",),
        corrected=Correction(
            statement="For beta < 1 it exists if C/(o**(1 - beta)*L**beta) is at least "
            "A/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", f"{_THRESHOLD} >= A"),
            asserts=("exists(gA2)", "speedup(g=g_peak) >= A/2"),
        ),
        argument="The intermediate value theorem, as for isca2017-eq11-exists-sufficient.",
    ),
    Claim(
        id="isca2017-eq12",
        source="altaf2017, §2.3, Eq. 12",
        statement="With latency per byte Eq. 8 solved for half the acceleration by Newton's "
        "method gives gA2 = (C*(beta - 1) + A*o)/(C*beta - A*L).",
        given=("latency == linear", "exists(gA2)", f"x == {_EQ12}"),
        asserts=("speedup(g=x) == A/2",),
        corrected=Correction(
            statement="It is where one Newton step from one byte leads, on the equation "
            "C/A*g**beta = o + L*g.",
            given=("latency == linear", "C*beta != A*L"),
            asserts=(
                f"{_EQ12} == 1 - trinomial(s=A/2, g=1)/(C/A*beta - L)",
                "diff(trinomial(s=A/2), g) == C/A*beta*g**(beta - 1) - L",
                "trinomial(s=A/2) == C/A*g**beta - (o + L*g)",
                f"gA2_newton == {_EQ12}",
            ),
        ),
        argument="Taken as a solution, x is to have speedup A/2 whenever that can be had. On which "
        "side it errs is as for eq. 11: isca2017-eq11-superlinear and -sublinear.",
    ),
    Claim(
        id="isca2017-eq12-linear",
        source="altaf2017, §2.3, Eq. 12",
        statement="With latency per byte, for linear kernels eq. 12 is the half-peak granularity.",
        given=("latency == linear", "beta == 1", "C > A*L", "o > 0"),
        asserts=(f"gA2 == {_EQ12}", f"speedup(g={_EQ12}) == A/2"),
    ),
    Claim(
        id="isca2017-sec2.3-half-peak-linear-at-least-A",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte, for linear kernels to reach half the acceleration, C/L "
        "must be at least A.",
        given=("latency == linear", "beta == 1", "L > 0", "speedup >= A/2"),
        asserts=("C/L >= A",),
    ),
    Claim(
        id="isca2017-sec2.3-half-peak-linear-at-least-A-sufficient",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte, for linear kernels to reach half the acceleration, it "
        "is enough that C/L is at least A.",
        given=("latency == linear", "beta == 1", "o > 0", "C/L >= A"),
        asserts=("exists(gA2)",),
        corrected=Correction(
            statement="With an overhead C/L must be greater than A; then it is enough.",
            given=("latency == linear", "beta == 1", "L > 0", "o > 0"),
            asserts=(
                "speedup < limit(speedup, g, oo)",
                "iff(limit(speedup, g, oo) > A/2, C/L > A)",
            ),
        ),
        argument="The limit is the least upper bound of the speedup.",
    ),
    Claim(
        id="isca2017-sec2.3-half-peak-superlinear-below-A",
        source="altaf2017, §2.3, after Eq. 12",
        statement="Super-linear kernels can reach half the acceleration with C/L smaller than A.",
        given=("beta > 1", "o + L > 0"),
        asserts=("speedup(g=gA2) == A/2",),
        argument="They reach it with every C and L.",
    ),
    Claim(
        id="isca2017-sec2.3-half-peak-sublinear-above-A",
        source="altaf2017, §2.3, after Eq. 12",
        statement="With latency per byte, for sub-linear kernels to reach half the acceleration, "
        "C/L must be greater than A.",
        given=("latency == linear", "beta < 1", "L > 0", "o > 0", "speedup >= A/2"),
        asserts=("C/L > A",),
        corrected=Correction(
            statement="To reach it at g, C/L must be greater than A*g**(1 - beta): than A for "
            "granularities of one byte or more.",
            given=("latency == linear", "beta < 1", "L > 0", "o > 0", "speedup >= A/2", "g >= 1"),
            asserts=("C/L > A*g**(1 - beta)", "C/L > A"),
        ),
    ),
    Claim(
        id="isca2017-implication6",
        source="altaf2017, §2.3, Implication 6",
        statement="With latency per byte, for sub-linear kernels to reach half the acceleration, "
        "the accelerator's computational intensity has to be greater than 1.",
        given=("latency == linear", "beta < 1", "L > 0", "o > 0", "speedup >= A/2"),
        asserts=("accelerator_intensity > 1",),
        corrected=Correction(
            statement="To reach it at granularities of one byte or more it has to be.",
            given=("latency == linear", "beta < 1", "L > 0", "o > 0", "speedup >= A/2", "g >= 1"),
            asserts=("accelerator_intensity > 1",),
        ),
    ),
    Claim(
        id="isca2017-implication6-sufficient",
        source="altaf2017, §2.3, Implication 6",
        statement="With latency per byte, for sub-linear kernels to reach half the acceleration, "
        "it is enough that the accelerator's computational intensity is greater than 1.",
        given=("latency == linear", "beta < 1", "o > 0", "L > 0", "accelerator_intensity > 1"),
        asserts=("exists(gA2)",),
        corrected=Correction(
            statement="They reach it if and only if the intensity is at least "
            "(o/L)**(1 - beta)/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", "beta < 1", "o > 0", "L > 0"),
            asserts=(
                "iff(exists(gA2), accelerator_intensity >= (o/L)**(1 - beta)"
                "/(beta**beta*(1 - beta)**(1 - beta)))",
            ),
        ),
        argument="That gA2 exists is the condition of ext-existence-sublinear-two, -one and -none.",
    ),
    Claim(
        id="isca2017-implication6-sublinear-time",
        source="altaf2017, §2.3, after Implication 6",
        statement="Half the acceleration takes a computation on the accelerator that lasts longer "
        "than the latency, for sub-linear kernels.",
        given=("o > 0", "speedup >= A/2"),
        asserts=("T0/A > T1 - T0/A - o",),
        argument="T1 - T0/A - o is the latency. True for every beta and both forms.",
    ),
    Claim(
        id="isca2017-implication6-superlinear-time",
        source="altaf2017, §2.3, after Implication 6",
        statement="Super-linear kernels can reach half the acceleration although the computation "
        "on the accelerator is shorter than the latency.",
        given=("latency == linear", "beta > 1", "C/(A*L) < 1", "speedup >= A/2"),
        asserts=("T0/A < L*g",),
        corrected=Correction(
            statement="Never: at half the acceleration or more, the computation lasts at least as "
            "long as overhead and latency together, for every beta. C/A may be less than L.",
            given=("latency == linear", "speedup >= A/2"),
            asserts=("T0/A >= o + L*g",),
        ),
        argument="The printed sentence is refuted at every point, not only at the counterexample.",
    ),
    Claim(
        id="isca2017-sec2.3-example-linear",
        source="altaf2017, §2.3, after Implication 6",
        statement="With latency per byte, with C/L less than A a linear kernel cannot reach half "
        "the acceleration.",
        given=("latency == linear", "beta == 1", "C/L < A"),
        asserts=("speedup < A/2",),
    ),
    Claim(
        id="isca2017-sec2.3-example-sublinear",
        source="altaf2017, §2.3, after Implication 6",
        statement="With latency per byte, with C/L less than A a sub-linear kernel cannot reach "
        "half the acceleration.",
        given=("latency == linear", "beta < 1", "C/L < A"),
        asserts=("speedup < A/2",),
        corrected=Correction(
            statement="It cannot at granularities of one byte or more.",
            given=("latency == linear", "beta < 1", "C/L < A", "g >= 1"),
            asserts=("speedup < A/2",),
        ),
    ),
    Claim(
        id="isca2017-sec2.3-example-superlinear",
        source="altaf2017, §2.3, after Implication 6",
        statement="With C/L less than A a super-linear kernel can reach half the acceleration.",
        given=("beta > 1", "o + L > 0"),
        asserts=("iff(speedup >= A/2, g >= gA2)",),
        argument="From gA2 on, with every C and L.",
    ),
    Claim(
        id="isca2017-sec2.3-hypothetical-accelerator",
        source="altaf2017, §2.3, before Eq. 13",
        statement="With infinite acceleration only overhead and latency limit the speedup.",
        given=("o + L > 0",),
        asserts=("speedup_infinite == T0/(T1 - T0/A)", "speedup < speedup_infinite"),
    ),
    Claim(
        id="isca2017-eq13",
        source="altaf2017, §2.3, Eq. 13",
        statement="With latency per byte, solved for speedup A with infinite acceleration, eq. 8 "
        "gives gA = (C*(beta - 1) + A*o)/(C*beta - A*L).",
        given=("latency == linear", "exists(gA)", f"x == {_EQ12}"),
        asserts=("speedup_infinite(g=x) == A",),
        corrected=Correction(
            statement="It is where one Newton step from one byte leads, on the equation "
            "C/A*g**beta = o + L*g.",
            given=("latency == linear", "C*beta != A*L"),
            asserts=(f"gA_newton == {_EQ12}", f"{_EQ12} == 1 - (C/A - o - L)/(beta*C/A - L)"),
        ),
    ),
    Claim(
        id="isca2017-eq13-linear",
        source="altaf2017, §2.3, Eq. 13",
        statement="With latency per byte, for linear kernels eq. 13 is exact.",
        given=("latency == linear", "beta == 1", "C > A*L", "o > 0"),
        asserts=(f"gA == {_EQ12}", f"speedup_infinite(g={_EQ12}) == A"),
    ),
    Claim(
        id="isca2017-sec2.3-eq13-like-eq12",
        source="altaf2017, §2.3, after Eq. 13",
        statement="Eqs 12 and 13 have the same right side.",
        given=("C*beta != A*L",),
        asserts=("gA_newton == gA2_newton",),
    ),
    Claim(
        id="isca2017-sec2.3-gA-equals-gA2",
        source="altaf2017, §2.3, after Eq. 13",
        statement="gA equals gA2.",
        given=("exists(gA2)",),
        asserts=("gA == gA2",),
        argument="Exactly, not only after a Newton step, for every beta and both forms.",
    ),
    Claim(
        id="isca2017-sec2.3-peak-at-half-peak",
        source="altaf2017, §2.3, after Eq. 13",
        statement="With infinite acceleration speedup A is reached at gA2.",
        given=("exists(gA2)",),
        asserts=("speedup_infinite(g=gA2) == A",),
    ),
    Claim(
        id="isca2017-sec2.3-half-peak-not-achievable",
        source="altaf2017, §2.3, after Eq. 13",
        statement="With latency per byte, half the acceleration is not achievable if (C/A)/L < "
        "1/beta.",
        given=("latency == linear", "(C/A)/L < 1/beta"),
        asserts=("speedup < A/2",),
        corrected=Correction(
            statement="Never for beta > 1: it is achieved from gA2 on. For beta = 1 it holds; for "
            "beta < 1 see isca2017-implication6-sufficient.",
            given=("latency == linear", "o + L > 0", "beta > 1"),
            asserts=(
                "iff(speedup >= A/2, g >= gA2)",
                "implies(C/A < L, speedup(beta=1) < A/2)",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec2.3-gA-not-achievable",
        source="altaf2017, §2.3, after Eq. 13",
        statement="If gA2 is not achievable, no higher acceleration makes gA achievable.",
        given=("speedup < A/2",),
        asserts=("speedup(A=r*A) < A", "speedup_infinite < A"),
        argument="At every granularity, so also if the hypothesis holds at all of them; r is any "
        "factor by which the acceleration changes.",
    ),
    Claim(
        id="isca2017-implication7",
        source="altaf2017, §2.3, Implication 7",
        statement="With latency per byte, if half of A is not achievable, then with any higher "
        "acceleration the speedup is still bounded by the computational intensity.",
        given=("latency == linear", "o > 0", "L > 0", "not exists(gA2)", "r > 1"),
        asserts=("speedup(A=r*A) < C/L",),
        corrected=Correction(
            statement="It is bounded by A, and by C/L*g**(beta - 1) in any case: by C/L for linear "
            "kernels, and for sub-linear ones at granularities of one byte or more.",
            given=("latency == linear", "L > 0", "speedup < A/2"),
            asserts=(
                "speedup(A=r*A) < A",
                "speedup(A=r*A) < C/L*g**(beta - 1)",
                "implies(beta == 1 or (beta < 1 and g >= 1), speedup(A=r*A) < C/L)",
            ),
        ),
        argument="Super-linear kernels always achieve half of A.",
    ),
    Claim(
        id="isca2017-implication7-interface",
        source="altaf2017, §2.3, after Implication 7",
        statement="Then resources are better spent on the interface than on acceleration, if they "
        "improve either by the same factor.",
        given=("speedup < A/2", "r > 1"),
        asserts=("e_A < -(e_o + e_L)", "speedup(A=r*A) < speedup(o=o/r, L=L/r)"),
        argument="An r-fold better interface gains more than an r-fold acceleration.",
    ),
)
