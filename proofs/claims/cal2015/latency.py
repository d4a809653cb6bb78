"""Statements of the 2015 letter, section 2.3: latency per byte, eqs 8 to 12."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_LINEAR = ("latency == linear", "beta == 1")
_PRINTED_G1 = "A*(o/(C*(A - 1) - A*L))"
_PRINTED_GA2 = "A*(o/(C - A*L))"

CLAIMS: tuple[Claim, ...] = (
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
        statement="With a latency per byte, the smaller the granularity, the more the overhead "
        "weighs.",
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
        statement="With a latency per byte Eq. 11 gives a positive granularity only if C/L > "
        "C/(A*L) + 1.",
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
        statement="With a latency per byte no speedup is to be had unless the computational "
        "intensity is greater than 1.",
        given=(*_LINEAR, "L > 0"),
        asserts=("implies(speedup >= 1, C/L > 1)",),
        argument="Necessary for every granularity, overhead and acceleration.",
    ),
    Claim(
        id="cal2015-implication5-decides",
        source="altaf2015, §2.3, below Implication 5",
        statement="With a latency per byte C and L alone tell whether porting a program is worth "
        "the effort: it is if their ratio is greater than 1.",
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
        statement="With a latency per byte Eq. 12 gives a positive granularity only if C/L > A.",
        given=(*_LINEAR, "o > 0", "L > 0"),
        asserts=("implies(exists(gA2), C/L > A)", "implies(C/L > A, exists(gA2))"),
        argument="Necessary, as printed, and sufficient as well.",
    ),
    Claim(
        id="cal2015-implication6",
        source="altaf2015, §2.3, Implication 6",
        statement="With a latency per byte, half of the peak acceleration is not reached unless "
        "the computational intensity is greater than the peak acceleration.",
        given=(*_LINEAR, "o > 0", "L > 0"),
        asserts=("implies(speedup >= A/2, C/L > A)",),
        argument="At every granularity. Without overhead C/L = A would do, at all of them.",
    ),
    Claim(
        id="cal2015-implication6-sufficient",
        source="altaf2015, §2.3, Implication 6",
        statement="With a latency per byte a computational intensity greater than the peak "
        "acceleration is enough for half of the peak, from gA2 on.",
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
        statement="With a latency per byte a system whose ratio of communication to computation "
        "is less than its peak acceleration misses the goal of half of the peak.",
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
        statement="With a latency per byte such a system reaches its goal of half of the peak by "
        "a higher index or a better interface only; more acceleration does not help.",
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
        statement="With a latency per byte, if gA2 does not exist, the speedup stays below A with "
        "any other acceleration.",
        given=(*_LINEAR, "o > 0", "not exists(gA2)"),
        asserts=("speedup(A=r*A) < A", "speedup(A=r*A) < C/L", "C/L <= A"),
        argument="The bound is the intensity C/L, which is at most A where gA2 does not exist.",
    ),
    Claim(
        id="cal2015-implication7-resources",
        source="altaf2015, §2.3, below Implication 7",
        statement="Where half of the peak is not achieved, an interface better by a factor gains "
        "more than an acceleration better by that factor: resources are better spent there.",
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
