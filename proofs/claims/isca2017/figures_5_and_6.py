"""ISCA 2017, section 3.2: granularities read off Figs. 5 and 6, AES on UltraSPARC T2.

A parameter is a bottleneck where a tenfold improvement gains at least 20 percent. The figures
sample powers of two; a printed cut-off is therefore read twice: as an end of the step between two
neighbouring powers of two in which the gain crosses 20 percent (ids that end in -grid), and to
the byte.
"""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.isca2017.tables import EXPONENTS, idle, pays, step, table5

__all__ = ["CLAIMS"]

_T2 = table5("UltraSPARC T2", "AES")
_FIXED = table5("UltraSPARC T2", "AES", "o", "L")
_LINEAR = (*_T2, "beta == 1")
_BOTH = "Exponents: 1, as in section 5.1, and 1.01, as in Table 4."


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-fig5b-overhead-amortised",
        source="altaf2017, §3.2 on Fig. 5 (b)",
        statement="A lower overhead gains much at small granularities and little at large ones.",
        given=_T2,
        asserts=tuple(
            text
            for beta in EXPONENTS
            for text in (
                f"gain_o(r=10, g=16, {beta}) > 6",
                f"gain_o(r=10, g=33554432, {beta}) < 1.001",
            )
        ),
        argument="At the ends of the measured range, 16 B and 32 MB. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig5c-similar-to-overhead",
        source="altaf2017, §3.2 on Fig. 5 (c)",
        statement="A higher index pays as a lower overhead does: at small granularities.",
        asserts=(
            "gain_C(r=10) >= gain_o(r=10)",
            "speedup(C=r*C) == speedup(o=o/r, L=L/r)",
            "implies(latency == constant and x < y, gain_C(r=10, g=x) >= gain_C(r=10, g=y))",
            "implies(latency == constant and x < y, gain_o(r=10, g=x) >= gain_o(r=10, g=y))",
        ),
        argument="The exact law: an index higher by r does what overhead and latency do that are "
        "both lower by r. So the index is never the lesser of the two. With constant latency both "
        "fall with granularity; with latency per byte: isca2017-fig5c-per-byte.",
    ),
    Claim(
        id="isca2017-fig6-region-oc-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="From 16 B up to 2 KB overhead and index are the bottlenecks, and no others.",
        given=_T2,
        asserts=tuple(
            text
            for beta in EXPONENTS
            for size in (16, 1024)
            for text in (
                pays("o", f"g={size}, {beta}"),
                pays("C", f"g={size}, {beta}"),
                idle("A", f"g={size}, {beta}"),
                idle("L", f"g={size}, {beta}"),
            )
        )
        + tuple(pays("A", f"g=2048, {beta}") for beta in EXPONENTS),
        argument="Among powers of two: 1 KB still belongs to the region, at 2 KB acceleration "
        "joins. Between 16 B and 1 KB the gains are monotone. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-region-oc",
        source="altaf2017, §3.2 on Fig. 6",
        statement="At every granularity from 16 B to 2 KB only overhead and index are bottlenecks.",
        given=(*_LINEAR, "g >= 16", "g < 2048"),
        asserts=(pays("o", ""), pays("C", ""), idle("A", ""), idle("L", "")),
        corrected=Correction(
            statement="Exactly below 144875/99 B (1463 B); from there acceleration joins.",
            given=_LINEAR,
            asserts=(
                f"iff({pays('o', '')} and {pays('C', '')} and {idle('A', '')} "
                f"and {idle('L', '')}, g < 144875/99)",
            ),
        ),
        argument="With beta = 1.01 the region ends at 1361.5 B.",
    ),
    Claim(
        id="isca2017-fig6-region-a",
        source="altaf2017, §3.2 on Fig. 6",
        statement="From 32 KB on acceleration is the only bottleneck.",
        given=(*_LINEAR, "g >= 32768"),
        asserts=(
            pays("A", ""),
            idle("o", ""),
            idle("C", ""),
            idle("L", ""),
            pays("A", "g=32768, beta=1.01"),
            idle("o", "g=32768, beta=1.01"),
            idle("C", "g=32768, beta=1.01"),
            idle("L", "g=32768, beta=1.01"),
        ),
        argument="The paper's range ends at 32 MB, the region does not. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-overheads-at-lower-granularities",
        source="altaf2017, §3.2 on Fig. 6",
        statement="Overheads occupy most of the lower granularities.",
        given=_FIXED,
        asserts=(f"implies({idle('A', '')}, {pays('o', '')})",),
        argument="Lower: below the cut-off of acceleration. There the overhead is a bottleneck "
        "without exception, whatever C, A and beta.",
    ),
    Claim(
        id="isca2017-fig6-no-latency",
        source="altaf2017, §3.2 on Fig. 6",
        statement="Latency is in none of the regions.",
        given=_FIXED,
        asserts=(idle("L", ""),),
    ),
    Claim(
        id="isca2017-fig6-acceleration-2kb-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="Acceleration pays from 2 KB on.",
        given=_T2,
        asserts=step("A", 2048, 1024),
        argument="Among powers of two: the first at which it pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-acceleration-2kb",
        source="altaf2017, §3.2 on Fig. 6",
        statement="The granularities at which acceleration pays begin at 2 KB.",
        given=_LINEAR,
        asserts=(f"iff({pays('A', '')}, g >= 2048)",),
        corrected=Correction(
            statement="They begin at 144875/99 B (1463 B).",
            given=_LINEAR,
            asserts=(f"iff({pays('A', '')}, g >= 144875/99)", "cutoff_A(r=10, q=6/5) == 144875/99"),
        ),
        argument="With beta = 1.01 at 1361.5 B.",
    ),
    Claim(
        id="isca2017-fig6-overhead-32kb-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A lower overhead pays up to 32 KB: on a grid of powers of two the gain crosses "
        "20 percent between 16 KB and that.",
        given=_T2,
        asserts=step("o", 16384, 32768),
        argument="Among powers of two: 32 KB is the first at which it no longer pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-overhead-32kb",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A lower overhead pays at every granularity up to 32 KB.",
        given=_LINEAR,
        asserts=(f"iff({pays('o', '')}, g <= 32768)",),
        corrected=Correction(
            statement="Up to 239590/9 B (26.6 kB); at 32 KB it gains 16 percent.",
            given=_LINEAR,
            asserts=(
                f"iff({pays('o', '')}, g <= 239590/9)",
                "cutoff_o(r=10, q=6/5) == 239590/9",
                "1.16 < gain_o(r=10, g=32768) < 1.17",
            ),
        ),
        argument="With beta = 1.01 up to 24.1 kB.",
    ),
    Claim(
        id="isca2017-fig6-index-32kb-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A higher computational index pays up to 32 KB: on a grid of powers of two the "
        "gain crosses 20 percent between 16 KB and that.",
        given=_T2,
        asserts=step("C", 16384, 32768),
        argument="Among powers of two: 32 KB is the first at which it no longer pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-index-32kb",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A higher computational index pays at every granularity up to 32 KB.",
        given=_LINEAR,
        asserts=(f"iff({pays('C', '')}, g <= 32768)",),
        corrected=Correction(
            statement="Up to 254980/9 B (28.3 kB), further than a lower overhead; at 32 KB it "
            "gains 17 percent.",
            given=_LINEAR,
            asserts=(
                f"iff({pays('C', '')}, g <= 254980/9)",
                "cutoff_C(r=10, q=6/5) == 254980/9",
                "1.17 < gain_C(r=10, g=32768) < 1.18",
            ),
        ),
        argument="With beta = 1.01 up to 25.6 kB.",
    ),
)
