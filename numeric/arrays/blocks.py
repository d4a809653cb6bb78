"""Evaluation of generated functions on NumPy arrays, in blocks that stay in the cache.

Each operation is done once for every combination of the arguments that it depends on, and no more:
the power of the granularity on a grid of six parameters once for each pair of granularity and
exponent. What depends on all arguments is done block by block with reused scratch memory, so that
the only large array that is written is the result.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from logca.numeric.arrays.tape import Operation, Tape, Values, do, execute, program, record

__all__ = ["BLOCK", "Rest", "evaluate_in_blocks", "remaining"]

BLOCK = 131_072
"""Elements in a block: small enough for a core's caches, large enough for threads to pay [1].

Unlike the blocks of a sweep, which are units of writing, and ten times as large.
"""

Index = tuple[int | slice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Operations left at every point once all that depends on fewer arguments is done."""

    shape: tuple[int, ...]  # shape of the result [1]
    # what is there, with as many axes as the result, merged where they vary together [any]
    leaves: tuple[Values, ...]
    merged: tuple[int, ...]  # lengths of the merged axes [1]
    tape: Tape  # what is to be done with the leaves


def evaluate_in_blocks(
    function: Callable[..., Any], arguments: Sequence[np.ndarray[Any, Any]], *, workers: int = 1
) -> Any:
    """A generated function of NumPy arrays that are broadcast together [unit of the function]."""
    shapes = {each.shape for each in arguments if each.ndim}
    if len(shapes) == 1:
        shape = shapes.pop()
    else:
        shape = np.broadcast_shapes(*(each.shape for each in arguments))
    with np.errstate(all="ignore"):
        double = all(each.dtype == np.float64 for each in arguments)
        tape = record(function) if prod(shape) > BLOCK and double else None
        rest = remaining(tape, arguments) if tape is not None else None
        if rest is None or rest.shape != shape:
            return _of_its_own(function(np, *arguments), shape, arguments)
    result = np.empty(rest.merged)
    blocks = list(_blocks(rest.merged))
    if workers == 1:
        _fill(result, rest, blocks)
    else:
        share = -(-len(blocks) // (4 * workers))
        parts = [blocks[start : start + share] for start in range(0, len(blocks), share)]
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(_fill, result, rest, part) for part in parts]:
                done.result()
    return result.reshape(rest.shape)


def _of_its_own(result: Any, shape: tuple[int, ...], arguments: Sequence[Any]) -> Any:
    """The result broadcast like the arguments, in memory that belongs to nobody else."""
    if result.shape != shape:
        return np.broadcast_to(result, shape).copy()[()]
    return (result.copy() if any(result is each for each in arguments) else result)[()]


def remaining(
    tape: Tape,
    arguments: Sequence[np.ndarray[Any, Any]],
    *,
    later: Callable[[Operation, int], bool] | None = None,
) -> Rest | None:
    """Do all operations that depend on fewer arguments than the result; None if that is all."""
    values: list[Values | None] = list(arguments)
    shapes = [each.shape for each in arguments]
    for operation in tape.operations:
        operands = [shapes[place] for place in operation.operands if isinstance(place, int)]
        shapes.append(np.broadcast_shapes(*operands))
    full = shapes[tape.results[0]]
    for place, operation in enumerate(tape.operations, start=tape.arguments):
        known = all(
            values[each] is not None for each in operation.operands if isinstance(each, int)
        )
        wait = later is not None and later(operation, prod(shapes[place]))
        here = known and not wait and shapes[place] != full
        values.append(do(operation, values) if here else None)
    if values[tape.results[0]] is not None:
        return None
    return _rest(tape, values, full)


def _rest(tape: Tape, values: Sequence[Values | None], full: tuple[int, ...]) -> Rest:
    """Renumber what is left, and merge axes along which the same leaves vary."""
    late = [place for place in range(tape.arguments, len(values)) if values[place] is None]
    operations = [tape.operations[place - tape.arguments] for place in late]
    used = sorted(
        {
            place
            for operation in operations
            for place in operation.operands
            if isinstance(place, int) and values[place] is not None
        }
    )
    number = {place: new for new, place in enumerate([*used, *late])}
    leaves = [_with_axes(values[place], len(full)) for place in used]
    groups = _groups(full, leaves)
    return Rest(
        shape=full,
        leaves=tuple(
            leaf.reshape([prod(leaf.shape[axis] for axis in group) for group in groups])
            for leaf in leaves
        ),
        merged=tuple(prod(full[axis] for axis in group) for group in groups),
        tape=Tape(
            arguments=len(used),
            operations=tuple(
                Operation(
                    name=operation.name,
                    operands=tuple(
                        number[each] if isinstance(each, int) else each
                        for each in operation.operands
                    ),
                )
                for operation in operations
            ),
            results=tuple(number[place] for place in tape.results),
        ),
    )


def _with_axes(value: Values | None, axes: int) -> Values:
    assert value is not None
    return value.reshape((1,) * (axes - value.ndim) + value.shape)


def _groups(full: tuple[int, ...], leaves: Sequence[Values]) -> list[list[int]]:
    """Runs of axes along which the same leaves vary."""
    groups: list[list[int]] = []
    before: tuple[bool, ...] | None = None
    for axis, length in enumerate(full):
        varies = tuple(leaf.shape[axis] != 1 for leaf in leaves)
        if groups and (varies == before or length == 1):
            groups[-1].append(axis)
            continue
        groups.append([axis])
        before = varies if length != 1 else None
    return groups


def _blocks(shape: tuple[int, ...]) -> Iterator[Index]:
    """Indices that cut an array into blocks of about the wanted size, in order."""
    inner, axis = 1, len(shape) - 1
    while axis > 0 and inner * shape[axis] <= BLOCK:
        inner *= shape[axis]
        axis -= 1
    step = max(1, BLOCK // inner)
    cuts = [slice(start, start + step) for start in range(0, shape[axis], step)]
    for outer in product(*map(range, shape[:axis])):
        for cut in cuts:
            yield (*outer, cut)


def _fill(result: Values, rest: Rest, blocks: Sequence[Index]) -> None:
    """Do what is left, for some of the blocks."""
    steps, scratch = program(rest.tape), list[Values]()
    with np.errstate(all="ignore"):
        for block in blocks:
            parts = [_part(leaf, block) for leaf in rest.leaves]
            execute(steps, parts, scratch, [result[block]])


def _part(leaf: Values, block: Index) -> Values:
    """Part of a leaf that a block needs: along axes where the leaf does not vary, all there is."""
    index = [
        each if length != 1 else (0 if isinstance(each, int) else slice(None))
        for each, length in zip(block, leaf.shape, strict=False)
    ]
    part: Values = leaf[tuple(index)]
    return part
