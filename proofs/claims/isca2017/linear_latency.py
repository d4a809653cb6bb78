"""ISCA 2017, sections 2.1, 2.2 and 3.2, asked of latency per byte.

There the paper has latency that does not depend on granularity; ids end in -per-byte.
The paper itself solves these statements again for eqs 4 to 6 only: eqs 10 to 12, in `latency`,
`intensity` and `half_peak`.
"""

from logca.proofs.claims.claim import Claim, Correction

__all__ = ["CLAIMS"]

_LINEAR = "latency == linear"
_BOTH_COSTS = ("o > 0", "L > 0")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="isca2017-sec2.1-increases-with-granularity-per-byte",
        source="altaf2017, §2.1, with Eq. 8",
        statement="With latency proportional to granularity, too, the speedup increases with "
        "granularity.",
        given=(_LINEAR, "o + L > 0"),
        asserts=("diff(speedup, g) > 0",),
        corrected=Correction(
            statement="As long as (1 - beta)*L*g is less than beta*o: of super-linear kernels "
            "always, of linear ones with overhead always, of sub-linear ones up to a peak.",
            given=(_LINEAR,),
            asserts=("iff(diff(speedup, g) > 0, (1 - beta)*L*g < beta*o)",),
        ),
    ),
    Claim(
        id="isca2017-eq10-no-overhead-linear",
        source="altaf2017, §2.3, Eq. 10",
        statement="With latency per byte, without overhead, too, the speedup of linear kernels "
        "tends to A*C/(A*(o + L) + C) as granularity tends to 0.",
        given=(_LINEAR, "o == 0", "beta == 1"),
        asserts=("speedup == A*C/(A*(o + L) + C)",),
        argument="It is that at every granularity. With an overhead it tends to 0: isca2017-eq10.",
    ),
    Claim(
        id="isca2017-eq10-no-overhead-sublinear",
        source="altaf2017, §2.3, Eq. 10",
        statement="With latency per byte, without overhead, too, the speedup of sub-linear "
        "kernels tends to A*C/(A*(o + L) + C) as granularity tends to 0.",
        given=(_LINEAR, "o == 0", "L > 0", "beta < 1"),
        asserts=("limit(speedup, g, 0) == A*C/(A*(o + L) + C)",),
        corrected=Correction(
            statement="It tends to A, from below; A exceeds it by the fraction "
            "A*L/C*g**(1 - beta).",
            given=(_LINEAR, "o == 0", "L > 0", "beta < 1"),
            asserts=(
                "speedup < A",
                "A/speedup - 1 == A*L/C*g**(1 - beta)",
                "limit(g**(1 - beta), g, 0) == 0",
            ),
        ),
        argument="With an overhead it tends to 0: isca2017-eq10.",
    ),
    Claim(
        id="isca2017-eq10-no-overhead-superlinear",
        source="altaf2017, §2.3, Eq. 10",
        statement="With latency per byte, without overhead, too, the speedup of super-linear "
        "kernels tends to A*C/(A*(o + L) + C) as granularity tends to 0.",
        given=(_LINEAR, "o == 0", "L > 0", "beta > 1"),
        asserts=("limit(speedup, g, 0) == A*C/(A*(o + L) + C)",),
        corrected=Correction(
            statement="It tends to 0, as with an overhead.",
            given=("o == 0", "L > 0", "beta > 1"),
            asserts=("limit(speedup, g, 0) == 0",),
        ),
    ),
    Claim(
        id="isca2017-implication1-per-byte",
        source="altaf2017, §2.2, Implication 1, with Eq. 11",
        statement="For large A the break-even granularity of linear kernels hardly depends on A "
        "with latency proportional to granularity either.",
        given=(_LINEAR, "beta == 1", "o > 0", "C*(A - 1) > A*L"),
        asserts=(
            "limit(g1, A, oo) == o/(C - L)",
            "g1/(o/(C - L)) - 1 == C/(A*(C - L) - C)",
        ),
        argument="Large is large against C/(C - L): the closer C is to L, the larger.",
    ),
    Claim(
        id="isca2017-implication1-interface-per-byte",
        source="altaf2017, §2.2, after Implication 1, with Eq. 8",
        statement="From A = 2 on an interface better by a factor lowers g1 more than an "
        "acceleration better by that factor, with latency proportional to granularity too.",
        given=("A >= 2", "r > 1", "exists(g1)"),
        asserts=("g1(o=o/r, L=L/r) < g1(A=r*A)",),
        argument="As isca2017-implication1-interface.",
    ),
    Claim(
        id="isca2017-implication2-per-byte",
        source="altaf2017, §2.2, Implication 2, with Eq. 8",
        statement="Doubling C reduces g1 by the factor 2**(-1/beta) with latency proportional to "
        "granularity too.",
        given=(_LINEAR, "L > 0", "exists(g1)"),
        asserts=("g1(C=2*C) == 2**(-1/beta)*g1",),
        corrected=Correction(
            statement="By more than that.",
            given=(_LINEAR, "L > 0", "exists(g1)"),
            asserts=("g1(C=2*C) < 2**(-1/beta)*g1",),
        ),
        argument="The latency falls with the granularity.",
    ),
    Claim(
        id="isca2017-implication3-per-byte",
        source="altaf2017, §2.2, Implication 3, with Eq. 8",
        statement="Doubling A multiplies gA2 by 2**(1/beta) with latency proportional to "
        "granularity too.",
        given=(_LINEAR, "L > 0", "exists(gA2(A=2*A))"),
        asserts=("gA2(A=2*A) == 2**(1/beta)*gA2",),
        corrected=Correction(
            statement="By more than that.",
            given=(_LINEAR, "L > 0", "exists(gA2(A=2*A))"),
            asserts=("gA2(A=2*A) > 2**(1/beta)*gA2",),
        ),
    ),
    Claim(
        id="isca2017-eq7-per-byte",
        source="altaf2017, §2.2, Eq. 7, with Eq. 8",
        statement="gA2 is (A - 1)**(1/beta) times g1 with latency proportional to granularity too.",
        given=(_LINEAR, "L > 0", "exists(g1)", "exists(gA2)"),
        asserts=("gA2 == (A - 1)**(1/beta)*g1",),
        corrected=Correction(
            statement="It is more than that exactly if A > 2, and then only is it beyond g1.",
            given=(_LINEAR, "L > 0", "exists(g1)", "exists(gA2)"),
            asserts=(
                "iff(gA2 > (A - 1)**(1/beta)*g1, A > 2)",
                "iff(gA2 > g1, A > 2)",
                "implies(beta == 1, gA2*(C - A*L) == g1*(C*(A - 1) - A*L))",
            ),
        ),
    ),
    Claim(
        id="isca2017-sec2.2-interface-per-byte",
        source="altaf2017, §2.2, with Eq. 8",
        statement="g1 increases with the overhead and with the latency, per byte as per offload.",
        given=(*_BOTH_COSTS, "r > 1", "exists(g1(L=r*L))", "exists(g1(o=r*o))"),
        asserts=("g1(o=r*o) > g1", "g1(L=r*L) > g1"),
        argument="As far as there is one: isca2017-implication5-sufficient.",
    ),
    Claim(
        id="isca2017-fig5b-per-byte",
        source="altaf2017, §3.2, Fig. 5 b, with Eq. 8",
        statement="With latency proportional to granularity a lower overhead gains much at small "
        "granularities, little at large ones: it is a bottleneck up to some granularity.",
        given=(_LINEAR, *_BOTH_COSTS),
        asserts=(
            "limit(gain_o(r=10), g, 0) == 10",
            "gain_o(r=10) - 1 < 9*o/(o + 10*L*g)",
            "limit(9*o/(o + 10*L*g), g, oo) == 0",
            "implies(x < y, gain_o(r=10, g=x) > gain_o(r=10, g=y))",
        ),
        argument="Whatever o: with constant latency it may be none, isca2017-fig5b-bottleneck.",
    ),
    Claim(
        id="isca2017-fig5c-per-byte",
        source="altaf2017, §3.2, Fig. 5 c, with Eq. 8",
        statement="With latency proportional to granularity, too, the gain from a larger index is "
        "large at small granularities and falls.",
        given=(_LINEAR, *_BOTH_COSTS, "x < y"),
        asserts=("gain_C(r=10, g=x) > gain_C(r=10, g=y)",),
        corrected=Correction(
            statement="It is, and falls if kernels are not sub-linear; that of sub-linear ones "
            "rises again beyond the peak of their speedup.",
            given=(_LINEAR, "o > 0"),
            asserts=(
                "limit(gain_C(r=10), g, 0) == 10",
                "implies(beta >= 1 and x < y, gain_C(r=10, g=x) > gain_C(r=10, g=y))",
                "implies((1 - beta)*L*x >= beta*o and x < y,"
                " gain_C(r=10, g=x) < gain_C(r=10, g=y))",
            ),
        ),
    ),
    Claim(
        id="isca2017-fig5d-per-byte-superlinear",
        source="altaf2017, §3.2, Fig. 5 d, with Eq. 8",
        statement="With latency proportional to granularity, too, a larger acceleration gains "
        "much for super-linear kernels at large granularities, next to nothing at small ones.",
        given=("o > 0", "beta > 1"),
        asserts=("limit(gain_A(r=10), g, 0) == 1", "limit(gain_A(r=10), g, oo) == 10"),
    ),
    Claim(
        id="isca2017-fig5d-per-byte-linear",
        source="altaf2017, §3.2, Fig. 5 d, with Eq. 8",
        statement="With latency proportional to granularity, too, a larger acceleration gains "
        "much for linear kernels at large granularities.",
        given=(_LINEAR, *_BOTH_COSTS, "beta == 1"),
        asserts=("limit(gain_A(r=10), g, oo) == 10",),
        corrected=Correction(
            statement="Less than the acceleration grows, however large the granularity.",
            given=(_LINEAR, *_BOTH_COSTS, "beta == 1"),
            asserts=(
                "gain_A(r=10) < 10*(A*L + C)/(10*A*L + C)",
                "limit(gain_A(r=10), g, oo) == 10*(A*L + C)/(10*A*L + C)",
                "10*(A*L + C)/(10*A*L + C) < 10",
            ),
        ),
        argument="Much: tenfold, as isca2017-fig5d-large.",
    ),
    Claim(
        id="isca2017-fig5d-per-byte-sublinear",
        source="altaf2017, §3.2, Fig. 5 d, with Eq. 8",
        statement="With latency proportional to granularity, too, a larger acceleration gains "
        "much for sub-linear kernels at large granularities.",
        given=(_LINEAR, *_BOTH_COSTS, "beta < 1"),
        asserts=("limit(gain_A(r=10), g, oo) == 10",),
        corrected=Correction(
            statement="Next to nothing, as at small ones.",
            given=(_LINEAR, *_BOTH_COSTS, "beta < 1"),
            asserts=(
                "limit(gain_A(r=10), g, oo) == 1",
                "limit(gain_A(r=10), g, 0) == 1",
            ),
        ),
        argument="Much: tenfold, as isca2017-fig5d-large.",
    ),
    Claim(
        id="isca2017-fig5d-only-large-per-byte",
        source="altaf2017, §3.2, Fig. 5 d, with Eq. 8",
        statement="With latency proportional to granularity, too, where a larger acceleration pays "
        "it pays at all larger granularities.",
        given=(_LINEAR, *_BOTH_COSTS, "x < y"),
        asserts=("implies(gain_A(r=10, g=x) >= 1.2, gain_A(r=10, g=y) >= 1.2)",),
        corrected=Correction(
            statement="If kernels are not sub-linear; of these up to the peak of the speedup.",
            given=("x < y", "beta >= 1 or (1 - beta)*L*y <= beta*o"),
            asserts=("implies(gain_A(r=10, g=x) >= 1.2, gain_A(r=10, g=y) >= 1.2)",),
        ),
    ),
)
