"""Statements of ISCA 2017 on C/L and break-even with latency per byte: section 2.3.

A condition that must hold is a claim that it is necessary; whether it suffices is a claim of its
own, because the paper reads it both ways.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_EQ11 = "(C*(beta - 1)*(A - 1) + A*o)/(C*beta*(A - 1) - A*L)"
_THRESHOLD = "C*beta**beta*(1 - beta)**(1 - beta)/(o**(1 - beta)*L**beta)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-eq11-positive-necessary",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte Eq. 11 gives a positive value only if C/L > 1/beta.",
        given=("latency == linear", "A > 1", "L > 0", f"x == {_EQ11}"),
        asserts=("C/L > 1/beta",),
        corrected=Correction(
            statement="Only if C/L > A/((A - 1)*beta), for beta >= 1; for beta < 1 also where both "
            "numerator and denominator are negative.",
            given=("L > 0", f"x == {_EQ11}"),
            asserts=("C/L > A/((A - 1)*beta) or C*(1 - beta)*(A - 1) > A*o",),
        ),
        argument="x is positive.",
    ),
    Claim(
        id="isca2017-eq11-positive-sufficient",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte Eq. 11 gives a positive value if C/L > 1/beta.",
        given=("latency == linear", "A > 1", "L > 0", "C/L > 1/beta", "C*beta*(A - 1) != A*L"),
        asserts=(f"{_EQ11} > 0",),
        corrected=Correction(
            statement="It does if C/L > A/((A - 1)*beta) and A*o > C*(1 - beta)*(A - 1).",
            given=("A > 1", "C/L > A/((A - 1)*beta)", "A*o > C*(1 - beta)*(A - 1)"),
            asserts=(f"{_EQ11} > 0",),
        ),
    ),
    Claim(
        id="isca2017-eq11-exists-necessary",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte a break-even exists only if C/L > 1/beta.",
        given=("latency == linear", "A > 1", "L > 0", "exists(g1)"),
        asserts=("C/L > 1/beta",),
        corrected=Correction(
            statement="For beta < 1 it exists if and only if C/(o**(1 - beta)*L**beta) is at least "
            "A/(A - 1)/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", "beta < 1", "A > 1", "L > 0", "o > 0"),
            asserts=(f"iff(exists(g1), {_THRESHOLD} >= A/(A - 1))",),
        ),
        argument="That g1 exists is the condition of ext-existence-sublinear-two, -one and "
        "-none. For beta = 1: ext-existence-linear and -linear-none; it always does for beta > 1: "
        "ext-existence-superlinear.",
    ),
    Claim(
        id="isca2017-eq11-exists-sufficient",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte a break-even exists if C/L > 1/beta.",
        given=("latency == linear", "A > 1", "L > 0", "o > 0", "C/L > 1/beta"),
        asserts=("exists(g1)",),
        corrected=Correction(
            statement="For beta < 1 it exists if C/(o**(1 - beta)*L**beta) is at least "
            "A/(A - 1)/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", "A > 1", f"{_THRESHOLD} >= A/(A - 1)"),
            asserts=("exists(g1)", "speedup(g=g_peak) >= 1"),
        ),
        argument="Between the limit 0, by isca2017-eq10, and the peak lies a granularity with "
        "speedup 1, by the intermediate value theorem.",
    ),
    Claim(
        id="isca2017-sec2.3-linear-at-least-1",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte, for linear kernels to gain, C/L must be at least 1.",
        given=("latency == linear", "beta == 1", "L > 0", "speedup >= 1"),
        asserts=("C/L*(1 - 1/A) >= 1", "C/L > 1"),
        argument="Indeed at least A/(A - 1).",
    ),
    Claim(
        id="isca2017-sec2.3-linear-at-least-1-sufficient",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte, for linear kernels to gain, it is enough that C/L is at "
        "least 1.",
        given=("latency == linear", "beta == 1", "A > 1", "L > 0", "o > 0", "C/L >= 1"),
        asserts=("exists(g1)",),
        corrected=Correction(
            statement="They gain at some granularity if and only if C/L > A/(A - 1).",
            given=("latency == linear", "beta == 1", "A > 1", "L > 0", "o > 0"),
            asserts=(
                "speedup < limit(speedup, g, oo)",
                "iff(limit(speedup, g, oo) > 1, C/L > A/(A - 1))",
            ),
        ),
        argument="The limit is the least upper bound of the speedup.",
    ),
    Claim(
        id="isca2017-sec2.3-superlinear-below-1",
        source="altaf2017, §2.3, after Eq. 11",
        statement="Super-linear kernels can reach speedup 1 with C/L smaller than 1.",
        given=("beta > 1", "A > 1", "o + L > 0"),
        asserts=("speedup(g=g1) == 1",),
        argument="They reach it with every C and L.",
    ),
    Claim(
        id="isca2017-sec2.3-sublinear-above-1",
        source="altaf2017, §2.3, after Eq. 11",
        statement="With latency per byte, for sub-linear kernels to reach speedup 1, C/L must be "
        "greater than 1.",
        given=("latency == linear", "beta < 1", "L > 0", "speedup >= 1"),
        asserts=("C/L > 1",),
        corrected=Correction(
            statement="To reach it at g, C/L must be at least A/(A - 1)*g**(1 - beta): more than 1 "
            "for granularities of one byte or more.",
            given=("latency == linear", "beta < 1", "L > 0", "speedup >= 1"),
            asserts=("C/L*(1 - 1/A) >= g**(1 - beta)", "implies(g >= 1, C/L > 1)"),
        ),
        argument="In the model granularity is a positive real number, in any unit; C/L changes "
        "with the unit unless beta = 1.",
    ),
    Claim(
        id="isca2017-implication5",
        source="altaf2017, §2.3, Implication 5",
        statement="With latency per byte, for sub-linear kernels to gain anything, C/L has to be "
        "greater than 1.",
        given=("latency == linear", "beta < 1", "L > 0", "speedup > 1"),
        asserts=("C/L > 1",),
        corrected=Correction(
            statement="To gain at g it has to be greater than A/(A - 1)*g**(1 - beta): than "
            "A/(A - 1), and so than 1, for granularities of one byte or more.",
            given=("latency == linear", "beta < 1", "L > 0", "speedup > 1"),
            asserts=("C/L*(1 - 1/A) > g**(1 - beta)", "implies(g >= 1, C/L*(1 - 1/A) > 1)"),
        ),
        argument="The sentence after it says the same of C and L.",
    ),
    Claim(
        id="isca2017-implication5-sufficient",
        source="altaf2017, §2.3, Implication 5",
        statement="With latency per byte, for sub-linear kernels to gain, it is enough that C/L "
        "is greater than 1.",
        given=("latency == linear", "beta < 1", "A > 1", "L > 0", "o > 0", "C/L > 1"),
        asserts=("exists(g1)",),
        corrected=Correction(
            statement="They reach speedup 1 if and only if C/L is at least "
            "A/(A - 1)*(o/L)**(1 - beta)/(beta**beta*(1 - beta)**(1 - beta)).",
            given=("latency == linear", "beta < 1", "A > 1", "L > 0", "o > 0"),
            asserts=(
                "iff(exists(g1), C/L >= A/(A - 1)*(o/L)**(1 - beta)"
                "/(beta**beta*(1 - beta)**(1 - beta)))",
            ),
        ),
        argument="That g1 exists is the condition of ext-existence-sublinear-two, -one and -none.",
    ),
    Claim(
        id="isca2017-sec2.3-superlinear-small-index",
        source="altaf2017, §2.3, after Implication 5",
        statement="Kernels of higher complexity can gain with a small index.",
        given=("beta > 1", "A > 1", "o + L > 0"),
        asserts=("implies(g > g1, speedup > 1)",),
        argument="Beyond g1 they gain with every C.",
    ),
)
