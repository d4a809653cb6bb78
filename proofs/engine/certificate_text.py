"""The text of a certificate's file: its scripts, below what they say and what is left to check."""

from collections.abc import Sequence
from importlib.metadata import version

from logca.proofs.engine.answer import Answer
from logca.proofs.engine.certificate import CertificatePart
from logca.proofs.provers.smtlib import comment

__all__ = ["file_text"]

_PROVED = (
    "In each part the assertions contradict each other, which is for a solver to check: it "
    "answers unsat. That they say what they should is for a reader to check: above each is what "
    "it says, with powers, roots and logarithms in the place of the variables v0, v1, and so on.",
    "Quantities that the claim mentions are taken to exist. Fractions are multiplied out, by "
    "denominators whose signs are known; powers and logarithms of products are products of "
    "powers and sums of logarithms. Definitions say what the variables are. Lemmas are true of "
    "all positive x and all exponents: the ledger proves what they follow from, as in "
    "`logca check lemma-power-monotone`. For k*x**b = c + l*x, LowerRoot(k, c, l, b) is the root "
    "x at which the power overtakes the line, UpperRoot the one at which the line does.",
)

_REFUTED = (
    "The assertions hold together at the values of the counterexample, which is for a solver to "
    "check: it answers sat. Above each is what it says, with roots in the place of the variables "
    "v0, v1, and so on.",
)


def file_text(answer: Answer, parts: Sequence[CertificatePart]) -> str:
    """All scripts of an answer in one, with a comment on top."""
    scripts = [part for part in parts if part.smtlib]
    bodies = []
    for number, part in enumerate(scripts, 1):
        title = [
            f"Part {number} of {len(scripts)}, {part.latency} latency: {part.statement}",
            f"So say {' and '.join(part.methods)}.",
        ]
        bodies.append("\n".join([*map(comment, title), part.smtlib]))
    head = [*_question(answer), "", *(_PROVED if answer.verdict == "proved" else _REFUTED)]
    head += _left_out(parts)
    return "\n".join([*map(comment, head), "", "\n(reset)\n\n".join(bodies)])


def _question(answer: Answer) -> list[str]:
    said = f"{answer.verdict.capitalize()}: {answer.claim}"
    lines = [f"Certificate of logca {version('logca')}. {said}"]
    lines += [f"Given: {text}" for text in answer.given]
    lines += [f"Assuming: {text}" for text in answer.assuming]
    if answer.counterexample:
        point = ", ".join(f"{name} = {value}" for name, value in answer.counterexample.items())
        lines.append(f"Counterexample: {point}")
    return lines


def _left_out(parts: Sequence[CertificatePart]) -> list[str]:
    left = [part for part in parts if not part.smtlib]
    if not left:
        return []
    lines = ["", f"{len(left)} of {len(parts)} parts are not in this file:"]
    for part in left:
        how = ", ".join(part.methods) or "methods that did not find it again here"
        lines.append(f"- {part.latency} latency: {part.statement} (by {how})")
    return lines
