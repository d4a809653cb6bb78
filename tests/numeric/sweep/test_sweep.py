"""Sweeps in memory, against plain broadcasting of the printed formulas."""

from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

import logca
from logca.numeric.generated import HOMES
from logca.numeric.generated.units import ENTRIES, PARAMETERS
from logca.numeric.sweep.axes import spaced
from logca.numeric.sweep.blocks import cut
from logca.numeric.sweep.pareto import nearest
from logca.numeric.sweep.plan import NAMES, entry

MODEL: dict[str, Any] = {"g": 4096, "o": 435, "L": 500, "C": 32, "A": 12, "beta": 1.2}


def naive(dataset: Any) -> Any:
    """Eq. 2 or 8 of altaf2017, as printed, by xarray's own broadcasting."""
    each = dataset.coords
    latency = each["L"] * (each["g"] if dataset.latency == "linear" else 1)
    host = each["C"] * each["g"] ** each["beta"]
    return host / (each["o"] + latency + host / each["A"])


@examples(40)
@given(
    latency=st.sampled_from(["constant", "linear"]),
    lengths=st.dictionaries(st.sampled_from(list(MODEL)), st.integers(1, 5)),
    block=st.integers(1, 40),
    workers=st.integers(1, 3),
)
def test_any_grid_in_any_blocks(
    latency: str, lengths: dict[str, int], block: int, workers: int
) -> None:
    axes = {name: MODEL[name] * np.linspace(1, 3, n) for name, n in lengths.items()}
    rest = {name: value for name, value in MODEL.items() if name not in axes}
    found = logca.sweep(latency=latency, block=block, workers=workers, **axes, **rest)
    assert tuple(found.sizes) == tuple(axes)
    assert found.speedup.dims == tuple(axes)
    np.testing.assert_allclose(
        found.speedup, naive(found).transpose(*found.speedup.dims), rtol=1e-12
    )


@given(shape=st.lists(st.integers(1, 9), max_size=4), points=st.integers(1, 60))
def test_blocks_cover_a_grid_once(shape: list[int], points: int) -> None:
    grid = cut(tuple(shape), points)
    seen = np.zeros(shape, dtype=int)
    for number, place in enumerate(grid.places()):
        seen[place] += 1
        assert grid.points(number) == seen[place].size <= points
    assert (seen == 1).all()


def test_quantities_vary_along_what_they_depend_on_only() -> None:
    found = logca.sweep(
        ("T0", "theta", "share_o", "speedup_infinite"),
        **{**MODEL, "g": [64, 128, 512], "A": [2, 4], "r": [2.0, 3.0, 4.0, 5.0], "q": 1.5},
        block=4,
    )
    dims = {"T0": ("g",), "theta": ("r",), "share_o": ("g", "A"), "speedup_infinite": ("g",)}
    assert {str(name): each.dims for name, each in found.data_vars.items()} == dims
    np.testing.assert_allclose(found.T0, 32 * np.array([64.0, 128, 512]) ** 1.2)
    host, A = found.T0, found.A
    np.testing.assert_allclose(found.share_o, 435 / (435 + 500 + host / A))


def test_units_and_meanings_are_on_everything() -> None:
    found = logca.sweep(("speedup", "T1"), **{**MODEL, "g": [1, 2]}, latency="linear")
    units = {str(name): each.attrs["units"] for name, each in found.variables.items()}
    assert units == {
        "g": "B",
        "o": "cycles",
        "L": "cycles/B",
        "C": "cycles/B**beta",
        "A": "1",
        "beta": "1",
        "speedup": "1",
        "T1": "cycles",
    }
    assert all(each.attrs["long_name"] for each in found.variables.values())
    assert found.attrs["latency"] == "linear"


def test_every_quantity_has_a_unit_and_a_meaning() -> None:
    for name in (*PARAMETERS, *HOMES):
        assert any(name in entries for entries in ENTRIES.values())
    for name in NAMES:
        for latency in ENTRIES:
            if name in ENTRIES[latency] or name not in HOMES:
                assert all(entry(name, latency, "cycles"))


def test_an_accelerator_gives_what_is_not_given() -> None:
    apu = logca.Accelerator(o=3, L=2, C=5, A=7, beta=0.5, latency="linear", unit="seconds")
    found = logca.sweep("T1", apu, g=[4, 16], A=[10.0])
    assert found.L.units == "seconds/B"
    assert found.T1.units == "seconds"
    np.testing.assert_allclose(found.T1.sel(A=10), [3 + 2 * 4 + 5 * 2 / 10, 3 + 2 * 16 + 20 / 10])


def test_sizes_may_be_text() -> None:
    found = logca.sweep(**{**MODEL, "g": ["4 KiB", 8192]})
    assert found.g.values.tolist() == [4096, 8192]
    assert logca.sweep(**{**MODEL, "g": "1 MiB"}).g.item() == 2**20


@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_the_speedup_at_the_roots_is_the_target(latency: str) -> None:
    names = ("g1", "g1_upper", "gA2", "gA2_upper", "g_s", "g_s_upper")
    model = {"o": 400.0, "L": 15.0, "C": [290.0, 2000], "beta": [0.9, 1.0, 1.2], "A": [4.0, 7, 9]}
    found = logca.sweep(names, **model, s=3, latency=latency, block=5).load()
    for name in names:
        assert found[name].dims == ("C", "beta", "A")
        assert found[name].units == "B"
        target = {"g1": 1, "gA2": found.A / 2, "g_s": 3}[name.removesuffix("_upper")]
        at = found.assign_coords(g=found[name])
        there = naive(at).transpose("C", "beta", "A")
        expected = np.broadcast_to(np.asarray(target, dtype=float), there.shape)
        exists = ~np.isnan(found[name].values)
        np.testing.assert_allclose(there.values[exists], expected[exists], rtol=1e-9)
        rises = "upper" not in name
        assert exists[:, 1:].any() == rises
        assert exists[:, 0].any() == (rises or latency == "linear")


