"""`logca decide` and `logca codegen --fit`, as a user meets them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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
    code, out, err = run("decide", str(file), "64KiB")
    assert (code, err) == (0, "")
    first, *rest = lines(out)
    assert first == "Offload 64 KiB: it pays."
    heads = ("speedup 1.", "host ", "accelerated ", "worth improving ", "pays ", "break-even ")
    heads += ("upper break-even ", "start offloading ", "keep offloading ", "breaks even with o = ")
    for head in heads:
        assert any(line.startswith(head) for line in rest), head
    assert any(re.match(r"bottleneck \w+ \(", line) for line in rest)


def test_what_does_not_pay_says_what_would_have_to_change(run: Run, file: Path) -> None:
    out = run("decide", str(file), "1KiB")[1]
    assert lines(out)[0] == "Do not offload 1 KiB: it does not pay."
    assert any(line.startswith("cheapest change ") for line in lines(out))
    assert "no L or A alone" in out


def test_inside_the_interval_the_state_decides(run: Run, file: Path) -> None:
    found = thresholds(Fit.load(file))
    size = f"{(found.staying.above + found.starting.above) / 2}B"
    heads = [
        lines(run("decide", str(file), size, *state)[1])[0]
        for state in ((), ("--offloading",), ("--not-offloading",))
    ]
    assert all("but this is uncertain" in head for head in heads)
    assert heads[1].startswith("Keep offloading")
    assert heads[2].startswith("Do not start offloading")


def test_several_sizes_are_a_table(run: Run, file: Path) -> None:
    code, out, _ = run("decide", str(file), "1KiB", "64KiB", "1GiB")
    assert code == 0
    rows = lines(out)
    assert rows[0] == "size offload speedup host accelerated bottleneck"
    assert rows[1].startswith("1 KiB no does not pay 0.")
    assert rows[2].startswith("64 KiB yes pays 1.")
    assert rows[3].startswith("1 GiB no does not pay 0.")
    assert any(row.startswith("start offloading: ") for row in rows)
    assert sum("extrapolated" in row for row in rows) == 1


def test_json_of_a_fit(run: Run, file: Path) -> None:
    code, out, _ = run("decide", str(file), "1KiB", "64KiB", "--not-offloading", "--json")
    assert code == 0
    found = json.loads(out)
    assert set(found) == {"source", "level", "thresholds", "decisions", "warnings"}
    assert (found["source"], found["level"]) == (str(file), 0.95)
    assert set(found["thresholds"]) == {"pays", "begins", "goes_on", "none", "told"}
    assert set(found["thresholds"]["begins"]) == {"above", "below"}
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
    assert found["thresholds"]["pays"] == {"above": pytest.approx(357.716, rel=1e-5), "below": None}
    (only,) = found["decisions"]
    assert (only["speedup_lower"], only["break_even_with"]["L"]) == (None, None)
    never = "decide 1MiB --o 9 --L 9 --C 1 --A 2 --latency linear --json"
    assert json.loads(run(*never.split())[1])["thresholds"]["pays"] is None


def test_devices_by_name_and_by_option(run: Run) -> None:
    named = run("decide", "ultrasparc-t2", "4KiB", "--kernel", "aes")
    assert named == run("decide", "4KiB", *AES)
    assert lines(named[1])[0] == "Offload 4 KiB: it pays."
    assert "pays from 357.7 B" in lines(named[1])
    assert not any(line.startswith("break-even ") for line in lines(named[1]))
    assert lines(run("decide", "300B", *AES)[1])[0] == "Do not offload 300 B: it does not pay."


def test_from_python(file: Path) -> None:
    found = logca.decide(Fit.load(file), "64 KiB", offloading=True)
    assert found.offload
    assert isinstance(found, logca.Decision)


def test_a_pipe_that_closes_is_no_error(file: Path) -> None:
    command = f"{sys.executable} -m logca decide {file} 1KiB 64KiB | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    heads = ["size", "offload", "speedup", "host", "accelerated", "bottleneck"]
    assert done.stdout.split() == heads
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("no.json 64KiB", "cannot read no.json"),
        ("FILE", "name a size after"),
        ("FILE 0", "'0' is no size"),
        ("FILE 64KB", "ambiguous"),
        ("FILE 64KiB nonsense", "'nonsense' is no size"),
        ("FILE 64KiB --device apu", "is a fit, which has parameters of its own"),
        ("FILE 64KiB --A 3", "is a fit, which has parameters of its own"),
        ("FILE 64KiB --kernel aes", "is a fit, which has parameters of its own"),
        ("FILE 64KiB --latency linear", "is a fit, which has parameters of its own"),
        ("OTHER 64KiB", "is no saved fit"),
        ("nothing 64KiB", "there is no device 'nothing'"),
        ("apu 64KiB", "several kernels"),
        ("apu 64KiB --device apu", "two devices"),
        ("64KiB", "name an accelerator"),
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
    assert out == source("c", Fit.load(file), "fit.json")
    assert run(*words, "--what", "should_offload")[1] == out
    assert run(*words, "--name", "aes")[1] == source("c", Fit.load(file), "fit.json", name="aes")
    header = tmp_path / "offload.h"
    assert run(*words, "-o", str(header))[0] == 0
    assert header.read_text(encoding="utf-8") == out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--lang julia --fit FILE", "no thresholds of a fit in julia, only in c, cpp, cuda"),
        ("--lang c --fit no.json", "cannot read no.json"),
        ("--lang c --fit FILE --what speedup,should_offload", "put speedup into a file of its own"),
        ("--lang c --fit FILE --latency linear", "a fit has its own form of latency"),
        ("--lang c --fit FILE --name A-1", "'A-1' is no name of a kernel"),
        ("--lang c --fit FILE --what ,", "names nothing"),
        ("--lang c --name aes", "go with --fit"),
        ("--lang c --most-likely", "go with --fit"),
        ("--fit FILE", "name a language"),
    ],
)
def test_mistakes_with_a_fit_are_told_in_a_line(
    run: Run, file: Path, words: str, message: str
) -> None:
    code, out, err = run("codegen", *words.replace("FILE", str(file)).split())
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


@pytest.mark.parametrize("name", ["./2031-fit.json", "2031-fit.json", ".fit.json"])
def test_a_fit_may_begin_like_a_size(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    code, out, err = run("decide", name, "1MiB", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["source"] == name
