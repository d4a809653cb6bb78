"""Executions by warps of what only some of their lanes do.

Where a condition follows from the number of the thread alone, it is evaluated for the lanes of
some warps. Where it depends on data, lanes decide independently of each other: a warp goes a way
that a share p of the threads goes with probability 1 - (1 - p)**32.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.bounds.kernel_code import CASTS, KernelCode

__all__ = ["OPERATIONS", "of_warps", "reached_only_by"]

Integers = NDArray[np.int64]

_WARP = 32
_WARPS = 64  # whose lanes are evaluated [1]
_LANES = np.arange(_WARP * _WARPS)
_ALIKE = 0.05  # largest difference from the share that was counted, at which lanes are believed


def of_warps(code: KernelCode) -> KernelCode:
    """The code with counts of its blocks as a warp executes them."""
    times = dict(code.times)
    for block, way, share in _ways(code):
        factor = _warps_share(code, block, way, share) / share
        if factor > 1.0:
            for inside in reached_only_by(code, block, way):
                times[inside] *= factor
    return replace(code, times=times) if times != code.times else code


def _ways(code: KernelCode) -> Iterator[tuple[int, int, float]]:
    """Branches, a block that each may lead to, and the share of its executions that do so."""
    for block, often in code.times.items():
        last, targets = code.index.body.blocks[block].statements[-1], code.targets(block)
        if len(targets) < 2 or code.leaves(block) is not None or not last.uses:
            continue
        for way in targets:
            loop = code.index.shape.loops.get(way)
            back = frozenset(loop.latches) if loop is not None else frozenset()
            reached = code.times.get(way, 0.0) - sum(code.times.get(each, 0.0) for each in back)
            share = reached / often
            if {*code.before[way]} - back == {block} and 0.0 < share < 1.0:
                yield block, way, share


def reached_only_by(code: KernelCode, block: int, way: int) -> set[int]:
    """Blocks that a thread reaches only by this way out of a block."""
    start = code.outermost.header
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for to in code.targets(here):
            if (here, to) != (block, way) and to not in seen:
                seen.add(to)
                waiting.append(to)
    return set(code.times) - seen


def _warps_share(code: KernelCode, block: int, way: int, share: float) -> float:
    """The share of warps of which any lane goes a way."""
    last = code.index.body.blocks[block].statements[-1]
    condition, first = last.uses[0], last.labels[0]
    taken = code.index.body.blocks[way].name == first
    lanes = _innermost_thread(code)
    if not _depends(code, condition, lanes, set()):
        return share
    values = _value(code, condition, lanes, {})
    if values is None:
        return 1.0 - (1.0 - share) ** _WARP
    goes = np.broadcast_to((values != 0) == taken, _LANES.shape).reshape(-1, _WARP)
    if abs(float(goes.mean()) - share) <= _ALIKE:
        return max(share, float(goes.any(axis=1).mean()))
    return share  # neighbours mostly go the same way, as at the edges of an array


def _innermost_thread(code: KernelCode) -> frozenset[str]:
    """Counters of the innermost loop that is threads: they number the lanes of a warp."""
    header = max(code.threads, key=lambda each: -len(code.index.shape.loops[each].blocks))
    return frozenset(
        statement.name
        for statement in code.index.body.blocks[header].statements
        if statement.opcode == "phi"
    )


def _depends(code: KernelCode, value: str, lanes: frozenset[str], seen: set[str]) -> bool:
    """True if a value may differ between the lanes of a warp."""
    if value in lanes:
        return True
    statement = code.index.statements.get(value)
    if statement is None or value in seen:
        return False
    if code.index.defining_block[value] not in code.outermost.blocks:
        return False
    seen.add(value)
    return any(_depends(code, each, lanes, seen) for each in statement.uses)


def _value(
    code: KernelCode, value: str, lanes: frozenset[str], known: dict[str, Integers | None]
) -> Integers | None:
    """Whole numbers that lanes compute; None if they depend on data."""
    if value in lanes:
        return _LANES
    if value.lstrip("-").isdigit():
        return np.array(int(value))
    if value in ("true", "false"):
        return np.array(int(value == "true"))
    statement = code.index.statements.get(value)
    if statement is None:
        return None
    if value not in known:
        known[value] = None
        operands = [_value(code, each, lanes, known) for each in statement.operands]
        if statement.opcode == "phi" and code.index.defining_block[value] in code.index.shape.loops:
            known[value] = np.array(1)  # another counter: any number, the same for all lanes
        elif statement.opcode in CASTS:
            known[value] = operands[0]
        elif len(operands) == 2 and operands[0] is not None and operands[1] is not None:
            operation = OPERATIONS.get(statement.operation or statement.opcode)
            known[value] = None if operation is None else operation(operands[0], operands[1])
    return known[value]


def _quotient(left: Integers, right: Integers) -> Integers | None:
    return np.trunc(left / right).astype(np.int64) if np.all(right != 0) else None


def _rest(left: Integers, right: Integers) -> Integers | None:
    return np.fmod(left, right) if np.all(right != 0) else None


OPERATIONS: dict[str, Callable[[Integers, Integers], Integers | None]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "shl": np.left_shift,
    "eq": np.equal,
    "ne": np.not_equal,
    **dict.fromkeys(("ashr", "lshr"), np.right_shift),
    **dict.fromkeys(("sdiv", "udiv"), _quotient),
    **dict.fromkeys(("srem", "urem"), _rest),
    **dict.fromkeys(("slt", "ult"), np.less),
    **dict.fromkeys(("sle", "ule"), np.less_equal),
    **dict.fromkeys(("sgt", "ugt"), np.greater),
    **dict.fromkeys(("sge", "uge"), np.greater_equal),
}
