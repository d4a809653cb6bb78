"""Theorems of ours: energy, power and energy-delay product of an offload."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, energy"
_SCALED = (
    "o=o*p_overhead/p_host, L0=L0*p_link/p_host, L1=L1*p_link/p_host, A=A*p_host/p_accelerator"
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-energy-parts",
        source=_SOURCE,
        statement="Each part of the time costs energy at its own power; the mean power is energy "
        "over time.",
        asserts=(
            "energy_host == p_host*T0",
            "energy_accelerated == T1*(p_overhead*share_o + p_link*(L0 + L1*g)/T1"
            " + p_accelerator*share_C)",
            "average_power_accelerated*T1 == energy_accelerated",
        ),
    ),
    Claim(
        id="ext-energy-model",
        source=_SOURCE,
        statement="The energy gain is the speedup of the same model with overhead, latencies and "
        "acceleration scaled by powers.",
        asserts=(
            "energy_gain == energy_host/energy_accelerated",
            f"energy_gain == speedup({_SCALED})",
        ),
    ),
    Claim(
        id="ext-energy-ceiling",
        source=_SOURCE,
        statement="It stays below the scaled acceleration unless there is neither overhead nor "
        "latency.",
        given=("latency == affine",),
        asserts=(
            "energy_ceiling == A*p_host/p_accelerator",
            "energy_gain <= energy_ceiling",
            "iff(energy_gain < energy_ceiling, o + L0 + L1 > 0)",
            "energy_ceiling == energy_gain(o=0, L0=0, L1=0)",
        ),
    ),
    Claim(
        id="ext-energy-break-even",
        source=_SOURCE,
        statement="At the break-even of the scaled model an offload takes as much energy as the "
        "host.",
        given=("exists(g1_energy)", "latency == affine"),
        asserts=("energy_gain(g=g1_energy) == 1", f"g1_energy == g1({_SCALED})"),
    ),
    Claim(
        id="ext-energy-break-even-from",
        source=_SOURCE,
        statement="For at least linear complexity exactly from there on.",
        given=("exists(g1_energy)", "beta >= 1", "latency == affine"),
        asserts=("iff(energy_gain >= 1, g >= g1_energy)",),
    ),
    Claim(
        id="ext-energy-none",
        source=_SOURCE,
        statement="An accelerator that takes as much energy per computation as the host never "
        "saves any.",
        given=("A*p_host <= p_accelerator", "latency == affine"),
        asserts=("energy_gain <= 1", "not exists(g1_energy)"),
    ),
    Claim(
        id="ext-energy-power",
        source=_SOURCE,
        statement="The energy gain is the speedup times host power over mean power, so it is at "
        "least the speedup exactly if the mean power is at most that of the host.",
        given=("latency == affine",),
        asserts=(
            "energy_gain == speedup*p_host/average_power_accelerated",
            "iff(energy_gain >= speedup, average_power_accelerated <= p_host)",
        ),
    ),
    Claim(
        id="ext-energy-delay",
        source=_SOURCE,
        statement="The gain in energy times time is the product of energy gain and speedup.",
        given=("latency == affine",),
        asserts=(
            "edp_gain == energy_gain*speedup",
            "edp_gain == energy_host*T0/(energy_accelerated*T1)",
        ),
    ),
)
