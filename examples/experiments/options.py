"""Options of experiments: values, or the texts of a command line."""

from collections.abc import Sequence
from typing import Any

from logca.numeric.measure.experiment import ExperimentError

__all__ = ["called", "choice", "truth", "whole"]

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def called(name: str, **options: tuple[Any, Any]) -> str:
    """An experiment's name with the options that are not as usual.

    Examples
    --------
    >>> called("aes", mode=("ctr", "cbc"), simd=(True, True))
    'aes mode=ctr'
    """
    unusual = (
        f"{option}={str(value).lower()}"
        for option, (value, usual) in options.items()
        if value != usual
    )
    return " ".join((name, *unusual))


def choice(name: str, value: Any, among: Sequence[str]) -> str:
    """One of a few words.

    Examples
    --------
    >>> choice("mode", "CBC", ("cbc", "ctr"))
    'cbc'
    """
    found = str(value).lower()
    if found not in among:
        raise ExperimentError(f"{name} = {value!r}: give {' or '.join(among)}")
    return found


def truth(name: str, value: Any) -> bool:
    """True if an option is on.

    Examples
    --------
    >>> truth("resident", "off"), truth("resident", True)
    (False, True)
    """
    return _TRUTHS[choice(name, value, tuple(_TRUTHS))]


def whole(name: str, value: Any, least: int) -> int:
    """A whole number [1].

    Examples
    --------
    >>> whole("threads", "4", 2)
    4
    """
    try:
        found = int(str(value))
    except ValueError:
        found = least - 1
    if found < least:
        raise ExperimentError(f"{name} = {value!r}: give a whole number, {least} or more")
    return found
