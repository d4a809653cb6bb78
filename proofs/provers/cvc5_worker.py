"""cvc5 in a child process that can be killed: it does not always keep its own time limit."""

import atexit
from dataclasses import dataclass
from typing import Any

from logca.common.processes import Child, EndedError, command, questions, replies
from logca.proofs.provers.effort import Effort

__all__ = ["Cvc5Answer", "agrees", "answer_with_proof", "close"]

_STEPS = "10000"
"""Resource limit, so that an answer does not depend on how busy the machine is [1].

It ends within a second.
"""
_MORE_STEPS = "100000"
"""Resource limit where a proof is looked for, once for each part of a certificate [1]."""

_child: Child | None = None
_known: dict[str, str] = {}
"""Answers by problem: the forms of latency ask the same."""


def agrees(problem: str, effort: Effort) -> str:
    """The answer of cvc5 to an SMT-LIB 2 problem: "sat", "unsat" or "unknown".

    An OutOfTimeError if there is none before the fuse blows.
    """
    found = _known.get(problem)
    if found is None:
        found = _known[problem] = _answer({"problem": problem}, effort).get("status", "unknown")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Cvc5Answer:
    """The answer of cvc5 to a problem, with a proof if it can."""

    status: str = "unknown"  # "sat", "unsat" or "unknown"
    # a proof in the Alethe format, every step of which has a rule; "" if there is none
    proof: str = ""
    names: str = ""  # the assertions that the proof needs, by name


def answer_with_proof(problem: str, effort: Effort) -> Cvc5Answer:
    """The answer of cvc5 to an SMT-LIB 2 problem, given more work than to agree with another."""
    return Cvc5Answer(**_answer({"problem": problem, "proof": True}, effort))


def _answer(question: dict[str, Any], effort: Effort) -> dict[str, str]:
    global _child
    if _child is None:
        # In the caller's session, so that whoever kills the deciding engine kills this with it.
        _child = Child(command("logca.proofs.provers.cvc5_worker"), own_session=False)
    answer: dict[str, str] | None = None
    try:
        _child.send(question)
        answer = _child.hear(effort.until)
    except EndedError:  # a crash of cvc5
        answer = {}
        close()
    finally:
        if answer is None:  # what it still says must not be taken for the next answer
            close()
    effort.check()
    return answer or {}


def close() -> None:
    """End the process, if there is one."""
    global _child
    if _child is not None:
        _child.end()
        _child = None


atexit.register(close)


def _solve(text: str, steps: str, **options: str) -> tuple[Any, Any, str]:
    """The solver and its symbols, and its answer."""
    import cvc5

    solver = cvc5.Solver()
    if "(set-logic" not in text:
        solver.setLogic("QF_NRA")
    for name, value in options.items():
        solver.setOption(name.replace("_", "-"), value)
    solver.setOption("rlimit-per", steps)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    status = "unknown"
    while True:
        step = parser.nextCommand()
        if step.isNull():
            return solver, symbols, status
        said = step.invoke(solver, symbols).strip()
        if said in ("sat", "unsat", "unknown"):
            status = said


def _with_proof(text: str) -> dict[str, str]:
    """An answer, with a proof if there is one whose steps all have a rule.

    Reasoning by coverings of the space is quick, but cvc5 has no rules of Alethe for it.
    """
    import cvc5

    kept = "unknown"
    for coverings in ("true", "false"):
        solver, symbols, status = _solve(
            text, _MORE_STEPS, nl_cov=coverings, produce_proofs="true", produce_unsat_cores="true"
        )
        if status != "unsat":
            if status == "sat":
                return {"status": status}
            continue
        kept = status
        (proof,) = solver.getProof()
        said = solver.proofToString(proof, cvc5.ProofFormat.ALETHE)
        written = said.decode() if isinstance(said, bytes) else said
        if "(error" not in written and ":rule hole" not in written:
            parser = cvc5.InputParser(solver, symbols)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(get-unsat-core)", "core")
            core = parser.nextCommand().invoke(solver, symbols)
            return {"status": status, "proof": written, "names": core.strip().strip("()")}
    return {"status": kept}


def _serve() -> None:
    say = replies()
    for question in questions():
        try:
            if question.get("proof"):
                say(_with_proof(question["problem"]))
            else:
                *_, status = _solve(question["problem"], _STEPS, nl_cov="true")
                say({"status": status})
        except Exception:  # a problem that cvc5 does not take is one that it does not decide
            say({})


if __name__ == "__main__":
    _serve()
