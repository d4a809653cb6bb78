"""Theorems of ours: energy, whole applications, and a latency that is a power of granularity."""

from logca.proofs.claim import Claim

__all__ = ["CLAIMS"]

_ENERGY_SOURCE = "logca2026, energy"
_APPLICATION_SOURCE = "logca2026, whole applications"
_POWER_SOURCE = "logca2026, latency as a power"
_SCALED = (
    "o=o*p_overhead/p_host, L0=L0*p_link/p_host, L1=L1*p_link/p_host, A=A*p_host/p_accelerator"
)

_ENERGY = (
    Claim(
        id="ext-energy-parts",
        source=_ENERGY_SOURCE,
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
        source=_ENERGY_SOURCE,
        statement="The energy gain is the speedup of the same model with overhead, latencies and "
        "acceleration scaled by powers.",
        asserts=(
            "energy_gain == energy_host/energy_accelerated",
            f"energy_gain == speedup({_SCALED})",
        ),
    ),
    Claim(
        id="ext-energy-ceiling",
        source=_ENERGY_SOURCE,
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
        source=_ENERGY_SOURCE,
        statement="Offloading saves energy from the break-even of the scaled model on.",
        given=("exists(g1_energy)", "latency == affine"),
        asserts=("energy_gain(g=g1_energy) == 1", f"g1_energy == g1({_SCALED})"),
    ),
    Claim(
        id="ext-energy-break-even-from",
        source=_ENERGY_SOURCE,
        statement="For at least linear complexity exactly from there on.",
        given=("exists(g1_energy)", "beta >= 1", "latency == affine"),
        asserts=("iff(energy_gain >= 1, g >= g1_energy)",),
    ),
    Claim(
        id="ext-energy-none",
        source=_ENERGY_SOURCE,
        statement="An accelerator that takes as much energy per computation as the host never "
        "saves any.",
        given=("A*p_host <= p_accelerator", "latency == affine"),
        asserts=("energy_gain <= 1", "not exists(g1_energy)"),
    ),
    Claim(
        id="ext-energy-power",
        source=_ENERGY_SOURCE,
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
        source=_ENERGY_SOURCE,
        statement="The gain in energy times time is the product of energy gain and speedup.",
        given=("latency == affine",),
        asserts=(
            "edp_gain == energy_gain*speedup",
            "edp_gain == energy_host*T0/(energy_accelerated*T1)",
        ),
    ),
)

_APPLICATION = (
    Claim(
        id="ext-amdahl-closure-law",
        source=_APPLICATION_SOURCE,
        statement="A kernel with the fraction f of the host time speeds the application up by "
        "Amdahl's law.",
        given=("f <= 1", "latency == affine"),
        asserts=(
            "speedup_application == 1/(1 - f + f/speedup)",
            "speedup_application(f=1) == speedup",
            "speedup_application == (T0/f)/(T0/f - T0 + T1)",
        ),
    ),
    Claim(
        id="ext-amdahl-closure-model",
        source=_APPLICATION_SOURCE,
        statement="That is the same model with the acceleration 1/((1 - f) + f/A) and the "
        "computational index C/f.",
        given=("f <= 1", "latency == affine"),
        asserts=(
            "application_ceiling == 1/((1 - f) + f/A)",
            "speedup_application == speedup(A=application_ceiling, C=C/f)",
            "speedup_application <= application_ceiling",
        ),
    ),
    Claim(
        id="ext-amdahl-closure-break-even",
        source=_APPLICATION_SOURCE,
        statement="The break-even granularity of the application is that of its kernel.",
        given=("exists(g1)", "f <= 1"),
        asserts=("g1_application == g1", "speedup_application(g=g1) == 1"),
    ),
    Claim(
        id="ext-amdahl-closure-same-side",
        source=_APPLICATION_SOURCE,
        statement="The application gains exactly where its kernel does.",
        given=("f <= 1", "latency == affine"),
        asserts=("iff(speedup_application >= 1, speedup >= 1)",),
    ),
    Claim(
        id="ext-amdahl-closure-target",
        source=_APPLICATION_SOURCE,
        statement="A target for the application is reached at the granularity of the scaled model.",
        given=("exists(g_s_application)", "latency == affine"),
        asserts=(
            "speedup_application(g=g_s_application) == s",
            "g_s_application == g_s(A=application_ceiling, C=C/f)",
        ),
    ),
)

_POWER = (
    Claim(
        id="ext-power-latency-model",
        source=_POWER_SOURCE,
        statement="A latency L*g**n is linear latency in the granularity g**n, with the exponent "
        "beta/n.",
        given=("latency == linear",),
        asserts=("speedup(g=g**n, beta=beta/n) == C*g**beta/(o + L*g**n + C*g**beta/A)",),
    ),
    Claim(
        id="ext-power-latency-peak",
        source=_POWER_SOURCE,
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

CLAIMS: tuple[Claim, ...] = (*_ENERGY, *_APPLICATION, *_POWER)
