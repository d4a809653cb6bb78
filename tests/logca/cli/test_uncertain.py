"""`logca decide --uncertain`: probabilities, and distributions as they are typed."""

import json
from collections.abc import Callable
from math import hypot, log
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

import logca

Run = Callable[..., tuple[int, str, str]]
OWN = ("--o", "29000", "--L", "0", "--C", "90", "--A", "19")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fit") / "fit.json"
    logca.fit("examples/timings/sha256-pipe.csv").save(path)
    return path


def data(run: Run, *words: str) -> Any:
    code, out, err = run("decide", *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_percent_is_log_normal(run: Run) -> None:
    [found] = data(run, "512B", *OWN, "--uncertain", "o=30% C=10%")["decisions"]
    spread = hypot(log(1.3), log(1.1))
    margin = stats.lognorm(s=spread, scale=90 * 512 * (1 - 1 / 19) / 29_000)
    assert found["probability"]["value"] == pytest.approx(margin.sf(1), rel=1e-9)
    assert found["probability"]["method"] == "closed form"
    assert found["reached"]["value"] == 1
    root = stats.lognorm(s=spread, scale=29_000 / (90 * (1 - 1 / 19)))
    for each in found["granularities"]:
        assert each["value"] == pytest.approx(root.ppf(each["probability"]), rel=1e-9)
        assert each["lower"] == each["upper"] == each["value"]


@pytest.mark.parametrize("texts", [["A=1:3,o=30%"], ["A=1:3", "o=30%"], ["A=1:3  o=30%"]])
def test_blanks_commas_and_several_options(run: Run, texts: list[str]) -> None:
    options = [word for text in texts for word in ("--uncertain", text)]
    [found] = data(run, "512B", *OWN, *options)["decisions"]
    assert found["probability"]["method"].startswith("quasi-Monte Carlo, 16 randomizations")
    [again] = data(run, "512B", *OWN, "--uncertain", "o=30% A=1:3")["decisions"]
    assert found == again


def test_a_range_needs_no_value_beside_it(run: Run) -> None:
    words = ("1MiB", "--o", "10us", "--L", "1.5ns/B", "--C", "36ns/B")
    code, out, _ = run("decide", *words, "--uncertain", "A=0.5:12")
    assert code == 0
    never = (36 / (36 - 1.5) - 0.5) / (12 - 0.5)  # A of which the limit, with L/C, is one
    assert f"with {100 * never:.3g} % probability it never pays" in out
    assert "A is uniform: 0.5 to 12" in out
    assert "latency is taken as linear, per byte, because --L 1.5ns/B has /B" in out
    code, out, _ = run("decide", "4KiB", *OWN[2:], "--uncertain", "o=10us:20us", "--clock", "1GHz")
    assert code == 0
    assert "o is uniform: 10 µs to 20 µs" in out


def test_one_size_has_quantiles_and_several_have_rows(run: Run) -> None:
    device = ("--device", "ultrasparc-t2", "--kernel", "aes", "--uncertain", "o=30%")
    code, out, _ = run("decide", "4KiB", *device)
    assert code == 0
    assert out.startswith("Offloading 4 KiB to UltraSPARC T2 AES pays with > 99.9 % probability")
    assert "speedup at least" in out
    assert "o is log-normal: median 29,000 cycles, two thirds within a factor of 1.3" in out
    code, out, _ = run("decide", "256B", "4KiB", *device)
    assert code == 0
    assert out.count("pays with") == 2
    assert "90 % of speedups" in out


def test_another_target(run: Run) -> None:
    code, out, _ = run("decide", "4KiB", *OWN, "--uncertain", "o=30%", "--speedup", "8")
    assert code == 0
    assert "4 KiB is more than 8 times as fast with" in out
    assert "is above 8 from" in out


def test_of_a_fit(run: Run, file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "chance.svg"
    fit = ("--fit", str(file))
    code, out, _ = run("decide", "8KiB", *fit, "--uncertain", "fit", "--picture", str(picture))
    assert code == 0
    assert "By fit.json, offloading 8 KiB pays with 17.6 % confidence" in out
    assert picture.read_text().startswith("<?xml")
    code, _, err = run("decide", "8KiB", *fit, "--uncertain", "fit", "--picture", str(picture))
    assert code == 2
    assert "--force" in err
    code, out, _ = run("decide", "8KiB", *fit, "--uncertain", "o=20%")
    assert code == 0
    assert "the other parameters of the fit are taken as certain" in out
    code, _, err = run("decide", "8KiB", *fit, "--A", "9", "--uncertain", "fit")
    assert code == 2
    assert "--uncertain fit: parameters beside --fit, or --clock, change it" in err


def test_python_and_the_command_line_say_the_same(run: Run) -> None:
    aes = logca.UncertainAccelerator(
        o=logca.LogNormal(median=29_000, factor=1.3), L=0, C=90, A=logca.Uniform(least=1, most=3)
    )
    found = logca.decide_uncertain(aes, 512)
    [told] = data(run, "512B", *OWN, "--uncertain", "o=30% A=1:3")["decisions"]
    assert told["probability"]["value"] == found.probability.value
    assert told["answer"] == found.answer()
    rows = found.to_frame()
    assert list(rows["speedup"]) == [each["value"] for each in told["speedups"]]
    assert found.answer() in repr(found)
    assert "<table" in found._repr_html_()
