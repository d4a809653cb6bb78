"""An accelerator: five checked parameters, and what follows from them.

Granularities may be given in every form in which people have them, see `sizes`.
"""

from contextlib import suppress
from dataclasses import dataclass, fields, replace
from math import inf, isnan, nan
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace, is_jax_array, is_lazy_array

from logca.common import results
from logca.common.sizes import SizeError, parse_size
from logca.numeric.accelerator.answers import (
    Bound,
    Elasticities,
    Granularities,
    Peak,
    Shares,
    UnreachableError,
    Window,
    granularities,
)
from logca.numeric.accelerator.explain import IMPROVABLE, TENFOLD, Facts, explain, why_not
from logca.numeric.accelerator.extensions import Chunks, Sharing, chunks, extended, sharing
from logca.numeric.accelerator.parameter_ranges import (
    MODEL,
    RANGES,
    UNITS,
    DomainError,
    check,
    check_factor,
    check_latency,
    check_whole,
    number_from,
    time_in,
)
from logca.numeric.accelerator.regions import Regions, regions
from logca.numeric.accelerator.wider_numbers import beyond_range, in_wider_numbers, leaves_range
from logca.numeric.arrays.arrays import Array, apply, is_foreign, is_octets
from logca.numeric.arrays.labels import has_labels, refuse_labels
from logca.numeric.evaluation.by_name import form_of, parameters_of
from logca.numeric.generated.latex import SPEEDUP, SYMBOLS
from logca.numeric.roots.granularity import granularity_for
from logca.numeric.roots.status import RootStatus

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Accelerator",
    "sizes",
]


def sizes(g: Array) -> Array:
    """Granularities from numbers, texts or arrays, checked to be positive and finite [B].

    Arrays of other libraries keep their kind. Those whose values are not known yet, as in Dask or
    while JAX traces a function, pass unchecked.

    Examples
    --------
    >>> sizes(["16 B", "4 KiB"]).tolist()
    [16.0, 4096.0]
    """
    if type(g) in (float, int, str):  # what a program asks of most calls, before what takes longer
        return parse_size(g)
    if is_foreign(g):
        return _checked(g)
    if isinstance(g, np.ma.MaskedArray):
        raise SizeError("a masked array is no array of sizes: take the sizes that are not masked")
    if isinstance(g, list | tuple):
        refuse_labels(g)
    if has_labels((g,)):
        return _checked_labelled(g)
    try:
        axes = np.ndim(g)
    except ValueError:
        raise SizeError(f"{short(g)} is no array: its rows have different lengths") from None
    if isinstance(g, str) or axes == 0:
        return parse_size(g.item() if isinstance(g, np.ndarray) and g.dtype.kind != "m" else g)
    array = np.asarray(g)
    if array.dtype.kind == "m" or is_octets(g, array):
        raise SizeError(f"{short(g)} are no sizes: give numbers of bytes, or texts such as '4KiB'")
    if array.dtype.kind not in "fiu":
        return np.vectorize(parse_size, otypes=[float])(np.asarray(g, dtype=object))
    wrong = ~((array > 0) & (array < inf))
    if wrong.any():
        parse_size(array[wrong].flat[0])
    return array


def _checked_labelled(g: Array) -> Array:
    try:
        if np.asarray(g).dtype.kind not in "iufO":
            raise TypeError
        values = np.asarray(g, dtype=np.float64)
    except (TypeError, ValueError):
        raise SizeError("sizes with labels are numbers of bytes, in one array or Series") from None
    if not ((values > 0) & (values < inf)).all():
        raise SizeError("some of the sizes with labels are not more than 0 bytes, or infinite")
    return g


def _checked(g: Array) -> Array:
    if is_lazy_array(g) and not is_jax_array(g):
        return g
    try:
        good = bool(array_namespace(g).all((g > 0) & (g < inf)))
    except TypeError:  # a traced array of JAX has no truth value
        return g
    if not good:
        raise SizeError(f"{g!r} is no array of sizes: each is more than 0 bytes, and finite")
    return g


