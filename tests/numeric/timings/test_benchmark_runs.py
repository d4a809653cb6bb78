"""Timings from the JSON of benchmark tools.

The files of Google Benchmark 1.9.5 and pytest-benchmark were written by these tools (SHA-256 as
host, SHA-1 as accelerated, contexts shortened); those of hyperfine and Extra-P after their
documentation.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.timings.google_benchmark import name_and_arguments
from logca.numeric.timings.reading import read, read_timings
from logca.numeric.timings.timings import TimingsError

FILES = Path(__file__).parent / "files"
DIGESTS = (1024, 4096, 16384, 65536, 262144)

Change = Callable[[dict[str, Any]], object]


def loaded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FILES / name).read_text(encoding="utf-8"))
    return found


def changed(folder: Path, name: str, change: Change) -> Path:
    data = loaded(name)
    change(data)
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_google_benchmark_with_repetitions() -> None:
    reading = read(FILES / "google_repetitions.json")
    timings = reading.timings
    assert timings.granularity == DIGESTS
    assert {each.size for each in (*timings.host, *timings.accelerated)} == {3}
    runs = [each for each in loaded("google_repetitions.json")["benchmarks"]]
    first = [each["real_time"] for each in runs[:3]]
    assert list(timings.host[0]) == pytest.approx([each * 1e-9 for each in first])
    last = [
        each["real_time"]
        for each in runs
        if each["name"] == "BM_digest_offload/bytes:262144/real_time"
    ]
    assert list(timings.accelerated[-1]) == pytest.approx([each * 1e-6 for each in last])
    assert reading.notes == ()


def test_google_benchmark_with_aggregates_only() -> None:
    reading = read(FILES / "google_aggregates.json")
    assert [each.size for each in reading.timings.host] == [1] * 5
    medians = [
        each["real_time"] * 1e-9
        for each in loaded("google_aggregates.json")["benchmarks"]
        if each["name"].startswith("BM_digest_host") and each["aggregate_name"] == "median"
    ]
    assert [float(each[0]) for each in reading.timings.host] == pytest.approx(medians)
    assert "aggregates only" in reading.notes[0]


def test_google_benchmark_that_fails_at_one_size() -> None:
    reading = read(FILES / "google_failed.json")
    assert reading.timings.granularity == DIGESTS
    assert [each.size for each in reading.timings.accelerated] == [1, 1, 0, 1, 1]
    assert reading.notes[0].endswith("/real_time failed (queue full); left out")
    assert "sizes without accelerated times: 16 KiB" in reading.notes


def test_google_benchmark_before_run_types(tmp_path: Path) -> None:
    def old(data: dict[str, Any]) -> None:
        for each in data["benchmarks"]:
            for key in ("run_type", "run_name", "aggregate_name", "aggregate_unit"):
                each.pop(key, None)

    path = changed(tmp_path, "google_repetitions.json", old)
    new = read_timings(FILES / "google_repetitions.json")
    for found, wanted in zip(read_timings(path).host, new.host, strict=True):
        assert list(found) == list(wanted)


@pytest.mark.parametrize(
    ("run_name", "name", "arguments"),
    [
        ("BM_x/4096", "BM_x", {"argument 1": "4096"}),
        ("BM_x/4096/2/real_time", "BM_x", {"argument 1": "4096", "argument 2": "2"}),
        ("BM_x/n:64/repeats:3/iterations:10/manual_time", "BM_x", {"n": "64"}),
        ("BM_x/64/threads:2", "BM_x", {"argument 1": "64", "threads": "2"}),
        ("gemm/gpu/64/min_time:0.500", "gemm/gpu", {"argument 1": "64"}),
        ("BM_x<int, 4>/8", "BM_x<int, 4>", {"argument 1": "8"}),
        ("BM_x", "BM_x", {}),
    ],
)
def test_names_of_google_benchmarks(run_name: str, name: str, arguments: dict[str, str]) -> None:
    assert name_and_arguments(run_name) == (name, arguments)


def test_of_two_arguments_one_is_the_size(tmp_path: Path) -> None:
    listed = [
        {"name": f"BM_gemm/dev:{device}/n:{size}", "real_time": size * 1.0, "time_unit": "ms"}
        for device in (0, 1)
        for size in (8, 16, 32, 64)
    ]
    path = tmp_path / "gemm.json"
    path.write_text(json.dumps({"context": {}, "benchmarks": listed}))
    with pytest.raises(TimingsError, match=r"several parameters may be the size: dev, n; say whi"):
        read(path)
    options: dict[str, Any] = {"host": "dev=0", "accelerated": "dev=1"}
    columns, units = {"granularity": "n"}, {"granularity": "4 B"}
    reading = read(path, columns=columns, units=units, **options)
    assert reading.timings.granularity == (32, 64, 128, 256)
    assert [float(each[0]) for each in reading.timings.host] == [0.008, 0.016, 0.032, 0.064]
    assert reading.notes == ()
    with pytest.raises(TimingsError, match="there is no parameter 'm'; known are dev, n"):
        read(path, columns={"granularity": "m"})


def test_pytest_benchmark_with_rounds() -> None:
    timings = read_timings(FILES / "pytest_rounds.json")
    assert timings.granularity == DIGESTS
    for path, found in (("host", timings.host), ("accelerated", timings.accelerated)):
        by_name = {each["name"]: each for each in loaded("pytest_rounds.json")["benchmarks"]}
        for size, row in zip(DIGESTS, found, strict=True):
            assert list(row) == by_name[f"test_digest_{path}[{size}]"]["stats"]["data"]


def test_pytest_benchmark_with_medians_only() -> None:
    reading = read(FILES / "pytest_summary.json")
    stats = [each["stats"] for each in loaded("pytest_summary.json")["benchmarks"]]
    assert [float(each[0]) for each in reading.timings.host] == [
        each["median"] for each in stats[:5]
    ]
    assert "--benchmark-save-data" in reading.notes[0]


def test_pytest_benchmark_with_the_size_in_extra_info(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "pytest_rounds.json",
        lambda data: [
            each.update(params=None, extra_info={"bytes": each["params"]["size"], "digest": "ab"})
            for each in data["benchmarks"]
        ],
    )
    assert read(path).timings.granularity == DIGESTS
    assert read(path, columns={"granularity": "bytes"}).timings.granularity == DIGESTS


@pytest.mark.parametrize("name", ["hyperfine.json", "hyperfine_2.json"])
def test_hyperfine(name: str) -> None:
    reading = read(FILES / name, host="digest-host", accelerated="digest-fpga")
    timings = reading.timings
    assert timings.granularity == (16384, 65536, 262144, 1048576)
    assert list(timings.host[0]) == [0.00275536, 0.002761914, 0.002768467]
    assert list(timings.accelerated[-1]) == pytest.approx(
        [0.006 + 3e-9 * 1048576 * (1 + 0.01 * each) for each in range(3)], abs=1e-9
    )
    assert reading.timings.host[0].size == 3
    assert len(read(FILES / name).timings) == 4  # "host" and "fpga" say which


def test_hyperfine_with_both_in_one_command(tmp_path: Path) -> None:
    listed = [
        {
            "command": f"./{tool} -t 1 --bytes {size}",
            "times": [size * 1e-3],
            "exit_codes": [0],
            "parameters": {"tool": tool, "bytes": str(size)},
        }
        for size in (1, 2, 4, 8)
        for tool in ("cpu", "gpu")
    ]
    path = tmp_path / "both.json"
    path.write_text(json.dumps({"results": listed}))
    reading = read(path, units={"granularity": "MiB"})
    assert reading.timings.granularity == tuple(each * 2**20 for each in (1, 2, 4, 8))
    assert reading.notes == ()


def test_hyperfine_with_failures(tmp_path: Path) -> None:
    def fail(data: dict[str, Any]) -> None:
        data["results"][0]["exit_codes"] = [0, 1, None]
        data["results"][7]["exit_codes"] = [137, 137, 137]

    with pytest.raises(TimingsError, match=r"times at 3 sizes; .*results\[7\].*failed each time"):
        read(changed(tmp_path, "hyperfine.json", fail))

    def fail_of_five(data: dict[str, Any]) -> None:
        more = {**data["results"][4], "parameters": {"bytes": "4096"}}
        fail(data)
        data["results"].append({**more, "command": "./digest-fpga --bytes 4096"})

    reading = read(changed(tmp_path, "hyperfine.json", fail_of_five))
    assert [each.size for each in reading.timings.host] == [0, 1, 3, 3, 3]
    assert reading.timings.accelerated[-1].size == 0
    assert "results[0]: 2 of 3 runs failed (exit code); left out" in reading.notes
    assert "results[7]: ./digest-fpga --bytes 1048576 failed each time; left out" in reading.notes


def test_hyperfine_without_sizes(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "hyperfine.json",
        lambda data: [each.pop("parameters") for each in data["results"]],
    )
    with pytest.raises(TimingsError, match="no sizes; let hyperfine know them: hyperfine -L byt"):
        read(path)


def test_extra_p() -> None:
    reading = read(FILES / "extra_p.json", units={"time": "ms"})
    timings = reading.timings
    assert timings.granularity == (2**16, 2**18, 2**20, 2**22)
    assert list(timings.host[0]) == pytest.approx([0.129, 0.13029])
    assert list(timings.accelerated[-1]) == pytest.approx([0.602, 0.60802])
    assert reading.notes == ()
    with pytest.raises(TimingsError, match="there is no metric 'flops'; known: time, bytes_sent"):
        read(FILES / "extra_p.json", columns={"time": "flops"})


def test_extra_p_with_ids() -> None:
    units = {"granularity": "KiB", "time": "ms"}
    old = read_timings(FILES / "extra_p_ids.json", units=units)
    new = read_timings(FILES / "extra_p.json", units=units)
    assert old.granularity == new.granularity
    for found, wanted in zip(
        (*old.host, *old.accelerated), (*new.host, *new.accelerated), strict=True
    ):
        assert list(found) == list(wanted)
    notes = read(FILES / "extra_p_ids.json").notes
    assert notes[0].startswith("'time' is taken as seconds")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "google_repetitions.json",
            lambda data: data["benchmarks"][1].update(real_time=0.0),
            r"benchmarks\[1\]: real_time: time 0; the clock is too coarse",
        ),
        (
            "google_repetitions.json",
            lambda data: data["benchmarks"][1].update(real_time=float("nan")),
            r"benchmarks\[1\]: real_time: not a number \(NaN\)",
        ),
        (
            "google_repetitions.json",
            lambda data: data["benchmarks"][1].pop("real_time"),
            r"benchmarks\[1\]: key 'real_time' is missing",
        ),
        (
            "google_repetitions.json",
            lambda data: data["benchmarks"][1].update(time_unit="h"),
            r"benchmarks\[1\]: time_unit 'h' is not one of ns, us, ms, s",
        ),
        (
            "google_repetitions.json",
            lambda data: data.update(benchmarks=data["benchmarks"][:20]),
            r"one path only, 'BM_digest_host'; name the file of the other one as well",
        ),
        ("google_repetitions.json", lambda data: data.update(benchmarks=[]), "no runs; is it the"),
        ("google_repetitions.json", lambda data: data.pop("benchmarks"), "JSON of no known tool"),
        (
            "google_repetitions.json",
            lambda data: data.update(benchmarks={"a": 1}),
            "benchmarks must be a list, not dict",
        ),
        (
            "pytest_rounds.json",
            lambda data: data["benchmarks"][2]["stats"]["data"].append(-1e-6),
            r"benchmarks\[2\]: stats.data\[4\]: negative time -1e-06",
        ),
        (
            "pytest_rounds.json",
            lambda data: data["benchmarks"][2].pop("stats"),
            r"benchmarks\[2\]: key 'stats' is missing",
        ),
        (
            "pytest_rounds.json",
            lambda data: data["benchmarks"][2]["params"].update(size=0),
            r"benchmarks\[2\] \(test_digest_host\[16384\]\): size: granularity 0 is not above 0",
        ),
        (
            "hyperfine.json",
            lambda data: data["results"][3]["times"].__setitem__(1, None),
            r"results\[3\].times\[1\]: None is no number",
        ),
        (
            "hyperfine.json",
            lambda data: data.update(results=data["results"][:3] + data["results"][4:7]),
            "3 sizes are too few; measure at 4",
        ),
        (
            "extra_p.json",
            lambda data: data["measurements"]["main->solve_cpu"]["time"][0].update(point=[1, 2]),
            r"measurements.main->solve_cpu.time\[0\]: point must have 1 value\(s\)",
        ),
        (
            "extra_p_ids.json",
            lambda data: data["measurements"][5].update(metric_id=9),
            r"measurements\[5\]: metric_id 9 is not defined in the file",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, change: Change, message: str) -> None:
    path = changed(tmp_path, name, change)
    with pytest.raises(TimingsError, match=message) as caught:
        read(path)
    assert name in str(caught.value)


def test_text_that_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text((FILES / "hyperfine.json").read_text(encoding="utf-8")[:900])
    with pytest.raises(TimingsError, match=r"cut.json: line \d+: no JSON"):
        read(path)
    for text in ("[" * 100_000, "[1, 2]", "{}", '{"benchmarks": 1}', '{"results": [1]}'):
        path.write_text(text)
        with pytest.raises(TimingsError, match=r"cut\.json"):
            read(path)


def test_options_that_json_has_no_use_for() -> None:
    with pytest.raises(TimingsError, match=r"units: time: times in .* have units of their own"):
        read(FILES / "hyperfine.json", units={"time": "ms"})
    with pytest.raises(TimingsError, match="'host' is for tables; give host='NAME' for JSON"):
        read(FILES / "hyperfine.json", columns={"host": "x"})


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container of a tree with each of its keys."""
    keys = data.keys() if isinstance(data, dict) else range(len(data))
    found = [(data, key) for key in keys]
    for key in keys:
        if isinstance(data[key], dict | list):
            found += places(data[key])
    return found


@settings(max_examples=200)
@given(
    name=st.sampled_from(sorted(path.name for path in FILES.glob("*.json"))),
    place=st.integers(0, 10**6),
    value=st.sampled_from([None, -1, 0, 10**400, True, "", "x", [], [[]], {}, {"a": 1}, 1e999]),
)
def test_whatever_a_value_is_replaced_by_the_answer_is_clear(
    tmp_path_factory: pytest.TempPathFactory, name: str, place: int, value: object
) -> None:
    data = loaded(name)
    every = places(data)
    container, key = every[place % len(every)]
    container[key] = value
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(json.dumps(data), encoding="utf-8")
    try:
        timings = read_timings(path)
    except TimingsError as error:
        said = str(error)
    else:
        said = name
        assert all(run > 0 for row in (*timings.host, *timings.accelerated) for run in row)
    assert name in said
