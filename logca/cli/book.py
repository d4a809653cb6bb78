"""`logca book`: everything as one document."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, cast

from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write
from logca.cli.terminal.output import progress, say

if TYPE_CHECKING:
    from logca.book.blocks import Document

__all__ = ["book"]

_RENDERERS = {".md": "markdown", ".tex": "tex", ".html": "html"}
"""Modules of `logca.book` by the ending of the file that they write."""


def book(
    output: Annotated[Path, OutputOption.to(*_RENDERERS)],
    force: OutputOption.force = False,
) -> None:
    """Write the handbook: notation, all formulas with derivations, and the ledger.

    Claims that are not in the cache are decided first.

    **Examples**

        logca book -o handbook.html

        logca book -o handbook.tex --force
    """
    check_writable(output, tuple(_RENDERERS), force=force)
    # A folder that cannot be written to is better known before everything is decided than after.
    try:
        TemporaryFile(dir=output.parent).close()
    except OSError as error:
        raise UsageFailure(f"{output.parent} cannot be written to: {error.strerror}") from None
    from logca.book.handbook import handbook
    from logca.common.terminal import safe_console
    from logca.proofs.claims.catalogue import all_claims
    from logca.proofs.engine.answer import Record
    from logca.proofs.ledger.check import decided

    found: dict[str, Record] = {}
    with progress(len(all_claims()), "deciding") as tell:
        for claim, record in decided(all_claims()):
            found[claim.id] = record
            tell(claim.id)
    console = safe_console(stderr=True)
    with console.status("typesetting") if console.is_terminal else console:
        text = _renderer(output.suffix)(handbook(all_claims(), found))
    write(output, text.encode(), force=force)
    say(f"{output}: {len(text) // 1000} kB, {len(found)} claims", err=True)


def _renderer(suffix: str) -> "Callable[[Document], str]":
    module = import_module(f"logca.book.{_RENDERERS[suffix]}")
    return cast("Callable[[Document], str]", module.render)
