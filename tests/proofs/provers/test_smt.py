"""Z3 is asked the same, and works as long, in every process and whatever was asked before."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import pytest
import sympy as sp

from logca.derive.core.symbols import A, beta, g
from logca.proofs.engine.problems import problem
from logca.proofs.language.parser import parse_expression
from logca.proofs.provers import proof_attempts
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.smt import SolverAnswer, in_order, satisfiable

QUESTIONS = ["speedup > A", "speedup < A/2"]  # both false: Z3 is asked at every level


@pytest.mark.parametrize("claim", QUESTIONS)
def test_the_work_does_not_depend_on_how_dummies_are_numbered(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    peak = parse_expression("g_peak", "linear")
    stated = replace(problem((claim,), (), "linear"), touch=(peak,))
    work = set()
    for base in (10**6, 4_321_987, 8_999_999):
        left = []

        def noted(
            statements: Iterable[sp.Basic], effort: Effort, most: int, left: list[int] = left
        ) -> SolverAnswer:
            answer = satisfiable(statements, effort, most)
            left.append(effort.units)
            return answer

        monkeypatch.setattr(sp.Dummy, "_base_dummy_index", base)
        monkeypatch.setattr(proof_attempts, "satisfiable", noted)
        proof_attempts._hypotheses.cache_clear()
        effort = Effort(until=float("inf"), units=100_000)
        proof_attempts.by_lemmas(stated, stated.goals[0][1], effort)
        work.add(tuple(left))
    assert len(work) == 1, work
    assert work.pop()


def test_two_variables_of_one_name_are_never_taken_for_one() -> None:
    v = partial(sp.Dummy, "v0", positive=True)
    with pytest.raises(ValueError, match="have one name"):
        satisfiable([v() > v()], Effort(until=float("inf")), most=1000)


def test_symbols_come_before_variables_and_these_by_number() -> None:
    second, tenth = sp.Dummy("v2"), sp.Dummy("v10")
    assert in_order([g + tenth > A, second > beta]) == [A, g, beta, second, tenth]
