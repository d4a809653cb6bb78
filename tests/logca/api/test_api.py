"""The Python interface: small, lazy, and showing well."""

import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from rich.console import Console

import logca
from logca.derive.core.formula import FormulaError
from logca.derive.core.symbols import A, C, L, beta, g, o
from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.engine.answer import Record


def test_everything_public_is_there() -> None:
    for name in logca.__all__:
        assert getattr(logca, name) is not None
    assert set(logca.__all__) <= set(dir(logca))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = logca.nothing


@pytest.mark.parametrize(
    "code",
    ["import logca", "import logca; logca.formulas(); logca.claims()", "import logca.cli.app"],
)
def test_sympy_waits_until_it_is_needed(code: str) -> None:
    check = f"import sys\n{code}\nassert not {{'sympy', 'numpy', 'z3'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, timeout=60)


def test_a_formula() -> None:
    g1 = logca.formula("g1", latency="constant")
    assert g1.text() == "g1 = (A·(o + L) / (C·(A − 1)))^(1/β)" == str(g1)
    assert g1.sympy().equals(((o + L) / (C * (1 - 1 / A))) ** (1 / beta))
    assert g1.latex().startswith(r"g_1 = \left(\frac{A \, \left(o + L\right)}")
    assert g1.markdown() == f"$$\n{g1.latex()}\n$$"
    assert ElementTree.fromstring(g1.mathml()).tag.endswith("math")
    assert eval(g1.python(), {"A": 2, "C": 4, "L": 3, "o": 5, "beta": 2}) == 2
    assert (g1.unit, g1.status) == ("B", "exact")
    assert g1.source.startswith("altaf2017, Eq")
    assert g1.domain == (sp.Lt(1, A),)
    assert "break-even" in g1.meaning


def test_forms_of_latency_differ() -> None:
    affine, constant, linear = (
        logca.formula("speedup", latency=form) for form in ("affine", "constant", "linear")
    )
    assert len({affine.text(), constant.text(), linear.text()}) == 3
    assert linear.sympy().equals(C * g**beta / (o + L * g + C * g**beta / A))
    assert affine == logca.formula("speedup")
    assert affine != linear
    assert len({affine, logca.formula("speedup"), linear}) == 2


def test_the_exact_condition_of_existence() -> None:
    exists = logca.formula("g1", latency="constant").exists
    assert exists.subs({A: 2, C: 1, o: 1, L: 0}) == sp.true
    assert exists.subs({A: 2, C: 1, o: 0, L: 0}) == sp.false
    assert exists.subs({A: sp.Rational(1, 2), C: 1, o: 1, L: 0}) == sp.false
    linear = logca.formula("g1", latency="linear").exists
    point = {A: 2, C: 2, o: 1, L: 1, beta: sp.Rational(1, 2)}
    assert linear.subs(point) == sp.false
    assert linear.subs({**point, C: 4}) == sp.true


def test_unknown_names_and_forms() -> None:
    with pytest.raises(FormulaError, match=r"did you mean .*g1"):
        logca.formula("g_1")
    with pytest.raises(FormulaError, match="unknown latency 'cubic'"):
        logca.formula("g1", latency="cubic")
    with pytest.raises(FormulaError, match="not defined under constant latency"):
        logca.formula("g_peak", latency="constant")


def test_it_shows_in_a_terminal_and_in_a_notebook() -> None:
    g1 = logca.formula("g1", latency="linear")
    assert "the rising root x of" in repr(g1)
    assert "where    1 < A and either\n             β < 1 and o > 0 and" in repr(g1)
    assert "or β > 1 and o + L > 0\n" in repr(g1)
    assert g1._repr_latex_() == rf"$\displaystyle {g1.latex()}$"
    assert g1._repr_markdown_().startswith("$$\n")
    assert "*unit* B" in g1._repr_markdown_()
    console = Console(width=100)
    with console.capture() as shown:
        console.print(g1)
    assert "break-even" in shown.get()


def test_a_derivation_prints_its_steps_and_can_be_checked() -> None:
    steps = logca.formula("gA2").derivation()
    assert "  1. the speedup reaches the target\n" in repr(steps)
    assert f"{len(steps):3}. name it" in repr(steps)
    assert steps.check()
    assert steps[0].name == "the speedup reaches the target"
    assert [step.name for step in steps][-1] == "name it"
    assert steps._repr_markdown_().count("$$") == 2 * len(steps)


def test_all_formulas() -> None:
    everything = logca.formulas()
    assert len(everything) > 100
    assert everything[2].name == "speedup"
    assert all(quantity.latency == "affine" for quantity in everything)


