"""A fit of both paths' times to bytes, work and items of shapes: the break-even is a boundary."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

import numpy as np

from logca.common import results
from logca.common.errors import FileError
from logca.common.files import write_new
from logca.numeric.arrays.arrays import Array
from logca.numeric.generated.shapes import (
    bytes_boundary,
    shape_loss,
    shape_speedup,
    shape_speedup_large_work,
    shape_time_accelerated,
    shape_time_host,
    work_boundary,
)
from logca.numeric.shapes.as_measured import apart_from, faster_path
from logca.numeric.shapes.estimate import ShapeEstimate, estimate
from logca.numeric.shapes.formulas import (
    ROLES,
    ShapeError,
    ShapeFormula,
    kernel_formulas,
    shape_formula,
)
from logca.numeric.shapes.observed import (
    PARTS,
    ObservedShapes,
    Units,
    shapes_in,
    units_of,
    with_times,
)
from logca.numeric.shapes.storage import parts_of, record_of, restored_estimate
from logca.numeric.shapes.timings import PATHS, ShapeTimings, read_shapes, shape_timings
from logca.numeric.shapes.warnings import warnings_of
from logca.numeric.timings.reading import made_now

__all__ = ["ShapeFit", "fit_shapes"]

_SYMBOLS = {"bytes": "data_bytes", "work": "work", "items": "items"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShapeFit:
    """Times of both paths fitted to bytes, work and items of shapes; see `fit_shapes`.

    Parameters
    ----------
    timings : ShapeTimings
        What was measured.
    formulas : mapping of str to ShapeFormula
        Bytes [B], work [1] and items [1], as far as they are told, by these names.
    level : float
        Confidence of the decisions [1].
    units : Units
        In which the estimate is.
    estimate : ShapeEstimate
        The most likely times of the parts.
    provenance : mapping of str to str
        Where it comes from: such as file and digest of the timings, date.
    """

    timings: ShapeTimings
    formulas: Mapping[str, ShapeFormula]
    level: float
    units: Units = field(repr=False)
    estimate: ShapeEstimate = field(repr=False)
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formulas", MappingProxyType(dict(self.formulas)))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that tell a shape, in the order of the table."""
        return tuple(self.timings.columns)

    @property
    def relative(self) -> bool:
        """True if only ratios are known, so that times are multiples of one that is not known."""
        return bool(self.timings.ratio)

    @property
    def parameters(self) -> dict[str, float]:
        """Time of each part on the host and offloaded, and the exponent beta of the work.

        Seconds for a call, an item, a byte and the first unit of work; of ratios in a unit that is
        not known, the same for all [s, s/B, 1].
        """
        found, half = self.estimate, len(PARTS)
        time = np.exp(self.units.log_time)
        work = self.units.work**found.beta
        scale = np.array([1.0, self.units.items, self.units.bytes, work]) / time
        told = {
            f"{part}_time_{path}": float(value)
            for path, times in zip(PATHS, (found.times[:half], found.times[half:]), strict=True)
            for part, value in zip(PARTS, times / scale, strict=True)
        }
        return told | {"beta": found.beta}

    @property
    def acceleration(self) -> float:
        """Host time of work over accelerated time, the A of LogCA; NaN if one is zero [1]."""
        names = ("work_time_host", "work_time_accelerated")
        return float(shape_speedup_large_work(**{name: self.parameters[name] for name in names}))

    def features(self, /, **shape: Array) -> dict[str, Any]:
        """Bytes [B], work [1] and items [1] of shapes; zero where no formula tells them.

        Parameters
        ----------
        **shape : array_like
            A value, or several, for each of `columns` [any].

        Raises
        ------
        ShapeError
            If a column is missing or unknown, or a formula is negative or not finite there.
        """
        unknown = [name for name in shape if name not in self.columns]
        missing = [name for name in self.columns if name not in shape]
        if unknown or missing:
            wrong = f"{unknown[0]} is none of them" if unknown else f"{missing[0]} is missing"
            told = " ".join(f"{name}=..." for name in self.columns)
            raise ShapeError(f"a shape of this fit is {told}; {wrong}")
        values = {name: np.asarray(each, dtype=np.float64) for name, each in shape.items()}
        for name, each in values.items():
            if not np.isfinite(each).all():
                raise ShapeError(f"{name} = {shape[name]} must be finite")
        zero = np.zeros(np.broadcast_shapes(*(each.shape for each in values.values())))
        found = {role: zero for role in ROLES}
        return found | {role: each.checked(values) for role, each in self.formulas.items()}

    def speedup(self, /, **shape: Array) -> Any:
        """The most likely speedup of shapes, by the model alone [1]; arguments of `features`."""
        return shape_speedup(**self._inserted(self.features(**shape)), **self.parameters)

    def times(self, /, **shape: Array) -> tuple[Any, Any]:
        """The most likely times of host and accelerated path [s]; arguments of `features`."""
        at, found = self._inserted(self.features(**shape)), self.parameters
        host = {name: each for name, each in found.items() if not name.endswith("accelerated")}
        other = {name: each for name, each in found.items() if not name.endswith("host")}
        return shape_time_host(**at, **host), shape_time_accelerated(**at, **other)

    def pays(self, /, **shape: Array) -> Any:
        """True where offloading shapes most likely pays; arguments of `features`.

        Where the measured times of a shape contradict the model clearly, they decide.
        """
        return self.pays_beyond(1.0, shape)

    def pays_beyond(self, least: float, shape: Mapping[str, Array]) -> Any:
        """True where shapes are offloaded if the speedup by the model is to be above a least one.

        Parameters
        ----------
        least : float
            The speedup that it takes [1].
        shape : mapping of str to array_like
            A value, or several, for each of `columns` [any].

        Raises
        ------
        ShapeError
            As for `features`.
        """
        found = np.asarray(self.speedup(**shape)) > least
        for place in self.contradicted:
            measured = self.timings.shape(place)
            same = np.logical_and.reduce(
                [
                    np.broadcast_to(np.asarray(shape[name]) == each, found.shape)
                    for name, each in measured.items()
                ]
            )
            found = np.where(same, self.measured_faster[place] > 0, found)
        return found if found.ndim else bool(found)

    def work_boundary(self, data: Array, items: Array = 0.0) -> Any:
        """Work with which the speedup is one, with so many bytes [B] and items [1]; NaN if none."""
        found = self.parameters
        return work_boundary(data_bytes=data, items=items, **found)

    def bytes_boundary(self, work: Array, items: Array = 0.0) -> Any:
        """Bytes with which the speedup is one, with so much work [1] and items; NaN if none [B]."""
        found = np.asarray(bytes_boundary(work=work, items=items, **self.parameters))
        return np.where(found > 0, found, np.nan)

    def loss(self, data: Array, items: Array = 0.0) -> Any:
        """Time that offloading loses with so many bytes [B] and items, whatever the work [s]."""
        found = self.parameters
        del found["beta"], found["work_time_host"], found["work_time_accelerated"]
        return shape_loss(data_bytes=data, items=items, **found)

    @property
    def measured_faster(self) -> tuple[int, ...]:
        """For each shape the faster path: 1 the accelerated one, -1 the host, 0 if it is unclear.

        Where runs are repeated their scatter tells what is clear, else how far ratios lie from the
        model, taken for 5 % at most.
        """
        return _measured_faster(self)

    @property
    def contradicted(self) -> tuple[int, ...]:
        """Places of the shapes measured at which the clearly faster path is not the model's."""
        return _apart(self)[0]

    @property
    def off_model(self) -> tuple[int, ...]:
        """Places of the shapes measured whose speedup is not the model's, beyond its spread.

        Those of `contradicted`, and those with a time that is more likely an outlier than not.
        """
        return _apart(self)[1]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of what the timings cannot tell, the most important first."""
        features = self.features(**self.timings.columns)
        return tuple(
            warnings_of(
                self.timings,
                {role: features[role] for role in self.formulas},
                self.measured_faster,
                self.contradicted,
                self.estimate.outliers,
            )
        )

    __repr__ = results.text
    __str__ = results.answer
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write timings, formulas and times of the parts to a JSON file.

        Parameters
        ----------
        path : path
            Where.
        force : bool
            Whether a file that is there is replaced.

        Raises
        ------
        ShapeError
            If a file is there, or nothing can be written there.
        """
        record = record_of(self.timings, self.formulas, self.level, self.estimate, self.provenance)
        try:
            write_new(json.dumps(record, indent=1) + "\n", path, force=force)
        except FileExistsError:
            raise ShapeError(f"{fspath(path)} is there already; force=True replaces it") from None
        except OSError as error:
            raise ShapeError(f"cannot write {fspath(path)}: {error.strerror}") from None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "ShapeFit":
        """Read what `save` has written.

        Parameters
        ----------
        path : path
            Where.

        Raises
        ------
        FileError
            If it is no such file, or what it holds does not fit together.
        """
        parts = parts_of(path)
        model = parts.pop("model")
        try:
            units, observed = _observed(parts["timings"], parts["formulas"])
            found = restored_estimate(observed, model)
        except KeyError as error:
            raise FileError(f"{fspath(path)} is no fit of shapes: it has no {error}") from None
        except (TypeError, AttributeError, ValueError) as error:
            raise FileError(f"{fspath(path)} is no fit of shapes: {error}") from None
        return cls(**parts, units=units, estimate=found)

    def _inserted(self, features: Mapping[str, Any]) -> dict[str, Any]:
        return {_SYMBOLS[role]: each for role, each in features.items()}


