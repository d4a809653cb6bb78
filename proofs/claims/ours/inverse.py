"""Theorems of ours: what one parameter must be for a target at a given granularity."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, inverse design"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-inverse-acceleration",
        source=_SOURCE,
        statement="The target is reached at a granularity exactly from the acceleration A_for on.",
        given=("exists(A_for)", "latency == affine"),
        asserts=("A_for > 0", "speedup(A=A_for) == s", "iff(speedup >= s, A >= A_for)"),
    ),
    Claim(
        id="ext-inverse-acceleration-ceilings",
        source=_SOURCE,
        statement="Its reciprocal is the difference of the reciprocals of the target and the "
        "speedup of an infinitely fast accelerator.",
        given=("exists(A_for)", "o + L0 + L1 > 0"),
        asserts=("1/A_for == 1/s - 1/speedup_infinite", "speedup_infinite > s"),
    ),
    Claim(
        id="ext-inverse-acceleration-none",
        source=_SOURCE,
        statement="If overhead and latency alone take the time that the target allows, no "
        "acceleration reaches it.",
        given=("s*(o + L0 + L1*g) >= T0",),
        asserts=("speedup < s", "not exists(A_for)"),
    ),
    Claim(
        id="ext-inverse-index",
        source=_SOURCE,
        statement="A target below the acceleration is reached at a granularity exactly from the "
        "computational index C_for on.",
        given=("s < A", "o + L0 + L1 > 0"),
        asserts=("C_for > 0", "speedup(C=C_for) == s", "iff(speedup >= s, C >= C_for)"),
    ),
    Claim(
        id="ext-inverse-overhead",
        source=_SOURCE,
        statement="The target is reached at a granularity exactly up to the overhead o_for.",
        given=("exists(o_for)", "latency == affine"),
        asserts=("o_for >= 0", "speedup(o=o_for) == s", "iff(speedup >= s, o <= o_for)"),
    ),
    Claim(
        id="ext-inverse-latency-once",
        source=_SOURCE,
        statement="The target is reached at a granularity exactly up to the latency per offload "
        "L0_for.",
        given=("exists(L0_for)",),
        asserts=("L0_for >= 0", "speedup(L0=L0_for) == s", "iff(speedup >= s, L0 <= L0_for)"),
    ),
    Claim(
        id="ext-inverse-latency-per-byte",
        source=_SOURCE,
        statement="The target is reached at a granularity exactly up to the latency per byte "
        "L1_for.",
        given=("exists(L1_for)",),
        asserts=("L1_for >= 0", "speedup(L1=L1_for) == s", "iff(speedup >= s, L1 <= L1_for)"),
    ),
    Claim(
        id="ext-inverse-latency-papers",
        source=_SOURCE,
        statement="In the forms of the papers the largest latency is a_s*g**beta - o, constant, "
        "and that over the granularity, linear.",
        given=("s < A",),
        asserts=(
            "implies(latency == constant, iff(speedup >= s, L <= effective_index*g**beta - o))",
            "implies(latency == linear, iff(speedup >= s, L*g <= effective_index*g**beta - o))",
        ),
    ),
    Claim(
        id="ext-inverse-none",
        source=_SOURCE,
        statement="If the other part alone takes what the target allows, neither overhead nor "
        "latency can be small enough.",
        given=("s < A", "latency == affine"),
        asserts=(
            "implies(effective_index*g**beta < L0 + L1*g, speedup < s and not exists(o_for))",
            "implies(effective_index*g**beta < o + L1*g, speedup < s and not exists(L0_for))",
            "implies(effective_index*g**beta < o + L0, speedup < s and not exists(L1_for))",
        ),
    ),
    Claim(
        id="ext-inverse-exponent",
        source=_SOURCE,
        statement="The target is reached at a granularity exactly for the exponent beta_for.",
        given=("exists(beta_for)", "latency == affine"),
        asserts=(
            "beta_for > 0",
            "beta_for*log(g) == log((o + L0 + L1*g)/effective_index)",
            "iff(speedup == s, beta == beta_for)",
        ),
    ),
)
