"""Theorems of ours: inverse design, batches, pipelines, windows, uncertain parameters."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_INVERSE_SOURCE = "logca2026, inverse design"
_BATCH_SOURCE = "logca2026, batching"
_PIPELINE_SOURCE = "logca2026, pipelining"
_WINDOW_SOURCE = "logca2026, windows"
_ERROR_SOURCE = "logca2026, uncertainty"

_INVERSE = (
    Claim(
        id="ext-inverse-acceleration",
        source=_INVERSE_SOURCE,
        statement="The target is reached at a granularity exactly from the acceleration A_for on.",
        given=("exists(A_for)", "latency == affine"),
        asserts=("A_for > 0", "speedup(A=A_for) == s", "iff(speedup >= s, A >= A_for)"),
    ),
    Claim(
        id="ext-inverse-acceleration-ceilings",
        source=_INVERSE_SOURCE,
        statement="Its reciprocal is the difference of the reciprocals of the target and the "
        "speedup of an infinitely fast accelerator.",
        given=("exists(A_for)", "o + L0 + L1 > 0"),
        asserts=("1/A_for == 1/s - 1/speedup_infinite", "speedup_infinite > s"),
    ),
    Claim(
        id="ext-inverse-acceleration-none",
        source=_INVERSE_SOURCE,
        statement="If overhead and latency alone take the time that the target allows, no "
        "acceleration reaches it.",
        given=("s*(o + L0 + L1*g) >= T0",),
        asserts=("speedup < s", "not exists(A_for)"),
    ),
    Claim(
        id="ext-inverse-index",
        source=_INVERSE_SOURCE,
        statement="A target below the acceleration is reached at a granularity exactly from the "
        "computational index C_for on.",
        given=("s < A", "o + L0 + L1 > 0"),
        asserts=("C_for > 0", "speedup(C=C_for) == s", "iff(speedup >= s, C >= C_for)"),
    ),
    Claim(
        id="ext-inverse-overhead",
        source=_INVERSE_SOURCE,
        statement="The target is reached at a granularity exactly up to the overhead o_for.",
        given=("exists(o_for)", "latency == affine"),
        asserts=("o_for >= 0", "speedup(o=o_for) == s", "iff(speedup >= s, o <= o_for)"),
    ),
    Claim(
        id="ext-inverse-latency-once",
        source=_INVERSE_SOURCE,
        statement="The target is reached at a granularity exactly up to the latency per offload "
        "L0_for.",
        given=("exists(L0_for)",),
        asserts=("L0_for >= 0", "speedup(L0=L0_for) == s", "iff(speedup >= s, L0 <= L0_for)"),
    ),
    Claim(
        id="ext-inverse-latency-per-byte",
        source=_INVERSE_SOURCE,
        statement="The target is reached at a granularity exactly up to the latency per byte "
        "L1_for.",
        given=("exists(L1_for)",),
        asserts=("L1_for >= 0", "speedup(L1=L1_for) == s", "iff(speedup >= s, L1 <= L1_for)"),
    ),
    Claim(
        id="ext-inverse-latency-papers",
        source=_INVERSE_SOURCE,
        statement="In the forms of the papers the largest latency is a_s*g**beta - o, constant, "
        "and that over the granularity, linear.",
        given=("s < A",),
        asserts=(
            "implies(latency == constant, iff(speedup >= s, L <= effective_index*g**beta - o))",
            "implies(latency == linear, iff(speedup >= s, L*g <= effective_index*g**beta - o))",
        ),
    ),
    Claim(
        id="ext-inverse-none",
        source=_INVERSE_SOURCE,
        statement="If the other part alone takes what the target allows, neither overhead nor "
        "latency can be small enough.",
        given=("s < A", "latency == affine"),
        asserts=(
            "implies(effective_index*g**beta < L0 + L1*g, speedup < s and not exists(o_for))",
            "implies(effective_index*g**beta < o + L1*g, speedup < s and not exists(L0_for))",
            "implies(effective_index*g**beta < o + L0, speedup < s and not exists(L1_for))",
        ),
    ),
    Claim(
        id="ext-inverse-exponent",
        source=_INVERSE_SOURCE,
        statement="The target is reached at a granularity exactly for the exponent beta_for.",
        given=("exists(beta_for)", "latency == affine"),
        asserts=(
            "beta_for > 0",
            "beta_for*log(g) == log((o + L0 + L1*g)/effective_index)",
            "iff(speedup == s, beta == beta_for)",
        ),
    ),
)

_BATCH = (
    Claim(
        id="ext-batch-model",
        source=_BATCH_SOURCE,
        statement="A batch of m items pays m times for computation and bytes and once for the "
        "offload; one item is the plain model.",
        given=("latency == affine",),
        asserts=(
            "speedup_batch == m*T0/(o + L0 + m*L1*g + m*T0/A)",
            "speedup_batch(m=1) == speedup",
        ),
    ),
    Claim(
        id="ext-batch-growth",
        source=_BATCH_SOURCE,
        statement="Its speedup grows with the batch towards that of an offload that pays nothing "
        "once.",
        given=("o + L0 > 0",),
        asserts=(
            "diff(speedup_batch, m) > 0",
            "speedup_batch < speedup_batch_limit",
            "limit(speedup_batch, m, oo) == speedup_batch_limit",
            "speedup_batch_limit == speedup(o=0, L0=0)",
        ),
    ),
    Claim(
        id="ext-batch-items",
        source=_BATCH_SOURCE,
        statement="The target is reached exactly from (o + L0)/(a_s*g**beta - L1*g) items on.",
        given=("exists(items_for)", "o + L0 > 0"),
        asserts=(
            "speedup_batch(m=items_for) == s",
            "iff(speedup_batch >= s, m >= items_for)",
            "items_for == (o + L0)/(effective_index*g**beta - L1*g)",
        ),
    ),
    Claim(
        id="ext-batch-possible",
        source=_BATCH_SOURCE,
        statement="Some number of items reaches the target if, and only if, the effective index "
        "times g**(beta - 1) exceeds the latency per byte, for any exponent.",
        given=("s < A", "o + L0 > 0"),
        asserts=(
            "iff(exists(items_for), effective_index*g**(beta - 1) > L1)",
            "implies(effective_index*g**(beta - 1) <= L1, speedup_batch < s)",
            "iff(speedup_batch_limit > s, effective_index*g**(beta - 1) > L1)",
        ),
    ),
)

_PIPELINE = (
    Claim(
        id="ext-pipeline-roofline-period",
        source=_PIPELINE_SOURCE,
        statement="If host and link prepare one offload while the accelerator computes another, "
        "an offload ends every max of the two times.",
        given=("latency == affine",),
        asserts=(
            "period_pipelined == max(T1 - T0/A, T0/A)",
            "pipeline_gain == T1/period_pipelined",
        ),
    ),
    Claim(
        id="ext-pipeline-roofline-speedup",
        source=_PIPELINE_SOURCE,
        statement="The speedup of the pipeline is the smaller of the acceleration and the speedup "
        "of an infinitely fast accelerator: the roofline is reached.",
        given=("o + L0 + L1 > 0",),
        asserts=(
            "speedup_pipelined == min(A, speedup_infinite)",
            "speedup_pipelined == T0/period_pipelined",
            "speedup_pipelined == roofline",
            "pipeline_gain == speedup_pipelined/speedup",
        ),
    ),
    Claim(
        id="ext-pipeline-roofline-gain",
        source=_PIPELINE_SOURCE,
        statement="The pipeline gains at most a factor of two, exactly where the speedup without "
        "it is half the acceleration.",
        given=("latency == affine",),
        asserts=("1 <= pipeline_gain <= 2", "iff(pipeline_gain == 2, speedup == A/2)"),
    ),
    Claim(
        id="ext-pipeline-roofline-half-peak",
        source=_PIPELINE_SOURCE,
        statement="At half-peak the gain is two and the pipeline reaches the acceleration.",
        given=("exists(gA2)", "latency == affine"),
        asserts=("pipeline_gain(g=gA2) == 2", "speedup_pipelined(g=gA2) == A"),
    ),
    Claim(
        id="ext-pipeline-roofline-first",
        source=_PIPELINE_SOURCE,
        statement="Below half-peak the pipeline stays below the acceleration.",
        given=("g < gA2", "latency == affine"),
        asserts=("speedup_pipelined < A", "pipeline_gain < 2"),
    ),
)

_WINDOW = (
    Claim(
        id="ext-window-place",
        source=_WINDOW_SOURCE,
        statement="The best granularity of a window lies in it, and is its upper end for at "
        "least linear complexity or no latency per byte.",
        given=("g_low <= g_high", "o + L0 > 0"),
        asserts=(
            "g_low <= window_best <= g_high",
            "implies(beta >= 1 or L1 == 0, window_best == g_high)",
        ),
    ),
    Claim(
        id="ext-window-peak",
        source=_WINDOW_SOURCE,
        statement="For sublinear complexity it is the peak, moved to the nearer end if outside.",
        given=("g_low <= g_high", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=("window_best == max(g_low, min(g_high, g_peak))",),
    ),
    Claim(
        id="ext-window-greatest",
        source=_WINDOW_SOURCE,
        statement="No granularity of a window has a larger speedup than the best one: a target "
        "is reached there if, and only if, speedup_window is at least as large.",
        given=("o + L0 > 0", "g_low <= g", "g <= g_high"),
        asserts=("speedup <= speedup_window", "speedup_window == speedup(g=window_best)"),
        argument="A target between speedup_window_floor and speedup_window is a value of the "
        "continuous speedup on the window.",
    ),
    Claim(
        id="ext-window-least",
        source=_WINDOW_SOURCE,
        statement="The least speedup of a window is at one of its ends.",
        given=("g_low <= g", "g <= g_high", "latency == affine"),
        asserts=(
            "speedup >= speedup_window_floor",
            "speedup_window_floor == min(speedup(g=g_low), speedup(g=g_high))",
        ),
    ),
)

_FACTORS = tuple(
    side for name in ("m", "n", "r", "q", "f") for side in (f"{name} <= rho", f"{name}*rho >= 1")
)
_PERTURBED = "o=m*o, L0=n*L0, L1=r*L1, C=q*C, A=f*A"

_ERROR = (
    Claim(
        id="ext-error-bound-speedup",
        source=_ERROR_SOURCE,
        statement="If overhead, latencies, computational index and acceleration are known within "
        "a factor rho, the speedup lies between speedup_low and speedup_high.",
        given=_FACTORS,
        asserts=(
            f"speedup_low <= speedup({_PERTURBED})",
            f"speedup({_PERTURBED}) <= speedup_high",
        ),
    ),
    Claim(
        id="ext-error-bound-reached",
        source=_ERROR_SOURCE,
        statement="Both are reached, with every parameter at its end.",
        given=("rho >= 1",),
        asserts=(
            "speedup_low == speedup(o=rho*o, L0=rho*L0, L1=rho*L1, C=C/rho, A=A/rho)",
            "speedup_high == speedup(o=o/rho, L0=L0/rho, L1=L1/rho, C=rho*C, A=rho*A)",
        ),
    ),
    Claim(
        id="ext-error-bound-share",
        source=_ERROR_SOURCE,
        statement="The speedup is off by at most rho**2, and upwards by that over "
        "1 + (rho - 1)*S/A.",
        given=("rho >= 1", "latency == affine"),
        asserts=(
            "speedup_low >= speedup/rho**2",
            "speedup_high == speedup*rho**2/(1 + (rho - 1)*speedup/A)",
        ),
    ),
    Claim(
        id="ext-error-bound-spread",
        source=_ERROR_SOURCE,
        statement="The ends are a factor of rho**2 to rho**4 apart.",
        given=("rho >= 1", "latency == affine"),
        asserts=(
            "speedup_spread == speedup_high/speedup_low",
            "rho**2 <= speedup_spread <= rho**4",
        ),
    ),
    Claim(
        id="ext-error-bound-granularity-low",
        source=_ERROR_SOURCE,
        statement="Below g_s_low, where the optimistic speedup is s, not even that is as large.",
        given=("exists(g_s_low)", "latency == affine"),
        asserts=("speedup_high(g=g_s_low) == s", "implies(g < g_s_low, speedup_high < s)"),
        argument="The speedup is at most speedup_high: ext-error-bound-speedup with factors one.",
    ),
    Claim(
        id="ext-error-bound-granularity-high",
        source=_ERROR_SOURCE,
        statement="At g_s_high, where the pessimistic speedup is s, the speedup is at least s.",
        given=("exists(g_s_high)", "latency == affine"),
        asserts=(
            "speedup_low(g=g_s_high) == s",
            "speedup(g=g_s_high) >= s",
            "implies(g < g_s_high, speedup_low < s)",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_INVERSE, *_BATCH, *_PIPELINE, *_WINDOW, *_ERROR)
