"""Pins of users: blocks and functions by their names, one function of several by its file."""

import re
from collections.abc import Mapping
from pathlib import PurePath

from logca.common.near_misses import did_you_mean
from logca.numeric.partition.problem.blocks import Block, Problem, ProblemError

__all__ = ["pinned_blocks"]

_CORES = ("cpu", "accelerator")
_NUMBER = re.compile(r"\.\d+$")
_LISTED = 8  # names in a message


def pinned_blocks(problem: Problem, pins: Mapping[str, str]) -> dict[str, str]:
    """The core of each block that is pinned, by its name.

    Examples
    --------
    >>> from logca.numeric.partition.problem.blocks import Block
    >>> blocks = [
    ...     Block(name=f"{file}{n}", executions=9, operations=9, function="step", file=f"{file}.c")
    ...     for file in "ab"
    ...     for n in range(2)
    ... ]
    >>> problem = Problem(name="two", blocks=tuple(blocks), flows=(), values=())
    >>> pinned_blocks(problem, {"b.c:step": "cpu", "a0": "accelerator"})
    {'b0': 'cpu', 'b1': 'cpu', 'a0': 'accelerator'}
    """
    if not isinstance(pins, Mapping) or not all(isinstance(name, str) for name in pins):
        raise ProblemError(f"pins are names of blocks or functions, each with a core, not {pins!r}")
    found: dict[str, str] = {}
    for name, core in pins.items():
        if core not in _CORES:
            raise ProblemError(f"pin {name!r}: the core must be cpu or accelerator, not {core!r}")
        for block in _named(problem, name):
            if found.setdefault(block, core) != core:
                raise ProblemError(f"block {block!r} is pinned to both cores")
    return found


def _named(problem: Problem, name: str) -> list[str]:
    """Names of the blocks that a name means, the closest meaning first."""
    if any(block.name == name for block in problem.blocks):
        return [name]
    function, file = name, ""
    own = [block for block in problem.blocks if block.function and _spelt(block) == function]
    if not own:
        file, _, function = name.rpartition(":")
        own = [
            block
            for block in problem.blocks
            if file and _spelt(block) == function and _is_file(block.file, file)
        ]
    files = dict.fromkeys(block.file for block in own)
    if len(files) > 1:
        ends = [PurePath(each).name for each in files]
        shown = ends if len({*ends}) == len(ends) else list(files)
        which = ", ".join(f"{each}:{function}" for each in shown)
        raise ProblemError(f"pin {name!r}: functions in several files are called that: {which}")
    own = own or [block for block in problem.blocks if block.function == name]
    if own:
        return [block.name for block in own]
    functions = sorted({each.function for each in problem.blocks if each.function})
    known = sorted({*functions, *(each.name for each in problem.blocks)})
    hint = did_you_mean(name, known) or f"known: {', '.join((functions or known)[:_LISTED])}"
    raise ProblemError(f"pin {name!r}: there is no such block or function; {hint}")


def _spelt(block: Block) -> str:
    """The function as its source has it; of static ones with one name, all but one get a number."""
    return _NUMBER.sub("", block.function)


def _is_file(path: str, end: str) -> bool:
    """True if `end` is the last parts of a path."""
    wanted = PurePath(end).parts
    return bool(wanted) and PurePath(path).parts[-len(wanted) :] == wanted
