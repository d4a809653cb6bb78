"""The deciding engine in a process of its own: one JSON request a line, answers as JSON lines.

Solvers do not always keep their time limits; a process can be killed. See
`logca.proofs.engine.client`.
"""

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from logca.common.errors import ContradictionError
from logca.common.processes import questions, replies
from logca.proofs.engine.certificate import NotCertifiedError
from logca.proofs.language.syntax import ClaimSyntaxError
from logca.proofs.provers.effort import OutOfTimeError

if TYPE_CHECKING:
    from logca.proofs.engine.theorems import LedgerTheorem

__all__: list[str] = []

Send = Callable[[dict[str, Any]], None]


def _ask(request: dict[str, Any], send: Send) -> dict[str, Any]:
    from logca.proofs.engine.ask import ask

    answer = ask(
        request["claim"],
        request["given"],
        request["timeout"],
        report=lambda early: send({"early": early.to_json()}),
        theorems=_theorems(request),
    )
    return answer.to_json()


def _theorems(request: dict[str, Any]) -> "list[LedgerTheorem]":
    from logca.proofs.engine.theorems import LedgerTheorem

    return [
        LedgerTheorem(id=each["id"], asserts=tuple(each["asserts"]), given=tuple(each["given"]))
        for each in request["theorems"]
    ]


def _certify(request: dict[str, Any], send: Send) -> dict[str, Any]:
    from logca.proofs.engine.answer import Answer
    from logca.proofs.engine.certify import certify

    answer = Answer.from_json(request["answer"])
    return certify(answer, request["timeout"], _theorems(request)).to_json()


def _find(request: dict[str, Any], send: Send) -> list[dict[str, Any]]:
    from logca.proofs.engine.weakest_hypothesis import weakest_hypothesis

    found = weakest_hypothesis(request["claim"], request["given"], request["timeout"])
    return [each.to_json() for each in found]


def _judge(request: dict[str, Any], send: Send) -> dict[str, Any]:
    from logca.proofs.claims.catalogue import all_claims
    from logca.proofs.engine.judge import judge

    claim = next(claim for claim in all_claims() if claim.id == request["id"])
    found = judge(claim)
    return {
        "verdict": found.verdict.name,
        "methods": [f"{method.name} ({method.scope})" for method in found.methods],
        "counterexample": found.counterexample,
        "failing": found.failing,
        "seconds": round(found.seconds, 3),
    }


def _respond(request: dict[str, Any], send: Send) -> None:
    verbs: dict[str, Callable[[dict[str, Any], Send], Any]]
    verbs = {"ask": _ask, "certify": _certify, "find": _find, "judge": _judge}
    try:
        send({"done": verbs[request["verb"]](request, send)})
    except ModuleNotFoundError as error:
        send({"error": "missing", "message": error.name or str(error)})
    except ClaimSyntaxError as error:
        send({"error": "syntax", "message": str(error)})
    except OutOfTimeError:
        send({"error": "late"})
    except NotCertifiedError as error:
        send({"error": "uncertified", "message": str(error)})
    except ContradictionError as error:
        send({"error": "contradiction", "message": str(error)})
    except Exception as error:
        send({"error": "crash", "message": str(error), "details": traceback.format_exc()})


def _serve() -> None:
    say = replies()
    try:
        from logca.proofs.engine import ask, judge

        del ask, judge
    except ModuleNotFoundError as error:
        say({"error": "missing", "message": error.name or str(error)})
        return
    say({"ready": True})
    for request in questions():
        _respond(request, say)


if __name__ == "__main__":
    _serve()
