"""Times of host and accelerated path, or their ratios, shape by shape; from tables and files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from os import PathLike, fspath
from statistics import median as middle
from typing import Any

import numpy as np

from logca.common.toml import text_of
from logca.numeric.shapes.formulas import ShapeError
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, TimedRun
from logca.numeric.timings.column_titles import unit_of
from logca.numeric.timings.gpu_blob import gpu_blob_runs, is_gpu_blob
from logca.numeric.timings.pairing import names_of, path_of
from logca.numeric.timings.reading import of_file
from logca.numeric.timings.text_tables import rows_of
from logca.numeric.timings.timings import LARGEST, Samples
from logca.numeric.timings.titles import read_title, read_titles
from logca.numeric.timings.units import number, said, time_of

__all__ = ["PATHS", "STATE", "ShapeTimings", "read_shapes", "shape_timings"]

PATHS = ("host", "accelerated")

STATE = "offloading"
"""Name that decisions have for the state of the caller, so that no column has it."""

_RATIO = frozenset({"ratio", "speedup"})
_LEAST_SHAPES = 4
_ROUNDED = 0.05  # by how much a ratio may differ from that of the times beside it [1]
_APART = 3.0  # factor between times of one shape that no noise explains [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShapeTimings:
    """Times of both paths, or only their ratios, for each of several shapes."""

    columns: Mapping[str, Samples]  # for each column its value at each shape, such as m, n, k
    # host, accelerated: for each shape the times of each path; empty if only ratios are known [s]
    host: tuple[Samples, ...] = ()
    accelerated: tuple[Samples, ...] = ()
    ratio: tuple[Samples, ...] = ()  # host times over accelerated ones; empty if times are known

    def __len__(self) -> int:
        return len(self.ratio or self.host)

    @property
    def speedups(self) -> Samples:
        """For each shape the median on the host over the accelerated one [1]."""
        if self.ratio:
            return np.array([middle(each) for each in self.ratio])
        host, other = (
            np.array([middle(each) for each in path]) for path in (self.host, self.accelerated)
        )
        return np.asarray(host / other)

    def medians(self, place: int) -> tuple[float, float]:
        """Times of both paths at one of the shapes, where they are known [s]."""
        host, accelerated = (float(middle(path[place])) for path in (self.host, self.accelerated))
        return host, accelerated

    def shape(self, place: int) -> dict[str, float]:
        """One of the shapes, by its place."""
        return {name: float(values[place]) for name, values in self.columns.items()}


def shape_timings(
    table: Mapping[str, Sequence[Any]], columns: Sequence[str], where: str = "the table"
) -> ShapeTimings:
    """Times by shape from columns of numbers, of which those named tell the shape.

    The others are host and accelerated [s], or ratio. Rows of the same shape are repetitions, which
    differ in no further column, of numbers or words, unless their times agree all the same.
    """
    used = {*columns, *PATHS, "ratio"}
    given = {
        name: _numbers(values, name, where) if name in used else _told_apart(values)
        for name, values in table.items()
    }
    missing = [name for name in columns if name not in given]
    if missing:
        raise ShapeError(
            f"{where}: there is no column {missing[0]!r} for the formulas; there are "
            f"{', '.join(given)}"
        )
    columns = [name for name in given if name in columns]
    known = [name for name in (*PATHS, "ratio") if name in given]
    if "ratio" not in known and known != [*PATHS]:
        raise ShapeError(
            f"{where}: it needs times of both paths, host and accelerated, or their ratio; there "
            f"are {', '.join(given)}"
        )
    _check(given, columns, known, where)
    paths = [name for name in known if name != "ratio"] if known[:2] == [*PATHS] else ["ratio"]
    rows = np.stack([given[name] for name in columns], axis=1)
    shapes, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    if len(shapes) < _LEAST_SHAPES:
        raise ShapeError(f"{where}: {len(shapes)} shapes; measure {_LEAST_SHAPES} at least")
    _one_time(given, columns, paths, place.ravel(), where)
    order = np.argsort(first)  # as they stand in the table
    return ShapeTimings(
        columns={name: shapes[order, number] for number, name in enumerate(columns)},
        **{path: tuple(given[path][place.ravel() == each] for each in order) for path in paths},
    )


def _numbers(values: Sequence[Any], name: str, where: str) -> Samples:
    try:
        return np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise ShapeError(f"{where}: {name} must be a column of numbers: {error}") from None


def _told_apart(values: Sequence[Any]) -> Samples:
    """A number for each value, the same for the same."""
    found: dict[str, int] = {}
    return np.array([found.setdefault(str(each), len(found)) for each in values], dtype=np.float64)


def _check(
    given: Mapping[str, Samples], columns: Sequence[str], known: Sequence[str], where: str
) -> None:
    """Refuse columns of different lengths, and numbers that are none, or no times."""
    lengths = {name: each.size for name, each in given.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in lengths.items())
        raise ShapeError(f"{where}: columns must be equally long, not {told}")
    if not columns:
        raise ShapeError("the formulas use no column; name some, such as m*n")
    if STATE in columns:
        raise ShapeError(f"{where}: call the column {STATE!r} otherwise, as decisions have it")
    for name in (*columns, *known):
        wrong = ~np.isfinite(given[name])
        if name in known:
            wrong |= ~((given[name] > 1 / LARGEST) & (given[name] < LARGEST))
        if wrong.any():
            row = int(np.argmax(wrong))
            between = f"between {1 / LARGEST:g} and {LARGEST:g}"
            kind = between if name in known else "a finite number"
            raise ShapeError(
                f"{where}: row {row + 1}: {name} = {given[name][row]:g} must be {kind}"
            )
    if len(known) == len((*PATHS, "ratio")):
        times = given["host"] / given["accelerated"]
        for row, (ratio, found) in enumerate(zip(given["ratio"], times, strict=True)):
            if not isclose(ratio, found, rel_tol=_ROUNDED):
                raise ShapeError(
                    f"{where}: row {row + 1}: ratio = {ratio:g} contradicts the times, whose ratio "
                    f"host / accelerated is {found:.4g}; drop one of them"
                )


def _one_time(
    given: Mapping[str, Samples],
    columns: Sequence[str],
    paths: Sequence[str],
    place: np.ndarray[Any, Any],
    where: str,
) -> None:
    """Refuse rows of one shape that tell different things, and name the column that parts them."""
    others = [name for name in given if name not in (*columns, *PATHS, "ratio")]
    for each in np.unique(place):
        same = place == each
        for path in paths:
            times = given[path][same]
            parting = [name for name in others if np.ptp(given[name][same]) > 0]
            if times.max() > _APART * times.min() and parting:
                at = ", ".join(f"{name} = {given[name][same][0]:g}" for name in columns)
                raise ShapeError(
                    f"{where}: {at} has {path} from {times.min():g} to {times.max():g}, and its "
                    f"rows differ in {parting[0]!r}, which no formula uses; use it, or fit its "
                    "values apart"
                )


def read_shapes(
    path: str | PathLike[str],
    columns: Sequence[str],
    *,
    roles: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
) -> tuple[ShapeTimings, dict[str, str]]:
    """Timings of a table by shape, and where they come from.

    The table has a row for each run: columns of the shape, and the times of both paths with their
    units, such as ``m,n,k,host_s,accelerated_ms``, or a column ``ratio`` or ``speedup``. ``roles``
    and ``units`` name them otherwise, as for `read`. Of a table of GPU-BLOB they name two devices.
    Letters of columns may be small or capital.
    """
    file = fspath(path)
    text = text_of(path, error=ShapeError, not_text="not UTF-8 text; write a table as CSV")
    rows = rows_of(text, file)
    line, titles = rows[0]
    if len(rows) == 1:
        raise ShapeError(f"{file}: line {line}: a header and no rows")
    if is_gpu_blob(titles):
        runs = gpu_blob_runs(titles, rows[1:], file)
        known = {**of_file(path), "notes": "; ".join(runs.notes)}
        return shape_timings(
            _paired(runs.samples, columns, roles or {}, file), columns, file
        ), known
    at = f"{file}: line {line}"
    named = _titles(titles, columns, dict(roles or {}), at)
    found: dict[str, list[Any]] = {role: [] for role in named}
    own = {
        role: _unit(titles, place, (units or {}).get(role) or (units or {}).get(titles[place]), at)
        for role, place in named.items()
        if role in PATHS
    }
    for number_, cells in rows[1:]:
        if len(cells) != len(titles):
            raise ShapeError(
                f"{file}: line {number_}: {len(cells)} values, and the header has {len(titles)}"
            )
        for role, place in named.items():
            at = f"{file}: line {number_}: {titles[place]}"
            if role in PATHS:
                found[role].append(time_of(cells[place], own[role], at))
            elif role in columns or role == "ratio":
                found[role].append(number(cells[place], at))
            else:
                found[role].append(cells[place])
    return shape_timings(found, columns, file), of_file(path)


def _paired(
    samples: Sequence[TimedRun], columns: Sequence[str], roles: Mapping[str, str], file: str
) -> dict[str, list[float]]:
    """Columns of shapes at which both paths were run, and times of both."""
    names = names_of(samples)
    paths = {path: path_of(names, roles.get(path), path, file) for path in PATHS}
    found: dict[tuple[tuple[str, float], ...], dict[str, list[float]]] = {}
    for each in samples:
        for path in (path for path, name in paths.items() if name == each.name):
            times = found.setdefault(
                tuple((each.shape or {}).items()), {path: [] for path in PATHS}
            )
            times[path] += each.seconds
    table: dict[str, list[float]] = {}
    for shape, times in found.items():
        for pair in zip(*times.values(), strict=False):
            row = {_called(name, [name], columns): value for name, value in shape}
            for name, value in (row | dict(zip(PATHS, pair, strict=True))).items():
                table.setdefault(name, []).append(value)
    if not table:
        raise ShapeError(f"{file}: no shape has times of both {' and '.join(paths.values())}")
    return table


def _called(title: str, titles: Sequence[str], columns: Sequence[str]) -> str:
    """Name of a column in formulas: its title, but for small and capital letters."""
    alike = [name for name in columns if name.lower() == title.lower() and name not in titles]
    return alike[0] if len(alike) == 1 and title not in columns else title


def _unit(titles: Sequence[str], place: int, asked: str | None, where: str) -> str | None:
    """The unit of a column of times, as its title or else the option says."""
    title, told = titles[place], read_titles(titles)[place]
    if told.rate or (told.doubt and "/" in told.doubt and not asked):
        text = told.rate.text if told.rate else told.doubt
        raise ShapeError(f"{where}: {title!r} is in {text}: give the time of a call for each shape")
    return unit_of(title, told, asked, where, error=ShapeError)


def _titles(
    titles: Sequence[str], columns: Sequence[str], roles: dict[str, str], where: str
) -> dict[str, int]:
    """Places of the columns: by name those of shapes, by role those of times."""
    for role, title in roles.items():
        if role not in (*PATHS, "ratio"):
            raise ShapeError(
                f"columns: unknown role {role!r} of a table of shapes; known are host, accelerated "
                "and ratio, and formulas name the others"
            )
        if title not in titles:
            raise ShapeError(
                f"{where}: there is no column {title!r} for {role}; there are {', '.join(titles)}"
            )
    named = {title: role for role, title in roles.items()}
    found: dict[str, int] = {}
    for place, title in enumerate(titles):
        role = named.get(title) or _called(title, titles, columns)
        if role == title and title not in columns:
            told = read_title(title)
            words = told.words if told.words & _RATIO or not told.other else frozenset()
            known = {"ratio": _RATIO, "host": HOST, "accelerated": ACCELERATED}
            role = next((each for each, some in known.items() if words & some), title)
            role = title if role in roles else role
        if role in found:
            raise ShapeError(
                f"{where}: two columns may be {role}: {titles[found[role]]}, {title}; say which: "
                + said("columns", **{role: title})
            )
        found[role] = place
    return found
