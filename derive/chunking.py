"""Chunking: a stream of N bytes in n chunks, transfer and computation overlapped; beta = 1.

Each chunk passes two stages: host and link need o + L0 + L1*N/n, the accelerator C*N/(A*n). The
time of the whole is convex in n: it falls until the stages balance, and from there on it is the
sum of a rising and a falling term.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import ONE, Dimension
from logca.derive.formula import Formula
from logca.derive.speedup import T0, T1
from logca.derive.symbols import L0, L1, A, C, N, beta, n, o

__all__ = [
    "CHUNKED_TIME",
    "CHUNKED_TIME_BALANCED",
    "CHUNKED_TIME_OPTIMAL",
    "CHUNKED_TIME_STATIONARY",
    "CHUNKS_BALANCED",
    "CHUNKS_OPTIMAL",
    "CHUNKS_STATIONARY",
    "CHUNK_SIZE_OPTIMAL",
    "FORMULAS",
]

_CYCLES = Dimension(cycles=sp.Integer(1))
_SOURCE = (
    "logca2026; altaf2017, §2, models pipelined interfaces by a latency without the granularity"
)
_ONCE = o + L0
_LINEAR = sp.Eq(beta, 1)
_STAGE = begin("accelerated computation", "T1", T0.expr / A).substitute(
    "of a chunk, linear complexity", beta=1, g=N / n
)
_PREPARATION = begin("the rest of the accelerated time", "T1", T1.expr - T0.expr / A).substitute(
    "of a chunk, linear complexity", beta=1, g=N / n
)
_FIRST, _SECOND = _PREPARATION.expr, _STAGE.expr

CHUNKED_TIME = Formula(
    name="chunked_time",
    meaning="time for a stream of N bytes in n equal chunks, host and link before accelerator",
    source=_SOURCE,
    unit=_CYCLES,
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
    source=_SOURCE,
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
    source=_SOURCE,
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
    source=_SOURCE,
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
    source=_SOURCE,
    unit=_CYCLES,
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
    source=_SOURCE,
    unit=_CYCLES,
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
    source=_SOURCE,
    unit=_CYCLES,
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
    source=_SOURCE,
    unit=Dimension(bytes=sp.Integer(1)),
    latex="N/n^*",
    domain=CHUNKS_BALANCED.domain,
    derivation=begin("number of chunks", n, CHUNKS_BALANCED.expr)
    .into("length of the stream over their number", sp.Symbol("chunk_size_optimal"), N / n)
    .rewrite("the length of the stream cancels", rhs=_ONCE / (C / A - L1)),
)

FORMULAS = (
    CHUNKED_TIME,
    CHUNKS_STATIONARY,
    CHUNKS_BALANCED,
    CHUNKS_OPTIMAL,
    CHUNKED_TIME_OPTIMAL,
    CHUNKED_TIME_STATIONARY,
    CHUNKED_TIME_BALANCED,
    CHUNK_SIZE_OPTIMAL,
)
