"""`logca check --certificate`, as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import z3

from logca.proofs.engine.answer import Answer

Run = Callable[..., tuple[int, str, str]]


def status(path: Path) -> list[str]:
    """Z3's answers to a file, script by script."""
    said = []
    for script in path.read_text(encoding="utf-8").split("(reset)"):
        solver = z3.Solver()
        solver.from_string(script)
        said.append(str(solver.check()))
    return said


def test_a_proof_is_written_with_what_checks_the_proofs_of_cvc5(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "claim.smt2"
    code, out, err = run(
        "check", "--claim", "speedup < A", "--given", "o > 0", "--certificate", str(path)
    )
    assert code == 0
    assert out.startswith("✓ proved")
    assert f"{path}: 2 of 2 parts, for any SMT solver" in err
    assert status(path) == ["unsat", "unsat"]
    for number in (1, 2):
        proof = (tmp_path / f"claim.{number}.alethe").read_text(encoding="utf-8")
        assert proof.rstrip().endswith(")")
        assert status(tmp_path / f"claim.{number}.smt2") == ["unsat"]


def test_a_counterexample_is_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "claim.smt2"
    words = ("check", "--claim", "g1 < gA2", "--certificate", str(path), "--json")
    code, out, _ = run(*words)
    assert (code, json.loads(out)["verdict"]) == (1, "refuted")
    assert status(path) == ["sat"]
    assert [each.name for each in tmp_path.iterdir()] == ["claim.smt2"]


def test_a_file_is_replaced_only_if_forced(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "claim.smt2"
    path.write_text("mine")
    words = ("check", "--claim", "A**2 > 0", "--certificate", str(path))
    code, _, err = run(*words)
    assert (code, path.read_text()) == (2, "mine")
    assert "--force replaces it" in err
    assert run(*words, "--force")[0] == 0
    assert status(path) == ["unsat"] * 2


UNDECIDED = Answer(claim="A > 1", verdict="undecided")


@pytest.mark.parametrize(
    ("answer", "code", "reason"),
    [
        (None, 5, "it was proved by dominant terms"),
        (UNDECIDED, 3, "an undecided claim has no certificate"),
    ],
)
def test_what_has_no_certificate_is_said_and_nothing_is_written(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer | None,
    code: int,
    reason: str,
) -> None:
    if answer is not None:
        monkeypatch.setattr("logca.api.claims.prove", lambda *_: answer)
    path = tmp_path / "claim.smt2"
    found, _, err = run("check", "--certificate", str(path), "--claim", "limit(T0, g, oo) == oo")
    assert found == code
    assert reason in err
    assert list(tmp_path.iterdir()) == []
