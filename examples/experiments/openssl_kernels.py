"""AES-128 and SHA-256 in the OpenSSL that Python itself is linked to, called in a tight loop.

A call through ctypes costs some 0.5 us, as much as OpenSSL needs for a hundred bytes. Where numba
is installed it compiles the loop of calls, which then cost a few nanoseconds.
"""

import ctypes
import ctypes.util
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from logca.common.extras import require
from logca.numeric.measure.experiment import ExperimentError

__all__ = ["IV", "KEY", "CipherLoop", "OpenSSL", "address", "compiled", "kernel", "openssl"]

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
"""Key of the examples of NIST SP 800-38A."""

IV = bytes(range(16))
"""Initialisation vector of its examples of CBC."""

_CPU_SETTINGS = 1008  # OPENSSL_INFO_CPU_SETTINGS of openssl/crypto.h
_ADDRESS = ctypes.c_size_t  # numba knows it as a whole number; a typed pointer it does not
_DIGEST = 32

Loop = Callable[[int, int, int, int], None]
"""loop(calls [1], address of the data, size [B], address of the result)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSSL:
    """A libcrypto, version 3 or later."""

    library: ctypes.CDLL  # the library
    version: str  # what it calls itself
    capabilities: tuple[int, ...]  # first two words of what it knows of the CPU [1]

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """One of its functions, with the types of its result and its arguments."""
        found = self.library[name]  # a new object each time: no types but these
        found.restype = result
        found.argtypes = arguments
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CipherLoop:
    """A computation that can be repeated on the same data."""

    loop: Loop  # calls it again and again; state, such as that of a chain of blocks, goes on
    restart: Callable[[], Any]  # forgets such state
    keep: tuple[Any, ...]  # what must live as long as the kernel
    is_compiled: bool = False  # whether the loop is [1]
    digest: int | None = None  # size of the result; that of the data if left out [B]

    def result_size(self, size: int) -> int:
        """Size of the result [B]."""
        return size if self.digest is None else self.digest

    def compute(self, data: bytes) -> bytes:
        """The result for data, from the start."""
        self.restart()
        given, result = bytearray(data), bytearray(self.result_size(len(data)))
        self.loop(1, address(given), len(data), address(result))
        return bytes(result)


def address(data: bytearray) -> int:
    """Where data lie, until the next change of their size [1]."""
    return ctypes.addressof(ctypes.c_char.from_buffer(data)) if data else 0


def openssl() -> OpenSSL:
    """The libcrypto of this Python, else that of the system."""
    library = next((each for each in map(_loaded, _places()) if each is not None), None)
    if library is None:
        raise ExperimentError(
            "there is no OpenSSL 3 (libcrypto) that Python can load: "
            "install it (apt install libssl3, dnf install openssl-libs), or use a Python that is "
            "linked to it"
        )
    found = OpenSSL(library=library, version="", capabilities=())
    settings = found.function("OPENSSL_info", ctypes.c_char_p, ctypes.c_int)(_CPU_SETTINGS) or b""
    words = settings.decode().partition("=")[2].partition(" ")[0].split(":")
    return OpenSSL(
        library=library,
        version=found.function("OpenSSL_version", ctypes.c_char_p, ctypes.c_int)(0).decode(),
        capabilities=tuple(
            int(word, 16) for word in words[:2] if re.fullmatch("0x[0-9a-f]+", word)
        ),
    )


def kernel(name: str, crypto: OpenSSL, *, fast: bool) -> CipherLoop:
    """A computation, ready."""
    found = _digest(crypto) if name == "sha256" else _cipher(name, crypto)
    faster = compiled(found.loop) if fast else None
    return found if faster is None else replace(found, loop=faster, is_compiled=True)


def compiled(loop: Loop) -> Loop | None:
    """The loop in machine code; None without numba."""
    try:
        numba = require("numba", "fast")
    except ImportError:
        return None
    faster: Loop = numba.njit(nogil=True)(loop)
    return faster


def _places() -> list[str | None]:
    """Where the library may be, the one that Python uses first."""
    try:
        import _hashlib  # its own name space finds what it is linked to

        own = getattr(_hashlib, "__file__", None)
    except ImportError:
        own = None
    names = ("crypto", "libcrypto-3-x64", "libcrypto-3")
    return [own, *(ctypes.util.find_library(each) for each in names)]


def _loaded(place: str | None) -> ctypes.CDLL | None:
    if place is None:
        return None
    try:
        library = ctypes.CDLL(place)
    except OSError:
        return None
    return library if hasattr(library, "OPENSSL_info") else None


def _cipher(name: str, crypto: OpenSSL) -> CipherLoop:
    integer, fetched = ctypes.c_int, f"EVP_{name.replace('-', '_')}"
    context: int = crypto.function("EVP_CIPHER_CTX_new", _ADDRESS)()
    begin = crypto.function("EVP_EncryptInit_ex", integer, *(ctypes.c_void_p,) * 5)
    update = crypto.function("EVP_EncryptUpdate", integer, *(_ADDRESS,) * 4, integer)
    cipher = crypto.function(fetched, ctypes.c_void_p)()
    if not context or begin(context, cipher, None, KEY, IV) != 1:
        raise ExperimentError(f"{crypto.version} refuses {name}; use one that allows it")
    written = ctypes.c_int()
    place = ctypes.addressof(written)

    def loop(calls: int, data: int, size: int, result: int) -> None:
        for _ in range(calls):
            update(context, result, place, data, size)

    return CipherLoop(
        loop=loop,
        restart=lambda: begin(context, None, None, None, IV),
        keep=(update, written),
    )


def _digest(crypto: OpenSSL) -> CipherLoop:
    integer = ctypes.c_int
    context: int = crypto.function("EVP_MD_CTX_new", _ADDRESS)()
    fetch = crypto.function("EVP_MD_fetch", _ADDRESS, *(ctypes.c_void_p,) * 3)
    digest: int = fetch(None, b"SHA256", None)
    begin = crypto.function("EVP_DigestInit_ex", integer, *(_ADDRESS,) * 3)
    update = crypto.function("EVP_DigestUpdate", integer, *(_ADDRESS,) * 3)
    end = crypto.function("EVP_DigestFinal_ex", integer, *(_ADDRESS,) * 3)
    if not context or not digest or begin(context, digest, 0) != 1:
        raise ExperimentError(f"{crypto.version} refuses sha256; use one that allows it")

    def loop(calls: int, data: int, size: int, result: int) -> None:
        for _ in range(calls):
            begin(context, digest, 0)
            update(context, data, size)
            end(context, result, 0)

    return CipherLoop(loop=loop, restart=_nothing, keep=(begin, update, end), digest=_DIGEST)


def _nothing() -> None:
    pass
