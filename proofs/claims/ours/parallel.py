"""Theorems of ours: several accelerators, a host that computes beside one, requests in flight."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SEVERAL_SOURCE = "logca2026, several accelerators"
_COEXEC_SOURCE = "logca2026, co-execution"
_FLIGHT_SOURCE = "logca2026, requests in flight"
_LINEAR = ("beta == 1", "o + L0 > 0")
_SPLIT = ("beta == 1", "C*g >= L0")

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

_COEXEC = (
    Claim(
        id="ext-coexec-rate",
        source=_COEXEC_SOURCE,
        statement="For linear complexity, while the host computes a byte, link and accelerator "
        "finish A*C/(A*L1 + C) bytes.",
        given=("beta == 1",),
        asserts=(
            "coexecution_rate == A*C/(A*L1 + C)",
            "coexecution_rate == speedup(o=0, L0=0)",
        ),
    ),
    Claim(
        id="ext-coexec-together",
        source=_COEXEC_SOURCE,
        statement="For linear complexity, with the part coexecution_share sent, host and "
        "accelerator finish together, if the host needs as long as the latency per offload at "
        "least.",
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
        statement="For linear complexity without latency per offload the reciprocal of the "
        "speedup is 1/(1 + sigma) + o/(C*g).",
        given=("beta == 1", "L0 == 0"),
        asserts=(
            "1/speedup_coexecuted == 1/(1 + coexecution_rate) + o/(C*g)",
            "speedup_coexecuted == T0/coexecuted_time",
        ),
    ),
    Claim(
        id="ext-coexec-speedup-once",
        source=_COEXEC_SOURCE,
        statement="Latency per offload adds its own share; co-execution never costs speedup where "
        "the host needs as long as that latency at least.",
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
        statement="For linear complexity break-even exists for every latency and acceleration, "
        "even below one.",
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
        statement="For linear complexity, if the overhead does not keep the host from computing, "
        "sharing the data so that both finish together gains exactly the factor 1 + 1/sigma.",
        given=("beta == 1", "(1 - f)*C*g == o + L0 + (L1 + C/A)*f*g"),
        asserts=(
            "speedup_coexecuted_async == T0/((1 - f)*C*g)",
            "speedup_coexecuted_async == coexecution_gain*speedup",
            "coexecution_gain == 1 + 1/coexecution_rate",
        ),
    ),
    Claim(
        id="ext-coexec-host-share",
        source=_COEXEC_SOURCE,
        statement="For linear complexity the host keeps what is not sent, from the break-even of "
        "co-execution on.",
        given=("beta == 1", "g > g1_coexecuted", "o + L0 > 0", "latency == affine"),
        asserts=(
            "host_share == 1 - coexecution_share",
            "speedup_shared == speedup_coexecuted",
        ),
    ),
    Claim(
        id="ext-coexec-host-share-best",
        source=_COEXEC_SOURCE,
        statement="For every complexity no other share of the work does better, nor do host or "
        "accelerator alone.",
        given=("latency == affine",),
        asserts=(
            "o + max((1 - f)*T0, L0 + (L1*g + T0/A)*f) >= T0/speedup_shared",
            "speedup_shared >= 1",
            "speedup_shared >= speedup",
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

_FLIGHT = (
    Claim(
        id="ext-flight-one",
        source=_FLIGHT_SOURCE,
        statement="With one request in flight the speedup is that of one offload.",
        given=(
            *("u_host >= 1", "u_link >= 1", "u_accelerator >= 1", "u_shared >= 1"),
            "latency == affine",
        ),
        asserts=("speedup_in_flight(n=1) == speedup",),
    ),
    Claim(
        id="ext-flight-saturation",
        source=_FLIGHT_SOURCE,
        statement="Requests in flight shorten the time between offloads n-fold up to the "
        "saturation, and no more beyond it.",
        given=("latency == affine",),
        asserts=(
            "iff(period_in_flight == T1/n, n <= saturation_in_flight)",
            "gain_in_flight == min(n, saturation_in_flight)",
        ),
    ),
    Claim(
        id="ext-flight-limit",
        source=_FLIGHT_SOURCE,
        statement="Once host and offloads are saturated the speedup is its limit.",
        given=("n >= u_host", "n >= saturation_in_flight", "latency == affine"),
        asserts=("speedup_in_flight == speedup_saturated",),
    ),
    Claim(
        id="ext-flight-several",
        source=_FLIGHT_SOURCE,
        statement="With one request at a time on host and link, and what all stages share not "
        "short, that limit is the speedup of several accelerators, and of a pipeline if there is "
        "one.",
        given=("o + L0 + L1 > 0", "u_shared >= n + 1", "latency == affine"),
        asserts=(
            "speedup_saturated(u_host=1, u_link=1, u_accelerator=n) == speedup_several",
            "speedup_saturated(u_host=1, u_link=1, u_accelerator=1, u_shared=2) "
            "== speedup_pipelined",
        ),
    ),
    Claim(
        id="ext-flight-shared",
        source=_FLIGHT_SOURCE,
        statement="If host and offloads have the same cores, and nothing else is short, more "
        "requests in flight change nothing: a stream pays exactly where one request does.",
        given=(
            *("u_host == u_shared", "u_link >= u_shared", "u_accelerator >= u_shared"),
            "latency == affine",
        ),
        asserts=("speedup_in_flight == speedup",),
    ),
    Claim(
        id="ext-flight-growth",
        source=_FLIGHT_SOURCE,
        statement="If overhead is r times as long with others in flight, the speedup of a stream "
        "is lower, by a factor of at most r.",
        given=("r >= 1", "latency == affine"),
        asserts=(
            "speedup_in_flight(o=r*o) <= speedup_in_flight",
            "speedup_in_flight(o=r*o)*r >= speedup_in_flight",
        ),
    ),
    Claim(
        id="ext-flight-break-even",
        source=_FLIGHT_SOURCE,
        statement="For at least linear complexity a stream has speedup s exactly from "
        "g_s_in_flight on.",
        given=("exists(g_s_in_flight)", "beta >= 1", "latency == affine"),
        asserts=("iff(speedup_in_flight >= s, g >= g_s_in_flight)",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_SEVERAL, *_COEXEC, *_FLIGHT)
