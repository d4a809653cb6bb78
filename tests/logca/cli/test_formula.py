"""`logca formula` with numbers, exponents and equations of papers."""

import json
from collections.abc import Callable

import pytest
from matplotlib.mathtext import MathTextParser

import logca

Run = Callable[..., tuple[int, str, str]]


def test_the_numbers_of_a_device_are_inserted(run: Run) -> None:
    words = ("formula", "g1", "--device", "ultrasparc-t2", "--kernel", "aes")
    _, out, _ = run(*words, "--as", "text")
    assert out == "g1 = A·(o + L) / (C·(A − 1)) = 19·(29000 + 1500) / (90·(19 − 1)) = 357.716 B\n"
    MathTextParser("path").parse(f"${run(*words, '--as', 'latex')[1].strip()}$")
    found = json.loads(run(*words, "--json")[1])
    assert (next(iter(found)), found["answer"]) == ("answer", out.strip())
    assert found["value"] == pytest.approx(579_500 / 1620)
    assert (found["unit"], found["values"]["C"]) == ("B", 90)
    assert "(UltraSPARC T2 AES)" in run(*words)[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "g1 --latency linear",
            ["rises above the right"],
        ),
        ("g_s_upper", ["falls below the right"]),
        ("g1 --latency constant", []),
    ],
)
def test_latex_says_which_root_it_is(run: Run, words: str, told: list[str]) -> None:
    *comments, equation = run("formula", *words.split(), "--as", "latex")[1].splitlines()
    assert [
        line.partition("x at which the left side of this equation ")[2] for line in comments
    ] == told
    assert all(line.startswith("% ") for line in comments)
    assert equation.startswith("g_")


def test_plain_parameters_with_units_and_a_size(run: Run) -> None:
    given = ("--o", "29us", "--L", "1.5us", "--C", "90ns/B", "--A", "19")
    found = json.loads(run("formula", "speedup", "--g", "4KiB", *given, "--json")[1])
    assert found["value"] == pytest.approx(7.387, rel=1e-4)
    assert found["time"] == "seconds"
    missing = run("formula", "speedup", *given)[1]
    assert "missing  g" in missing


def test_an_exponent_alone_gives_the_closed_form(run: Run) -> None:
    _, out, _ = run("formula", "g1", "--latency", "linear", "--beta", "1", "--as", "text")
    assert out == "g1 = A·o / (C·(A − 1) − A·L)\n"
    _, out, _ = run("formula", "gA2", "--latency", "linear", "--beta", "1/2", "--as", "python")
    half = eval(out, {"math": __import__("math"), "o": 10, "L": 0.5, "C": 50, "A": 3})
    assert 50 / 3 * half**0.5 == pytest.approx(10 + 0.5 * half)
    assert "L₀" in run("formula", "g1", "--beta", "1")[1]
    for beta in ("1/2", "1", "2"):
        assert "true" not in run("formula", "g1", "--beta", beta)[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["g1", "--g", "4", "--beta", "1"], "g1 has no g: leave out --g"),
        (["g1", "--beta", "0"], "--beta 0 must be"),
        (["g1", "--beta", "1/0"], "not a number"),
        (["g1", "--A", "2,3"], "several values"),
        (["g1", "--latency", "affine", "--A", "3"], "constant or linear"),
        (["--beta", "1"], "name the formula"),
        (["isca2017-eq11", "--beta", "1"], "logca formula g1"),
        (["isca2017-eq77"], "isca2017-eq1 to isca2017-eq13"),
        (["g1_upper", "--latency", "constant"], "does not exist under constant latency"),
    ],
)
def test_what_cannot_be_shown_is_said(run: Run, words: list[str], said: str) -> None:
    status, out, err = run("formula", *words)
    assert status == 2
    assert (out, "Traceback" in err) == ("", False)
    assert said in err


def test_an_equation_of_a_paper(run: Run) -> None:
    _, out, _ = run("formula", "isca2017-eq11")
    assert "CORRECTED" in out
    assert out.index("as printed") < out.index("exact") < out.index("approximation.")
    printed, exact = (
        line for line in run("formula", "isca2017-eq11", "--as", "latex")[1].splitlines()
        if not line.startswith("%")
    )  # fmt: skip
    assert printed != exact
    assert printed.startswith(exact.partition("=")[0])
    assert "isca2017-eq11" in run("formula")[1]


def test_conditions_fit_into_a_terminal_of_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = repr(logca.formula("cutoff_L_general")).splitlines()
    start = next(number for number, line in enumerate(lines) if "where" in line)
    end = next(number for number, line in enumerate(lines) if "source" in line)
    assert max(map(len, lines[start:end])) <= 80
