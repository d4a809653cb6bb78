"""ISCA 2017, section 3.2: sensitivity and optimization regions of UltraSPARC T2 (Figs. 5 and 6).

A parameter is a bottleneck where a tenfold improvement gains at least 20 percent. The figures
sample powers of two; a printed cut-off is therefore read twice: as an end of the step between two
neighbouring powers of two in which the gain crosses 20 percent (ids that end in -grid), and to
the byte.
"""

from logca.proofs.claim import Claim, Correction
from logca.proofs.isca2017_tables import idle, pays, table5

__all__ = ["CLAIMS"]

_T2 = table5("UltraSPARC T2", "AES")
_FIXED = table5("UltraSPARC T2", "AES", "o", "L")
_LINEAR = (*_T2, "beta == 1")
_EXPONENTS = ("beta=1", "beta=1.01")
_BOTH = "Exponents: 1, as in section 5.1, and 1.01, as in Table 4."


def _step(parameter: str, inside: int, outside: int) -> tuple[str, ...]:
    """The gain crosses 20 percent between two granularities [B], at both exponents."""
    return tuple(
        text
        for beta in _EXPONENTS
        for text in (
            pays(parameter, f"g={inside}, {beta}"),
            idle(parameter, f"g={outside}, {beta}"),
        )
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-fig5a-latency-negligible",
        source="altaf2017, §3.2 on Fig. 5 (a)",
        statement="On UltraSPARC T2 a tenfold lower latency gains next to nothing, at any size.",
        given=_FIXED,
        asserts=("gain_L(r=10) < 21/20",),
        argument="Less than 5 percent, whatever C, A and beta.",
    ),
    Claim(
        id="isca2017-fig5a-independent-of-granularity",
        source="altaf2017, §3.2 on Fig. 5 (a)",
        statement="The gain from a lower latency is the same at every granularity.",
        given=_FIXED,
        asserts=("gain_L(r=10, g=x) == gain_L(r=10, g=y)",),
        corrected=Correction(
            statement="It falls with granularity, from 610/583 (4.6 percent) towards 1.",
            given=_FIXED,
            asserts=(
                "implies(x < y, gain_L(r=10, g=x) > gain_L(r=10, g=y))",
                "limit(gain_L(r=10), g, 0) == 610/583",
                "limit(gain_L(r=10), g, oo) == 1",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec3.2-setup-cost-per-byte",
        source="altaf2017, §3.2 on Fig. 5 (b)",
        statement="An overhead that does not depend on granularity costs more per byte for less.",
        given=("o > 0",),
        asserts=("implies(x < y, o/x > o/y)",),
    ),
    Claim(
        id="isca2017-fig5b-overhead-gain-falls",
        source="altaf2017, §3.2 on Fig. 5 (b)",
        statement="The gain from a lower overhead shrinks as granularity grows.",
        given=("o > 0",),
        asserts=("implies(x < y, gain_o(r=10, g=x) > gain_o(r=10, g=y))",),
        argument="With linear latency as well.",
    ),
    Claim(
        id="isca2017-fig5b-overhead-amortised",
        source="altaf2017, §3.2 on Fig. 5 (b)",
        statement="A lower overhead gains much at small granularities and little at large ones.",
        given=_T2,
        asserts=tuple(
            text
            for beta in _EXPONENTS
            for text in (
                f"gain_o(r=10, g=16, {beta}) > 6",
                f"gain_o(r=10, g=33554432, {beta}) < 1.001",
            )
        ),
        argument="At the ends of the measured range, 16 B and 32 MB. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig5c-index-gain-falls",
        source="altaf2017, §3.2 on Fig. 5 (c)",
        statement="The gain from a higher computational index shrinks gradually with granularity.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "implies(x < y, gain_C(r=10, g=x) > gain_C(r=10, g=y))",
            "limit(gain_C(r=10), g, 0) == 10",
            "limit(gain_C(r=10), g, oo) == 1",
        ),
    ),
    Claim(
        id="isca2017-fig5c-similar-to-overhead",
        source="altaf2017, §3.2 on Fig. 5 (c)",
        statement="A higher index pays as a lower overhead does: at small granularities.",
        asserts=("gain_C(r=10) >= gain_o(r=10)",),
        argument="Both fall with granularity (isca2017-fig5b-overhead-gain-falls, "
        "isca2017-fig5c-index-gain-falls), and the index is never the lesser of the two.",
    ),
    Claim(
        id="isca2017-fig5c-setup-share",
        source="altaf2017, §3.2 on Fig. 5 (c)",
        statement="A higher index lengthens the computation and makes the setup weigh less.",
        given=("o > 0",),
        asserts=("diff(T0, C) > 0", "diff(share_o, C) < 0"),
        argument="Weighed against the time: the setup cost per byte itself, o/g, has no C in it.",
    ),
    Claim(
        id="isca2017-fig5d-acceleration-gain-rises",
        source="altaf2017, §3.2 on Fig. 5 (d)",
        statement="The gain from more acceleration is negligible at small granularities and rises.",
        given=("latency == constant", "o + L > 0"),
        asserts=(
            "implies(x < y, gain_A(r=10, g=x) < gain_A(r=10, g=y))",
            "limit(gain_A(r=10), g, 0) == 1",
            "limit(gain_A(r=10), g, oo) == 10",
        ),
    ),
    Claim(
        id="isca2017-fig5d-setup-not-reduced",
        source="altaf2017, §3.2 on Fig. 5 (d)",
        statement="More acceleration does not lower the setup cost per byte.",
        given=("o > 0",),
        asserts=("diff((T1 - T0/A)/g, A) == 0", "diff(share_o, A) > 0"),
        argument="The first says it of overhead and latency together; the second adds that the "
        "setup weighs even more in the time that is left.",
    ),
    Claim(
        id="isca2017-fig6-region-oC-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="From 16 B up to 2 KB overhead and index are the bottlenecks, and no others.",
        given=_T2,
        asserts=tuple(
            text
            for beta in _EXPONENTS
            for size in (16, 1024)
            for text in (
                pays("o", f"g={size}, {beta}"),
                pays("C", f"g={size}, {beta}"),
                idle("A", f"g={size}, {beta}"),
                idle("L", f"g={size}, {beta}"),
            )
        )
        + tuple(pays("A", f"g=2048, {beta}") for beta in _EXPONENTS),
        argument="Among powers of two: 1 KB still belongs to the region, at 2 KB acceleration "
        "joins. Between 16 B and 1 KB the gains are monotone. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-region-oC",
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
        id="isca2017-fig6-region-A",
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
        id="isca2017-fig6-cutoff-acceleration-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="Acceleration pays from 2 KB.",
        given=_T2,
        asserts=_step("A", 2048, 1024),
        argument="Among powers of two: the first at which it pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-cutoff-acceleration",
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
        id="isca2017-fig6-cutoff-overhead-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A lower overhead pays up to 32 KB.",
        given=_T2,
        asserts=_step("o", 16384, 32768),
        argument="Among powers of two: 32 KB is the first at which it no longer pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-cutoff-overhead",
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
        id="isca2017-fig6-cutoff-index-grid",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A higher computational index pays up to 32 KB.",
        given=_T2,
        asserts=_step("C", 16384, 32768),
        argument="Among powers of two: 32 KB is the first at which it no longer pays. " + _BOTH,
    ),
    Claim(
        id="isca2017-fig6-cutoff-index",
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
    Claim(
        id="isca2017-sec3.2-high-cutoff-high-overhead",
        source="altaf2017, §3.2 on Fig. 6",
        statement="A high cut-off of the overhead points to a high overhead.",
        given=("r > 1",),
        asserts=("diff(gain_o, o) > 0",),
        argument="At every granularity the gain rises with the overhead, so the granularities at "
        "which it reaches any level only become more.",
    ),
)
