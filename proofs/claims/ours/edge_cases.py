"""Theorems of ours: no overhead, no latency, no acceleration, and exponents towards 0 or 1."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, existence"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-edge-cases-no-overhead",
        source=_SOURCE,
        statement="Without overhead the target is reached exactly at v; from there on for "
        "beta > 1, up to there for beta < 1.",
        given=("o == 0", "L0 == 0", "L1 > 0", "s < A", "beta != 1"),
        asserts=(
            "iff(speedup == s, g == latency_root)",
            "iff(speedup > s, (g > latency_root and beta > 1) or (g < latency_root and beta < 1))",
            "iff(exists(g_s), beta > 1)",
            "iff(exists(g_s_upper), beta < 1)",
        ),
    ),
    Claim(
        id="ext-edge-cases-no-overhead-linear",
        source=_SOURCE,
        statement="Without overhead a linear kernel has the same speedup everywhere.",
        given=("o == 0", "L0 == 0", "beta == 1"),
        asserts=("speedup == A*C/(A*L1 + C)",),
    ),
    Claim(
        id="ext-edge-cases-nothing",
        source=_SOURCE,
        statement="Without overhead and latency the speedup is the acceleration; otherwise it "
        "stays below.",
        asserts=("iff(speedup == A, o + L0 + L1 == 0)", "speedup <= A"),
    ),
    Claim(
        id="ext-edge-cases-no-acceleration",
        source=_SOURCE,
        statement="An accelerator that is not faster than the host never breaks even.",
        given=("A <= 1", "o + L0 + L1 > 0"),
        asserts=("speedup < 1", "not exists(g1)"),
    ),
    Claim(
        id="ext-edge-cases-acceleration-to-one",
        source=_SOURCE,
        statement="As the acceleration falls to one, break-even moves beyond all bounds, and the "
        "condition for a linear kernel to break even becomes unattainable.",
        given=("L1 == 0", "o + L0 > 0"),
        asserts=(
            "g1(A=1 + r)**beta == (1 + 1/r)*(o + L0)/C",
            "limit(C/((1 + 1/r)*(o + L0)), r, 0) == 0",
            "limit(r/(1 + r), r, 0) == 0",
        ),
        argument="With r = A - 1, and the reciprocals of what grows; by "
        "ext-existence-linear-break-even the least C/L1 is A/(A - 1) = (1 + r)/r.",
    ),
    Claim(
        id="ext-edge-cases-acceleration-unbounded",
        source=_SOURCE,
        statement="As the acceleration grows the effective index tends to C/s.",
        given=("s < A",),
        asserts=("limit(effective_index, A, oo) == C/s",),
    ),
    Claim(
        id="ext-edge-cases-exponent-to-zero",
        source=_SOURCE,
        statement="For exponent zero, a host time that does not depend on granularity, the "
        "target is reached up to (a_s - o - L0)/L1, if that is positive.",
        given=("s < A",),
        asserts=("iff(C/(o + L0 + L1*g + C/A) >= s, L1*g <= effective_index - o - L0)",),
    ),
    Claim(
        id="ext-edge-cases-exponent-to-one",
        source=_SOURCE,
        statement="As the exponent rises to one the threshold tends to that of a linear kernel, "
        "a_s = L1.",
        given=("beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "log(index_threshold/L1) == (1 - beta)*log((o + L0)/L1) - beta*log(beta) "
            "- (1 - beta)*log(1 - beta)",
            "0 < -beta*log(beta) <= 1 - beta",
        ),
        argument="All three terms vanish as beta rises to one: the second by the assertion, the "
        "last by ext-edge-cases-exponent-to-one-bound.",
    ),
    Claim(
        id="ext-edge-cases-exponent-to-one-bound",
        source=_SOURCE,
        statement="The entropy of a vanishing share vanishes: with 1 - beta = r**2 it is at most "
        "2*r.",
        given=("r < 1",),
        asserts=("0 < -r**2*log(r**2) <= 2*r",),
    ),
)
