"""Threads that do more than the others: how often the longest one executes each block.

Counts of a run are means over its threads. Where a loop of a thread ends, or a branch goes, by
the number of the thread alone, both are evaluated for all threads: no launch ends before its
longest warp does, and no multiprocessor before its heaviest block. Where they go by data, the
means are all that is known.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from logca.gpu.bounds.divergence import OPERATIONS, reached_only_by
from logca.gpu.bounds.kernel_code import CASTS, KernelCode
from logca.trace.ir.control_flow import NaturalLoop
from logca.trace.ir.statements import Statement
from logca.trace.ir.subscripts import linear

__all__ = ["Executed", "Threads", "executed_by", "uneven_loops"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW = 1e-9
_PASSES = 2
_ALIKE = 0.02  # largest relative difference from the counted mean at which threads are believed
_CHOICES: dict[str, Callable[[Integers, Integers], Integers]] = {
    "smin": np.minimum,
    "umin": np.minimum,
    "smax": np.maximum,
    "umax": np.maximum,
}
_TURNED = {"slt": "sgt", "ult": "ugt", "sle": "sge", "ule": "uge"}
_TURNED |= {after: before for before, after in _TURNED.items()} | {"ne": "ne"}
_OTHERWISE = {"slt": "sge", "ult": "uge", "sle": "sgt", "ule": "ugt"}
_OTHERWISE |= {after: before for before, after in _OTHERWISE.items()} | {"eq": "ne", "ne": "eq"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Threads:
    """Threads, by the loops that number them."""

    loops: tuple[int, ...]  # headers of these loops, numbered within the function [1]
    iterations: Integers  # iterations of these loops of each thread [1]
    whole: bool  # whether these are all threads of the launch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Executed:
    """Executions of blocks by threads; blocks are numbered within the function."""

    times: Mapping[int, Floats]  # executions of the blocks inside of all loops that are threads [1]
    # headers of loops whose iterations may differ between threads, and are taken as the mean [1]
    unknown: frozenset[int]
    limits: Mapping[int, float]  # the most iterations of an entry of these, where that is known [1]


def uneven_loops(code: KernelCode) -> tuple[int, ...]:
    """Headers of a thread's own loops whose iterations may differ between threads [1].

    Those that only some threads come to are among them.
    """
    found = {header for header in code.own_loops if _uneven(code, header)}
    for block in code.times:
        found |= _chosen_by(code, block)
    return tuple(header for header in code.own_loops if header in found)


def _chosen_by(code: KernelCode, block: int) -> set[int]:
    """Loops that a thread comes to only by one way of a branch at which threads may differ."""
    last, targets = code.index.body.blocks[block].statements[-1], code.targets(block)
    if len(targets) < 2 or not last.uses or code.leaves(block) is not None:
        return set()
    if not code.varies_with_threads(last.uses[0]):
        return set()
    ways = (reached_only_by(code, block, way) for way in targets)
    return {header for way in ways for header in code.own_loops if header in way} - {block}


def _uneven(code: KernelCode, header: int) -> bool:
    return any(
        code.varies_with_threads(code.index.body.blocks[block].statements[-1].uses[0])
        for block in _tests(code, code.index.shape.loops[header])
    )


def _tests(code: KernelCode, loop: NaturalLoop) -> list[int]:
    """Blocks that decide whether a loop goes on [1]."""
    return [
        block
        for block in sorted(loop.blocks)
        if code.index.body.blocks[block].statements[-1].uses
        and any(target not in loop.blocks for target in code.targets(block))
    ]


def executed_by(
    code: KernelCode, threads: Threads, edges: Mapping[tuple[int, int], float]
) -> Executed | None:
    """Executions of blocks by each of some threads; None if they are not known.

    `edges` is how often a mean thread passes from one block to another. Where all threads are
    there, their mean must be what was counted.
    """
    uneven = frozenset(uneven_loops(code))
    counters = _thread_counters(code, threads)
    if counters is None:
        return None
    walk = _Walk(code=code, edges=edges, number=len(threads.iterations), known=counters)
    times = walk.times(threads.loops[-1])
    for _ in range(_PASSES):
        unknown = walk.unknown & uneven
        if times is None or not unknown:
            break
        # bounds may depend on ways that a thread takes inside of the loop, and are known now
        walk.known = {name: each for name, each in walk.known.items() if each is not None}
        walk.flows.clear()
        walk.unknown.clear()
        times = walk.times(threads.loops[-1])
    if times is None:
        return None
    if threads.whole and not all(
        abs(float(each.mean()) - code.times.get(block, 0.0))
        <= _ALIKE * max(code.times.get(block, 0.0), 1.0)
        for block, each in times.items()
        if block != threads.loops[-1]
    ):
        return None
    return Executed(times=times, unknown=uneven & walk.unknown, limits=walk.limits)


def _thread_counters(code: KernelCode, threads: Threads) -> dict[str, Integers | None] | None:
    """Values of the counters of the loops that are threads; None if any is not known."""
    found: dict[str, Integers | None] = {}
    for level, header in enumerate(threads.loops):
        for name, step in code.counters_of(header).items():
            start = code.start_of(header, name)
            if step is None or start is None:
                continue
            first = _Values(code, found).of(start)
            if first is not None:
                found[name] = first + step * threads.iterations[:, level]
    return found or None


@dataclass(slots=True, kw_only=True, eq=False)
class _Walk:
    """A walk through the body of the threads, from its beginning to its end."""

    code: KernelCode
    edges: Mapping[tuple[int, int], float]
    number: int  # threads [1]
    known: dict[str, Integers | None]
    flows: dict[tuple[int, int], Floats] = field(default_factory=dict)
    unknown: set[int] = field(default_factory=set)  # loops whose iterations are means [1]
    limits: dict[int, float] = field(default_factory=dict)  # the most that these may have [1]

    def times(self, thread: int) -> dict[int, Floats] | None:
        """Executions of each block inside the innermost loop that is threads."""
        code = self.code
        body = code.index.shape.loops[thread]
        found: dict[int, Floats] = {}
        entries: dict[int, Floats] = {}
        often: dict[int, Floats | None] = {}
        for block in _in_order(code, body):
            coming = np.ones(self.number) if block == thread else self._coming(block, body)
            if block in code.index.shape.loops and block != thread:
                entries[block] = coming
                often[block] = self._tests_of(block)
                ratio = code.times.get(block, 0.0) / max(code.entered.get(block, 0.0), _FEW)
                turns = often[block]
                if turns is None:
                    self.unknown.add(block)
                coming = coming * (ratio if turns is None else turns)
            found[block] = coming
            self._choose(block)
            if not self._leave(block, body, coming, entries, often):
                return None
        return found

    def _coming(self, block: int, body: NaturalLoop) -> Floats:
        flows = [
            self.flows[before, block]
            for before in self.code.before.get(block, ())
            if before in body.blocks and (before, block) in self.flows
        ]
        return np.sum(flows, axis=0) if flows else np.zeros(self.number)

    def _choose(self, block: int) -> None:
        """Values that depend on the way that a thread took to a block."""
        code = self.code
        if block in code.index.shape.loops:
            return
        values = _Values(code, self.known)
        for phi in code.index.body.blocks[block].statements:
            if phi.opcode != "phi":
                break
            ways = [self.flows.get((code.block_numbers[each], block)) for each in phi.labels]
            parts = [values.of(each) for each in phi.operands]
            result: Integers | None = np.zeros(self.number, np.int64)
            taken = np.zeros(self.number, np.int64)
            for way, part in zip(ways, parts, strict=True):
                if way is None or part is None or result is None:
                    result = None
                    break
                result = np.where(way > 0, part, result)
                taken += way > 0
            self.known[phi.name] = None if result is None or (taken > 1).any() else result

    def _leave(
        self,
        block: int,
        body: NaturalLoop,
        coming: Floats,
        entries: Mapping[int, Floats],
        often: Mapping[int, Floats | None],
    ) -> bool:
        """Pass on what comes to a block; False if that cannot be told."""
        code = self.code
        targets = code.targets(block)
        left = code.leaves(block)
        if len(targets) == 1 or (left is not None and left not in entries):
            # the loops of threads are left by nobody
            inside = [target for target in targets if target in body.blocks]
            for target in inside:
                self.flows[block, target] = coming
            return len(inside) <= 1 or len(targets) == 1
        if left is not None and often.get(left) is not None:
            out = [t for t in targets if t not in code.index.shape.loops[left].blocks]
            for target in targets:
                self.flows[block, target] = (
                    entries[left] if target in out else np.maximum(coming - entries[left], 0.0)
                )
            return len(out) == 1
        statement = code.index.body.blocks[block].statements[-1]
        condition = None
        if statement.opcode == "br" and len(targets) == 2:
            condition = _Values(code, self.known).of(statement.uses[0])
        if condition is not None and left is None:
            yes = code.block_numbers[statement.labels[0]]
            for target in targets:
                self.flows[block, target] = coming * ((condition != 0) == (target == yes))
            return True
        if left is None:
            self.unknown |= _chosen_by(code, block)
        total = sum(self.edges.get((block, target), 0.0) for target in targets)
        for target in targets:
            share = self.edges.get((block, target), 0.0) / total if total else 0.0
            self.flows[block, target] = coming * share
        return True

    def _tests_of(self, header: int) -> Floats | None:
        """Times that an entry of a loop comes to its test; None if that is not known [1]."""
        code = self.code
        loop = code.index.shape.loops[header]
        tests = _tests(code, loop)
        found = [self._passed_at(header, test) for test in tests]
        if len(tests) == 1 and found[0] is not None:
            return np.broadcast_to(found[0] + 1.0, (self.number,))
        for test in tests:
            found += [self._passed_at(header, part) for part in _parts(code, test)]
        limits = [float(each.max()) for each in found if each is not None]
        if limits:
            self.limits[header] = min(limits)
        return None

    def _passed_at(self, header: int, test: int) -> Integers | None:
        """Times that an entry of a loop passes a test of it; None if that is not known [1]."""
        code = self.code
        loop = code.index.shape.loops[header]
        last = code.index.body.blocks[test].statements[-1]
        compared = code.index.statements.get(last.uses[0])
        if not _in_each_iteration(code, loop, test):
            return None
        if last.opcode != "br" or compared is None or compared.opcode != "icmp":
            return None
        goes_on = code.block_numbers[last.labels[0]] in loop.blocks
        if test not in _tests(code, loop):  # a part of a condition: where it holds, the next one is
            goes_on = last.labels[0] not in _ends(code, loop)
        for number, operand in enumerate(compared.operands):
            moving = self._moving(header, operand)
            bound = _Values(code, self.known).of(compared.operands[1 - number])
            if moving is None or bound is None:
                continue
            first, step = moving
            how = compared.operation if number == 0 else _TURNED.get(compared.operation, "")
            how = how if goes_on else _OTHERWISE.get(how, "")
            return _passed(how, first, step, bound)
        return None

    def _moving(self, header: int, value: str) -> tuple[Integers, int] | None:
        """A value that counts the iterations of a loop: its first one, and its step."""
        code = self.code
        for name, step in code.counters(header).items():
            terms = dict(linear(code.index, code.uncast(value)))
            start = code.start_of(header, name)
            if not step or start is None or terms.get(name) != 1:
                continue
            if {each for each in terms if each} != {name}:
                continue
            first = _Values(code, self.known).of(start)
            return None if first is None else (first + terms.get("", 0), step)
        return None


def _ends(code: KernelCode, loop: NaturalLoop) -> set[str]:
    """Labels of the blocks that decide whether a loop goes on."""
    return {code.index.body.blocks[each].name for each in _tests(code, loop)}


def _parts(code: KernelCode, test: int) -> list[int]:
    """Blocks with the first parts of a condition all of whose parts must hold, as of `a && b`."""
    last = code.index.body.blocks[test].statements[-1]
    made = code.index.statements.get(last.uses[0])
    if made is None or made.opcode != "phi" or code.index.defining_block[made.name] != test:
        return []
    pairs = zip(made.operands, made.labels, strict=True)
    return [code.block_numbers[label] for value, label in pairs if value == "false"]


def _in_each_iteration(code: KernelCode, loop: NaturalLoop, block: int) -> bool:
    """True if each iteration of a loop comes to a block once before the next one begins."""
    if code.index.shape.innermost.get(block) != loop.header:
        return False
    seen, waiting = {block, loop.header}, [loop.header]
    if block == loop.header:
        return True
    while waiting:
        here = waiting.pop()
        if here in loop.latches:
            return False
        waiting += [to for to in code.targets(here) if to in loop.blocks and to not in seen]
        seen.update(code.targets(here))
    return True


def _passed(how: str, first: Integers, step: int, bound: Integers) -> Integers | None:
    """Tests that go on before the first one that does not; None if there are no such [1].

    Examples
    --------
    >>> _passed("slt", np.array([0, 0, 7]), 2, np.array([4, 5, 5])).tolist()
    [2, 3, 0]
    >>> _passed("sge", np.array([3]), -1, np.array([0])).tolist()
    [4]
    >>> _passed("ne", np.array([0]), 1, np.array([7])).tolist(), _passed("slt", 0, -1, 5)
    ([7], None)
    """
    if how in ("sle", "ule"):
        how, bound = "slt", bound + 1
    if how in ("sge", "uge"):
        how, bound = "sgt", bound - 1
    if how in ("slt", "ult") and step > 0:
        tests: Integers = np.maximum(-((first - bound) // step), 0)
        return tests
    if how in ("sgt", "ugt") and step < 0:
        tests = np.maximum(-((bound - first) // -step), 0)
        return tests
    if how == "ne" and step and not ((bound - first) % step).any():
        found = (bound - first) // step
        return found if (found >= 0).all() else None
    return None


def _in_order(code: KernelCode, body: NaturalLoop) -> Iterator[int]:
    """Blocks of a loop, each after all that lead to it but by jumping back."""
    seen: set[int] = set()
    after: list[int] = []
    waiting: list[tuple[int, bool]] = [(body.header, False)]
    while waiting:
        block, done = waiting.pop()
        if done:
            after.append(block)
            continue
        if block in seen:
            continue
        seen.add(block)
        waiting.append((block, True))
        waiting += [(to, False) for to in code.targets(block) if to in body.blocks]
    return reversed(after)


class _Values:
    """Whole numbers that threads compute from their own numbers."""

    def __init__(self, code: KernelCode, known: dict[str, Integers | None]) -> None:
        self._code, self._known = code, known

    def of(self, value: str) -> Integers | None:
        """A value of all threads; None if it depends on data, or on loops of a thread."""
        if value.lstrip("-").isdigit():
            return np.array(int(value))
        if value in ("true", "false"):
            return np.array(int(value == "true"))
        statement = self._code.index.statements.get(value)
        if statement is None or (statement.opcode == "phi" and value not in self._known):
            return None
        if value not in self._known:
            self._known[value] = None
            self._known[value] = self._made(statement)
        return self._known[value]

    def _made(self, statement: Statement) -> Integers | None:
        operands = [self.of(each) for each in statement.operands]
        if any(each is None for each in operands):
            return None
        parts = [each for each in operands if each is not None]
        if statement.opcode in CASTS:
            return parts[0]
        if statement.opcode == "select" and len(parts) == 3:
            picked: Integers = np.where(parts[0] != 0, parts[1], parts[2])
            return picked
        if len(parts) != 2:
            return None
        if statement.opcode == "call":
            choice = _CHOICES.get(statement.callee.removeprefix("llvm.").partition(".")[0])
            chosen: Integers | None = None if choice is None else choice(parts[0], parts[1])
            return chosen
        operation = OPERATIONS.get(statement.operation or statement.opcode)
        return None if operation is None else operation(parts[0], parts[1])
