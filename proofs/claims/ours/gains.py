"""Theorems of ours: what improving a parameter gains, and the share of time that it takes."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, sensitivity"
_DEMAND = ("q > 1", "r > q")

_GAINS = (
    Claim(
        id="ext-amdahl-gain-overhead",
        source=_SOURCE,
        statement="An r-fold smaller overhead gains what Amdahl's law gives for its share.",
        given=("latency == affine",),
        asserts=(
            "gain_o == speedup(o=o/r)/speedup",
            "gain_o == 1/(1 - share_o + share_o/r)",
        ),
    ),
    Claim(
        id="ext-amdahl-gain-latency",
        source=_SOURCE,
        statement="An r-fold smaller latency gains what Amdahl's law gives for its share, in both "
        "forms of the papers.",
        asserts=("gain_L == speedup(L=L/r)/speedup", "gain_L == 1/(1 - share_L + share_L/r)"),
    ),
    Claim(
        id="ext-amdahl-gain-latency-affine",
        source=_SOURCE,
        statement="The same if both parts of an affine latency are r-fold smaller.",
        asserts=(
            "gain_L == speedup(L0=L0/r, L1=L1/r)/speedup",
            "gain_L == 1/(1 - share_L + share_L/r)",
        ),
    ),
    Claim(
        id="ext-amdahl-gain-acceleration",
        source=_SOURCE,
        statement="An r-fold larger acceleration gains what Amdahl's law gives for the share of "
        "the computation.",
        given=("latency == affine",),
        asserts=(
            "gain_A == speedup(A=r*A)/speedup",
            "gain_A == 1/(1 - share_C + share_C/r)",
        ),
    ),
    Claim(
        id="ext-amdahl-gain-index",
        source=_SOURCE,
        statement="An r-fold larger computational index gains what Amdahl's law gives for the "
        "share of overhead and latency together.",
        given=("latency == affine",),
        asserts=(
            "gain_C == speedup(C=r*C)/speedup",
            "gain_C == 1/(share_C + (1 - share_C)/r)",
            "gain_C == 1/(speedup/A + (1 - speedup/A)/r)",
        ),
    ),
    Claim(
        id="ext-amdahl-gain-bounds",
        source=_SOURCE,
        statement="No r-fold improvement gains more than r.",
        given=("r > 1", "latency == affine"),
        asserts=(
            "1 <= gain_o < r",
            "1 <= gain_L < r",
            "1 <= gain_C < r",
            "1 < gain_A <= r",
        ),
    ),
)

_THRESHOLDS = (
    Claim(
        id="ext-thresholds-theta",
        source=_SOURCE,
        statement="The least share for a gain q by an r-fold improvement is a share; for r = 10 "
        "and q = 1.2, as in the paper, it is 5/27.",
        given=_DEMAND,
        asserts=(
            "theta*(1 - 1/r) == 1 - 1/q",
            "0 < theta < 1",
            "cutoff_factor == (1 - theta)/theta",
            "theta(r=10, q=1.2) == 5/27",
            "cutoff_factor(r=10, q=1.2) == 22/5",
        ),
    ),
    Claim(
        id="ext-thresholds-overhead",
        source=_SOURCE,
        statement="An r-fold smaller overhead gains a factor of at least q if, and only if, its "
        "share is at least theta.",
        given=(*_DEMAND, "latency == affine"),
        asserts=("iff(gain_o >= q, share_o >= theta)",),
    ),
    Claim(
        id="ext-thresholds-latency",
        source=_SOURCE,
        statement="The same for the latency.",
        given=(*_DEMAND, "latency == affine"),
        asserts=("iff(gain_L >= q, share_L >= theta)",),
    ),
    Claim(
        id="ext-thresholds-acceleration",
        source=_SOURCE,
        statement="The same for the acceleration, with the share of the computation.",
        given=(*_DEMAND, "latency == affine"),
        asserts=("iff(gain_A >= q, share_C >= theta)",),
    ),
    Claim(
        id="ext-thresholds-index",
        source=_SOURCE,
        statement="An r-fold larger computational index does so if, and only if, the share of "
        "the computation is at most 1 - theta.",
        given=(*_DEMAND, "latency == affine"),
        asserts=("iff(gain_C >= q, share_C <= 1 - theta)",),
    ),
)

_BROKEN = "o=q*o, L=q*L, C=m*C, A=A*m/q"

_BREAKS = (
    Claim(
        id="ext-breaks-gains",
        source=_SOURCE,
        statement="Where the whole time of a path is as many times as long, as behind a break, "
        "improving a parameter gains as much as before: optimization regions do not depend on it.",
        asserts=(
            f"speedup({_BROKEN}) == speedup*m/q",
            *(f"gain_{name}({_BROKEN}) == gain_{name}" for name in "oLCA"),
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_GAINS, *_THRESHOLDS, *_BREAKS)
