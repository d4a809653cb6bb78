"""Statements of the 2015 letter, section 2.2: break-even and half-peak, eqs 5 to 7."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="cal2015-sec2.2-g1-break-even",
        source="altaf2015, §2.2",
        statement="With constant latency g1 is the granularity of speedup 1, at which accelerator "
        "and host take the same time.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("speedup(g=g1) == 1", "T1(g=g1) == T0(g=g1)"),
        argument="True for every exponent.",
    ),
    Claim(
        id="cal2015-sec2.2-g1-minimum",
        source="altaf2015, §2.2",
        statement="With constant latency g1 is the least granularity from which the accelerator "
        "is of benefit.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("implies(g > g1, speedup > 1)", "implies(g < g1, speedup < 1)"),
        argument="Both directions: above g1 offloading always pays, below never; at g1 itself, "
        "where the speedup is 1, the benefit is nil. True for every exponent.",
    ),
    Claim(
        id="cal2015-eq5",
        source="altaf2015, §2.2, Eq. 5",
        statement="With constant latency g1 = (A/(A - 1)) * (o + L)/C.",
        given=("latency == constant", "beta == 1", "A > 1", "o + L > 0"),
        asserts=(
            "g1 == (A/(A - 1))*((o + L)/C)",
            "iff(speedup == 1, g == (A/(A - 1))*((o + L)/C))",
        ),
        argument="The second assertion: it is the only solution of Eq. 2 with speedup 1.",
    ),
    Claim(
        id="cal2015-eq5-existence",
        source="altaf2015, §2.2, Eq. 5",
        statement="With constant latency Eq. 5 gives a break-even point whenever the accelerator "
        "is faster than the host.",
        given=("latency == constant", "o + L > 0"),
        asserts=("iff(exists(g1), A > 1)", "implies(A <= 1, speedup < 1)"),
        argument="The letter takes A > 1 for granted; without it Eq. 5 is no granularity, and "
        "offloading never pays.",
    ),
    Claim(
        id="cal2015-implication1",
        source="altaf2015, §2.2, Implication 1",
        statement="With constant latency, for large accelerations the break-even point hardly "
        "depends on the acceleration.",
        given=("latency == constant", "beta == 1", "A > 1", "o + L > 0"),
        asserts=(
            "limit(g1, A, oo) == (o + L)/C",
            "g1/((o + L)/C) - 1 == 1/(A - 1)",
            "iff(g1 <= (1 + f)*(o + L)/C, A >= 1 + 1/f)",
            "A*diff(g1, A)/g1 == -1/(A - 1)",
        ),
        argument="'Essentially' made a number: g1 exceeds its limit by the fraction 1/(A - 1), "
        "so it is within a fraction f of it exactly from A = 1 + 1/f on (10 % from A = 11), and "
        "its elasticity with respect to A is -1/(A - 1).",
    ),
    Claim(
        id="cal2015-implication2",
        source="altaf2015, §2.2, Implication 2",
        statement="With constant latency twice the computational index halves the break-even "
        "point.",
        given=("latency == constant", "beta == 1", "A > 1", "o + L > 0"),
        asserts=("g1(C=2*C) == g1/2",),
        argument="Exactly, with constant latency, of which the implication speaks.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-half-peak",
        source="altaf2015, §2.2",
        statement="With constant latency gA2 is the granularity at which the speedup is half of "
        "the peak acceleration.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "speedup(g=gA2) == A/2",
            "implies(g > gA2, speedup > A/2)",
            "implies(g < gA2, speedup < A/2)",
        ),
        argument="True for every exponent and every acceleration.",
    ),
    Claim(
        id="cal2015-sec2.2-ramp",
        source="altaf2015, §2.2",
        statement="With constant latency gA2 shows how fast the speedup climbs towards the peak "
        "acceleration.",
        given=("latency == constant", "beta == 1", "o + L > 0"),
        asserts=("speedup == A*g/(g + gA2)", "speedup/A == 1/(1 + gA2/g)"),
        argument="Relative to the peak the whole curve depends on g/gA2 alone: the form of "
        "Hockney's r_inf and n_1/2, from which the letter took the metric.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-after-break-even",
        source="altaf2015, §2.2 and Fig. 3",
        statement="With constant latency gA2 tells about the range beyond the break-even point: "
        "it lies above g1.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("gA2 > g1",),
        corrected=Correction(
            statement="gA2 lies above g1 exactly for accelerations above 2; at A = 2 the two "
            "coincide, and for 1 < A < 2 half of the peak is reached before the break-even.",
            given=("latency == constant", "A > 1", "o + L > 0"),
            asserts=("iff(gA2 > g1, A > 2)", "iff(gA2 == g1, A == 2)"),
        ),
        argument="For A <= 2 half of the peak is a speedup of at most one. True for every "
        "exponent.",
    ),
    Claim(
        id="cal2015-eq6",
        source="altaf2015, §2.2, Eq. 6",
        statement="With constant latency gA2 = A * (o + L)/C.",
        given=("latency == constant", "beta == 1", "o + L > 0"),
        asserts=("gA2 == A*((o + L)/C)", "iff(speedup == A/2, g == A*((o + L)/C))"),
        argument="The second assertion: it is the only solution of Eq. 2 with speedup A/2.",
    ),
    Claim(
        id="cal2015-eq7",
        source="altaf2015, §2.2, Eq. 7",
        statement="With constant latency gA2 = (A - 1) * g1.",
        given=("latency == constant", "beta == 1", "A > 1", "o + L > 0"),
        asserts=("gA2 == (A - 1)*g1",),
    ),
    Claim(
        id="cal2015-implication3",
        source="altaf2015, §2.2, Implication 3",
        statement="With constant latency twice the peak acceleration needs about twice the "
        "granularity for half of the peak.",
        given=("latency == constant", "beta == 1", "o + L > 0"),
        asserts=("gA2(A=2*A) == 2*gA2",),
        argument="Not only approximately: exactly twice, by Eq. 6.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-grows",
        source="altaf2015, §2.2, below Implication 3",
        statement="With constant latency a higher peak acceleration raises gA2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("diff(gA2, A) > 0", "iff(gA2(A=r*A) > gA2, r > 1)"),
        argument="True for every exponent.",
    ),
    Claim(
        id="cal2015-sec2.2-dilemma",
        source="altaf2015, §2.2, below Implication 3",
        statement="With constant latency the designer must choose between a higher peak "
        "acceleration and a smaller granularity for half of the peak.",
        given=("latency == constant", "A > 1", "o + L > 0", "r > 1", "s < A"),
        asserts=(
            "gA2(A=r*A) > gA2",
            "g1(A=r*A) < g1",
            "g_s(A=r*A) < g_s",
            "speedup(A=r*A) > speedup",
        ),
        argument="The first assertion is the dilemma. The others are its extent: the "
        "half-peak granularity alone grows, because its target moves with the peak; break-even "
        "and every fixed target come earlier, and the speedup rises everywhere. True for every "
        "exponent.",
    ),
)
