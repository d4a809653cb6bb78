"""Remedies that lay an array out anew: transposed, or with longer rows (padding)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from logca.gpu.advice.arrays import Array, Skew, arrays, relocated
from logca.gpu.advice.results import RemedyCandidate
from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.launches_in_sequence import Launch
from logca.gpu.stages.transactions import Behaviour

__all__ = [
    "across",
    "padded",
    "padded_steps",
    "transposed",
    "transposed_steps",
]


def across(
    array: Array, collapse: int, behaviours: Mapping[int, Behaviour]
) -> tuple[tuple[int, int], ...]:
    """Uncoalesced accesses in which neighbouring threads do not go along neighbouring elements."""
    found = []
    for access, function in zip(array.accesses, array.functions, strict=True):
        behaviour = behaviours.get(access)
        if behaviour is None or behaviour.pattern != "uncoalesced" or function is None:
            continue
        stride = function[1 + collapse]
        if stride and array.direction(stride) < len(array.steps) - 1:
            found.append((access, array.direction(stride)))
    return tuple(found)


def transposed_steps(array: Array, direction: int) -> tuple[int, ...]:
    """Steps along the directions of an array once neighbours along one of them are adjacent [B].

    The other directions keep their order: a matrix is transposed, an array of structures becomes a
    structure of arrays.

    Examples
    --------
    >>> transposed_steps(
    ...     Array(name="A", accesses=(0,), functions=(None,), stored=False, base=0, end=4 * 15,
    ...           steps=(20, 4)), 0)
    (4, 12)
    """
    extents = array.extents
    order = [each for each in range(len(extents)) if each != direction] + [direction]
    inside = {
        each: array.element * prod(extents[after] for after in order[place + 1 :])
        for place, each in enumerate(order)
    }
    return tuple(inside[each] for each in range(len(extents)))


def padded_steps(steps: Sequence[int], room: int) -> tuple[int, ...]:
    """Steps along the directions once each row is longer; a row is what has only elements in it.

    Examples
    --------
    >>> padded_steps((4096, 256, 4), 64)
    (5120, 320, 4)
    """
    *outer, row, element = steps
    return (*(step // row * (row + room) for step in outer), row + room, element)


Change = Callable[[Launch], Launch]

_MISSES = 1.1
"""Padding is tried where lines are fetched so many times each, or more [1]."""


def transposed(
    own: Sequence[Array],
    collapse: int,
    behaviours: Mapping[int, Behaviour],
    skewed: Mapping[int, tuple[Skew, ...]],
) -> Iterator[RemedyCandidate]:
    """Arrays in which neighbouring threads go along rows, so that columns should be adjacent.

    All accesses may use the new layout, or only those that gain, if nothing is written.
    """
    whole: list[tuple[RemedyCandidate, Change]] = []
    for array in own:
        aims: dict[int, list[int]] = {}
        for access, direction in across(array, collapse, behaviours):
            aims.setdefault(direction, []).append(access)
        for direction, accesses in aims.items():
            both = [array.accesses]
            if set(array.accesses) != set(accesses) and not array.stored:
                both.append(tuple(accesses))
            made = [_transposed(array, direction, tuple(accesses), moved, skewed) for moved in both]
            whole.append(made[0])
            yield from (each for each, _ in made)
    if len({each.array for each, _ in whole}) > 1:
        yield _together(whole)


def _transposed(
    array: Array,
    direction: int,
    accesses: tuple[int, ...],
    moved: tuple[int, ...],
    skewed: Mapping[int, tuple[Skew, ...]],
) -> tuple[RemedyCandidate, Change]:
    change = partial(
        _laid_out, access=accesses[0], direction=direction, room=0, moved=moved, skewed=skewed
    )
    found = RemedyCandidate(
        name="transposed layout",
        array=array.name,
        accesses=accesses,
        what=_layout_words(array, direction, moved == array.accesses),
        conditions=(
            "the result has this layout too: code that reads it must be adapted"
            if array.stored
            else "transposed or copied before the launch, which takes time that is not included",
        ),
        change=change,
    )
    return found, change


def _together(parts: Sequence[tuple[RemedyCandidate, Change]]) -> RemedyCandidate:
    """Remedies for several arrays as one."""
    each = [candidate for candidate, _ in parts]
    return RemedyCandidate(
        name=each[0].name,
        array=", ".join(dict.fromkeys(one.array for one in each)),
        accesses=tuple(access for one in each for access in one.accesses),
        what="; ".join(one.what for one in each),
        conditions=tuple(dict.fromkeys(words for one in each for words in one.conditions)),
        change=partial(_all, changes=tuple(change for _, change in parts)),
    )


def _all(launch: Launch, *, changes: Sequence[Change]) -> Launch:
    for change in changes:
        launch = change(launch)
    return launch


def _layout_words(array: Array, direction: int, everywhere: bool) -> str:
    name = array.name or "the array"
    if len(array.steps) == 2:
        what = f"store {name} transposed"
    else:
        what = f"store {name} with its direction {direction + 1} of {len(array.steps)} innermost"
    return what if everywhere else f"{what}, as a copy for this access; the others keep {name}"


def padded(
    trace: NestTrace,
    own: Sequence[Array],
    behaviours: Mapping[int, Behaviour],
    skewed: Mapping[int, tuple[Skew, ...]],
    line: int,
) -> Iterator[RemedyCandidate]:
    """Arrays with rows whose elements may fall on the same sets of the cache."""
    for array in own:
        if len(array.steps) < 2:
            continue
        mine = [behaviours[access] for access in array.accesses if access in behaviours]
        misses = sum(each.dram * each.executions for each in mine)
        which = np.isin(trace.access, array.accesses)
        lines = len(np.unique(trace.address[which] // np.uint64(line)))
        if misses < _MISSES * lines:
            continue
        worst = max(mine, key=lambda each: each.dram * each.executions)
        for room, words in (
            (array.element, "an element"),
            (line, f"a line of the cache ({line} B)"),
        ):
            if room % array.element:
                continue
            yield RemedyCandidate(
                name="longer rows",
                array=array.name,
                accesses=(worst.access,) if worst.access is not None else (),
                what=f"make each row of {array.name or 'the array'} {words} longer",
                conditions=("all that uses the array must know the length of its rows",),
                change=partial(
                    _laid_out,
                    access=array.accesses[0],
                    direction=None,
                    room=room,
                    moved=array.accesses,
                    skewed=skewed,
                ),
            )


def _laid_out(
    launch: Launch,
    *,
    access: int,
    direction: int | None,
    room: int,
    moved: Sequence[int],
    skewed: Mapping[int, tuple[Skew, ...]],
) -> Launch:
    """A launch with the array of an access laid out anew, for some of its accesses."""
    if launch.trace is None:
        return launch
    for array in arrays(launch.trace, skewed):
        if access in array.accesses and len(array.steps) > 1:
            steps = (
                padded_steps(array.steps, room)
                if direction is None
                else transposed_steps(array, min(direction, len(array.steps) - 1))
            )
            return replace(launch, trace=relocated(launch.trace, array, steps, moved))
    return launch
