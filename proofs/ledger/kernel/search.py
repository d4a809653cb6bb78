"""Scripts found: every tactic of every goal tried by coqc, those that work written down.

``python -m logca.proofs.ledger.kernel.search [--again] [--simple] [MODULE ...]`` looks for
scripts of the theorems that have none yet, or of all again, and writes `scripts.json`; with
``--simple`` only for those that need no lemmas.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import sympy as sp

from logca.common.processes import usable_cores
from logca.proofs.claims.catalogue import CLAIM_MODULES
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.ledger.cache import open_verdicts
from logca.proofs.ledger.kernel.coqc import LIBRARY, compile_file, library_texts
from logca.proofs.ledger.kernel.expressions import NotExported
from logca.proofs.ledger.kernel.skeletons import Goal
from logca.proofs.ledger.kernel.statements import TheoremStatement, statements
from logca.proofs.ledger.kernel.tactics import candidates, filled, kind_of, outline

__all__ = ["HEADER", "SCRIPTS", "TheoremScript", "exported", "scripts"]

SCRIPTS = Path(__file__).with_name("scripts.json")
"""The tactics that were found, by theorem."""

HEADER = """From Coq Require Import Reals Lra Psatz Classical.
From Coquelicot Require Import Coquelicot.
From LogCA Require Import LogCA LogCATactics LogCALimits LogCANumbers.

