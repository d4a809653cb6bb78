"""Options of the command line that say what to measure."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logca.cli.errors import UsageFailure

if TYPE_CHECKING:
    from logca.numeric.measuring.experiment import Experiment

__all__ = ["Asked", "opened", "sizes_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked for: an experiment, or two commands.

    Parameters
    ----------
    name : str or None
        Name of an experiment [text].
    host, accelerated : str or None
        Commands [text].
    options : tuple of str
        Options of the experiment, as NAME=VALUE [text].
    """

    name: str | None
    host: str | None
    accelerated: str | None
    options: tuple[str, ...]


def sizes_of(text: str) -> tuple[int, int]:
    """Least and largest size of a text such as 1KiB:64MiB [B].

    Parameters
    ----------
    text : str
        Two sizes [text].

    Raises
    ------
    UsageFailure
        If it is not two sizes.

    Examples
    --------
    >>> sizes_of("1KiB:64KiB")
    (1024, 65536)
    """
    from logca.numeric.measuring.measure import sizes_between

    least, colon, most = text.partition(":")
    if not colon:
        raise UsageFailure(f"--sizes {text!r}: write FROM:TO, such as 1KiB:64MiB")
    return sizes_between(least, most)


@contextmanager
def opened(asked: Asked, sizes: tuple[int, int] | None, budget: float) -> Iterator["Experiment"]:
    """The experiment that is asked for, until it is closed.

    Parameters
    ----------
    asked : Asked
        What the options say.
    sizes : tuple of int or None
        Least and largest size, if they are given [B].
    budget : float
        A command that runs longer is stopped [s].

    Raises
    ------
    UsageFailure
        If the options do not go together.
    """
    name, host, accelerated = asked.name, asked.host, asked.accelerated
    if name is not None and (host or accelerated):
        raise UsageFailure(f"either the experiment {name!r}, or --host and --accelerated")
    if name is not None:
        from logca.numeric.measuring.opening import open_experiment

        found = open_experiment(name, _pairs(asked.options))
    elif host and accelerated:
        from logca.numeric.measuring.commands import commands_experiment

        if sizes is None:
            raise UsageFailure("commands need --sizes FROM:TO, such as 1KiB:64MiB")
        if asked.options:
            raise UsageFailure("--set is for experiments; write options into the commands")
        found = commands_experiment(host, accelerated, sizes, budget)
    else:
        raise UsageFailure(
            "give an experiment (`logca measure --list` names them), or both --host and "
            "--accelerated"
        )
    try:
        yield found
    finally:
        found.close()


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (equals and name and value):
            raise UsageFailure(f"--set {text!r}: write NAME=VALUE")
        if found.setdefault(name, value) != value:
            raise UsageFailure(f"--set has {name} twice")
    return found
