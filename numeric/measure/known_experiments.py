"""Opens an experiment by its name: built in, of another package, or a function of the user's."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from traceback import extract_tb, format_exception_only
from typing import Any

from logca.common.errors import LogcaError
from logca.common.near_misses import did_you_mean
from logca.numeric.measure.experiment import Experiment, ExperimentError

__all__ = ["GROUP", "Known", "known_experiments", "open_experiment"]

GROUP = "logca.experiments"
"""Entry points of this group are functions that open an experiment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An experiment that can be opened by its name."""

    name: str  # its name
    description: str  # what it is, in a line
    source: str  # who brings it: this package, or another one


def _built_in() -> dict[str, tuple[str, str, str]]:
    """Module, function and description of the experiments that come along as examples."""
    # by name: examples stand above this room and import it
    registry = import_module("logca.examples.experiments.registry")
    known: dict[str, tuple[str, str, str]] = registry.EXPERIMENTS
    return known


def known_experiments() -> tuple[Known, ...]:
    """Experiments that are built in or come with other packages; none is loaded."""
    found = [
        Known(name=name, description=description, source="logca")
        for name, (_, _, description) in _built_in().items()
    ]
    for each in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        package = each.dist.name if each.dist is not None else each.module
        found.append(Known(name=each.name, description=each.value, source=package))
    return tuple(found)


def open_experiment(name: str, options: Mapping[str, str] | None = None) -> Experiment:
    """Open an experiment by its name; who opens it closes it."""
    function = _function(name)
    options = options or {}
    _check(function, options, name)
    with _telling(name):
        found = function(**options)
    if not isinstance(found, Experiment):
        raise ExperimentError(
            f"{name} gave {type(found).__name__}; its function must give a "
            "logca.numeric.measure.experiment.Experiment"
        )
    return found


def _function(name: str) -> Callable[..., Any]:
    if name in _built_in():
        module, function, _ = _built_in()[name]
        return _attribute(module, function, name)
    for each in entry_points(group=GROUP):
        if each.name == name:
            with _telling(name):
                return _callable(each.load(), name)
    module, colon, function = name.partition(":")
    if colon and module and function:
        here = str(Path.cwd())
        if here not in sys.path:
            # last: a scipy.py that lies here is not to stand before ours
            sys.path.append(here)
        return _attribute(module, function, name)
    known = [each.name for each in known_experiments()]
    hint = did_you_mean(name, known, quote=str)
    hint = hint or f"known are {', '.join(known)}, or give MODULE:FUNCTION"
    raise ExperimentError(f"there is no experiment {name!r}; {hint}")


def _attribute(module: str, function: str, name: str) -> Callable[..., Any]:
    if not all(part.isidentifier() for part in module.split(".")):
        raise ExperimentError(f"{name}: {module!r} is no name of a module")
    try:
        with _telling(name):
            found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise ExperimentError(f"{name}: {error}; install it") from error
        raise ExperimentError(f"{name}: there is no module {module!r} here") from None
    try:
        for part in function.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise ExperimentError(f"{name}: module {module} has no {function!r}") from None
    return _callable(found, name)


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """An error of someone else's code is one of that experiment, and says where it happened."""
    try:
        yield
    except Exception as error:
        if isinstance(error, LogcaError | ModuleNotFoundError):
            raise
        last = extract_tb(error.__traceback__)[-1]
        file, line = last.filename, last.lineno
        if isinstance(error, SyntaxError):
            file, line = error.filename or file, error.lineno
        told = " ".join(format_exception_only(error)[-1].split())
        raise ExperimentError(
            f"{name} cannot be opened: {told} ({Path(file).name}, line {line})"
        ) from error


def _callable(found: Any, name: str) -> Callable[..., Any]:
    if not callable(found):
        raise ExperimentError(f"{name} is no function that opens an experiment")
    opening: Callable[..., Any] = found
    return opening


_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _check(function: Callable[..., Any], options: Mapping[str, str], name: str) -> None:
    """Object to options that the function does not take, and to those that are missing."""
    try:
        given = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return  # of a few functions in C it is not known
    kinds = {each.kind for each in given.values()}
    any_name = inspect.Parameter.VAR_KEYWORD in kinds
    parameters = {key: each for key, each in given.items() if each.kind in _NAMED}
    for option in options:
        if option not in parameters and not any_name:
            takes = f"its options are {', '.join(parameters)}" if parameters else "it has none"
            raise ExperimentError(f"{name} has no option {option!r}; {takes}")
    missing = [
        each.name
        for each in parameters.values()
        if each.default is each.empty and each.name not in options
    ]
    if missing:
        raise ExperimentError(f"{name} needs {', '.join(missing)}: give --set {missing[0]}=VALUE")
