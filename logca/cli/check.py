"""`logca check`: the ledger, some of its claims, or a claim of your own."""

import math
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from logca.cli.options.completion import complete_claims
from logca.cli.terminal.errors import INTERRUPTED, UsageFailure
from logca.cli.terminal.files import OutputOption, check_place, check_writable, write
from logca.cli.terminal.output import (
    NEVER_CUT,
    progress,
    say,
    show,
    show_answer,
    show_json,
    show_tables,
    width,
)
from logca.common.near_misses import did_you_mean
from logca.proofs.claims.claim import Claim, Verdict

if TYPE_CHECKING:
    from logca.proofs.engine.answer import Answer, Record

__all__ = ["check"]

_CODES = {"proved": 0, "refuted": 1, "undecided": 3}
_TIMEOUT = 60.0


def check(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            help="Ids of claims, or beginnings of ids.",
            autocompletion=complete_claims,
            show_default="all claims, one line each",
        ),
    ] = None,
    claim: Annotated[
        list[str] | None, typer.Option(help="A claim of your own.", metavar="<str>")
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--given", "--assume", help="Hypotheses, separated by commas; may be repeated."
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            min=0.1,
            help="The longest to wait for the answer to --claim [s].",
            metavar="SECONDS",
            show_default=f"{_TIMEOUT:g}",
        ),
    ] = None,
    find: Annotated[
        bool,
        typer.Option("--find", help="Find the weakest hypothesis under which --claim holds."),
    ] = False,
    verdict: Annotated[
        Verdict | None,
        typer.Option(case_sensitive=False, help="Only claims with this verdict."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Decide again, whatever is known (all: a minute).")
    ] = False,
    as_json: OutputOption.as_json = False,
    markup: OutputOption.table = None,
    export: Annotated[
        Literal["coq"] | None,
        OutputOption.option(
            help="Write statements and proofs for a proof assistant into the folder of -o.",
            show_default="nothing is exported",
        ),
    ] = None,
    output: Annotated[
        Path | None, OutputOption.to(what="New folder for --export", metavar="FOLDER")
    ] = None,
    certificate: Annotated[
        Path | None,
        OutputOption.to(
            ".smt2", what="File for what any SMT solver can check of --claim", name="--certificate"
        ),
    ] = None,
    force: OutputOption.force = False,
) -> None:
    """Show the ledger: every claim and its verdict. Or decide a claim of your own.

    The verdicts ship with logca, for the formulas and provers that it ships with; the last line
    says when they were decided, and by what. An id may be a prefix.

    **Examples**

        logca check                            every claim, one line each, and the counts

        logca check isca2017-eq5 cal2015-eq    some claims with all details

        logca check --verdict corrected        what is false as printed, and what is true instead

        logca check isca2017 --verdict corrected    the same of one paper, with all details

        logca check --anew isca2017-eq             decided again, here and now

        logca check --claim "g1 < gA2" --given "A > 2, beta > 1"

        logca check --claim "speedup(g=2*g) <= 2*speedup" --given "beta <= 1"

        logca check --claim "exists(gA2)" --given "beta == 1" --find

        logca check --claim "g1 < gA2" --given "A > 2" --certificate claim.smt2

        logca check --export coq -o theory          statements and proofs that coqc checks

    **A claim of your own** is made of comparisons (== != < <= > >=), `and`, `or`, `not`,
    `implies(p, q)`, `iff(p, q)`, arithmetic and powers (+ - * / **), `log exp sqrt min max abs`,
    `diff(f, g)`, `limit(f, g, oo)`, `exists(g1)`, the symbols `g o L C A beta s`, and the name of
    any formula (`logca formula` lists them). `speedup(g=g1)` substitutes for symbols. Quantities
    are taken to exist. `latency == constant` or `latency == linear` fixes the form of the latency;
    left open, the claim is decided for both. Nothing is evaluated as code.

    **--find** answers with a condition that was proved to imply the claim, and to be implied by it
    ("exactly if"), or at least the former ("at least if").

    **--certificate** writes the proof, or the counterexample, as assertions in SMT-LIB 2 that a
    solver finds contradictory, or not: `z3 claim.smt2`. Where cvc5 gives a proof of its own, in
    the Alethe format, that is written beside it.

    **Exit code** of --claim: 0 proved, 1 refuted, 3 undecided, 2 not a claim; with --find 0 if
    the condition is known exactly, else 3. Without it: 0,
    or 4 if two methods contradict each other. 5 if it could not be done.
    """
    if (export is None) != (output is None):
        raise UsageFailure("--export and -o go together, as in --export coq -o theory")
    if output is not None:
        if anew or as_json or markup or verdict or certificate or timeout is not None:
            raise UsageFailure("--export goes with ids, or with --claim and --given, only")
        _export(ids or [], claim or [], given or [], output)
        return
    if claim:
        if ids or verdict or markup or anew:
            raise UsageFailure(
                "--claim goes with --given, --time-limit, --json, --certificate and --export only"
            )
        if len(claim) > 1:
            raise UsageFailure("one --claim at a time; join several with 'and'")
        limit = _TIMEOUT if timeout is None else timeout
        if find:
            if certificate is not None:
                raise UsageFailure("--find or --certificate, not both")
            _condition(claim[0], given or [], limit, as_json)
            return
        if certificate is not None:
            check_writable(certificate, (".smt2",), force=force)
        _question(claim[0], given or [], limit, as_json, certificate, force=force)
        return
    if given or find or timeout is not None or certificate is not None:
        raise UsageFailure("--given, --find, --certificate and --time-limit go with --claim")
    if as_json and markup:
        raise UsageFailure("--json or --as latex, not both")
    _ledger(ids or [], verdict, anew, as_json, as_latex=markup is not None)


