"""The ledger in the terminal."""

from rich.console import Console

from logca.common.terminal import drawn, folding
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Record
from logca.show.check import ledger_summary, ledger_tables

CLAIMS = [
    Claim(id=f"isca2017-eq{n}", source="altaf2017", statement=f"Number {n}.", asserts=(f"A > {n}",))
    for n in range(5)
]


def test_tables_count_and_list() -> None:
    found = {claim.id: Record(verdict="PROVED") for claim in CLAIMS}
    found[CLAIMS[0].id] = Record(verdict="CORRECTED")
    console = Console(width=90)
    with console.capture() as shown:
        console.print(drawn(ledger_tables(CLAIMS, found), 90))
        console.print(folding(ledger_summary(CLAIMS, found)))
    text = shown.get()
    assert "↻ CORRECTED  isca2017-eq0  Number 0." in text
    assert "✓ PROVED     isca2017-eq4  Number 4." in text
    assert [line.split() for line in text.splitlines()][-2][-4:] == ["all", "4", "1", "5"]
