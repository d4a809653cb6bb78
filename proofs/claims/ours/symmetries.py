"""Theorems of ours: the duality of the roots, and what a change of units changes."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, roots"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-duality",
        source=_SOURCE,
        statement="Exchanging overhead and latency per byte, g and 1/g, beta and 1 - beta leaves "
        "the speedup as it is.",
        given=("beta < 1",),
        asserts=(
            "speedup(g=1/g, o=L1, L0=0, L1=o + L0, beta=1 - beta) == speedup",
            "speedup_reflected == speedup",
        ),
    ),
    Claim(
        id="ext-duality-roots",
        source=_SOURCE,
        statement="So the upper granularity is the reciprocal of the lower one of the reflected "
        "model.",
        given=("exists(g_s_upper)",),
        asserts=("g_s_upper*g_s(o=L1, L0=0, L1=o + L0, beta=1 - beta) == 1",),
    ),
    Claim(
        id="ext-units",
        source=_SOURCE,
        statement="A new unit of granularity leaves the speedup as it is, if C and the latency "
        "per byte are converted with it.",
        asserts=(
            "speedup(g=g/scale, C=C*scale**beta, L1=L1*scale) == speedup",
            "speedup_rescaled == speedup",
        ),
    ),
    Claim(
        id="ext-units-roots",
        source=_SOURCE,
        statement="Granularities convert like granularities.",
        given=("exists(g_s)",),
        asserts=("scale*g_s(C=C*scale**beta, L1=L1*scale) == g_s",),
        touch=("scale*g_s(C=C*scale**beta, L1=L1*scale)",),
    ),
    Claim(
        id="ext-units-invariant",
        source=_SOURCE,
        statement="The number C/((o + L0)**(1 - beta)*L1**beta) does not depend on the unit.",
        given=("o + L0 > 0", "L1 > 0"),
        asserts=(
            "omega_invariant == C/((o + L0)**(1 - beta)*L1**beta)",
            "omega_invariant(C=C*scale**beta, L1=L1*scale) == omega_invariant",
            "speedup_infinite(g=x*(o + L0)/L1) == omega_invariant*x**beta/(1 + x)",
        ),
    ),
    Claim(
        id="ext-units-intensity",
        source=_SOURCE,
        statement="The computational intensity C/L1 does, except for linear kernels.",
        given=("L1 > 0", "scale != 1", "beta != 1"),
        asserts=(
            "computational_intensity(C=C*scale**beta, L1=L1*scale) != computational_intensity",
        ),
    ),
    Claim(
        id="ext-units-newton",
        source=_SOURCE,
        statement="Eq. 11 depends on the unit too: for radix sort on the APU it gives 1.83 MB "
        "computed in bytes, 2.87 MB computed in KiB; break-even is at 4.77 MB.",
        given=(
            "latency == linear",
            "o == 4e8",
            "L == 15",
            "C == 290",
            "A == 7",
            "beta == 0.94",
        ),
        asserts=(
            "1.829e6 < g1_newton < 1.83e6",
            "2.873e6 < 1024*g1_newton(C=C*1024**beta, L=L*1024) < 2.875e6",
            "4.773e6 < g1 < 4.775e6",
        ),
        argument="Parameters of Table 5, the exponent of Table 4.",
    ),
    Claim(
        id="ext-units-newton-unit-free",
        source=_SOURCE,
        statement="The step from the granularity without latency per byte does not.",
        given=("o + L0 > 0", "beta*(o + L0) > L1*overhead_root"),
        asserts=("scale*newton_unit_free(C=C*scale**beta, L1=L1*scale) == newton_unit_free",),
    ),
)
