"""Functions that can be generated, and those that were asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import sympy as sp

from logca.common.errors import LogcaError
from logca.common.near_misses import did_you_mean
from logca.derive.core.catalogue import formula, resolve
from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.generate.codegen.functions import (
    CUTOFFS,
    MEANING,
    TARGETS,
    cutoff_function,
    decision_function,
    quantity_function,
    target_function,
)
from logca.numeric.generate.codegen.roots import FORMULAS
from logca.numeric.generate.codegen.tree import TargetFunction
from logca.numeric.generate.quantities import MODULES, GeneratedQuantity

__all__ = [
    "DEFAULT",
    "CodegenError",
    "Offer",
    "check_name",
    "functions",
    "names",
    "offer",
    "offers",
]

DEFAULT = ("speedup", "g1", "should_offload")
"""Functions that are generated if nothing is named."""


_DECISION = "should_offload"


class CodegenError(LogcaError, ValueError):
    """Something was asked for that cannot be generated; the message says what can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that can be generated."""

    name: str  # what it is asked for by
    meaning: str  # what it is
    unit: str  # its unit, "yes or no" for a decision
    latencies: tuple[str, ...]  # the forms of latency under which it exists
    # from a form of latency and the function's name to the function
    write: Callable[[str, str], TargetFunction]
    sources: tuple[sp.Expr, ...]  # the formulas it rests on, to tell versions apart [any]

    def functions(self, chosen: Sequence[str]) -> Iterator[TargetFunction]:
        """One function for each chosen form of latency, or one if it has nothing to do with it."""
        forms, differ = _forms(self.name)
        for latency in (each for each in self.latencies if each in chosen):
            form = forms[latency]
            if len(forms) > 1 and not differ:
                yield form
                return
            name = f"{self.name}_{latency}" if differ else self.name
            yield replace(form, name=name, meaning=f"{form.meaning}, under {latency} latency")


@cache
def _forms(name: str) -> tuple[dict[str, TargetFunction], bool]:
    """Under each form of latency, the function that an offer writes; and whether they differ."""
    offered = offer(name)
    forms = {latency: offered.write(latency, name) for latency in offered.latencies}
    return forms, len({(form.body, form.parameters) for form in forms.values()}) > 1


@cache
def offers() -> dict[str, Offer]:
    """All that can be asked for, by name."""
    return {name: offer(name) for name in names()}


@cache
def names() -> dict[str, GeneratedQuantity | None]:
    """The names of all offers, and the quantities that are a formula alone."""
    listed = {each.name: each for module in MODULES.values() for each in module}
    return listed | dict.fromkeys((*TARGETS, *CUTOFFS, _DECISION))


@cache
def offer(name: str) -> Offer:
    """The offer of a name; no formula is derived but its own."""
    if quantity := names()[name]:
        return _of_quantity(quantity)
    if name == _DECISION:
        return Offer(
            name=name,
            meaning=MEANING,
            unit="yes or no",
            latencies=LATENCIES,
            write=decision_function,
            sources=(formula("speedup").expr,),
        )
    is_target = name in TARGETS
    return Offer(
        name=name,
        meaning=formula(name).meaning,
        unit=str(formula(name).unit),
        latencies=LATENCIES if is_target else ("linear",),
        write=partial(target_function if is_target else cutoff_function, name),
        sources=tuple(formula(each).expr for each in (name, *FORMULAS)),
    )


def _of_quantity(quantity: GeneratedQuantity) -> Offer:
    formulas = [quantity.formula(latency) for latency in quantity.formulas]
    return Offer(
        name=quantity.name,
        meaning=formulas[0].meaning,
        unit=str(formulas[0].unit),
        latencies=tuple(quantity.formulas),
        write=partial(quantity_function, quantity),
        sources=tuple(quantity.printed(latency) for latency in quantity.formulas),
    )


def functions(names: Sequence[str], latency: str) -> tuple[TargetFunction, ...]:
    """The functions that were asked for."""
    chosen = LATENCIES if latency == "both" else (latency,)
    return tuple(each for name in names for each in _functions(name, chosen))


def check_name(name: str) -> None:
    """Refuse a name that is no offer's; nothing is derived."""
    if name not in names():
        near = did_you_mean(name, names(), most=3, quote=str, joined=" or ", before=" ")
        if resolve(name) in names():
            near = f" did you mean {resolve(name)}?"
        raise CodegenError(f"unknown quantity '{name}';{near} `logca codegen --list` has all")


def _functions(name: str, chosen: Sequence[str]) -> Iterator[TargetFunction]:
    check_name(name)
    offered = offer(name)
    if not set(offered.latencies) & set(chosen):
        (form,) = offered.latencies
        raise CodegenError(f"'{name}' exists under {form} latency only: add --latency {form}")
    return offered.functions(chosen)