Open Scope R_scope.
"""

_MOST_GOALS = 300
"""Goals of a theorem that are tried; a proof by more cases is not looked for [1]."""
_SIMPLE_SECONDS = 5
_SECONDS = 60
_SECONDS_OF_SEARCH = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoremScript:
    """The tactics for the goals of a theorem, in their order."""

    digest: str  # of the statement they were found for
    tactics: tuple[str, ...]  # "" where none was found
    missing: tuple[str, ...] = ()  # what the goals without a tactic ask for


@cache
def scripts() -> Mapping[str, TheoremScript]:
    """The scripts that ship, by the names of theorems."""
    try:
        stored: Mapping[str, Any] = json.loads(SCRIPTS.read_text(encoding="utf-8"))
    except OSError:
        return {}
    return {
        name: TheoremScript(digest=each[0], tactics=tuple(each[1]), missing=tuple(each[2]))
        for name, each in stored.items()
    }


def save(found: Mapping[str, TheoremScript]) -> None:
    """Write the scripts that ship."""
    data = {name: [s.digest, list(s.tactics), list(s.missing)] for name, s in sorted(found.items())}
    lines = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in data.items()]
    SCRIPTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def exported(claim: Claim) -> tuple[TheoremStatement, ...]:
    """The theorems of a claim of the ledger, of its correction where it is false.

    A `NotExported` if it is neither proved nor corrected, or a part has no counterpart in Coq yet.
    """
    record = open_verdicts().get(claim)
    if record is None or record.verdict not in (Verdict.PROVED.name, Verdict.CORRECTED.name):
        raise NotExported("it is not decided")
    true = claim.true
    return statements(claim.id, true.asserts, true.given, true.touch)


def _step(statement: TheoremStatement, offered: Sequence[Sequence[str]], goal: Goal) -> str:
    return _wrapped(statement, goal, offered[goal.index])


def _wrapped(statement: TheoremStatement, goal: Goal, tactics: Sequence[str]) -> str:
    tag = f"{statement.name} {goal.index}"
    last = len(tactics) - 1
    simple = goal.proposition is None
    tried = [
        f"timeout {_SIMPLE_SECONDS if simple and index < last else _SECONDS} (solve [{tactic}]); "
        f'idtac "FOUND {tag} {index}"'
        for index, tactic in enumerate(tactics)
    ]
    return "first [ " + " | ".join([*tried, f'idtac "OPEN {tag}"; admit']) + " ]"


def search(
    module: str, known: Mapping[str, TheoremScript], *, simple: bool = False
) -> dict[str, TheoremScript]:
    """Scripts of the theorems of one module of claims that have none that is complete."""
    found: dict[str, TheoremScript] = {}
    wanted: list[TheoremStatement] = []
    for claim in import_module(f"logca.proofs.{module}").CLAIMS:
        try:
            theorems = exported(claim)
        except NotExported:
            continue
        for statement in theorems:
            script = known.get(statement.name)
            if script and script.digest == statement.digest() and not script.missing:
                found[statement.name] = script
            else:
                wanted.append(statement)
    wanted = [s for s in wanted if len(outline(s).goals()) <= _MOST_GOALS]
    # what needs a search is searched for only where nothing simple does
    tried: dict[TheoremStatement, dict[int, str]] = {}
    for statement in wanted:
        script = known.get(statement.name)
        kept = script.tactics if script and script.digest == statement.digest() else ()
        if len(kept) != len(outline(statement).goals()):
            kept = ()  # the skeleton has other gaps today
        tried[statement] = {i: tactic for i, tactic in enumerate(kept) if tactic}
    tried = _tried(module, tried, searched=False)
    open_ = {s: tactics for s, tactics in tried.items() if len(tactics) < len(outline(s).goals())}
    if open_ and not simple:
        tried |= _tried(module, open_, searched=True)
    for statement, tactics in tried.items():
        goals = outline(statement).goals()
        missing = [kind_of(goal) for goal in goals if goal.index not in tactics]
        found[statement.name] = TheoremScript(
            digest=statement.digest(),
            tactics=tuple(tactics.get(goal.index, "") for goal in goals),
            missing=tuple(dict.fromkeys(missing)),
        )
    return found


def _offered(
    statement: TheoremStatement,
    goals: Sequence[Goal],
    known: Mapping[int, str],
    *,
    searched: bool,
) -> list[list[str]]:
    """Tactics to try for each goal; once one is found to be out of reach, no more are searched."""
    started, hopeless = time.process_time(), False
    offered = []
    for goal in goals:
        if goal.index in known:
            offered.append([known[goal.index]])
            continue
        hopeless = hopeless or time.process_time() - started > _SECONDS_OF_SEARCH
        found = candidates(statement, goal, searched=searched and not hopeless)
        if searched and goal.relation is not None and _needs_lemmas(goal.relation):
            hopeless = hopeless or len(found) <= len(candidates(statement, goal, searched=False))
        offered.append([] if searched and hopeless else found)
    return offered


def _needs_lemmas(relation: sp.Basic) -> bool:
    """True for a comparison that is no equation, and has no cases of its own."""
    cases = relation.has(sp.Max, sp.Min, sp.Abs, sp.Piecewise)
    return not isinstance(relation, sp.Eq) and bool(relation.free_symbols) and not cases


def _tried(
    module: str, known: Mapping[TheoremStatement, Mapping[int, str]], *, searched: bool
) -> dict[TheoremStatement, dict[int, str]]:
    """The tactics that work, by theorem and goal, beside those that are known."""
    lines, defined = [HEADER], set()
    offered: dict[TheoremStatement, list[list[str]]] = {}
    for statement, tactics in known.items():
        shape = outline(statement)
        offered[statement] = _offered(statement, shape.goals(), tactics, searched=searched)
        for each in statement.definitions:
            if each.name not in defined:
                defined.add(each.name)
                lines.append(each.text())
        body = filled(statement, shape, partial(_step, statement, offered[statement]))
        lines += [statement.text(), "Proof.", body, "Admitted.\n"]
    name = f"Search_{module.replace('.', '_')}"
    text = "\n".join(lines)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for path in _library().iterdir():
            (folder / path.name).symlink_to(path)
        (folder / f"{name}.v").write_text(text, encoding="utf-8")
        done = compile_file(folder, name, limit=3600)
    if not done.succeeded:
        place = text.split("\n")[max(0, done.line - 3) : done.line]
        print(f"{module}: {done.error[:400]} at {place}"[:1500], file=sys.stderr)
    by_name = {statement.name: statement for statement in known}
    found = {statement: dict(tactics) for statement, tactics in known.items()}
    for theorem, goal, index in re.findall(r"^FOUND (\S+) (\d+) (\d+)", done.output, re.M):
        statement = by_name[theorem]
        found[statement][int(goal)] = offered[statement][int(goal)][int(index)]
    return found


@cache
def _library() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="logca-coq-"))
    for name, text in library_texts().items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in LIBRARY:
        done = compile_file(folder, name)
        if not done.succeeded:
            sys.exit(f"{name}.v, line {done.line}: {done.error}")
    return folder


def _main() -> None:
    chosen = [each for each in sys.argv[1:] if not each.startswith("-")]
    again, simple = "--again" in sys.argv, "--simple" in sys.argv
    modules = [m for each in chosen or [""] for m in CLAIM_MODULES if each in m]
    modules = list(dict.fromkeys(modules))  # in the order that was asked for
    before = {} if again else dict(scripts())
    with ProcessPoolExecutor(max_workers=usable_cores()) as pool:
        asked = {pool.submit(search, module, before, simple=simple): module for module in modules}
        for future in as_completed(asked):
            found = future.result()
            complete = sum(not script.missing for script in found.values())
            print(f"{asked[future]}: {complete} of {len(found)} theorems have a script", flush=True)
            # another search may have written others meanwhile
            scripts.cache_clear()
            save({**scripts(), **found})


if __name__ == "__main__":
    _main()
