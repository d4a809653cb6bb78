"""Statements of the 2015 letter, sections 1 to 2.1: the model itself and its extremes."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_OVERLAP_FREE = "o=max(o + L0 + L1*g - T0/A, 0), L0=0, L1=0"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="cal2015-sec1-outweigh",
        source="altaf2015, abstract and §1",
        statement="Latency and overhead of an offload can exceed what the accelerator saves, and "
        "then offloading makes the computation slower.",
        asserts=(
            "iff(speedup < 1, o + L0 + L1*g > T0 - T0/A)",
            "implies(T0 <= o, speedup < 1)",
        ),
        argument="The first assertion says when; the second that it happens on every accelerator "
        "with overhead: T0 vanishes with the granularity, so that T0 <= o for small ones. Any "
        "exponent, any affine latency.",
    ),
    Claim(
        id="cal2015-fig1-break-even",
        source="altaf2015, §1 and Fig. 1",
        statement="Below the break-even point the host alone is faster, above it the accelerated "
        "version; at the break-even point both take the same time.",
        given=("latency == affine", "beta == 1", "exists(g1)"),
        asserts=(
            "implies(g < g1, T0 < T1)",
            "implies(g > g1, T1 < T0)",
            "T0(g=g1) == T1(g=g1)",
        ),
        argument="For every affine latency, wherever there is a break-even point.",
    ),
    Claim(
        id="cal2015-table1-index",
        source="altaf2015, Table 1 and §2",
        statement="The host needs the computational index per byte: its time is C*g.",
        given=("beta == 1",),
        asserts=("T0 == C*g", "T0/g == C"),
    ),
    Claim(
        id="cal2015-table1-acceleration",
        source="altaf2015, Table 1 and §2",
        statement="Without overhead and latency the accelerator divides the computation time by "
        "its acceleration, at every granularity.",
        asserts=("T1(o=0, L=0) == T0/A", "speedup(o=0, L=0) == A"),
        argument="'In the absence of overheads' is read as absence of overhead and latency, the "
        "two costs of the interface. Any exponent.",
    ),
    Claim(
        id="cal2015-sec2-accelerated-time",
        source="altaf2015, §2",
        statement="The accelerated time is overhead plus latency plus computation on the "
        "accelerator, which is the host's time divided by the acceleration.",
        asserts=("T1 == o + (L0 + L1*g) + T0/A", "T1 - o - L0 - L1*g == T0/A"),
        argument="O1 = o; L1(g) = L0 + L1*g, of which the letter's two forms are the cases L1 = 0 "
        "and L0 = 0; C1 = C0/a.",
    ),
    Claim(
        id="cal2015-sec2-constant-latency",
        source="altaf2015, §2",
        statement="With a latency that does not depend on granularity the accelerated time is "
        "o + L + C*g/A.",
        given=("latency == constant", "beta == 1"),
        asserts=("T1 == o + L + C*g/A",),
    ),
    Claim(
        id="cal2015-sec2-linear-latency",
        source="altaf2015, §2",
        statement="With a latency per byte the accelerated time is o + L*g + C*g/A.",
        given=("latency == linear", "beta == 1"),
        asserts=("T1 == o + L*g + C*g/A",),
    ),
    Claim(
        id="cal2015-sec2-computational-intensity",
        source="altaf2015, §2",
        statement="The ratio C/L measures how much the host computes per byte of offloaded data.",
        given=("latency == linear", "beta == 1", "L > 0", "r > 1"),
        asserts=("computational_intensity(L=r*L) == computational_intensity",),
        corrected=Correction(
            statement="It measures that in units of the time that the byte spends on the "
            "interface: a slower interface lowers it, the work being the same.",
            given=("latency == linear", "beta == 1", "L > 0"),
            asserts=(
                "T0/(L*g) == C/L",
                "(T0/g)/((T1 - o - T0/A)/g) == C/L",
                "computational_intensity == C/L",
                "computational_intensity(L=r*L) == computational_intensity/r",
            ),
        ),
        argument="The work per byte, C, does not depend on the latency.",
    ),
    Claim(
        id="cal2015-sec2-pipelined",
        source="altaf2015, §2",
        statement="A pipelined accelerator is described by the parts of overhead and latency that "
        "do not overlap with its computation.",
        asserts=(
            f"T1({_OVERLAP_FREE}) == max(o + L0 + L1*g, T0/A)",
            f"speedup({_OVERLAP_FREE}) == T0/max(o + L0 + L1*g, T0/A)",
            f"T1({_OVERLAP_FREE}) <= T1",
            f"T1 <= 2*T1({_OVERLAP_FREE})",
        ),
        argument="In the steady state of a pipeline of two stages, interface and accelerator, one "
        "offload is done in every period of the slower stage. What of the interface does not "
        "overlap is max(o + latency - C0/A, 0); with it the model gives exactly that period. The "
        "last two assertions: pipelining never harms and gains at most a factor of two.",
    ),
    Claim(
        id="cal2015-eq1",
        source="altaf2015, §2, Eq. 1",
        statement="Speedup is the time on the host over the accelerated time.",
        asserts=(
            "speedup == T0/T1",
            "speedup == T0/(o + (L0 + L1*g) + T0/A)",
        ),
    ),
    Claim(
        id="cal2015-eq2",
        source="altaf2015, §2, Eq. 2",
        statement="With constant latency the speedup is C*g/(o + L + C*g/A).",
        given=("latency == constant", "beta == 1"),
        asserts=("speedup == C*g/(o + L + C*g/A)",),
    ),
    Claim(
        id="cal2015-sec2-less-latency",
        source="altaf2015, §2",
        statement="A closer integration of the accelerator, which lowers the latency, helps.",
        given=("L > 0", "r > 1"),
        asserts=("speedup(L=L/r) > speedup",),
        argument="Both forms, any exponent, any granularity.",
    ),
    Claim(
        id="cal2015-sec2-less-overhead",
        source="altaf2015, §2",
        statement="Less time for initialisation, copies between buffers and address translation, "
        "that is a lower overhead, helps.",
        given=("o > 0", "r > 1"),
        asserts=("speedup(o=o/r) > speedup",),
        argument="Both forms, any exponent, any granularity.",
    ),
    Claim(
        id="cal2015-sec2-more-index",
        source="altaf2015, §2",
        statement="An algorithm with more work per byte, that is a higher computational index, "
        "raises the speedup.",
        given=("o + L0 + L1 > 0", "r > 1"),
        asserts=("speedup(C=r*C) > speedup",),
        argument="The letter says 'per unit time'; the index counts work per unit of data. Any "
        "affine latency, any exponent, any granularity.",
    ),
    Claim(
        id="cal2015-sec2-more-acceleration",
        source="altaf2015, §2",
        statement="More chip resources for the accelerator, that is a higher acceleration, raise "
        "the speedup.",
        given=("r > 1",),
        asserts=("speedup(A=r*A) > speedup", "diff(speedup, A) > 0"),
        argument="Both forms, any exponent, any granularity.",
    ),
    Claim(
        id="cal2015-sec2.1-increasing",
        source="altaf2015, §2.1 and Fig. 3",
        statement="With constant latency the speedup increases with granularity.",
        given=("latency == constant", "o + L > 0"),
        asserts=("implies(x < y, speedup(g=x) < speedup(g=y))", "diff(speedup, g) > 0"),
        argument="True for every exponent, not only for the letter's beta = 1.",
    ),
    Claim(
        id="cal2015-sec2.1-bounded",
        source="altaf2015, §2.1 and Fig. 3",
        statement="The speedup is bounded by the peak acceleration.",
        given=("o + L0 + L1 > 0",),
        asserts=("speedup < A",),
        argument="For every affine latency and every exponent; the bound is never attained.",
    ),
    Claim(
        id="cal2015-eq3",
        source="altaf2015, §2.1, Eq. 3",
        statement="With constant latency the speedup tends to the acceleration as the granularity "
        "grows without bound.",
        given=("latency == constant",),
        asserts=(
            "limit(speedup, g, oo) == A",
            "limit_large == A",
            "implies(C*g**beta*(1/s - 1/A) > o + L, s < speedup and speedup <= A)",
        ),
        argument="The last assertion is the definition of the limit: for every s < A the "
        "speedup stays between s and A from an explicit granularity on.",
    ),
    Claim(
        id="cal2015-eq4",
        source="altaf2015, §2.1, Eq. 4",
        statement="The speedup for one byte is C/(o + L + C/A), which is less than C/(o + L).",
        given=("o + L > 0",),
        asserts=(
            "speedup(g=1) == C/(o + L + C/A)",
            "speedup(g=1) < C/(o + L)",
            "speedup_one == C/(o + L + C/A)",
            "speedup_one_bound == C/(o + L)",
        ),
        argument="Printed as the value at g = 1, which it is, strictly below the bound. At one "
        "byte the two forms of latency agree, and the exponent does not matter.",
    ),
    Claim(
        id="cal2015-eq4-smallest",
        source="altaf2015, §2.1, Eq. 4",
        statement="With constant latency Eq. 4 is what Eq. 2 comes down to at the small end of "
        "the granularities.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "implies(g >= 1, speedup >= speedup(g=1))",
            "limit(speedup, g, 0) == 0",
            "limit_small == 0",
        ),
        argument="Data are offloaded in whole bytes: the value at one byte is the least speedup. "
        "It is not the limit for g to 0, which vanishes.",
    ),
    Claim(
        id="cal2015-eq4-amdahl",
        source="altaf2015, §2.1, below Eq. 4",
        statement="Eq. 4 is Amdahl's law, with overhead and latency as the part that no "
        "acceleration shortens.",
        given=("o + L > 0",),
        asserts=("speedup(g=1) == 1/((o + L)/(o + L + C) + C/(o + L + C)/A)",),
        corrected=Correction(
            statement="Eq. 4 is f times Amdahl's law, with f = C/(o + L + C) as the part that is "
            "accelerated; counted from an accelerator no faster than the host it is Amdahl's law.",
            given=("o + L > 0",),
            asserts=(
                "speedup(g=1) == C/(o + L + C)/((o + L)/(o + L + C) + C/(o + L + C)/A)",
                "speedup(g=1)/speedup(g=1, A=1) == 1/((o + L)/(o + L + C) + C/(o + L + C)/A)",
                "speedup(g=1, A=r*A)/speedup(g=1) == 1/((o + L)/T1(g=1) + C/A/T1(g=1)/r)",
                "limit(speedup(g=1), A, oo) == C/(o + L)",
            ),
        ),
        argument="The host pays neither o nor L, so that the speedup may be below one, which "
        "Amdahl's never is. Every further r-fold acceleration follows the law exactly, and the "
        "serial part alone bounds it.",
    ),
    Claim(
        id="cal2015-eq4-overheads-dominate",
        source="altaf2015, §2.1, below Eq. 4",
        statement="With constant latency, at small granularities overhead and latency dominate "
        "the accelerated time.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "limit((o + L)/T1, g, 0) == 1",
            "implies(x < y, (o + L)/T1(g=x) > (o + L)/T1(g=y))",
            "iff(o + L > T0/A, g < gA2)",
        ),
        argument="Their share falls with granularity, from the whole; 'small' is exactly "
        "'below the half-peak granularity'. True for every exponent.",
    ),
)
