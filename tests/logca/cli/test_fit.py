"""`logca fit`, as a user meets it."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from synthetic_timings import FAR, NEVER, NOISY, PAYS, TWICE, Truth, write_table

import logca
from logca.common.json_output import to_plain
from logca.numeric.fit.fit import Fit, fit
from logca.show.fit.data import fit_data
from logca.show.fit.words import answer

Run = Callable[..., tuple[int, str, str]]
Fits = Callable[[Truth], Fit]

QUICK = ("--latency", "constant")
HEADER = "granularity_B,host_s,accelerated_s\n"
REST = "256,3e-6,3e-6\n512,3e-6,3e-6\n1024,5e-6,4e-6\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("timings") / "pays.csv", PAYS)


@pytest.fixture(scope="module")
def known(table: Path) -> Fit:
    return logca.fit(table, latency="constant")


def refused(result: tuple[int, str, str], fragment: str) -> None:
    """One line on stderr that has a fragment, nothing on stdout, exit code 2."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("logca: ")
    assert err.count("\n") == 1
    assert fragment in err


def numbers(result: tuple[int, str, str]) -> dict[str, Any]:
    code, out, _ = result
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_answer_comes_first_and_every_table_follows(run: Run, tmp_path: Path) -> None:
    code, out, err = run("fit", str(write_table(tmp_path / "twice.csv", TWICE)))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("Offloading pays from ")
    for start in ("o ", "L ", "C ", "A ", "beta ", "g1 ", "g1_upper ", "gA2 ", "peak ", "constant"):
        assert any(line.startswith(start) for line in lines), start
    assert "Limits of this fit" in lines
    assert "Sizes to measure next: they narrow the answer most, the best first" in lines


@pytest.mark.parametrize(("truth", "count"), [(PAYS, 1), (TWICE, 2), (FAR, 1)])
def test_break_evens_are_where_the_times_cross(fits: Fits, truth: Truth, count: int) -> None:
    quantities = to_plain(fit_data(fits(truth)))["quantities"]
    crossings = truth.crossings()
    assert len(crossings) == count
    for name, g in zip(("g1", "g1_upper"), crossings, strict=False):
        found = quantities[name]
        assert found["unit"] == "B"
        assert found["lower"] < found["value"] < found["upper"]
        assert found["lower"] < g < found["upper"], name
        assert found["none"] < 0.025
    assert (quantities["g1_upper"]["value"] is None) == (count == 1)


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        (PAYS, "Offloading pays from "),
        (TWICE, ", up to "),
        (FAR, "beyond the largest size measured"),
        (NEVER, "does not pay at any size"),
        (NOISY, "leave open"),
    ],
)
def test_the_answer_is_as_sure_as_the_data(fits: Fits, truth: Truth, words: str) -> None:
    assert words in answer(fits(truth))


def test_json_has_what_python_has(run: Run, table: Path, known: Fit) -> None:
    shown = numbers(run("fit", str(table), *QUICK, "--json"))
    assert shown == to_plain(fit_data(known))
    assert shown["quantities"]["C"]["value"] == known.parameters["C"]
    assert shown["quantities"]["C"]["unit"] == "s/B**beta"
    assert shown["models"]["constant"]["weight"] == 1
    assert shown["provenance"]["timings"] == "pays.csv"


def test_units_and_titles_as_options(run: Run, tmp_path: Path, known: Fit) -> None:
    other = write_table(
        tmp_path / "other.csv", PAYS, header="n,cpu,gpu", scale=(1024.0, 1e-3, 1e-6)
    )
    given = ("--columns", "granularity=n,host=cpu,accelerated=gpu")
    units = ("--units", "granularity=KiB,host=ms,accelerated=us")
    found = numbers(run("fit", str(other), *given, *units, *QUICK, "--json"))["quantities"]
    for name, value in known.parameters.items():
        assert found[name]["value"] == pytest.approx(value, rel=1e-6)


def test_sizes_in_any_order_are_sorted_and_that_is_told(
    run: Run, tmp_path: Path, known: Fit
) -> None:
    backwards = write_table(tmp_path / "backwards.csv", PAYS, backwards=True)
    result = run("fit", str(backwards), *QUICK, "--json")
    found = numbers(result)
    assert "sorted" in result[2]
    assert any("sorted" in note for note in found["notes"])
    assert found["quantities"]["g1"]["value"] == pytest.approx(known.accelerator.break_even()[0])


