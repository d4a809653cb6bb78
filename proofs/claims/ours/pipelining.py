"""Theorems of ours: batches of offloads that share costs, and pipelined offloads."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_BATCH_SOURCE = "logca2026, batching"
_PIPELINE_SOURCE = "logca2026, pipelining"

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

CLAIMS: tuple[Claim, ...] = (*_BATCH, *_PIPELINE)
