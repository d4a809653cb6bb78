"""The loops of the LRU stack: top in a row of vector lanes, the rest as bits in order of time.

A block that leaves the row gets the next moment, and a bit there; blocks leave in the order of
their last reference, so that the bits above its own count the blocks of the rest that were
referenced after it. Counts of 64 bits each are kept in a Fenwick tree, so that both a query and a
change cost O(log n). When the moments are used up, those without a bit are left out and the rest is
renumbered.

This module imports numba and LLVM: import it where stacks are used, not before.
"""

from typing import Any

import numpy as np
from llvmlite import ir

from logca.common.extras import require
from logca.common.jit import compiled, njit
from logca.trace.profiling import lru_row
from logca.trace.profiling.lru_row import EMPTY, near, place_of, touch

__all__ = ["CLOCK", "KNOWN", "LANES", "LIVE", "compact", "observe", "rehash"]

numba: Any = require("numba", "trace")
types, intrinsic = numba.types, numba.extending.intrinsic

LANES = 16
"""Number of blocks in the top of the stack [1]."""

CLOCK, LIVE, KNOWN = 0, 1, 2
"""Which number of the stack is the next moment, the bits set, the blocks in the table [1]."""

_NOBODY = np.uint64(EMPTY)
_AHEAD = 8  # references between asking for an entry of the table and using it
_ALL = np.uint64((1 << LANES) - 1)
_ONE = np.uint64(1)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, odd


def _ones(_typing: Any, bits: Any) -> Any:
    """``_ones_of(bits)``: how many bits are set [1]."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


def _prefetch(_typing: Any, array: Any, at: Any) -> Any:
    """``_fetch(array, at)``: bring the place of an array near the processor."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        memory = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.gep(memory, [arguments[1]], inbounds=True)
        pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        type_ = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], type_)
        to_read, keep, data = 0, 3, 1
        builder.call(fetch, [pointer, *(ir.Constant(word, n) for n in (to_read, keep, data))])
        return context.get_dummy_value()

    return types.void(array, at), code


_ones_of: Any = intrinsic(_ones)
_fetch: Any = intrinsic(_prefetch)


@njit
def _home(table: Any, block: Any) -> Any:
    """Place of a block's entry if nothing is in its way; neighbours stay together."""
    # eight neighbours share a hash and differ in their lowest bits: programs walk through memory,
    # and then find the next entry in the cache line of the last
    group = ((block >> np.uint64(3)) * _SPREAD) >> np.uint64(24)
    return ((group ^ block) << _ONE) & np.uint64(table.size - 1)


@njit
def _find(table: Any, block: Any) -> Any:
    """Place where the entry of a block is, or belongs: its key, and its moment right behind."""
    at = _home(table, block)
    while table[at] != block and table[at] != _NOBODY:
        at = (at + np.uint64(2)) & np.uint64(table.size - 1)
    return at


@njit
def _add(tree: Any, word: Any, change: Any) -> None:
    at = word + 1
    while at < tree.size:
        tree[at] += change
        at += at & -at


@njit
def _before(tree: Any, word: Any) -> Any:
    """Number of bits set in the words before this one."""
    total = 0
    at = word
    while at > 0:
        total += tree[at]
        at &= at - 1
    return total


def _observe(
    blocks: Any,
    start: Any,
    row: Any,
    table: Any,
    owners: Any,
    bits: Any,
    tree: Any,
    numbers: Any,
    distances: Any,
) -> Any:
    """Reference blocks from `start` on, until memory is used up; returns where it stopped."""
    found = np.empty(1, dtype=np.bool_)
    clock, live, known = numbers[CLOCK], numbers[LIVE], numbers[KNOWN]
    last = _NOBODY
    i = start
    while i < blocks.size and clock < owners.size and 4 * known < table.size:
        block = blocks[i]
        if block == last:
            distances[i] = 0
            i += 1
            continue
        last = block
        place = near(row, np.uint64(0), block)
        if place >= 0:
            distances[i] = place
            i += 1
            continue
        leaving = row[LANES - 1]
        places = touch(row, np.uint64(0), block, _ALL, found, np.uint64(0), LANES)
        if places:
            distances[i] = np.int64(place_of(places))
            i += 1
            continue
        if i + _AHEAD < blocks.size:
            _fetch(table, _home(table, blocks[i + _AHEAD]))
        at = _find(table, block)
        if table[at] == _NOBODY:
            distances[i] = -1
        else:
            moment = np.int64(table[at + _ONE])
            word = moment >> 6
            below = bits[word] & ((_ONE << np.uint64(moment & 63)) - _ONE)
            distances[i] = LANES + live - 1 - _before(tree, word) - _ones_of(below)
            bits[word] ^= _ONE << np.uint64(moment & 63)
            _add(tree, word, -1)
            live -= 1
        if leaving != _NOBODY:
            at = _find(table, leaving)
            if table[at] == _NOBODY:
                table[at] = leaving
                known += 1
            table[at + _ONE] = clock
            owners[clock] = at
            bits[clock >> 6] |= _ONE << np.uint64(clock & 63)
            _add(tree, clock >> 6, 1)
            live += 1
            clock += 1
        i += 1
    numbers[CLOCK], numbers[LIVE], numbers[KNOWN] = clock, live, known
    return i


def _compact(table: Any, old_bits: Any, old_owners: Any, owners: Any, bits: Any, tree: Any) -> None:
    """Renumber the moments that have a bit from 0 on, into memory that is zero."""
    clock = 0
    for word in range(old_bits.size):
        left = old_bits[word]
        while left:
            owner = old_owners[word * 64 + np.int64(place_of(left))]
            left &= left - _ONE
            owners[clock] = owner
            table[owner + _ONE] = clock
            bits[clock >> 6] |= _ONE << np.uint64(clock & 63)
            clock += 1
    # the tree in O(n): when a node is reached, all of its children have added themselves to it
    for word in range(bits.size):
        at = word + 1
        tree[at] += _ones_of(bits[word])
        above = at + (at & -at)
        if above < tree.size:
            tree[above] += tree[at]


def _rehash(old_table: Any, table: Any, bits: Any, owners: Any) -> None:
    """Move all entries to a larger table that is empty."""
    for old in range(0, old_table.size, 2):
        if old_table[old] != _NOBODY:
            table[_find(table, old_table[old])] = old_table[old]
    for word in range(bits.size):
        left = bits[word]
        while left:
            moment = word * 64 + np.int64(place_of(left))
            left &= left - _ONE
            at = _find(table, old_table[owners[moment]])
            owners[moment] = at
            table[at + _ONE] = moment


observe = compiled(_observe, lru_row)
compact = compiled(_compact, lru_row)
rehash = compiled(_rehash, lru_row)
