"""Fits of shapes: known devices, measured ratios, LogCA as a special case, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from logca.common.errors import FileError
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, PAYS
from logca.numeric.shapes.boundary import boundary_rows, plane_of
from logca.numeric.shapes.decide import decide_shape
from logca.numeric.shapes.estimate import log_speedup
from logca.numeric.shapes.fit import ShapeFit, fit_shapes
from logca.numeric.shapes.formulas import ShapeError

# vLLM, issue 57555: on an A30, throughput of a kernel that copies over that of a DMA for each copy,
# of 1 to 24 KiB, for 16 to 4096 copies.
COPIES = [16, 32, 64, 128, 256, 1024, 4096]
A30 = {
    1: [0.49, 0.66, 0.92, 1.36, 2.02, 3.43, 4.23],
    4: [0.57, 0.81, 1.19, 1.80, 2.68, 4.17, 4.47],
    8: [0.68, 0.99, 1.48, 2.20, 3.09, 3.73, 4.17],
    16: [0.86, 1.20, 1.81, 2.49, 2.99, 3.24, 3.73],
    24: [0.99, 1.44, 1.82, 2.44, 2.60, 3.02, 3.56],
}
GEMM = "4*(m*k + k*n + m*n)"


@pytest.fixture(scope="module")
def a30() -> ShapeFit:
    cells = [
        (size * 1024, copies, row[k])
        for size, row in A30.items()
        for k, copies in enumerate(COPIES)
    ]
    names = ("size", "copies", "ratio")
    return fit_shapes(dict(zip(names, zip(*cells, strict=True), strict=True)), kernel="copy")


def device(seed: int, noise: float = 0.03, count: int = 40) -> tuple[dict, dict]:
    """Times of matrix products on a device, and the times of its parts."""
    draw = np.random.default_rng(seed)
    shape = {name: np.exp(draw.uniform(2, 8, count)).round() for name in "mnk"}
    m, n, k = shape.values()
    host = 1e-6 + 2 * m * n * k / 5e10
    other = 2e-5 + 4 * (m * k + k * n + m * n) / 1.2e10 + 2 * m * n * k / 1e12
    times = np.exp(noise * draw.standard_normal((2, count))) * (host, other)
    return {**shape, "host": times[0], "accelerated": times[1]}, {
        "call_time_host": 1e-6,
        "work_time_host": 1 / 5e10,
        "call_time_accelerated": 2e-5,
        "byte_time_accelerated": 1 / 1.2e10,
        "work_time_accelerated": 1 / 1e12,
        "beta": 1.0,
    }


def test_the_measured_sign_is_right_at_every_cell(a30: ShapeFit) -> None:
    measured = a30.timings.speedups
    away = (measured < 0.9) | (measured > 1.1)
    assert away.sum() == 32
    assert ((a30.speedup(**a30.timings.columns) > 1) == (measured > 1))[away].all()
    assert a30.contradicted == ()
    assert a30.relative
    # 0.92, 0.99 and 0.99 are too close: the last lies on the other side by a percent
    assert [a30.measured_faster.count(sign) for sign in (1, 0, -1)] == [26, 3, 6]


def test_times_of_the_parts_are_found_without_noise() -> None:
    table, truth = device(1, noise=0.0)
    found = fit_shapes(table, kernel="gemm").parameters
    for name, value in found.items():
        assert value == pytest.approx(truth.get(name, 0.0), rel=1e-4, abs=1e-16)


def test_ratios_give_the_same_times_but_for_one_factor() -> None:
    table, truth = device(2, noise=0.0)
    ratios = {name: table[name] for name in "mnk"}
    ratios["ratio"] = table["host"] / table["accelerated"]
    found = fit_shapes(ratios, kernel="gemm").parameters
    factor = found["call_time_accelerated"] / truth["call_time_accelerated"]
    for name, value in truth.items():
        wanted = value * (1.0 if name == "beta" else factor)
        assert found[name] == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_right_away_from_the_boundary(seed: int) -> None:
    table = device(seed)[0]
    table["host"][3] *= 20  # an outlier
    found = fit_shapes(table, kernel="gemm")
    exact = fit_shapes(device(seed, noise=0.0)[0], kernel="gemm")
    asked = {name: device(seed + 100, count=2000)[0][name] for name in "mnk"}
    speedup = exact.speedup(**asked)
    away = np.abs(np.log(speedup)) > np.log(1.1)
    assert (found.pays(**asked) == (speedup > 1))[away].mean() >= 0.99


def test_one_variable_is_the_model_of_the_papers() -> None:
    known = Accelerator(
        o=1e-5, L=2e-10, C=4e-9, A=8, latency="linear", unit="seconds", name="known"
    )
    g = np.geomspace(64, 2**22, 20)
    host = 4e-9 * g
    table = {"g": g, "host": host, "accelerated": host / known.speedup(g)}
    found = fit_shapes(table, bytes="g", work="g")
    at = np.geomspace(100, 1e6, 50)
    assert found.speedup(g=at) == pytest.approx(known.speedup(at), rel=1e-6)
    g1 = known.break_even().lower
    assert not found.pays(g=0.999 * g1)
    assert found.pays(g=1.001 * g1)
    assert any("work are a power of bytes" in each for each in found.warnings)


def test_the_boundary_is_where_both_times_are_equal(a30: ShapeFit) -> None:
    found = fit_shapes(device(3)[0], kernel="gemm")
    for row in boundary_rows(found):
        host, other = (
            part["call"]
            + part["byte"] * row.held["bytes"]
            + part["work"] * row.above ** part["beta"]
            for part in (
                {name.removesuffix(f"_time_{path}"): v for name, v in found.parameters.items()}
                for path in ("host", "accelerated")
            )
        )
        assert host == pytest.approx(other, rel=1e-9)
    rows = boundary_rows(a30)
    assert [row.above < row.below for row in rows] == [True] * 5
    for row in rows:
        if row.above > 0:
            size = row.above / row.held["items"]
            assert a30.speedup(size=size, copies=row.held["items"]) == pytest.approx(1, rel=1e-6)


def test_measurements_outrank_the_model(a30: ShapeFit) -> None:
    table, _ = device(5)
    speedup = table["host"] / table["accelerated"]
    place = int(np.argmax(speedup))
    shape = {name: float(table[name][place]) for name in "mnk"}
    assert fit_shapes(table, kernel="gemm").pays(**shape)
    table["host"][place] = table["accelerated"][place] / 2
    found = fit_shapes(table, kernel="gemm")
    decision = decide_shape(found, **shape)
    assert found.contradicted == (place,)
    assert not decision.offload
    assert decision.speedup == pytest.approx(0.5)
    assert "they decide" in " ".join(decision.notes)
    assert found.pays(**{**shape, "m": shape["m"] + 1})
    assert found.timings.shape(place) == shape
    measured = decide_shape(a30, size=1024, copies=16)
    assert (measured.offload, measured.certainty, measured.measured) == (
        False,
        "does not pay",
        0.49,
    )


GRID = [(m, n, k) for m in (32, 64, 128, 256, 512) for n in (32, 128, 512) for k in (64, 256, 1024)]


def truth(shape: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times of a device that the model describes."""
    m, n, k = shape
    data, work = 4 * (m * k + k * n + m * n), 2 * m * n * k
    return 5e-7 + work * 1e-10, 4e-5 + data * 2e-10 + work * 2e-12


