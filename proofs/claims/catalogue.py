"""All claims of the ledger, in the order of the papers; theorems of ours last."""

import re
from functools import cache
from importlib import import_module

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIM_MODULES", "all_claims", "claims_mentioning"]

CLAIM_MODULES: tuple[str, ...] = (
    "claims.cal2015.model",
    "claims.cal2015.granularity",
    "claims.cal2015.latency",
    "claims.cal2015.evaluation",
    "claims.isca2017.model",
    "claims.isca2017.granularity",
    "claims.isca2017.latency",
    "claims.isca2017.intensity",
    "claims.isca2017.half_peak",
    "claims.isca2017.bottlenecks",
    "claims.isca2017.figures_5_and_6",
    "claims.isca2017.parameters",
    "claims.isca2017.linear_kernels",
    "claims.isca2017.nonlinear_kernels",
    "claims.isca2017.crypto_accelerators",
    "claims.isca2017.gpu_matrix_product",
    "claims.lemmas",
    "claims.ours.ceilings_and_hill_curve",
    "claims.ours.targets",
    "claims.ours.asymptotes",
    "claims.ours.identifiability",
    "claims.ours.existence",
    "claims.ours.peak",
    "claims.ours.brackets",
    "claims.ours.edge_cases",
    "claims.ours.closed_forms",
    "claims.ours.symmetries",
    "claims.ours.series",
    "claims.ours.newton",
    "claims.ours.sensitivity",
    "claims.ours.gains",
    "claims.ours.cutoffs",
    "claims.ours.inverse",
    "claims.ours.pipelining",
    "claims.ours.uncertainty",
    "claims.ours.chunks",
    "claims.ours.parallel",
    "claims.ours.energy",
    "claims.ours.application",
    "claims.ours.power_latency",
    "claims.ours.two_variables",
    "claims.gpu_bounds.units",
    "claims.gpu_bounds.together",
)
"""Modules of this room that hold claims, in the order of the ledger."""


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim."""
    modules = (import_module(f"logca.proofs.{name}") for name in CLAIM_MODULES)
    return tuple(claim for module in modules for claim in module.CLAIMS)


def claims_mentioning(name: str) -> tuple[str, ...]:
    """Ids of the claims that assert something about a formula, the most specific first.

    Examples
    --------
    >>> "ext-multi-forkjoin-optimum" in claims_mentioning("forkjoin_optimal")
    True
    """
    mentioning = []
    for claim in all_claims():
        mentioned = set(re.findall(r"[A-Za-z_]\w*", " ".join(claim.true.asserts)))
        if name in mentioned:
            mentioning.append((len(mentioned), claim.id))
    return tuple(claim_id for _, claim_id in sorted(mentioning, key=lambda entry: entry[0]))
