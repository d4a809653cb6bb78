"""Claims run, verdicts remembered and tabulated.

``python -m logca.proofs.ledger.check [PREFIX ...]`` decides anew, without the cache, and prints
timings.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from logca.common.errors import ContradictionError
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine import client
from logca.proofs.engine.answer import SECONDS_PER_CLAIM, Record
from logca.proofs.ledger.cache import open_verdicts

__all__ = [
    "STYLES",
    "by_paper",
    "decided",
    "listing",
    "mark",
    "records",
    "run",
    "summary",
]


def run(main: Callable[[], int | None]) -> None:
    """Exit with the code that it returns; with 130 and no traceback if it is interrupted [1]."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


_SAVE_EVERY = 2.0

PAPERS = {
    "cal2015": "LogCA, Computer Architecture Letters 2015",
    "isca2017": "LogCA, ISCA 2017",
    "ext": "Beyond the papers",
    "lemma": "Lemmas that the proofs rest on",
}
"""Titles by the first part of the claims' ids."""

STYLES = {
    Verdict.PROVED: ("✓", "green"),
    Verdict.CORRECTED: ("↻", "yellow"),
    Verdict.REFUTED: ("✗", "red"),
    Verdict.EVIDENCE: ("~", "cyan"),
    Verdict.UNDECIDED: ("?", "magenta"),
}
"""Mark and colour of each verdict."""


def decided(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Record]]:
    """The claims with their records, from the cache where it knows them.

    Interrupted or not, what was decided is kept.
    """
    verdicts = open_verdicts()
    saved = time.monotonic()
    try:
        for claim in claims:
            record = verdicts.get(claim)
            if record is None:
                record = _decide(claim)
                if _lasts(record):
                    verdicts.put(claim, record)
                if time.monotonic() - saved > _SAVE_EVERY:
                    verdicts.save()
                    saved = time.monotonic()
            yield claim, record
    finally:
        verdicts.save()


def _lasts(record: Record) -> bool:
    """Whether a record is worth keeping: not what a busy machine had no time for."""
    return record.verdict != Verdict.UNDECIDED.name or record.seconds < SECONDS_PER_CLAIM / 2


def _decide(claim: Claim) -> Record:
    try:
        return client.judge(claim.id, SECONDS_PER_CLAIM)
    except ContradictionError as error:
        raise ContradictionError(f"{claim.id}: {error}") from None


def records(claims: Sequence[Claim], console: Console, found: dict[str, Record]) -> None:
    """Gather all records by id, with a progress bar while claims are decided on a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with progress:
        task = progress.add_task("deciding", total=len(claims))
        for claim, record in decided(claims):
            found[claim.id] = record
            progress.update(task, advance=1, description=f"{claim.id:40.40}")


def by_paper(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims by paper, in their order; the title of each paper is the key."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        first = claim.id.partition("-")[0]
        groups.setdefault(PAPERS.get(first, first), []).append(claim)
    return groups


def mark(verdict: str) -> Text:
    """A verdict with its mark and colour.

    Examples
    --------
    >>> str(mark("PROVED"))
    '✓ PROVED'
    """
    sign, colour = STYLES[Verdict[verdict]]
    return Text(f"{sign} {verdict}", style=colour)


def listing(title: str, claims: Sequence[Claim], found: dict[str, Record]) -> Table:
    """One line a claim: verdict, id, statement."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        show_header=False,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        expand=True,
    )
    table.add_column(no_wrap=True, width=max(len(mark(v.name)) for v in Verdict))
    table.add_column(no_wrap=True, style="bold", width=max(len(c.id) for c in claims))
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for claim in claims:
        table.add_row(mark(found[claim.id].verdict), claim.id, claim.statement)
    return table


def summary(claims: Sequence[Claim], found: dict[str, Record]) -> Table:
    """Counts by paper and verdict."""
    from rich import box

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    present = [v for v in Verdict if any(record.verdict == v.name for record in found.values())]
    for verdict in present:
        table.add_column(mark(verdict.name), justify="right")
    table.add_column("claims", justify="right")
    groups = [*by_paper(claims).items(), ("all", list(claims))]
    for index, (title, group) in enumerate(groups):
        counts = [sum(found[claim.id].verdict == v.name for claim in group) for v in present]
        last = index == len(groups) - 1
        table.add_row(
            title, *(str(count or "·") for count in counts), str(len(group)),
            style="bold" if last else "", end_section=index == len(groups) - 2,
        )  # fmt: skip
    return table


def _main() -> None:
    from logca.proofs.engine.judge import judge

    for claim in all_claims():
        if sys.argv[1:] and not claim.id.startswith(tuple(sys.argv[1:])):
            continue
        result = judge(claim)
        methods = ", ".join(f"{m.name} [{m.scope}]" for m in result.methods)
        print(
            f"{result.seconds:6.2f} s  {result.verdict.name:9} {claim.id}  {methods}  "
            f"{result.counterexample or ''} {result.failing}"
        )


if __name__ == "__main__":
    run(_main)