_IMPROVED_DOWN = ("o", "L")
_IMPROVED_UP = ("C", "A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """A kernel on an accelerator, by the parameters of LogCA (altaf2017, §2).

    Parameters may be texts with units, as on the command line: ``o="10us"`` with `unit` "seconds".

    Parameters
    ----------
    o : float
        Overhead: time the host spends to set an offload up, at least 0 [cycles].
    L : float
        Latency, at least 0: of an offload [cycles] if constant, of a byte [cycles/B] if linear.
    C : float
        Computational index: host time for a granularity of one byte, positive [cycles/B**beta].
    A : float
        Acceleration: peak speedup, greater than 1 [1].
    beta : float
        Exponent of the kernel's complexity, positive [1].
    latency : str
        "constant" (altaf2017, Eq. 2) or "linear" (Eq. 8).
    unit : str
        Unit of time of o, L and C: "cycles" or "seconds".
    name : str
        What it is called in tables and figures.

    Raises
    ------
    DomainError
        If a parameter is out of its domain.

    Examples
    --------
    >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19, name="UltraSPARC T2 AES")
    >>> print(f"{aes.speedup('4 KiB'):.3f}")
    7.387
    >>> print(aes.break_even(), "|", aes.half_peak())
    357.7 B | 6.288 KiB
    >>> aes.improve(o=10).break_even()[0] < aes.break_even()[0]
    True
    >>> Accelerator(o="10us", L="2us", C="36ns/B", A=12, unit="seconds").o
    1e-05
    """

    o: float
    L: float
    C: float
    A: float
    beta: float = 1.0
    latency: str = "constant"
    unit: str = "cycles"
    name: str = ""

    def __post_init__(self) -> None:
        check_latency(self.latency)
        if self.unit not in UNITS:
            raise DomainError(f"unit = {self.unit!r} must be one of {', '.join(UNITS)}")
        for name in MODEL:
            value = getattr(self, name)
            if isinstance(value, str):
                value = number_from(name, value, self.unit, self.latency)
            object.__setattr__(self, name, check(name, value, self.latency, self.unit))
        if not isinstance(self.name, str):
            raise DomainError(f"name = {self.name!r} must be a text")

    def speedup(self, g: Array) -> Array:
        """Speedup of offloading g bytes [1]; altaf2017, Eqs. 1, 2 and 8.

        Parameters
        ----------
        g : array or str
            Granularity, such as 4096 or "4 KiB", or an array of them [B].

        Raises
        ------
        SizeError, DomainError
            If a granularity is no positive size.
        """
        return self._at_sizes("speedup", sizes(g))

    def time_host(self, g: Array) -> Array:
        """Time of the kernel on the host [cycles] or seconds; altaf2017, §2.

        Parameters
        ----------
        g : array or str
            Granularity [B].
        """
        return self._at_sizes("T0", sizes(g))

    def time_accelerated(self, g: Array) -> Array:
        """Time of the kernel when it is offloaded [cycles] or seconds; altaf2017, §2.

        Parameters
        ----------
        g : array or str
            Granularity [B].
        """
        return self._at_sizes("T1", sizes(g))

    def granularity_for(self, speedup: float) -> Granularities:
        """All granularities with a speedup, in ascending order [B].

        Exact where altaf2017, Eqs. 11 to 13 take one Newton step.

        Parameters
        ----------
        speedup : float
            Target, positive [1].

        Raises
        ------
        DomainError
            If the target is no positive number.

        Examples
        --------
        >>> radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")
        >>> print(radix.granularity_for(3))
        128.6 MiB and 2.085 GiB
        >>> radix.granularity_for(5).reason
        'never reached: the greatest speedup, or its limit, is lower'
        """
        found = granularity_for(check("s", speedup), **self._parameters(), latency=self.latency)
        return granularities(found.lower, found.upper, found.status)

    def break_even(self) -> Granularities:
        """Where offloading begins to pay, and where it ceases to [B]; altaf2017, Eqs. 5 and 11."""
        return self.granularity_for(1.0)

    def half_peak(self) -> Granularities:
        """Where half the acceleration is reached [B]; altaf2017, Eqs. 6 and 12."""
        return self.granularity_for(self.A / 2)

    def peak(self) -> Peak:
        """The greatest speedup, and where; a limit if the speedup never falls.

        Examples
        --------
        >>> radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")
        >>> print("{:.4g} B, {:.3f}".format(*radix.peak()[:2]))
        4.178e+08 B, 3.087
        """
        if not self._falls():
            return Peak(granularity=inf, speedup=self.limit(), attained=self._flat())
        if self.o == 0:
            return Peak(granularity=0.0, speedup=self.A, attained=False)
        peak = float(self._evaluate("g_peak"))
        return Peak(granularity=peak, speedup=float(self._evaluate("speedup_peak")), attained=True)

    def limit(self) -> float:
        """Limit of the speedup for ever larger granularities [1]; altaf2017, Eqs. 3 and 9."""
        return float(self._evaluate("limit_large"))

    def bound(self) -> Bound:
        """The resource that bounds the speedup, computation or latency; altaf2017, §3.1."""
        limit = self.limit()
        if self.latency == "constant" or self.L == 0:
            reason = "no byte pays latency, so the speedup tends to the acceleration"
        elif self.beta > 1:
            reason = "computation grows faster than latency, so the speedup tends to A"
        elif self.beta == 1:
            reason = "computation and latency grow alike, so the speedup stays below A"
        else:
            reason = "latency grows faster than computation, so the speedup falls in the end"
        kind = "compute" if limit == self.A else "latency"
        return Bound(kind=kind, limit=limit, reason=reason)

    def shares(self, g: Array) -> Shares:
        """Shares of overhead, latency and computation in the accelerated time [1].

        Parameters
        ----------
        g : array or str
            Granularity [B].
        """
        at = {"g": sizes(g)}
        return Shares(*(self._evaluate(f"share_{each}", **at) for each in "oLC"))

    def elasticity(self, g: Array) -> Elasticities:
        """Elasticities of the speedup with respect to all parameters [1].

        Parameters
        ----------
        g : array or str
            Granularity [B].
        """
        at = {"g": sizes(g)}
        return Elasticities(*(self._evaluate(f"e_{each}", **at) for each in Elasticities._fields))

    def regions(
        self,
        improvement: float = 10.0,
        gain: float = 1.2,
        *,
        low: float | str = 0.0,
        high: float | str = inf,
    ) -> Regions:
        """Which parameter is worth improving at which granularity; altaf2017, §3.2.

        Parameters
        ----------
        improvement : float
            By which factor a parameter is improved [1].
        gain : float
            By which factor the speedup must grow to count [1].
        low, high : float or str
            Range of granularities; all of them if left out [B].

        Raises
        ------
        DomainError, SizeError
            If an argument is out of range.
        """
        return regions(
            **self._parameters(),
            latency=self.latency,
            improvement=improvement,
            gain=gain,
            low=0.0 if low == 0 else parse_size(low),
            high=inf if high == inf else parse_size(high),
        )

    def improve(self, **factors: float) -> "Accelerator":
        """The accelerator with some parameters improved: o and L divided, C and A multiplied.

        Parameters
        ----------
        **factors : float
            For o, L, C or A a positive factor; less than 1 makes it worse [1].

        Raises
        ------
        DomainError
            If something else is to be improved, or the result is out of its domain.

        Examples
        --------
        >>> better = Accelerator(o=29_000, L=1500, C=90, A=19).improve(o=10, A=2)
        >>> better.o, better.A
        (2900.0, 38.0)
        """
        new: dict[str, Any] = {}
        for name, factor in factors.items():
            if name not in (*_IMPROVED_DOWN, *_IMPROVED_UP):
                raise DomainError(f"{name!r} cannot be improved by a factor; o, L, C and A can")
            by, value = check_factor(name, factor), getattr(self, name)
            new[name] = value / by if name in _IMPROVED_DOWN else value * by
        return replace(self, **new)

    def batch(self, items: int) -> "Accelerator":
        """The accelerator if each offload carries several items of a size.

        Its granularity is that of one item; what an offload pays once is shared by all of them.

        Parameters
        ----------
        items : int
            Number of items [1].

        Raises
        ------
        DomainError
            If it is no whole number, 1 or more.

        Examples
        --------
        >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19)
        >>> print(aes.break_even(), "|", aes.batch(8).break_even())
        357.7 B | 44.71 B
        """
        return self._extended("batch", "a batch never pays", m=check_whole("m", items))

    def application(self, fraction: float) -> "Accelerator":
        """The whole application, of which the kernel takes a fraction of the host time (Amdahl).

        Parameters
        ----------
        fraction : float
            Of the application's time on the host, that in the kernel: above 0, at most 1 [1].

        Raises
        ------
        DomainError
            If it is no such fraction.

        Examples
        --------
        >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19)
        >>> print(f"{aes.application(0.6).speedup('4 KiB'):.3f}")
        2.078
        """
        return self._extended("application", "the application never gains", f=fraction)

    def energy(
        self, *, host: float, overhead: float, link: float, accelerator: float
    ) -> "Accelerator":
        """The accelerator whose speedup is the energy gain: energy on the host over offloaded.

        Parameters
        ----------
        host, overhead, link, accelerator : float
            Power of the whole system while the host computes, sets an offload up, waits for data,
            and while the accelerator computes [W].

        Raises
        ------
        DomainError
            If a power is not positive, or offloading never saves energy.

        Examples
        --------
        >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19)
        >>> print(aes.energy(host=90, overhead=90, link=60, accelerator=150).break_even())
        365.4 B
        """
        powers = {"p_host": host, "p_overhead": overhead, "p_link": link}
        powers["p_accelerator"] = accelerator
        return self._extended("energy", "offloading never saves energy", **powers)

    def known_within(self, factor: float) -> "tuple[Accelerator, Accelerator]":
        """The worst and the best accelerator if o, L, C and A are known within a factor.

        Parameters
        ----------
        factor : float
            At least 1 [1].

        Raises
        ------
        DomainError
            If it is less, or the worst one may have no acceleration.

        Examples
        --------
        >>> worst, best = Accelerator(o=29_000, L=1500, C=90, A=19).known_within(1.2)
        >>> print(worst.break_even(), "|", best.break_even())
        520.9 B | 246.1 B
        """
        why = "at worst offloading never pays"
        worst, best = (self._extended(each, why, rho=factor) for each in ("worse", "better"))
        return worst, best

    def sharing(self, g: float | str) -> Sharing:
        """Work of which the host keeps the best part, so that both are done at once.

        Parameters
        ----------
        g : float or str
            Granularity of the whole work, which can be cut anywhere [B].

        Raises
        ------
        SizeError
            If it is no positive size.

        Examples
        --------
        >>> kept, speedup = Accelerator(o=29_000, L=1500, C=90, A=19).sharing("4 KiB")
        >>> print(f"{kept:.1%}, {speedup:.3f}")
        5.4%, 7.545
        """
        return sharing(self._parameters(), self.latency, g)

    def chunks(self, length: float | str) -> Chunks:
        """Chunks into which a stream is best cut, so that link and accelerator overlap.

        Parameters
        ----------
        length : float or str
            Of the stream [B].

        Raises
        ------
        SizeError, DomainError
            If it is no size, the work is not linear, or offloads pay nothing once.

        Examples
        --------
        >>> radix = Accelerator(o=4e5, L=15, C=290, A=7, latency="linear")
        >>> print("{:.4g} chunks of {:.4g} B".format(*radix.chunks("1 MiB")[:2]))
        69.28 chunks of 1.514e+04 B
        """
        return chunks(self._parameters(), self.latency, length)

    def in_unit(self, unit: str, *, clock_Hz: float) -> "Accelerator":
        """Convert o, L and C to another unit of time.

        Parameters
        ----------
        unit : str
            "cycles" or "seconds".
        clock_Hz : float
            Clock that makes seconds of cycles [Hz].

        Raises
        ------
        DomainError
            If there is no such unit, or the clock is not positive and finite.

        Examples
        --------
        >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19).in_unit("seconds", clock_Hz=1.2e9)
        >>> print(aes.unit, f"{aes.o:.4g}", aes.break_even())
        seconds 2.417e-05 357.7 B
        """
        if unit not in UNITS:
            raise DomainError(f"unit = {unit!r} must be one of {', '.join(UNITS)}")
        o, L, C = (time_in(unit, each, self.unit, clock_Hz) for each in (self.o, self.L, self.C))
        return replace(self, o=o, L=L, C=C, unit=unit)

    def solve_for(self, parameter: str, *, speedup: float, g: float | str) -> float:
        """Value of one parameter for a speedup at a granularity [unit of the parameter].

        Parameters
        ----------
        parameter : str
            o, L, C, A or beta.
        speedup : float
            Target [1].
        g : float or str
            Granularity [B].

        Raises
        ------
        UnreachableError
            If no value of the parameter does it; the message says why.
        DomainError
            If there is no such parameter, or target or granularity are out of range.

        Examples
        --------
        >>> round(Accelerator(o=29_000, L=1500, C=90, A=19).solve_for("o", speedup=10, g="4 KiB"))
        15962
        """
        if parameter not in MODEL:
            raise DomainError(f"cannot solve for {parameter!r}; choose one of {', '.join(MODEL)}")
        at = {"g": parse_size(g), "s": check("s", speedup)}
        found = float(self._evaluate(f"{parameter}_for", **at))
        if isnan(found) or found not in RANGES[parameter]:
            best = self._greatest_speedup(parameter, at["g"])
            raise UnreachableError(
                why_not(parameter, speedup=at["s"], g=at["g"], found=found, A=self.A, best=best)
            )
        return found

    def window(self, low: float | str, high: float | str) -> Window:
        """Best, greatest and least speedup, and break-evens, between two granularities.

        Parameters
        ----------
        low, high : float or str
            The sizes [B].

        Raises
        ------
        DomainError, SizeError
            If they are no sizes, or not ascending.

        Examples
        --------
        >>> print(Accelerator(o=29_000, L=1500, C=90, A=19).window(16, "32 MiB"))
        16 B to 32 MiB: speedup 0.0471 to 19, best at 32 MiB
        """
        ends = {"g_low": parse_size(low), "g_high": parse_size(high)}
        if ends["g_low"] > ends["g_high"]:
            raise DomainError(f"the window from {low!r} to {high!r} must be ascending")
        best = self._best_in(ends["g_low"], ends["g_high"])
        found = self.break_even()
        inside = [each for each in found if ends["g_low"] <= each <= ends["g_high"]]
        status = found.status if len(inside) == len(found) else RootStatus.ELSEWHERE
        return Window(
            low=ends["g_low"],
            high=ends["g_high"],
            best=best,
            greatest=float(self.speedup(best)),
            least=float(self._evaluate("speedup_window_floor", **ends)),
            break_even=Granularities(inside, status),
        )

    def explain(self, g: float | str) -> str:
        """In plain words: whether g bytes pay, why, the bottleneck, what would have to change.

        Parameters
        ----------
        g : float or str
            Granularity [B].
        """
        g = parse_size(g)
        facts = Facts(
            g=g,
            name=self.name,
            latency=self.latency,
            unit=self.unit,
            time_host=float(self.time_host(g)),
            time_accelerated=float(self.time_accelerated(g)),
            speedup=float(self.speedup(g)),
            speedup_one=float(self.speedup(1.0)),
            break_even=self.break_even(),
            shares=self.shares(g),
            gains={
                name: float(self._evaluate(f"gain_{name}", g=g, r=TENFOLD)) for name in IMPROVABLE
            },
            now={name: getattr(self, name) for name in IMPROVABLE},
            needed=self._needed_to_break_even(g),
        )
        return explain(facts)

    def plot(
        self,
        what: str = "speedup",
        *,
        low: float | str = "16 B",
        high: float | str = "32 MiB",
        improvement: float = 10.0,
        gain: float = 1.2,
        width: str = "page",
    ) -> "Figure":
        """Draw the accelerator over granularity, as ``logca plot`` does.

        Parameters
        ----------
        what : str
            "speedup"; "metrics" with its marks on both axes; "bounds" that it stays below;
            "regions" in which improving a parameter pays; or "sensitivity" to each of them.
        low, high : float or str
            Range of granularities [B].
        improvement : float
            Of regions and sensitivity: by which factor a parameter is improved [1].
        gain : float
            Of both: by which factor the speedup must grow to count [1].
        width : str
            "page" or "column": as wide as a page of a paper, or as a column.

        Returns
        -------
        matplotlib.figure.Figure
            The picture, which a notebook shows and ``savefig`` writes to a file.

        Raises
        ------
        DomainError, SizeError
            If an argument is out of range.
        MissingLibraryError
            If matplotlib is not installed: ``pip install 'logca[plot]'``.
        """
        first, last = parse_size(low), parse_size(high)
        if first >= last:
            raise DomainError(f"the range from {low!r} to {high!r} must be ascending")
        given = {"improvement": check("r", improvement), "gain": check("q", gain)}
        return results.picture(self, width, what=what, low=first, high=last, **given)

    def _needed_to_break_even(self, g: float) -> dict[str, float]:
        """For each parameter that can do it alone the value at which g breaks even."""
        needed = {}
        for name in IMPROVABLE:
            with suppress(UnreachableError):
                needed[name] = self.solve_for(name, speedup=1, g=g)
        return needed

    def _greatest_speedup(self, parameter: str, g: float) -> float:
        """The speedup with a parameter at its best, as o and L at 0; NaN for C and beta."""
        if parameter in _IMPROVED_DOWN:
            best: dict[str, Any] = {parameter: 0.0}
            return float(replace(self, **best).speedup(g))
        return float(self._evaluate("speedup_infinite", g=g)) if parameter == "A" else nan

    def _extended(self, extension: str, why: str, **given: float) -> "Accelerator":
        return replace(self, **extended(self._parameters(), self.latency, extension, why, **given))

    def _parameters(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in MODEL}

    def _evaluate(self, quantity: str, **at: Any) -> Any:
        wanted = parameters_of(quantity)
        given = [at[name] if name in at else getattr(self, name) for name in wanted]
        return apply(form_of(quantity, self.latency), *given)

    def _at_sizes(self, quantity: str, g: Array) -> Array:
        plain = type(g) is float or type(g) is np.ndarray
        at = {"o": self.o, "L": self.L, "C": self.C, "A": self.A, "beta": self.beta}
        per_byte = self.latency == "linear"
        if not plain or not leaves_range(g, **at, per_byte=per_byte):
            return self._evaluate(quantity, g=g)

        def wide(g: Array) -> Any:
            given = [g if name == "g" else at[name] for name in parameters_of(quantity)]
            return in_wider_numbers(form_of(quantity, self.latency), given)

        if type(g) is float:
            return wide(g)
        # each by itself: what one granularity needs changes no other's bits
        found = np.array(self._evaluate(quantity, g=g))
        beyond = beyond_range(g, **at, per_byte=per_byte)
        found[beyond] = wide(g[beyond])
        return found[()]

    def _falls(self) -> bool:
        """True if the speedup falls for large granularities."""
        return self.latency == "linear" and self.L > 0 and self.beta < 1

    def _flat(self) -> bool:
        """True if the speedup is the same at every granularity."""
        linear = self.latency == "linear"
        per_byte_only = linear and self.o == 0 and (self.beta == 1 or self.L == 0)
        return per_byte_only or (not linear and self.o + self.L == 0)

    def _best_in(self, low: float, high: float) -> float:
        if not self._falls():
            return high
        if self.o == 0:
            return low
        best = float(self._evaluate("window_best", g_low=low, g_high=high))
        return min(max(best, low), high)

    __str__ = results.text
    _repr_html_ = results.html

    def _repr_latex_(self) -> str:
        values = ",\\; ".join(f"{SYMBOLS[name]} = {getattr(self, name):.6g}" for name in MODEL)
        return f"$\\displaystyle {SPEEDUP[self.latency]},\\quad {values}$"

    def __rich_repr__(self) -> Any:
        for field in fields(self):
            yield field.name, getattr(self, field.name), field.default
