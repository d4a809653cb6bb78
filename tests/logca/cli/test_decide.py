"""`logca decide` and `logca codegen --fit`, as a user meets them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import logca
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.generate.offload.source import source
from logca.numeric.timings.timings import Timings

Run = Callable[..., tuple[int, str, str]]
GRID = np.logspace(6, 24, 9, base=2)
AES = ("--device", "ultrasparc-t2", "--kernel", "aes")
KEYS = {
    "answer",
    "size",
    "offloading",
    "offload",
    "certainty",
    "speedup",
    "speedup_lower",
    "speedup_upper",
    "time_host",
    "time_accelerated",
    "unit",
    "shares",
    "host_share",
    "speedup_shared",
    "binds",
    "bottlenecks",
    "break_even_with",
    "cheapest",
    "notes",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved fit with two break-evens, at about 9 KiB and 30 MiB."""
    draw = np.random.default_rng(11)
    time = 5e-9 * GRID**0.85
    noise = np.exp(0.02 * draw.standard_normal((2, GRID.size, 3)))
    path = tmp_path_factory.mktemp("fit") / "fit.json"
    fit(
        Timings(
            granularity=GRID,
            host=list(time[:, None] * noise[0]),
            accelerated=list((9e-6 + 2.5e-10 * GRID + time / 4)[:, None] * noise[1]),
        ),
        latency="linear",
    ).save(path)
    return path


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_one_size_is_explained(run: Run, file: Path) -> None:
    code, out, err = run("decide", "64KiB", "--fit", str(file))
    assert (code, err) == (0, "")
    first, *rest = lines(out)
    assert first.startswith("By fit.json, offloading 64 KiB pays: 1.52 times as fast (95 %: ")
    assert "; it pays between 13.46 KiB (95 %: " in first
    heads = ("speedup 1.", "host ", "accelerated ", "worth improving ", "pays ", "break-even ")
    heads += ("upper break-even ", "start offloading ", "keep offloading ", "breaks even with o = ")
    for head in heads:
        assert any(line.startswith(head) for line in rest), head
    assert any(re.match(r"bottleneck \w+ \(", line) for line in rest)


def test_what_does_not_pay_says_what_would_have_to_change(run: Run, file: Path) -> None:
    out = run("decide", "1KiB", "--fit", str(file))[1]
    assert lines(out)[0].startswith("By fit.json, offloading 1 KiB does not pay: it takes 5.")
    assert any(line.startswith("cheapest change ") for line in lines(out))
    assert "no L or A alone" in out


def test_inside_the_interval_the_state_decides(run: Run, file: Path) -> None:
    found = thresholds(Fit.load(file))
    size = f"{sum(found.lower) / 2}B"
    heads = [
        lines(run("decide", size, "--fit", str(file), *state)[1])[0]
        for state in ((), ("--offloading",), ("--not-offloading",))
    ]
    assert all(" pays is uncertain: " in head for head in heads)
    assert heads[0].startswith("By fit.json, whether offloading 13")
    assert heads[1] == f"{heads[0]} Keep offloading."
    assert heads[2] == f"{heads[0]} Do not start offloading."


def test_several_sizes_are_a_table(run: Run, file: Path) -> None:
    code, out, _ = run("decide", "1KiB", "64KiB", "1GiB", "--fit", str(file))
    assert code == 0
    answer, _, *rows = lines(out)
    assert answer.startswith(
        "By fit.json, offloading pays at 64 KiB, not at 1 KiB or 1 GiB; it pays"
    )
    assert rows[0] == "size offload speedup host accelerated bottleneck"
    assert rows[1].startswith("1 KiB no does not pay 0.")
    assert rows[2].startswith("64 KiB yes pays 1.")
    assert rows[3].startswith("1 GiB no does not pay 0.")
    assert any(row.startswith("start offloading: ") for row in rows)
    assert sum("extrapolated" in row for row in rows) == 1


def test_json_of_a_fit(run: Run, file: Path) -> None:
    code, out, _ = run("decide", "1KiB", "64KiB", "--fit", str(file), "--not-offloading", "--json")
    assert code == 0
    found = json.loads(out)
    assert set(found) == {"answer", "accelerator", "level", "thresholds", "decisions", "warnings"}
    assert (found["accelerator"], found["level"]) == (file.name, 0.95)
    assert set(found["thresholds"]) == {
        *("pays", "begins", "goes_on", "none", "told", "contradicted")
    }
    assert set(found["thresholds"]["begins"][0]) == {"above", "below"}
    small, large = found["decisions"]
    assert set(small) == set(large) == KEYS
    assert (small["offload"], large["offload"]) == (False, True)
    assert large["speedup_lower"] < large["speedup"] < large["speedup_upper"]
    assert large["speedup"] == pytest.approx(large["time_host"] / large["time_accelerated"])
    assert sum(large["shares"].values()) == pytest.approx(1)
    assert set(small["break_even_with"]) == {"o", "L", "C", "A", "beta"}
    assert large["offloading"] is False
    assert small["cheapest"]["reached"]
    assert large["cheapest"] is None


def test_json_of_a_device_has_null_for_what_does_not_exist(run: Run) -> None:
    words = "decide 64B --o 29e3 --L 1500 --C 90 --A 19 --json"
    found = json.loads(run(*words.split())[1])
    assert found["level"] is None
    assert found["thresholds"]["pays"] == [
        {"above": pytest.approx(357.716, rel=1e-5), "below": None}
    ]
    (only,) = found["decisions"]
    assert (only["speedup_lower"], only["break_even_with"]["L"]) == (None, None)
    never = "decide 1MiB --o 9 --L 9 --C 1 --A 2 --latency linear --json"
    assert json.loads(run(*never.split())[1])["thresholds"]["pays"] == []


