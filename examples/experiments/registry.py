"""Experiments by name; none is imported before it is asked for."""

__all__ = ["EXPERIMENTS"]

_HERE = "logca.examples.experiments"

EXPERIMENTS: dict[str, tuple[str, str, str]] = {
    "aes": (
        f"{_HERE}.openssl",
        "open_aes",
        "AES-128 in OpenSSL: the CPU's AES instructions off and on",
    ),
    "sha256": (
        f"{_HERE}.openssl",
        "open_sha256",
        "SHA-256 in OpenSSL: the CPU's SHA instructions off and on",
    ),
    "aes-pipe": (
        f"{_HERE}.openssl_pipe",
        "open_aes_pipe",
        "AES-128 without AES instructions, and with them in a process behind a pipe",
    ),
    "sha256-pipe": (
        f"{_HERE}.openssl_pipe",
        "open_sha256_pipe",
        "SHA-256 without SHA instructions, and with them in a process behind a pipe",
    ),
    "numpy-loop": (
        f"{_HERE}.numpy_loop",
        "open_numpy_loop",
        "a cubic of each number: a Python loop, and NumPy",
    ),
    "numpy-threads": (
        f"{_HERE}.numpy_threads",
        "open_numpy_threads",
        "exponentials in NumPy: one thread, and several",
    ),
    "gemm": (f"{_HERE}.gpu", "open_gemm", "matrix product: NumPy, and a GPU"),
    "fft": (f"{_HERE}.gpu", "open_fft", "Fourier transform: NumPy, and a GPU"),
    "sort": (f"{_HERE}.gpu", "open_sort", "sorting: NumPy, and a GPU"),
    "search": (f"{_HERE}.gpu", "open_search", "binary search: NumPy, and a GPU"),
}
"""For each name the module, the function in it that opens the experiment, and what it measures."""
