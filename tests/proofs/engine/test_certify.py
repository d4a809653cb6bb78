"""Certificates: other solvers agree, what is asserted is true, and nothing of it is idle."""

import random
import re
from functools import cache

import cvc5
import mpmath
import pytest
import z3
from mpmath import mpf
from smtlib_reader import (
    DIGITS,
    Undefined,
    assertions,
    evaluated,
    premises_of,
    says_true,
    true,
    variables,
    with_plain_numbers,
)

from logca.proofs.engine.answer import Answer
from logca.proofs.engine.ask import ask
from logca.proofs.engine.certificate import NotCertifiedError, SmtCertificate
from logca.proofs.engine.certify import certify
from logca.proofs.provers.effort import OutOfTimeError
from logca.proofs.provers.smtlib import comment

CONSTANT, LINEAR = "latency == constant", "latency == linear"

PROVED: list[tuple[str, tuple[str, ...]]] = [
    ("speedup < A", ("o + L > 0", "A > 1")),
    ("g1 < gA2", ("A > 2",)),
    ("speedup(g=g1) == 1", ()),
    ("x**beta < y**beta", ("x < y",)),
    ("speedup(g=2*g) <= 2*speedup", ("beta <= 1",)),
    ("log(x) <= x - 1", (CONSTANT,)),
    ("exp(x) > 1 + x", (CONSTANT,)),
    ("log(x*y) <= x + y - 2", (CONSTANT,)),
    ("1/speedup == 1/A + (o + L)/(C*g**beta)", (CONSTANT,)),
    ("e_o + e_L + e_C == 0", ()),
    ("speedup > 1", (CONSTANT, "g > g1")),
    ("iff(speedup >= 1, g >= g1)", (CONSTANT,)),
    ("diff(speedup, A) > 0", (CONSTANT,)),
    ("min(A, speedup_infinite) >= speedup", ("o + L > 0", CONSTANT)),
    ("sqrt(A*C) <= (A + C)/2", (CONSTANT,)),
]

REFUTED: list[tuple[str, tuple[str, ...]]] = [
    ("g1 < gA2", ()),
    ("speedup < A", ()),
    ("gA2 < g1", ("A > 2", "beta == 3/2", CONSTANT)),
    ("(A-1)**0.5 != 0", ("A >= 1",)),
    ("abs(A - 1) > 0", ()),
    ("x**beta < y**beta", ()),
    ("max(A, C) < A + C - 1", ()),
]


@cache
def certified(claim: str, given: tuple[str, ...]) -> SmtCertificate:
    return certify(ask(claim, given), timeout=600.0)


def scripts(claim: str, given: tuple[str, ...]) -> list[str]:
    return [part.smtlib for part in certified(claim, given).scripts]


def by_z3(script: str) -> str:
    solver = z3.Solver()
    solver.set("rlimit", 20_000_000)
    solver.from_string(script)
    return str(solver.check())