@pytest.mark.parametrize("ratios", [False, True])
@pytest.mark.parametrize(("hit", "slower"), [(2, None), (8, None), (4, 4.0)])
def test_a_cliff_does_not_draw_the_fit_away(ratios: bool, hit: int, slower: float | None) -> None:
    """At the shapes with most work the accelerated path takes longer: three times the host."""
    draw, shapes = np.random.default_rng(1), np.array(GRID, dtype=float).T
    host, other = np.exp(0.05 * draw.standard_normal((2, len(GRID)))) * truth(shapes)
    cliff = np.argsort(shapes.prod(axis=0))[-hit:]
    other[cliff] = 3 * host[cliff] if slower is None else slower * other[cliff]
    times = {"ratio": host / other} if ratios else {"host": host, "accelerated": other}
    found = fit_shapes(dict(zip("mnk", shapes, strict=True)) | times, kernel="gemm")
    assert {*cliff} <= {*found.off_model}
    assert len(found.off_model) <= hit + 1
    assert {*found.contradicted} == (set() if slower else {*cliff})
    held = []
    for shape in np.exp(draw.uniform(3, 6, (4, 3))).round():
        within = decide_shape(found, **dict(zip("mnk", shape, strict=True))).speedup_interval
        own, accelerated = truth(shape)
        held.append(within.lower <= own / accelerated <= within.upper)
    assert sum(held) >= 3
    for place in cliff:
        decision = decide_shape(found, **found.timings.shape(place))
        assert decision.speedup == pytest.approx(host[place] / other[place])
        assert decision.speedup_interval is None
        assert decision.offload == (decision.speedup > 1)
        assert decision.time_host == pytest.approx(host[place]) or ratios
    beyond = decide_shape(found, m=512, n=512, k=2048)
    measured = host[cliff[-1]] / other[cliff[-1]]
    assert beyond.speedup_interval.lower < measured < beyond.speedup_interval.upper
    assert (beyond.certainty == CANNOT_BE_TOLD) == (slower is None)
    assert "contradict the model at the nearest shape measured" in beyond.notes[0]


