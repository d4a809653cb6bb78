"""Tables 4 and 5 of ISCA 2017 as data, and the claim-language text of their rows.

Units as printed, taken literally: o in cycles; L in cycles, which section 4 makes cycles per
offload on chip and cycles per byte on the discrete GPU and the APU; C in cycles per byte, which
the model reads as cycles/B**beta with the granularity in bytes. The SHA rows follow the table's
layout, in which o, C and A belong to the benchmark and L to the device.
"""

from dataclasses import dataclass

__all__ = [
    "COMPLEXITY",
    "LARGEST",
    "ON_CHIP",
    "ROWS",
    "SMALLEST",
    "Row",
    "affine",
    "idle",
    "pays",
    "table5",
    "values",
]

SMALLEST, LARGEST = 16, 2**25
"""Least and greatest granularity that the paper measures [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of Table 5.

    Parameters
    ----------
    device, kernel : str
        The accelerator and what it computes [text].
    latency : str
        "constant" or "linear", by section 4 [text].
    L : int
        Latency [cycles] per offload, or [cycles/B].
    o : int
        Overhead [cycles].
    C : int
        Computational index [cycles/B**beta].
    A : int
        Acceleration [1].
    """

    device: str
    kernel: str
    latency: str
    L: int
    o: int
    C: int
    A: int


def _gpu(device: str, L: int, o: int, A: int) -> tuple[Row, ...]:
    indices = {"AES": 174, "Radix Sort": 290, "GEMM": 2, "FFT": 290, "Binary Search": 116}
    return tuple(
        Row(device=device, kernel=kernel, latency="linear", L=L, o=o, C=C, A=A)
        for kernel, C in indices.items()
    )


def _crypto(device: str, kernel: str, L: int, o: int, C: int, A: int) -> Row:
    return Row(device=device, kernel=kernel, latency="constant", L=L, o=o, C=C, A=A)


ROWS: tuple[Row, ...] = (
    *_gpu("Discrete GPU", 3000, 200_000_000, 30),
    *_gpu("APU", 15, 400_000_000, 7),
    _crypto("UltraSPARC T2", "AES", 1500, 29_000, 90, 19),
    _crypto("UltraSPARC T2", "SHA", 1500, 10_500, 72, 12),
    _crypto("SPARC T3", "AES", 1500, 27_000, 90, 12),
    _crypto("SPARC T3", "SHA", 1500, 10_500, 72, 10),
    _crypto("SPARC T4", "AES", 500, 435, 32, 12),
    _crypto("SPARC T4", "SHA", 500, 16_000, 32, 10),
    _crypto("SPARC T4 instr.", "AES", 4, 111, 32, 12),
    _crypto("SPARC T4 instr.", "SHA", 4, 1638, 32, 10),
    _crypto("Sandy Bridge", "AES", 3, 10, 35, 6),
)
"""Table 5."""

ON_CHIP = tuple(row for row in ROWS if row.latency == "constant")
"""The rows with granularity-independent latency, by section 4."""

COMPLEXITY: dict[str, tuple[str, str]] = {
    "AES": ("1", "1.01"),
    "SHA": ("1", "0.97"),
    "GEMM": ("1.7", "1.7"),
    "FFT": ("1.2", "1.2"),
    "Radix Sort": ("1", "0.94"),
    "Binary Search": ("0.14", "0.14"),
}
"""Exponent beta [1] in the text of section 5, and in Table 4."""


def _row(device: str, kernel: str) -> Row:
    return next(row for row in ROWS if (row.device, row.kernel) == (device, kernel))


def table5(device: str, kernel: str, *symbols: str) -> tuple[str, ...]:
    """A row as hypotheses: the form of latency and the parameters, or only those named [text].

    Examples
    --------
    >>> table5("UltraSPARC T2", "AES")
    ('latency == constant', 'o == 29000', 'L == 1500', 'C == 90', 'A == 19')
    >>> table5("APU", "AES", "L", "C")
    ('latency == linear', 'L == 15', 'C == 174')
    """
    row = _row(device, kernel)
    wanted = symbols or ("o", "L", "C", "A")
    return (
        f"latency == {row.latency}",
        *(f"{symbol} == {getattr(row, symbol)}" for symbol in wanted),
    )


def values(device: str, kernel: str) -> str:
    """A row as the arguments of a quantity, its latency in the form that the claim fixes [text].

    Examples
    --------
    >>> values("Sandy Bridge", "AES")
    'o=10, L=3, C=35, A=6'
    """
    row = _row(device, kernel)
    return f"o={row.o}, L={row.L}, C={row.C}, A={row.A}"


def affine(device: str, kernel: str) -> str:
    """A row as the arguments of a quantity with affine latency, to compare both forms [text].

    Examples
    --------
    >>> affine("APU", "AES")
    'o=400000000, L0=0, L1=15, C=174, A=7'
    """
    row = _row(device, kernel)
    latency = f"L0={row.L}, L1=0" if row.latency == "constant" else f"L0=0, L1={row.L}"
    return f"o={row.o}, {latency}, C={row.C}, A={row.A}"


def pays(parameter: str, at: str) -> str:
    """That a tenfold improvement of a parameter gains at least 20 percent there [text].

    Examples
    --------
    >>> pays("o", "g=16")
    'gain_o(r=10, g=16) >= 6/5'
    """
    return f"gain_{parameter}({', '.join(filter(None, ('r=10', at)))}) >= 6/5"


def idle(parameter: str, at: str) -> str:
    """That a tenfold improvement of a parameter gains less than 20 percent there [text].

    Examples
    --------
    >>> idle("A", "")
    'gain_A(r=10) < 6/5'
    """
    return pays(parameter, at).replace(">=", "<")
