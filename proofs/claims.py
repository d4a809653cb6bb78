"""All claims of the ledger, in the order of the papers; theorems of ours last."""

import re
from functools import cache
from importlib import import_module

from logca.proofs.claim import Claim

__all__ = ["BOOKS", "about", "all_claims"]

BOOKS: tuple[str, ...] = (
    "cal2015_model",
    "cal2015_granularity",
    "cal2015_latency",
    "cal2015_evaluation",
    "isca2017_model",
    "isca2017_granularity",
    "isca2017_latency",
    "isca2017_conditions",
    "isca2017_half_peak",
    "isca2017_bounds",
    "isca2017_sensitivity",
    "isca2017_regions",
    "isca2017_methodology",
    "isca2017_evaluation",
    "isca2017_kernels",
    "isca2017_case_studies",
    "isca2017_gpus",
    "lemmas",
    "theorems_shape",
    "theorems_targets",
    "theorems_existence",
    "theorems_peak",
    "theorems_closed_forms",
    "theorems_roots",
    "theorems_newton",
    "theorems_sensitivity",
    "theorems_cutoffs",
    "theorems_cutoffs_general",
    "theorems_design",
    "theorems_parallel",
    "theorems_systems",
)
"""Modules of this room that hold claims [text]."""


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every claim [text]."""
    return tuple(claim for book in BOOKS for claim in import_module(f"logca.proofs.{book}").CLAIMS)


def about(name: str) -> tuple[str, ...]:
    """Ids of the claims that assert something about a formula, the most specific first [text].

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