def test_intervals_of_a_model_that_does_not_fit_are_wide() -> None:
    """Times that follow no model of work: every interval holds most of what was measured."""
    draw, shapes = np.random.default_rng(2), np.array(GRID, dtype=float).T
    host, other = np.exp(0.8 * np.sin(7 * np.log(shapes[0]))) * truth(shapes)
    other = other * np.exp(0.05 * draw.standard_normal(other.size))
    found = fit_shapes(
        dict(zip("mnk", shapes, strict=True)) | {"host": host, "accelerated": other},
        kernel="gemm",
    )
    for place in range(0, len(GRID), 9):
        within = decide_shape(found, **found.timings.shape(place)).speedup_interval
        assert within is None or within.upper > 1.2 * within.lower


def test_certainty_follows_from_the_timings(a30: ShapeFit) -> None:
    close, far = (decide_shape(a30, size=8192, copies=copies) for copies in (33, 600))
    assert close.certainty == CANNOT_BE_TOLD
    assert far.certainty == PAYS
    for each in (close, far):
        low, high, _ = each.speedup_interval
        assert low < each.speedup < high
        assert (low < 1 < high) == (each is close)
    assert decide_shape(a30, size=2**20, copies=600).notes[-1].startswith("bytes are outside")


@pytest.mark.parametrize("seed", range(2))
def test_intervals_hold_the_true_speedup(seed: int) -> None:
    found = fit_shapes(device(seed, noise=0.05)[0], kernel="gemm")
    exact = fit_shapes(device(seed, noise=0.0)[0], kernel="gemm")
    held = 0
    for m in (10, 100, 1000):
        within = decide_shape(found, m=m, n=64, k=200).speedup_interval
        held += within.lower <= exact.speedup(m=m, n=64, k=200) <= within.upper
    assert held >= 2


def test_the_model_has_one_source(a30: ShapeFit) -> None:
    """What is fitted is the generated formula."""
    observed = a30.estimate.observed
    found = np.exp(log_speedup(a30.estimate, observed))
    assert found == pytest.approx(a30.speedup(**a30.timings.columns), rel=1e-12)


