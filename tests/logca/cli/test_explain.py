"""`logca explain`, `regions` and `granularities`, as a user meets them."""

import json
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]

T2 = ("--device", "ultrasparc-t2", "--kernel", "aes")
OWN = ("--o", "29000", "--L", "1500", "--C", "90", "--A", "19")


@pytest.mark.parametrize("verb", ["explain", "regions", "granularities"])
def test_help_has_examples_and_the_options(run: Run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert f"logca {verb}" in out
    for option in ("--device", "--kernel", "--device-file", "--o", "--beta", "--latency"):
        assert option in out


def test_explain(run: Run) -> None:
    code, out, err = run("explain", "4KiB", *T2)
    assert (code, err) == (0, "")
    assert out.startswith("At 4 KiB offloading pays: speedup 7.387")
    assert "The bottleneck is overhead" in out
    assert run("explain", "4096", *OWN)[1] == out
    assert "does not pay" in run("explain", "64B", *T2)[1]


def test_explain_as_json(run: Run) -> None:
    found = json.loads(run("explain", "4KiB", *T2, "--json")[1])
    accelerated = 30500 + 90 * 4096 / 19
    assert found["speedup"] == pytest.approx(90 * 4096 / accelerated)
    assert found["shares"]["overhead"] == pytest.approx(29000 / accelerated)
    assert found["elasticities"]["o"] == pytest.approx(-29000 / accelerated)
    assert found["accelerator"] == "UltraSPARC T2 AES"


def test_a_device_with_other_parameters(run: Run) -> None:
    found = json.loads(run("explain", "4KiB", *T2, "--L", "0", "--A", "38", "--json")[1])
    assert found["speedup"] == pytest.approx(90 * 4096 / (29000 + 90 * 4096 / 38))
    assert found["accelerator"] == "UltraSPARC T2 AES with L = 0, A = 38"


def test_the_form_of_latency(run: Run) -> None:
    out = run("explain", "4KiB", *T2, "--latency", "linear", "--json")[1]
    expected = 90 * 4096 / (29000 + 1500 * 4096 + 90 * 4096 / 19)
    assert json.loads(out)["speedup"] == pytest.approx(expected)


def test_regions(run: Run) -> None:
    code, out, err = run("regions", *T2)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, err) == (0, "")
    for line in (
        "oC 16 B 1.429 KiB",
        "CA 26 KiB 27.67 KiB",
        "A 27.67 KiB 32 MiB",
        "L nowhere",
        "A from 1.429 KiB",
    ):
        assert line in lines


def test_regions_as_json(run: Run) -> None:
    found = json.loads(run("regions", *OWN, "--low", "1B", "--high", "1GiB", "--json")[1])
    assert [each["label"] for each in found["regions"]] == ["oC", "oCA", "CA", "A"]
    assert (found["regions"][0]["start"], found["regions"][-1]["end"]) == (1, 2**30)
    assert found["cutoffs"]["o"] == [{"start": 0, "end": pytest.approx(239590 / 9)}]
    assert found["cutoffs"]["L"] == []


def test_granularities_of_all_of_table_5(run: Run) -> None:
    code, out, err = run("granularities")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "ultrasparc-t2 aes g1 357.7 B 357.7 B 0 %" in lines
    assert "constant latency * gA/2 6.288 KiB 6.288 KiB 0 %" in lines
    assert "discrete-gpu gemm g1 81.63 KiB -65.18 KiB -179.8 %" in lines
    assert any("none: the speedup stays below 0.05789" in line for line in lines)
    assert sum("latency" in line and "gA/2" in line for line in lines) == 38
    rows = json.loads(run("granularities", "--json")[1])
    assert len(rows) == 38
    assert {row["latency"] for row in rows} == {"constant", "linear"}


def test_granularities_of_one_device(run: Run) -> None:
    assert len(json.loads(run("granularities", "--device", "apu", "--json")[1])) == 10
    rows = json.loads(run("granularities", *T2, "--latency", "constant", "--json")[1])
    [row] = rows
    assert row["g1"]["granularities"] == pytest.approx([19 / 18 * 30500 / 90])
    assert row["g1"]["error"] == 0
    assert row["usual"] is True


def test_granularities_of_parameters_of_ones_own(run: Run) -> None:
    words = "--o 4e8 --L 15 --C 290 --A 7 --beta 0.94 --latency linear --json"
    [row] = json.loads(run("granularities", *words.split())[1])
    assert len(row["g1"]["granularities"]) == 2
    assert row["gA2"]["granularities"] == []
    assert row["gA2"]["error"] is None
    assert row["gA2"]["verdict"] == "positive, but none exists"
    assert row["gA2"]["statement"] == "the speedup is at most 3.087, at 398.4 MiB"


def test_granularities_for_a_speedup(run: Run) -> None:
    rows = json.loads(run("granularities", *T2, "--speedup", "9.5", "--json")[1])
    assert [row["latency"] for row in rows] == ["constant", "linear"]
    assert rows[0]["granularities"] == pytest.approx([19 * 30500 / 90])
    assert rows[1]["granularities"] == []
    assert "stays below" in rows[1]["reason"]
    out = run("granularities", *T2, "--speedup", "20")[1]
    assert "not below the acceleration" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("explain 4KiB", "name an accelerator"),
        ("explain 4KB --device apu --kernel gemm", "ambiguous"),
        ("explain 0 --device apu --kernel gemm", "is no size"),
        ("explain 4KiB --device apu", "several kernels"),
        ("explain 4KiB --device apu --kernel gemm --beta 0", "beta = 0"),
        ("explain 4KiB --device apu --kernel gemm --o 1,2", "one value"),
        ("explain 4KiB --o 1 --C 1 --A 2", "missing: --L"),
        ("regions --device hsa-gpu", "Table 5 prints none"),
        ("regions --device apu --kernel gemm --gain 11", "gain = 11"),
        ("regions --device apu --kernel gemm --low 2B --high 1B", "ascending"),
        ("granularities --speedup 3", "goes with an accelerator"),
        ("granularities --device apu --speedup 0", "s = 0"),
        ("granularities --device-file no.toml", "there is no file"),
    ],
)
def test_errors_of_the_user_are_one_line_and_exit_code_2(
    run: Run, words: str, message: str
) -> None:
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert err.startswith("logca: ")
    assert len(err.splitlines()) == 1
    assert message in err
