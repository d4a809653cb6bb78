"""ISCA 2017, section 5.1: AES, SHA and radix sort, which are linear.

Table 5 is taken literally: on the discrete GPU and the APU, whose latency section 4 calls
granularity dependent, L counts per byte. Exponents are 1, as in section 5.1, and those of Table
4.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.isca2017.tables import COMPLEXITY, ON_CHIP, affine, table5, values

__all__ = ["CLAIMS"]

_GPU, _APU = (affine(device, "AES") for device in ("Discrete GPU", "APU"))
_AES = tuple(row for row in ON_CHIP if row.kernel == "AES")
_SHA = tuple(row for row in ON_CHIP if row.kernel == "SHA")
_T2, _BRIDGE = affine("UltraSPARC T2", "AES"), affine("Sandy Bridge", "AES")
_APU_LINEAR = (*table5("APU", "AES"), "beta == 1")
_GPU_LIMIT = (*table5("Discrete GPU", "AES", "L", "C", "A"), "beta == 1")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec5.1-large-granularities",
        source="altaf2017, §5.1 on Fig. 7",
        statement="For AES the GPU and the APU give a reasonable speedup only at very large "
        "granularities, on-chip accelerators at small ones as well.",
        asserts=(
            *(f"speedup({affine(row.device, 'AES')}, g=512, beta=1) > 1" for row in _AES),
            f"speedup({_APU}, g=1048576, beta=1) < 1 < speedup({_APU}, g=33554432, beta=1)",
            f"speedup({_GPU}, g=1048576, beta=1) < 1 < speedup({_GPU}, g=33554432, beta=1)",
        ),
        corrected=Correction(
            statement="The discrete GPU nowhere: with beta = 1 its speedup stays below 0.06.",
            asserts=(
                *(f"speedup({affine(row.device, 'AES')}, g=512, beta=1) > 1" for row in _AES),
                f"speedup({_APU}, g=1048576, beta=1) < 1 < speedup({_APU}, g=33554432, beta=1)",
                f"speedup({_GPU}, beta=1) < 0.06",
                f"speedup({_GPU}, g=33554432, beta=1.01) < 0.07",
            ),
        ),
        argument="Reasonable: above 1. The GPU with 3000 cycles per byte and C = 174; with "
        "beta = 1.01 it stays below 0.07 up to 32 MB.",
    ),
    Claim(
        id="isca2017-sec5.1-limited-by-intensity-gpu",
        source="altaf2017, §5.1 on Fig. 7",
        statement="Off chip, computational intensity limits the speedup: the discrete GPU.",
        given=_GPU_LIMIT,
        asserts=("speedup < computational_intensity", "computational_intensity < A"),
        argument="It is a bound, and the lower of the two ceilings.",
    ),
    Claim(
        id="isca2017-sec5.1-limited-by-intensity-gpu-table4",
        source="altaf2017, §5.1 on Fig. 7, with the exponent of Table 4",
        statement="Off chip, computational intensity limits the speedup of AES: the discrete GPU.",
        given=(*table5("Discrete GPU", "AES"), "beta == 1.01"),
        asserts=("speedup < computational_intensity",),
        corrected=Correction(
            statement="Above beta = 1 the bound grows with granularity: at 32 MB the speedup is "
            "18 percent above the intensity, and its limit is A.",
            given=(*table5("Discrete GPU", "AES"), "beta > 1"),
            asserts=(
                "speedup < latency_ceiling",
                "limit(speedup, g, oo) == A",
                "speedup(g=33554432, beta=1.01) > 1.18*computational_intensity",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.1-limited-by-intensity-apu",
        source="altaf2017, §5.1 on Fig. 7",
        statement="Off chip, computational intensity limits the speedup: the APU.",
        given=table5("APU", "AES", "L", "C", "A"),
        asserts=("computational_intensity < A",),
        corrected=Correction(
            statement="The APU's intensity is 11.6 and its acceleration 7, the lower ceiling; "
            "both together limit the speedup to 406/93.",
            given=(*table5("APU", "AES", "L", "C", "A"), "beta == 1"),
            asserts=("computational_intensity > A", "limit(speedup, g, oo) == 406/93"),
        ),
        argument="Section 4 counts the APU among the devices with granularity-dependent latency.",
    ),
    Claim(
        id="isca2017-sec5.1-limited-by-acceleration",
        source="altaf2017, §5.1 on Fig. 7",
        statement="On chip, acceleration limits the speedup.",
        given=("latency == constant",),
        asserts=("speedup <= A", "limit(speedup, g, oo) == A"),
    ),
    Claim(
        id="isca2017-sec5.1-t2-sandy-bridge",
        source="altaf2017, §5.1 on Fig. 7",
        statement="UltraSPARC T2 is faster than Sandy Bridge but breaks even later.",
        asserts=(
            f"g1({_T2}) > g1({_BRIDGE})",
            f"limit(speedup({_T2}), g, oo) > limit(speedup({_BRIDGE}), g, oo)",
            f"iff(speedup({_T2}, beta=1) > speedup({_BRIDGE}, beta=1), g > 4052054/1365)",
        ),
        argument="Faster in the limit, and at beta = 1 from 2969 B on. The order of the "
        "break-even points holds for every beta.",
    ),
    Claim(
        id="isca2017-sec5.1-sandy-bridge",
        source="altaf2017, §5.1 on Fig. 7",
        statement="Sandy Bridge breaks even at very small granularity, but its speedup is limited.",
        asserts=(f"g1({_BRIDGE}) < 1", f"speedup({_BRIDGE}) < 6"),
        argument="Below one byte, for every beta.",
    ),
    Claim(
        id="isca2017-sec5.1-gpu-highest-acceleration",
        source="altaf2017, §5.1 on Fig. 7",
        statement="The discrete GPU has the highest acceleration and the lowest peak of speedup.",
        asserts=(
            f"speedup({_GPU}, beta=1) < speedup({_APU}, beta=1, g=33554432)",
            *(
                f"speedup({_GPU}, beta=1) < speedup({at}, beta=1, g=33554432)"
                for at in (affine(row.device, "AES") for row in _AES)
            ),
            *(f"30 > {acceleration}" for acceleration in (7, *(row.A for row in _AES))),
        ),
        argument="Peaks within the measured range; for the others their speedup at its end.",
    ),
    Claim(
        id="isca2017-sec5.1-gpu-slowest",
        source="altaf2017, §5.1 on Fig. 7",
        statement="At every granularity the discrete GPU's speedup is below that of the others.",
        asserts=(
            *(
                f"speedup({_GPU}, beta=1) < speedup({affine(row.device, 'AES')}, beta=1)"
                for row in _AES
            ),
            f"speedup({_GPU}, beta=1) < speedup({_APU}, beta=1)",
        ),
        corrected=Correction(
            statement="Below that of every on-chip accelerator, but below the APU only above "
            "54687500/811 B (67.4 kB): the APU's overhead is twice as large.",
            asserts=(
                *(
                    f"speedup({_GPU}, beta=1) < speedup({affine(row.device, 'AES')}, beta=1)"
                    for row in _AES
                ),
                f"iff(speedup({_GPU}, beta=1) < speedup({_APU}, beta=1), g > 54687500/811)",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.1-g1-left",
        source="altaf2017, §5.1 on Fig. 7",
        statement="The break-even points of crypto instructions lie at the left edge.",
        asserts=tuple(
            f"g1({affine(device, 'AES')}, beta={beta}) < 16"
            for device in ("SPARC T4 instr.", "Sandy Bridge")
            for beta in COMPLEXITY["AES"]
        ),
        argument="Below the least granularity of the plot, 16 B.",
    ),
    Claim(
        id="isca2017-sec5.1-g1-right",
        source="altaf2017, §5.1 on Fig. 7",
        statement="The break-even points of the off-chip accelerators lie far to the right.",
        given=("latency == linear",),
        asserts=(
            f"g1({values('APU', 'AES')}, beta=1) > 2**20",
            f"g1({values('Discrete GPU', 'AES')}, beta=1) > 2**20",
        ),
        corrected=Correction(
            statement="With beta = 1 the APU's is at 2800000000/939 B (2.98 MB), and the discrete "
            "GPU has none.",
            given=("latency == linear",),
            asserts=(
                f"g1({values('APU', 'AES')}, beta=1) == 2800000000/939",
                f"not exists(g1({values('Discrete GPU', 'AES')}, beta=1))",
                f"speedup({values('Discrete GPU', 'AES')}, beta=1.01, g=10**100) < 1",
            ),
        ),
        argument="With beta = 1.01 the GPU breaks even beyond 1e100 bytes. The PCIe card: "
        "isca2017-sec5.1-pcie-crypto.",
    ),
    Claim(
        id="isca2017-sec5.1-half-peak-on-chip",
        source="altaf2017, §5.1 on Fig. 7",
        statement="Half of the acceleration is reached by the on-chip accelerators.",
        given=("latency == constant",),
        asserts=tuple(
            f"gA2({values(row.device, 'AES')}, beta={beta}) < 8192"
            for row in _AES
            for beta in COMPLEXITY["AES"]
        ),
        argument="Within the measured range, before 8 KB.",
    ),
    Claim(
        id="isca2017-sec5.1-half-peak-gpu",
        source="altaf2017, §5.1 on Fig. 7, with Eq. 12",
        statement="Off chip intensity is below acceleration and gA2 does not exist: the GPU.",
        given=_GPU_LIMIT,
        asserts=("computational_intensity < A", "not exists(gA2)"),
        argument="With beta = 1.",
    ),
    Claim(
        id="isca2017-sec5.1-half-peak-gpu-table4",
        source="altaf2017, §5.1 on Fig. 7, with the exponent of Table 4",
        statement="Off chip gA2 does not exist: the GPU.",
        given=(*table5("Discrete GPU", "AES"), "beta == 1.01"),
        asserts=("not exists(gA2)",),
        corrected=Correction(
            statement="With beta = 1.01 it exists, beyond 1e100 B.",
            given=(*table5("Discrete GPU", "AES", "L", "C", "A"), "beta == 1.01"),
            asserts=("exists(gA2)", "implies(g <= 10**100, speedup < A/2)"),
        ),
    ),
    Claim(
        id="isca2017-sec5.1-half-peak-apu",
        source="altaf2017, §5.1 on Fig. 7, with Eq. 12",
        statement="Off chip intensity is below acceleration and gA2 does not exist: the APU.",
        given=_APU_LINEAR,
        asserts=("computational_intensity < A", "not exists(gA2)"),
        corrected=Correction(
            statement="C/L = 11.6 exceeds A = 7, and gA2 exists: 2800000000/69 B (40.6 MB), "
            "somewhat beyond the measured range; with Table 4's exponent 27.6 MB, within it.",
            given=table5("APU", "AES"),
            asserts=(
                "computational_intensity > A",
                "gA2(beta=1) == 2800000000/69",
                "2.75e7 < gA2(beta=1.01) < 2.76e7",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.1-pcie-crypto",
        source="altaf2017, §5.1 on Fig. 7",
        statement="The crypto card on the PCIe bus never breaks even.",
        asserts=(),
        argument="The paper prints no parameters of the card. In the model with linear latency "
        "and beta = 1 the sentence says that C/L is at most A/(A - 1): ext-existence-linear. With "
        "Table 4's exponent 1.01 and A > 1 there is a break-even point whatever o, L and C, if "
        "perhaps beyond any real size: ext-existence-superlinear.",
    ),
    Claim(
        id="isca2017-sec5.1-gpu-apu-comparable",
        source="altaf2017, §5.1 on Fig. 7",
        statement="The discrete GPU and the APU break even at comparable granularities.",
        given=("latency == linear",),
        asserts=(
            f"g1({values('Discrete GPU', 'AES')}, beta=1) <= 10*g1({values('APU', 'AES')}, beta=1)",
        ),
        corrected=Correction(
            statement="The APU breaks even at 2.98 MB, where the GPU's speedup is 0.05; the GPU "
            "never does. With its latency once per offload it would at 1.19 MB.",
            asserts=(
                f"2.98e6 < g1({_APU}, beta=1) < 2.99e6",
                f"speedup({_GPU}, beta=1, g=2.99e6) < 0.06",
                f"not exists(g1({_GPU}, beta=1))",
                "1.18e6 < g1(o=200000000, L0=3000, L1=0, C=174, A=30, beta=1) < 1.19e6",
            ),
        ),
        argument="Comparable: within a factor of ten. The table has L in cycles, not cycles per "
        "byte; counted once per offload it would make the sentence true.",
    ),
    Claim(
        id="isca2017-sec5.1-apu-copying",
        source="altaf2017, §5.1 on Fig. 7",
        statement="That the APU breaks even so late shows that copying data takes it long.",
        given=_APU_LINEAR,
        asserts=("gain_L(r=10, g=g1) >= 6/5",),
        corrected=Correction(
            statement="At its break-even point 77 percent of the time is overhead; latency is a "
            "bottleneck only from 87500000/9 B (9.7 MB) on.",
            given=_APU_LINEAR,
            asserts=(
                "0.77 < share_o(g=g1) < 0.78",
                "iff(gain_L(r=10) >= 6/5, g >= 87500000/9)",
            ),
        ),
        argument="Long: a bottleneck at the break-even point, by the criterion of section 3.2.",
    ),
    Claim(
        id="isca2017-sec5.1-sha",
        source="altaf2017, §5.1 on Fig. 8",
        statement="For SHA on the on-chip accelerators g1 and gA2 exist.",
        given=("latency == constant",),
        asserts=tuple(
            f"g1({at}, beta={beta}) < gA2({at}, beta={beta}) < 8192"
            for at in (values(row.device, "SHA") for row in _SHA)
            for beta in COMPLEXITY["SHA"]
        ),
        argument="Within the measured range, before 8 KB. On chip they exist for every A > 1.",
    ),
    Claim(
        id="isca2017-sec5.1-radix-predicted",
        source="altaf2017, §5.1 on Fig. 9 (a)",
        statement="For radix sort on the GPU the model has a g1 and a gA2.",
        given=table5("Discrete GPU", "Radix Sort"),
        asserts=("exists(g1(beta=1))", "exists(gA2(beta=1))"),
        corrected=Correction(
            statement="It has neither: the speedup stays below 0.1, with Table 4's exponent "
            "below 0.04.",
            given=table5("Discrete GPU", "Radix Sort"),
            asserts=(
                "not exists(g1(beta=1))",
                "not exists(g1(beta=0.94))",
                "speedup(beta=1) < 0.1",
                "speedup_peak(beta=0.94) < 0.04",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.1-radix-half-peak",
        source="altaf2017, §5.1 on Fig. 9 (a)",
        statement="For radix sort gA2 of the GPU is larger than that of the APU.",
        given=("latency == linear",),
        asserts=(
            f"gA2({values('Discrete GPU', 'Radix Sort')}, beta=1)"
            f" > gA2({values('APU', 'Radix Sort')}, beta=1)",
        ),
        corrected=Correction(
            statement="The GPU has none; the APU's is 560000000/37 B (15.1 MB). With Table 4's "
            "exponent neither has one. With its latency once per offload the GPU's is 20.7 MB.",
            asserts=(
                f"gA2({affine('APU', 'Radix Sort')}, beta=1) == 560000000/37",
                f"not exists(gA2({affine('APU', 'Radix Sort')}, beta=0.94))",
                *(
                    f"not exists(gA2({affine('Discrete GPU', 'Radix Sort')}, beta={beta}))"
                    for beta in COMPLEXITY["Radix Sort"]
                ),
                "2.06e7 < gA2(o=200000000, L0=3000, L1=0, C=290, A=30, beta=1) < 2.07e7",
            ),
        ),
        argument="As with isca2017-sec5.1-gpu-apu-comparable, the other reading of L would make "
        "the sentence true.",
    ),
    Claim(
        id="isca2017-sec5.1-acceleration-raises-half-peak",
        source="altaf2017, §5.1 on Fig. 9 (a), with Eq. 7",
        statement="More acceleration raises gA2.",
        given=("r > 1", "exists(gA2(A=r*A))"),
        asserts=("gA2(A=r*A) > gA2",),
        argument="Eq. 7 itself has constant latency; this holds for both forms. Between the GPU "
        "and the APU of Table 5 o and L differ too: their order is no evidence.",
    ),
)
