"""Theorems of ours: what timings can tell: the two forms of latency, parameters in a fit."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, targets"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-i-vs-d",
        source=_SOURCE,
        statement="With the same number for L the two forms agree at one byte; above, the "
        "speedup is lower with a latency per byte, below it is higher.",
        asserts=(
            "iff(speedup(L0=0, L1=r) < speedup(L0=r, L1=0), g > 1)",
            "iff(speedup(L0=0, L1=r) == speedup(L0=r, L1=0), g == 1)",
        ),
    ),
    Claim(
        id="ext-identifiability",
        source=_SOURCE,
        statement="For a fixed exponent the reciprocal of the speedup is linear in 1/A, o/C and "
        "L/C; only these ratios enter.",
        asserts=(
            "1/speedup == 1/A + (o/C + L0/C)*g**-beta + L1/C*g**(1 - beta)",
            "speedup(o=r*o, L0=r*L0, L1=r*L1, C=r*C) == speedup",
        ),
    ),
    Claim(
        id="ext-identifiability-constant",
        source=_SOURCE,
        statement="Under constant latency two speedups determine A and (o + L)/C, and no more "
        "can be learnt.",
        given=(
            "latency == constant",
            "x != y",
            "speedup(g=x) == speedup(g=x, o=m, L=n, C=q, A=r)",
            "speedup(g=y) == speedup(g=y, o=m, L=n, C=q, A=r)",
        ),
        asserts=(
            "A == r",
            "(o + L)/C == (m + n)/q",
            "speedup == speedup(o=m, L=n, C=q, A=r)",
        ),
    ),
    Claim(
        id="ext-identifiability-linear-kernel",
        source=_SOURCE,
        statement="Under linear latency and for a linear kernel speedups tell of no more than o/C "
        "and 1/A + L/C.",
        given=("latency == linear", "beta == 1", "1/A + L/C == 1/r + m/C"),
        asserts=("1/speedup == 1/A + L/C + (o/C)/g", "speedup == speedup(A=r, L=m)"),
    ),
    Claim(
        id="ext-posynomial",
        source=_SOURCE,
        statement="For a fixed exponent the reciprocal of the speedup is a posynomial in o, L, "
        "1/C, 1/A and the granularity.",
        asserts=(
            "1/speedup == A**-1 + o*C**-1*g**-beta + L0*C**-1*g**-beta + L1*C**-1*g**(1 - beta)",
        ),
        argument="Design problems that minimise it under monomial constraints are geometric "
        "programs, convex in the logarithms.",
    ),
    Claim(
        id="ext-posynomial-convex",
        source=_SOURCE,
        statement="Half-way, on logarithmic scales, between two designs at two granularities the "
        "speedup is at least the geometric mean.",
        asserts=(
            "speedup(o=o*m, L=L*n, C=C*q, A=A*r, g=g*rho)**2 >= "
            "speedup*speedup(o=o*m**2, L=L*n**2, C=C*q**2, A=A*r**2, g=g*rho**2)",
        ),
        argument="Any two designs can be written like this. Constant latency adds to the "
        "overhead. A continuous function with this property is concave.",
    ),
)
