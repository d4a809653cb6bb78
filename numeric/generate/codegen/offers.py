"""Functions that can be generated, and those that were asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import sympy as sp

from logca.common.errors import LogcaError
from logca.common.near_misses import did_you_mean
from logca.derive.core.catalogue import formula
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

__all__ = ["DEFAULT", "CodegenError", "Offer", "functions", "offers"]

DEFAULT = ("speedup", "g1", "should_offload")
"""Functions that are generated if nothing is named."""


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
    offer = offers()[name]
    forms = {latency: offer.write(latency, name) for latency in offer.latencies}
    return forms, len({(form.body, form.parameters) for form in forms.values()}) > 1


@cache
def offers() -> dict[str, Offer]:
    """All that can be asked for, by name."""
    found = {
        name: Offer(
            name=name,
            meaning=formula(name).meaning,
            unit=str(formula(name).unit),
            latencies=LATENCIES,
            write=partial(target_function, name),
            sources=tuple(formula(each).expr for each in (name, *FORMULAS)),
        )
        for name in TARGETS
    }
    found |= {
        name: Offer(
            name=name,
            meaning=formula(name).meaning,
            unit=str(formula(name).unit),
            latencies=("linear",),
            write=partial(cutoff_function, name),
            sources=tuple(formula(each).expr for each in (name, *FORMULAS)),
        )
        for name in CUTOFFS
    }
    found["should_offload"] = Offer(
        name="should_offload",
        meaning=MEANING,
        unit="yes or no",
        latencies=LATENCIES,
        write=decision_function,
        sources=(formula("speedup").expr,),
    )
    listed = (quantity for module in MODULES.values() for quantity in module)
    return {each.name: _of_quantity(each) for each in listed} | found


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


def _functions(name: str, chosen: Sequence[str]) -> Iterator[TargetFunction]:
    offer = offers().get(name)
    if offer is None:
        near = did_you_mean(name, offers(), most=3, quote=str, joined=" or ", before=" ")
        raise CodegenError(f"unknown quantity '{name}';{near} `logca codegen --list` has all")
    if not set(offer.latencies) & set(chosen):
        (form,) = offer.latencies
        raise CodegenError(f"'{name}' exists under {form} latency only: add --latency {form}")
    return offer.functions(chosen)
