"""All claims of the ledger, in the order of the papers; theorems of ours last."""

from functools import cache
from importlib import import_module

from logca.proofs.claim import Claim

__all__ = ["BOOKS", "all_claims"]

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
