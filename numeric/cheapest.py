"""The cheapest change of an accelerator that reaches a speedup at a granularity."""

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Union

from logca.numeric.change import Change, Costs, factors_between
from logca.numeric.cheapest_point import cheapest_point
from logca.numeric.domain import MODEL, check, check_latency
from logca.numeric.evaluation import evaluate
from logca.numeric.sizes import format_size, parse_size
from logca.numeric.sweeping.errors import SweepError
from logca.numeric.water_filling import cost_of, shrunk

if TYPE_CHECKING:
    import xarray as xr

    from logca.numeric.accelerator import Accelerator

__all__ = ["cheapest_change"]

_SHRINKING = {"o": "share_o", "L": "share_L", "A": "share_C"}


def cheapest_change(
    today: Union["Accelerator", Mapping[str, Any]],
    *,
    speedup: float,
    g: float | str,
    among: "xr.Dataset | None" = None,
    costs: Costs | None = None,
) -> Change:
    """The cheapest change that reaches a speedup at a granularity, exactly or among a sweep.

    A change costs the sum over the parameters of weight times |ln(new/old)|: what halves the
    overhead costs as much as what halves it again. Without a sweep o, L and A may take any value,
    and the change is the exact optimum. With one, it is the point of the sweep with the least cost
    (of equally cheap ones the fastest).

    Parameters
    ----------
    today : Accelerator or mapping
        The parameters o, L, C, A and beta before the change, by name; `latency` in a mapping is
        "constant" unless it says otherwise.
    speedup : float
        What is to be reached, positive [1].
    g : float or str
        Granularity, such as 4096 or "4 KiB" [B].
    among : Dataset, optional
        A sweep of the parameters. Its speedups are used if it has them at g, those of the model
        otherwise.
    costs : mapping of str to float, or callable
        Weights; a parameter without one stays as it is. By default 1 for each, without a sweep for
        o, L and A. Or, with a sweep, a function of the new parameters, as arrays that broadcast,
        and the old ones, that returns costs [1].

    Raises
    ------
    SweepError
        If parameters are missing, weights cannot be used, the sweep has another form of latency, or
        the speedup is too small for floating point.
    DomainError
        If a number is outside the domain.

    Examples
    --------
    >>> today = dict(o=29_000, L=1500, C=90, A=19, beta=1)
    >>> found = cheapest_change(today, speedup=5, g="1 KiB")
    >>> print(found)
    o = 1.208e+04 (×0.4166): speedup 5, cost 0.8756
    >>> print(cheapest_change(today, speedup=20, g="1 KiB", costs={"o": 1}))
    no change reaches a speedup of 20 at 1 KiB; it stays below 14.51
    """
    old, latency = _parameters(today)
    target, size = check("s", speedup), check("g", parse_size(g))
    if among is not None:
        return cheapest_point(among, old, latency, target=target, g=size, costs=costs)
    return _exact(old, latency, target, size, costs)


def _parameters(today: Any) -> tuple[dict[str, float], str]:
    """Parameters and form of latency, checked."""
    if isinstance(today, Mapping):
        given, latency = dict(today), check_latency(today.get("latency", "constant"))
    else:
        given = {name: getattr(today, name) for name in MODEL}
        latency = check_latency(today.latency)
    if missing := [name for name in MODEL if name not in given]:
        raise SweepError(f"the parameters before the change lack {', '.join(missing)}")
    return {name: check(name, given[name], latency) for name in MODEL}, latency


def _exact(
    old: dict[str, float], latency: str, target: float, g: float, costs: Costs | None
) -> Change:
    """Host time over accelerated time is one over a sum of shares, which shrink independently."""
    weights = _weights(costs)
    at: dict[str, Any] = {"g": g, "latency": latency, **old}
    now = float(evaluate("speedup", **at))
    if now >= target:
        return _change(old, old, latency, target=target, g=g, cost=0.0)
    if now == 0:
        raise SweepError(
            f"the speedup at {format_size(g)} is too small for floating point; take a larger size"
        )
    terms = {name: float(evaluate(share, **at)) / now for name, share in _SHRINKING.items()}
    rest = sum(term for name, term in terms.items() if name not in weights)
    if 1 / target <= rest:
        return Change(
            reached=False,
            target=target,
            g=g,
            speedup=1 / rest,
            cost=inf,
            parameters={},
            factors={},
        )
    free = {name: term for name, term in terms.items() if name in weights and term > 0}
    smaller = shrunk(free, weights, 1 / target - rest)
    factors = {
        name: term / free[name] if name != "A" else free[name] / term
        for name, term in smaller.items()
    }
    new = {name: value * factors.get(name, 1.0) for name, value in old.items()}
    return _change(old, new, latency, target=target, g=g, cost=cost_of(factors, weights))


def _weights(costs: Costs | None) -> dict[str, float]:
    if costs is None:
        return dict.fromkeys(_SHRINKING, 1.0)
    if not isinstance(costs, Mapping):
        raise SweepError("a function of costs goes with a sweep; without one, give weights")
    for name, weight in costs.items():
        if name not in _SHRINKING:
            raise SweepError(f"without a sweep only o, L and A may change, not {name}")
        if not 0 < weight < inf:
            raise SweepError(f"the weight of {name} is {weight}; it must be positive and finite")
    if not costs:
        raise SweepError("no parameter may change; give a weight to o, L or A")
    return dict(costs)


def _change(
    old: dict[str, float],
    new: dict[str, float],
    latency: str,
    *,
    target: float,
    g: float,
    cost: float,
) -> Change:
    at: dict[str, Any] = {"g": g, "latency": latency, **new}
    found = float(evaluate("speedup", **at))
    return Change(
        reached=True,
        target=target,
        g=g,
        speedup=found,
        cost=cost,
        parameters=new,
        factors=factors_between(old, new),
    )
