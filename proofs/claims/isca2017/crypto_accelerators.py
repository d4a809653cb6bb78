"""ISCA 2017, section 5.4: AES on five crypto accelerators (Fig. 10).

The figure samples powers of two; a printed cut-off is read twice, as in `figures_5_and_6`: as an
end of the step between neighbouring powers of two in which the gain crosses 20 percent (ids that
end in -grid), and to the byte. Exponents are 1, as in section 5.1, and 1.01, as in Table 4.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.isca2017.tables import (
    EXPONENTS,
    affine,
    idle,
    pays,
    region,
    step,
    table5,
    values,
)

__all__ = ["CLAIMS"]

_CONSTANT = ("latency == constant",)
_T2, _T3, _T4, _INSTR = (
    values(device, "AES") for device in ("UltraSPARC T2", "SPARC T3", "SPARC T4", "SPARC T4 instr.")
)
_INSTR_AFFINE = f"{affine('SPARC T4 instr.', 'AES')}, beta=1"
_T4_LINEAR = (*table5("SPARC T4", "AES"), "beta == 1")
_INSTR_LINEAR = (*table5("SPARC T4 instr.", "AES"), "beta == 1")


def _subset(parameter: str, smaller: str, larger: str) -> str:
    """Wherever the parameter is a bottleneck of one device it is one of the other."""
    inner, outer = (pays(parameter, f"{at}, beta=1") for at in (smaller, larger))
    return f"implies({inner}, {outer})"


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-fig10-no-latency",
        source="altaf2017, §5.4 on Fig. 10 (b), (c) and (e)",
        statement="Latency is no bottleneck on UltraSPARC T2, SPARC T3 and with T4's instructions.",
        given=_CONSTANT,
        asserts=(
            idle("L", "o=29000, L=1500"),
            idle("L", "o=27000, L=1500"),
            idle("L", "o=111, L=4"),
        ),
        argument="At every granularity, whatever C, A and beta.",
    ),
    Claim(
        id="isca2017-fig10-no-latency-t4",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="Latency is no bottleneck on the engine of SPARC T4.",
        given=_T4_LINEAR,
        asserts=(idle("L", ""),),
        corrected=Correction(
            statement="With L = 500 against o = 435 it is the largest part of the time at small "
            "granularities, and a bottleneck up to 5295/8 B (662 B).",
            given=_T4_LINEAR,
            asserts=(
                f"iff({pays('L', '')}, g <= 5295/8)",
                "cutoff_L(r=10, q=6/5) == 5295/8",
                "share_L(g=16) > 0.5",
            ),
        ),
    ),
    Claim(
        id="isca2017-fig10-bottlenecks-optimized",
        source="altaf2017, caption of Fig. 10, with Table 5",
        statement="The bottlenecks of each design are improved in the next one.",
        given=("latency == constant", "beta == 1"),
        asserts=(f"implies({pays('A', f'{_T2}, g=4096')}, 12 > 19)",),
        corrected=Correction(
            statement="The overhead is, from UltraSPARC T2 over SPARC T3 and T4 to its crypto "
            "instructions. Acceleration and index are bottlenecks too and fall, from 19 to 12 and "
            "from 90 to 32; the latency of SPARC T3, cut for T4, gains less than 6 percent.",
            given=("latency == constant", "beta == 1"),
            asserts=(
                "29000 > 27000 and 27000 > 435 and 435 > 111",
                *(pays(p, f"{_T2}, g=4096") for p in ("o", "A", "C")),
                *(pays(p, f"{_T3}, g=4096") for p in ("o", "A", "C")),
                "12 < 19 and 32 < 90",
                f"gain_L({_T3}, r=10) < 1.06",
            ),
        ),
        argument="Of the PCIe card, Fig. 10 (a), the paper prints no parameters.",
    ),
    Claim(
        id="isca2017-fig10-overhead-shrinks",
        source="altaf2017, §5.4 on Fig. 10 (b) to (e)",
        statement="From design to design overheads occupy fewer granularities.",
        given=_CONSTANT,
        asserts=(
            _subset("o", _T3, _T2),
            _subset("o", _T4, _T3),
            _subset("o", _INSTR, _T4),
            pays("o", f"{_T2}, g=16384, beta=1"),
            idle("o", f"{_T3}, g=16384, beta=1"),
            pays("o", f"{_T3}, g=8192, beta=1"),
            idle("o", f"{_T4}, g=8192, beta=1"),
            pays("o", f"{_T4}, g=256, beta=1"),
            idle("o", f"{_INSTR}, g=256, beta=1"),
        ),
        argument="Each set of granularities is contained in the one before, strictly at a power "
        "of two. Of the PCIe card, Fig. 10 (a), the paper prints no parameters.",
    ),
    Claim(
        id="isca2017-fig10-acceleration-expands",
        source="altaf2017, §5.4 on Fig. 10 (b) to (e)",
        statement="From design to design acceleration occupies more granularities.",
        given=_CONSTANT,
        asserts=(
            _subset("A", _T2, _T3),
            _subset("A", _T3, _T4),
            _subset("A", _T4, _INSTR),
            pays("A", f"{_T3}, g=1024, beta=1"),
            idle("A", f"{_T2}, g=1024, beta=1"),
            pays("A", f"{_T4}, g=512, beta=1"),
            idle("A", f"{_T3}, g=512, beta=1"),
            pays("A", f"{_INSTR}, g=64, beta=1"),
            idle("A", f"{_T4}, g=64, beta=1"),
        ),
        argument="Each set contains the one before, strictly at a power of two.",
    ),
    Claim(
        id="isca2017-sec5.4-cutoff-overhead-t4",
        source="altaf2017, §5.4, first paragraph",
        statement="On SPARC T4 a lower overhead pays up to 128 B.",
        given=table5("SPARC T4", "AES"),
        asserts=step("o", 128, 256),
        corrected=Correction(
            statement="On the engine of SPARC T4 up to 2121/4 B (530 B); 128 B is right for its "
            "crypto instructions.",
            given=_CONSTANT,
            asserts=(
                f"iff({pays('o', f'{_T4}, beta=1')}, g <= 2121/4)",
                *step("o", 128, 256, _INSTR),
            ),
        ),
        argument="Two paragraphs below the paper itself has 512 B for the engine and 128 B for "
        "the instructions.",
    ),
    Claim(
        id="isca2017-fig10a-cutoff-overhead",
        source="altaf2017, §5.4 on Fig. 10 (a)",
        statement="For the crypto card on the PCIe bus a lower overhead pays up to 256 KB.",
        asserts=(),
        argument="The paper prints no parameters of the card.",
    ),
    Claim(
        id="isca2017-fig10a-regions",
        source="altaf2017, §5.4 on Fig. 10 (a)",
        statement="For the crypto card overheads and latency occupy most of the regions.",
        asserts=(),
        argument="The paper prints no parameters of the card.",
    ),
    Claim(
        id="isca2017-fig10b-cutoffs-grid",
        source="altaf2017, §5.4 on Fig. 10 (b)",
        statement="On UltraSPARC T2 a lower overhead pays up to 32 KB, acceleration from 2 KB: on "
        "a grid of powers of two the gains cross 20 percent between 16 KB and 32 KB, and between "
        "1 KB and 2 KB.",
        given=table5("UltraSPARC T2", "AES"),
        asserts=(*step("o", 16384, 32768), *step("A", 2048, 1024)),
        argument="Among powers of two; to the byte: isca2017-fig6-overhead-32kb and "
        "isca2017-fig6-acceleration-2kb.",
    ),
    Claim(
        id="isca2017-fig10d-three-regions",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="SPARC T4 has three regions, the cut-offs of overhead and index coinciding.",
        given=table5("SPARC T4", "AES"),
        asserts=(f"implies({pays('C', 'g=1024, beta=1')}, {pays('o', 'g=1024, beta=1')})",),
        corrected=Correction(
            statement="It has five: oLC, oLAC, LAC, AC and A; LAC, from 531 B to 661 B, holds a "
            "power of two only with beta = 1.01.",
            given=table5("SPARC T4", "AES"),
            asserts=(
                *region("oLC", "g=64, beta=1"),
                *region("oLAC", "g=256, beta=1"),
                *region("oLAC", "g=512, beta=1"),
                *region("oLAC", "g=530, beta=1"),
                *region("LAC", "g=531, beta=1"),
                *region("LAC", "g=661, beta=1"),
                *region("AC", "g=662, beta=1"),
                *region("AC", "g=1024, beta=1"),
                *region("A", "g=2048, beta=1"),
                *region("oLC", "g=64, beta=1.01"),
                *region("oLAC", "g=256, beta=1.01"),
                *region("LAC", "g=512, beta=1.01"),
                *region("AC", "g=1024, beta=1.01"),
                *region("A", "g=2048, beta=1.01"),
            ),
        ),
        argument="Three regions, from overhead and index to acceleration, take a common cut-off "
        "of overhead and index, so that no power of two has the index without the overhead.",
    ),
    Claim(
        id="isca2017-fig10d-cutoff-overhead-grid",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="On SPARC T4 a lower overhead pays up to 512 B: on a grid of powers of two the "
        "gain crosses 20 percent in a step that begins or ends there.",
        given=table5("SPARC T4", "AES"),
        asserts=(
            pays("o", "g=512, beta=1"),
            idle("o", "g=1024, beta=1"),
            pays("o", "g=256, beta=1.01"),
            idle("o", "g=512, beta=1.01"),
        ),
        argument="Among powers of two: with beta = 1 it is the last at which it pays, with 1.01 "
        "the first at which it does not.",
    ),
    Claim(
        id="isca2017-fig10d-cutoff-overhead",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="On SPARC T4 a lower overhead pays exactly up to 512 B.",
        given=_T4_LINEAR,
        asserts=(f"iff({pays('o', '')}, g <= 512)",),
        corrected=Correction(
            statement="Up to 2121/4 B (530 B).",
            given=_T4_LINEAR,
            asserts=(f"iff({pays('o', '')}, g <= 2121/4)", "cutoff_o(r=10, q=6/5) == 2121/4"),
        ),
        argument="With beta = 1.01 up to 498 B.",
    ),
    Claim(
        id="isca2017-fig10d-smaller-break-even",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="SPARC T4's interface is the better one: for AES overhead and latency are less "
        "than on SPARC T3, and it breaks even earlier.",
        given=_CONSTANT,
        asserts=("435 < 27000 and 500 < 1500", f"g1({_T4}) < g1({_T3})"),
        argument="For every beta. For SHA, Table 5 has it the other way round: 16500 cycles of "
        "overhead and latency against 12000.",
    ),
    Claim(
        id="isca2017-fig10d-cutoff-acceleration",
        source="altaf2017, §5.4 on Fig. 10 (d)",
        statement="On SPARC T4 acceleration pays from 32 B on.",
        given=table5("SPARC T4", "AES"),
        asserts=(pays("A", "g=32, beta=1"),),
        corrected=Correction(
            statement="From 1275/16 B (80 B); among powers of two from 128 B.",
            given=table5("SPARC T4", "AES"),
            asserts=(
                *step("A", 128, 64),
                f"iff({pays('A', 'beta=1')}, g >= 1275/16)",
                "cutoff_A(r=10, q=6/5, beta=1) == 1275/16",
            ),
        ),
        argument="Neither is 32 B the last power of two at which it does not pay.",
    ),
    Claim(
        id="isca2017-fig10e-two-regions-grid",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions SPARC T4 has two regions.",
        given=table5("SPARC T4 instr.", "AES"),
        asserts=tuple(
            text
            for beta in EXPONENTS
            for label, size in (("oCA", 16), ("oCA", 128), ("A", 256), ("A", 33554432))
            for text in region(label, f"g={size}, {beta}")
        ),
        argument="Among powers of two, from 16 B to 32 MB: overhead, index and acceleration up "
        "to 128 B, acceleration alone from 256 B. Between the points the gains are monotone.",
    ),
    Claim(
        id="isca2017-fig10e-two-regions",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions overhead and index cease to pay together.",
        given=_INSTR_LINEAR,
        asserts=(f"iff({pays('o', '')}, {pays('C', '')})",),
        corrected=Correction(
            statement="The overhead at 3633/20 B (182 B), the index at 759/4 B (190 B): a third "
            "region, AC, lies between.",
            given=_INSTR_LINEAR,
            asserts=(
                f"iff({pays('o', '')}, g <= 3633/20)",
                f"iff({pays('C', '')}, g <= 759/4)",
                pays("A", "g=3633/20"),
            ),
        ),
    ),
    Claim(
        id="isca2017-fig10e-approaches-peak",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions the speedup approaches the acceleration at 128 B.",
        given=table5("SPARC T4 instr.", "AES"),
        asserts=("speedup(g=128, beta=1) >= 0.9*A",),
        corrected=Correction(
            statement="It is 75 percent of it; 90 percent are reached at 3105/8 B (388 B).",
            given=table5("SPARC T4 instr.", "AES"),
            asserts=(
                "0.74*A < speedup(g=128, beta=1) < 0.75*A",
                "0.75*A < speedup(g=128, beta=1.01) < 0.76*A",
                "g_s(s=0.9*A, beta=1) == 3105/8",
            ),
        ),
        argument="Approaches: within 10 percent. Half of it is reached at 43 B.",
    ),
    Claim(
        id="isca2017-fig10e-no-gain-before",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="UltraSPARC T2 and SPARC T3 gain nothing at 128 B.",
        asserts=tuple(
            f"speedup({affine(device, 'AES')}, g=128, {beta}) < 0.42"
            for device in ("UltraSPARC T2", "SPARC T3")
            for beta in EXPONENTS
        ),
        argument="They are slower than the host.",
    ),
    Claim(
        id="isca2017-fig10e-cutoff-overhead-grid",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions a lower overhead pays up to 128 B: on a grid of powers "
        "of two the gain crosses 20 percent between that and 256 B.",
        given=table5("SPARC T4 instr.", "AES"),
        asserts=step("o", 128, 256),
        argument="Among powers of two: the last at which it pays.",
    ),
    Claim(
        id="isca2017-fig10e-cutoff-overhead",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions a lower overhead pays exactly up to 128 B.",
        given=_INSTR_LINEAR,
        asserts=(f"iff({pays('o', '')}, g <= 128)",),
        corrected=Correction(
            statement="Up to 3633/20 B (182 B).",
            given=_INSTR_LINEAR,
            asserts=(f"iff({pays('o', '')}, g <= 3633/20)", "cutoff_o(r=10, q=6/5) == 3633/20"),
        ),
        argument="With beta = 1.01 up to 172.5 B.",
    ),
    Claim(
        id="isca2017-fig10e-acceleration-from-16",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions acceleration pays at every granularity above 16 B.",
        given=("g > 16",),
        asserts=(
            pays("A", _INSTR_AFFINE),
            pays("A", f"{affine('SPARC T4 instr.', 'AES')}, g=16, beta=1.01"),
        ),
        argument="It does so from 9.8 B on, with beta = 1.01 from 9.6 B on.",
    ),
    Claim(
        id="isca2017-fig10e-acceleration-widest",
        source="altaf2017, §5.4 on Fig. 10 (e)",
        statement="With crypto instructions no parameter occupies more granularities than A.",
        given=("g >= 16",),
        asserts=tuple(
            f"implies({pays(p, _INSTR_AFFINE)}, {pays('A', _INSTR_AFFINE)})"
            for p in ("o", "L", "C")
        ),
        argument="Of the measured range, which begins at 16 B.",
    ),
)
