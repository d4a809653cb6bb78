"""Theorems of ours: the cut-offs for every exponent and affine latency, as trinomial roots."""

from logca.proofs.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, cut-offs; altaf2017, §3.2"

_OVERHEAD = (
    Claim(
        id="ext-cutoffs-closed-overhead",
        source=_SOURCE,
        statement="Improving the overhead pays exactly up to cutoff_o_general, for every exponent.",
        given=("cutoff_factor*o > L0",),
        asserts=("gain_o(g=cutoff_o_general) == q", "iff(gain_o >= q, g <= cutoff_o_general)"),
    ),
)

_ACCELERATION = (
    Claim(
        id="ext-cutoffs-closed-acceleration",
        source=_SOURCE,
        statement="For at least linear complexity improving the acceleration pays exactly from "
        "cutoff_A_general on.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_A_general)"),
        asserts=("gain_A(g=cutoff_A_general) == q", "iff(gain_A >= q, g >= cutoff_A_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-acceleration-sublinear",
        source=_SOURCE,
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
        source=_SOURCE,
        statement="If for sublinear complexity it does not pay at the granularity of the greatest "
        "speedup, it pays nowhere.",
        given=("latency == affine", "r > 1", "gain_A(g=g_peak) < q"),
        asserts=("gain_A < q",),
    ),
)

_INDEX = (
    Claim(
        id="ext-cutoffs-closed-index",
        source=_SOURCE,
        statement="For at least linear complexity improving the computational index pays exactly "
        "up to cutoff_C_general.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_C_general)"),
        asserts=("gain_C(g=cutoff_C_general) == q", "iff(gain_C >= q, g <= cutoff_C_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-index-sublinear",
        source=_SOURCE,
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
        source=_SOURCE,
        statement="If for sublinear complexity it pays at the granularity of the greatest "
        "speedup, it pays everywhere.",
        given=("latency == affine", "r > 1", "gain_C(g=g_peak) >= q"),
        asserts=("gain_C >= q",),
    ),
)

_LATENCY = (
    Claim(
        id="ext-cutoffs-closed-latency-up-to",
        source=_SOURCE,
        statement="If improving the latency pays for small granularities, for at least linear "
        "complexity it pays exactly up to cutoff_L_general.",
        given=("latency == affine", "beta >= 1", "exists(cutoff_L_general)"),
        asserts=("gain_L(g=cutoff_L_general) == q", "iff(gain_L >= q, g <= cutoff_L_general)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-outside",
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
        statement="If improving the latency does not pay for small granularities, for at most "
        "linear complexity it pays exactly from cutoff_L_from on.",
        given=("latency == affine", "beta <= 1", "exists(cutoff_L_from)"),
        asserts=("gain_L(g=cutoff_L_from) == q", "iff(gain_L >= q, g >= cutoff_L_from)"),
    ),
    Claim(
        id="ext-cutoffs-closed-latency-between",
        source=_SOURCE,
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
        source=_SOURCE,
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
        source=_SOURCE,
        statement="If for superlinear complexity it pays neither for small granularities nor at a "
        "certain one, it pays nowhere.",
        given=("beta > 1", "gain_L(g=((o - cutoff_factor*L0)*A/((beta - 1)*C))**(1/beta)) < q"),
        asserts=("gain_L < q",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_OVERHEAD, *_ACCELERATION, *_INDEX, *_LATENCY)
