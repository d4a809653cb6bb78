"""The command line, as a user meets it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer.main

from logca.cli.app import app
from logca.cli.options.completion import complete_claims, complete_formulas
from logca.common.errors import ContradictionError
from logca.common.extras import MissingSolversError
from logca.derive.algebra.derivation import Step
from logca.derive.core.catalogue import formula, names
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.engine import client
from logca.proofs.engine.answer import Answer, Record

Run = Callable[..., tuple[int, str, str]]
Decided = dict[str, Record]


@pytest.mark.parametrize("verb", ["formula", "derive", "check", "book"])
def test_help_has_examples(run: Run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert "Examples" in out
    assert f"logca {verb}" in out


def test_help_documents_the_language_and_the_exit_codes(run: Run) -> None:
    _, out, _ = run("check", "--help")
    for word in ("implies(p, q)", "latency == linear", "0 proved", "1 refuted", "3 undecided"):
        assert word in " ".join(out.split())


@pytest.mark.skipif(os.name != "posix", reason="the words are those of a POSIX shell")
def test_an_answer_that_nobody_can_read_is_an_error() -> None:
    words = f"{sys.executable} -m logca formula g1 >&-"
    done = subprocess.run(words, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr == "logca: there is no standard output to write the answer to: it is closed\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="the words are those of a POSIX shell")
def test_what_is_said_to_nobody_is_in_no_file(tmp_path: Path) -> None:
    """Without the standard streams the first files that are opened would take their numbers."""
    words = f"{sys.executable} -m logca sweep -o grid.csv <&- 2>&-"
    points = " --g 16,32 --o 1 --L 1 --C 1 --A 2"
    assert subprocess.run(words + points, shell=True, cwd=tmp_path, check=False).returncode == 0
    assert tmp_path.joinpath("grid.csv").read_text().count("\n") == 3
    assert subprocess.run(words, shell=True, cwd=tmp_path, check=False).returncode == 2


def test_version(run: Run) -> None:
    assert run("--version")[1].strip().count(".") == 2


def test_a_formula_in_every_markup(run: Run) -> None:
    assert run("formula", "T1", "--as", "text")[1] == "T1 = o + L₀ + L₁·g + C·g^β / A\n"
    assert run("formula", "T1", "--as", "python")[1] == "L0 + L1*g + o + C*g**beta/A\n"
    latex = run("formula", "T1", "--latency", "linear", "--as", "latex")[1]
    assert latex == "T_1 = o + L \\, g + \\frac{C \\, g^{\\beta}}{A}\n"
    assert run("formula", "T1", "--latency", "linear", "--as", "markdown")[1] == f"$$\n{latex}$$\n"
    assert ElementTree.fromstring(run("formula", "T1", "--as", "mathml")[1]).tag.endswith("math")
    assert json.loads(run("formula", "T1", "--json")[1])["name"] == "T1"


def test_a_formula_for_the_terminal(run: Run) -> None:
    code, out, err = run("formula", "gA2", "--latency", "constant")
    assert (code, err) == (0, "")
    assert "half-peak" in out
    assert "1/β" in out
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_what_an_output_cannot_encode_is_escaped() -> None:
    narrow = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    words = [sys.executable, "-m", "logca", "formula", "g1", "--as", "text"]
    out = subprocess.run(words, env=narrow, capture_output=True, check=True, timeout=60).stdout
    assert rb"\u2212" in out


def test_the_list_of_formulas(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path))
    code, first, _ = run("formula")
    listed = {line.split()[0] for line in first.splitlines() if line.strip()}
    assert code == 0
    assert set(names()) <= listed
    assert run("formula")[1] == first
    check = "import sys; from logca.api.formulas import formula_rows; formula_rows(); "
    check += "assert 'sympy' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True, timeout=60)


def test_all_formulas_as_json(run: Run) -> None:
    rows = json.loads(run("formula", "--json")[1])["rows"]
    assert [row["name"] for row in rows] == list(names())
    linear = json.loads(run("formula", "--json", "--latency", "linear")[1])["rows"]
    assert {"name": "T1", "latex": r"T_1 = o + L \, g + \frac{C \, g^{\beta}}{A}"} in linear


def test_a_derivation_has_a_tick_for_every_step_that_is_verified(run: Run) -> None:
    code, out, _ = run("derive", "g1", "--latency", "linear")
    assert code == 0
    assert out.count("✓") == len(formula("g1").derivation.steps) - 1
    assert "  1. the speedup reaches the target  posed" in out
    assert "  6. collect the power of the granularity  ✓" in out
    assert "under linear latency" in out


def test_a_step_that_does_not_hold_shows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Step, "check", lambda self: self.name != "name it")
    code, out, _ = run("derive", "g1")
    assert code == 1
    assert out.count("✗ does not hold") == 1


@pytest.mark.parametrize(("verdict", "code"), [("proved", 0), ("refuted", 1), ("undecided", 3)])
def test_exit_codes_of_claims(
    run: Run, monkeypatch: pytest.MonkeyPatch, verdict: str, code: int
) -> None:
    heard: list[tuple[str, tuple[str, ...], float]] = []

    def ask(claim: str, given: tuple[str, ...], timeout: float, theorems: object) -> Answer:
        heard.append((claim, given, timeout))
        return Answer(claim=claim, given=given, verdict=verdict)

    monkeypatch.setattr(client, "ask", ask)
    words = [
        "check",
        "--claim",
        "A > 1",
        "--assume",
        "A > 2",
        "--given",
        "C > 1",
        "--time-limit",
        "3",
    ]
    assert run(*words)[0] == code
    assert heard == [("A > 1", ("A > 2", "C > 1"), 3.0)]


def test_a_claim_for_real(run: Run) -> None:
    code, out, err = run("check", "--claim", "g1 < gA2", "--time-limit", "60")
    assert (code, err) == (1, "")
    assert "✗ refuted  g1 < gA2" in out
    code, out, _ = run(
        "check",
        "--claim",
        "speedup < A",
        "--assume",
        "o + L > 0, C > 1",
        "--json",
        "--time-limit",
        "60",
    )
    found = json.loads(out)
    assert code == 0
    assert (found["verdict"], found["used"]) == ("proved", ["o + L > 0"])
    assert next(iter(found.items())) == ("answer", "proved: speedup < A")
    client.close()


def test_failures_of_the_engine_have_their_own_codes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, code in (
        (ContradictionError("one says yes, one says no"), 4),
        (MissingSolversError("pip install 'logca[prove]'"), 5),
    ):

        def fail(*words: object, error: Exception = error) -> Answer:
            raise error

        monkeypatch.setattr(client, "ask", fail)
        found, _, err = run("check", "--claim", "A > 1")
        assert (found, len(err.splitlines())) == (code, 1)
        assert str(error) in err


def test_the_ledger_is_one_line_a_claim(run: Run, decided: Decided) -> None:
    code, out, _ = run("check")
    lines = out.splitlines()
    assert code == 0
    for claim in all_claims():
        [line] = [line for line in lines if claim.id in line.split()]
        assert line.endswith(claim.statement)
    counts, _, origin = out.splitlines()[-3:]
    assert counts.split()[-1] == str(len(decided))
    assert origin == "Decided on this machine. --anew decides again."


def test_shipped_verdicts_are_shown_with_when_and_by_what(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path))
    code, out, _ = run("check", "isca2017-eq1")
    assert code == 0
    assert re.search(r"Decided on 20\d\d-\d\d-\d\d by SymPy [\d.]+, Z3 [\d.]+, cvc5 [\d.]+", out)
    assert not list(tmp_path.iterdir())


def test_claims_in_detail(run: Run, decided: Decided) -> None:
    corrected = next(claim for claim in all_claims() if claim.corrected)
    code, out, _ = run("check", corrected.id)
    flat = " ".join(out.split())
    assert code == 0
    assert corrected.corrected is not None
    for part in (
        corrected.id,
        "↻ CORRECTED",
        corrected.statement,
        corrected.source,
        *corrected.given,
        *corrected.asserts,
        "o = 1, A = 3/2 (linear latency)",
        corrected.corrected.statement,
        *corrected.corrected.asserts,
        "z3 (whole domain)",
    ):
        assert " ".join(part.split()) in flat


def test_prefixes_and_exact_ids(run: Run, decided: Decided) -> None:
    ids = [claim.id for claim in all_claims()]
    whole = next(i for i in ids if any(other != i and other.startswith(i) for other in ids))
    chosen = json.loads(run("check", whole, "--json")[1])["rows"]
    assert [row["id"] for row in chosen] == [whole]
    papers = json.loads(run("check", "cal2015-", "isca2017-", "--json")[1])["rows"]
    assert {row["id"] for row in papers} == {
        i for i in ids if i.startswith(("cal2015-", "isca2017-"))
    }


def test_only_one_verdict(run: Run, decided: Decided) -> None:
    found = json.loads(run("check", "--verdict", "corrected", "--json")[1])
    rows = found["rows"]
    assert next(iter(found.items())) == ("answer", f"{len(rows)} claims: {len(rows)} corrected.")
    assert {row["id"] for row in rows} == {claim.id for claim in all_claims() if claim.corrected}
    row = rows[0]
    assert row["counterexample"] == {"o": "1", "A": "3/2"}
    assert row["latency"] == "linear"
    assert row["corrected"]["statement"]
    lines = run("check", "--verdict", "corrected")[1].splitlines()
    at = lines.index(row["id"])
    assert lines[at + 1 : at + 3] == [
        f"  printed  {row['statement']}",
        f"  true is  {row['corrected']['statement']}",
    ]
    assert len(lines) < 4 * len(rows)
    assert f"logca check {row['id']}" in " ".join(lines)


def test_the_ledger_in_latex(run: Run, decided: Decided) -> None:
    _, out, _ = run("check", "altaf2015-eq", "--as", "latex")
    assert out.count(r"\\") >= out.count(r"\texttt{cal2015-eq")
    assert r"\begin{longtable}" in out
    assert r"\end{longtable}" in out


def test_completion() -> None:
    assert {"g1", "g1_upper", "gA", "gA2"} <= set(complete_formulas("g"))
    assert complete_formulas("zzz") == []
    found = complete_claims("isca2017-eq5")
    assert any(name == "isca2017-eq5" for name, _ in found)
    assert all(name.startswith("isca2017-eq5") for name, _ in found)


def test_the_ledger_from_its_cache_loads_no_sympy(decided: Decided) -> None:
    check = (
        "import sys; sys.argv = ['logca', 'check']\n"
        "from logca.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert not {'sympy', 'z3', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_the_run_quietly(tmp_path: Path) -> None:
    environment = os.environ | {"LOGCA_CACHE": str(tmp_path), "TERM": "xterm", "COLUMNS": "100"}
    screen, terminal = pty.openpty()
    words = [sys.executable, "-m", "logca", "check", "--anew", "isca2017-"]
    with subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=terminal, env=environment
    ) as running:
        os.close(terminal)
        shown = b""
        while b"isca2017-" not in shown:  # which is told of what is decided
            shown += os.read(screen, 4096)
        running.send_signal(signal.SIGINT)
        with suppress(OSError):  # where the command has ended
            while more := os.read(screen, 4096):
                shown += more
        assert running.wait(timeout=30) == 130
    os.close(screen)
    assert b"Traceback" not in shown
    assert b"interrupted" in shown


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_output_that_cannot_be_written() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "logca", "formula", "T0"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert ended.returncode == 5
    assert ended.stderr == "logca: output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_signals_that_are_ignored_stay_ignored() -> None:
    check = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        "sys.argv = ['logca', '--version']\n"
        "from logca.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN\n"
        "assert callable(signal.getsignal(signal.SIGTERM))"
    )
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, timeout=60)


def test_one_claim_at_a_time(run: Run) -> None:
    code, out, err = run("check", "--claim", "A > 0", "--claim", "A < 0")
    assert (code, out) == (2, "")
    assert "one --claim at a time" in err


def test_a_folder_that_cannot_be_written_to_is_told_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from logca.cli import book

    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(book, "TemporaryFile", refused)
    code, _, err = run("book", "-o", str(tmp_path / "x.md"))
    assert code == 2
    assert "cannot be written to: Permission denied" in err


def test_a_defect_is_not_taken_for_a_refutation(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*words: object) -> Answer:
        raise KeyError("a defect")

    monkeypatch.setattr(client, "ask", fail)
    code, _, err = run("check", "--claim", "A > 1")
    assert code == 5
    assert "KeyError: 'a defect'" in err


SEVERAL_MEANINGS = {
    "--accelerated": "a command, or a name in a file of times",
    "--device": "an accelerator of a table, or a GPU",
    "--host": "as --accelerated",
    "--kernel": "of a device, or one with known formulas",
    "--link": "of a platform, or between host and accelerator",
    "--list": "of figures, quantities or experiments",
    "--output": "a file, a file that is resumed, or a folder",
    "--pin": "a process, or a block of a program",
    "--set": "of an experiment, or of a platform",
    "--time-limit": "of a proof, or of a program",
    "--what": "quantities, or kinds of pictures",
    "--work": "of a shape, or a macro of a program that holds a size",
}
"""Options of one name that do different things in different verbs."""


def test_an_option_has_the_same_sentence_in_every_verb() -> None:
    """What a verb adds, such as one more choice, stands behind a colon or a semicolon."""
    group: Any = typer.main.get_command(app)
    sentences: dict[str, set[str]] = {}
    for command in group.commands.values():
        for each in command.params:
            if each.param_type_name == "option":
                words = re.split(r"[:;.](?:\s|$)", each.help)[0]
                sentences.setdefault(each.opts[0], set()).add(words)
    several = {name for name, found in sentences.items() if len(found) > 1}
    assert several == {*SEVERAL_MEANINGS}


def test_files_and_json_are_asked_for_in_the_same_words() -> None:
    group: Any = typer.main.get_command(app)
    names = {"--json", "--force", "--output", "-o", "--picture", "--jobs", "--clock"}
    for verb, command in group.commands.items():
        for each in command.params:
            if names & {*each.opts}:
                assert not each.secondary_opts, f"{verb} {each.opts}"
                assert each.rich_help_panel or "--jobs" in each.opts, f"{verb} {each.opts}"


T2 = "--device ultrasparc-t2 --kernel aes"


@pytest.mark.parametrize(
    "words",
    [
        f"explain 4KiB {T2}",
        f"decide 64B 4KiB {T2}",
        f"granularities {T2}",
        f"granularities {T2} --speedup 9.5",
        f"regions {T2}",
        f"cheapest {T2} --speedup 5 --g 1KiB",
        f"sweep {T2} --g 64,4KiB",
        "derive g1",
    ],
)
def test_the_first_line_is_the_answer_of_the_json(run: Run, words: str) -> None:
    first = run(*words.split())[1].splitlines()[0]
    assert json.loads(run(*words.split(), "--json")[1])["answer"] == first
    assert re.fullmatch(r"[A-Za-z].* .*\.", first)


@pytest.fixture
def narrow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns, as Rich sees it."""
    for name, value in {
        "TTY_COMPATIBLE": "1",
        "COLUMNS": "80",
        "LINES": "24",
        "NO_COLOR": "1",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    "words",
    [
        "formula",
        "formula g1",
        "derive g1",
        "check",
        "check isca2017-eq11",
        "devices",
        f"devices {T2.replace('--device ', '').replace('--kernel ', '')}",
        f"explain 64B {T2}",
        f"decide 64B 4KiB {T2}",
        "granularities",
        "granularities --device apu --speedup 2",
        f"regions {T2}",
        f"cheapest {T2} --speedup 5 --g 1KiB",
        f"sweep {T2} --g 64,4KiB --o 1,2 --what speedup,T0,T1,share_o,share_L,share_C,e_A,e_o,e_L",
        f"plot {T2} --what regions",
        "plot fig6",
        "plot --list",
        "codegen --list",
        "measure --list",
        "explore --links",
        "gpu --stage device",
    ],
)
def test_80_columns_are_enough(run: Run, words: str) -> None:
    """No line is longer, and no word of what a pipe has is cut or missing."""
    code, out, _ = run(*words.split())
    assert code == 0
    shown = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TTY_COMPATIBLE")
        whole = run(*words.split())[1]
    wanted = {word for word in re.findall(r"[\w.%*]{4,}", whole) if "Speedup of" not in words}
    assert wanted <= {*re.findall(r"[\w.%*]+", shown)}
