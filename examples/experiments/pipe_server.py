"""The process behind the pipes of `pipes`: it answers messages until there are no more."""

import os
import signal
import sys
from io import BufferedReader
from typing import BinaryIO

from logca.examples.experiments.openssl_kernels import CipherLoop, address, kernel, openssl
from logca.examples.experiments.pipes import HEADER

__all__ = ["main"]


def main() -> None:
    """Say what OpenSSL knows of the CPU, then answer data with their result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the end of the pipe says when to leave
    crypto = openssl()
    found = kernel(sys.argv[1], crypto, fast=False)
    back = sys.stdout.buffer
    back.write(" ".join(map(str, crypto.capabilities)).encode() + b"\n")
    back.flush()
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as there:
        _serve(found, there, back)


def _serve(found: CipherLoop, there: BufferedReader, back: BinaryIO) -> None:
    given, result = bytearray(), bytearray()
    while header := there.read(HEADER):
        size = int.from_bytes(header, sys.byteorder)
        answer_size = found.result_size(size)
        if len(given) < size:  # the pages of earlier messages are kept
            given = bytearray(size)
        if len(result) < answer_size:
            result = bytearray(answer_size)
        if there.readinto(memoryview(given)[:size]) != size:
            return
        found.restart()
        found.loop(1, address(given), size, address(result))
        back.write(memoryview(result)[:answer_size])
        back.flush()


if __name__ == "__main__":
    main()