def fit_shapes(
    timings: Mapping[str, Sequence[Any]] | str | PathLike[str],
    *,
    bytes: str | None = None,
    work: str | None = None,
    items: str | None = None,
    kernel: str | None = None,
    element: int = 4,
    level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    provenance: Mapping[str, str] | None = None,
) -> ShapeFit:
    """Fit times of both paths to bytes, work and items of shapes, to know where offloading pays.

    Each path takes a time for a call, for each item, for each byte, and for a power of the work;
    those that the times do not speak for are left out (Akaike's criterion). Where only ratios of
    times are known, the times of the parts are, up to one factor.

    Parameters
    ----------
    timings : mapping or path
        Columns of numbers, or a table (CSV): those of the shape, and host and accelerated [s], or
        ratio, host time over accelerated time [1]. Rows of one shape are repetitions.
    bytes, work, items : str or None
        Formulas of columns, such as "4*(m*k + k*n + m*n)" [B], "2*m*n*k" [1] and "copies" [1]; of
        numbers, columns, ``+ - * / **``, log2, sqrt, min and max.
    kernel : str or None
        A kernel whose formulas are known: gemm (columns m, n, k), gemv (m, n), copy (size, copies)
        or fft (n); formulas that are given too replace its own.
    element : int
        Bytes of an element of that kernel [B].
    level : float
        Confidence of the decisions [1].
    columns, units : mapping of str to str or None
        Titles and units of host, accelerated and ratio in a file, if its header does not tell.
    provenance : mapping of str to str or None
        Where it comes from, besides the file, the date and the version.

    Returns
    -------
    ShapeFit
        With `pays`, `speedup`, `plot` and `save`; for `decide_shape`.

    Raises
    ------
    ShapeError
        If there are no formulas, a formula is none, or is negative or not finite at a shape; or
        columns are missing, contradict each other, or have too few shapes.
    TimingsError
        If a number in a file is none, or a time has no unit.

    Examples
    --------
    >>> sizes = [64, 128, 256, 512, 1024]
    >>> shapes = [(m, n) for m in sizes for n in (1, 8, 64)]
    >>> table = {
    ...     "m": [m for m, _ in shapes],
    ...     "n": [n for _, n in shapes],
    ...     "host": [2e-7 + 2 * m * m * n / 5e10 for m, n in shapes],
    ...     "accelerated": [2e-5 + 4 * (m * m + 2 * m * n) / 2e10 for m, n in shapes],
    ... }
    >>> found = fit_shapes(table, bytes="4*(m*m + 2*m*n)", work="2*m*m*n")
    >>> found.pays(m=512, n=1), found.pays(m=512, n=64)
    (False, True)
    """
    given = {"bytes": bytes, "work": work, "items": items}
    texts = {} if kernel is None else kernel_formulas(kernel, element)
    texts |= {role: text for role, text in given.items() if text is not None}
    if not texts:
        raise ShapeError(
            "a fit of shapes needs formulas: bytes, work or items of columns, or a kernel"
        )
    if not 0 < level < 1:
        raise ShapeError(f"level = {level!r} must be a confidence between 0 and 1, such as 0.95")
    formulas = {role: shape_formula(role, texts[role]) for role in ROLES if role in texts}
    used = [name for formula in formulas.values() for name in formula.columns]
    names = [*dict.fromkeys(used)]
    known = made_now()
    if isinstance(timings, Mapping):
        table = shape_timings(timings, names)
    else:
        table, more = read_shapes(timings, names, roles=columns, units=units)
        known |= more
    scale, observed = _observed(table, formulas)
    found = estimate(observed, exponent="work" in formulas)
    return ShapeFit(
        timings=table,
        formulas=formulas,
        level=float(level),
        units=scale,
        estimate=found,
        provenance={**known, **(provenance or {})},
    )


