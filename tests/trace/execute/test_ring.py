"""The ring, with a program that is played by the test."""

import os

import numpy as np
import pytest

from logca.common.limits import Limits
from logca.trace.execute.process import Ring, ring_buffer
from logca.trace.instrument.records import PAGE_BYTES, StateWord

BASE = 1 << 20
RECORDS = 512


class Player:
    """Does what runtime.c does."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        ring.state[StateWord.RING] = BASE
        self.begin()

    def begin(self) -> None:
        state, chunks = self.ring.state, len(self.ring.chunks)
        start = BASE + 8 * RECORDS * (int(state[StateWord.HANDED]) % chunks)
        state[StateWord.CURSOR], state[StateWord.END] = start, start + 8 * RECORDS

    def write(self, values: list[int]) -> None:
        state = self.ring.state
        chunk = self.ring.chunks[int(state[StateWord.HANDED]) % len(self.ring.chunks)]
        place = (int(state[StateWord.CURSOR]) - BASE) // 8 % RECORDS
        chunk[place : place + len(values)] = values
        state[StateWord.CURSOR] += np.uint64(8 * len(values))

    def announce(self) -> None:
        state = self.ring.state
        start = int(state[StateWord.END]) - 8 * RECORDS
        count = (int(state[StateWord.CURSOR]) - start) // 8
        state[StateWord.HANDED] += np.uint64(1)
        os.write(self.ring.theirs[1], count.to_bytes(8, "little"))


def taken(ring: Ring) -> list[list[int]]:
    return [chunk.tolist() for chunk in ring.taken()]


def test_chunks_come_in_order_and_the_rest_last() -> None:
    with ring_buffer(PAGE_BYTES, Limits(), records=RECORDS) as ring:
        player = Player(ring)
        assert taken(ring) == []
        assert ring.rest().tolist() == []
        for number in range(10):
            player.write([number] * (number + 1))
            player.announce()
            player.begin()
            if number % 3 == 2:
                assert taken(ring) == [[n] * (n + 1) for n in range(number - 2, number + 1)]
        player.write([77, 78])
        assert taken(ring) == [[9] * 10]
        assert ring.rest().tolist() == [77, 78]


def test_a_program_that_dies_while_it_hands_a_chunk_over() -> None:
    with ring_buffer(PAGE_BYTES, Limits(), records=RECORDS) as ring:
        player = Player(ring)
        player.write([1, 2, 3])
        player.announce()
        assert taken(ring) == [[1, 2, 3]]
        assert ring.rest().tolist() == []
        player.begin()
        player.write([4])
        ring.state[StateWord.HANDED] += np.uint64(1)
        assert taken(ring) == []
        assert ring.rest().tolist() == [4]


def test_as_many_tokens_as_there_are_chunks() -> None:
    with ring_buffer(PAGE_BYTES, Limits(), records=RECORDS) as ring:
        os.set_blocking(ring.theirs[2], False)
        assert os.read(ring.theirs[2], 100) == b"\0" * (len(ring.chunks) - 1)
        player = Player(ring)
        player.announce()
        with pytest.raises(BlockingIOError):
            os.read(ring.theirs[2], 1)
        assert len(taken(ring)) == 1
        assert os.read(ring.theirs[2], 100) == b"\0"


def test_limits_are_in_the_header_and_descriptors_are_closed() -> None:
    with ring_buffer(PAGE_BYTES, Limits(memory_B=12345), records=RECORDS) as ring:
        assert int(ring.state[StateWord.LIMIT_MEMORY]) == 12345
        descriptors = (*ring.theirs, ring.full, ring.free)
    for descriptor in descriptors:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


def test_what_is_taken_does_not_change_any_more() -> None:
    """A program that goes on writing into it made each reader see another record, one for ever."""
    with ring_buffer(PAGE_BYTES, Limits(), records=RECORDS) as ring:
        player = Player(ring)
        player.write([1, 2, 3])
        player.announce()
        (chunk,) = ring.taken()
        ring.chunks[0][:3] = 9
        assert chunk.tolist() == [1, 2, 3]
