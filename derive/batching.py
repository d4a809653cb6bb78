"""Batching: m items of size g sent in one offload share what an offload pays once."""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.formula import Formula, Status
from logca.derive.granularity import EFFECTIVE_INDEX
from logca.derive.speedup import SPEEDUP, T0
from logca.derive.symbols import L0, L1, A, C, beta, g, m, o, s

__all__ = ["FORMULAS", "ITEMS_FOR", "SPEEDUP_BATCH", "SPEEDUP_BATCH_LIMIT"]

_SOURCE = "logca2026; altaf2017, §2, raises C by fusing kernels instead"

SPEEDUP_BATCH = Formula(
    name="speedup_batch",
    meaning="speedup if one offload carries m items of size g, each a computation of its own",
    source=_SOURCE,
    latex="S_m",
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("m items: m-fold computation and latency per byte", C=m * C, L1=m * L1)
    .rename("name it", sp.Symbol("speedup_batch")),
)

SPEEDUP_BATCH_LIMIT = Formula(
    name="speedup_batch_limit",
    meaning="speedup that ever larger batches of items of size g tend to",
    source=_SOURCE,
    status=Status.LIMIT,
    latex=r"S_{m\to\infty}",
    derivation=SPEEDUP_BATCH.derivation.limit(
        "what an offload pays once is amortised", m, sp.oo, sp.Symbol("speedup_batch_limit")
    ).rewrite("as a fraction of times", rhs=T0.expr / (L1 * g + T0.expr / A)),
)

ITEMS_FOR = Formula(
    name="items_for",
    meaning="items of size g in one offload for which the speedup is s; round up",
    source=_SOURCE,
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

FORMULAS = (SPEEDUP_BATCH, SPEEDUP_BATCH_LIMIT, ITEMS_FOR)
