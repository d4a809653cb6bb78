"""Statements of the 2015 letter on its machines: sections 2.3, 3 and 4.

The letter lists no parameters; the numbers are those that altaf2017, Table 5, gives for the same
benchmark on the same machines: constant latency for UltraSPARC T2 and Sandy Bridge, latency per
byte for the GPUs.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_T2 = "o=29000, L0=1500, L1=0, C=90, A=19"
_T2_PER_BYTE = "o=29000, L0=0, L1=1500, C=90, A=19"
_SANDY_BRIDGE = "o=10, L0=3, L1=0, C=35, A=6"
_GPU = "o=2e8, L0=0, L1=3000, C=174, A=30"
_BETTER_GPU = "o=2e8/r, L0=0, L1=3000/r, C=174, A=30"
_APU = "o=4e8, L0=0, L1=15, C=174, A=7"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="cal2015-sec2.3-t2-latency",
        source="altaf2015, §2.3 with Fig. 1; altaf2017, §4 and Table 5",
        statement="UltraSPARC T2, which breaks even, has a latency that depends on granularity.",
        given=("beta == 1",),
        asserts=(f"exists(g1({_T2_PER_BYTE}))",),
        corrected=Correction(
            statement="The later paper has it among those with a latency that does not. With its "
            "numbers, 1500 cycles for each offload, it breaks even at 358 bytes; as many for each "
            "byte would keep the speedup below 0.06, and no more than 85.2 cycles for each byte go "
            "with any break-even point.",
            given=("beta == 1",),
            asserts=(
                f"357 < g1({_T2}) and g1({_T2}) < 358",
                f"speedup({_T2_PER_BYTE}) < 0.06",
                "iff(exists(g1(o=29000, L0=0, C=90, A=19)), L1 < 90*(1 - 1/19))",
                "85.2 < 90*(1 - 1/19) and 90*(1 - 1/19) < 85.3",
            ),
        ),
        argument="The letter saw latencies that depend on granularity on UltraSPARC T2 and GPUs; "
        "the paper names GPUs alone, and on-chip accelerators for the other form. The letter "
        "prints no latency of its own.",
    ),
    Claim(
        id="cal2015-sec3-measure-index",
        source="altaf2015, §3",
        statement="The computational index is found from the computation time on the host.",
        given=("beta == 1",),
        asserts=("T0(g=x)/x == C", "(T0(g=2*x) - T0(g=x))/x == C"),
        argument="From one granularity, or as the slope between two.",
    ),
    Claim(
        id="cal2015-sec3-measure-overhead",
        source="altaf2015, §3",
        statement="The overhead is the execution time at very small granularities.",
        given=("beta == 1",),
        asserts=("limit(T1, g, 0) == o",),
        corrected=Correction(
            statement="What is left at very small granularities is overhead plus the latency "
            "that an offload pays once; with constant latency the sum o + L, with latency per "
            "byte the overhead alone.",
            given=("beta == 1",),
            asserts=("limit(T1 - o - L0, g, 0) == 0", "T1 - o - L0 == g*(L1 + C/A)"),
        ),
        argument="The method is used for all four machines, of which Sandy Bridge has constant "
        "latency.",
    ),
    Claim(
        id="cal2015-sec3-measure-acceleration",
        source="altaf2015, §3",
        statement="The peak acceleration is the speedup at very large granularities.",
        given=("beta == 1",),
        asserts=("limit(speedup, g, oo) == A",),
        corrected=Correction(
            statement="With latency per byte the speedup at large granularities is A*C/(A*L1 + C), "
            "less than A; A follows from its reciprocal less L1/C.",
            given=("beta == 1", "L1 > 0"),
            asserts=(
                "limit(speedup, g, oo) == A*C/(A*L1 + C)",
                "A*C/(A*L1 + C) < A",
                "1/(1/(A*C/(A*L1 + C)) - L1/C) == A",
            ),
        ),
        argument="Right for constant latency, by Eq. 3; Eq. 9 of the letter itself shows that it "
        "is not for the other form, which the letter found on three of its four machines.",
    ),
    Claim(
        id="cal2015-sec3-large-g1",
        source="altaf2015, §3",
        statement="A greater g1 means a more complex interface or an accelerator farther from the "
        "host.",
        given=("exists(g1)", "exists(g1(C=n*C, A=m*A))"),
        asserts=("g1(C=n*C, A=m*A) <= g1",),
        corrected=Correction(
            statement="It does if index and acceleration are the same.",
            given=("exists(g1)", "q <= 1", "r <= 1"),
            asserts=("g1(o=q*o, L0=r*L0, L1=r*L1) <= g1",),
        ),
        argument="By contraposition: if neither overhead nor latency grows, g1 does not. Any "
        "exponent, every affine latency. For SHA, altaf2017, Table 5, gives SPARC T3 the overhead "
        "and latency of UltraSPARC T2 and a greater g1: its acceleration is 10 instead of 12.",
    ),
    Claim(
        id="cal2015-sec3-interface-raises-g1",
        source="altaf2015, §3",
        statement="A more complex interface and a longer way both move g1 to the right.",
        given=("beta == 1", "o > 0", "L0 + L1 > 0", "r > 1", "exists(g1(L0=r*L0, L1=r*L1))"),
        asserts=("g1(o=r*o) > g1", "g1(L0=r*L0, L1=r*L1) > g1"),
        argument="The converse of the preceding sentence, for every affine latency.",
    ),
    Claim(
        id="cal2015-sec3-no-half-peak",
        source="altaf2015, §3",
        statement="With a latency per byte, where the ratio of computation to communication is "
        "less than the peak acceleration there is no gA2.",
        given=("latency == linear", "beta == 1", "C/L < A"),
        asserts=("not exists(gA2)", "speedup < A/2"),
        argument="For latency per byte, of which Implication 6 speaks.",
    ),
    Claim(
        id="cal2015-sec3-half-peak-marks",
        source="altaf2015, §3 and Fig. 4; altaf2017, Table 5",
        statement="gA2 exists on Sandy Bridge and UltraSPARC T2, but not on APU and GPU, where the "
        "intensity is less than the peak acceleration.",
        given=("beta == 1",),
        asserts=(
            f"exists(gA2({_SANDY_BRIDGE}))",
            f"exists(gA2({_T2}))",
            f"not exists(gA2({_GPU}))",
            f"not exists(gA2({_APU}))",
        ),
        corrected=Correction(
            statement="It does not exist on the GPU. On the APU the intensity of the later paper's "
            "table, 174/15, exceeds the acceleration 7, and gA2 exists, at 40.6 MB, beyond the "
            "32 MB of its measurements.",
            given=("beta == 1",),
            asserts=(
                f"2.22 < gA2({_SANDY_BRIDGE}) and gA2({_SANDY_BRIDGE}) < 2.23",
                f"6438 < gA2({_T2}) and gA2({_T2}) < 6439",
                f"not exists(gA2({_GPU}))",
                f"gA2({_APU}) == 2.8e9/69",
                f"gA2({_APU}) > 33554432",
            ),
        ),
        argument="Decided with the later paper's numbers. The letter prints none of its own, and "
        "its GPUs are others: a GTX 580 and a Radeon 6750 D, not a Tesla C2070 and an HD 6550.",
    ),
    Claim(
        id="cal2015-sec3-t2-over-sandy-bridge",
        source="altaf2015, §3 and Fig. 4; altaf2017, Table 5",
        statement="UltraSPARC T2 provides higher speedups than Sandy Bridge, whose speedup stays "
        "limited.",
        given=("beta == 1",),
        asserts=(
            f"limit(speedup({_T2}), g, oo) == 19",
            f"limit(speedup({_SANDY_BRIDGE}), g, oo) == 6",
            f"implies(g >= 2969, speedup({_T2}) > speedup({_SANDY_BRIDGE}))",
            f"implies(g <= 2968, speedup({_T2}) < speedup({_SANDY_BRIDGE}))",
        ),
        argument="Of the attainable speedups: the curves cross between 2968 and 2969 bytes.",
    ),
    Claim(
        id="cal2015-sec3-t2-breaks-even-later",
        source="altaf2015, §3 and Fig. 4; altaf2017, Table 5",
        statement="UltraSPARC T2 breaks even at a larger granularity than Sandy Bridge, which does "
        "so at a very small one.",
        given=("beta == 1",),
        asserts=(
            f"g1({_T2}) > g1({_SANDY_BRIDGE})",
            f"357 < g1({_T2}) and g1({_T2}) < 358",
            f"g1({_SANDY_BRIDGE}) < 1",
        ),
        argument="358 bytes against less than one: on Sandy Bridge every offload pays.",
    ),
    Claim(
        id="cal2015-sec3-gpu-breaks-even",
        source="altaf2015, §3 and Fig. 4; altaf2017, Table 5",
        statement="g1 of the discrete GPU exists and lies to the right of that of Sandy Bridge.",
        given=("beta == 1",),
        asserts=(f"exists(g1({_GPU}))", f"g1({_GPU}) > g1({_SANDY_BRIDGE})"),
        corrected=Correction(
            statement="With the parameters printed later, of a Tesla C2070 instead of a GTX 580, "
            "it does not exist: the intensity is 0.058, and the speedup stays below it.",
            given=("beta == 1",),
            asserts=(f"speedup({_GPU}) < 0.058", f"not exists(g1({_GPU}))"),
        ),
        argument="Measured, the GPU did break even: the latency of 3000 cycles per byte in the "
        "table cannot be the one behind the figure.",
    ),
    Claim(
        id="cal2015-sec3-gpu-below-t2",
        source="altaf2015, §3 and Fig. 4; altaf2017, Table 5",
        statement="In spite of its higher peak the discrete GPU gains less than UltraSPARC T2, "
        "because of overhead and latency.",
        given=("beta == 1",),
        asserts=(
            f"speedup({_GPU}) < speedup({_T2})",
            "speedup(o=0, L0=0, L1=0, C=174, A=30) == 30",
            f"speedup({_T2}) < 19",
            f"limit(speedup({_GPU}), g, oo) < 1",
            "limit(speedup(o=0, L0=0, L1=3000, C=174, A=30), g, oo) < 1",
        ),
        argument="With the later paper's numbers, of a Tesla C2070 instead of a GTX 580. At every "
        "granularity; without overhead and latency it would be the other way round at every "
        "granularity. The latency alone is enough to keep it below.",
    ),
    Claim(
        id="cal2015-sec3-gpu-better-interface",
        source="altaf2015, §3; altaf2017, Table 5",
        statement="With an interface better by a factor, from 18 on, the GPU breaks even, at a "
        "granularity that falls to 0 with the factor: it is the choice for high speedups from a "
        "low g1 on.",
        given=("beta == 1", "r >= 18"),
        asserts=(
            f"exists(g1({_BETTER_GPU}))",
            f"diff(g1({_BETTER_GPU}), r) < 0",
            f"diff(speedup({_BETTER_GPU}), r) > 0",
            f"limit(speedup({_BETTER_GPU}), r, oo) == 30",
            f"speedup({_T2}) < 19",
            f"limit(g1({_BETTER_GPU}), r, oo) == 0",
        ),
        argument="With the later paper's numbers, of a Tesla C2070 instead of a GTX 580. An "
        "interface better by the factor r: from 18 on there is a break-even point, "
        "which falls with r towards 0, and the speedup grows towards 30 at every granularity; that "
        "of UltraSPARC T2 stays below 19.",
    ),
    Claim(
        id="cal2015-sec4-bound-and-bottleneck",
        source="altaf2015, §4",
        statement="Like the roofline, the model bounds the speedup and names the bottleneck.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "speedup < min(A, speedup_infinite)",
            "speedup >= min(A, speedup_infinite)/2",
            "1/speedup == 1/A + 1/speedup_infinite",
        ),
        argument="Two ceilings, the acceleration and what overhead and latency leave; the lower "
        "one is the bottleneck, and the speedup is within a factor of two of it. Any exponent, "
        "any affine latency.",
    ),
)
