"""Theorems of ours: chunks, several accelerators, co-execution, energy, whole applications."""

from logca.proofs.claims.claim import Claim

__all__ = [
    "CLAIMS",
]

_CHUNK_SOURCE = "logca2026, chunking"
_SEVERAL_SOURCE = "logca2026, several accelerators"
_COEXEC_SOURCE = "logca2026, co-execution"
_LINEAR = ("beta == 1", "o + L0 > 0")

_CHUNK = (
    Claim(
        id="ext-chunk-model",
        source=_CHUNK_SOURCE,
        statement="A stream in n chunks takes one chunk through both stages and n - 1 turns of "
        "the longer stage; one chunk is the plain offload.",
        given=("beta == 1", "n >= 1"),
        asserts=(
            "chunked_time == o + L0 + (L1 + C/A)*N/n + (n - 1)*max(o + L0 + L1*N/n, C*N/(A*n))",
            "chunked_time(n=1) == T1(g=N)",
        ),
    ),
    Claim(
        id="ext-chunk-convex",
        source=_CHUNK_SOURCE,
        statement="The time is convex in the number of chunks: the larger of two convex functions.",
        given=("beta == 1", "n >= 1"),
        asserts=(
            "chunked_time == max(n*(o + L0) + L1*N + C*N/(A*n), o + L0 + L1*N/n + C*N/A)",
            "diff(n*(o + L0) + L1*N + C*N/(A*n), n, 2) > 0",
            "diff(o + L0 + L1*N/n + C*N/A, n, 2) >= 0",
        ),
        argument="A maximum of convex functions is convex. So the best integer is next to the "
        "best real number: its floor or its ceiling.",
    ),
    Claim(
        id="ext-chunk-optimum",
        source=_CHUNK_SOURCE,
        statement="No number of chunks takes less time than chunks_optimal.",
        given=(*_LINEAR, "n >= 1"),
        asserts=(
            "chunked_time(n=chunks_optimal) == chunked_time_optimal",
            "chunked_time >= chunked_time_optimal",
        ),
    ),
    Claim(
        id="ext-chunk-optimum-choice",
        source=_CHUNK_SOURCE,
        statement="It is the largest of one, the number that balances the stages, and the number "
        "at which the pipeline filled by host and link takes least time.",
        given=_LINEAR,
        asserts=(
            "chunks_optimal == max(1, max((C/A - L1)*N/(o + L0), sqrt(C*N/(A*(o + L0)))))",
            "chunks_stationary**2 == C*N/(A*(o + L0))",
            "chunks_optimal >= chunks_stationary",
        ),
    ),
    Claim(
        id="ext-chunk-balanced",
        source=_CHUNK_SOURCE,
        statement="The balanced number of chunks makes both stages equally long.",
        given=("exists(chunks_balanced)",),
        asserts=(
            "o + L0 + L1*N/chunks_balanced == C*N/(A*chunks_balanced)",
            "chunks_optimal >= chunks_balanced",
        ),
    ),
    Claim(
        id="ext-chunk-value-stationary",
        source=_CHUNK_SOURCE,
        statement="Where host and link are the longer stage the least time is "
        "L1*N + 2*sqrt((o + L0)*C*N/A).",
        given=("exists(chunked_time_stationary)",),
        asserts=(
            "chunks_optimal == chunks_stationary",
            "chunked_time_optimal == chunked_time_stationary",
            "chunked_time_stationary == L1*N + 2*sqrt((o + L0)*C*N/A)",
        ),
    ),
    Claim(
        id="ext-chunk-value-balanced",
        source=_CHUNK_SOURCE,
        statement="Where the stages balance it is the computation of the stream, plus "
        "C*(o + L0)/(C - A*L1).",
        given=("exists(chunked_time_balanced)",),
        asserts=(
            "chunks_optimal == chunks_balanced",
            "chunked_time_optimal == chunked_time_balanced",
            "chunked_time_balanced == C*N/A + C*(o + L0)/(C - A*L1)",
        ),
    ),
    Claim(
        id="ext-chunk-one",
        source=_CHUNK_SOURCE,
        statement="A stream whose computation is shorter than what an offload pays once is sent "
        "whole.",
        given=("beta == 1", "C*N <= A*(o + L0)"),
        asserts=("chunks_optimal == 1", "chunked_time_optimal == T1(g=N)"),
    ),
    Claim(
        id="ext-chunk-size",
        source=_CHUNK_SOURCE,
        statement="Where the stages balance the chunk is half-peak, whatever the stream.",
        given=("exists(chunk_size_optimal)",),
        asserts=(
            "chunk_size_optimal == gA2",
            "chunk_size_optimal == A*(o + L0)/(C - A*L1)",
            "chunk_size_optimal == N/chunks_balanced",
        ),
    ),
)

