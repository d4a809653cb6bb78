"""The most recently used blocks of an LRU stack as one row of numbers, looked up all at once.

A row holds the blocks in the order of their last reference, the latest first. A reference compares
all of them with the block in a vector register, gets one bit for each place, and moves up what
stands before the place that matched; without a match everything moves, and the last one leaves.
There is no branch in it, so that hits and misses in any order cost the same. LLVM splits the
vectors as the processor needs it.

This module imports numba and LLVM: import it where rows are used, not before.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from logca.common.extras import require
from logca.common.jit import njit

__all__ = ["EMPTY", "NEAR", "near", "new_rows", "place_of", "touch"]

numba: Any = require("numba", "trace")
types, intrinsic = numba.types, numba.extending.intrinsic

EMPTY = 2**64 - 1
"""Mark of a place that no block was put into yet; no block has this number [1]."""

NEAR = 3
"""Number of places of a row that `near` looks at [1]."""

_CACHE_LINE = 64  # [B]: a vector that crosses one is slower to load


def new_rows(rows: int, lanes: int) -> NDArray[np.uint64]:
    """Empty rows of so many blocks each, one after the other."""
    count = rows * lanes
    memory = np.empty(count * 8 + _CACHE_LINE, dtype=np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    blocks: NDArray[np.uint64] = memory[start : start + count * 8].view(np.uint64)
    blocks.fill(EMPTY)
    return blocks


def _touch(
    _typing: Any, rows: Any, first: Any, block: Any, ways: Any, found: Any, at: Any, lanes: Any
) -> Any:
    """Reference a block: move it to the front of a row.

    ``touch(rows, first, block, ways, found, at, lanes)`` sets ``found[at]`` to whether the block
    stood at one of those places of the row ``rows[first : first + lanes]`` whose bits are set in
    `ways`, and returns the bit of the place where it was, none if it was nowhere.
    """
    signature = types.uint64(rows, first, block, ways, found, at, lanes)
    return signature, _code_of_touch


def _code_of_touch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows, first, block, ways, found, at, _ = arguments
    lanes = signature.args[6].literal_value
    number, bits, index = ir.IntType(64), ir.IntType(lanes), ir.IntType(32)
    vector, flags = ir.VectorType(number, lanes), ir.VectorType(ir.IntType(1), lanes)

    def at_index(array: Any, type_: Any, position: Any) -> Any:
        data = context.make_array(type_)(context, builder, array).data
        return builder.gep(data, [position], inbounds=True)

    def shuffled(one: Any, other: Any, order: list[int]) -> Any:
        return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(index, lanes), order))

    row = builder.bitcast(at_index(rows, signature.args[0], first), vector.as_pointer())
    old = builder.load(row, align=8)
    nothing = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(nothing, block, ir.Constant(index, 0))
    everywhere = shuffled(single, nothing, [0] * lanes)
    moved = shuffled(everywhere, old, [0, *range(lanes, 2 * lanes - 1)])
    places = builder.bitcast(builder.icmp_unsigned("==", old, everywhere), bits)
    counted = builder.and_(places, builder.trunc(ways, bits))
    hit = builder.icmp_unsigned("!=", counted, ir.Constant(bits, 0))
    # This store stands between load and store of the row, so that LLVM cannot make the latter a
    # masked one: processors do not forward a masked store to the next load of the same row.
    builder.store(builder.zext(hit, ir.IntType(8)), at_index(found, signature.args[4], at))
    # All places up to the lowest one that is set; all there are if none is: 0 - 1 has every bit.
    before = builder.xor(places, builder.sub(places, ir.Constant(bits, 1)))
    builder.store(builder.select(builder.bitcast(before, flags), moved, old), row, align=8)
    return builder.zext(places, number)


def _place_of(_typing: Any, bits: Any) -> Any:
    """``place_of(bits)``: the place of the lowest bit that is set, of at least one [1]."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


touch: Any = intrinsic(prefer_literal=True)(_touch)
place_of: Any = intrinsic(_place_of)


def _near(rows: Any, first: Any, block: Any) -> Any:
    """Reference a block if it is one of the latest of a row; its place, -1 if it is none of them.

    Blocks that take turns are found without a vector, whose way through memory takes longer.
    """
    second, third = first + np.uint64(1), first + np.uint64(2)
    if rows[first] == block:
        return 0
    if rows[second] == block:
        rows[second] = rows[first]
        rows[first] = block
        return 1
    if rows[third] == block:
        rows[third] = rows[second]
        rows[second] = rows[first]
        rows[first] = block
        return 2
    return -1


near: Any = njit(_near)
