import mpmath
import pytest
from hypothesis import assume, given, settings
from oracle import GRANULARITIES, close, exact, fractions, models, value

from logca.derive.logca.inverse import A_FOR, BETA_FOR, C_FOR, L0_FOR, L1_FOR, O_FOR

FIELDS = {A_FOR: "A", C_FOR: "C", O_FOR: "o", L0_FOR: "L0", L1_FOR: "L1", BETA_FOR: "beta"}


@pytest.mark.parametrize("formula", FIELDS, ids=lambda formula: formula.name)
@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, part=fractions(-2, 0))
def test_the_parameter_gives_the_target(formula, model, g, part) -> None:
    assume(g != 1)
    with mpmath.workdps(40):
        s = exact(part) * exact(model.A) / 10
        assume(s * model.rest(exact(g)) < model.host(exact(g)) or formula is not A_FOR)
        found = value(formula, model, g=g, s=s)
        assume(found > 0)
        parameters = {n: exact(getattr(model, n)) for n in ("o", "L0", "L1", "C", "A", "beta")}
        parameters[FIELDS[formula]] = found
        host = parameters["C"] * exact(g) ** parameters["beta"]
        time = parameters["o"] + parameters["L0"] + parameters["L1"] * exact(g)
        assert close(host / (time + host / parameters["A"]), s)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_from_a_speedup_back_to_each_parameter(model, g) -> None:
    assume(g != 1)
    with mpmath.workdps(40):
        s = model.speedup(exact(g))
        for formula, name in FIELDS.items():
            expected = exact(getattr(model, name))
            assert abs(value(formula, model, g=g, s=s) / expected - 1) < mpmath.mpf(10) ** -15
