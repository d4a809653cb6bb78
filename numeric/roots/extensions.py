"""Extensions that are LogCA again: their parameters, and the granularities that follow."""

from collections.abc import Iterable, Mapping

import numpy as np

from logca.common.errors import ArgumentError
from logca.numeric.arrays.arrays import Array, real
from logca.numeric.generated.extensions import (
    EXTENSIONS,
    FLIGHT,
    FLIGHT_ARGUMENTS,
    PARAMETERS,
    ROOTS,
)
from logca.numeric.roots.granularity import Roots, granularity_for, trinomial_roots

__all__ = ["as_logca", "roots_of"]

_IN_FLIGHT = "g_s_in_flight"
_UNKNOWN_LATENCY = "unknown latency {!r}; it is 'constant' or 'linear'"


def as_logca(
    extension: str,
    *,
    o: Array,
    L: Array,
    C: Array,
    A: Array,
    latency: str = "constant",
    **given: Array,
) -> dict[str, Array]:
    """Parameters with which an extension of the model is LogCA again [unit of each].

    Every array function takes them: the speedup with them is the energy gain, the speedup of a
    batch or of a whole application, or an end of that of parameters known within a factor.

    Parameters
    ----------
    extension : str
        "energy", with `p_host`, `p_overhead`, `p_link` and `p_accelerator` [W]; "batch", with the
        number of items `m` [1]; "application", with the kernel's fraction `f` of its host time [1];
        "worse" and "better", with the factor `rho` within which o, L, C and A are known [1].
    o, L, C, A : array
        The accelerator: overhead [cycles], latency per offload [cycles] or per byte [cycles/B],
        computational index [cycles/B**beta] and acceleration [1].
    latency : str
        Form of latency, "constant" or "linear".
    **given : array
        What the extension needs.

    Raises
    ------
    ArgumentError
        If there is no such extension or form of latency, or an argument is missing or too many.

    Notes
    -----
    Source: logca2026, claims ext-energy-model, ext-amdahl-closure-model and those of batches and
    uncertainty.

    Examples
    --------
    >>> from logca import numeric
    >>> aes = {"o": 29_000, "L": 1500, "C": 90, "A": 19}
    >>> again = as_logca("application", **aes, f=0.6)
    >>> print(f"{numeric.speedup(4096, **again):.4f}")
    2.0780
    >>> print(f"{numeric.speedup_application(4096, **aes, f=0.6):.4f}")
    2.0780
    """
    if extension not in PARAMETERS:
        raise ArgumentError(
            f"unknown extension {extension!r}; choose one of {', '.join(PARAMETERS)}"
        )
    if latency not in EXTENSIONS:
        raise ArgumentError(_UNKNOWN_LATENCY.format(latency))
    arguments = [
        real(each) for each in (o, L, C, A, *_own(extension, PARAMETERS[extension], given))
    ]
    with np.errstate(all="ignore"):
        found = EXTENSIONS[latency][extension](np, *arguments)
    return dict(zip(("o", "L", "C", "A"), found, strict=True))


def roots_of(
    formula: str,
    *,
    beta: Array = 1.0,
    s: Array | None = None,
    latency: str = "constant",
    **given: Array,
) -> Roots:
    """All granularities of an extension that are roots, by the name of their formula [B].

    Parameters
    ----------
    formula : str
        "g1_energy", from where offloading saves energy; "g1_application" and "g_s_application", of
        a whole application; "g_s_low" and "g_s_high", the least and the greatest g_s if parameters
        are known within a factor; "g_s_in_flight", of a stream with `n` requests in flight, of
        which `u_host`, `u_link`, `u_accelerator` and `u_shared` are served side by side.
    beta : array
        Exponent of the kernel's complexity [1].
    s : array
        Target, of those with an s in their name [1].
    latency : str
        Form of latency, "constant" or "linear".
    **given : array
        The accelerator and what the extension needs, as of `as_logca`.

    Raises
    ------
    ArgumentError
        If there is no such formula, or an argument is missing or too many.

    Notes
    -----
    Where `granularity_for` finds two roots, it pays between `lower` and `upper`. Source: logca2026.

    Examples
    --------
    >>> aes = {"o": 29_000, "L": 1500, "C": 90, "A": 19}
    >>> power = {"p_host": 90, "p_overhead": 90, "p_link": 60, "p_accelerator": 150}
    >>> print(f"{roots_of('g1_energy', **aes, **power).lower:.1f}")
    365.4
    """
    if formula == _IN_FLIGHT:
        return _in_flight(beta=beta, latency=latency, **given, **({} if s is None else {"s": s}))
    if formula not in ROOTS:
        known = ", ".join((*ROOTS, _IN_FLIGHT))
        raise ArgumentError(f"unknown root {formula!r}; choose one of {known}")
    extension, target = ROOTS[formula]
    if (target is None) != (s is not None):
        raise ArgumentError(f"{formula} {'needs a' if target is None else 'has no'} target s")
    again = as_logca(extension, latency=latency, **given)
    return granularity_for(s if target is None else target, **again, beta=beta, latency=latency)


def _in_flight(
    *, o: Array, L: Array, C: Array, A: Array, beta: Array, latency: str, **given: Array
) -> Roots:
    if latency not in FLIGHT:
        raise ArgumentError(_UNKNOWN_LATENCY.format(latency))
    own = _own(_IN_FLIGHT, FLIGHT_ARGUMENTS, given)
    with np.errstate(all="ignore"):
        k, c, l = FLIGHT[latency](np, *map(real, (o, L, C, A, *own)))
    return trinomial_roots(k, c, l, beta)


def _own(name: str, wanted: Iterable[str], given: Mapping[str, Array]) -> list[Array]:
    """Arguments that a formula takes besides those of an accelerator, in order."""
    if {*wanted} != {*given}:
        raise ArgumentError(
            f"{name} takes {', '.join(wanted)} besides o, L, C and A, "
            f"not {', '.join(given) or 'nothing'}"
        )
    return [given[each] for each in wanted]