def test_break_even_is_the_printed_one() -> None:
    found = logca.sweep("g1", o=[1e3, 1e5], L=[10, 1000], C=90, A=19, beta=[0.5, 1, 2])
    once, beta = found.o + found.L, found.beta
    printed = (19 / 18 * once / 90) ** (1 / beta)
    np.testing.assert_allclose(found.g1, printed.transpose(*found.g1.dims), rtol=1e-12)


def test_progress_ends_with_all_points() -> None:
    told: list[tuple[int, int]] = []
    logca.sweep(
        **{**MODEL, "A": [2, 3, 4], "g": np.arange(1, 30)},
        block=10,
        progress=lambda *a: told.append(a),
    )
    assert told[0] == (0, 87)
    assert told[-1] == (87, 87)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quantities": "speedupp"}, "did you mean speedup"),
        ({"quantities": "A"}, "A is a parameter"),
        ({"quantities": ()}, "no quantity"),
        ({"quantities": ("T0", "T0")}, "T0 is named twice"),
        ({"quantities": "kappa"}, "under linear latency only"),
        ({"quantities": "g_s"}, "g_s depends on s"),
        ({"quantities": "T0", "A": [1.5, 2]}, "nothing depends on A"),
        ({"latency": "affine"}, "latency = 'affine'"),
        ({"x": 3}, "no parameter is named 'x'"),
        ({"g": []}, "g has no values"),
        ({"g": [1, 2, 1]}, "the same value twice: 1"),
        ({"g": [[1, 2]]}, "g has 2 axes"),
        ({"o": "many"}, "o is a number"),
        ({"g": "4 KB"}, "ambiguous"),
        ({"g": [3, float("nan")]}, "g = nan"),
        ({"g": [0, 3]}, "g = 0"),
        ({"A": 1}, "A = 1"),
        ({"C": float("inf")}, "C = inf"),
        ({"L": [-1, 2]}, "L = -1"),
        ({"quantities": "window_best", "g_low": -2, "g_high": 3}, "-2 must be"),
        ({"block": 0}, "a block of 0 points"),
        ({"engine": "mpi"}, "unknown engine 'mpi'"),
        ({"workers": 0}, "0 workers"),
        ({"scheduler": "tcp://x:1"}, "goes with the engine dask"),
        ({"scheduler": "tcp://x:1", "engine": "dask", "workers": 2}, "has its own workers"),
    ],
)
def test_bad_input_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        logca.sweep(**{**MODEL, **change})


def test_what_does_not_fit_into_memory_is_refused() -> None:
    many = np.arange(1, 100_001)
    with pytest.raises(logca.SweepError, match="give an output"):
        logca.sweep(**{**MODEL, "g": many, "o": many, "L": many})


def test_spacing() -> None:
    assert spaced(1, 100, 3) == pytest.approx([1, 10, 100])
    assert spaced(100, 0, 3, "lin") == [100, 50, 0]
    for bad in ((0, 1, 3), (1, 1, 3), (1, 2, 1), (1, 2, 3, "sqrt")):
        with pytest.raises(logca.SweepError):
            spaced(*bad)


def test_the_nearest_value_by_ratio() -> None:
    found = logca.sweep(**{**MODEL, "g": [1, 100, 10], "L": [0, 5]})
    assert nearest(found, {"g": 33.0}).g == 100
    assert nearest(found, {"g": 31.0, "L": 0.0}).coords["g"] == 10
    assert nearest(found, {"L": 0.0}).L == 0
    assert nearest(found, {"A": 12}).sizes == found.sizes
    with pytest.raises(logca.SweepError, match="at A = 12 only"):
        nearest(found, {"A": 13.0})
    with pytest.raises(logca.SweepError, match="has no s"):
        nearest(found, {"s": 13.0})


@pytest.mark.parametrize(
    "given", [[[1.0], [2.0, 3.0]], np.array([1, 2], "m8[s]"), [True, False], [1 + 1j]]
)
def test_an_axis_of_no_numbers_is_refused(given: Any) -> None:
    with pytest.raises(logca.SweepError, match="g is a number, or a sequence of numbers"):
        logca.sweep("speedup", g=given, o=1, L=1, C=1, A=2)


def test_labels_and_units_of_values_are_refused() -> None:
    xarray, pandas = pytest.importorskip("xarray"), pytest.importorskip("pandas")
    sizes = xarray.DataArray([16.0, 32.0], dims="g", attrs={"units": "KiB"})
    for values in (sizes, pandas.Series([16.0, 32.0]), list(sizes), sizes[0]):
        with pytest.raises(logca.SweepError, match=r"g is given as .*: give its values"):
            logca.sweep("speedup", g=values, o=435, L=500, C=32, A=8)
    found = logca.sweep("speedup", g=np.ma.MaskedArray([16.0, 32.0]), o=435, L=500, C=32, A=8)
    assert found.g.values.tolist() == [16, 32]