def _observed(
    timings: ShapeTimings, formulas: Mapping[str, ShapeFormula]
) -> tuple[Units, ObservedShapes]:
    """Medians of the times, or ratios, in units in which all is about one."""
    zero = np.zeros(len(timings))
    told = {role: each.checked(timings.columns) for role, each in formulas.items()}
    items, data, work = (told.get(role, zero) for role in ("items", "bytes", "work"))
    paths = ("ratio",) if timings.ratio else PATHS
    medians = [np.array([np.median(row) for row in getattr(timings, path)]) for path in paths]
    units = units_of(items, data, work, np.empty(0) if timings.ratio else medians[0])
    logs = [np.log(each) - units.log_time for each in medians]
    return units, with_times(shapes_in(units, items, data, work), *logs)


_KEPT = 64


@lru_cache(maxsize=_KEPT)
def _measured_faster(fit: ShapeFit) -> tuple[int, ...]:
    return faster_path(fit.timings, fit.level, fit.estimate.spread)


@lru_cache(maxsize=_KEPT)
def _apart(fit: ShapeFit) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = fit.estimate
    modelled = np.asarray(fit.speedup(**fit.timings.columns))
    return apart_from(
        modelled, fit.timings.speedups, fit.measured_faster, found.outliers, found.spread
    )
