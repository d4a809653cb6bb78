"""A computation in another process: data through one pipe, the result back through another."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader, BufferedWriter

from logca.common.processes import command
from logca.examples.experiments.openssl_switch import environment
from logca.numeric.measure.experiment import ExperimentError

__all__ = ["HEADER", "Pipe", "piped"]

_SERVER = "logca.examples.experiments.pipe_server"

HEADER = 8
"""Bytes before the data that say how many there are, in the order of the machine [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipe:
    """A process behind two pipes, and what it said first."""

    process: subprocess.Popen[bytes]  # the other process
    # there, back: where data are written, and the result is read
    there: BufferedWriter
    back: BufferedReader
    # first two words of what the other process's OpenSSL knows of the CPU [1]
    capabilities: tuple[int, ...]
    result_size: Callable[[int], int]  # size of the result of data of a size [B]

    def message(self, data: bytes | memoryview) -> bytes:
        """Message to send: the length of the data, and the data."""
        return b"".join((len(data).to_bytes(HEADER, sys.byteorder), data))

    def call(self, message: bytes, answer: memoryview) -> None:
        """Send a message and wait for its whole answer."""
        try:
            self.there.write(message)
            self.there.flush()
        except BrokenPipeError:
            raise ExperimentError("the process behind the pipe has ended") from None
        if self.back.readinto(answer) != len(answer):
            raise ExperimentError("the process behind the pipe has ended")

    def compute(self, data: bytes) -> bytes:
        """The result of one call."""
        answer = bytearray(self.result_size(len(data)))
        self.call(self.message(data), memoryview(answer))
        return bytes(answer)

    def close(self) -> None:
        """End the other process."""
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):  # of what was not sent any more
            self.there.close()
        self.back.close()


def piped(name: str, result_size: Callable[[int], int]) -> Pipe:
    """Start the other process, with all instructions that the CPU has; it ends with this one."""
    process = subprocess.Popen(
        command(_SERVER, name),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(None),
    )
    there, back = process.stdin, process.stdout
    assert isinstance(there, BufferedWriter)
    assert isinstance(back, BufferedReader)
    words = back.readline()
    if not words.endswith(b"\n"):
        raise ExperimentError(f"the process behind the pipe ends at once ({process.wait()})")
    return Pipe(
        process=process,
        there=there,
        back=back,
        capabilities=tuple(map(int, words.split())),
        result_size=result_size,
    )