def test_one_form_of_latency_of_some_sizes(run: Run, table: Path) -> None:
    options = ("--latency", "constant", "--sizes", "1KiB:", "--confidence", "0.5")
    code, out, _ = run("fit", str(table), *options)
    assert code == 0
    assert "(constant latency, intervals of 50 %)" in out
    assert "Forms of latency" not in out


def test_nothing_is_overwritten_unasked(run: Run, tmp_path: Path, table: Path, known: Fit) -> None:
    record, picture = tmp_path / "fit.json", tmp_path / "fit.svg"
    code, _, err = run("fit", str(table), *QUICK, "-o", str(record), "--picture", str(picture))
    assert code == 0
    assert str(record) in err
    assert picture.read_text().count("<svg") == 1
    before = record.read_bytes()
    assert Fit.load(record).parameters == known.parameters
    for option, path in (("-o", record), ("--picture", picture)):
        refused(run("fit", str(table), option, str(path)), "exists; --force replaces it")
    assert record.read_bytes() == before
    assert (
        run("fit", str(table), *QUICK, "-o", str(record), "--confidence", "0.5", "--force")[0] == 0
    )
    assert Fit.load(record).level == 0.5


def test_timings_are_never_overwritten(run: Run, tmp_path: Path) -> None:
    timings = tmp_path / "timings.json"
    timings.write_text("{}")
    refused(run("fit", str(timings), "-o", str(timings), "--force"), "has the timings")
    assert timings.read_text() == "{}"


def test_the_function_is_no_module() -> None:
    assert find_spec("logca.fit") is None
    assert logca.fit is fit


DEVICES = """granularity_B,cpu_s,gpu_s,fpga_s,npu_s
1024,1.00e-6,9.1e-6,2.2e-6,1.00e-3
4096,4.00e-6,9.5e-6,3.2e-6,1.00e-3
16384,1.60e-5,1.1e-5,7.1e-6,1.01e-3
65536,6.40e-5,1.7e-5,2.4e-5,
262144,2.56e-4,4.1e-5,8.8e-5,
"""


def test_all_accelerators_are_ranked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "devices.csv"
    path.write_text(DEVICES)
    found = numbers(run("fit", str(path), "--rank", "--json"))
    assert found["answer"] == (
        "Of 3 paths, gpu_s gains most: 6.244 times as fast as the host at 256 KiB."
    )
    assert [each["name"] for each in found["paths"]] == ["gpu_s", "fpga_s", "npu_s"]
    assert [each["speedup"] for each in found["paths"]] == [
        pytest.approx(256 / 41),
        pytest.approx(256 / 88),
        None,
    ]
    assert "accelerated has times at 3 sizes" in found["paths"][2]["answer"]
    alone = numbers(run("fit", str(path), "--accelerated", "gpu_s", "--json"))
    assert alone["answer"] == found["paths"][0]["answer"]
    path.write_text("".join(f"{line}\n" for line in _columns(DEVICES, 0, 1, 3)))
    code, out, _ = run("fit", str(path), "--rank", "--host", "fpga_s", "--latency", "constant")
    assert code == 0
    assert out.startswith("No path beats the host at its largest size: cpu_s is the best")


def _columns(text: str, *places: int) -> list[str]:
    rows = [line.split(",") for line in text.splitlines()]
    return [",".join(row[place] for place in places) for row in rows]


def test_two_files_are_host_and_accelerated(run: Run, tmp_path: Path) -> None:
    names = ("cpu", "gpu")
    for column, name in enumerate(names, start=1):
        rows = ["size_B,time_s", *_columns(DEVICES, 0, column)[1:]]
        (tmp_path / f"{name}.csv").write_text("\n".join(rows))
    (tmp_path / "devices.csv").write_text(DEVICES)
    files = [str(tmp_path / f"{name}.csv") for name in names]
    both = numbers(run("fit", *files, "--json"))
    alone = numbers(run("fit", str(tmp_path / "devices.csv"), "--accelerated", "gpu_s", "--json"))
    assert both["quantities"] == alone["quantities"]
    assert both["provenance"]["accelerated_timings"] == "gpu.csv"
    code, _, err = run("fit", *files, "-o", files[1], "--force")
    assert (code, "name another file" in err or "must end in" in err) == (2, True)
