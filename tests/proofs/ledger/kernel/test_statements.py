"""Exported statements are those of the ledger: domains, hypotheses, existence, assertions."""

import re

import pytest

from logca.derive.core.symbols import TABLE
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.ledger.kernel.expressions import NotExported
from logca.proofs.ledger.kernel.kernel_record import claim_digest, kernel_record, text_digest
from logca.proofs.ledger.kernel.search import exported, scripts
from logca.proofs.ledger.kernel.statements import statements

CLAIMS = {claim.id: claim for claim in all_claims()}
SAMPLE = [claim_id for claim_id in kernel_record().accepted if claim_id in CLAIMS][::12]


def test_a_theorem_says_what_the_claim_says() -> None:
    (found,) = statements("mine", ["speedup < A"], ["o + L > 0", "latency == constant"])
    assert found.text().split("\n") == [
        "Theorem mine__constant :",
        "  forall A C L beta g o : R,",
        *(
            f"  0 {sign} {name} ->"
            for name, sign in zip(["A", "C", "L"], ("<", "<", "<="), strict=True)
        ),
        "  0 < beta ->",
        "  0 < g ->",
        "  0 <= o ->",
        "  ((o + L) > 0) ->",
        "  ((speedup_constant A C L beta g o) < A).",
    ]


def test_domains_are_those_of_the_symbols_and_no_others() -> None:
    (found,) = statements("mine", ["speedup < A"], ["o + L > 0", "latency == constant"])
    for symbol in found.symbols:
        sign = "<" if TABLE[symbol.name].symbol.is_positive else "<="
        assert f"  0 {sign} {symbol.name} ->" in found.text()
    assert len(found.domains()) == len(found.symbols)


def test_what_must_exist_is_shown() -> None:
    (found,) = statements("mine", ["1/(A - 1) != 0"], ["A != 1"])
    assert "((A - 1) <> 0)" in found.text()
    (root,) = statements("mine", ["speedup(g=gA2) == A/2"], ["latency == linear", "beta > 1"])
    assert re.search(r"exists root : R, lower_root", root.text())


def test_both_forms_of_latency_make_two_theorems() -> None:
    both = statements("mine", ["speedup < A"], ["o + L > 0"])
    assert [each.name for each in both] == ["mine__constant", "mine__linear"]


def test_a_limit_of_a_root_speaks_of_any_function_that_is_the_root_where_there_is_one() -> None:
    given = ["latency == linear", "beta == 1", "o > 0", "C > L"]
    (found,) = statements("mine", ["limit(g1, A, oo) == o/(C - L)", "g1 > 0"], given)
    root = "lower_root (((A * C) - C) / A) o L beta"
    assert (
        f"(forall root_at1 : R -> R, (forall A : R, (exists root : R, {root} root) -> "
        f"{root} (root_at1 A)) -> "
        "is_lim (fun A : R => (root_at1 A)) p_infty (o / (C - L)))"
    ) in found.text()
    assert "(root1 > 0)" in found.text(), "outside of the limit it is a number"


def test_a_root_inside_of_a_derivative_is_refused() -> None:
    for claim in ("diff(g1, o) > 0", "limit(diff(g1, o), A, oo) == 1/C"):
        with pytest.raises(NotExported, match="inside of a derivative"):
            statements("mine", [claim], ["latency == linear", "beta == 1", "C > L"])


def test_what_the_kernel_accepted_is_what_the_claims_say_today() -> None:
    assert SAMPLE
    for claim_id in SAMPLE:
        said, digest = kernel_record().accepted[claim_id]
        claim = CLAIMS[claim_id]
        assert said == text_digest(claim), f"{claim_id} has changed: run make coq"
        found = [each.digest() for each in exported(claim)]
        assert digest == claim_digest(found), f"{claim_id} has changed: run make coq"


def test_every_accepted_theorem_has_a_script_of_its_own_statement() -> None:
    for claim_id in SAMPLE:
        for each in exported(CLAIMS[claim_id]):
            script = scripts()[each.name]
            assert script.digest == each.digest()
            assert all(script.tactics)


def test_a_claim_is_accepted_or_left_with_a_reason() -> None:
    record = kernel_record()
    assert not set(record.accepted) & set(record.left)
    assert all(record.left.values())
