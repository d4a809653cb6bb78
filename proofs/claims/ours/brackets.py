"""Theorems of ours: between which numbers a granularity lies; how much may be spent at most."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, existence"

_BRACKETS = (
    Claim(
        id="ext-brackets-lower",
        source=_SOURCE,
        statement="For beta < 1 the lower granularity lies between u = ((o + L0)/a_s)**(1/beta) "
        "and u*(1 - beta)**(-1/beta).",
        given=("beta < 1", "L1 > 0", "exists(g_s)"),
        asserts=(
            "lower_root_floor < g_s <= lower_root_ceiling",
            "lower_root_floor == ((o + L0)/effective_index)**(1/beta)",
            "lower_root_ceiling == ((o + L0)/((1 - beta)*effective_index))**(1/beta)",
            "iff(g_s == lower_root_ceiling, g_s == g_peak)",
        ),
    ),
    Claim(
        id="ext-brackets-upper",
        source=_SOURCE,
        statement="And the upper one between v*beta**(1/(1 - beta)) and v = "
        "(a_s/L1)**(1/(1 - beta)).",
        given=("o + L0 > 0", "exists(g_s_upper)"),
        asserts=(
            "upper_root_floor <= g_s_upper < upper_root_ceiling",
            "upper_root_floor == (beta*effective_index/L1)**(1/(1 - beta))",
            "upper_root_ceiling == (effective_index/L1)**(1/(1 - beta))",
            "iff(g_s_upper == upper_root_floor, g_s_upper == g_peak)",
        ),
    ),
    Claim(
        id="ext-brackets-parts",
        source=_SOURCE,
        statement="The two numbers u and v are the granularities for which overhead alone, or "
        "latency alone, costs all that the target allows.",
        given=("s < A", "L1 > 0", "beta != 1"),
        asserts=(
            "overhead_root == ((o + L0)/effective_index)**(1/beta)",
            "latency_root == (L1/effective_index)**(1/(beta - 1))",
            "effective_index*overhead_root**beta == o + L0",
            "effective_index*latency_root**beta == L1*latency_root",
        ),
    ),
    Claim(
        id="ext-brackets-superlinear",
        source=_SOURCE,
        statement="For beta > 1 the granularity lies between the larger of u and v and the "
        "larger of 2**(1/beta)*u and 2**(1/(beta - 1))*v.",
        given=("beta > 1", "L1 > 0", "o + L0 > 0", "s < A"),
        asserts=(
            "root_floor < g_s <= root_ceiling",
            "root_floor == max(overhead_root, latency_root)",
            "root_ceiling == max(2**(1/beta)*overhead_root, 2**(1/(beta - 1))*latency_root)",
        ),
    ),
)

_BUDGETS = (
    Claim(
        id="ext-budgets-overhead",
        source=_SOURCE,
        statement="For beta < 1 the target is reached if, and only if, overhead and latency per "
        "offload stay within (1 - beta)*(a_s*(beta/L1)**beta)**(1/(1 - beta)).",
        given=("s < A", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "overhead_budget == (1 - beta)*(effective_index*(beta/L1)**beta)**(1/(1 - beta))",
            "iff(o + L0 <= overhead_budget, exists(g_s))",
            "iff(o + L0 == overhead_budget, effective_index == index_threshold)",
        ),
        touch=("(o + L0)/(1 - beta)",),
    ),
    Claim(
        id="ext-budgets-latency",
        source=_SOURCE,
        statement="If, and only if, the latency per byte stays within "
        "beta*(a_s*((1 - beta)/(o + L0))**(1 - beta))**(1/beta).",
        given=("s < A", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "latency_budget == beta*(effective_index*((1 - beta)/(o + L0))**(1 - beta))**(1/beta)",
            "iff(L1 <= latency_budget, exists(g_s))",
            "iff(L1 == latency_budget, effective_index == index_threshold)",
        ),
        touch=("L1/beta",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_BRACKETS, *_BUDGETS)
