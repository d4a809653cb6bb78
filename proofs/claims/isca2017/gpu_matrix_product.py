"""ISCA 2017, section 5.4: matrix multiplication on three GPU architectures (Fig. 11).

Table 5 is taken literally: beta = 1.7, C = 2 cycles/B**1.7, L per byte. Of the HSA-enabled GPU
the paper prints no parameters. A tenfold improvement that gains 20 percent makes a bottleneck.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.isca2017.tables import affine, idle, pays, region, table5

__all__ = ["CLAIMS"]

_GPU = (*table5("Discrete GPU", "GEMM"), "beta == 1.7")
_APU = (*table5("APU", "GEMM"), "beta == 1.7")
_GPU_AFFINE, _APU_AFFINE = (
    f"{affine(device, 'GEMM')}, beta=1.7" for device in ("Discrete GPU", "APU")
)
_NO_HSA = "The paper prints no parameters of the HSA-enabled GPU."


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-fig11-compute-bound",
        source="altaf2017, §5.4 on Fig. 11, with §3.1",
        statement="Matrix multiplication is compute bound on all three architectures.",
        given=("beta > 1",),
        asserts=("limit(speedup, g, oo) == A", "speedup <= A"),
        argument="With linear latency (GPU, APU) as with constant latency (HSA, by section 4): "
        "the speedup is bounded by the acceleration and tends to it.",
    ),
    Claim(
        id="isca2017-fig11-index-occupies-most-gpu",
        source="altaf2017, §5.4 on Fig. 11 (a)",
        statement="On the discrete GPU the index occupies most of the regions.",
        given=(*table5("Discrete GPU", "GEMM", "L", "C", "A"), "beta == 1.7", "g <= 33554432"),
        asserts=(pays("C", ""),),
        argument="All of the measured range, whatever the overhead.",
    ),
    Claim(
        id="isca2017-fig11-index-occupies-most-apu",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="On the APU the index occupies most of the regions.",
        given=("o == 400000000", "C == 2", "A == 7", "beta == 1.7", "g <= 524288"),
        asserts=(pays("C", ""),),
        argument="16 of the 22 powers of two from 16 B to 32 MB, and three of the four regions. "
        "Latency only adds to it.",
    ),
    Claim(
        id="isca2017-fig11a-four-regions",
        source="altaf2017, §5.4 on Fig. 11 (a)",
        statement="The discrete GPU has four regions.",
        given=_GPU,
        asserts=(
            *region("oC", "g=16"),
            *region("oC", "g=8192"),
            *region("oLC", "g=16384"),
            *region("oLC", "g=131072"),
            *region("LC", "g=262144"),
            *region("LC", "g=524288"),
            *region("LAC", "g=1048576"),
            *region("LAC", "g=33554432"),
        ),
        argument="oC, oLC, LC and LAC. Each region is named at both of its ends; between them "
        "each gain is monotone, or, that of latency, rises and then falls.",
    ),
    Claim(
        id="isca2017-fig11a-latency-dominates",
        source="altaf2017, §5.4 on Fig. 11 (a)",
        statement="On the discrete GPU latency dominates most of the regions.",
        given=(*_GPU, "g >= 16384", "g <= 33554432"),
        asserts=(pays("L", ""),),
        argument="Three of the four regions, 12 of the 22 powers of two. With L per byte: once "
        "per offload, as section 1 and section 5.1 would need it (isca2017-sec1-gpu-breaks-even), "
        "3000 cycles against an overhead of 200 million are a bottleneck nowhere.",
    ),
    Claim(
        id="isca2017-fig11a-cutoff-overhead",
        source="altaf2017, §5.4 on Fig. 11 (a)",
        statement="On the discrete GPU a lower overhead pays up to 32 KB.",
        given=_GPU,
        asserts=(idle("o", "g=65536"),),
        corrected=Correction(
            statement="Up to 258108 B (252 KB); among powers of two up to 128 KB.",
            given=_GPU,
            asserts=(
                pays("o", "g=131072"),
                idle("o", "g=262144"),
                "258108 < cutoff_o_general(r=10, q=6/5) < 258109",
            ),
        ),
        argument="If 32 KB were the last power of two at which it pays, it would not at 64 KB. "
        "With the exact exponent 1.5 the cut-off is 283 KB.",
    ),
    Claim(
        id="isca2017-fig11a-cutoff-acceleration",
        source="altaf2017, §5.4 on Fig. 11 (a)",
        statement="On the discrete GPU acceleration pays from 256 KB on.",
        given=_GPU,
        asserts=(pays("A", "g=524288"),),
        corrected=Correction(
            statement="From 618998 B (604 KB); among powers of two from 1 MB.",
            given=_GPU,
            asserts=(
                idle("A", "g=524288"),
                pays("A", "g=1048576"),
                "618997 < cutoff_A_general(r=10, q=6/5) < 618998",
            ),
        ),
        argument="If 256 KB were the last power of two at which it does not pay, it would at "
        "512 KB. With the exact exponent 1.5 it pays from 99.9 MB on only.",
    ),
    Claim(
        id="isca2017-fig11b-four-regions",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="The APU has four regions.",
        given=_APU,
        asserts=(
            *region("oC", "g=16"),
            *region("oC", "g=65536"),
            *region("oAC", "g=131072"),
            *region("oAC", "g=524288"),
            *region("AC", "g=575000"),
            *region("A", "g=1048576"),
            *region("A", "g=33554432"),
        ),
        argument="oC, oAC, AC and A; AC lies between the powers of two 512 KB and 1 MB. Latency, "
        "which the paper sees in one of its four, is in none.",
    ),
    Claim(
        id="isca2017-fig11b-four-regions-grid",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="Among powers of two the APU has four regions.",
        given=_APU,
        asserts=(f"{idle('o', 'g=524288')} or {pays('C', 'g=1048576')}",),
        corrected=Correction(
            statement="Three: oC up to 64 KB, oAC up to 512 KB, A from 1 MB.",
            given=_APU[1:],
            asserts=(
                *region("oC", "g=16"),
                *region("oC", "g=65536"),
                *region("oAC", "g=131072"),
                *region("oAC", "g=524288"),
                *region("A", "g=1048576"),
                *region("A", "g=33554432"),
            ),
        ),
        argument="A fourth would take a power of two with the index and without the overhead. "
        "Between the points the gains are monotone.",
    ),
    Claim(
        id="isca2017-fig11b-cutoff-latency",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="On the APU a lower latency pays up to 512 KB.",
        given=_APU,
        asserts=(pays("L", "g=262144"),),
        corrected=Correction(
            statement="Nowhere: with L = 15 it gains less than half a percent.",
            asserts=(f"gain_L({_APU_AFFINE}, r=10) < 1.005",),
        ),
        argument="If 512 KB ended it in either reading, it would pay at 256 KB.",
    ),
    Claim(
        id="isca2017-fig11b-overheads-high",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="The overheads of the APU are still high.",
        asserts=(
            "400000000 > 200000000",
            f"implies({pays('o', _GPU_AFFINE)}, {pays('o', _APU_AFFINE)})",
        ),
        argument="Twice those of the discrete GPU, and a bottleneck wherever they are one there.",
    ),
    Claim(
        id="isca2017-fig11b-cutoff-acceleration-grid",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="On the APU acceleration pays from 64 KB on: on a grid of powers of two the gain "
        "crosses 20 percent between that and 128 KB.",
        asserts=(idle("A", f"{_APU_AFFINE}, g=65536"), pays("A", f"{_APU_AFFINE}, g=131072")),
        argument="Among powers of two: the last at which it does not pay yet.",
    ),
    Claim(
        id="isca2017-fig11b-cutoff-acceleration",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="On the APU acceleration pays at every granularity from 64 KB on.",
        given=_APU,
        asserts=(pays("A", "g=65536"),),
        corrected=Correction(
            statement="From 100586 B (98 KB).",
            given=_APU,
            asserts=(
                "100585 < cutoff_A_general(r=10, q=6/5) < 100586",
                idle("A", "g=100585"),
                pays("A", "g=100586"),
            ),
        ),
    ),
    Claim(
        id="isca2017-fig11b-more-potential",
        source="altaf2017, §5.4 on Fig. 11 (b)",
        statement="With less aggressive cores acceleration pays earlier than on the discrete GPU.",
        asserts=(
            "7 < 30",
            f"implies({pays('A', _GPU_AFFINE)}, {pays('A', _APU_AFFINE)})",
            idle("A", f"{_GPU_AFFINE}, g=131072"),
            pays("A", f"{_APU_AFFINE}, g=131072"),
        ),
    ),
    Claim(
        id="isca2017-fig11c-regions",
        source="altaf2017, §5.4 on Fig. 11 (c)",
        statement="The HSA-enabled GPU has three regions, none of them with latency.",
        asserts=(),
        argument=_NO_HSA,
    ),
    Claim(
        id="isca2017-fig11c-cutoff-overhead",
        source="altaf2017, §5.4 on Fig. 11 (c)",
        statement="On the HSA-enabled GPU a lower overhead pays up to 8 KB.",
        asserts=(),
        argument=_NO_HSA,
    ),
    Claim(
        id="isca2017-fig11c-cutoff-acceleration",
        source="altaf2017, §5.4 on Fig. 11 (c)",
        statement="On the HSA-enabled GPU acceleration pays from 2 KB on.",
        asserts=(),
        argument=_NO_HSA,
    ),
)
