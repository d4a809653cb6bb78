"""`logca explain`, `regions` and `granularities`, as a user meets them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

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
    assert out.startswith("Offloading 4 KiB to UltraSPARC T2 AES pays: 7.387 times as fast; ")
    assert "The bottleneck is overhead" in out
    own = run("explain", "4096", *OWN)[1]
    form = "latency is taken as constant, per offload, because --L 1500 has no /B\n"
    assert own == out.replace(" to UltraSPARC T2 AES", "") + form
    assert "does not pay" in run("explain", "64B", *T2)[1]


def test_explain_as_json(run: Run) -> None:
    found = json.loads(run("explain", "4KiB", *T2, "--json")[1])
    accelerated = 30500 + 90 * 4096 / 19
    assert found["speedup"] == pytest.approx(90 * 4096 / accelerated)
    assert found["shares"]["overhead"] == pytest.approx(29000 / accelerated)
    assert found["elasticities"]["o"] == pytest.approx(-29000 / accelerated)
    assert found["accelerator"] == "UltraSPARC T2 AES"


def test_what_else_is_asked_is_in_json_too(run: Run) -> None:
    asked = ("--batch", "8", "--fraction", "0.6", "--power", "90,90,60,150", "--within", "1.2")
    found = json.loads(run("explain", "4KiB", *T2, *asked, "--in-flight", "8", "--json")[1])
    kernel, o, L, A = 90 * 4096, 29000, 1500, 19
    alone = kernel / (o + L + kernel / A)
    assert found["batch"]["speedup"] == pytest.approx(8 * kernel / (o + L + 8 * kernel / A))
    assert found["application"]["speedup"] == pytest.approx(1 / (0.4 + 0.6 / alone))
    energy = 90 * kernel / (90 * o + 60 * L + 150 * kernel / A)
    assert found["energy"]["speedup"] == pytest.approx(energy)
    worst = (kernel / 1.2) / (1.2 * (o + L) + (kernel / 1.2) / (A / 1.2))
    assert found["within"]["worst"]["speedup"] == pytest.approx(worst)
    assert found["in_flight"]["speedup"] > found["speedup"]
    for each in ("batch", "application", "energy"):  # each number is in the text too
        assert f"{found[each]['speedup']:.4g}" in found["text"]


def test_a_worst_case_that_never_pays_is_an_answer(run: Run) -> None:
    code, out, _ = run("explain", "4KiB", *T2, "--within", "100")
    assert code == 0
    assert "known within a factor 100, at worst offloading never pays" in out


def test_what_holds_at_a_size_alone_has_no_break_even(run: Run, tmp_path: Path) -> None:
    """A step between 8 and 16 KiB: the fit pays in two ranges, its parameters at a size in one."""
    sizes = [256 << place for place in range(13)]
    rows = [f"{g},{g * 1e-9!r},{(5e-6 + g * 1e-10) * (3 if g > 1e4 else 1)!r}" for g in sizes]
    table, fit = tmp_path / "step.csv", str(tmp_path / "step.json")
    table.write_text("\n".join(["granularity_B,host_s,accelerated_s", *rows]))
    assert run("fit", str(table), "-o", fit)[0] == 0
    asked = ("--batch", "8", "--fraction", "0.5", "--within", "1.2")
    out = run("explain", "64KiB", "--fit", fit, *asked)[1]
    assert re.search(r"it pays from 5\.42\d KiB to 11\.\d+ KiB and from 20\.9\d KiB on", out)
    assert out.count("it pays") == 1
    assert "of that size alone" in out
    found = json.loads(run("explain", "64KiB", "--fit", fit, *asked, "--json")[1])
    assert "break_even" not in found["application"]


def test_a_device_with_other_parameters(run: Run) -> None:
    found = json.loads(run("explain", "4KiB", *T2, "--L", "0", "--A", "38", "--json")[1])
    assert found["speedup"] == pytest.approx(90 * 4096 / (29000 + 90 * 4096 / 38))
    assert found["accelerator"] == "UltraSPARC T2 AES with L = 0, A = 38"


def test_the_form_of_latency(run: Run) -> None:
    out = run("explain", "4KiB", *T2, "--latency", "linear", "--json")[1]
    expected = 90 * 4096 / (29000 + 1500 * 4096 + 90 * 4096 / 19)
    assert json.loads(out)["speedup"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("latency", "told"),
    [
        (["--L", "0.8ns"], "constant, per offload, because --L 0.8ns has no /B"),
        (["--L", "0.8ns/B"], "linear, per byte, because --L 0.8ns/B has /B"),
        (["--L", "0.8ns/B", "--latency", "linear"], ""),
        (["--L", "0"], ""),
    ],
)
def test_which_form_of_latency_was_taken_is_told(run: Run, latency: list[str], told: str) -> None:
    words = ["4KiB", "--o", "10us", "--C", "36ns/B", "--A", "12", *latency]
    wanted = [f"latency is taken as {told}"] if told else []
    for verb in ("explain", "decide"):
        out = run(verb, *words)[1]
        assert ("latency is taken as" in out, "".join(wanted) in out) == (bool(told), True)
        found = json.loads(run(verb, *words, "--json")[1])
        assert found.get("notes", found.get("decisions", [found])[0].get("notes")) == wanted


def test_a_slower_host_is_no_improvement(run: Run) -> None:
    """At 64 B a greater C makes it pay, but no time gets shorter."""
    lines = run("explain", "64B", *T2)[1].splitlines()
    assert re.fullmatch(
        r"A tenfold improvement of one parameter gains: o [\d.]+x, L [\d.]+x, A [\d.]+x\. A "
        r"tenfold C raises the speedup [\d.]+x, by more work a byte or a slower host, and saves no "
        r"time\.",
        lines[3],
    )
    assert "times the work a byte, or a slower host, which saves no time)" in lines[4]
    worth = next(line for line in run("decide", "64B", *T2)[1].splitlines() if "worth" in line)
    assert worth.split(maxsplit=2)[2] == (
        "o; C only by more work a byte: a slower host saves no time"
    )


def test_regions(run: Run) -> None:
    code, out, err = run("regions", *T2)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, err) == (0, "")
    for line in (
        "oC the smallest 1.429 KiB",
        "CA 26 KiB 27.67 KiB",
        "A 27.67 KiB the largest",
        "L nowhere",
        "A from 1.429 KiB on",
    ):
        assert line in lines


def test_a_narrow_region_has_two_ends(run: Run) -> None:
    """With next to no latency the cut-offs of o and C differ in the fifth digit."""
    out = run("regions", "--o", "10us", "--L", "0.8ns", "--C", "36ns/B", "--A", "12")[1]
    [(start, end)] = re.findall(r"^CA +([\d.]+) B +([\d.]+) B$", out, re.M)
    assert float(start) < float(end) < 1.001 * float(start)


def test_regions_as_json(run: Run) -> None:
    found = json.loads(run("regions", *OWN, "--sizes", "1B:1GiB", "--json")[1])
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
    rows = json.loads(run("granularities", "--json")[1])["rows"]
    assert len(rows) == 38
    assert {row["latency"] for row in rows} == {"constant", "linear"}


def test_granularities_of_one_device(run: Run) -> None:
    assert len(json.loads(run("granularities", "--device", "apu", "--json")[1])["rows"]) == 10
    rows = json.loads(run("granularities", *T2, "--latency", "constant", "--json")[1])["rows"]
    [row] = rows
    assert row["g1"]["granularities"] == pytest.approx([19 / 18 * 30500 / 90])
    assert row["g1"]["error"] == 0
    assert row["usual"] is True


def test_granularities_of_parameters_of_ones_own(run: Run) -> None:
    words = "--o 4e8 --L 15 --C 290 --A 7 --beta 0.94 --latency linear --json"
    [row] = json.loads(run("granularities", *words.split())[1])["rows"]
    assert len(row["g1"]["granularities"]) == 2
    assert row["gA2"]["granularities"] == []
    assert row["gA2"]["error"] is None
    assert row["gA2"]["verdict"] == "positive, but none exists"
    assert row["gA2"]["statement"] == "the speedup is at most 3.087, at 398.4 MiB"


def test_granularities_for_a_speedup(run: Run) -> None:
    rows = json.loads(run("granularities", *T2, "--speedup", "9.5", "--json")[1])["rows"]
    assert [row["latency"] for row in rows] == ["constant", "linear"]
    assert rows[0]["granularities"] == pytest.approx([19 * 30500 / 90])
    assert rows[1]["granularities"] == []
    assert "stays below" in rows[1]["reason"]
    out = run("granularities", *T2, "--speedup", "20")[1]
    assert "not below the acceleration" in out


SECONDS = "--o 10us --L 1.5ns/B --C 36ns/B --A 12"


def test_what_is_given_in_seconds_is_told_in_seconds(run: Run) -> None:
    out = run("explain", "1MiB", *SECONDS.split())[1]
    # 36e-9 * 2**20 on the host; 10e-6 + 1.5e-9 * 2**20 + 3e-9 * 2**20 offloaded
    assert "It takes 4.729 ms offloaded, and 37.75 ms on the host." in out
    assert "cycles" not in out
    found = json.loads(run("explain", "1MiB", *SECONDS.split(), "--json")[1])
    assert found["unit"] == "seconds"
    assert found["time_host"] == pytest.approx(36e-9 * 2**20)


def test_a_clock_makes_seconds_of_cycles_and_back(run: Run) -> None:
    words = ("explain", "1MiB", "--json")
    seconds = json.loads(run(*words, *SECONDS.split())[1])
    mixed = "--o 10us --L 1.5ns/B --C 90 --A 12 --clock 2.5GHz"
    cycles = "--o 25000 --L 3.75 --C 90 --A 12 --latency linear --clock 2.5GHz"
    for given in (mixed, cycles):
        found = json.loads(run(*words, *given.split())[1])
        assert found["unit"] == "seconds"
        assert found["time_accelerated"] == pytest.approx(seconds["time_accelerated"])
    back = json.loads(run(*words, *SECONDS.split(), "--clock", "2.5")[1])
    assert back["unit"] == "cycles"
    assert back["time_accelerated"] == pytest.approx(2.5e9 * seconds["time_accelerated"])
    t2 = json.loads(run(*words, *T2, "--clock", "1200 MHz")[1])
    assert t2["time_host"] == pytest.approx(90 * 2**20 / 1.2e9)
    changed = json.loads(run(*words, *T2, "--clock", "1.2", "--o", "10us")[1])
    assert changed["accelerator"] == "UltraSPARC T2 AES with o = 10us"
    assert changed["shares"]["overhead"] == pytest.approx(1e-5 / changed["time_accelerated"])


def test_a_file_with_one_device_needs_no_name(run: Run, tmp_path: Path) -> None:
    mine, two = tmp_path / "mine.toml", tmp_path / "two.toml"
    device = "[devices.{}]\nlatency = 'linear'\no = 9\nL = 1\nkernels.aes = {{C = 90, A = 8}}\n"
    mine.write_text(device.format("fpga"))
    two.write_text(device.format("fpga") + device.format("asic"))
    for verb in ("explain 4KiB", "regions", "cheapest --speedup 2 --g 1KiB", "decide 4KiB"):
        assert run(*verb.split(), "--device-file", str(mine))[0] == 0
    code, _, err = run("explain", "4KiB", "--device-file", str(two))
    assert code == 2
    assert "several devices; name one with --device: fpga, asic" in err