def by_cvc5(text: str) -> list[str]:
    solver = cvc5.Solver()
    solver.setOption("nl-cov", "true")
    solver.setOption("rlimit-per", "200000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "certificate")
    symbols, said = parser.getSymbolManager(), []
    while not (command := parser.nextCommand()).isNull():
        if answer := command.invoke(solver, symbols).strip():
            said.append(answer)
    return said


@pytest.mark.parametrize(("claim", "given"), PROVED)
def test_all_parts_are_there_and_two_solvers_find_them_contradictory(
    claim: str, given: tuple[str, ...]
) -> None:
    found = certified(claim, given)
    assert len(found.scripts) == len(found.parts) > 0
    assert [by_z3(part.smtlib) for part in found.scripts] == ["unsat"] * len(found.parts)
    assert by_cvc5(found.smtlib) == ["unsat"] * len(found.parts)


@pytest.mark.parametrize(("claim", "given"), REFUTED)
def test_counterexamples_are_models(claim: str, given: tuple[str, ...]) -> None:
    found = certified(claim, given)
    assert [by_z3(part.smtlib) for part in found.scripts] == ["sat"]
    assert by_cvc5(found.smtlib)[0] in ("sat", "unknown")
    point = {
        name: mpf(v.numerator) / v.denominator
        for name, v in (found.answer.counterexample or {}).items()
    }
    with mpmath.workdps(DIGITS):
        numbers = with_variables(found.parts[0].smtlib, point)
        for each in assertions(found.parts[0].smtlib):
            assert true(each.formula, numbers), each


def without(script: str, names: set[str]) -> str:
    kept = [line for line in script.splitlines() if not any(f":named {n})" in line for n in names)]
    return "\n".join(kept)


@pytest.mark.parametrize(("claim", "given"), [REFUTED[0], REFUTED[3]])
def test_other_values_are_no_counterexample(claim: str, given: tuple[str, ...]) -> None:
    """With A = 1000 these claims hold."""
    moved = without(scripts(claim, given)[0], {"value_of_A", "(check-sat)"})
    assert by_z3(f"{moved}\n(assert (= A 1000.0))") == "unsat"


@pytest.mark.parametrize(
    ("claim", "given"),
    [PROVED[0], PROVED[3], PROVED[4], PROVED[5], PROVED[6], ("g1 < gA2", ("A > 2", CONSTANT))],
)
def test_nothing_asserted_is_idle(claim: str, given: tuple[str, ...]) -> None:
    """Without any one of them, or with the claim in place of its negation, they agree."""
    for script in scripts(claim, given):
        for each in assertions(script):
            if not each.name.startswith("sign_of"):
                assert by_z3(without(script, {each.name})) != "unsat", each
        head, line = script.rsplit("(assert (! ", 1)
        body, rest = line.split(" :named", 1)
        assert by_z3(f"{head}(assert (! (not {body}) :named{rest}") != "unsat"


NUMBERS = [mpf(n) / 4 for n in (1, 2, 3, 5, 6, 9, 11, 14, 21, 30)]


def with_variables(script: str, point: dict[str, mpf]) -> dict[str, mpf]:
    """A point with the values of the variables of a script, from what they are said to be."""
    values = dict(point)
    for name, said in variables(script).items():
        values[name] = evaluated(said, point)
    return values


@pytest.mark.parametrize(("claim", "given"), [*PROVED, ("speedup <= speedup_peak", (LINEAR,))])
def test_what_is_asserted_is_true_and_says_what_is_above_it(
    claim: str, given: tuple[str, ...]
) -> None:
    """At points of the domain, with 50 digits: all holds but for the negated claim."""
    random.seed(1)
    with mpmath.workdps(DIGITS):
        for script in scripts(claim, given):
            asserted = assertions(script)
            names = set(re.findall(r"\(declare-const (\w+) Real\)", script))
            names |= {"A", "C", "L", "beta", "g", "o", "x", "y"}
            seen = 0
            for _ in range(300):
                point = {name: random.choice(NUMBERS) for name in names if name[0] != "v"}
                point["A"] += 1  # or there is no break-even
                try:
                    values = with_variables(script, point)
                except Undefined:
                    continue
                premises = [each for each in asserted if each.name.startswith("hypothesis")]
                for each in asserted:
                    if each.mathematics:
                        said = says_true(each.mathematics, point)
                        assert true(each.formula, values) == said, each
                if not all(true(each.formula, values) for each in premises):
                    continue
                seen += 1
                if seen > 5:
                    break
                for each in asserted:
                    assert true(each.formula, values) == (each.name != "negated_claim"), each
            assert seen >= 3


@pytest.mark.parametrize(("claim", "given"), PROVED)
def test_proofs_assume_what_is_asserted_and_end_in_the_empty_clause(
    claim: str, given: tuple[str, ...]
) -> None:
    for part in certified(claim, given).parts:
        if not part.alethe:
            continue
        known = [with_plain_numbers(each.formula) for each in assertions(part.smtlib)]
        assumed, steps = premises_of(part.alethe)
        assert assumed
        assert all(with_plain_numbers(each) in known for each in assumed)
        assert steps[-1][2] == ["cl"]
        assert ":rule hole" not in part.alethe
        earlier: set[str] = set()
        for step in steps:
            if ":premises" in step:
                assert {*step[step.index(":premises") + 1]} <= earlier
            earlier.add(str(step[1]))


def test_most_proofs_are_there() -> None:
    parts = [part for case in PROVED for part in certified(*case).parts]
    assert sum(bool(part.alethe) for part in parts) >= 0.8 * len(parts)


def test_a_false_claim_has_no_certificate_whatever_the_answer_says() -> None:
    for claim, given in (("T1 < T0", ("A > 1", CONSTANT)), ("g1 > gA2", ("A > 2", CONSTANT))):
        forged = Answer(claim=claim, given=given, verdict="proved", latency="constant")
        with pytest.raises(NotCertifiedError, match="no solver can check"):
            certify(forged, timeout=600.0)
    true_one = Answer(claim="A > 0", verdict="refuted", latency="constant", counterexample={})
    with pytest.raises(NotCertifiedError, match="does not fail at the values"):
        certify(true_one, timeout=600.0)


@pytest.mark.parametrize(
    ("claim", "given", "reason"),
    [
        ("limit(speedup, g, oo) == A", ("beta > 1",), "it was proved by dominant terms"),
        ("limit(speedup, g, oo) == A", ("beta < 1", LINEAR), "SMT-LIB has no limits"),
        ("log(A) > 1", ("A > 1",), "logarithms or exponentials"),
        ("2**beta > 2", (), "only numbers are left"),
        ("g1 < 100", ("A > 2", "beta > 1"), "roots of degree 11, too high for solvers"),
    ],
)
def test_what_no_solver_can_check_is_said(claim: str, given: tuple[str, ...], reason: str) -> None:
    with pytest.raises(NotCertifiedError, match=re.escape(reason)):
        certified(claim, given)


def test_an_undecided_answer_has_none() -> None:
    with pytest.raises(NotCertifiedError, match="undecided: there is nothing to certify"):
        certify(Answer(claim="A > 1", verdict="undecided"))


def test_parts_without_a_script_are_listed() -> None:
    found = certified("limit(speedup, g, oo) == A and speedup < A", ("beta > 1", "o > 0", CONSTANT))
    assert (len(found.scripts), len(found.parts)) == (1, 2)
    assert "; 1 of 2 parts are not in this file:" in found.smtlib
    assert "(by dominant terms)" in found.smtlib


def test_late_is_no_certificate() -> None:
    with pytest.raises(OutOfTimeError):
        certify(Answer(claim="speedup <= A", verdict="proved"), timeout=0.0)


@pytest.mark.parametrize(
    "text",
    [
        "A > 2\n(assert false)",
        "a\r(exit)",
        "a\x85(exit)\u2028(exit)\x0b(exit)",
        "ä|\"'\\",
        "(" * 300,
    ],
)
def test_no_text_leaves_its_comment(text: str) -> None:
    said = comment(text)
    assert all(line.startswith(";") for line in said.splitlines())
    assert re.fullmatch(r"[\x20-\x7e\n]*", said)


def test_texts_of_an_answer_stay_in_comments() -> None:
    answer = Answer(
        claim="A >\n 0 and\tspeedup <= A",
        verdict="proved",
        assuming=("x\n(assert false)\n(check-sat)",),
    )
    text = certify(answer).smtlib
    assert by_cvc5(text) == ["unsat"] * text.count("\n(check-sat)\n")
    assert "(assert false)" not in [line.strip() for line in text.splitlines()]


def test_the_text_is_the_same_each_time() -> None:
    claim, given = "g1 < gA2", ("A > 2",)
    again = certify(ask(claim, given), timeout=600.0)
    assert again.smtlib == certified(claim, given).smtlib
