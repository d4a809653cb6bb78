"""Statements of ISCA 2017 on the model itself: sections 1, 2 and 2.1, Table 1, eqs 1 to 4."""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_EQ11 = "(C*(beta - 1)*(A - 1) + A*o)/(C*beta*(A - 1) - A*L)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec1-underperform",
        source="altaf2017, §1",
        statement="Latency and overhead can outweigh the benefit, so that offloading loses time.",
        given=("o > 0",),
        asserts=("speedup(g=(o/C)**(1/beta)) < 1",),
        argument="Every accelerator with an overhead, whatever its acceleration, is slower than "
        "the host at the granularity that the host processes within that overhead.",
    ),
    Claim(
        id="isca2017-sec1-threshold",
        source="altaf2017, §1, first observation on Fig. 1",
        statement="With constant latency the accelerated version wins only beyond a threshold, "
        "the break-even point.",
        given=("latency == constant", "A > 1", "o + L > 0"),
        asserts=("iff(speedup > 1, g > g1)",),
        argument="Figure 1 shows an accelerator with constant latency.",
    ),
    Claim(
        id="isca2017-sec1-break-even-points",
        source="altaf2017, §1, second observation on Fig. 1",
        statement="For the same kernel SPARC T4 breaks even earlier than UltraSPARC T2.",
        given=("latency == constant",),
        asserts=(
            "g1(o=111, L=4, C=32, A=12) < g1(o=29000, L=1500, C=90, A=19)",
            "g1(o=435, L=500, C=32, A=12) < g1(o=29000, L=1500, C=90, A=19)",
        ),
        argument="Parameters of AES from Table 5, with and without crypto instructions; the order "
        "does not depend on beta.",
    ),
    Claim(
        id="isca2017-sec1-gpu-breaks-even",
        source="altaf2017, §1, second observation on Fig. 1",
        statement="The discrete GPU breaks even, at large offloaded data.",
        given=(
            "latency == linear",
            "o == 2e8",
            "L == 3000",
            "C == 174",
            "A == 30",
            "beta == 1",
        ),
        asserts=("exists(g1)",),
        corrected=Correction(
            statement="With Table 5's latency for every byte it is slower than the host at every "
            "granularity; with that latency once per offload it breaks even near 1.2 MB.",
            given=("o == 2e8", "C == 174", "A == 30", "beta == 1"),
            asserts=("speedup(L0=0, L1=3000) < 1", "1.18e6 < g1(L0=3000, L1=0) < 1.19e6"),
        ),
        argument="Parameters of AES, a linear kernel by Table 4, from Table 5.",
    ),
    Claim(
        id="isca2017-table1-index",
        source="altaf2017, Table 1",
        statement="C is the time the host spends per byte of data.",
        asserts=("T0/g == C",),
        corrected=Correction(
            statement="The host spends C*g**(beta - 1) per byte: C at one byte, and at every "
            "granularity only if the kernel is linear.",
            asserts=("T0/g == C*g**(beta - 1)", "iff(T0/g == C, g == 1 or beta == 1)"),
        ),
    ),
    Claim(
        id="isca2017-table1-latency",
        source="altaf2017, Table 1, with Eq. 8",
        statement="Latency, like overhead, is a number of cycles, whatever the unit of "
        "granularity.",
        asserts=("T1(g=scale*g, C=C/scale**beta) == T1",),
        corrected=Correction(
            statement="What each offload pays is; what each byte pays, L in L*g, is a number of "
            "cycles per byte, and changes with the unit.",
            given=("latency == affine",),
            asserts=("T1(g=scale*g, L1=L1/scale, C=C/scale**beta) == T1",),
        ),
        argument="C, a time for g**beta, changes with the unit in any case.",
    ),
    Claim(
        id="isca2017-table1-acceleration",
        source="altaf2017, Table 1",
        statement="A is the peak speedup of the accelerator: that of its computation alone, never "
        "exceeded by an offload.",
        given=("latency == affine",),
        asserts=("speedup(o=0, L0=0, L1=0) == A", "speedup <= A"),
        argument="Whether it is approached depends on latency and beta: see isca2017-eq3 and "
        "the limits by case of isca2017-eq9.",
    ),
    Claim(
        id="isca2017-sec2-host-time",
        source="altaf2017, §2",
        statement="The time on the host is C times a power of the granularity, T0 = C*g**beta.",
        asserts=("T0 == C*g**beta",),
    ),
    Claim(
        id="isca2017-sec2-complexity-range",
        source="altaf2017, §2",
        statement="The power covers sub-linear kernels (beta < 1) to super-linear (beta > 1) ones.",
        asserts=(
            "iff(T0(g=2*g) < 2*T0, beta < 1)",
            "iff(T0(g=2*g) > 2*T0, beta > 1)",
        ),
        argument="Sub-linear: twice the data take less than twice the time.",
    ),
    Claim(
        id="isca2017-sec2-accelerated-time-constant",
        source="altaf2017, §2",
        statement="Offloaded, the time is overhead plus latency plus accelerated computation; "
        "with a latency independent of granularity.",
        given=("latency == constant",),
        asserts=("T1 == o + L + C*g**beta/A",),
    ),
    Claim(
        id="isca2017-sec2-accelerated-time-linear",
        source="altaf2017, §2",
        statement="The same with a latency proportional to granularity.",
        given=("latency == linear",),
        asserts=("T1 == o + L*g + C*g**beta/A",),
    ),
    Claim(
        id="isca2017-sec2-acceleration",
        source="altaf2017, §2",
        statement="Without overhead and latency an accelerator cuts the computation time A-fold.",
        asserts=("T0/T1(o=0, L=0) == A", "speedup(o=0, L=0) == A"),
    ),
    Claim(
        id="isca2017-eq1",
        source="altaf2017, Eq. 1",
        statement="The speedup is the time on the host over the time with the accelerator.",
        asserts=("speedup == T0/T1",),
    ),
    Claim(
        id="isca2017-sec2-closed-form",
        source="altaf2017, §2, before Eq. 2",
        statement="That complexity is a power of granularity gives the speedup a closed form, "
        "and the acceleration that a speedup takes at a granularity.",
        given=("latency == affine",),
        asserts=(
            "speedup == C*g**beta/(o + L0 + L1*g + C*g**beta/A)",
            "iff(speedup == s, 1/A == 1/s - (o + L0 + L1*g)/(C*g**beta))",
        ),
        argument="So of index, overhead, latency and exponent: ext-inverse-index and its likes.",
    ),
    Claim(
        id="isca2017-sec2-closed-form-granularity",
        source="altaf2017, §2, before Eq. 2, with Eqs. 5 and 11",
        statement="That complexity is a power of granularity gives the break-even granularity a "
        "closed form: Eq. 5, and with latency proportional to granularity Eq. 11.",
        given=("exists(g1)", "C*beta*(A - 1) != A*L"),
        asserts=(
            "implies(latency == constant, g1 == ((A/(A - 1))*((o + L)/C))**(1/beta))",
            f"implies(latency == linear, g1 == {_EQ11})",
        ),
        corrected=Correction(
            statement="With constant latency it does. With latency proportional to granularity "
            "Eq. 11 is exact for linear kernels only. Radicals give it for the exponents 1/3, 1/2, "
            "2/3, 3/2, 2 and 3; for 5 it can be the root of x**5 = x + 1, which no radicals give. "
            "For exponents in general no closed form is known.",
            given=("exists(g1)", "C*beta*(A - 1) != A*L"),
            asserts=(
                "implies(latency == constant, g1 == ((A/(A - 1))*((o + L)/C))**(1/beta))",
                f"implies(latency == linear and beta == 1 and o > 0, g1 == {_EQ11})",
                "implies(latency == linear, g1(beta=5, o=1, L=1, C=2, A=2)**5"
                " == g1(beta=5, o=1, L=1, C=2, A=2) + 1)",
            ),
        ),
        argument="The paper calls the model a simple closed form. Radicals: ext-radicals. The "
        "Galois group of x**5 - x - 1 is that of all permutations, which is not solvable; so it is "
        "for general coefficients (smith1977). What there is for every exponent are series, "
        "ext-series, and Newton's method with an error bound, ext-newton.",
    ),
    Claim(
        id="isca2017-sec2-logarithm-slowest",
        source="altaf2017, §2",
        statement="Asymptotically no function grows more slowly than the logarithm.",
        given=("log(g) > r**2",),
        asserts=("r*sqrt(log(g)) >= log(g)",),
        corrected=Correction(
            statement="The square root of the logarithm does: for every factor r it stays below "
            "log(g)/r from g = exp(r**2) on.",
            given=("log(g) > r**2",),
            asserts=("r*sqrt(log(g)) < log(g)",),
        ),
        argument="The sentence would give every unbounded function, also sqrt(log(g)), a factor r "
        "with which it reaches log(g) at large g. No r does, at no g beyond exp(r**2); so one "
        "counterexample and the correction refute it. log(log(g)) is another.",
    ),
    Claim(
        id="isca2017-sec2-logarithm-no-power",
        source="altaf2017, §2",
        statement="Powers of granularity do not describe kernels of complexity log(g) and "
        "g*log(g) at large granularities.",
        asserts=(
            "beta*log(g) < g**beta",
            "limit(1/g**beta, g, oo) == 0",
            "g*log(g)/g**(1 + beta) == log(g)/g**beta",
        ),
        argument="log(g)/g**(2*beta) is less than 1/(beta*g**beta) and so tends to 0 for every "
        "exponent: every power outgrows the logarithm, and every power above the first g*log(g), "
        "behind which the first falls.",
    ),
    Claim(
        id="isca2017-sec2-pipelined-interface",
        source="altaf2017, §2",
        statement="Latency independent of granularity models an accelerator that computes while "
        "the data still arrive.",
        asserts=("o + L0 + max(L1*g, T0/A) == T1(L1=0)",),
        corrected=Correction(
            statement="It does exactly if the data arrive no more slowly than the accelerator "
            "computes; otherwise it is too optimistic.",
            asserts=(
                "iff(o + L0 + max(L1*g, T0/A) == T1(L1=0), L1*g <= T0/A)",
                "o + L0 + max(L1*g, T0/A) >= T1(L1=0)",
            ),
        ),
        argument="L0 is the time until the first bytes arrive, L1*g that for all of them; if "
        "transfer and computation overlap, the longer of the two counts.",
    ),
    Claim(
        id="isca2017-sec2-intensity",
        source="altaf2017, §2",
        statement="Computational intensity is C/L; it is the host's work per byte offloaded.",
        given=("latency == linear", "L > 0"),
        asserts=("computational_intensity == C/L", "T0/(L*g) == C/L"),
        corrected=Correction(
            statement="C/L is the host's time per byte over the latency per byte for one byte; "
            "for g bytes that ratio is C/L*g**(beta - 1).",
            given=("latency == linear", "L > 0"),
            asserts=(
                "computational_intensity == C/L",
                "T0/(L*g) == computational_intensity*g**(beta - 1)",
            ),
        ),
        argument="Work per byte is measured in latencies. For linear kernels the sentence is true.",
    ),
    Claim(
        id="isca2017-sec2-accelerator-intensity",
        source="altaf2017, §2",
        statement="The accelerator's computational intensity is C/(A*L); it is the accelerator's "
        "work per byte offloaded.",
        given=("latency == linear", "L > 0"),
        asserts=(
            "accelerator_intensity == computational_intensity/A",
            "(T0/A)/(L*g) == C/(A*L)",
        ),
        corrected=Correction(
            statement="C/(A*L) is the accelerator's time per byte over the latency per byte for "
            "one byte; for g bytes that ratio is C/(A*L)*g**(beta - 1).",
            given=("latency == linear", "L > 0"),
            asserts=(
                "accelerator_intensity == C/(A*L)",
                "accelerator_intensity == computational_intensity/A",
                "(T1 - o - L*g)/(L*g) == accelerator_intensity*g**(beta - 1)",
            ),
        ),
    ),
    Claim(
        id="isca2017-eq2",
        source="altaf2017, §2, Eq. 2",
        statement="With latency independent of granularity the speedup is "
        "C*g**beta/(o + L + C*g**beta/A).",
        given=("latency == constant",),
        asserts=("speedup == C*g**beta/(o + L + C*g**beta/A)",),
    ),
    Claim(
        id="isca2017-sec2-depends-on-latency",
        source="altaf2017, §2, after Eq. 2",
        statement="An architect who reduces the latency raises the speedup.",
        asserts=("diff(speedup, L) < 0",),
    ),
    Claim(
        id="isca2017-sec2-depends-on-overhead",
        source="altaf2017, §2, after Eq. 2",
        statement="A simpler interface, that is a smaller overhead, raises the speedup.",
        asserts=("diff(speedup, o) < 0",),
    ),
    Claim(
        id="isca2017-sec2-depends-on-index",
        source="altaf2017, §2, after Eq. 2",
        statement="A larger computational index raises the speedup.",
        given=("o + L > 0",),
        asserts=("diff(speedup, C) > 0",),
    ),
    Claim(
        id="isca2017-sec2-depends-on-acceleration",
        source="altaf2017, §2, after Eq. 2",
        statement="A larger acceleration raises the speedup.",
        asserts=("diff(speedup, A) > 0",),
    ),
    Claim(
        id="isca2017-sec2-kernel-fusion",
        source="altaf2017, §2, after Eq. 2",
        statement="Fusing equal kernels on the same data raises the computational index, and with "
        "it the speedup.",
        given=("n > 1", "o + L > 0"),
        asserts=("n*T0 == T0(C=n*C)", "n*T0/(n*T1) < speedup(C=n*C)"),
        argument="n equal kernels on the same data: one after the other they take n*T0 on the "
        "host and n*T1 offloaded; fused, the index is n*C and the data move once.",
    ),
    Claim(
        id="isca2017-sec2.1-increases-with-granularity",
        source="altaf2017, §2.1",
        statement="With constant latency the speedup increases with granularity.",
        given=("latency == constant", "o + L > 0"),
        asserts=("diff(speedup, g) > 0", "implies(x < y, speedup(g=x) < speedup(g=y))"),
    ),
    Claim(
        id="isca2017-sec2.1-bounded-by-acceleration",
        source="altaf2017, §2.1",
        statement="The speedup is bounded by the acceleration.",
        given=("o + L > 0",),
        asserts=("speedup < A",),
        argument="True for both forms of latency, and strictly.",
    ),
    Claim(
        id="isca2017-eq3",
        source="altaf2017, §2.1, Eq. 3",
        statement="With constant latency, for large granularities the speedup tends to the "
        "acceleration.",
        given=("latency == constant",),
        asserts=("limit(speedup, g, oo) == A",),
    ),
    Claim(
        id="isca2017-eq4",
        source="altaf2017, §2.1, Eq. 4",
        statement="With constant latency, for granularities that tend to 0 the speedup tends to "
        "C/(o + L + C/A).",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit(speedup, g, 0) == C/(o + L + C/A)",),
        corrected=Correction(
            statement="The limit is 0; the printed value is the speedup at one byte.",
            given=("latency == constant", "o + L > 0"),
            asserts=("limit(speedup, g, 0) == 0", "speedup(g=1) == C/(o + L + C/A)"),
        ),
    ),
    Claim(
        id="isca2017-eq4-bound",
        source="altaf2017, §2.1, Eq. 4",
        statement="C/(o + L + C/A) is less than C/(o + L).",
        given=("o + L > 0",),
        asserts=("speedup(g=1) < C/(o + L)", "C/(o + L + C/A) < C/(o + L)"),
    ),
    Claim(
        id="isca2017-eq4-amdahl",
        source="altaf2017, §2.1, after Eq. 4",
        statement="Eq. 4 is Amdahl's law: overhead and latency are the part not accelerated.",
        asserts=("speedup(g=1) == 1/((o + L)/(o + L + C) + C/(o + L + C)/A)",),
        corrected=Correction(
            statement="Relative to an accelerator with A = 1 the speedup is Amdahl's, with the "
            "fraction C/(o + L + C) accelerated; relative to the host it is that fraction of it.",
            asserts=(
                "1/speedup(g=1) == (o + L)/C + 1/A",
                "speedup(g=1)/speedup(g=1, A=1) == 1/((o + L)/(o + L + C) + C/(o + L + C)/A)",
                "speedup(g=1) == C/(o + L + C)/((o + L)/(o + L + C) + C/(o + L + C)/A)",
            ),
        ),
        argument="The host pays neither overhead nor latency: the parts (o + L)/C and 1 add up to "
        "more than one, so that eq. 4, unlike Amdahl's law, can be below 1.",
    ),
    Claim(
        id="isca2017-sec2.1-overheads-dominate",
        source="altaf2017, §2.1, after Eq. 4",
        statement="With constant latency overheads dominate at small granularities.",
        given=("latency == constant", "o + L > 0"),
        asserts=("limit((o + L)/T1, g, 0) == 1", "diff((o + L)/T1, g) < 0"),
    ),
)
