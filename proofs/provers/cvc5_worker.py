"""cvc5 in a child process that can be killed: it does not always keep its own time limit."""

import atexit

from logca.common.processes import Child, EndedError, command, questions, replies
from logca.proofs.provers.effort import Effort

__all__ = ["agrees", "close"]

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
        found = _known[problem] = _answer(problem, effort)
    return found


def _answer(problem: str, effort: Effort) -> str:
    global _child
    if _child is None:
        # In the caller's session, so that whoever kills the deciding engine kills this with it.
        _child = Child(command("logca.proofs.provers.cvc5_worker"), own_session=False)
    answer: str | None = None
    try:
        _child.send(problem)
        answer = _child.hear(effort.until)
    except EndedError:  # a crash of cvc5
        answer = "unknown"
        close()
    finally:
        if answer is None:  # what it still says must not be taken for the next answer
            close()
    effort.check()
    return answer or "unknown"


def close() -> None:
    """End the process, if there is one."""
    global _child
    if _child is not None:
        _child.end()
        _child = None


atexit.register(close)


def _solve(text: str) -> str:
    import cvc5

    solver = cvc5.Solver()
    solver.setLogic("QF_NRA")
    solver.setOption("nl-cov", "true")
    solver.setOption("rlimit-per", _STEPS)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    status = "unknown"
    while True:
        step = parser.nextCommand()
        if step.isNull():
            return status
        said = step.invoke(solver, symbols).strip()
        if said in ("sat", "unsat", "unknown"):
            status = said


def _serve() -> None:
    say = replies()
    for problem in questions():
        try:
            say(_solve(problem))
        except Exception:  # a problem that cvc5 does not take is one that it does not decide
            say("unknown")


if __name__ == "__main__":
    _serve()