def _condition(claim: str, given: Sequence[str], timeout: float, as_json: bool) -> None:
    from logca.api.claims import weakest_hypothesis
    from logca.show.check import condition_answer

    _refuse_endless(timeout)
    found = weakest_hypothesis(claim, given, timeout)
    if as_json:
        show_json({
            "answer": condition_answer(claim, found),
            "claim": claim,
            "given": list(given),
            "found": [each.to_json() for each in found],
        })  # fmt: skip
    else:
        for each in found:
            say(str(each))
    raise typer.Exit(0 if all(each.necessary for each in found) else 3)


def _refuse_endless(timeout: float) -> None:
    if not math.isfinite(timeout):
        raise UsageFailure(f"--time-limit {timeout} must be a finite number of seconds, such as 60")


def _export(ids: list[str], claim: list[str], given: list[str], folder: Path) -> None:
    from logca.proofs.claims.catalogue import all_claims
    from logca.proofs.language.syntax import split_list
    from logca.proofs.ledger.kernel.development import (
        check_new,
        ledger_development,
        question_development,
        write,
    )

    check_new(folder)
    check_place(folder)
    if len(claim) > 1 or (claim and ids) or (given and not claim):
        raise UsageFailure("--export takes ids, or one --claim with its --given")
    if claim:
        hypotheses = [part for text in given for part in split_list(text)]
        write(question_development(claim[0], hypotheses), folder)
        say(
            f"{folder}: the claim as a theorem of Coq, with tactics that may prove it. Whether "
            "they do is for coqc to say:"
        )
    else:
        chosen = _chosen(ids, all_claims())
        with progress(len(chosen), "exporting") as tell:
            development = ledger_development(chosen, tell)
        write(development, folder)
        theorems = list(development.theorems())
        proofs = sum(bool(theorem.proof) for theorem in theorems)
        left = len(development.left_out)
        say(
            f"{folder}: {len(theorems)} theorems of {len(chosen) - left} claims, {proofs} of them "
            f"with a proof; {left} claims have no statement in Coq. What the proofs are worth is "
            "for coqc to say:"
        )
    built = "coq_makefile -f _CoqProject -o CoqMakefile && make -f CoqMakefile"
    say(f"  cd {quote(str(folder))} && {built}")


def _question(
    claim: str,
    given: Sequence[str],
    timeout: float,
    as_json: bool,
    certificate: Path | None,
    *,
    force: bool,
) -> None:
    from logca.api.claims import prove

    _refuse_endless(timeout)
    answer = prove(claim, given, timeout)
    if as_json:
        from logca.show.check import question_answer

        show_json({"answer": question_answer(answer), **answer.to_json()})
    else:
        from logca.api.display import answer_details

        show(answer_details(answer))
    if certificate is not None:
        _certify(answer, timeout, certificate, force=force)
    raise typer.Exit(_CODES[answer.verdict])


