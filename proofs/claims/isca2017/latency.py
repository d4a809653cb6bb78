"""Statements of ISCA 2017 on latency per byte: section 2.3, eqs 8 to 11 and implication 4.

The conditions on C/L are in `intensity` and `half_peak`.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_EQ9 = "A/(A/(C*g**beta)*(L*g) + 1)"
_EQ11 = "(C*(beta - 1)*(A - 1) + A*o)/(C*beta*(A - 1) - A*L)"
_SLOPE11 = "C*beta*(A - 1) > A*L"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-eq8",
        source="altaf2017, §2.3, Eq. 8",
        statement="With latency proportional to granularity the speedup is "
        "C*g**beta/(o + L*g + C*g**beta/A).",
        given=("latency == linear",),
        asserts=("speedup == C*g**beta/(o + L*g + C*g**beta/A)",),
    ),
    Claim(
        id="isca2017-eq9",
        source="altaf2017, §2.3, Eq. 9",
        statement="With latency per byte, for large granularities the speedup tends to "
        "A/(A/(C*g**beta)*L*g + 1), an expression that still depends on g.",
        given=("latency == linear", "beta > 1", "L > 0"),
        asserts=("limit(speedup, g, oo) == A/(A/(C*x**beta)*(L*x) + 1)",),
        corrected=Correction(
            statement="The expression is the speedup without the overhead: an upper bound with "
            "1/speedup - 1/bound = o/T0, which tends to 0.",
            given=("latency == linear", "o > 0"),
            asserts=(
                f"speedup < {_EQ9}",
                f"{_EQ9} == speedup(o=0)",
                f"1/speedup == 1/({_EQ9}) + o/T0",
                "limit(1/T0, g, oo) == 0",
            ),
        ),
        argument="A limit cannot depend on g, here x. The limits are in the claims "
        "isca2017-eq9-sublinear, -linear and -superlinear.",
    ),
    Claim(
        id="isca2017-eq9-bound",
        source="altaf2017, §2.3, Eq. 9",
        statement="With latency per byte that expression, and the speedup, are less than "
        "C/L*g**(beta - 1).",
        given=("latency == linear", "L > 0"),
        asserts=(f"{_EQ9} < C/L*g**(beta - 1)", "speedup < C/L*g**(beta - 1)"),
    ),
    Claim(
        id="isca2017-eq9-sublinear",
        source="altaf2017, §2.3, Eq. 9",
        statement="With latency per byte, for sub-linear kernels the speedup tends to 0.",
        given=("latency == linear", "L > 0", "beta < 1"),
        asserts=("limit(speedup, g, oo) == 0",),
    ),
    Claim(
        id="isca2017-eq9-linear",
        source="altaf2017, §2.3, Eq. 9",
        statement="With latency per byte, for linear kernels the speedup tends to A/(A*L/C + 1).",
        given=("latency == linear", "beta == 1"),
        asserts=("limit(speedup, g, oo) == A/(A*L/C + 1)",),
    ),
    Claim(
        id="isca2017-eq9-superlinear",
        source="altaf2017, §2.3, Eq. 9",
        statement="For super-linear kernels the speedup tends to A.",
        given=("beta > 1",),
        asserts=("limit(speedup, g, oo) == A",),
        argument="With either form of latency.",
    ),
    Claim(
        id="isca2017-sec2.3-approaches-sublinear",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, at large granularities the speedup of sub-linear "
        "kernels approaches C/L*g**(beta - 1).",
        given=("latency == linear", "L > 0", "beta < 1"),
        asserts=("limit(speedup/(C/L*g**(beta - 1)), g, oo) == 1",),
        argument="Approaches: the ratio of the two tends to 1.",
    ),
    Claim(
        id="isca2017-sec2.3-approaches-linear",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, at large granularities the speedup of linear kernels "
        "approaches C/L.",
        given=("latency == linear", "L > 0", "beta == 1"),
        asserts=("limit(speedup, g, oo) == C/L",),
        corrected=Correction(
            statement="It approaches A*C/(A*L + C), a fraction A/(A + C/L) of C/L.",
            given=("latency == linear", "L > 0", "beta == 1"),
            asserts=("limit(speedup, g, oo) == (C/L)*A/(A + C/L)", "(C/L)*A/(A + C/L) < C/L"),
        ),
    ),
    Claim(
        id="isca2017-sec2.3-approaches-superlinear",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, at large granularities the speedup of super-linear "
        "kernels approaches C/L*g**(beta - 1).",
        given=("latency == linear", "L > 0", "beta > 1"),
        asserts=("limit(speedup/(C/L*g**(beta - 1)), g, oo) == 1",),
        corrected=Correction(
            statement="It falls behind without bound: the ratio of the two tends to 0.",
            given=("L > 0", "beta > 1"),
            asserts=("limit(speedup/(C/L*g**(beta - 1)), g, oo) == 0",),
        ),
    ),
    Claim(
        id="isca2017-sec2.3-linear-limited-by-intensity",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, for linear kernels the speedup is limited by C/L.",
        given=("latency == linear", "beta == 1", "L > 0"),
        asserts=("speedup < C/L",),
    ),
    Claim(
        id="isca2017-sec2.3-linear-instead-of-acceleration",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, for linear kernels C/L limits the speedup in place of "
        "the acceleration.",
        given=("latency == linear", "beta == 1", "L > 0", "o > 0"),
        asserts=("C/L <= A",),
        corrected=Correction(
            statement="Both limit it, whichever is smaller: the least upper bound is "
            "A*C/(A*L + C), at least half the smaller of A and C/L.",
            given=("latency == linear", "beta == 1", "L > 0", "o > 0"),
            asserts=(
                "speedup < A*C/(A*L + C)",
                "limit(speedup, g, oo) == A*C/(A*L + C)",
                "min(A, C/L)/2 <= A*C/(A*L + C) < min(A, C/L)",
            ),
        ),
        argument="In place of: C/L is the tighter of the two bounds.",
    ),
    Claim(
        id="isca2017-sec2.3-limit-superlinear",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, for super-linear kernels the limit C/L grows by the "
        "factor g**(beta - 1).",
        given=("latency == linear", "L > 0", "beta > 1"),
        asserts=("latency_ceiling > C/L",),
        corrected=Correction(
            statement="Beyond one byte: the limit is C/L*g**(beta - 1), which is C/L at one byte.",
            given=("latency == linear", "L > 0", "beta > 1"),
            asserts=(
                "speedup < latency_ceiling",
                "latency_ceiling == C/L*g**(beta - 1)",
                "iff(latency_ceiling > C/L, g > 1)",
            ),
        ),
        argument="The limit of eq. 9 against that of a linear kernel. Where "
        "it is above A, the acceleration is the lower limit: isca2017-sec3.1-bounds.",
    ),
    Claim(
        id="isca2017-sec2.3-limit-sublinear",
        source="altaf2017, §2.3, after Eq. 9",
        statement="With latency per byte, for sub-linear kernels the limit C/L falls by the "
        "factor g**(beta - 1).",
        given=("latency == linear", "L > 0", "beta < 1"),
        asserts=("latency_ceiling < C/L",),
        corrected=Correction(
            statement="Beyond one byte: the limit is C/L*g**(beta - 1), which is C/L at one byte.",
            given=("latency == linear", "L > 0", "beta < 1"),
            asserts=(
                "speedup < latency_ceiling",
                "latency_ceiling == C/L*g**(beta - 1)",
                "iff(latency_ceiling < C/L, g > 1)",
            ),
        ),
    ),
    Claim(
        id="isca2017-implication4",
        source="altaf2017, §2.3, Implication 4",
        statement="With latency per byte, for sub-linear kernels the speedup finally decreases "
        "with granularity.",
        given=("latency == linear", "L > 0", "beta < 1"),
        asserts=(
            "limit(speedup, g, oo) == 0",
            "implies((1 - beta)*L*x >= beta*o and x < y, speedup(g=y) < speedup(g=x))",
        ),
        argument="It decreases beyond the peak beta*o/((1 - beta)*L), and to 0.",
    ),
    Claim(
        id="isca2017-implication4-latency-exceeds-computation",
        source="altaf2017, §2.3, after Implication 4",
        statement="At large granularities the latency of a sub-linear kernel exceeds the "
        "computation on the accelerator.",
        given=("L > 0", "beta < 1"),
        asserts=(
            "limit((T0/A)/(L*g), g, oo) == 0",
            "implies(L*x >= T0(g=x)/A and x < y, L*y > T0(g=y)/A)",
        ),
    ),
    Claim(
        id="isca2017-implication4-cause",
        source="altaf2017, §2.3, after Implication 4",
        statement="That the latency exceeds the accelerator's computation is why the speedup "
        "decreases.",
        given=("latency == linear", "beta < 1"),
        asserts=("iff(L*g > T0/A, diff(speedup, g) < 0)",),
        corrected=Correction(
            statement="It decreases where the latency exceeds beta/(1 - beta) times the overhead, "
            "however long the computation takes.",
            given=("latency == linear",),
            asserts=("iff((1 - beta)*L*g > beta*o, diff(speedup, g) < 0)",),
        ),
    ),
    Claim(
        id="isca2017-implication4-deceleration",
        source="altaf2017, §2.3, after Implication 4",
        statement="With latency per byte, at large granularities a sub-linear kernel is slower "
        "offloaded.",
        given=("latency == linear", "beta < 1", "g >= (C/L)**(1/(1 - beta))"),
        asserts=("speedup < 1",),
        argument="From the granularity on at which the latency reaches the host's time.",
    ),
    Claim(
        id="isca2017-implication4-contrast",
        source="altaf2017, §2.3, after Implication 4",
        statement="With latency independent of granularity the speedup of every kernel "
        "increases with granularity and approaches the acceleration.",
        given=("latency == constant", "o + L > 0"),
        asserts=("implies(x < y, speedup(g=x) < speedup(g=y))", "limit(speedup, g, oo) == A"),
    ),
    Claim(
        id="isca2017-eq10",
        source="altaf2017, §2.3, Eq. 10",
        statement="With latency per byte, for granularities that tend to 0 the speedup tends to "
        "A*C/(A*(o + L) + C).",
        given=("latency == linear", "o > 0"),
        asserts=("limit(speedup, g, 0) == A*C/(A*(o + L) + C)",),
        corrected=Correction(
            statement="The limit is 0; the printed value is the speedup at one byte.",
            given=("o > 0",),
            asserts=("limit(speedup, g, 0) == 0", "speedup(g=1) == A*C/(A*(o + L) + C)"),
        ),
    ),
    Claim(
        id="isca2017-eq10-like-eq4",
        source="altaf2017, §2.3, after Eq. 10",
        statement="Eq. 10 is eq. 4: for small granularities the form of latency is immaterial.",
        asserts=(
            "A*C/(A*(o + L) + C) == C/(o + L + C/A)",
            "speedup(g=1) == C/(o + L + C/A)",
        ),
        argument="Exact, since both are values at one byte.",
    ),
    Claim(
        id="isca2017-eq10-overheads",
        source="altaf2017, §2.3, after Eq. 10",
        statement="With latency per byte the share of the overhead grows as the granularity falls.",
        given=("latency == linear", "o > 0"),
        asserts=("diff(o/T1, g) < 0", "limit(o/T1, g, 0) == 1"),
    ),
    Claim(
        id="isca2017-eq11",
        source="altaf2017, §2.3, Eq. 11",
        statement="With latency per byte Eq. 8 solved for break-even by Newton's method gives g1 "
        "= (C*(beta - 1)*(A - 1) + A*o)/(C*beta*(A - 1) - A*L).",
        given=("latency == linear", "A > 1", "exists(g1)", f"x == {_EQ11}"),
        asserts=("speedup(g=x) == 1",),
        corrected=Correction(
            statement="It is where one Newton step from one byte leads, on the equation "
            "C*(1 - 1/A)*g**beta = o + L*g.",
            given=("latency == linear", "C*beta*(A - 1) != A*L"),
            asserts=(
                f"{_EQ11} == 1 - trinomial(s=1, g=1)/(C*(1 - 1/A)*beta - L)",
                "diff(trinomial(s=1), g) == C*(1 - 1/A)*beta*g**(beta - 1) - L",
                "trinomial(s=1) == C*(1 - 1/A)*g**beta - (o + L*g)",
                f"g1_newton == {_EQ11}",
            ),
        ),
        argument="Taken as a solution, x is to have speedup 1 whenever a break-even exists.",
    ),
    Claim(
        id="isca2017-eq11-linear",
        source="altaf2017, §2.3, Eq. 11",
        statement="With latency per byte, for linear kernels eq. 11 is the break-even granularity.",
        given=("latency == linear", "beta == 1", "C*(A - 1) > A*L", "o > 0"),
        asserts=(f"g1 == {_EQ11}", f"speedup(g={_EQ11}) == 1"),
        argument="The tangent of a line is the line.",
    ),
    Claim(
        id="isca2017-eq11-superlinear",
        source="altaf2017, §2.3, Eq. 11",
        statement="With latency per byte, for super-linear kernels eq. 11 is the break-even "
        "granularity.",
        given=("latency == linear", "beta > 1", "A > 1", f"x == {_EQ11}"),
        asserts=("speedup(g=x) == 1",),
        corrected=Correction(
            statement="Where C*beta*(A - 1) > A*L it is not too small: every granularity that "
            "does not pay is at most that; elsewhere it is no granularity.",
            given=("latency == linear", "beta > 1", "A > 1", f"x == {_EQ11}", "speedup <= 1"),
            asserts=("g <= x", _SLOPE11),
        ),
        argument="x is a granularity, which is positive.",
    ),
    Claim(
        id="isca2017-eq11-sublinear",
        source="altaf2017, §2.3, Eq. 11",
        statement="With latency per byte, for sub-linear kernels eq. 11 is the break-even "
        "granularity.",
        given=("latency == linear", "beta < 1", _SLOPE11, f"x == {_EQ11}", "exists(g1)"),
        asserts=("speedup(g=x) == 1",),
        corrected=Correction(
            statement="It is too small: every granularity that pays is above it.",
            given=("latency == linear", "beta < 1", _SLOPE11, f"x == {_EQ11}", "speedup >= 1"),
            asserts=("g >= x",),
        ),
    ),
)
