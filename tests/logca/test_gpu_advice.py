"""`logca gpu --advise`, as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import logca

Run = Callable[..., tuple[int, str, str]]

SYRK = str(Path(__file__).parents[2] / "examples" / "polybench" / "syrk.c")
SMALL = [SYRK, "-D", "N=32", "--work", "N=32"]


def test_the_table_of_remedies_is_that_of_python(run: Run) -> None:
    status, output, _ = run("gpu", *SMALL, "--advise")
    assert status == 0
    (kernel,) = logca.gpu.advise(SYRK, defines={"N": 32}, work={"N": 32}).kernels
    assert kernel.access is not None
    assert f"line {kernel.access.line}, load of A: uncoalesced" in output
    assert [each.gain for each in kernel.remedies] == sorted(
        (each.gain for each in kernel.remedies), reverse=True
    )
    for each in kernel.remedies:
        assert each.name in output
        assert f"{each.gain:.3g} x" in output


def test_json_has_the_advice_beside_the_prediction(run: Run) -> None:
    status, output, _ = run("gpu", *SMALL, "--advise", "--json")
    assert status == 0
    data = json.loads(output)
    (kernel,) = data["advice"]
    assert kernel["access"]["array"] == "A"
    assert kernel["bound"]["words"]
    transposed = next(each for each in kernel["remedies"] if each["name"] == "transposed layout")
    assert transposed["time_s"] * transposed["gain"] == pytest.approx(data["time_s"])


def test_advice_is_on_whole_kernels(run: Run) -> None:
    status, _, errors = run("gpu", *SMALL, "--advise", "--stage", "timing")
    assert status == 2
    assert "--stage" in errors
