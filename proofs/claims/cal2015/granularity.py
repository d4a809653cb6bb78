"""Statements of the 2015 letter, sections 2.2 and 2.3: break-even, half-peak, latency per byte."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = [
    "CLAIMS",
]

_CONSTANT_LATENCY: tuple[Claim, ...] = (
    Claim(
        id="cal2015-sec2.2-g1-break-even",
        source="altaf2015, §2.2",
        statement="g1 is the granularity of speedup 1, at which accelerator and host take the "
        "same time.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("speedup(g=g1) == 1", "T1(g=g1) == T0(g=g1)"),
        argument="True for every exponent.",
    ),
    Claim(
        id="cal2015-sec2.2-g1-minimum",
        source="altaf2015, §2.2",
        statement="g1 is the least granularity from which the accelerator is of benefit.",
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
        statement="Eq. 5 gives a break-even point whenever the accelerator is faster than the "
        "host.",
        given=("latency == constant", "o + L > 0"),
        asserts=("iff(exists(g1), A > 1)", "implies(A <= 1, speedup < 1)"),
        argument="The letter takes A > 1 for granted; without it Eq. 5 is no granularity, and "
        "offloading never pays.",
    ),
    Claim(
        id="cal2015-implication1",
        source="altaf2015, §2.2, Implication 1",
        statement="For large accelerations the break-even point hardly depends on the "
        "acceleration.",
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
        statement="Twice the computational index halves the break-even point.",
        given=("latency == constant", "beta == 1", "A > 1", "o + L > 0"),
        asserts=("g1(C=2*C) == g1/2",),
        argument="Exactly, with constant latency, of which the implication speaks.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-half-peak",
        source="altaf2015, §2.2",
        statement="gA2 is the granularity at which the speedup is half of the peak acceleration.",
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
        statement="gA2 shows how fast the speedup climbs towards the peak acceleration.",
        given=("latency == constant", "beta == 1", "o + L > 0"),
        asserts=("speedup == A*g/(g + gA2)", "speedup/A == 1/(1 + gA2/g)"),
        argument="Relative to the peak the whole curve depends on g/gA2 alone: the form of "
        "Hockney's r_inf and n_1/2, from which the letter took the metric.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-after-break-even",
        source="altaf2015, §2.2 and Fig. 3",
        statement="gA2 tells about the range beyond the break-even point: it lies above g1.",
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
        statement="Twice the peak acceleration needs about twice the granularity for half of the "
        "peak.",
        given=("latency == constant", "beta == 1", "o + L > 0"),
        asserts=("gA2(A=2*A) == 2*gA2",),
        argument="Not only approximately: exactly twice, by Eq. 6.",
    ),
    Claim(
        id="cal2015-sec2.2-gA2-grows",
        source="altaf2015, §2.2, below Implication 3",
        statement="A higher peak acceleration raises gA2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("diff(gA2, A) > 0", "iff(gA2(A=r*A) > gA2, r > 1)"),
        argument="True for every exponent.",
    ),
    Claim(
        id="cal2015-sec2.2-dilemma",
        source="altaf2015, §2.2, below Implication 3",
        statement="The designer must choose between a higher peak acceleration and a smaller "
        "granularity for half of the peak.",
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


_LINEAR = ("latency == linear", "beta == 1")
_PRINTED_G1 = "A*(o/(C*(A - 1) - A*L))"
_PRINTED_GA2 = "A*(o/(C - A*L))"

_LINEAR_LATENCY: tuple[Claim, ...] = (
    Claim(
        id="cal2015-eq8",
        source="altaf2015, §2.3, Eq. 8",
        statement="With a latency per byte the speedup is C*g/(o + L*g + C*g/A).",
        given=_LINEAR,
        asserts=("speedup == C*g/(o + L*g + C*g/A)",),
    ),
    Claim(
        id="cal2015-sec2.3-increasing",
        source="altaf2015, §2.3, Eqs. 8 and 9",
        statement="Under linear latency too the speedup grows with granularity, from below "
        "towards the value of Eq. 9.",
        given=(*_LINEAR, "o > 0"),
        asserts=(
            "implies(x < y, speedup(g=x) < speedup(g=y))",
            "speedup < A*C/(A*L + C)",
        ),
        argument="Needs beta = 1: for smaller exponents the speedup has a peak and falls again.",
    ),
    Claim(
        id="cal2015-eq9",
        source="altaf2015, §2.3, Eq. 9",
        statement="With a latency per byte the speedup tends to A*C/(A*L + C) as the granularity "
        "grows without bound.",
        given=_LINEAR,
        asserts=(
            "limit(speedup, g, oo) == A*C/(A*L + C)",
            "limit_large == A*C/(A*L + C)",
            "implies((C*(1/s - 1/A) - L)*g > o, s < speedup and speedup <= A*C/(A*L + C))",
        ),
        argument="The last assertion is the definition of the limit: for every s below it the "
        "speedup stays between s and the limit from an explicit granularity on.",
    ),
    Claim(
        id="cal2015-sec2.3-large-acceleration",
        source="altaf2015, §2.3, below Eq. 9",
        statement="Unlike with constant latency, that limit does not grow with the acceleration "
        "beyond all bounds but tends to the computational intensity C/L.",
        given=("L > 0",),
        asserts=(
            "limit(A*C/(A*L + C), A, oo) == C/L",
            "(C/L)/(A*C/(A*L + C)) - 1 == C/(A*L)",
            "A*C/(A*L + C) < min(A, C/L)",
        ),
        argument="The intensity exceeds the limit by the fraction (C/L)/A.",
    ),
    Claim(
        id="cal2015-implication4",
        source="altaf2015, §2.3, Implication 4",
        statement="With a latency per byte the computational intensity limits the speedup.",
        given=(*_LINEAR, "L > 0"),
        asserts=("speedup < C/L", "latency_ceiling == C/L"),
        argument="At every granularity, for every overhead and acceleration.",
    ),
    Claim(
        id="cal2015-eq10",
        source="altaf2015, §2.3, Eq. 10",
        statement="The speedup for one byte is A*C/(A*(o + L) + C).",
        asserts=(
            "speedup(g=1) == A*(C/(A*(o + L) + C))",
            "speedup_one == A*(C/(A*(o + L) + C))",
        ),
        argument="The same value as Eq. 4: at one byte the two forms of latency agree.",
    ),
    Claim(
        id="cal2015-eq10-smallest",
        source="altaf2015, §2.3, Eq. 10",
        statement="Eq. 10 is what Eq. 8 comes down to for very small granularities.",
        given=("beta == 1", "o > 0"),
        asserts=(
            "implies(g >= 1, speedup >= speedup(g=1))",
            "limit(speedup, g, 0) == 0",
            "limit_small == 0",
        ),
        argument="Data are offloaded in whole bytes: the value at one byte is the least speedup. "
        "It is not the limit for g to 0, which vanishes. Both forms of latency.",
    ),
    Claim(
        id="cal2015-eq10-overheads",
        source="altaf2015, §2.3, below Eq. 10",
        statement="The smaller the granularity, the more the overhead weighs.",
        given=("latency == linear", "o > 0"),
        asserts=(
            "limit(o/T1, g, 0) == 1",
            "implies(x < y, o/T1(g=x) > o/T1(g=y))",
        ),
        argument="Its share falls with granularity, from the whole. Here the overhead alone: "
        "the latency shrinks with the data. Any exponent.",
    ),
    Claim(
        id="cal2015-eq11",
        source="altaf2015, §2.3, Eq. 11",
        statement="With a latency per byte g1 = A*o/(C*(A - 1) - A*L).",
        given=(*_LINEAR, "o > 0", "C*(A - 1) > A*L"),
        asserts=(
            f"g1 == {_PRINTED_G1}",
            f"speedup(g={_PRINTED_G1}) == 1",
            f"implies(speedup == 1, g == {_PRINTED_G1})",
        ),
        argument="Exact for beta = 1, and the only solution of Eq. 8 with speedup 1.",
    ),
    Claim(
        id="cal2015-eq11-minimum",
        source="altaf2015, §2.3, Eq. 11 with §2.2",
        statement="Under linear latency too g1 is the least granularity from which the "
        "accelerator is of benefit.",
        given=_LINEAR,
        asserts=(
            "implies(g*(C*(A - 1) - A*L) > A*o, speedup > 1)",
            "implies(g*(C*(A - 1) - A*L) < A*o, speedup < 1)",
        ),
        argument="Both directions. Where the denominator of Eq. 11 is positive the first "
        "conditions say g > g1 and g < g1; where it is not, the first never holds, and the "
        "second holds at every granularity (unless both sides vanish): offloading never pays.",
    ),
    Claim(
        id="cal2015-eq11-positive",
        source="altaf2015, §2.3, below Eq. 11",
        statement="Eq. 11 gives a positive granularity only if C/L > C/(A*L) + 1.",
        given=(*_LINEAR, "o > 0", "L > 0"),
        asserts=(
            "implies(exists(g1), C/L > C/(A*L) + 1)",
            "implies(C/L > C/(A*L) + 1, exists(g1))",
            "implies(C/L <= C/(A*L) + 1, speedup < 1)",
        ),
        argument="Necessary, as printed, and sufficient as well; where it fails no granularity "
        "pays. For A > 1 it is C/L > A/(A - 1).",
    ),
    Claim(
        id="cal2015-implication5",
        source="altaf2015, §2.3, Implication 5",
        statement="No speedup is to be had unless the computational intensity is greater than 1.",
        given=(*_LINEAR, "L > 0"),
        asserts=("implies(speedup >= 1, C/L > 1)",),
        argument="Necessary for every granularity, overhead and acceleration.",
    ),
    Claim(
        id="cal2015-implication5-decides",
        source="altaf2015, §2.3, below Implication 5",
        statement="C and L alone tell whether porting a program is worth the effort: it is if "
        "their ratio is greater than 1.",
        given=(*_LINEAR, "A > 1", "o > 0", "L > 0"),
        asserts=("iff(exists(g1), C/L > 1)",),
        corrected=Correction(
            statement="C/L <= 1 tells that it never pays; that it does pay takes C/L > A/(A - 1), "
            "which tends to 1 only for large accelerations.",
            given=(*_LINEAR, "A > 1", "o > 0", "L > 0"),
            asserts=(
                "implies(C/L <= 1, speedup < 1)",
                "implies(C/L > A/(A - 1), exists(g1))",
                "implies(C/L <= A/(A - 1), speedup < 1)",
                "limit(A/(A - 1), A, oo) == 1",
            ),
        ),
        argument="Implication 5 is necessary, not sufficient; between 1 and A/(A - 1) the "
        "acceleration decides.",
    ),
    Claim(
        id="cal2015-eq12",
        source="altaf2015, §2.3, Eq. 12",
        statement="With a latency per byte gA2 = A*o/(C - A*L).",
        given=(*_LINEAR, "o > 0", "C > A*L"),
        asserts=(
            f"gA2 == {_PRINTED_GA2}",
            f"speedup(g={_PRINTED_GA2}) == A/2",
            f"implies(speedup == A/2, g == {_PRINTED_GA2})",
        ),
        argument="Exact for beta = 1, and the only solution of Eq. 8 with speedup A/2.",
    ),
    Claim(
        id="cal2015-eq12-positive",
        source="altaf2015, §2.3, below Eq. 12",
        statement="Eq. 12 gives a positive granularity only if C/L > A.",
        given=(*_LINEAR, "o > 0", "L > 0"),
        asserts=("implies(exists(gA2), C/L > A)", "implies(C/L > A, exists(gA2))"),
        argument="Necessary, as printed, and sufficient as well.",
    ),
    Claim(
        id="cal2015-implication6",
        source="altaf2015, §2.3, Implication 6",
        statement="Half of the peak acceleration is not reached unless the computational "
        "intensity is greater than the peak acceleration.",
        given=(*_LINEAR, "o > 0", "L > 0"),
        asserts=("implies(speedup >= A/2, C/L > A)",),
        argument="At every granularity. Without overhead C/L = A would do, at all of them.",
    ),
    Claim(
        id="cal2015-implication6-sufficient",
        source="altaf2015, §2.3, Implication 6",
        statement="A computational intensity greater than the peak acceleration is enough for "
        "half of the peak, from gA2 on.",
        given=_LINEAR,
        asserts=(
            "implies(g*(C - A*L) >= A*o, speedup >= A/2)",
            "implies(speedup >= A/2, g*(C - A*L) >= A*o)",
            "implies(o > 0 and C > A*L, exists(gA2))",
        ),
        argument="The converse of the implication: for C/L > A half of the peak is reached "
        "exactly from g = A*o/(C - A*L) on, which is gA2 where there is overhead.",
    ),
    Claim(
        id="cal2015-sec2.3-goal-ratio",
        source="altaf2015, §2.3, below Implication 6",
        statement="A system whose ratio of communication to computation is less than its peak "
        "acceleration misses the goal of half of the peak.",
        given=(*_LINEAR, "L/C < A"),
        asserts=("speedup < A/2",),
        corrected=Correction(
            statement="A system whose ratio of computation to communication, C/L, is less than "
            "its peak acceleration misses that goal.",
            given=(*_LINEAR, "C/L < A"),
            asserts=("speedup < A/2",),
        ),
        argument="The ratio is printed upside down; section 3 has it the right way.",
    ),
    Claim(
        id="cal2015-sec2.3-goal-only",
        source="altaf2015, §2.3, below Implication 6",
        statement="Such a system reaches its goal of half of the peak by a higher index or a "
        "better interface only; more acceleration does not help.",
        given=(*_LINEAR, "C/L < A", "r > 1"),
        asserts=("speedup(A=r*A) < A/2",),
        corrected=Correction(
            statement="For the goal A/2 as it stood, an r-fold acceleration is enough exactly if "
            "C/L > A*r/(2*r - 1), never if C/L <= A/2. Half of the new peak is out of reach, "
            "whatever the overhead and the acceleration.",
            given=(*_LINEAR, "o > 0", "C/L < A", "r > 1"),
            asserts=(
                "implies(C/L > A*r/(2*r - 1), exists(g_s(s=A/2, A=r*A)))",
                "implies(C/L <= A*r/(2*r - 1), speedup(A=r*A) < A/2)",
                "A*r/(2*r - 1) > A/2",
                "speedup(A=r*A) < r*A/2",
            ),
        ),
        argument="More acceleration can lift the speedup up to C/L, by Implication 4, and so past "
        "A/2 where C/L is between A/2 and A.",
    ),
    Claim(
        id="cal2015-sec2.3-infinite-acceleration",
        source="altaf2015, §2.3, before Implication 7",
        statement="With infinite acceleration overhead and latency alone limit the speedup; gA is "
        "the granularity at which it is A.",
        given=("exists(gA)",),
        asserts=(
            "speedup_infinite == T0/(o + L0 + L1*g)",
            "limit(speedup, A, oo) == T0/(o + L0 + L1*g)",
            "speedup_infinite(g=gA) == A",
        ),
        argument="Any exponent, any affine latency.",
    ),
    Claim(
        id="cal2015-sec2.3-gA-equals-gA2",
        source="altaf2015, §2.3, before Implication 7",
        statement="gA equals gA2.",
        given=("latency == affine", "exists(gA2)"),
        asserts=("gA == gA2", "speedup_infinite(g=gA2) == A", "speedup(g=gA) == A/2"),
        argument="Exactly, for every exponent and every affine latency: 1/S = 1/A + 1/S_inf, so "
        "that S = A/2 and S_inf = A are the same equation.",
    ),
    Claim(
        id="cal2015-implication7",
        source="altaf2015, §2.3, Implication 7",
        statement="Where half of the peak A is not achieved, no higher peak acceleration brings "
        "the speedup up to A.",
        given=("latency == affine",),
        asserts=("implies(speedup <= A/2, speedup(A=r*A) < A)",),
        argument="Said of one granularity, hence of all: if the speedup is at most A/2 at every "
        "granularity, an r-fold acceleration, for every r, keeps it below A at every "
        "granularity. Any exponent, any affine latency.",
    ),
    Claim(
        id="cal2015-implication7-intensity",
        source="altaf2015, §2.3, Implication 7 with Implication 6",
        statement="If gA2 does not exist, the speedup stays below A with any other acceleration.",
        given=(*_LINEAR, "o > 0", "not exists(gA2)"),
        asserts=("speedup(A=r*A) < A", "speedup(A=r*A) < C/L", "C/L <= A"),
        argument="The bound is the intensity C/L, which is at most A where gA2 does not exist.",
    ),
    Claim(
        id="cal2015-implication7-resources",
        source="altaf2015, §2.3, below Implication 7",
        statement="Where half of the peak is not achieved, resources are better spent on the "
        "interface than on more acceleration.",
        given=("r > 1",),
        asserts=(
            "implies(speedup < A/2, speedup(o=o/r, L0=L0/r, L1=L1/r) > speedup(A=r*A))",
            "implies(speedup > A/2, speedup(o=o/r, L0=L0/r, L1=L1/r) < speedup(A=r*A))",
        ),
        argument="An r-fold better interface, overhead and latency both, against an r-fold "
        "acceleration: half of the peak is exactly where the advantage changes sides. Any "
        "exponent, any affine latency.",
    ),
)


CLAIMS = (*_CONSTANT_LATENCY, *_LINEAR_LATENCY)
