"""Processes that measure what must not happen in the calling one."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from logca.common.processes import Child, EndedError, command
from logca.numeric.measure.experiment import ExperimentError

__all__ = ["Worker", "working"]

_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that answers questions, one after the other."""

    child: Child

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question."""
        try:
            self.child.send(question)
        except EndedError as ended:
            raise _told(ended) from None
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """The next answer of the process."""
        try:
            answer: dict[str, Any] = self.child.hear()
        except EndedError as ended:
            raise _told(ended) from None
        if "error" in answer:
            raise ExperimentError(answer["error"])
        return answer


def _told(ended: EndedError) -> ExperimentError:
    why = f": {ended.said.splitlines()[-1]}" if ended.said else ""
    return ExperimentError(f"the process that measures has ended (exit code {ended.code}){why}")


@contextmanager
def working(
    module: str, *arguments: str, environment: Mapping[str, str]
) -> Iterator[tuple[Worker, dict[str, Any]]]:
    """A worker and its report; in the end the worker is gone."""
    worker = Worker(child=Child(command(module, *arguments), environment=environment))
    try:
        yield worker, worker.hear()
    finally:
        worker.child.end(_PATIENCE_S)
