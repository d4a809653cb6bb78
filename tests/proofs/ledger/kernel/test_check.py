"""What the kernel is asked: good proofs pass, false statements, assumptions and gaps do not."""

import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.ledger.kernel import coqc
from logca.proofs.ledger.kernel.check import (
    KernelError,
    check_development,
    foreign_axioms,
    record_of,
    verify_file,
)
from logca.proofs.ledger.kernel.coqc import CoqMissingError
from logca.proofs.ledger.kernel.development import (
    Development,
    File,
    FolderNotEmptyError,
    Theorem,
    ledger_development,
    question_development,
    write,
)
from logca.proofs.ledger.kernel.statements import statements

NEEDS_COQ = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
SAMPLE = (
    "cal2015-eq2",
    "cal2015-sec2.1-bounded",
    "cal2015-eq5",
    "cal2015-eq6",
    "cal2015-eq3",
)


def _theorem(asserts: str, given: list[str], proof: str) -> File:
    (statement,) = statements("mine", [asserts], given)
    theorem = Theorem(claim="mine", statement=statement, proof=proof)
    return File(name="mine", definitions=statement.definitions, theorems=(theorem,))


@pytest.fixture(scope="module")
def checked(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, Development, dict[str, object]]:
    folder = tmp_path_factory.mktemp("theory")
    chosen = [claim for claim in all_claims() if claim.id in SAMPLE]
    development = ledger_development(chosen)
    write(development, folder)
    return folder, development, dict(check_development(folder, development))


@NEEDS_COQ
def test_the_kernel_accepts_a_sample_of_the_ledger(checked) -> None:
    _, development, verified = checked
    record = record_of(development, verified)
    assert set(record.accepted) == {t.claim for t in development.theorems()} != set()
    assert not record.left


@NEEDS_COQ
def test_a_false_statement_is_not_accepted(checked) -> None:
    folder, _, _ = checked
    given = ["o + L > 0", "latency == constant"]
    file = _theorem(
        "speedup > A", given, "Proof.\nintros. unfold speedup_constant in *. finish.\nQed."
    )
    (folder / "mine.v").write_text(file.text())
    found = verify_file(folder, file)
    assert not found.accepted
    assert list(found.refused) == ["mine__constant"]


@NEEDS_COQ
def test_an_axiom_of_ones_own_is_noticed(checked) -> None:
    folder, _, _ = checked
    file = _theorem("A > 2", ["latency == constant"], "Proof.\nintros. apply mine_alone.\nQed.")
    assumed = "Module Type Assumed.\nEnd Assumed.\n"
    stated = replace(file, definitions=())
    (folder / "Assumed.v").write_text(
        "From Coq Require Import Reals.\nOpen Scope R_scope.\nAxiom mine_alone : forall A, A > 2.\n"
    )
    assert coqc.compile_file(folder, "Assumed").succeeded

    class Changed(File):
        def text(self, without=None) -> str:
            head = "From LogCA Require Import Assumed.\n"
            return File.text(stated, without).replace("Open Scope", head + "Open Scope", 1)

    changed = Changed(name="mine", definitions=(), theorems=file.theorems)
    (folder / "mine.v").write_text(changed.text())
    assert assumed
    with pytest.raises(KernelError, match="mine_alone"):
        verify_file(folder, changed)


@pytest.mark.parametrize("word", ["Admitted", "Axiom"])
def test_what_is_admitted_is_noticed(tmp_path: Path, word: str) -> None:
    proof = {"Admitted": "Proof.\nAdmitted.", "Axiom": "Axiom x : False.\nQed."}[word]
    file = _theorem("A > 0", ["latency == constant"], proof)
    (tmp_path / "mine.v").write_text(file.text())
    with pytest.raises(KernelError, match=word):
        verify_file(tmp_path, file)


def test_a_file_that_says_something_else_is_noticed(tmp_path: Path) -> None:
    file = _theorem("speedup < A", ["o + L > 0", "latency == constant"], "Proof.\nlra.\nQed.")
    (tmp_path / "mine.v").write_text(file.text().replace("< A)", "<= A)"))
    with pytest.raises(KernelError, match="is not what was exported"):
        verify_file(tmp_path, file)


