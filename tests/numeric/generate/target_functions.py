"""Functions as they are derived, before any language has them."""

from collections.abc import Sequence
from functools import cache

from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.generate.codegen.offers import offers
from logca.numeric.generate.codegen.tree import TargetFunction


@cache
def _forms(name: str) -> dict[str, TargetFunction]:
    return offers()[name].functions()


def functions(names: Sequence[str], latency: str) -> list[TargetFunction]:
    """Functions of the names under a form of latency, or under both."""
    chosen = LATENCIES if latency == "both" else (latency,)
    found = [each for name in names for form, each in _forms(name).items() if form in chosen]
    return list({each.name: each for each in found}.values())