def test_what_is_saved_is_read_again(a30: ShapeFit, tmp_path: Path) -> None:
    path = tmp_path / "fit.json"
    a30.save(path)
    again = ShapeFit.load(path)
    assert again.parameters == a30.parameters
    assert again.warnings == a30.warnings
    assert repr(again) == repr(a30)
    with pytest.raises(ShapeError, match="is there already"):
        a30.save(path)
    with pytest.raises(FileError, match="is a fit of shapes, of two variables"):
        Fit.load(path)
    record = json.loads(path.read_text())
    changes = {
        "version 9": {"version": 9},
        "its format is not": {"format": "logca"},
        "a fit of one variable": {"format": "logca-fit"},
        "it has no 'level'": {"level": ...},
        "level = 2": {"level": 2},
        "do not fit its columns": {"formulas": {"bytes": "size*other"}},
        "has 9 ** 9 ** 9, which is no": {"formulas": {"bytes": "9**9**9*size", "items": "copies"}},
        "one list for each shape": {"times": {"ratio": [[1.0]]}},
        "must be a list of finite": {"model": {**record["model"], "times": [[1.0]]}},
        "right lengths": {"model": {**record["model"], "times": [1.0]}},
    }
    model = record["model"]
    held = {
        "beta = 100000 must be from 0.25 to 4": {"beta": 1e5},
        "beta = 0.1 must be from 0.25 to 4": {"beta": 0.1},
        "model is not that of its ratios, which it misses by more than a factor of 100": {
            "times": [1e6 * each for each in model["times"][:4]] + model["times"][4:]
        },
        "more than 1e+15": {"root": [1e16 * (each > 0) for each in model["root"]]},
        "root must have a number": {"root": [0 * each for each in model["root"]], "deviance": 0},
        "spread = ": {"spread": 1.01 * model["spread"]},
        "freedom = 36 is more than 35": {"freedom": 36},
        "deviance = ": {"deviance": 1.5 * model["deviance"]},
    }
    changes |= {says: {"model": {**model, **change}} for says, change in held.items()}
    columns = {"offloading": record["columns"]["size"]}
    changes["call the column 'offloading' otherwise"] = {
        "columns": columns,
        "formulas": {"bytes": "offloading"},
    }
    for says, change in changes.items():
        wrong = {name: each for name, each in {**record, **change}.items() if each is not ...}
        path.write_text(json.dumps(wrong))
        with pytest.raises(FileError) as told:
            ShapeFit.load(path)
        assert says.replace("version 9", "version 9, not 1") in str(told.value)
    path.write_text("size,copies\n")
    with pytest.raises(FileError, match="no fit of shapes, as it is no JSON"):
        ShapeFit.load(path)


@pytest.mark.parametrize("path", ["host", "accelerated"])
def test_times_of_a_path_that_its_timings_refute_are_refused(path: str, tmp_path: Path) -> None:
    sizes = [(m, n) for m in (64, 256, 1024) for n in (1, 8, 64)]
    table = {
        "m": [m for m, _ in sizes],
        "n": [n for _, n in sizes],
        "host": [2e-7 + m * m * n / 5e10 for m, n in sizes],
        "accelerated": [2e-5 + m * (m + n) / 2e10 for m, n in sizes],
    }
    file = tmp_path / "fit.json"
    found = fit_shapes(table, bytes="m*(m + n)", work="m*m*n")
    found.save(file)
    assert ShapeFit.load(file).parameters == found.parameters
    record = json.loads(file.read_text())
    half = slice(4) if path == "host" else slice(4, 8)
    record["model"]["times"][half] = [1e3 * each for each in record["model"]["times"][half]]
    file.write_text(json.dumps(record))
    with pytest.raises(FileError, match=f"the model is not that of its {path} times"):
        ShapeFit.load(file)


@pytest.mark.parametrize("seed", range(12))
def test_every_fit_that_is_saved_is_read_again(seed: int, tmp_path: Path) -> None:
    """Of few shapes and many, exact and with noise and outliers, of times and of ratios."""
    chance = np.random.default_rng(seed)
    count, noise = int(chance.integers(3, 20)), [0.0, 1e-6, 0.05, 1.0][seed % 4]
    m = 2.0 ** chance.uniform(2, 12, count)
    host = (1e-7 + m**2.5 / 1e9) * np.exp(noise * chance.standard_normal(count))
    accelerated = (2e-5 + m / 1e8) * np.exp(noise * chance.standard_normal(count))
    accelerated[0] *= 100 if seed % 3 == 0 else 1
    both = {"host": host, "accelerated": accelerated}
    times = {"ratio": host / accelerated} if seed // 4 % 2 else both
    found = fit_shapes({"m": m, **times}, bytes="m", work="m**2")
    found.save(tmp_path / "fit.json")
    assert repr(ShapeFit.load(tmp_path / "fit.json")) == repr(found)


def test_shapes_are_checked(a30: ShapeFit) -> None:
    with pytest.raises(ShapeError, match=r"is size=\.\.\. copies=\.\.\.; copies is missing"):
        a30.pays(size=3)
    with pytest.raises(ShapeError, match="n is none of them"):
        a30.pays(size=3, n=2)
    with pytest.raises(ShapeError, match="bytes = size\\*copies is -3 at size = -3, copies = 1"):
        a30.pays(size=-3, copies=1)
    with pytest.raises(ShapeError, match="copies = nan must be finite"):
        a30.pays(size=3, copies=float("nan"))


