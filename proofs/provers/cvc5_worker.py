"""cvc5 in a child process that can be killed: it does not always keep its own time limit."""

import atexit
from typing import Any

from logca.common.processes import Child, EndedError, command, questions, replies
from logca.proofs.provers.effort import Effort

__all__ = ["agrees", "alethe_proof", "close"]

_STEPS = "10000"
"""Resource limit, so that an answer does not depend on how busy the machine is [1].

It ends within a second.
"""

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


def alethe_proof(problem: str, effort: Effort) -> tuple[str, tuple[str, ...]]:
    """cvc5's proof, in the Alethe format, that an SMT-LIB 2 problem is unsatisfiable; "" if none.

    With the names of the assertions that it needs. Every step of it has a rule: cvc5 writes some
    of its reasoning on polynomials as a step without one, and a proof with such a step is none.
    """
    found = _answer({"problem": problem, "proof": True}, effort)
    return found.get("proof", ""), tuple(found.get("names", "").split())


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


def _solve(text: str, coverings: str = "true", proofs: str = "false") -> tuple[Any, str, str]:
    """The solver, its answer, and with proofs the names of the assertions that it used."""
    import cvc5

    solver = cvc5.Solver()
    if "(set-logic" not in text:
        solver.setLogic("QF_NRA")
    solver.setOption("nl-cov", coverings)
    solver.setOption("produce-proofs", proofs)
    solver.setOption("produce-unsat-cores", proofs)
    solver.setOption("rlimit-per", _STEPS)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    status = "unknown"
    while True:
        step = parser.nextCommand()
        if step.isNull():
            break
        said = step.invoke(solver, symbols).strip()
        if said in ("sat", "unsat", "unknown"):
            status = said
    if proofs == "false" or status != "unsat":
        return solver, status, ""
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(get-unsat-core)", "core")
    core = parser.nextCommand().invoke(solver, symbols)
    return solver, status, core.strip().strip("()")


def _alethe(text: str) -> dict[str, str]:
    """A proof without coverings, whose steps have no rule, if there is one; else with them."""
    import cvc5

    for coverings in ("false", "true"):
        solver, status, names = _solve(text, coverings, proofs="true")
        if status == "unsat":
            (proof,) = solver.getProof()
            said = solver.proofToString(proof, cvc5.ProofFormat.ALETHE)
            written = said.decode() if isinstance(said, bytes) else said
            if "(error" not in written and ":rule hole" not in written:
                return {"proof": written, "names": names}
    return {}


def _serve() -> None:
    say = replies()
    for question in questions():
        try:
            if question.get("proof"):
                say(_alethe(question["problem"]))
            else:
                say({"status": _solve(question["problem"])[1]})
        except Exception:  # a problem that cvc5 does not take is one that it does not decide
            say({})


if __name__ == "__main__":
    _serve()