_SEVERAL = (
    Claim(
        id="ext-multi-saturation-speedup",
        source=_SEVERAL_SOURCE,
        statement="A host that deals a stream out to n accelerators reaches the smaller of n "
        "times the acceleration and the speedup of an infinitely fast one.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "speedup_several == min(n*A, speedup_infinite)",
            "speedup_several == T0/max(T1 - T0/A, T0/(n*A))",
            "speedup_several(n=1) == speedup_pipelined",
        ),
    ),
    Claim(
        id="ext-multi-saturation-number",
        source=_SEVERAL_SOURCE,
        statement="The host is saturated exactly from S/(A - S) accelerators on.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "accelerators_saturating == speedup_infinite/A",
            "accelerators_saturating == speedup/(A - speedup)",
            "iff(speedup_several == speedup_infinite, n >= accelerators_saturating)",
        ),
    ),
    Claim(
        id="ext-multi-forkjoin-model",
        source=_SEVERAL_SOURCE,
        statement="An offload cut into n parts pays n times what an offload pays once and "
        "computes on one part; dispatched once, it is the plain model with the acceleration "
        "n**beta*A.",
        given=("latency == affine",),
        asserts=(
            "forkjoin_time == n*(o + L0) + L1*g + T0(g=g/n)/A",
            "forkjoin_time(n=1) == T1",
            "T1(A=n**beta*A) == o + L0 + L1*g + T0(g=g/n)/A",
        ),
    ),
    Claim(
        id="ext-multi-forkjoin-optimum",
        source=_SEVERAL_SOURCE,
        statement="No number of parts takes less time than forkjoin_optimal.",
        given=("o + L0 > 0",),
        asserts=(
            "forkjoin_time(n=forkjoin_optimal) == forkjoin_time_optimal",
            "forkjoin_time >= forkjoin_time_optimal",
            "iff(forkjoin_time == forkjoin_time_optimal, n == forkjoin_optimal)",
            "forkjoin_optimal**(1 + beta) == beta*T0/(A*(o + L0))",
        ),
    ),
    Claim(
        id="ext-multi-forkjoin-value",
        source=_SEVERAL_SOURCE,
        statement="For linear complexity the least time is L1*g + 2*sqrt((o + L0)*C*g/A).",
        given=_LINEAR,
        asserts=(
            "forkjoin_time_optimal == L1*g + 2*sqrt((o + L0)*C*g/A)",
            "forkjoin_optimal == sqrt(C*g/(A*(o + L0)))",
        ),
    ),
)

_SPLIT = ("beta == 1", "C*g >= L0")

_COEXEC = (
    Claim(
        id="ext-coexec-rate",
        source=_COEXEC_SOURCE,
        statement="While the host computes a byte, link and accelerator finish "
        "A*C/(A*L1 + C) bytes.",
        given=("beta == 1",),
        asserts=(
            "coexecution_rate == A*C/(A*L1 + C)",
            "coexecution_rate == speedup(o=0, L0=0)",
        ),
    ),
    Claim(
        id="ext-coexec-together",
        source=_COEXEC_SOURCE,
        statement="With the part coexecution_share sent, host and accelerator finish together.",
        given=_SPLIT,
        asserts=(
            "0 <= coexecution_share <= 1",
            "(1 - coexecution_share)*C*g == L0 + (L1 + C/A)*coexecution_share*g",
            "coexecuted_time == o + (1 - coexecution_share)*C*g",
        ),
    ),
    Claim(
        id="ext-coexec-best",
        source=_COEXEC_SOURCE,
        statement="No other part does better.",
        given=_SPLIT,
        asserts=("max((1 - f)*C*g, L0 + (L1 + C/A)*f*g) >= coexecuted_time - o",),
    ),
    Claim(
        id="ext-coexec-speedup",
        source=_COEXEC_SOURCE,
        statement="Without latency per offload the reciprocal of the speedup is "
        "1/(1 + sigma) + o/(C*g).",
        given=("beta == 1", "L0 == 0"),
        asserts=(
            "1/speedup_coexecuted == 1/(1 + coexecution_rate) + o/(C*g)",
            "speedup_coexecuted == T0/coexecuted_time",
        ),
    ),
    Claim(
        id="ext-coexec-speedup-once",
        source=_COEXEC_SOURCE,
        statement="Latency per offload adds its own share; co-execution never costs speedup.",
        given=_SPLIT,
        asserts=(
            "1/speedup_coexecuted == (1 + coexecution_rate*L0/(C*g))/(1 + coexecution_rate)"
            " + o/(C*g)",
            "speedup_coexecuted >= speedup",
        ),
    ),
    Claim(
        id="ext-coexec-break-even",
        source=_COEXEC_SOURCE,
        statement="Break-even exists for every latency and acceleration, even below one.",
        given=(*_SPLIT, "o + L0 > 0"),
        asserts=(
            "speedup_coexecuted(g=g1_coexecuted) == 1",
            "iff(speedup_coexecuted >= 1, g >= g1_coexecuted)",
            "C*g1_coexecuted == o*(1 + 1/coexecution_rate) + L0",
        ),
    ),
    Claim(
        id="ext-coexec-overlap",
        source=_COEXEC_SOURCE,
        statement="If the overhead does not keep the host from computing, sharing the data so "
        "that both finish together gains exactly the factor 1 + 1/sigma.",
        given=("beta == 1", "(1 - f)*C*g == o + L0 + (L1 + C/A)*f*g"),
        asserts=(
            "speedup_coexecuted_async == T0/((1 - f)*C*g)",
            "speedup_coexecuted_async == coexecution_gain*speedup",
            "coexecution_gain == 1 + 1/coexecution_rate",
        ),
    ),
    Claim(
        id="ext-divisible-two",
        source="logca2026, co-execution",
        statement="Two units of relative speeds r and q that start after the times o and x and "
        "finish together at y reach (r + q)/(1 + (r*o + q*x)/(C*g)), for linear complexity.",
        given=("r*(y - o) + q*(y - x) == C*g", "latency == affine"),
        asserts=("C*g/y == (r + q)/(1 + (r*o + q*x)/(C*g))",),
    ),
)


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

CLAIMS: tuple[Claim, ...] = (*_CHUNK, *_SEVERAL, *_COEXEC, *_ENERGY, *_APPLICATION, *_POWER)