def _certify(answer: "Answer", timeout: float, path: Path, *, force: bool) -> None:
    """Write the certificate of an answer, and beside it what is needed to check cvc5's proofs."""
    from logca.api.claims import certificate

    if answer.verdict == "undecided":
        say(f"{path} is not written: an undecided claim has no certificate", err=True)
        return
    found = certificate(answer, timeout)
    texts = {path: found.smtlib}
    proofs = []
    for number, part in enumerate(found.scripts, 1):
        if part.alethe:
            one = path if len(found.scripts) == 1 else path.with_suffix(f".{number}.smt2")
            proofs.append(one.with_suffix(".alethe"))
            texts |= {one: texts.get(one, part.smtlib), proofs[-1]: part.alethe}
    for each in texts:
        check_writable(each, (), force=force)
    for each, text in texts.items():
        write(each, text.encode(), force=force)
    held, whole = len(found.scripts), len(found.parts)
    beside = f"; proofs of cvc5: {', '.join(map(str, proofs))}" if proofs else ""
    say(f"{path}: {held} of {whole} part{'s' * (whole != 1)}, for any SMT solver{beside}", err=True)


def _ledger(
    ids: list[str], verdict: Verdict | None, anew: bool, as_json: bool, *, as_latex: bool
) -> None:
    from logca.proofs.claims.catalogue import all_claims
    from logca.proofs.ledger.check import decided

    chosen = _chosen(ids, all_claims())
    found: dict[str, Record] = {}
    interrupted = False
    try:
        with progress(len(chosen), "deciding") as tell:
            for claim, record in decided(chosen, anew=anew):
                found[claim.id] = record
                tell(claim.id)
    except KeyboardInterrupt:
        interrupted = True
        chosen = [claim for claim in chosen if claim.id in found]
    if verdict is not None:
        chosen = [claim for claim in chosen if found[claim.id].verdict == verdict.name]
    if as_json:
        from logca.api.claims import claim_data
        from logca.show.check import ledger_answer

        rows = [claim_data(claim, found[claim.id]) for claim in chosen]
        show_json({"answer": ledger_answer([row["verdict"] for row in rows]), "rows": rows})
    elif as_latex:
        from logca.api.claims import claims_latex

        typer.echo(claims_latex(chosen, found))
    else:
        _show(chosen, found, verdict, in_detail=bool(ids))
    if interrupted:
        say("interrupted: only what was decided is shown; it is kept", err=True)
        raise typer.Exit(INTERRUPTED)


def _chosen(given: list[str], claims: Sequence[Claim]) -> list[Claim]:
    from logca.api.paper_equations import as_id

    ids = [as_id(wanted) for wanted in given]
    for wanted in ids:
        if not wanted:
            raise UsageFailure("an id is empty; leave it out for all claims")
        if not any(claim.id.startswith(wanted) for claim in claims):
            known = [claim.id for claim in claims]
            hint = did_you_mean(wanted, known, most=3, quote=str)
            if set(wanted) & set("<>=( "):
                hint = "a claim of your own goes after --claim"
            raise UsageFailure(
                f"no claim's id begins with '{wanted}'; {hint or '`logca check` lists all ids'}"
            )
    if not ids:
        return list(claims)
    exact = {claim.id for claim in claims}
    return [
        claim
        for claim in claims
        if any(claim.id == i if i in exact else claim.id.startswith(i) for i in ids)
    ]


def _show(
    claims: list[Claim], found: "dict[str, Record]", verdict: Verdict | None, *, in_detail: bool
) -> None:
    from logca.api.display import claim_details
    from logca.show.check import corrections, ledger_answer, ledger_summary, ledger_tables, origin

    if not claims:
        show("no claim has this verdict")
        return
    if len(claims) > 1:
        show_answer(ledger_answer([found[claim.id].verdict for claim in claims]))
    if in_detail:
        for claim in claims:
            show(claim_details(claim, found[claim.id]))
    elif verdict is Verdict.CORRECTED:
        show(corrections(claims), "")
    else:
        show_tables(ledger_tables(claims, found, width(NEVER_CUT)))
        show("")
    if verdict is not None and not in_detail:
        show(f"One of them with all details: logca check {claims[0].id}", "")
    if len(claims) > 1:
        show(ledger_summary(claims, found))
    show(origin(claims))
