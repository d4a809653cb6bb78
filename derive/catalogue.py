"""Which module holds which formulas; modules are imported only when a formula is asked for."""

import difflib
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from logca.derive.formula import Formula, FormulaError

__all__ = ["MODULES", "all_formulas", "formula", "names"]

MODULES: dict[str, tuple[str, ...]] = {
    "speedup": ("T0", "T1", "speedup", "speedup_infinite"),
    "granularity": (
        "effective_index",
        "trinomial",
        "g_s",
        "g_s_upper",
        "g1",
        "gA2",
        "g1_upper",
        "gA2_upper",
        "gA",
    ),
    "limits": (
        "limit_small",
        "limit_large",
        "speedup_one",
        "speedup_one_bound",
        "latency_ceiling",
        "computational_intensity",
        "accelerator_intensity",
    ),
    "existence": (
        "kappa",
        "kappa_threshold",
        "entropy",
        "g_peak",
        "speedup_infinite_peak",
        "speedup_peak",
        "index_threshold",
        "intensity_threshold",
        "g_saving",
        "saving_peak",
        "overhead_budget",
        "latency_budget",
    ),
    "brackets": (
        "overhead_root",
        "latency_root",
        "lower_root_floor",
        "lower_root_ceiling",
        "upper_root_floor",
        "upper_root_ceiling",
        "root_floor",
        "root_ceiling",
    ),
}
"""Formula names by module, in the order of a textbook [text]."""


def names() -> tuple[str, ...]:
    """Names of all formulas [text].

    Examples
    --------
    >>> "g1" in names()
    True
    """
    return tuple(name for group in MODULES.values() for name in group)


@cache
def formula(name: str) -> Formula:
    """The formula of that name [its own unit].

    Raises
    ------
    FormulaError
        If there is none; the message names the nearest ones.

    Examples
    --------
    >>> formula("speedup").source
    'altaf2017, Eqs. 1, 2 and 8; altaf2015, Eqs. 1, 2 and 8'
    """
    for module, members in MODULES.items():
        if name in members:
            loaded = import_module(f"logca.derive.{module}").FORMULAS
            return next(entry for entry in loaded if entry.name == name)
    near = difflib.get_close_matches(name, names(), n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise FormulaError(f"there is no formula '{name}'{hint}")


def all_formulas() -> Iterator[Formula]:
    """Every formula, in order [their own units]."""
    for module in MODULES:
        yield from import_module(f"logca.derive.{module}").FORMULAS
