"""The same answers on an idle machine, beside eight busy processes, and on one core.

Every day for a few claims and one program; by `make attack` for six programs and 200 claims, and
by `make busy` for all claims of the ledger, too.
"""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from attack_inputs import EVERYTHING, LEDGER

BUSY = 8 if EVERYTHING else 3
CLAIMS = 200 if EVERYTHING else 6
PROGRAMS = ("aes", "md5", "jpeg", "fft", "sor", "whetstone") if EVERYTHING else ("fft",)
EACH = 1 if LEDGER else 40 if EVERYTHING else 160

ANSWERS = """
    import importlib.util, json, os, sys
    from importlib.resources import files

    if sys.argv[1] == "one core":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    known, number, every = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    spec = importlib.util.spec_from_file_location("known_truths", known)
    claims = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(claims)

    import logca
    from logca.proofs.claims.catalogue import all_claims
    from logca.proofs.engine.ask import ask
    from logca.proofs.engine.judge import judge

    found = {}
    # the clock is a fuse, which says so where it ends something: it is far away here
    for claim, given, _ in claims.ALL[:: max(1, len(claims.ALL) // number)]:
        answer = ask(claim, given, timeout=7200).to_json()
        del answer["seconds"]
        found[f"{claim} given {given}"] = answer
    for claim in all_claims()[::every]:
        record = judge(claim)
        methods = [f"{method.name} ({method.scope})" for method in record.methods]
        found[claim.id] = [record.verdict.name, methods, record.counterexample, record.failing]
    for name in sys.argv[5:]:
        part = logca.partition(str(files("logca.examples") / "partition" / f"{name}.c"))
        mapped = part.found.mapped.tolist()
        found[name] = [mapped, part.found.cost, part.found.bound, part.found.out_of_time]
    json.dump(found, sys.stdout, default=str)
"""


@contextmanager
def busy(number: int) -> Iterator[None]:
    # each ends with us, also where we are killed and the lines below do not run
    code = "import os\nours = os.getppid()\nwhile os.getppid() == ours: pass"
    others = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(number)]
    try:
        yield
    finally:
        for each in others:
            each.kill()
            each.wait()


def answers(way: str) -> Any:
    known = os.path.join(os.path.dirname(__file__), "../proofs/engine/known_truths.py")
    words = [sys.executable, "-c", textwrap.dedent(ANSWERS), way, known, str(CLAIMS), str(EACH)]
    with busy(BUSY if way == "busy" else 0):
        done = subprocess.run([*words, *PROGRAMS], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen here")
def test_answers_do_not_depend_on_what_else_the_machine_does() -> None:
    idle = answers("idle")
    assert len(idle) >= CLAIMS + len(PROGRAMS)
    for way in ("busy", "one core"):
        other = answers(way)
        differing = {
            key: (idle[key], other.get(key)) for key in idle if idle[key] != other.get(key)
        }
        assert not differing, f"{way}: {differing}"
