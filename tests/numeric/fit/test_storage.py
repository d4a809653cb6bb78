"""Fits that are saved and loaded, and files that are none."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_devices import CONSTANT, LINEAR, Known

from logca.common.errors import FileError
from logca.numeric.fit.fit import Fit, FitError, fit

SIZES = [2.0**power for power in range(6, 26, 3)]
Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fits") / "fit.json"
    timings = LINEAR.timings(0.1, seed=2, sizes=SIZES, spikes=0.05)
    fit(timings, provenance={"machine": "of the test"}).save(path)
    return path


def test_what_is_loaded_is_what_was_saved(saved: Path, tmp_path: Path) -> None:
    found = Fit.load(saved)
    found.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == saved.read_text()
    again = Fit.load(tmp_path / "again.json")
    assert again.summary() == found.summary()
    assert again.provenance == found.provenance
    assert found.provenance["machine"] == "of the test"
    # an interval of another confidence is computed from what was saved
    assert again.interval("g1", 0.5) == found.interval("g1", 0.5)


def test_a_loaded_fit_answers_as_the_fit_did(tmp_path: Path) -> None:
    made = fit(CONSTANT.timings(0.05, sizes=SIZES), latency="constant")
    made.save(tmp_path / "fit.json")
    found = Fit.load(tmp_path / "fit.json")
    assert found.accelerator == made.accelerator
    assert found.models == pytest.approx(made.models)
    assert found.interval("g1", 0.8) == pytest.approx(made.interval("g1", 0.8))
    assert found.next_sizes == made.next_sizes


def test_a_fit_says_where_its_timings_are_from(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    g = 2.0 ** np.arange(3, 21, 3)
    rows = zip(g, CONSTANT.host(g), CONSTANT.accelerated(g), strict=True)
    lines = [",".join(map(repr, map(float, row))) for row in rows]
    path.write_text("\n".join(["granularity_B,host_s,accelerated_s", *lines]))
    found = fit(path, latency="constant", provenance={"fitted": "2001-01-01"}).provenance
    assert found["timings"] == "timings.csv"
    assert found["sha256"] == sha256(path.read_bytes()).hexdigest()
    assert found["fitted"] == "2001-01-01"
    assert "logca" in found


def test_a_file_is_replaced_only_by_force(saved: Path, tmp_path: Path) -> None:
    found, path = Fit.load(saved), tmp_path / "mine.txt"
    path.write_text("my own")
    with pytest.raises(FitError, match=r"mine\.txt is there already; force=True replaces it"):
        found.save(path)
    assert path.read_text() == "my own"
    found.save(path, force=True)
    assert Fit.load(path).level == found.level
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_where_nothing_can_be_written(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(FitError, match=r"cannot write .*nowhere"):
        Fit.load(saved).save(tmp_path / "nowhere" / "fit.json")


def set_in(*keys: Any, to: Any) -> Change:
    def change(record: dict[str, Any]) -> None:
        for key in keys[:-1]:
            record = record[key]
        record[keys[-1]] = to

    return change


HOST = ("models", "linear", "host")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_in("format", to="else"), "its format is not 'logca-fit'"),
        (set_in("version", to=7), "version 7, not 1; fit the timings again"),
        (lambda record: record.pop("timings"), "it has no 'timings'"),
        (lambda record: record["models"]["linear"].pop("curve"), "it has no 'curve'"),
        (set_in("models", to={}), "models none must be of constant, linear"),
        (set_in("models", "cubic", to={}), "cubic"),
        (set_in("timings", "granularity", to=[1, 2, 3, 4]), "host has 7 rows"),
        (set_in("timings", "host", 2, 0, to=float("nan")), "host time of row 3"),
        (set_in("timings", "host", 2, 0, to=-1.0), "is negative"),
        (lambda record: record["timings"]["host"][2].pop(), "host weight must be 20 numbers"),
        (set_in(*HOST, "weight", to=[0.5]), "host weight must be 21 numbers"),
        (set_in(*HOST, "weight", 3, to=float("nan")), "host weight must be numbers from 0 to 1"),
        (set_in(*HOST, "root", 0, to=-1.0), "host root must be numbers from 0 to 1e+15"),
        (set_in(*HOST, "root", 0, to="wide"), "wide"),
        (set_in(*HOST, "spread", to=-0.1), "host spread = -0.1 must be between 0 and 1e+15"),
        (set_in(*HOST, "spikes", to=2), "host spikes = 2 must be between 0 and 1"),
        (set_in(*HOST, "apart", to=-1), "host apart must be numbers from 0"),
        (set_in("models", "linear", "curve", "o", to=float("inf")), "curve o = inf"),
        (set_in("models", "linear", "curve", "beta", to=-1), "beta = -1.0 must be positive"),
        (set_in("models", "linear", "curve", "extra", to=1), "extra"),
        (set_in("level", to=95), "level = 95 must be between 0 and 1"),
        (set_in("intervals", "g1", to=[2, 1, 0]), "interval of g1"),
        (set_in("intervals", "g1", to=[1, 2, 3]), "interval of g1"),
        (set_in("intervals", "g1", to=[1.0, 2.0, 0.0]), "is outside its interval, 1 to 2"),
        (set_in("intervals", "A", to=["nan", "nan", 0.0]), "is outside its interval, nan to nan"),
        (set_in("intervals", "beta", to=[2.0, "inf", 0.0]), "its beta = "),
        (set_in("intervals", "g1", 2, to=1.0), "is one of confidence 1 that there is none"),
        (set_in("intervals", "o", 2, to=0.1), "is one of confidence 0.1 that there is none"),
        (set_in("intervals", to={}), "intervals must be those of o, L, C"),
        (set_in("provenance", to=["host"]), "no saved fit"),
        (set_in("provenance", "machine", to=1), "provenance 'machine' = 1 must be a text"),
    ],
)
def test_what_was_changed_in_a_file_is_named(
    saved: Path, tmp_path: Path, change: Change, message: str
) -> None:
    record = json.loads(saved.read_text())
    change(record)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(record))
    with pytest.raises(FileError) as caught:
        Fit.load(path)
    assert message in str(caught.value)
    assert "changed.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("level", [0.5, 0.999])
@pytest.mark.parametrize("noise", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(
    ("device", "latency"),
    [
        (CONSTANT, "auto"),
        (CONSTANT, "constant"),
        (CONSTANT, "linear"),
        (LINEAR, "auto"),
        (LINEAR, "linear"),
    ],
)
def test_every_fit_that_is_saved_is_read_again(
    device: Known, noise: float, latency: str, level: float, tmp_path: Path
) -> None:
    path = tmp_path / "fit.json"
    found = fit(device.timings(noise, seed=5, sizes=SIZES), latency=latency, level=level)
    found.save(path)
    assert repr(Fit.load(path).intervals) == repr(found.intervals)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"\xff\xfe\x00", "as it is no text"),
        (b"granularity_B,host_s", "no JSON"),
        (b"[1, 2]", "its format is not 'logca-fit'"),
        (b'{"format": "logca-sweep"}', "its format is not 'logca-fit'"),
        (b"[" * 100_000, "no JSON"),
        (b"", "no JSON"),
    ],
)
def test_other_files_are_no_fits(tmp_path: Path, contents: bytes, message: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(contents)
    with pytest.raises(FileError, match=message):
        Fit.load(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot read .*missing\.json: No such file"):
        Fit.load(tmp_path / "missing.json")
    with pytest.raises(FileError, match=r"cannot read .*: Is a directory"):
        Fit.load(tmp_path)
    with pytest.raises(FileError, match="cannot read"):
        Fit.load("\0")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
)


def places(value: Any) -> list[tuple[Any, ...]]:
    """The keys to every value of JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    below = [
        (key, *rest)
        for key, each in items
        if isinstance(each, dict | list)
        for rest in places(each)
    ]
    return [*((key,) for key in (value if isinstance(value, dict) else range(len(value)))), *below]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), value=VALUES)
def test_whatever_a_value_is_replaced_by_the_answer_is_clear(
    saved: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, value: Any
) -> None:
    record = json.loads(saved.read_text())
    keys = data.draw(st.sampled_from(places(record)))
    set_in(*keys, to=value)(record)
    path = tmp_path_factory.mktemp("changed") / "fit.json"
    path.write_text(json.dumps(record))
    message = "fit.json"
    try:
        Fit.load(path).summary()
    except FileError as error:
        message = str(error)
    assert "fit.json" in message
    assert "\n" not in message
