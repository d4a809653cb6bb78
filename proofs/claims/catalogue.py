"""All claims of the ledger, in the order of the papers; theorems of ours last."""

import re
from functools import cache
from importlib import import_module

from logca.proofs.claims.claim import Claim

__all__ = ["BOOKS", "about", "all_claims"]

BOOKS: tuple[str, ...] = (
    "claims.cal2015.model",
    "claims.cal2015.granularity",
    "claims.cal2015.evaluation",
    "claims.isca2017.model",
    "claims.isca2017.granularity",
    "claims.isca2017.latency",
    "claims.isca2017.half_peak",
    "claims.isca2017.bottlenecks",
    "claims.isca2017.regions",
    "claims.isca2017.evaluation",
    "claims.isca2017.kernels",
    "claims.isca2017.case_studies",
    "claims.isca2017.gpus",
    "claims.ours.lemmas",
    "claims.ours.shape",
    "claims.ours.targets",
    "claims.ours.existence",
    "claims.ours.roots",
    "claims.ours.newton",
    "claims.ours.sensitivity",
    "claims.ours.cutoffs",
    "claims.ours.design",
    "claims.ours.systems",
)
"""Modules of this room that hold claims."""


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim."""
    return tuple(claim for book in BOOKS for claim in import_module(f"logca.proofs.{book}").CLAIMS)


def about(name: str) -> tuple[str, ...]:
    """Ids of the claims that assert something about a formula, the most specific first.

    Examples
    --------
    >>> "ext-multi-forkjoin-optimum" in about("forkjoin_optimal")
    True
    """
    found = []
    for claim in all_claims():
        mentioned = set(re.findall(r"[A-Za-z_]\w*", " ".join(claim.true.asserts)))
        if name in mentioned:
            found.append((len(mentioned), claim.id))
    return tuple(claim_id for _, claim_id in sorted(found, key=lambda one: one[0]))
