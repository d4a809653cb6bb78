"""What can be swept: the array functions, and the granularities that roots give."""

from typing import Any

from logca.numeric.domain import MODEL
from logca.numeric.evaluation import evaluate, parameters_of
from logca.numeric.generated import HOMES
from logca.numeric.generated.units import ENTRIES, PARAMETERS
from logca.numeric.sweeping.errors import SweepError

__all__ = ["NAMES", "compute", "depends_on", "entry"]

_ROOTS = {
    "g1": "lower",
    "g1_upper": "upper",
    "gA2": "lower",
    "gA2_upper": "upper",
    "g_s": "lower",
    "g_s_upper": "upper",
}

NAMES = tuple(sorted({*HOMES, *_ROOTS}))
"""Names of all quantities [text]."""


def depends_on(name: str, latency: str) -> tuple[str, ...]:
    """Names of the parameters that a quantity depends on [text].

    Raises
    ------
    SweepError
        If there is no such quantity under this form of latency.

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
    """Unit and meaning of a parameter or quantity [text].

    Parameters
    ----------
    name : str
        Its name [text].
    latency : str
        Form of latency [text].
    unit : str
        The unit of time [text].

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
    """A quantity at arrays that are broadcast together [unit of the quantity].

    Parameters
    ----------
    name : str
        One of `NAMES` [text].
    latency : str
        Form of latency [text].
    arguments : dict of str to array
        What the quantity depends on [any].
    memory : dict, optional
        Of one block: lower and upper roots are found together, and once [any].
    """
    if name not in _ROOTS:
        return evaluate(name, latency=latency, **arguments)
    from logca.numeric.roots import granularity_for

    model = {each: arguments[each] for each in MODEL}
    targets = {"g1": 1.0, "gA2": arguments["A"] / 2, "g_s": arguments.get("s")}
    lower, found = name.removesuffix("_upper"), {} if memory is None else memory
    if lower not in found:
        found[lower] = granularity_for(targets[lower], latency=latency, **model)
    return getattr(found[lower], _ROOTS[name])


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    if name in PARAMETERS:
        return f"{name} is a parameter, not a quantity; quantities are, for example, speedup or g1"
    near = get_close_matches(name, NAMES, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(NAMES)}"
    return f"no quantity is named {name!r}; {hint}"
