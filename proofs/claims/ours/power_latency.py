"""Theorems of ours: a latency that grows with a power of the granularity."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, latency as a power"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-power-latency-model",
        source=_SOURCE,
        statement="A latency L*g**n is linear latency in the granularity g**n, with the exponent "
        "beta/n.",
        given=("latency == linear",),
        asserts=("speedup(g=g**n, beta=beta/n) == C*g**beta/(o + L*g**n + C*g**beta/A)",),
    ),
    Claim(
        id="ext-power-latency-peak",
        source=_SOURCE,
        statement="Its speedup rises where (n - beta)*L*g**n < beta*o: with an overhead and a "
        "latency it has a peak inside exactly if beta < n.",
        given=("o > 0", "L > 0"),
        asserts=(
            "iff(diff(C*g**beta/(o + L*g**n + C*g**beta/A), g) > 0, (n - beta)*L*g**n < beta*o)",
            "iff(exists((beta*o/((n - beta)*L))**(1/n)), beta < n)",
        ),
        argument="The peak is at (beta*o/((n - beta)*L))**(1/n).",
    ),
)