def test_columns_may_be_called_as_arguments_of_python_are() -> None:
    names = ("self", "cls", "fit", "least", "shape")
    values = np.random.default_rng(2).uniform(1, 9, (len(names), 12))
    table = dict(zip(names, values, strict=True)) | {"ratio": values.sum(0) / 20}
    found = fit_shapes(table, work="+".join(names))
    at = dict.fromkeys(names, 3.0)
    assert found.features(**at)["work"] == 15
    assert found.pays(**at) == decide_shape(found, **at).offload == (found.speedup(**at) > 1)
    assert found.times(**at)[0] > 0


def test_warnings_name_what_is_open() -> None:
    sizes = [1.0, 2.0, 4.0, 8.0, 16.0]
    same = fit_shapes({"m": sizes, "k": [3.0] * 5, "ratio": sizes}, bytes="m", work="k")
    told = " ".join(same.warnings)
    assert "work are the same at every shape measured" in told
    assert "the accelerated path is faster at every shape measured" in told
    assert "only ratios of times are known" in told


def test_views_show_answer_rows_and_picture(a30: ShapeFit) -> None:
    assert str(a30).startswith("Offloading pays at 27 of the 35 shapes measured: with 16 copies")
    frame = a30.to_frame()
    assert list(frame["speedup"])[:2] == [0.49, 0.66]
    assert len(a30.to_frame("boundary")) == 5
    assert "<table" in a30._repr_html_()
    assert "<table" in decide_shape(a30, size=1, copies=1)._repr_html_()
    axes = a30.plot().axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("size", "copies")
    assert len(axes.collections) >= 4


@pytest.mark.parametrize(
    ("formulas", "axes"),
    [
        ({"kernel": "gemm"}, ("bytes [B]", "work [1]")),
        (
            {"kernel": "gemm", "items": "m"},
            ("accelerated time by the model [s]", "host time by the model [s]"),
        ),
    ],
)
def test_planes_have_the_boundary_as_a_line(formulas, axes) -> None:
    found = fit_shapes(device(7)[0], **formulas)
    plane = plane_of(found)
    assert (plane.across, plane.up) == axes
    across = np.log(plane.x).searchsorted(np.log(plane.measured_x))
    up = np.log(plane.y).searchsorted(np.log(plane.measured_y))
    drawn = plane.speedup[up, across]
    fitted = found.speedup(**found.timings.columns)
    assert np.abs(np.log(drawn / fitted)).max() < 0.15
    assert {*plane.faster} <= {-1, 0, 1}


@pytest.mark.filterwarnings("error")
def test_any_positive_table_ends_in_an_answer_or_a_sentence() -> None:
    """Columns that are constant, zero or far apart; times that follow them, or nothing."""
    draw = np.random.default_rng(11)
    for _ in range(8):
        count = int(draw.integers(4, 16))
        kinds = [
            draw.integers(0, 5, count).astype(float),
            np.exp(draw.uniform(0, 10, count)),
            np.full(count, 3.0),
            10.0 ** draw.integers(-3, 12, count),
        ]
        table = {name: kinds[draw.integers(len(kinds))] for name in "ab"}
        times = [
            np.exp(draw.uniform(-20, 3, count)),
            np.full(count, 1e-6),
            1e-6 * table["a"] + 1e-9,
            10.0 ** draw.integers(-80, 80, count),
        ]
        for path in ("host", "accelerated") if draw.random() < 0.7 else ("ratio",):
            table[path] = times[draw.integers(len(times))]
        roles = [role for role in ("bytes", "work", "items") if draw.random() < 0.6] or ["work"]
        formulas = {role: str(draw.choice(["a", "b", "a*b", "a + b"])) for role in roles}
        try:
            found = fit_shapes(table, **formulas)
        except ShapeError:
            continue
        shape = {name: 2 * float(table[name][0]) for name in found.columns}
        assert decide_shape(found, **shape).speedup > 0
        assert len(found.to_frame()) == len(found.timings)
