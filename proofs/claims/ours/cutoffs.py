"""Theorems of ours: from or up to which granularity improving a parameter pays."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_CUTOFFS = "logca2026, cut-offs; altaf2017, §3.2, Fig. 6, and §5.4, Figs. 10 and 11"
_DEMAND = ("q > 1", "r > q")
_GENERAL_SOURCE = "logca2026, cut-offs; altaf2017, §3.2"

_CONSTANT = (
    Claim(
        id="ext-cutoffs-closed-overhead-constant",
        source=_CUTOFFS,
        statement="Without latency per byte improving the overhead pays exactly up to cutoff_o.",
        given=("L1 == 0", "cutoff_factor*o > L0"),
        asserts=("gain_o(g=cutoff_o) == q", "iff(gain_o >= q, g <= cutoff_o)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-constant",
        source=_CUTOFFS,
        statement="Without latency per byte improving the latency pays exactly up to cutoff_L.",
        given=("L1 == 0", "cutoff_factor*L0 > o"),
        asserts=("gain_L(g=cutoff_L) == q", "iff(gain_L >= q, g <= cutoff_L)"),
    ),
    Claim(
        id="ext-cutoffs-closed-index-constant",
        source=_CUTOFFS,
        statement="Without latency per byte improving the computational index pays exactly up to "
        "cutoff_C.",
        given=(*_DEMAND, "L1 == 0", "o + L0 > 0"),
        asserts=("gain_C(g=cutoff_C) == q", "iff(gain_C >= q, g <= cutoff_C)"),
    ),
    Claim(
        id="ext-cutoffs-closed-acceleration-constant",
        source=_CUTOFFS,
        statement="Without latency per byte improving the acceleration pays exactly from "
        "cutoff_A on.",
        given=(*_DEMAND, "L1 == 0", "o + L0 > 0"),
        asserts=("gain_A(g=cutoff_A) == q", "iff(gain_A >= q, g >= cutoff_A)"),
    ),
    Claim(
        id="ext-cutoffs-closed-overhead-never",
        source=_CUTOFFS,
        statement="If the latency per offload is cutoff_factor times the overhead or more, "
        "improving the overhead pays at no granularity.",
        given=("cutoff_factor*o <= L0",),
        asserts=("gain_o < q",),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-constant-never",
        source=_CUTOFFS,
        statement="Without latency per byte, if the overhead is cutoff_factor times the latency "
        "or more, improving the latency pays at no granularity.",
        given=("L1 == 0", "cutoff_factor*L0 <= o"),
        asserts=("gain_L < q",),
    ),
    Claim(
        id="ext-cutoffs-closed-ultrasparc-t2-aes",
        source=_CUTOFFS + ", UltraSPARC T2, AES",
        statement="For AES on the UltraSPARC T2 a tenfold improvement gains 20 % from 1464 B on "
        "for the acceleration, up to 28.3 kB for the computational index, up to 26.6 kB for the "
        "overhead, and nowhere for the latency.",
        given=(
            "latency == constant",
            "o == 29000",
            "L == 1500",
            "C == 90",
            "A == 19",
            "beta == 1",
            "r == 10",
            "q == 1.2",
        ),
        asserts=(
            "1463 < cutoff_A < 1464",
            "28331 < cutoff_C < 28332",
            "26621 < cutoff_o < 26622",
            "gain_L < q",
        ),
    ),
)

_LINEAR = (
    Claim(
        id="ext-cutoffs-closed-overhead-linear",
        source=_CUTOFFS,
        statement="For linear complexity improving the overhead pays exactly up to "
        "cutoff_o_linear.",
        given=("beta == 1", "cutoff_factor*o > L0"),
        asserts=("gain_o(g=cutoff_o_linear) == q", "iff(gain_o >= q, g <= cutoff_o_linear)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-linear",
        source=_CUTOFFS,
        statement="For linear complexity and a latency that does not pay off at first, improving "
        "the latency pays exactly from cutoff_L_linear on.",
        given=("beta == 1", "cutoff_factor*L0 < o", "A*cutoff_factor*L1 > C"),
        asserts=("gain_L(g=cutoff_L_linear) == q", "iff(gain_L >= q, g >= cutoff_L_linear)"),
    ),
    Claim(
        id="ext-cutoffs-closed-index-linear",
        source=_CUTOFFS,
        statement="For linear complexity improving the computational index pays exactly up to "
        "cutoff_C_linear.",
        given=("beta == 1", "o + L0 > 0", "C > A*cutoff_factor*L1"),
        asserts=("gain_C(g=cutoff_C_linear) == q", "iff(gain_C >= q, g <= cutoff_C_linear)"),
    ),
    Claim(
        id="ext-cutoffs-closed-acceleration-linear",
        source=_CUTOFFS,
        statement="For linear complexity improving the acceleration pays exactly from "
        "cutoff_A_linear on.",
        given=("beta == 1", "o + L0 > 0", "cutoff_factor*C > A*L1"),
        asserts=("gain_A(g=cutoff_A_linear) == q", "iff(gain_A >= q, g >= cutoff_A_linear)"),
    ),
    Claim(
        id="ext-cutoffs-closed-linear-else",
        source=_CUTOFFS,
        statement="For linear complexity, where the condition of a cut-off fails, improving the "
        "acceleration pays at no granularity and the computational index at all; the latency at "
        "none, or at all if it pays at first.",
        given=(*_DEMAND, "beta == 1", "o + L0 > 0"),
        asserts=(
            "implies(A*cutoff_factor*L1 <= C and cutoff_factor*L0 < o, gain_L < q)",
            "implies(A*cutoff_factor*L1 >= C and cutoff_factor*L0 >= o, gain_L >= q)",
            "implies(C <= A*cutoff_factor*L1, gain_C > q)",
            "implies(cutoff_factor*C <= A*L1, gain_A < q)",
        ),
    ),
)

_GEOMETRY = (
    Claim(
        id="ext-cutoff-geometry-mirror",
        source=_CUTOFFS,
        statement="Without latency per byte the cut-offs of acceleration and computational index "
        "lie mirrored about half-peak on a logarithmic scale.",
        given=(*_DEMAND, "L1 == 0", "o + L0 > 0"),
        asserts=("cutoff_A*cutoff_C == gA2**2", "iff(cutoff_A < gA2, theta < 1/2)"),
    ),
    Claim(
        id="ext-cutoff-geometry-ratio",
        source=_CUTOFFS,
        statement="Their ratio depends on nothing but the improvement, the gain and the "
        "exponent: 19.36 for linear complexity, r = 10 and q = 1.2.",
        given=(*_DEMAND, "L1 == 0", "o + L0 > 0"),
        asserts=(
            "corner_ratio == cutoff_C/cutoff_A",
            "corner_ratio == ((1 - theta)/theta)**(2/beta)",
            "corner_ratio(r=10, q=1.2, beta=1) == 19.36",
        ),
    ),
)


def _label(shares: tuple[int, int, int], bottlenecks: str) -> str:
    """At these times of overhead, latency and computation exactly these parameters pay [cycles]."""
    overhead, latency, computation = shares
    point = f"o={overhead}, L={latency}, C={2 * computation}, A=2, g=1, r=10"
    signs = {name: ">=" if name in bottlenecks else "<" for name in "oLCA"}
    return " and ".join(f"gain_{name}({point}) {sign} 6/5" for name, sign in signs.items())


_COVER = (
    Claim(
        id="ext-bottleneck-cover-some",
        source=_CUTOFFS,
        statement="If theta is at most 1/3, as for r = 10 and q = 1.2, improving one of overhead, "
        "latency and acceleration pays at every granularity.",
        given=("latency == affine", "theta <= 1/3"),
        asserts=("gain_o >= q or gain_L >= q or gain_A >= q",),
    ),
    Claim(
        id="ext-bottleneck-cover-index-or-acceleration",
        source=_CUTOFFS,
        statement="If theta is at most 1/2, improving the computational index or the "
        "acceleration pays at every granularity.",
        given=("latency == affine", "theta <= 1/2"),
        asserts=("gain_C >= q or gain_A >= q",),
    ),
    Claim(
        id="ext-bottleneck-cover-index",
        source=_CUTOFFS,
        statement="An r-fold larger computational index gains at least as much as an r-fold "
        "smaller overhead or latency: where one of these pays, it does.",
        given=("r > 1", "latency == affine"),
        asserts=("gain_C >= gain_o", "gain_C >= gain_L"),
    ),
    Claim(
        id="ext-bottleneck-cover-labels",
        source=_CUTOFFS,
        statement="The sets of parameters that these rules leave all occur: A, CA, oC, LC, oLC, "
        "oCA, LCA, oLCA.",
        asserts=(
            _label((1, 1, 18), "A"),
            _label((3, 3, 14), "CA"),
            _label((8, 1, 1), "oC"),
            _label((1, 8, 1), "LC"),
            _label((4, 4, 1), "oLC"),
            _label((4, 1, 4), "oCA"),
            _label((1, 4, 4), "LCA"),
            _label((1, 1, 1), "oLCA"),
        ),
        argument="Of the 16 sets the first two rules exclude those without A and C and those "
        "without o, L and A; the third those with o or L without C. C alone is one of them.",
    ),
    Claim(
        id="ext-bottleneck-cover-index-alone",
        source=_CUTOFFS,
        statement="The computational index alone can pay only if theta is above 1/3, as for a "
        "threefold gain by a tenfold improvement.",
        given=("latency == affine", "q > 1", "r > q"),
        asserts=(
            "gain_C(o=2, L0=2, L1=0, C=2, A=2, g=1, r=10) >= 3",
            "gain_o(o=2, L0=2, L1=0, C=2, A=2, g=1, r=10) < 3",
            "gain_L(o=2, L0=2, L1=0, C=2, A=2, g=1, r=10) < 3",
            "gain_A(o=2, L0=2, L1=0, C=2, A=2, g=1, r=10) < 3",
            "implies(theta <= 1/3, gain_o >= q or gain_L >= q or gain_A >= q)",
        ),
        argument="An example above 1/3; and where theta is at most 1/3, another one pays, too.",
    ),
)

_OVERHEAD = (
    Claim(
        id="ext-cutoffs-closed-overhead",
        source=_GENERAL_SOURCE,
        statement="Improving the overhead pays exactly up to cutoff_o_general, for every exponent.",
        given=("cutoff_factor*o > L0",),
        asserts=("gain_o(g=cutoff_o_general) == q", "iff(gain_o >= q, g <= cutoff_o_general)"),
    ),
)

_ACCELERATION = (
    Claim(
        id="ext-cutoffs-closed-acceleration",
        source=_GENERAL_SOURCE,
        statement="For at least linear complexity improving the acceleration pays exactly from "
        "cutoff_A_general on.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_A_general)"),
        asserts=("gain_A(g=cutoff_A_general) == q", "iff(gain_A >= q, g >= cutoff_A_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-acceleration-sublinear",
        source=_GENERAL_SOURCE,
        statement="For sublinear complexity it pays exactly between two granularities.",
        given=(
            "latency == affine",
            "exists(cutoff_A_general)",
            "exists(cutoff_A_general_upper)",
        ),
        asserts=(
            "gain_A(g=cutoff_A_general) == q",
            "gain_A(g=cutoff_A_general_upper) == q",
            "iff(gain_A >= q, cutoff_A_general <= g and g <= cutoff_A_general_upper)",
        ),
    ),
    Claim(
        id="ext-cutoffs-closed-acceleration-never",
        source=_GENERAL_SOURCE,
        statement="If for sublinear complexity it does not pay at the granularity of the greatest "
        "speedup, it pays nowhere.",
        given=("latency == affine", "r > 1", "gain_A(g=g_peak) < q"),
        asserts=("gain_A < q",),
    ),
)

_INDEX = (
    Claim(
        id="ext-cutoffs-closed-index",
        source=_GENERAL_SOURCE,
        statement="For at least linear complexity improving the computational index pays exactly "
        "up to cutoff_C_general.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_C_general)"),
        asserts=("gain_C(g=cutoff_C_general) == q", "iff(gain_C >= q, g <= cutoff_C_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-index-sublinear",
        source=_GENERAL_SOURCE,
        statement="For sublinear complexity it pays exactly outside of two granularities.",
        given=(
            "latency == affine",
            "exists(cutoff_C_general)",
            "exists(cutoff_C_general_upper)",
        ),
        asserts=(
            "gain_C(g=cutoff_C_general) == q",
            "gain_C(g=cutoff_C_general_upper) == q",
            "iff(gain_C >= q, g <= cutoff_C_general or cutoff_C_general_upper <= g)",
        ),
    ),
    Claim(
        id="ext-cutoffs-closed-index-always",
        source=_GENERAL_SOURCE,
        statement="If for sublinear complexity it pays at the granularity of the greatest "
        "speedup, it pays everywhere.",
        given=("latency == affine", "r > 1", "gain_C(g=g_peak) >= q"),
        asserts=("gain_C >= q",),
    ),
)

_LATENCY = (
    Claim(
        id="ext-cutoffs-closed-latency-up-to",
        source=_GENERAL_SOURCE,
        statement="If improving the latency pays for small granularities, for at least linear "
        "complexity it pays exactly up to cutoff_L_general.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_L_general)"),
        asserts=("gain_L(g=cutoff_L_general) == q", "iff(gain_L >= q, g <= cutoff_L_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-outside",
        source=_GENERAL_SOURCE,
        statement="If for sublinear complexity it gains q at two granularities, it pays exactly "
        "outside of them.",
        given=(
            "q > 1",
            "latency == affine",
            "beta < 1",
            "x < y",
            "gain_L(g=x) == q",
            "gain_L(g=y) == q",
        ),
        asserts=("iff(gain_L >= q, g <= x or y <= g)",),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-two",
        source=_GENERAL_SOURCE,
        statement="Where the two cut-offs exist they are these granularities, on either side of "
        "the one where improving the latency pays least.",
        given=(
            "latency == affine",
            "exists(cutoff_L_general)",
            "exists(cutoff_L_general_upper)",
        ),
        asserts=(
            "gain_L(g=cutoff_L_general) == q",
            "gain_L(g=cutoff_L_general_upper) == q",
            "cutoff_L_general <= beta*(L0 - o/cutoff_factor)/((1 - beta)*L1)",
            "beta*(L0 - o/cutoff_factor)/((1 - beta)*L1) <= cutoff_L_general_upper",
        ),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-always",
        source=_GENERAL_SOURCE,
        statement="If for sublinear complexity it pays for small granularities and at a certain "
        "one, it pays everywhere.",
        given=(
            "cutoff_factor*L0 > o",
            "gain_L(g=beta*(L0 - o/cutoff_factor)/((1 - beta)*L1)) >= q",
        ),
        asserts=("gain_L >= q",),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-from",
        source=_GENERAL_SOURCE,
        statement="If improving the latency does not pay for small granularities, for at most "
        "linear complexity it pays exactly from cutoff_L_from on.",
        given=("latency == affine", "beta <= 1", "exists(cutoff_L_from)"),
        asserts=("gain_L(g=cutoff_L_from) == q", "iff(gain_L >= q, g >= cutoff_L_from)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-between",
        source=_GENERAL_SOURCE,
        statement="If for superlinear complexity it gains q at two granularities, it pays exactly "
        "between them.",
        given=(
            "q > 1",
            "latency == affine",
            "beta > 1",
            "x < y",
            "gain_L(g=x) == q",
            "gain_L(g=y) == q",
        ),
        asserts=("iff(gain_L >= q, x <= g and g <= y)",),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-from-two",
        source=_GENERAL_SOURCE,
        statement="If it does not pay for small granularities, these are the two cut-offs, where "
        "they exist, on either side of the granularity where it pays most.",
        given=("latency == affine", "beta > 1", "exists(cutoff_L_from)"),
        asserts=(
            "gain_L(g=cutoff_L_from) == q",
            "gain_L(g=cutoff_L_from_upper) == q",
            "cutoff_L_from <= ((o - cutoff_factor*L0)*A/((beta - 1)*C))**(1/beta)",
            "((o - cutoff_factor*L0)*A/((beta - 1)*C))**(1/beta) <= cutoff_L_from_upper",
        ),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-never",
        source=_GENERAL_SOURCE,
        statement="If for superlinear complexity it pays neither for small granularities nor at a "
        "certain one, it pays nowhere.",
        given=("beta > 1", "gain_L(g=((o - cutoff_factor*L0)*A/((beta - 1)*C))**(1/beta)) < q"),
        asserts=("gain_L < q",),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    *_CONSTANT,
    *_LINEAR,
    *_GEOMETRY,
    *_COVER,
    *_OVERHEAD,
    *_ACCELERATION,
    *_INDEX,
    *_LATENCY,
)