def test_a_device_is_known_exactly(run: Run) -> None:
    found = lines(run("decide", "4KiB", *AES)[1])
    assert found[0] == (
        "Offloading 4 KiB to UltraSPARC T2 AES pays: 7.387 times as fast; it pays from 357.7 B on."
    )
    assert "pays from 357.7 B on" in found
    assert not any(line.startswith("break-even ") for line in found)
    slower = lines(run("decide", "300B", *AES)[1])[0]
    assert "300 B to UltraSPARC T2 AES does not pay: it takes 1.182 times as long;" in slower


@pytest.mark.parametrize("words", [("--fit", "FILE"), AES, ("--fit", "FILE", "--A", "20")])
@pytest.mark.parametrize("size", ["64KiB", "100B"])
def test_explain_and_decide_give_one_answer(
    run: Run, file: Path, words: tuple[str, ...], size: str
) -> None:
    named = [str(file) if word == "FILE" else word for word in words]
    explained, decided = (run(verb, size, *named)[1] for verb in ("explain", "decide"))
    assert explained.splitlines()[0] == decided.splitlines()[0]
    data = [json.loads(run(verb, size, *named, "--json")[1]) for verb in ("explain", "decide")]
    assert data[0]["answer"] == data[1]["decisions"][0]["answer"] == explained.splitlines()[0]
    assert (data[0]["speedup_lower"] is None) is (words != ("--fit", "FILE"))


def test_from_python(file: Path) -> None:
    found = logca.decide(Fit.load(file), "64 KiB", offloading=True)
    assert found.offload
    assert isinstance(found, logca.Decision)


def test_a_pipe_that_closes_is_no_error(file: Path) -> None:
    command = f"{sys.executable} -m logca decide 1KiB 64KiB --fit {file} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("By fit.json, offloading pays at 64 KiB, not at 1 KiB; ")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("64KiB --fit FILE --latency linear", "has its own form of latency"),
        ("64KiB --fit FILE --o 500", "the accelerator is in seconds and --o 500 is in cycles"),
    ],
)
def test_mistakes_are_told_in_a_line(
    run: Run, file: Path, words: str, message: str, tmp_path: Path
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("granularity,host\n1,2\n")
    given = words.replace("FILE", str(file)).replace("OTHER", str(other))
    code, out, err = run("decide", *given.split())
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


def test_a_fit_becomes_source(run: Run, file: Path, tmp_path: Path) -> None:
    words = ("codegen", "--lang", "c", "--fit", str(file))
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out == source("c", Fit.load(file), ("--fit", "fit.json"))
    assert run(*words, "--what", "should_offload")[1] == out
    named = source("c", Fit.load(file), ("--fit", "fit.json"), name="aes")
    assert run(*words, "--name", "aes")[1] == named
    header = tmp_path / "offload.h"
    assert run(*words, "-o", str(header))[0] == 0
    assert header.read_text(encoding="utf-8") == out


@pytest.mark.parametrize(
    "words",
    ["--device ultrasparc-t2 --kernel aes", "--o 29000 --L 1500 --C 90 --A 19"],
)
def test_an_exact_accelerator_becomes_source(run: Run, words: str) -> None:
    code, out, err = run("codegen", "--lang", "python", *words.split())
    assert (code, err) == (0, "")
    assert f"should_offload {words}" in " ".join(out.replace("#", "").split())
    answers: dict[str, Any] = {}
    exec(compile(out, "generated", "exec"), answers)
    # 90*357 < 30500 + 90*357/19, and 90*358 is more than that
    assert [answers["should_offload"](size) for size in (357, 358)] == [False, True]
    assert [answers["should_offload_from"](358, state) for state in (False, True)] == [True, True]


@pytest.mark.parametrize("verb", [("regions",), ("plot",), ("granularities",)])
def test_other_verbs_take_a_fit(run: Run, file: Path, verb: tuple[str, ...]) -> None:
    code, out, _ = run(*verb, "--fit", str(file))
    assert code == 0
    assert "fit.json" in out
    if verb != ("granularities",):
        assert "between 13.46 KiB (95 %: 13.08 KiB to 13.94 KiB) and 53.04 MiB (95 %: " in out


def test_sweep_and_cheapest_take_a_fit_in_seconds(run: Run, file: Path) -> None:
    found = json.loads(
        run("sweep", "--fit", str(file), "--g", "64KiB", "--o", "1us,9us", "--json")[1]
    )
    assert [point["o"] for point in found["points"]] == [1e-6, 9e-6]
    assert (found["units"]["o"], found["units"]["L"]) == ("seconds", "seconds/B")
    out = run("cheapest", "--fit", str(file), "--speedup", "2", "--g", "64KiB")[1]
    assert out.startswith("A speedup of 2 at 64 KiB needs L from 257.6 ps/B to ")


def test_what_if_says_that_breaks_are_left_out(run: Run, tmp_path: Path) -> None:
    """A step of 3 in the accelerated times: with another A they are those without it."""
    sizes = np.logspace(8, 24, 33, base=2)
    noise = np.exp(0.01 * np.random.default_rng(5).standard_normal((2, sizes.size)))
    host, other = noise * (1e-9 * sizes, (2e-6 + 1e-10 * sizes) * np.where(sizes > 2**17, 3, 1))
    times = Timings(granularity=sizes, host=list(host[:, None]), accelerated=list(other[:, None]))
    found, path = fit(times), tmp_path / "step.json"
    assert found.breaks
    found.save(path)
    for words in (("decide", "1MiB"), ("explain", "1MiB"), ("plot",)):
        for more, told in (((), False), (("--A", "20"), True)):
            out = run(*words, "--fit", str(path), *more)[1]
            assert ("step.json with A = 20 (without its breaks)" in out) == told
