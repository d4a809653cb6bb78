"""Theorems of ours: why probabilities are closed forms where o, L and C are log-normal.

A claim is about numbers, not about random ones: that the speedup exceeds a target exactly where
another quantity does, and that this is a product of powers of the parameters. Logarithms of
log-normal numbers are normal, and so is their sum; that part is no claim here.
"""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, chance"
_SUBLINEAR = ("beta < 1", "L1 > 0", "o + L0 > 0")

_MARGIN = (
    Claim(
        id="ext-chance-margin",
        source=_SOURCE,
        statement="The speedup exceeds a target exactly if the margin exceeds one: the speedup "
        "with infinite acceleration exceeds speedup_infinite_for.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=(
            "iff(speedup > s, margin > 1)",
            "iff(speedup > s, speedup_infinite > speedup_infinite_for)",
            "margin == speedup_infinite/speedup_infinite_for",
        ),
        argument="So the probability of a greater speedup is that of a positive logarithm of the "
        "margin.",
    ),
    Claim(
        id="ext-chance-margin-none",
        source=_SOURCE,
        statement="A target from the acceleration on is never exceeded, whatever the rest is.",
        given=("A <= s", "latency == affine"),
        asserts=("speedup <= s",),
        argument="So the probability that it is exceeded at some granularity is at most that of a "
        "greater acceleration; under constant latency it is that (ext-existence-constant).",
    ),
    Claim(
        id="ext-chance-margin-product",
        source=_SOURCE,
        statement="If overhead and latency are off by one factor and the index by another, so is "
        "the margin: of log-normal ones it is log-normal.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=("margin(o=m*o, L0=m*L0, L1=m*L1, C=q*C) == margin*q/m",),
        argument="That is so where either overhead or latency is zero, or both are certain.",
    ),
    Claim(
        id="ext-chance-margin-sum",
        source=_SOURCE,
        statement="It is no product where both are there and only one of them is off.",
        given=("s < A", "o > 0", "L0 + L1 > 0", "m > 1", "latency == affine"),
        asserts=("margin/m < margin(o=m*o) < margin",),
        argument="The factor on the margin then depends on the share of the overhead, so that a "
        "log-normal overhead makes no log-normal margin.",
    ),
    Claim(
        id="ext-chance-speedup-quantile",
        source=_SOURCE,
        statement="The speedup grows with the margin: its quantiles are those of the margin's.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=(
            "diff(speedup_quantile, w) > 0",
            "speedup_quantile(w=1) == speedup",
            "speedup_quantile(w=1/margin) == s",
        ),
    ),
)

_GRANULARITY = (
    Claim(
        id="ext-chance-granularity",
        source=_SOURCE,
        statement="Where the speedup never falls, a granularity has more than the target exactly "
        "if g_s is below it: both have one probability.",
        given=("exists(g_s)", "o + L0 > 0", "L1 == 0 or beta >= 1"),
        asserts=("iff(speedup > s, g > g_s)",),
    ),
    Claim(
        id="ext-chance-granularity-product",
        source=_SOURCE,
        statement="Without latency per byte g_s is a product of powers: of log-normal o + L0 and C "
        "it is log-normal, with the spread of the margin over beta.",
        given=("s < A", "o + L0 > 0", "L1 == 0"),
        asserts=(
            "overhead_root(o=m*o, L0=m*L0, C=q*C) == overhead_root*(m/q)**(1/beta)",
            "g_s_quantile == overhead_root*w**(-1/beta)",
            "speedup(g=g_s_quantile, C=w*C) == s",
        ),
    ),
)

_EXISTENCE = (
    Claim(
        id="ext-chance-reached",
        source=_SOURCE,
        statement="A sublinear kernel reaches a target exactly if the margin at its best "
        "granularity is at least one.",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "margin_peak == margin(g=g_peak)",
            "iff(speedup_peak >= s, margin_peak >= 1)",
            "margin <= margin(g=g_peak)",
        ),
    ),
    Claim(
        id="ext-chance-reached-product",
        source=_SOURCE,
        statement="That is a product of powers of overhead, latency and index, each with a factor "
        "of its own: of log-normal ones it is log-normal.",
        given=(*_SUBLINEAR, "s < A", "latency == affine"),
        asserts=(
            "margin_peak(o=m*o, L0=m*L0, L1=n*L1, C=q*C) == margin_peak*q*m**(beta - 1)*n**(-beta)",
        ),
    ),
    Claim(
        id="ext-chance-reached-linear",
        source=_SOURCE,
        statement="A linear kernel with a latency per byte reaches a target exactly if "
        "C/L1 exceeds speedup_infinite_for.",
        given=("beta == 1", "s < A", "o + L0 > 0", "L1 > 0"),
        asserts=("iff(exists(g_s), C/L1 > speedup_infinite_for)",),
    ),
    Claim(
        id="ext-chance-reached-up-to",
        source=_SOURCE,
        statement="No granularity up to a given one has a greater margin than that, or than the "
        "peak if it comes first: so g_s is at most so large as often as the margin there is one.",
        given=(*_SUBLINEAR, "s < A", "x <= y"),
        asserts=(
            "margin(g=x) <= margin(g=min(y, g_peak))",
            "g_peak(C=q*C) == g_peak",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_MARGIN, *_GRANULARITY, *_EXISTENCE)
