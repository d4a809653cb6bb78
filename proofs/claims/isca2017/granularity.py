"""Statements of ISCA 2017 on break-even and half-peak: section 2.2, eqs 5-7, implications 1-3."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec2.2-break-even",
        source="altaf2017, §2.2",
        statement="With constant latency, at g1 the speedup is 1: offloading takes as long as the "
        "host.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("speedup(g=g1) == 1", "T1(g=g1) == T0(g=g1)"),
    ),
    Claim(
        id="isca2017-sec2.2-break-even-least",
        source="altaf2017, §2.2",
        statement="With constant latency g1 is the least granularity at which offloading starts "
        "to pay.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("iff(speedup >= 1, g >= g1)",),
    ),
    Claim(
        id="isca2017-eq5",
        source="altaf2017, §2.2, Eq. 5",
        statement="With constant latency g1 is (A/(A - 1)*(o + L)/C)**(1/beta).",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=(
            "g1 == ((A/(A - 1))*((o + L)/C))**(1/beta)",
            "speedup(g=((A/(A - 1))*((o + L)/C))**(1/beta)) == 1",
        ),
    ),
    Claim(
        id="isca2017-implication1",
        source="altaf2017, §2.2, Implication 1",
        statement="With constant latency, for large A the break-even granularity hardly depends "
        "on A.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=(
            "g1**beta == A/(A - 1)*((o + L)/C)",
            "limit(A/(A - 1), A, oo) == 1",
            "A*diff(g1, A)/g1 == -1/(beta*(A - 1))",
        ),
        argument="g1 tends to ((o + L)/C)**(1/beta), and the relative change of g1 with a relative "
        "change of A falls to 0. Large means that beta*(A - 1) is large.",
    ),
    Claim(
        id="isca2017-implication1-interface",
        source="altaf2017, §2.2, after Implication 1",
        statement="With constant latency, to lower g1, improve the interface rather than the "
        "acceleration, by the same factor.",
        given=("latency == constant", "A > 1", "o + L > 0", "r > 1"),
        asserts=("g1(o=o/r, L=L/r) < g1(A=r*A)",),
        corrected=Correction(
            statement="From A = 2 on. For A just above 1 the acceleration helps more.",
            given=("latency == constant", "A >= 2", "o + L > 0", "r > 1"),
            asserts=(
                "g1(o=o/r, L=L/r) == r**(-1/beta)*g1",
                "g1(o=o/r, L=L/r) < g1(A=r*A)",
            ),
        ),
        argument="Both improved by the same factor r.",
    ),
    Claim(
        id="isca2017-implication2",
        source="altaf2017, §2.2, Implication 2",
        statement="With constant latency doubling C reduces g1 by the factor 2**(-1/beta).",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("g1(C=2*C) == 2**(-1/beta)*g1",),
    ),
    Claim(
        id="isca2017-implication2-profound",
        source="altaf2017, §2.2, after Implication 2",
        statement="With constant latency the effect of the index on g1 is stronger for sub-linear "
        "kernels.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=(
            "iff(2**(-1/beta) < 1/2, beta < 1)",
            "g1(C=2*C)/g1 == 2**(-1/beta)",
            "diff(2**(-1/beta), beta) > 0",
        ),
        argument="Doubling the index leaves a part of g1 that is the smaller, the smaller beta.",
    ),
    Claim(
        id="isca2017-implication2-beta-0.5",
        source="altaf2017, §2.2, after Implication 2",
        statement="With constant latency and beta = 0.5, doubling C divides g1 by 4.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("g1(beta=0.5, C=2*C) == g1(beta=0.5)/4",),
    ),
    Claim(
        id="isca2017-implication2-beta-1",
        source="altaf2017, §2.2, after Implication 2",
        statement="With constant latency and beta = 1, doubling C divides g1 by 2.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("g1(beta=1, C=2*C) == g1(beta=1)/2",),
    ),
    Claim(
        id="isca2017-implication2-beta-2",
        source="altaf2017, §2.2, after Implication 2",
        statement="With constant latency and beta = 2, doubling C divides g1 by the square root "
        "of 2.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("g1(beta=2, C=2*C) == g1(beta=2)/sqrt(2)",),
    ),
    Claim(
        id="isca2017-sec2.2-half-peak",
        source="altaf2017, §2.2",
        statement="With constant latency, at gA2 the speedup is half the acceleration.",
        given=("latency == constant", "o + L > 0"),
        asserts=("speedup(g=gA2) == A/2",),
    ),
    Claim(
        id="isca2017-sec2.2-half-peak-after-break-even",
        source="altaf2017, §2.2",
        statement="With constant latency gA2 tells of the behaviour after the break-even point: "
        "it is beyond g1.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("g1 < gA2",),
        corrected=Correction(
            statement="It is beyond g1 exactly if A > 2.",
            given=("latency == constant", "A > 1", "o + L > 0"),
            asserts=("iff(g1 < gA2, A > 2)", "iff(g1 == gA2, A == 2)"),
        ),
    ),
    Claim(
        id="isca2017-eq6",
        source="altaf2017, §2.2, Eq. 6",
        statement="With constant latency gA2 is (A*(o + L)/C)**(1/beta).",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "gA2 == (A*((o + L)/C))**(1/beta)",
            "speedup(g=(A*((o + L)/C))**(1/beta)) == A/2",
        ),
    ),
    Claim(
        id="isca2017-eq7",
        source="altaf2017, §2.2, Eq. 7",
        statement="With constant latency gA2 is (A - 1)**(1/beta) times g1.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("gA2 == (A - 1)**(1/beta)*g1",),
    ),
    Claim(
        id="isca2017-implication3",
        source="altaf2017, §2.2, Implication 3",
        statement="With constant latency doubling A multiplies gA2 by 2**(1/beta).",
        given=("latency == constant", "o + L > 0"),
        asserts=("gA2(A=2*A) == 2**(1/beta)*gA2",),
        argument="gA2(A=2*A) is the granularity for half of the doubled acceleration; that for "
        "the former A/2 falls, by isca2017-sec2-depends-on-acceleration.",
    ),
    Claim(
        id="isca2017-implication3-pronounced",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency the effect of the acceleration on gA2 is stronger for "
        "sub-linear kernels.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "iff(2**(1/beta) > 2, beta < 1)",
            "gA2(A=2*A)/gA2 == 2**(1/beta)",
            "diff(2**(1/beta), beta) < 0",
        ),
        argument="Doubling the acceleration multiplies gA2 by the more, the smaller beta.",
    ),
    Claim(
        id="isca2017-implication3-beta-0.5",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency and beta = 0.5, doubling A multiplies gA2 by 4.",
        given=("latency == constant", "o + L > 0"),
        asserts=("gA2(beta=0.5, A=2*A) == 4*gA2(beta=0.5)",),
    ),
    Claim(
        id="isca2017-implication3-beta-1",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency and beta = 1, doubling A multiplies gA2 by 2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("gA2(beta=1, A=2*A) == 2*gA2(beta=1)",),
    ),
    Claim(
        id="isca2017-implication3-beta-2",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency and beta = 2, doubling A multiplies gA2 by the square "
        "root of 2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("gA2(beta=2, A=2*A) == sqrt(2)*gA2(beta=2)",),
    ),
    Claim(
        id="isca2017-sec2.2-acceleration-raises-half-peak",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency, by eq. 7 a larger acceleration means a larger gA2.",
        given=("latency == constant", "o + L > 0"),
        asserts=("diff(gA2, A) > 0", "A*diff(gA2, A)/gA2 == 1/beta"),
        argument="Eq. 7 alone does not show it, since g1 falls with A; eq. 6 does.",
    ),
    Claim(
        id="isca2017-sec2.2-dilemma",
        source="altaf2017, §2.2, after Implication 3",
        statement="With constant latency higher acceleration is at odds with a lower gA2, most of "
        "all for sub-linear kernels.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("diff(gA2, A) > 0", "A*diff(gA2, A)/gA2 == 1/beta", "diff(g1, A) < 0"),
        argument="By the second assertion the more the smaller beta. The dilemma is between "
        "acceleration and gA2 alone: g1, of which the paper speaks too, falls with acceleration.",
    ),
    Claim(
        id="isca2017-sec2.2-low-break-even-low-overheads",
        source="altaf2017, §2.2",
        statement="With constant latency, of two systems, the one with the lower g1 has the lower "
        "overheads.",
        given=("latency == constant", "A > 1", "o + L > 0", "m*A > 1"),
        asserts=("implies(g1(o=r*o, L=r*L, C=n*C, A=m*A) < g1, r*(o + L) < o + L)",),
        corrected=Correction(
            statement="If index, complexity and acceleration are the same, the one with the lower "
            "g1 has the lower sum of overhead and latency.",
            given=("latency == constant", "A > 1", "o + L > 0"),
            asserts=("iff(g1(o=r*o, L=q*L) < g1, r*o + q*L < o + L)",),
        ),
        argument="The other system has r times the overhead, q times the latency, n times the "
        "index and m times the acceleration.",
    ),
    Claim(
        id="isca2017-sec2.2-complex-interface",
        source="altaf2017, §2.2",
        statement="With constant latency g1 increases with the complexity of the interface, that "
        "is its overhead.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("diff(g1, o) > 0",),
    ),
    Claim(
        id="isca2017-sec2.2-distant-accelerator",
        source="altaf2017, §2.2",
        statement="g1 increases as the accelerator moves away from the host, with its latency.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("diff(g1, L) > 0",),
    ),
)