def test_claims_are_a_sequence() -> None:
    claims = logca.claims()
    assert len(claims) > 150
    assert claims[0].id == next(iter(claims)).id
    assert claims[-1] is claims[len(claims) - 1]
    assert len(claims[:3]) == 3
    assert claims["isca2017-eq5"].source.startswith("altaf2017")
    with pytest.raises(KeyError):
        claims["isca2017-eq99"]
    assert repr(claims) == f"<{len(claims)} claims>"


CLAIM = Claim(
    id="made-up",
    source="logca2026",
    statement="The acceleration exceeds one.",
    asserts=("A > 1",),
    corrected=Correction(statement="It is positive.", asserts=("A > 0",)),
)
RECORD = Record(
    verdict="CORRECTED",
    methods=("symbolic (whole domain)",),
    counterexample={"A": "1/3", "latency": "constant"},
    failing="A > 1",
)


def test_a_claim() -> None:
    claim = logca.LedgerClaim(CLAIM, RECORD)
    assert (claim.id, claim.source) == ("made-up", "logca2026")
    assert (claim.verdict, claim.methods) == ("CORRECTED", ("symbolic (whole domain)",))
    assert claim.counterexample == {"A": Fraction(1, 3)}
    assert (claim.latency, claim.failing) == ("constant", "A > 1")
    assert claim.corrected is not None
    assert claim.corrected.statement == "It is positive."
    assert repr(claim) == "<made-up: The acceleration exceeds one.>"
    console = Console(width=80)
    with console.capture() as shown:
        console.print(claim)
    for part in ("↻ CORRECTED", "A = 1/3 (constant latency)", "It is positive.", "A > 0"):
        assert part in shown.get()


def test_a_verdict_that_is_not_shipped_is_decided_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from logca.proofs.engine import client
    from logca.proofs.ledger import cache

    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path))
    monkeypatch.setattr(client, "judge", lambda claim_id, timeout: RECORD)
    assert logca.claims()["isca2017-eq5"].verdict == "PROVED"  # as it ships
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "nothing.json")
    monkeypatch.setattr(cache, "_open", {})
    claim = logca.claims()["isca2017-eq5"]
    assert claim.verdict == "CORRECTED"
    monkeypatch.setattr(client, "judge", None)
    assert logca.claims()["isca2017-eq5"].record == RECORD


def test_prove() -> None:
    from logca.proofs.engine import client

    answer = logca.prove("g1 < gA2", given=["A > 2", "beta == 1"], timeout=60)
    assert isinstance(answer, logca.Answer)
    assert answer.verdict == "proved"
    assert answer.used == ("A > 2",) or answer.used == ("A > 2", "beta == 1")
    refuted = logca.prove("g1 < gA2", timeout=60)
    assert refuted.verdict == "refuted"
    assert refuted.counterexample is not None
    assert all(isinstance(value, Fraction) for value in refuted.counterexample.values())
    assert "refuted" in repr(refuted)
    with pytest.raises(logca.ClaimSyntaxError):
        logca.prove("g1 <")
    with pytest.raises(ValueError, match="positive number of seconds"):
        logca.prove("g1 < gA2", timeout=0)
    client.close()


def test_solvers_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from logca.proofs.engine import client

    client.close()
    code = "import json; print(json.dumps({'error': 'missing', 'message': 'z3'}), flush=True)"
    monkeypatch.setattr(client, "COMMAND", [sys.executable, "-c", code])
    with pytest.raises(logca.MissingSolversError, match=r"needs z3.*pip install 'logca\[prove\]'"):
        logca.prove("A > 1")
    monkeypatch.setattr(client, "COMMAND", [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(client.EngineError, match="process ended"):
        logca.prove("A > 1")


def test_an_engine_that_hangs_is_ended() -> None:
    from logca.proofs.engine import client

    client.ask("A > 0", timeout=60)
    started = time.monotonic()
    hopeless = "(o + L + C + A + g + s + x)**90 - x**90 > (C + s)**90"
    assert client.ask(hopeless, timeout=1).verdict == "undecided"
    assert time.monotonic() - started < 4
    assert client.ask("A > 0", timeout=60).verdict == "proved"
    client.close()


def test_an_interrupted_question_does_not_answer_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    from logca.common.processes import Child
    from logca.proofs.engine import client

    class Alarm(Exception):
        pass

    def interrupted(*rest: object) -> None:
        raise Alarm

    client.ask("A > 0", timeout=60)
    with monkeypatch.context() as during:
        during.setattr(Child, "hear", interrupted)
        with pytest.raises(Alarm):
            client.ask("A > 0", timeout=60)
    assert client.ask("A < 0", timeout=1e300).verdict == "refuted"
    client.close()
