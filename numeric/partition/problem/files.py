"""Problems as JSON or TOML files, for programs that another tool has profiled."""

import json
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import check_keys, checked_text, parsed, text_of
from logca.numeric.partition.problem.blocks import (
    OUTSIDE,
    Block,
    Flow,
    Problem,
    ProblemError,
    Value,
)

__all__ = ["FORMAT", "check_flow", "load_problem", "problem_from", "saved"]

FORMAT = "logca-partition-1"
"""Value of ``format`` in a file."""

_TOP = ("format", "name", "blocks", "flows", "values", "entries", "exits", "loops", "notes")
_NUMBERS = ("executions", "operations", "integer_casts", "real_casts", "area")
_BLOCK = ("name", *_NUMBERS, "accesses", "pinned", "function", "file", "first_line", "last_line")
_LEVELS = ("L1", "L2", "memory")
_WORK = ("operations", "integer_casts", "real_casts")
_MOST = 1 << 53


def load_problem(path: str | PathLike[str]) -> Problem:
    """The problem that a file describes."""
    file = fspath(path)
    kind = PurePath(file).suffix
    if kind not in (".json", ".toml"):
        raise ProblemError(f"{file}: a problem is a file that ends in .json or .toml")
    try:
        text = text_of(path)
        data = parsed(text, file) if kind == ".toml" else json.loads(text)
    except FileError as error:
        raise ProblemError(str(error)) from None
    except RecursionError:
        raise ProblemError(f"{file}: its brackets are nested too deeply for a problem") from None
    except ValueError as error:
        raise ProblemError(f"{file}: not JSON: {error}") from None
    return problem_from(data, file)


def problem_from(data: object, file: str) -> Problem:
    """A problem from what a file contains.

    Examples
    --------
    >>> blocks = [{"name": name, "executions": 5, "operations": 3} for name in ("first", "last")]
    >>> flows = [{"from": "first", "to": "last", "executions": 5}]
    >>> found = problem_from({"format": FORMAT, "blocks": blocks, "flows": flows}, "two.json")
    >>> found.name, [block.area for block in found.blocks]
    ('two', [3, 3])
    """
    try:
        if isinstance(data, dict) and "format" not in data:
            raise ProblemError(
                f"no described program, as it has no key format; write format = {FORMAT!r}, or "
                "name a C file"
            )
        return _problem(_table(data, _TOP, "the file"), PurePath(file).stem)
    except ProblemError as error:
        raise ProblemError(f"{file}: {error}") from None


def saved(problem: Problem) -> dict[str, Any]:
    """A problem as the contents of a file; what `problem_from` gives the same problem for.

    Of values with one name, all but the first get a number behind it.
    """
    names = [block.name for block in problem.blocks]
    into, out = [0] * len(names), [0] * len(names)
    for flow in problem.flows:
        out[flow.source] += flow.executions
        into[flow.target] += flow.executions
    return {
        "format": FORMAT,
        "name": problem.name,
        "blocks": [
            {
                "name": block.name,
                **{key: getattr(block, key) for key in _NUMBERS},
                "accesses": dict(zip(_LEVELS, block.accesses, strict=True)),
                **{key: getattr(block, key) for key in _BLOCK[7:]},
            }
            for block in problem.blocks
        ],
        "flows": [
            {"from": names[flow.source], "to": names[flow.target], "executions": flow.executions}
            for flow in problem.flows
        ],
        "values": [
            {
                "name": name,
                "producer": names[value.producer],
                "consumers": [
                    {"block": names[block], "executions": times} for block, times in value.consumers
                ],
            }
            for value, name in zip(problem.values, _numbered(problem.values), strict=True)
        ],
        "entries": [
            n
            for n, at, b in zip(names, into, problem.blocks, strict=True)
            if at < b.executions or (b.pinned == OUTSIDE and b.executions)
        ],
        "exits": [
            n for n, at, b in zip(names, out, problem.blocks, strict=True) if at < b.executions
        ],
        "loops": [[names[block] for block in loop] for loop in problem.loops],
        "notes": list(problem.notes),
    }


def _numbered(values: Sequence[Value]) -> list[str]:
    """Their names, each once."""
    taken, numbered = {value.name for value in values}, list[str]()
    for value in values:
        name, number = value.name, 1
        while name in numbered or (number > 1 and name in taken):
            number += 1
            name = f"{value.name} ({number})"
        numbered.append(name)
    return numbered


