"""The ledger for programs and papers: JSON and a LaTeX table."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from logca.proofs.answer import Record
from logca.proofs.claim import Claim

__all__ = ["claim_data", "claims_json", "claims_latex", "escape_latex"]

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    }
)  # fmt: skip


def claim_data(claim: Claim, record: Record) -> dict[str, Any]:
    """A claim and its record as JSON data."""
    point = dict(record.counterexample or {})
    latency = point.pop("latency", "")
    true = claim.corrected
    return {
        "id": claim.id,
        "source": claim.source,
        "statement": claim.statement,
        "given": list(claim.given),
        "asserts": list(claim.asserts),
        "argument": claim.argument,
        "verdict": record.verdict,
        "methods": list(record.methods),
        "counterexample": point or None,
        "latency": latency,
        "failing": record.failing,
        "corrected": None
        if true is None
        else {
            "statement": true.statement,
            "given": list(true.given),
            "asserts": list(true.asserts),
        },
        "seconds": record.seconds,
    }


def claims_json(claims: Sequence[Claim], found: Mapping[str, Record]) -> str:
    """Claims and records as a JSON list [text]."""
    return json.dumps([claim_data(claim, found[claim.id]) for claim in claims], indent=1)


def escape_latex(text: str) -> str:
    r"""Text in which LaTeX sees no commands [text].

    Examples
    --------
    >>> escape_latex("beta == 1 & 50%")
    'beta == 1 \\& 50\\%'
    """
    return text.translate(_SPECIAL)


def claims_latex(claims: Sequence[Claim], found: Mapping[str, Record]) -> str:
    """A `longtable` with id, statement and verdict; corrected statements below the printed ones."""
    rows = []
    for claim in claims:
        record = found[claim.id]
        said = escape_latex(claim.statement)
        if record.verdict == "CORRECTED" and claim.corrected is not None:
            said += rf"\newline\emph{{{escape_latex(claim.corrected.statement)}}}"
        verdict = record.verdict.lower()
        rows.append(rf"\texttt{{{escape_latex(claim.id)}}} & {said} & {verdict} \\")
    head = [
        "% needs \\usepackage{longtable,array}",
        r"\begin{longtable}{>{\raggedright}p{0.3\textwidth}p{0.5\textwidth}l}",
        r"claim & statement, \emph{true statement} & verdict \\ \hline \endhead",
    ]
    return "\n".join([*head, *rows, r"\end{longtable}"])
