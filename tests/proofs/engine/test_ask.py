"""Questions of users: right verdicts, numbers that refute, clear refusals, no code evaluated."""

import builtins
import importlib.util
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest
from effort import tried

from logca.proofs.engine import client
from logca.proofs.engine.answer import Answer
from logca.proofs.engine.ask import ask, hypotheses
from logca.proofs.language.parser import ClaimSyntaxError, parse

_SPEC = importlib.util.spec_from_file_location(
    "user_claims", Path(__file__).with_name("user_claims.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
CLAIMS: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(CLAIMS)


def cases(table: list[tuple[Any, ...]]) -> list[Any]:
    """Rows of a table, named by their claims."""
    return [pytest.param(*row, id=ascii(row[0])[1:50]) for row in table]


DIGITS = 50
TOLERANCE = mpmath.mpf(10) ** -40


class Number:
    """A number of 50 digits; relations hold only if they do so beyond rounding."""

    def __init__(self, value: Any) -> None:
        if isinstance(value, Number):
            value = value.value
        if isinstance(value, Fraction):
            value = mpmath.mpf(value.numerator) / value.denominator
        self.value = mpmath.mpf(value)

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> "Number":
        return Number(operation(self.value, Number(other).value))

    def _gap(self, other: Any) -> tuple[Any, Any]:
        right = Number(other).value
        return self.value - right, TOLERANCE * (1 + abs(self.value) + abs(right))

    def __add__(self, other: Any) -> "Number":
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> "Number":
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> "Number":
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> "Number":
        return self._with(other, lambda a, b: a / b)

    def __pow__(self, other: Any) -> "Number":
        return self._with(other, lambda a, b: a**b)

    def __radd__(self, other: Any) -> "Number":
        return Number(other) + self

    def __rsub__(self, other: Any) -> "Number":
        return Number(other) - self

    def __rmul__(self, other: Any) -> "Number":
        return Number(other) * self

    def __rtruediv__(self, other: Any) -> "Number":
        return Number(other) / self

    def __abs__(self) -> "Number":
        return Number(abs(self.value))

    def __lt__(self, other: Any) -> bool:
        gap, tolerance = self._gap(other)
        return bool(gap < -tolerance)

    def __le__(self, other: Any) -> bool:
        gap, tolerance = self._gap(other)
        return bool(gap <= tolerance)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        gap, tolerance = self._gap(other)
        return bool(abs(gap) <= tolerance)

    __hash__ = None  # type: ignore[assignment]


def model(point: dict[str, Fraction], latency: str) -> dict[str, Any]:
    """The model by hand: nothing of logca, roots by bisection on the definition of the speedup."""

    def at(**changed: Any) -> dict[str, Any]:
        values = {name: Number(value).value for name, value in point.items()}
        return values | {name: Number(value).value for name, value in changed.items()}

    def speedup(**changed: Any) -> Number:
        v = SimpleNamespace(**at(**changed))
        moved = v.L * v.g if latency == "linear" else v.L
        return Number(v.C * v.g**v.beta / (v.o + moved + v.C * v.g**v.beta / v.A))

    def rising(target: Callable[..., Any], **changed: Any) -> Number:
        """The granularity where C g**beta (1/s - 1/A) - o - latency turns positive."""
        v = SimpleNamespace(**at(**changed))

        def margin(t: Any) -> Any:
            g = mpmath.exp(t)
            moved = v.L * g if latency == "linear" else v.L
            return v.C * g**v.beta * (1 / target(v) - 1 / v.A) - v.o - moved

        grid = [mpmath.mpf(step) / 8 for step in range(-800, 801)]
        signs = [margin(t) > 0 for t in grid]
        turns = [i for i in range(1, len(grid)) if signs[i] and not signs[i - 1]]
        assert turns, "there is no such granularity"
        low, high = grid[turns[0] - 1], grid[turns[0]]
        near = mpmath.findroot(margin, (low, high), solver="anderson", tol=TOLERANCE)
        return Number(mpmath.exp(near))

    found: dict[str, Any] = {name: Number(value) for name, value in point.items()}
    quantities = {
        "speedup": speedup,
        "g1": lambda **changed: rising(lambda v: mpmath.mpf(1), **changed),
        "gA2": lambda **changed: rising(lambda v: v.A / 2, **changed),
    }
    return found | {f"{name}_of": function for name, function in quantities.items()}


def by_hand(text: str, point: dict[str, Fraction], latency: str) -> bool:
    """Whether a claim of this file's tables holds at a point."""
    code = re.sub(r"\b(speedup|g1|gA2)\b(?!\()", r"\1()", text)
    code = re.sub(r"\b(speedup|g1|gA2)\(", r"\1_of(", code)
    code = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"Number(\1)", code)
    names = model(point, latency) | {"Number": Number, "min": min, "max": max, "abs": abs}
    names["sqrt"] = lambda value: value ** (Number(1) / Number(2))
    return bool(eval(code, {"__builtins__": {}}, names))


@pytest.mark.parametrize(("claim", "given", "needed"), tried(cases(CLAIMS.TRUE), 2))
def test_true_claims_are_proved(claim: str, given: list[str], needed: set[str]) -> None:
    answer = ask(claim, given, timeout=60)
    assert answer.verdict == "proved", answer
    assert answer.methods
    assert answer.counterexample is None
    assert set(answer.used) == needed


@pytest.mark.parametrize(("claim", "given"), tried(cases(CLAIMS.FALSE), 2))
def test_false_claims_are_refuted_by_numbers(claim: str, given: list[str]) -> None:
    answer = ask(claim, given, timeout=60)
    assert answer.verdict == "refuted", answer
    point = answer.counterexample
    assert point is not None
    assert all(isinstance(value, Fraction) for value in point.values())
    assert answer.latency in ("constant", "linear")
    with mpmath.workdps(DIGITS):
        assert not by_hand(claim, point, answer.latency)
        for text in given:
            if "latency" in text:
                assert answer.latency in text
            else:
                assert by_hand(text, point, answer.latency)


@pytest.mark.parametrize(
    ("inner", "at", "value", "given"),
    [
        ("speedup", "oo", "A", []),
        ("speedup", "oo", "A", ["latency == linear", "beta < 1"]),
        ("speedup", "oo", "C/L", ["latency == linear", "beta >= 1"]),
        ("speedup", "0", "0", []),
        ("g**L", "0", "0", ["L < 1"]),
        ("g**(L*beta)", "0", "0", []),
        ("1/(1 + g**L)", "0", "1", ["L < beta"]),
    ],
)
def test_false_limits_are_refuted_where_another_term_dominates(
    inner: str, at: str, value: str, given: list[str]
) -> None:
    answer = ask(f"limit({inner}, g, {at}) == {value}", given, timeout=60)
    assert answer.verdict == "refuted", answer
    near = {**(answer.counterexample or {}), "g": Fraction(10) ** (300 if at == "oo" else -300)}
    with mpmath.workdps(DIGITS):
        assert by_hand(f"abs({inner} - {value}) > 1/1000", near, answer.latency)
        assert all(by_hand(text, near, answer.latency) for text in given if "latency" not in text)


@pytest.mark.parametrize(("claim", "given"), cases(CLAIMS.OPEN))
def test_what_cannot_be_decided_is_said_to_be_undecided(claim: str, given: list[str]) -> None:
    answer = ask(claim, given, timeout=4)
    assert answer.verdict == "undecided", answer
    assert answer.reason
    assert answer.counterexample is None
    assert answer.used == ()


@pytest.fixture
def no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs code raises; parsing into a syntax tree is not running."""
    parse("speedup(g=g1) > 1 and limit(speedup, g, oo) > limit_large", "constant")
    compile_ = builtins.compile
    import_ = builtins.__import__

    def only_trees(
        source: Any, filename: Any, mode: str, flags: int = 0, *rest: Any, **more: Any
    ) -> Any:
        assert flags & 0x400, "compiled to be run"
        return compile_(source, filename, mode, flags, *rest, **more)

    def only_known(
        name: str, space: Any = None, local: Any = None, wanted: Any = (), level: int = 0
    ) -> Any:
        known = level > 0 or name in sys.modules or name.startswith(("sympy", "logca"))
        assert known, f"imported {name}"
        assert name not in ("os", "subprocess", "shutil"), f"imported {name}"
        return import_(name, space, local, wanted, level)

    def never(*rest: Any, **more: Any) -> Any:
        raise AssertionError("code was evaluated")

    monkeypatch.setattr(builtins, "compile", only_trees)
    monkeypatch.setattr(builtins, "__import__", only_known)
    for name in ("eval", "exec", "open", "input", "breakpoint"):
        monkeypatch.setattr(builtins, name, never)


@pytest.mark.usefixtures("no_code")
@pytest.mark.parametrize(("claim", "message"), cases(CLAIMS.MALFORMED))
def test_malformed_and_hostile_claims_are_refused_with_a_word(claim: str, message: str) -> None:
    with pytest.raises(ClaimSyntaxError, match=message) as refused:
        ask(claim, timeout=5)
    assert len(str(refused.value)) < 300
    with pytest.raises(ClaimSyntaxError):
        ask("A > 1", [claim or " , ", "("], timeout=5)


@pytest.mark.parametrize("claim", [None, 1, b"A > 1", ["A > 1"], object()])
def test_what_is_not_text_is_refused(claim: Any) -> None:
    with pytest.raises(ClaimSyntaxError, match="is text, not"):
        ask(claim)
    with pytest.raises(ClaimSyntaxError, match="is text, not"):
        ask("A > 1", [claim] if not isinstance(claim, list) else [claim, claim])


def test_there_are_sixty_claims() -> None:
    assert len(CLAIMS.TRUE) + len(CLAIMS.FALSE) + len(CLAIMS.OPEN) >= 50
    assert len(CLAIMS.MALFORMED) >= 60


def test_both_forms_of_latency_are_asked_for() -> None:
    assert ask("speedup(g=2) > speedup(g=1)", ["L > 0"]).latency == "linear"
    assert ask("speedup <= A").latency == "constant and linear"
    assert ask("L0 + L1 >= 0").latency == "affine"
    assert "under constant latency no values" in ask("g1_upper >= g1", ["beta < 1"]).reason


def test_existence_is_assumed_and_said() -> None:
    assert ask("speedup(g=g1) == 1").assuming == ("g1 exists",)
    assert ask("speedup(g=g1) == 1", ["latency == constant", "A > 1", "o > 0"]).assuming == ()
    assert ask("speedup <= A").assuming == ()


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("g1 < gA2", ["A > 2", "beta == 1"]),
        ("g1 > 0", ["beta == 1", "latency == linear"]),
        ("g1 > 0", ["L == 0"]),
        ("g1_upper > 0 and beta < 1", ["o == 0", "latency == linear"]),
    ],
)
def test_roots_in_closed_form_are_taken_to_exist_as_well(claim: str, given: list[str]) -> None:
    assert ask(claim, given, timeout=60).verdict == "proved"


def test_a_counterexample_has_every_symbol_of_the_question() -> None:
    answer = ask("A*C/C == A**2", ["g > 1"])
    assert answer.counterexample is not None
    assert set(answer.counterexample) >= {"A", "g"}
    assert answer.values.keys() == {"A*C/C", "A**2"}


def test_hypotheses_may_share_a_text() -> None:
    assert hypotheses("A > 2, speedup(g=x, o=0) > 1") == ("A > 2", "speedup(g=x, o=0) > 1")
    assert hypotheses(["A > 2, beta > 1", "o == 0"]) == ("A > 2", "beta > 1", "o == 0")


def test_contradictory_forms_are_refused() -> None:
    with pytest.raises(ClaimSyntaxError, match="exclude all"):
        ask("A > 1", ["latency == constant", "latency == linear"])


def test_another_process_gives_the_same_answer() -> None:
    answer = client.ask("g1 < gA2", ("A > 2",), timeout=60)
    assert (answer.verdict, answer.used) == ("proved", ("A > 2",))
    assert client.ask("g1 < gA2", timeout=60).verdict == "refuted"
    with pytest.raises(ClaimSyntaxError, match="unknown name"):
        client.ask("g17 < gA2")
    client.close()


def test_answers_travel() -> None:
    answer = ask("g1 < gA2")
    assert Answer.from_json(answer.to_json()) == answer


def test_what_tends_to_a_limit_is_not_the_symbol_outside_of_it() -> None:
    answer = ask("limit(1/(g - 7), g, oo) == 0 and g != 7", timeout=20)
    assert answer.verdict == "refuted"
    assert answer.counterexample is not None
    assert answer.counterexample["g"] == 7


def test_a_quantity_that_one_form_of_latency_leaves_undefined() -> None:
    with pytest.raises(ClaimSyntaxError, match="not defined under constant latency"):
        ask("latency_ceiling > 1")


def test_an_instance_without_a_value_is_refused() -> None:
    with pytest.raises(ClaimSyntaxError, match="saving_peak with these values has no real value"):
        ask("exists(saving_peak(beta=1))", "latency == linear")
    with pytest.raises(ClaimSyntaxError, match="no real value"):
        ask("exists(min(A, log(e_L)))")


def test_what_sympy_splits_into_parts_without_a_value_is_no_counterexample() -> None:
    assert ask("(A < A) or ((e_o(A=L))**(1/2) <= 0)").verdict != "refuted"


@pytest.mark.parametrize(
    ("claim", "given", "verdict"),
    [
        ("latency == affine", [], "refuted"),
        ("affine == latency", [], "refuted"),
        ("latency != affine", [], "refuted"),
        ("latency == affine or A <= 1", [], "refuted"),
        ("latency == affine or speedup > A", [], "refuted"),
        ("speedup > 0", ["not latency == affine"], "proved"),
        ("speedup <= A", ["latency == affine"], "proved"),
        ("speedup <= A", ["latency == affine or A > 3"], "proved"),
    ],
)
def test_only_hypotheses_fix_the_form_of_latency(
    claim: str, given: list[str], verdict: str
) -> None:
    assert ask(claim, given).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "given", "verdict"),
    [
        ("speedup(A=A-1) > 0", [], "proved"),
        ("T0(C=s-3) > 0", [], "proved"),
        ("T0(C=s-3) > 0", ["s < 3"], "undecided"),
        ("speedup(L=L-o) < A", ["o > 0"], "proved"),
    ],
)
def test_instances_stay_in_the_domain(claim: str, given: list[str], verdict: str) -> None:
    assert ask(claim, given).verdict == verdict


def test_a_power_of_what_a_hypothesis_makes_zero() -> None:
    assert ask("(beta-1)**(s-1) == 0", ["beta == 1", "s > 1"]).verdict == "proved"
    assert ask("(beta-1)**(s-1) != 0", ["beta == 1", "s > 1"]).verdict == "refuted"


def test_a_case_without_a_value_is_a_condition() -> None:
    existence = "iff(exists(1/limit_large), beta >= 1 or L == 0)"
    assert ask(existence, "latency == linear").verdict == "proved"
    answer = ask("1/limit_large >= 1/A", "latency == linear")
    assert (answer.verdict, answer.assuming) == ("proved", ("1 / limit_large exists",))
    assert ask("1/limit_large == 1/A", "latency == linear").verdict == "refuted"
