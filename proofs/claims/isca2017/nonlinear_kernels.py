"""ISCA 2017, sections 5.2 and 5.3: super-linear and sub-linear kernels on the GPUs (Fig. 9).

Table 5 is taken literally, with L per byte on the discrete GPU and the APU.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.isca2017.tables import affine, table5, values

__all__ = ["CLAIMS"]

_DEVICES = ("Discrete GPU", "APU")
_SEARCH = table5("Discrete GPU", "Binary Search", "o", "L", "C")
_APU_SEARCH = (*table5("APU", "Binary Search"), "beta == 0.14")
_PEAK = "g=33554432"


def _faster(device: str, gemm: str, sort: str) -> tuple[str, ...]:
    """GEMM beats FFT and sort at 32 MB, with these exponents of GEMM and sort [1]."""
    first = f"speedup({affine(device, 'GEMM')}, {_PEAK}, beta={gemm})"
    return (
        f"{first} > speedup({affine(device, 'FFT')}, {_PEAK}, beta=1.2)",
        f"{first} > speedup({affine(device, 'Radix Sort')}, {_PEAK}, beta={sort})",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec5.2-gemm-fastest",
        source="altaf2017, §5.2 on Fig. 9",
        statement="Matrix multiplication achieves a higher speedup than sort and FFT.",
        asserts=tuple(
            dict.fromkeys(
                text
                for device in _DEVICES
                for gemm in ("1.7", "1.5")
                for sort in ("1", "0.94")
                for text in _faster(device, gemm, sort)
            )
        ),
        argument="At 32 MB, where the speedup of kernels that are not sub-linear is largest. With "
        "1.7 for GEMM and with the exact 1.5, with 1 for sort and with Table 4's 0.94. GEMM, with "
        "C = 2 against 290, is ahead of FFT only from 145**2 B on, of sort from 1223 B on.",
    ),
    Claim(
        id="isca2017-sec5.2-complexity-raises-speedup",
        source="altaf2017, §5.2, with Eq. 9",
        statement="A kernel of higher complexity achieves a higher speedup.",
        given=("o + L > 0",),
        asserts=("speedup(beta=beta + s, C=n*C) > speedup",),
        corrected=Correction(
            statement="Of two kernels with the same index the one of higher complexity does, "
            "beyond one byte.",
            given=("o + L > 0",),
            asserts=("iff(speedup(beta=beta + s) > speedup, g > 1)",),
        ),
        argument="The same C in cycles/B**beta, so it depends on the unit of granularity. Matrix "
        "multiplication and FFT do not have the same: see isca2017-sec5.2-gemm-fastest.",
    ),
    Claim(
        id="isca2017-sec5.2-fft-half-peak-gpu",
        source="altaf2017, §5.2 on Fig. 9 (c)",
        statement="On the discrete GPU gA2 does not exist for FFT.",
        given=table5("Discrete GPU", "FFT"),
        asserts=("not exists(gA2(beta=1.2))",),
        corrected=Correction(
            statement="It exists, at 2.88e12 B, far beyond 32 MB, where the speedup is 2.8.",
            given=table5("Discrete GPU", "FFT"),
            asserts=(
                "2.878e12 < gA2(beta=1.2) < 2.879e12",
                "2.79 < speedup(beta=1.2, g=33554432) < 2.8",
            ),
        ),
        argument="Within the measured range the sentence holds.",
    ),
    Claim(
        id="isca2017-sec5.2-fft-half-peak-apu",
        source="altaf2017, §5.2 on Fig. 9 (c)",
        statement="On the APU gA2 does not exist for FFT.",
        given=table5("APU", "FFT"),
        asserts=("not exists(gA2(beta=1.2))",),
        corrected=Correction(
            statement="It exists, at 675598 B, within the measured range.",
            given=table5("APU", "FFT"),
            asserts=(
                "675597 < gA2(beta=1.2) < 675598",
                "speedup(beta=1.2, g=1048576) > A/2",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.2-fft-condition",
        source="altaf2017, §5.2, with Eq. 12",
        statement="For gA2 to exist for FFT, C/L must exceed A/1.2.",
        given=("latency == linear", "beta == 1.2", "L > 0"),
        asserts=("implies(exists(gA2), computational_intensity > A/1.2)",),
        corrected=Correction(
            statement="It exists for every C, L and A, as for every beta above 1.",
            given=("beta > 1", "L1 > 0"),
            asserts=("exists(gA2)",),
        ),
    ),
    Claim(
        id="isca2017-sec5.2-fft-intensity-gpu",
        source="altaf2017, §5.2 on Fig. 9 (c)",
        statement="For FFT on the discrete GPU C/L is smaller than A/1.2.",
        given=table5("Discrete GPU", "FFT", "L", "C", "A"),
        asserts=("computational_intensity < A/1.2",),
    ),
    Claim(
        id="isca2017-sec5.2-fft-intensity-apu",
        source="altaf2017, §5.2 on Fig. 9 (c)",
        statement="For FFT on the APU C/L is smaller than A/1.2.",
        given=table5("APU", "FFT", "L", "C", "A"),
        asserts=("computational_intensity < A/1.2",),
        corrected=Correction(
            statement="It is larger, 58/3 against 35/6, and larger even than A.",
            given=table5("APU", "FFT", "L", "C", "A"),
            asserts=("computational_intensity > A/1.2", "computational_intensity > A"),
        ),
    ),
    Claim(
        id="isca2017-sec5.3-no-break-even-gpu",
        source="altaf2017, §5.3 on Fig. 9 (d)",
        statement="Binary search never breaks even on the discrete GPU.",
        given=_SEARCH,
        asserts=(
            "not exists(g1(A=30, beta=0.14))",
            "not exists(g1(A=30, beta=0.11))",
            "speedup_infinite_peak(beta=0.14) < 2e-6",
            "speedup_infinite_peak(beta=0.11) < 2e-6",
        ),
        argument="Not even with infinite acceleration, with either of the exponents that the "
        "paper gives for the logarithm: the speedup stays below 2e-6.",
    ),
    Claim(
        id="isca2017-sec5.3-no-break-even-apu",
        source="altaf2017, §5.3 on Fig. 9 (d)",
        statement="Binary search never breaks even on the APU.",
        given=table5("APU", "Binary Search", "o", "L", "C"),
        asserts=(
            "not exists(g1(A=7, beta=0.14))",
            "not exists(g1(A=7, beta=0.11))",
            "speedup_infinite_peak(beta=0.14) < 3e-6",
            "speedup_infinite_peak(beta=0.11) < 3e-6",
        ),
        argument="As on the GPU; the speedup stays below 3e-6.",
    ),
    Claim(
        id="isca2017-sec5.3-intensity-gpu",
        source="altaf2017, §5.3 on Fig. 9 (d)",
        statement="For binary search C/L is below 1: on the discrete GPU.",
        given=table5("Discrete GPU", "Binary Search", "L", "C"),
        asserts=("computational_intensity < 1",),
    ),
    Claim(
        id="isca2017-sec5.3-intensity-apu",
        source="altaf2017, §5.3 on Fig. 9 (d)",
        statement="For binary search C/L is below 1: on the APU.",
        given=table5("APU", "Binary Search", "L", "C"),
        asserts=("computational_intensity < 1",),
        corrected=Correction(
            statement="It is 116/15, which exceeds 1/0.14 as well.",
            given=table5("APU", "Binary Search", "L", "C"),
            asserts=("computational_intensity == 116/15", "computational_intensity > 1/0.14"),
        ),
    ),
    Claim(
        id="isca2017-sec5.3-intensity-necessary",
        source="altaf2017, §5.3, with Implication 5",
        statement="With latency per byte, with beta = 0.14 any speedup takes C/L above 7.",
        given=("latency == linear", "beta == 0.14", "L > 0", "g >= 1"),
        asserts=("implies(speedup > 1, computational_intensity > 7)",),
        corrected=Correction(
            statement="Exactly from a threshold that depends on o/L and A as well; it can be "
            "smaller or larger than 7.",
            given=("latency == linear", "beta < 1", "L > 0", "o > 0", "A > 1"),
            asserts=(
                "iff(exists(g1), computational_intensity >= intensity_threshold(s=1))",
                "speedup(beta=0.14, C=6, L=1, o=1/1000, A=10, g=1) > 1",
                "not exists(g1(beta=0.14, C=8, L=1, o=10000, A=10))",
            ),
        ),
        argument="Even below 7, an overhead small enough is outweighed at one byte.",
    ),
    Claim(
        id="isca2017-sec5.3-intensity-sufficient",
        source="altaf2017, §5.3, with Implication 5",
        statement="With beta = 0.14 a C/L above 1/beta gives a speedup: the APU.",
        given=_APU_SEARCH,
        asserts=("implies(computational_intensity > 1/beta, exists(g1))",),
        corrected=Correction(
            statement="The APU has C/L > 1/beta and no break-even point: with its o and L that "
            "takes a C/L above 4 million.",
            given=_APU_SEARCH,
            asserts=(
                "computational_intensity > 1/beta",
                "not exists(g1)",
                "intensity_threshold(s=1) > 4e6",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec5.3-upper-bound",
        source="altaf2017, §5.3, and §2 on logarithmic kernels",
        statement="For binary search the model bounds the measured speedup from above.",
        asserts=(),
        argument="The measurements are in Fig. 9 (d) only; the paper prints no numbers of them.",
    ),
    Claim(
        id="isca2017-sec5.3-speedup-decreases",
        source="altaf2017, §5.3 on Fig. 9 (d), with Implication 4",
        statement="For large granularities the speedup of binary search falls as they grow.",
        given=("latency == linear", "beta < 1", "L > 0", "o > 0"),
        asserts=(
            "implies(g > g_peak, diff(speedup, g) < 0)",
            "limit(speedup, g, oo) == 0",
            f"g_peak({values('Discrete GPU', 'Binary Search')}, beta=0.14) < 10853",
            f"g_peak({values('APU', 'Binary Search')}, beta=0.14) < 4341086",
        ),
        argument="From 10853 B on the GPU and from 4.3 MB on the APU, both inside the measured "
        "range; below, the speedup rises.",
    ),
)
