"""One error above all that a user can meet."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import logca
from logca.common.errors import LogcaError

ROOT = Path(__file__).parents[2]
ROOMS = ("common", "derive", "examples", "gpu", "logca", "numeric", "proofs", "trace")
SIGNALS = {
    "EndedError",
    "Undefined",
    "Unknown",
    "UnorderedExponents",
    "UnrecordedError",
    "Unsupported",
    "_AbsentError",
    "_NoPolynomialError",
    "_TooLongError",
}
"""They say something to the calling function and are caught there: none reaches a user."""


def classes() -> list[tuple[str, str]]:
    """The modules and names of classes that may be errors, by their bases' names."""
    listed = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            place = path.relative_to(ROOT).with_suffix("").parts
            module = ".".join(place if room == "logca" else ("logca", *place))
            text = path.read_text(encoding="utf-8")
            if re.search(r"^ *class .*(Error|Exception)", text, re.MULTILINE) is None:
                continue  # most files: reading their trees would take a second
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef) and any(
                    ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases
                ):
                    listed.append((module.removesuffix(".__init__"), node.name))
    return listed


@pytest.mark.parametrize(("module", "name"), classes())
def test_what_is_no_signal_is_a_logca_error_and_one_of_pythons_own(module: str, name: str) -> None:
    error = getattr(import_module(module), name)
    if name in SIGNALS:
        assert not issubclass(error, LogcaError)
    elif error is not LogcaError:
        assert issubclass(error, LogcaError)
        ours = [one for one in error.__mro__ if one.__module__.startswith("logca.")]
        builtins = {one for one in error.__mro__ if one not in ours}
        assert builtins > {*Exception.__mro__}, "no ValueError, ImportError ... is among its bases"


def test_one_clause_catches_what_goes_wrong() -> None:
    for wrong in (
        lambda: logca.Accelerator(o=-1, L=0, C=1, A=2),
        lambda: logca.device("no such device"),
        lambda: logca.trace.Limits(time_s=-1),
        lambda: logca.prove("g1 < gA2", timeout=-1),
        lambda: logca.prove("g1 < gA2", timeout="soon"),
        lambda: logca.formula(3),
        lambda: logca.decide(3, "64 KiB"),
        lambda: logca.numeric.evaluate("spedup", g=1.0),
        lambda: logca.numeric.speedup(1.0, o=1, L=1, C=1, A=2, beta=1, latency="q"),
        lambda: logca.numeric.granularity_for(1, o=1, L=1, C=1, A=2, beta=1, latency="q"),
    ):
        with pytest.raises(logca.LogcaError):
            wrong()
