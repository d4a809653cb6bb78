"""Many offloads: batches that share costs, pipelined offloads, a stream cut into chunks.

Each chunk passes two stages, host and link, then accelerator. The time of the whole is convex in
the number of chunks.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, CYCLES, ONE
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, C, N, beta, g, m, n, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.speedup import SPEEDUP, T0, T1

__all__ = [
    "BATCH_PARAMETERS",
    "CHUNKED_TIME",
    "CHUNKED_TIME_BALANCED",
    "CHUNKED_TIME_OPTIMAL",
    "CHUNKED_TIME_STATIONARY",
    "CHUNKS_BALANCED",
    "CHUNKS_OPTIMAL",
    "CHUNKS_STATIONARY",
    "CHUNK_SIZE_OPTIMAL",
    "FORMULAS",
    "ITEMS_FOR",
    "PERIOD_PIPELINED",
    "PIPELINE_GAIN",
    "SPEEDUP_BATCH",
    "SPEEDUP_BATCH_LIMIT",
    "SPEEDUP_PIPELINED",
]

_BATCH_SOURCE = "logca2026; altaf2017, §2, raises C by fusing kernels instead"

BATCH_PARAMETERS: dict[str, sp.Expr] = {"C": m * C, "L1": m * L1}
"""Parameters with which the speedup is that of a batch of m items [unit of each]."""

SPEEDUP_BATCH = Formula(
    name="speedup_batch",
    meaning="speedup if one offload carries m items of size g, each a computation of its own",
    source=_BATCH_SOURCE,
    latex="S_m",
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("m items: m-fold computation and latency per byte", **BATCH_PARAMETERS)
    .rename("name it", sp.Symbol("speedup_batch")),
)

SPEEDUP_BATCH_LIMIT = Formula(
    name="speedup_batch_limit",
    meaning="speedup that ever larger batches of items of size g tend to",
    source=_BATCH_SOURCE,
    status=Exactness.LIMIT,
    latex=r"S_{m\to\infty}",
    derivation=SPEEDUP_BATCH.derivation.limit(
        "what an offload pays once is amortised", m, sp.oo, sp.Symbol("speedup_batch_limit")
    ).rewrite("as a fraction of times", rhs=T0.expr / (L1 * g + T0.expr / A)),
)

ITEMS_FOR = Formula(
    name="items_for",
    meaning="items of size g in one offload for which the speedup is s; round up",
    source=_BATCH_SOURCE,
    latex="m_s",
    domain=(s < A, EFFECTIVE_INDEX.expr * g**beta > L1 * g),
    derivation=begin("the speedup of the batch reaches the target", SPEEDUP_BATCH.expr, s)
    .invert("invert both sides")
    .multiply("multiply by the host time of the batch", m * T0.expr)
    .solve("solve for the number of items", m)
    .rewrite(
        "what an offload pays once, over what each item leaves for it",
        rhs=(o + L0) / (EFFECTIVE_INDEX.expr * g**beta - L1 * g),
    )
    .rename("name it", sp.Symbol("items_for")),
)

_BATCHING_FORMULAS = (SPEEDUP_BATCH, SPEEDUP_BATCH_LIMIT, ITEMS_FOR)


_PIPELINE_SOURCE = "logca2026; altaf2015, §2, subtracts the overlapped part of o and L instead"
_PREPARATION = o + L0 + L1 * g
_SOME = (o + L0 + L1 > 0,)

PERIOD_PIPELINED = Formula(
    name="period_pipelined",
    meaning="time from one offload to the next in a full pipeline of two stages",
    source=_PIPELINE_SOURCE,
    unit=CYCLES,
    latex=r"T_{\mathrm{pipe}}",
    derivation=begin(
        "the longer stage: host and link, or accelerator",
        "period_pipelined",
        sp.Max(_PREPARATION, T0.expr / A),
    ),
)

SPEEDUP_PIPELINED = Formula(
    name="speedup_pipelined",
    meaning="speedup of a stream of offloads whose stages overlap, in the steady state",
    source=_PIPELINE_SOURCE,
    latex=r"S_{\mathrm{pipe}}",
    domain=_SOME,
    derivation=begin(
        "host time over period", "speedup_pipelined", T0.expr / PERIOD_PIPELINED.expr
    ).distribute("the longer stage is the smaller ceiling"),
)

PIPELINE_GAIN = Formula(
    name="pipeline_gain",
    meaning="factor by which overlapping the stages raises the speedup: between 1 and 2",
    source=_PIPELINE_SOURCE,
    latex=r"\Gamma_{\mathrm{pipe}}",
    derivation=begin("speedup without overlap", SPEEDUP.symbol, SPEEDUP.expr)
    .invert("invert both sides")
    .scale("multiply by the host time over the period", T0.expr / PERIOD_PIPELINED.expr)
    .rewrite(
        "sum of the stages over the longer one",
        rhs=(_PREPARATION + T0.expr / A) / PERIOD_PIPELINED.expr,
    )
    .rename("name it", sp.Symbol("pipeline_gain")),
)

_PIPELINING_FORMULAS = (PERIOD_PIPELINED, SPEEDUP_PIPELINED, PIPELINE_GAIN)


_CHUNK_SOURCE = (
    "logca2026; altaf2017, §2, models pipelined interfaces by a latency without the granularity"
)
_ONCE = o + L0
_LINEAR = sp.Eq(beta, 1)
_STAGE = begin("accelerated computation", "T1", T0.expr / A).substitute(
    "of a chunk, linear complexity", beta=1, g=N / n
)
_CHUNK_PREPARATION = begin(
    "the rest of the accelerated time", "T1", T1.expr - T0.expr / A
).substitute("of a chunk, linear complexity", beta=1, g=N / n)
_FIRST, _SECOND = _CHUNK_PREPARATION.expr, _STAGE.expr

CHUNKED_TIME = Formula(
    name="chunked_time",
    meaning="time for a stream of N bytes in n equal chunks, host and link before accelerator",
    source=_CHUNK_SOURCE,
    unit=CYCLES,
    latex="T(n)",
    domain=(_LINEAR, n >= 1),
    derivation=begin(
        "one chunk through both stages, each further chunk one turn of the longer stage",
        "chunked_time",
        _FIRST + _SECOND + (n - 1) * sp.Max(_FIRST, _SECOND),
    ),
)

_PREPARED = begin(
    "time where host and link are the longer stage", "T", n * _FIRST + _SECOND
).rewrite("collect by powers of n", rhs=n * _ONCE + L1 * N + C * N / (A * n))

CHUNKS_STATIONARY = Formula(
    name="chunks_stationary",
    meaning="number of chunks with least time if host and link are the longer stage",
    source=_CHUNK_SOURCE,
    unit=ONE,
    latex=r"n_{\mathrm{stat}}",
    domain=(_LINEAR, _ONCE > 0),
    derivation=_PREPARED.differentiate(
        "differentiate with respect to n", n, sp.Derivative(sp.Symbol("T"), n)
    )
    .balance("it changes sign once, from minus to plus", n**2, C * N / (A * _ONCE))
    .raise_to("take the root", sp.Rational(1, 2))
    .rename("name it", sp.Symbol("chunks_stationary")),
)

CHUNKS_BALANCED = Formula(
    name="chunks_balanced",
    meaning="number of chunks for which both stages take equally long",
    source=_CHUNK_SOURCE,
    unit=ONE,
    latex=r"n_{\mathrm{bal}}",
    domain=(_LINEAR, _ONCE > 0, C > A * L1),
    derivation=begin("the stages take equally long", _FIRST, _SECOND)
    .scale("multiply by the number of chunks", n)
    .solve("solve for the number of chunks", n)
    .rewrite("collect", rhs=(C / A - L1) * N / _ONCE)
    .rename("name it", sp.Symbol("chunks_balanced")),
)

CHUNKS_OPTIMAL = Formula(
    name="chunks_optimal",
    meaning="number of chunks with least time, as a real number; of the integers, a neighbour",
    source=_CHUNK_SOURCE,
    unit=ONE,
    latex="n^*",
    domain=(_LINEAR, _ONCE > 0),
    derivation=begin(
        "below the balance the time falls with n, above it falls up to the stationary point",
        "chunks_optimal",
        sp.Max(1, CHUNKS_BALANCED.expr, CHUNKS_STATIONARY.expr),
    ),
)

CHUNKED_TIME_OPTIMAL = Formula(
    name="chunked_time_optimal",
    meaning="least time for a stream of N bytes over all numbers of chunks",
    source=_CHUNK_SOURCE,
    unit=CYCLES,
    latex="T^*",
    domain=CHUNKS_OPTIMAL.domain,
    derivation=begin("number of chunks", n, CHUNKS_OPTIMAL.expr).into(
        "host and link are the longer stage there, or as long",
        sp.Symbol("chunked_time_optimal"),
        _PREPARED.expr,
    ),
)

CHUNKED_TIME_STATIONARY = Formula(
    name="chunked_time_stationary",
    meaning="least time for a stream of N bytes if the stationary number of chunks is optimal",
    source=_CHUNK_SOURCE,
    unit=CYCLES,
    latex=r"T^*_{\mathrm{stat}}",
    domain=(
        *CHUNKS_STATIONARY.domain,
        C * N >= A * _ONCE,
        sp.Or(C <= A * L1, (C - A * L1) ** 2 * N <= A * C * _ONCE),
    ),
    derivation=begin("number of chunks", n, CHUNKS_STATIONARY.expr)
    .into("insert it", sp.Symbol("chunked_time_stationary"), _PREPARED.expr)
    .rewrite(
        "rising and falling term are equal",
        rhs=L1 * N + 2 * sp.sqrt(_ONCE * C * N / A),
    ),
)

CHUNKED_TIME_BALANCED = Formula(
    name="chunked_time_balanced",
    meaning="least time for a stream of N bytes if balanced stages are optimal",
    source=_CHUNK_SOURCE,
    unit=CYCLES,
    latex=r"T^*_{\mathrm{bal}}",
    domain=(*CHUNKS_BALANCED.domain, (C - A * L1) ** 2 * N >= A * C * _ONCE),
    derivation=begin("number of chunks", n, CHUNKS_BALANCED.expr)
    .into("insert it", sp.Symbol("chunked_time_balanced"), _PREPARED.expr)
    .rewrite(
        "computation of the stream, and the transfer of one chunk before it",
        rhs=C * N / A + C * _ONCE / (C - A * L1),
    ),
)

CHUNK_SIZE_OPTIMAL = Formula(
    name="chunk_size_optimal",
    meaning="size of a chunk for balanced stages, optimal for every long compute-bound stream",
    source=_CHUNK_SOURCE,
    unit=BYTES,
    latex="N/n^*",
    domain=CHUNKS_BALANCED.domain,
    derivation=begin("number of chunks", n, CHUNKS_BALANCED.expr)
    .into("length of the stream over their number", sp.Symbol("chunk_size_optimal"), N / n)
    .rewrite("the length of the stream cancels", rhs=_ONCE / (C / A - L1)),
)

_CHUNKING_FORMULAS = (
    CHUNKED_TIME,
    CHUNKS_STATIONARY,
    CHUNKS_BALANCED,
    CHUNKS_OPTIMAL,
    CHUNKED_TIME_OPTIMAL,
    CHUNKED_TIME_STATIONARY,
    CHUNKED_TIME_BALANCED,
    CHUNK_SIZE_OPTIMAL,
)


FORMULAS = (*_BATCHING_FORMULAS, *_PIPELINING_FORMULAS, *_CHUNKING_FORMULAS)