def _problem(data: Mapping[str, Any], name: str) -> Problem:
    if data.get("format") != FORMAT:
        raise ProblemError(f"format must be {FORMAT!r}, not {data.get('format')!r}")
    blocks = tuple(_block(entry, number) for number, entry in enumerate(_list(data, "blocks")))
    if not blocks:
        raise ProblemError("blocks must list at least one block")
    numbers: dict[str, int] = {}
    for number, block in enumerate(blocks):
        if numbers.setdefault(block.name, number) != number:
            raise ProblemError(f"two blocks are called {block.name!r}")
    flows = tuple(_flow(entry, n, numbers) for n, entry in enumerate(_list(data, "flows")))
    values = tuple(
        _value(entry, n, numbers, blocks) for n, entry in enumerate(_list(data, "values"))
    )
    names: set[str] = set()
    for value in values:
        if value.name in names:
            raise ProblemError(f"two values are called {value.name!r}")
        names.add(value.name)
    notes = _list(data, "notes")
    if not all(isinstance(note, str) for note in notes):
        raise ProblemError(f"notes must be a list of texts, not {notes!r}")
    problem = Problem(
        name=_name(data.get("name", name), "name"),
        blocks=blocks,
        flows=flows,
        values=values,
        loops=tuple(
            tuple(
                _number_of(block, numbers, f"loops[{n}]") for block in _items(loop, f"loops[{n}]")
            )
            for n, loop in enumerate(_list(data, "loops"))
        ),
        notes=tuple(notes),
    )
    leaving = {flow.source for flow in flows if flow.source != flow.target}
    entries = [_number_of(name, numbers, "entries") for name in _list(data, "entries")] or [0]
    exits = [_number_of(name, numbers, "exits") for name in _list(data, "exits")] or [
        number for number in range(len(blocks)) if number not in leaving
    ]
    check_flow(problem, entries=entries, exits=exits)
    _check_reached(problem, entries)
    return problem


def _name(given: object, where: str) -> str:
    """A name, in one line: answers have a line for each of them."""
    name = checked_text(given, where, error=ProblemError)
    if len(name.splitlines()) > 1:
        raise ProblemError(f"{where} must be one line, not {name!r}")
    return name


