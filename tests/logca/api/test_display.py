"""Marks of verdicts, and formulas on a screen of 80 columns."""

import re
from io import StringIO

import pytest
from rich.console import Console

from logca.api.display import VERDICTS, mark
from logca.api.formulas import formula
from logca.proofs.claims.claim import Verdict


def test_every_verdict_has_a_mark() -> None:
    assert set(VERDICTS) == set(Verdict)
    assert len({str(mark(verdict.name)) for verdict in Verdict}) == len(Verdict)


@pytest.mark.parametrize("name", ["cgpredict-eq16", "cgpredict-eq8", "cgpredict-eq23", "g1"])
def test_no_letter_of_a_formula_is_lost_at_eighty_columns(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    quantity = formula(name)
    screen = Console(width=80, file=StringIO(), force_terminal=True, no_color=True)
    with screen.capture() as shown:
        screen.print(quantity)
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in shown.get().splitlines()]
    assert max(map(len, lines)) <= 80
    found = "".join(lines[: next(n for n, line in enumerate(lines) if "meaning" in line)])
    assert "".join(quantity.pretty(78).split()) == "".join(found.split())
