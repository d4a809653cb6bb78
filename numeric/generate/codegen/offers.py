"""Functions that can be generated, derived from the formulas."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.generate.codegen.functions import (
    CUTOFFS,
    MEANING,
    TARGETS,
    cutoff_function,
    decision_function,
    extension_function,
    quantity_function,
    target_function,
)
from logca.numeric.generate.codegen.roots import FORMULAS, SOLVER
from logca.numeric.generate.codegen.tree import Give, Parameter, TargetFunction, When
from logca.numeric.generate.extensions import GRANULARITIES
from logca.numeric.generate.quantities import MODULES, GeneratedQuantity

__all__ = [
    "HELPERS",
    "Offer",
    "offers",
]


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

    def functions(self) -> dict[str, TargetFunction]:
        """For each form of latency its function, the same if it has nothing to do with it."""
        forms = {latency: self.write(latency, self.name) for latency in self.latencies}
        differ = len({(form.body, form.parameters) for form in forms.values()}) > 1
        if len(forms) > 1 and not differ:
            return dict.fromkeys(forms, forms[self.latencies[0]])
        return {
            latency: replace(
                form,
                name=f"{self.name}_{latency}" if differ else self.name,
                meaning=f"{form.meaning}, under {latency} latency",
            )
            for latency, form in forms.items()
        }

    @property
    def digest(self) -> str:
        """Equal if the formulas are."""
        return sha256("\n".join(map(sp.srepr, self.sources)).encode()).hexdigest()[:16]


@cache
def offers() -> dict[str, Offer]:
    """All that can be asked for, by name."""
    listed = [
        *(_of_quantity(each) for module in MODULES.values() for each in module),
        *map(_of_root, (*TARGETS, *CUTOFFS, *GRANULARITIES)),
        Offer(
            name="should_offload",
            meaning=MEANING,
            unit="yes or no",
            latencies=LATENCIES,
            write=decision_function,
            sources=(formula("speedup").expr,),
        ),
    ]
    return {each.name: each for each in listed}


def _of_root(name: str) -> Offer:
    function = (
        target_function
        if name in TARGETS
        else extension_function
        if name in GRANULARITIES
        else cutoff_function
    )
    return Offer(
        name=name,
        meaning=formula(name).meaning,
        unit=str(formula(name).unit),
        latencies=("linear",) if name in CUTOFFS else LATENCIES,
        write=partial(function, name),
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


def _extreme(name: str, first: Callable[[sp.Expr, sp.Expr], sp.Basic]) -> TargetFunction:
    x, y = sp.symbols("x y")
    return TargetFunction(
        name=name,
        meaning=f"the {name} of two numbers",
        unit="as they have",
        parameters=(
            Parameter(name="x", meaning="a number", unit="any"),
            Parameter(name="y", meaning="another", unit="that of x"),
        ),
        body=(
            When(condition=sp.Function("isnan")(x), body=(Give(value=x),)),
            When(condition=first(x, y), body=(Give(value=x),)),
            Give(value=y),
        ),
        notes=("NaN if either of them is.",),
        public=False,
    )


HELPERS: dict[str, Callable[[], TargetFunction]] = {
    "larger": partial(_extreme, "larger", sp.StrictGreaterThan),
    "smaller": partial(_extreme, "smaller", sp.StrictLessThan),
    **SOLVER,
}
"""Functions that others call, each after those that it calls itself."""
