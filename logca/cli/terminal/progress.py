"""Progress of a verb, told on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = [
    "progress",
]


@contextmanager
def progress(total: int, doing: str) -> Iterator[Callable[[str], None]]:
    """Tells on a terminal how much is done, and what was last; nothing in a pipe."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda what: None
        return
    columns: tuple[Any, ...] = (
        TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("[dim]{task.description}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=total)

        yield lambda what: shown.update(task, advance=1, description=what)