def _block(data: object, number: int) -> Block:
    where = f"blocks[{number}]"
    table = _table(data, _BLOCK, where)
    name = _name(table.get("name"), f"{where}: name")
    where = f"block {name!r}"
    for key in ("executions", "operations"):
        if key not in table:
            raise ProblemError(f"{where}: missing {key}")
    counts: dict[str, Any] = {
        key: _whole(table[key], f"{where}: {key}") for key in _NUMBERS if key in table
    }
    for key in _WORK:
        most = _MOST // max(1, counts["executions"])
        if counts.get(key, 0) > most:
            raise ProblemError(
                f"{where}: {key} must be at most {most:,} in a block that is executed "
                f"{counts['executions']:,} times, not {counts[key]:,}"
            )
    counts.setdefault(
        "area",
        counts["operations"] + counts.get("integer_casts", 0) + counts.get("real_casts", 0),
    )
    levels = _table(table.get("accesses", {}), _LEVELS, f"{where}: accesses")
    pinned = table.get("pinned", "")
    if not isinstance(pinned, str | bool):
        raise ProblemError(f"{where}: pinned must be a text or true or false, not {pinned!r}")
    if isinstance(pinned, str) and pinned.strip().casefold() == "accelerator":
        raise ProblemError(
            f"{where}: pinned is the reason why it stays on the CPU, such as 'calls fgets', not "
            f"{pinned!r}; what must be on the accelerator is named by --pin NAME=accelerator"
        )
    texts: dict[str, Any] = {key: table.get(key, "") for key in ("function", "file")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise ProblemError(f"{where}: {key} must be a text, not {text!r}")
        if text:
            _name(text, f"{where}: {key}")
    if isinstance(pinned, str) and pinned:
        _name(pinned, f"{where}: pinned")
    one, two, memory = (_whole(levels.get(n, 0), f"{where}: accesses.{n}") for n in _LEVELS)
    if one + two + memory and not counts["executions"]:
        raise ProblemError(f"{where}: it has accesses, and is never executed")
    first, last = _lines(table, where)
    return Block(
        name=name,
        **counts,
        accesses=(one, two, memory),
        pinned=("pinned" if pinned else "") if isinstance(pinned, bool) else pinned,
        **texts,
        first_line=first,
        last_line=last,
    )


def _lines(table: Mapping[str, Any], where: str) -> tuple[int, int]:
    """First and last line of a block; one that is left out is as the other."""
    lines = {key: table[key] for key in ("first_line", "last_line") if key in table}
    known = {key: _whole(line, f"{where}: {key}") for key, line in lines.items()}
    first = known.get("first_line", known.get("last_line", 0))
    last = known.get("last_line", first)
    if first > last:
        raise ProblemError(f"{where}: first_line {first:,} comes after last_line {last:,}")
    return first, last


def _flow(data: object, number: int, numbers: Mapping[str, int]) -> Flow:
    where = f"flows[{number}]"
    table = _table(data, ("from", "to", "executions"), where)
    return Flow(
        source=_number_of(table.get("from"), numbers, f"{where}: from"),
        target=_number_of(table.get("to"), numbers, f"{where}: to"),
        executions=_whole(table.get("executions"), f"{where}: executions"),
    )


def _value(data: object, number: int, numbers: Mapping[str, int], blocks: Sequence[Block]) -> Value:
    where = f"values[{number}]"
    table = _table(data, ("name", "producer", "consumers"), where)
    producer = _number_of(table.get("producer"), numbers, f"{where}: producer")
    consumers: list[tuple[int, int]] = []
    for consumer in _items(table.get("consumers"), f"{where}: consumers"):
        if isinstance(consumer, dict):
            reader = _table(consumer, ("block", "executions"), f"{where}: consumers")
            block = _number_of(reader.get("block"), numbers, f"{where}: consumers")
            times = reader.get("executions", blocks[block].executions)
        else:
            block = _number_of(consumer, numbers, f"{where}: consumers")
            times = blocks[block].executions
        fetched = _whole(times, f"{where}: consumers: executions")
        if fetched > blocks[block].executions:
            raise ProblemError(
                f"{where}: block {blocks[block].name!r} is executed {blocks[block].executions} "
                f"times, and cannot fetch a value {fetched} times"
            )
        if fetched and not blocks[producer].executions:
            raise ProblemError(
                f"{where}: block {blocks[producer].name!r} is never executed, and block "
                f"{blocks[block].name!r} cannot fetch a value of it {fetched} times"
            )
        if block in (known for known, _ in consumers):
            raise ProblemError(f"{where}: consumers name block {blocks[block].name!r} twice")
        consumers.append((block, fetched))
    return Value(
        name=_name(table.get("name", f"value {number}"), f"{where}: name"),
        producer=producer,
        sent=blocks[producer].executions,
        consumers=tuple(consumers),
    )


def check_flow(problem: Problem, *, entries: Sequence[int], exits: Sequence[int]) -> None:
    """Check that each block is entered and left as often as executed, entries and exits aside."""
    inside, outside = [0] * len(problem.blocks), [0] * len(problem.blocks)
    for flow in problem.flows:
        outside[flow.source] += flow.executions
        inside[flow.target] += flow.executions
    for number, block in enumerate(problem.blocks):
        for found, free, word in (
            (inside[number], number in entries, "come to"),
            (outside[number], number in exits, "leave"),
        ):
            if found > block.executions or (found < block.executions and not free):
                raise ProblemError(
                    f"flow is not conserved at block {block.name!r}: it is executed "
                    f"{block.executions} times, and flows that {word} it add up to {found}"
                )


def _check_reached(problem: Problem, entries: Sequence[int]) -> None:
    """Check that all blocks that are executed can be reached."""
    after: dict[int, list[int]] = {}
    for flow in problem.flows:
        if flow.executions:
            after.setdefault(flow.source, []).append(flow.target)
    reached, waiting = set(entries), list(entries)
    while waiting:
        for target in after.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    for number, block in enumerate(problem.blocks):
        if block.executions and number not in reached:
            raise ProblemError(
                f"block {block.name!r} is executed {block.executions} times, but no flow leads to "
                "it from an entry; give the flows, or name it under entries"
            )


def _table(data: object, known: Sequence[str], where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise ProblemError(f"{where} must be a table with keys {', '.join(known)}, not {data!r}")
    check_keys(data, known, where, error=ProblemError, listed="known")
    return data


def _list(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    return _items(data.get(key, []), key)


def _items(data: object, where: str) -> Sequence[Any]:
    if not isinstance(data, list):
        raise ProblemError(f"{where} must be a list, not {data!r}")
    return data


def _number_of(name: object, numbers: Mapping[str, int], where: str) -> int:
    if not isinstance(name, str) or name not in numbers:
        hint = did_you_mean(str(name), numbers, before="; ")
        raise ProblemError(f"{where}: there is no block {name!r}{hint}")
    return numbers[name]


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise ProblemError(f"{where} must be a whole number from 0 to 2**53, not {value!r}")
    return value
