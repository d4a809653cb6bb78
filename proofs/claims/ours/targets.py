"""Theorems of ours: when a target is reached, and how a granularity moves with the parameters."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, targets"

_TARGETS = (
    Claim(
        id="ext-gs-i",
        source=_SOURCE,
        statement="Under constant latency every target below the acceleration is reached at "
        "exactly one granularity, (s*A/(A - s)*(o + L)/C)**(1/beta).",
        given=("latency == constant", "o + L > 0", "s < A"),
        asserts=(
            "g_s == (s*A/(A - s)*(o + L)/C)**(1/beta)",
            "iff(speedup == s, g == g_s)",
            "iff(speedup > s, g > g_s)",
        ),
    ),
    Claim(
        id="ext-gs-i-unreachable",
        source=_SOURCE,
        statement="No target from the acceleration on is reached.",
        given=("o + L0 + L1 > 0", "s >= A"),
        asserts=("speedup < s",),
    ),
    Claim(
        id="ext-target-equivalence",
        source=_SOURCE,
        statement="The speedup is s where an infinitely fast accelerator would have A*s/(A - s).",
        given=("o + L0 + L1 > 0", "s < A"),
        asserts=(
            "iff(speedup == s, speedup_infinite == A*s/(A - s))",
            "iff(speedup > s, speedup_infinite > A*s/(A - s))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-index",
        source=_SOURCE,
        statement="Acceleration and target enter only through the effective index "
        "C*(1/s - 1/A): the speedup is s where the trinomial vanishes.",
        given=("s < A",),
        asserts=(
            "effective_index == C*(1/s - 1/A)",
            "trinomial == effective_index*g**beta - (o + L0 + L1*g)",
            "iff(speedup == s, trinomial == 0)",
            "iff(speedup > s, trinomial > 0)",
        ),
    ),
    Claim(
        id="ext-target-equivalence-pairs",
        source=_SOURCE,
        statement="Two pairs of acceleration and target have the same least granularity if, and "
        "only if, the differences of their reciprocals agree; a larger difference is reached "
        "earlier.",
        given=("exists(g_s)", "exists(g_s(A=r, s=q))"),
        asserts=(
            "implies(1/s - 1/A == 1/q - 1/r, g_s == g_s(A=r, s=q))",
            "implies(1/s - 1/A > 1/q - 1/r, g_s < g_s(A=r, s=q))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-upper",
        source=_SOURCE,
        statement="So do the greatest granularities, where there are two.",
        given=("latency == linear", "exists(g_s_upper)", "exists(g_s_upper(A=r, s=q))"),
        asserts=(
            "implies(1/s - 1/A == 1/q - 1/r, g_s_upper == g_s_upper(A=r, s=q))",
            "implies(1/s - 1/A > 1/q - 1/r, g_s_upper > g_s_upper(A=r, s=q))",
        ),
    ),
    Claim(
        id="ext-target-equivalence-half",
        source=_SOURCE,
        statement="Half the acceleration, and the acceleration for an infinitely fast "
        "accelerator, are reached at the same granularity.",
        given=("exists(gA2)",),
        asserts=("gA2 == gA", "speedup(g=gA2) == A/2", "speedup_infinite(g=gA) == A"),
    ),
    Claim(
        id="ext-target-equivalence-break-even",
        source=_SOURCE,
        statement="Under constant latency (A - 1)**(1/beta) times break-even is gA2.",
        given=("latency == constant", "o + L > 0", "A > 1"),
        asserts=("(A - 1)**(1/beta)*g1 == gA2",),
    ),
)

_MONOTONE = (
    Claim(
        id="ext-monotone-acceleration",
        source=_SOURCE,
        statement="The speedup grows with the acceleration and with the computational index.",
        given=("o + L0 + L1 > 0",),
        asserts=("diff(speedup, C) > 0", "diff(speedup, A) > 0"),
    ),
    Claim(
        id="ext-monotone-overhead",
        source=_SOURCE,
        statement="It falls with the overhead and with both parts of the latency.",
        asserts=("diff(speedup, o) < 0", "diff(speedup, L0) < 0", "diff(speedup, L1) < 0"),
    ),
    Claim(
        id="ext-monotone-exponent",
        source=_SOURCE,
        statement="It grows with the exponent for granularities above one byte, falls below: "
        "the sign depends on the unit of granularity.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "iff(diff(speedup, beta) > 0, g > 1)",
            "iff(diff(speedup, beta) == 0, g == 1)",
        ),
    ),
    Claim(
        id="ext-affine-latency",
        source=_SOURCE,
        statement="One affine latency L0 + L1*g covers both forms: what an offload pays once "
        "counts as overhead.",
        asserts=(
            "speedup == speedup(o=o + L0, L0=0)",
            "speedup(L1=0) == C*g**beta/(o + L0 + C*g**beta/A)",
            "speedup(L0=0) == C*g**beta/(o + L1*g + C*g**beta/A)",
        ),
    ),
    Claim(
        id="ext-affine-latency-roots",
        source=_SOURCE,
        statement="So the granularities for a target follow from those under linear latency.",
        given=("latency == affine", "exists(g_s)"),
        asserts=("g_s == g_s(o=o + L0, L0=0)", "speedup(g=g_s) == s"),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_TARGETS, *_MONOTONE)
