"""Directives of OpenMP and OpenACC: whether they are of a loop, of which variables, for whom.

Only what a loop's iterations may do is asked for: clauses about schedules, numbers of threads and
copies change nothing in a program that runs on one thread.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Construct", "construct_of", "names_in"]

MODELS = re.compile(r"\s*(omp|acc)\b\s*(.*)", re.DOTALL)
WORD = re.compile(r"[\s,]*([A-Za-z_]\w*)\s*")
WORDS = {
    "omp": {
        *("atomic", "barrier", "begin", "cancel", "cancellation", "critical", "data", "declare"),
        *("depobj", "dispatch", "distribute", "end", "enter", "exit", "flush", "for", "interop"),
        *("loop", "masked", "master", "metadirective", "ordered", "parallel", "point"),
        *("requires", "scan", "section", "sections", "simd", "single", "target", "task"),
        *("taskgroup", "taskloop", "taskwait", "taskyield", "teams", "threadprivate", "tile"),
        *("unroll", "update", "workshare"),
    },
    "acc": {
        *("atomic", "cache", "data", "declare", "end", "enter", "exit", "host_data", "init"),
        *("kernels", "loop", "parallel", "routine", "serial", "set", "shutdown", "update"),
        *("wait"),
    },
}
"""Words of directives; the next one is a clause."""

ABOUT_OTHERS = {"declare", "cancel", "cancellation", "end", "begin", "metadirective"}
ABOUT_DATA = {"data", "enter", "exit", "update"}
LOOPS = {"omp": {"for", "loop", "distribute", "simd", "taskloop"}, "acc": {"loop"}}
PRIVATE = ("private", "firstprivate", "lastprivate", "linear")
REDUCTION = ("reduction", "in_reduction", "task_reduction")
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct:
    """A directive of OpenMP or OpenACC."""

    model: str  # ``omp`` or ``acc``
    words: tuple[str, ...]  # its name, as ``parallel``, ``for``
    clauses: tuple[tuple[str, str], ...]  # names, and what stands in brackets behind them

    @property
    def text(self) -> str:
        """Its name, as ``omp parallel for``."""
        return " ".join((self.model, *self.words))

    @property
    def of_loop(self) -> bool:
        """True if it says that iterations of the loop after it may run side by side."""
        if ABOUT_OTHERS & set(self.words) or not LOOPS[self.model] & set(self.words):
            return False
        if "serial" in self.words:
            return False
        return self.model == "omp" or not any(name == "seq" for name, _ in self.clauses)

    @property
    def of_device(self) -> bool:
        """True if what follows is to run on a GPU, and not on the host's threads."""
        return self.model == "acc" or ("target" in self.words and not ABOUT_DATA & set(self.words))

    @property
    def variables(self) -> tuple[tuple[str, str, str], ...]:
        """The variables that its clauses name: clause, operation of a reduction, name."""
        found = []
        for clause, text in self.clauses:
            if clause in PRIVATE:
                found += [(clause, "", name) for name in names_in([text])]
            elif not clause and self.words == ("threadprivate",):
                found += [("threadprivate", "", name) for name in names_in([text])]
            elif clause in REDUCTION:
                operation = text.partition(":")[0].rpartition(",")[2].strip()
                found += [(clause, operation, name) for name in names_in([text])]
        return tuple(found)

    @property
    def private(self) -> tuple[str, ...]:
        """The variables of which each thread has its own."""
        kinds = ("",) if self.words == ("threadprivate",) else PRIVATE
        return names_in(text for name, text in self.clauses if name in kinds)

    @property
    def reduction(self) -> tuple[str, ...]:
        """The variables that threads gather values in."""
        return names_in(text for name, text in self.clauses if name in REDUCTION)


def construct_of(text: str) -> Construct | None:
    """The directive in what follows the word ``pragma``; None if it is of no such kind.

    Examples
    --------
    >>> found = construct_of("omp parallel for private(i, j) reduction(+ : s, t[0:n]) nowait")
    >>> found.text, found.private, found.reduction, found.of_loop, found.of_device
    ('omp parallel for', ('i', 'j'), ('s', 't'), True, False)
    >>> construct_of("acc loop seq").of_loop
    False
    """
    model = MODELS.match(text)
    if model is None:
        return None
    rest = model[2]
    words: list[str] = []
    clauses: list[tuple[str, str]] = []
    while (word := WORD.match(rest)) is not None:
        rest = rest[word.end() :]
        inside = ""
        if rest.startswith("("):
            end = closing(rest)
            inside, rest = rest[1:end], rest[end + 1 :]
        if word[1] in WORDS[model[1]] and not clauses and (not inside or not words):
            words.append(word[1])
            if inside:
                clauses.append(("", inside))
        else:
            clauses.append((word[1], inside))
    return Construct(model=model[1], words=tuple(words), clauses=tuple(clauses))


def closing(text: str) -> int:
    """Place of the bracket that closes the first one [1]; the end of the text if none does."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return place
    return len(text)


def names_in(lists: Iterable[str]) -> tuple[str, ...]:
    """The variables in lists, without their sections.

    Examples
    --------
    >>> names_in(["a, b[0:n][2]", "conditional: c", "i : 1"])
    ('a', 'b', 'c', 'i')
    """
    found: dict[str, None] = {}
    for text in lists:
        plain = re.sub(r"\[[^]]*\]", "", text)
        before, colon, behind = plain.partition(":")
        if colon and NAME.search(behind):
            before = behind
        found |= dict.fromkeys(NAME.findall(before))
    return tuple(found)
