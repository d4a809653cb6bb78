"""The specification of a sweep: quantities and axes, checked before anything is computed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from math import prod
from typing import Any

from logca.common.near_misses import did_you_mean
from logca.numeric.accelerator.parameter_ranges import MODEL, check_latency
from logca.numeric.evaluation.by_name import defaults_of, evaluate, parameters_of
from logca.numeric.generated import HOMES
from logca.numeric.generated.units import ENTRIES, PARAMETERS
from logca.numeric.sweep.axes import checked
from logca.numeric.sweep.blocks import BLOCK, Grid, SweepError, cut

__all__ = ["NAMES", "Sweep", "compute", "depends_on", "digest_of", "entry", "plan"]

_ROOTS = {
    "g1": "lower",
    "g1_upper": "upper",
    "gA2": "lower",
    "gA2_upper": "upper",
    "g_s": "lower",
    "g_s_upper": "upper",
}

NAMES = tuple(sorted({*HOMES, *_ROOTS}))
"""Names of all quantities."""


def depends_on(name: str, latency: str) -> tuple[str, ...]:
    """Names of the parameters that a quantity depends on.

    Examples
    --------
    >>> depends_on("gA2_upper", "linear")
    ('o', 'L', 'C', 'A', 'beta')
    """
    if name not in NAMES:
        raise SweepError(_unknown(name))
    if name in _ROOTS:
        return ("s", *MODEL) if name.startswith("g_s") else MODEL
    if name not in ENTRIES[latency]:
        other = next(form for form in ENTRIES if name in ENTRIES[form])
        raise SweepError(f"{name} exists under {other} latency only, not under {latency} latency")
    return parameters_of(name)


def entry(name: str, latency: str, unit: str) -> tuple[str, str]:
    """Unit and meaning of a parameter or quantity.

    Examples
    --------
    >>> entry("C", "constant", "ns")[0]
    'ns/B**beta'
    """
    if name in _ROOTS:
        lower = name.removesuffix("_upper")
        of, meaning = ENTRIES["constant"][lower]
        return of, meaning if name == lower else meaning.replace("least", "greatest")
    of, meaning = ENTRIES[latency][name]
    return of.replace("cycles", unit), meaning


def compute(
    name: str, latency: str, arguments: dict[str, Any], memory: dict[str, Any] | None = None
) -> Any:
    """A quantity at arrays that are broadcast together [unit of the quantity]."""
    if name not in _ROOTS:
        return evaluate(name, latency=latency, **arguments)
    from logca.numeric.roots.granularity import granularity_for

    model = {each: arguments[each] for each in MODEL}
    targets = {"g1": 1.0, "gA2": arguments["A"] / 2, "g_s": arguments.get("s")}
    lower, found = name.removesuffix("_upper"), {} if memory is None else memory
    if lower not in found:
        found[lower] = granularity_for(targets[lower], latency=latency, **model)
    return getattr(found[lower], _ROOTS[name])


def _unknown(name: str) -> str:
    if name in PARAMETERS:
        return f"{name} is a parameter, not a quantity; quantities are, for example, speedup or g1"
    hint = did_you_mean(name, NAMES, most=3, quote=str) or f"known: {', '.join(NAMES)}"
    return f"no quantity is named {name!r}; {hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Which quantities at which points."""

    quantities: tuple[str, ...]  # names of the quantities
    # values of the parameters that vary, in the order of the grid's axes [as in `units`]
    axes: Mapping[str, tuple[float, ...]]
    fixed: Mapping[str, float]  # the other parameters [as in `units`]
    latency: str  # form of latency
    unit: str  # unit of time
    grid: Grid  # the blocks

    @property
    def points(self) -> int:
        """Points of the grid [1]."""
        return prod(self.grid.shape)

    def axes_of(self, quantity: str) -> tuple[str, ...]:
        """Names of the axes along which a quantity varies, in order."""
        used = depends_on(quantity, self.latency)
        return tuple(name for name in self.axes if name in used)

    def shape_of(self, quantity: str) -> tuple[int, ...]:
        """Shape of a quantity [1]."""
        return tuple(len(self.axes[name]) for name in self.axes_of(quantity))

    def identity(self) -> dict[str, Any]:
        """Identity of this sweep, to compare with another's, for JSON; `digest` covers all."""
        said = {
            "version": version("logca"),
            "quantities": list(self.quantities),
            "latency": self.latency,
            "unit": self.unit,
            "fixed": dict(self.fixed),
            "axes": {
                name: {"size": len(axis), "first": axis[0], "last": axis[-1]}
                for name, axis in self.axes.items()
            },
            "block": list(self.grid.block),
        }
        return {**said, "digest": digest_of(said, self.axes)}


def digest_of(said: Mapping[str, Any], axes: Mapping[str, Sequence[float]]) -> str:
    """Digest of what an identity says beside it, and of all values of the axes."""
    values = {name: [value.hex() for value in axis] for name, axis in axes.items()}
    exact = json.dumps([said, list(values), values], sort_keys=True)
    return sha256(exact.encode()).hexdigest()


def plan(
    quantities: str | Sequence[str],
    parameters: Mapping[str, Any],
    *,
    latency: str = "constant",
    unit: str = "cycles",
    block: int = BLOCK,
) -> Sweep:
    """A checked specification.

    Examples
    --------
    >>> found = plan("speedup_infinite", {"g": [64, 512], "o": 10, "L": 3, "C": 35, "beta": 1})
    >>> found.grid.shape, found.fixed["C"]
    ((2,), 35.0)
    """
    check_latency(latency)
    if isinstance(block, bool) or not isinstance(block, int) or block < 1:
        raise SweepError(f"a block of {block!r} points; a block has at least one point")
    names = (quantities,) if isinstance(quantities, str) else tuple(quantities)
    if not names:
        raise SweepError("no quantity to compute; name one, such as speedup")
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise SweepError(f"{twice[0]} is named twice; name each quantity once")
    for name in parameters:
        if name not in PARAMETERS:
            raise SweepError(f"no parameter is named {name!r}; known: {', '.join(PARAMETERS)}")
    needs = {name: depends_on(name, latency) for name in names}
    for name, needed in needs.items():
        usual = defaults_of(name.removesuffix("_upper"))
        parameters = {**parameters} | {
            each: usual[each] for each in needed if each in usual and each not in parameters
        }
        if missing := [each for each in needed if each not in parameters]:
            raise SweepError(
                f"{name} depends on {', '.join(missing)}; give each a value, or several, or name "
                "an accelerator"
            )
    values = {name: checked(name, given, latency) for name, given in parameters.items()}
    axes = {name: value for name, value in values.items() if isinstance(value, tuple)}
    for name in axes:
        if not any(name in needed for needed in needs.values()):
            raise SweepError(f"nothing depends on {name}, but it has several values; give one")
    shape = tuple(len(axis) for axis in axes.values())
    return Sweep(
        quantities=names,
        axes=axes,
        fixed={name: value for name, value in values.items() if isinstance(value, float)},
        latency=latency,
        unit=unit,
        grid=cut(shape, block),
    )