def test_only_axioms_of_the_real_numbers_are_allowed() -> None:
    reals = "Axioms:\nClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}\n"
    assert foreign_axioms(reals) == []
    assert foreign_axioms(reals + "magic\n  : 0 = 1\n") == ["magic"]
    assert foreign_axioms("Closed under the global context") == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.v").write_text("Theorem mine : True.")
    with pytest.raises(FolderNotEmptyError, match="not empty"):
        write(question_development("A > 0", ["latency == constant"]), tmp_path)
    assert (tmp_path / "mine.v").read_text() == "Theorem mine : True."


def test_a_full_disk_leaves_no_part_of_a_development(tmp_path: Path) -> None:
    """In a process whose files may have 8 KiB at most; with room, the same folder will do."""
    folder = tmp_path / "theory"
    limited = textwrap.dedent(f"""
        import resource, signal
        from pathlib import Path
        from logca.proofs.ledger.kernel.development import question_development, write

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
        write(question_development("g1 > 0", ["A > 1"]), Path({str(folder)!r}))
    """)
    done = subprocess.run(
        [sys.executable, "-c", limited], capture_output=True, text=True, check=False
    )
    assert "OSError: [Errno 27]" in done.stderr
    assert [*folder.iterdir()] == []
    write(question_development("g1 > 0", ["A > 1"]), folder)
    listed = folder.joinpath("_CoqProject").read_text().split()[3:]
    assert sorted(listed) == sorted(each.name for each in folder.glob("*.v"))


@NEEDS_COQ
def test_a_claim_of_ones_own_is_proved_by_its_script(checked) -> None:
    folder, _, _ = checked
    development = question_development("speedup < A", ["o + L > 0", "latency == linear"])
    (file,) = development.files
    (folder / "claim.v").write_text(file.text())
    assert verify_file(folder, file).accepted == {"claim__linear"}


HALF_PEAK = ["latency == linear", "o == 400000000", "L == 15", "C == 174", "A == 7", "beta == 1.01"]
PER_BYTE = ["latency == linear", "L > 0", "exists(gA2(A=2*A))"]
LARGE = ["latency == linear", "beta == 1", "o > 0", "C*(A - 1) > A*L"]
RANGE = ["g >= 16", "g <= 33554432", "latency == constant"]


@NEEDS_COQ
@pytest.mark.parametrize(
    ("claim", "given", "is_true"),
    [
        ("2**(1/3) < 1.26 and max(2**0.5, 1.4) > 1.41", ["latency == constant"], True),
        ("2**(1/3) < 1.25", ["latency == constant"], False),
        ("27*log(g)/50 <= g**0.2", RANGE, True),
        ("28*log(g)/50 <= g**0.2", RANGE, False),
        ("gA2 > 27500000 and gA2 < 27600000", HALF_PEAK, True),
        ("gA2 < 27500000", HALF_PEAK, False),
        ("abs(-g*C) >= min(g*C, A)", ["latency == constant"], True),
        ("gA2(A=2*A) > 2**(1/beta)*gA2", PER_BYTE, True),
        ("gA2(A=2*A) < 2**(1/beta)*gA2", PER_BYTE, False),
        ("limit(g1, A, oo) == o/(C - L)", LARGE, True),
        ("limit(g1, A, oo) == 2*o/(C - L)", LARGE, False),
        ("limit_large == A*C/(A*L + C)", ["latency == linear", "beta == 1"], True),
        ("limit_large == A", ["latency == linear", "beta == 1"], False),
        ("1/(C/A + L - o) == A/(C + A*L - A*o)", ["C/A + L != o", "latency == constant"], True),
    ],
)
def test_numbers_roots_and_cases_are_compared(checked, claim, given, is_true) -> None:
    folder, _, _ = checked
    (file,) = question_development(claim, given).files
    (folder / "claim.v").write_text(file.text())
    assert bool(verify_file(folder, file).accepted) is is_true


def test_without_coq_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coqc.shutil, "which", lambda _: None)
    with pytest.raises(CoqMissingError, match="apt install coq"):
        coqc.compiler()
