"""Extensions that are LogCA again: their parameters, and the granularities that follow."""

import numpy as np

from logca.common.errors import ArgumentError
from logca.numeric.arrays.arrays import Array, real
from logca.numeric.generated.extensions import EXTENSIONS, PARAMETERS, ROOTS
from logca.numeric.roots.granularity import Roots, granularity_for

__all__ = ["as_logca", "roots_of"]


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
        raise ArgumentError(f"unknown latency {latency!r}; it is 'constant' or 'linear'")
    own = PARAMETERS[extension]
    if {*own} != {*given}:
        raise ArgumentError(
            f"{extension} takes {', '.join(own)} besides o, L, C and A, "
            f"not {', '.join(given) or 'nothing'}"
        )
    arguments = [real(each) for each in (o, L, C, A, *(given[name] for name in own))]
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
        are known within a factor.
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
    if formula not in ROOTS:
        raise ArgumentError(f"unknown root {formula!r}; choose one of {', '.join(ROOTS)}")
    extension, target = ROOTS[formula]
    if (target is None) != (s is not None):
        raise ArgumentError(f"{formula} {'needs a' if target is None else 'has no'} target s")
    again = as_logca(extension, latency=latency, **given)
    return granularity_for(s if target is None else target, **again, beta=beta, latency=latency)
