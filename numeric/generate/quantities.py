"""Quantities that are generated: formula, latency, and the form in which each is evaluated.

A formula is printed in the form that explains it; evaluated as printed, it may overflow where its
value does not, or subtract nearly equal numbers. The forms here are equal to the formulas (which
`check` verifies before anything is written) and add positive numbers where that can be had.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import FORMS, A, C, deviation, g, s
from logca.numeric.accelerator.parameter_ranges import LATENCIES

__all__ = ["MODULES", "GeneratedQuantity", "quantity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedQuantity:
    """One function to be generated."""

    name: str  # name of the function: that of its formula, but for `L_for`
    formulas: Mapping[str, str]  # for each form of latency the formula's name in the catalogue
    # from the formula's expression under a latency to the equal one that is evaluated
    evaluated: Callable[[sp.Expr, str], sp.Expr] | None = None

    def formula(self, latency: str) -> Formula:
        """The formula of the catalogue under a form of latency."""
        return formula(self.formulas[latency])

    def printed(self, latency: str) -> sp.Expr:
        """The expression as derived, under a form of latency [unit of the formula]."""
        return _in_form(self.formulas[latency], latency)

    def expression(self, latency: str) -> sp.Expr:
        """The expression that is evaluated, equal to the printed one [unit of the formula]."""
        printed = self.printed(latency)
        return printed if self.evaluated is None else _evaluated(self.evaluated, printed, latency)

    def conditions(self, latency: str) -> tuple[sp.Basic, ...]:
        """Where the quantity is defined, under a form of latency; what always holds is left out."""
        conditions = _conditions(self.formula(latency).domain, latency)
        if sp.false in conditions:
            raise ValueError(f"{self.name} does not exist under {latency} latency")
        return conditions


# SymPy inserts slowly, and who writes a function asks for its expression a dozen times.
@cache
def _in_form(name: str, latency: str) -> sp.Expr:
    return formula(name).in_form(latency)


@cache
def _conditions(domain: tuple[sp.Basic, ...], latency: str) -> tuple[sp.Basic, ...]:
    inserted = (condition.subs(FORMS[latency], simultaneous=True) for condition in domain)
    return tuple(condition for condition in inserted if condition != sp.true)


@cache
def _evaluated(
    evaluated: Callable[[sp.Expr, str], sp.Expr], printed: sp.Expr, latency: str
) -> sp.Expr:
    return evaluated(printed, latency)


def _time(latency: str) -> sp.Expr:
    """Overhead and latency: the time that an offload waits [cycles]."""
    return formula("T1").in_form(latency) - formula("T0").expr / A


def _speedup(_: sp.Expr, latency: str) -> sp.Expr:
    """Harmonic form: no inf/inf where the host time overflows."""
    reciprocal = formula("reciprocal_speedup").in_form(latency)
    return 1 / sp.collect(reciprocal, 1 / formula("T0").expr)


def _share_of_computation(_: sp.Expr, latency: str) -> sp.Expr:
    return _speedup(_, latency) / A


def _elasticity_of_index(_: sp.Expr, latency: str) -> sp.Expr:
    """Overhead's and latency's share, without subtracting the third from one."""
    return _time(latency) / formula("T1").in_form(latency)


def _elasticity_of_exponent(_: sp.Expr, latency: str) -> sp.Expr:
    return _elasticity_of_index(_, latency) * sp.log(g)


def _peak(expr: sp.Expr, latency: str) -> sp.Expr:
    return 1 / (1 / A + 1 / formula("speedup_infinite_peak").in_form(latency))


def _target(value: sp.Expr) -> Callable[[sp.Expr, str], sp.Expr]:
    """The granularity for a target speedup, with one difference of acceleration and target."""

    def evaluated(_: sp.Expr, latency: str) -> sp.Expr:
        at_s = formula("overhead_root").expr.subs(1 / s - 1 / A, (A - s) / (A * s))
        return at_s.subs(FORMS[latency], simultaneous=True).subs(s, value)

    return evaluated


def _one_difference(expr: sp.Expr, _: str) -> sp.Expr:
    """With one difference of acceleration and target, not of their reciprocals."""
    return expr.subs(1 / s - 1 / A, (A - s) / (A * s))


def _speedup_of_margin(_: sp.Expr, latency: str) -> sp.Expr:
    return _speedup(_, latency).subs(C, C * deviation)


def _both(
    *names: str, evaluated: Callable[[sp.Expr, str], sp.Expr] | None = None
) -> tuple[GeneratedQuantity, ...]:
    return _under(LATENCIES, *names, evaluated=evaluated)


def _under(
    latencies: tuple[str, ...],
    *names: str,
    evaluated: Callable[[sp.Expr, str], sp.Expr] | None = None,
) -> tuple[GeneratedQuantity, ...]:
    return tuple(
        GeneratedQuantity(name=name, formulas=dict.fromkeys(latencies, name), evaluated=evaluated)
        for name in names
    )


_CONSTANT, _LINEAR = ("constant",), ("linear",)

MODULES: dict[str, tuple[GeneratedQuantity, ...]] = {
    "speedup": (
        *_both("T0", "T1"),
        *_both("speedup", evaluated=_speedup),
        *_both("speedup_infinite"),
    ),
    "sensitivity": (
        *_both("share_o", "share_L"),
        *_both("share_C", "e_A", evaluated=_share_of_computation),
        *_both("e_o", "e_L"),
        *_both("e_C", evaluated=_elasticity_of_index),
        *_both("e_beta", evaluated=_elasticity_of_exponent),
        *_both("e_g", "curvature", "gain_o", "gain_L", "gain_C", "gain_A"),
    ),
    "granularity": (
        *_both("effective_index", "overhead_root"),
        *_under(
            _LINEAR,
            "latency_root",
            "lower_root_floor",
            "lower_root_ceiling",
            "upper_root_floor",
            "upper_root_ceiling",
            "root_floor",
            "root_ceiling",
        ),
        *_under(_CONSTANT, "g_s", evaluated=_target(s)),
        *_under(_CONSTANT, "g1", evaluated=_target(sp.S.One)),
        *_under(_CONSTANT, "gA2"),
    ),
    "closed_forms": _under(
        _LINEAR,
        "root_half_lower",
        "root_half_upper",
        "root_two",
        "root_third_lower",
        "root_third_upper",
        "root_two_thirds_lower",
        "root_two_thirds_upper",
        "root_three_halves",
        "root_three",
    ),
    "peak_and_existence": (
        *_under(
            _LINEAR, "kappa", "kappa_threshold", "entropy", "index_threshold", "intensity_threshold"
        ),
        *_under(_LINEAR, "g_peak", "speedup_infinite_peak"),
        *_under(_LINEAR, "speedup_peak", evaluated=_peak),
        *_under(_LINEAR, "overhead_budget", "latency_budget"),
    ),
    "limits": (
        *_both("limit_large", "speedup_one"),
        *_under(_LINEAR, "latency_ceiling", "computational_intensity", "accelerator_intensity"),
    ),
    "cutoffs": (
        *_both("theta", "cutoff_factor"),
        *_under(_CONSTANT, "cutoff_o", "cutoff_L", "cutoff_C", "cutoff_A"),
        *_under(
            _LINEAR, "cutoff_o_linear", "cutoff_L_linear", "cutoff_C_linear", "cutoff_A_linear"
        ),
    ),
    "inverse": (
        *_both("A_for"),
        *_both("C_for", "o_for"),
        GeneratedQuantity(name="L_for", formulas={"constant": "L0_for", "linear": "L1_for"}),
        *_both("beta_for"),
    ),
    "newton": _both("g1_newton", "gA2_newton"),
    "window": _both("window_best", "speedup_window", "speedup_window_floor"),
    "logarithmic": _both("speedup_log", "speedup_glog"),
    "pipelining": (
        *_both("speedup_batch", "speedup_batch_limit", "items_for"),
        *_both("period_pipelined", "speedup_pipelined", "pipeline_gain"),
        *_both("chunked_time", "chunks_stationary", "chunks_balanced", "chunks_optimal"),
        *_both("chunked_time_optimal", "chunked_time_balanced", "chunk_size_optimal"),
        # under constant latency for one length of the stream only, where both numbers agree
        *_under(_LINEAR, "chunked_time_stationary"),
    ),
    "parallel": (
        *_both("speedup_several", "accelerators_saturating"),
        *_both("forkjoin_time", "forkjoin_optimal", "forkjoin_time_optimal"),
        *_both("coexecution_rate", "coexecution_share", "coexecuted_time", "speedup_coexecuted"),
        *_both("g1_coexecuted", "coexecution_gain", "speedup_coexecuted_async"),
        *_both("host_share", "speedup_shared"),
        *_both(
            "overhead_in_flight", "host_period_in_flight", "period_in_flight", "speedup_in_flight"
        ),
        *_both("gain_in_flight", "saturation_in_flight", "speedup_saturated"),
    ),
    "energy": _both(
        "energy_host",
        "energy_accelerated",
        "energy_gain",
        "energy_ceiling",
        "average_power_accelerated",
        "edp_gain",
    ),
    "application": _both("speedup_application", "application_ceiling"),
    "uncertainty": _both("speedup_low", "speedup_high", "speedup_spread"),
    # probabilities themselves need the error function, which array libraries do not all have
    "chance": (
        *_both("speedup_infinite_for", "margin", evaluated=_one_difference),
        *_both("spread_infinite"),
        *_both("speedup_quantile", evaluated=_speedup_of_margin),
        *_under(_CONSTANT, "g_s_quantile", evaluated=_one_difference),
        *_under(_LINEAR, "margin_peak", evaluated=_one_difference),
        *_under(_LINEAR, "spread_peak"),
    ),
    "bounds": (
        *_both("roofline"),
        *_under(_LINEAR, "corner_overhead_latency", "corner_latency_acceleration"),
        *_both("corner_overhead_acceleration"),
    ),
}
"""Module of `logca.numeric.generated`, and the quantities that it computes."""


@cache
def _by_name() -> dict[str, GeneratedQuantity]:
    return {quantity.name: quantity for module in MODULES.values() for quantity in module}


def quantity(name: str) -> GeneratedQuantity:
    """A quantity by the name of its function."""
    return _by_name()[name]
