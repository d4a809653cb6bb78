"""Rows of Tables 4 and 5 of ISCA 2017 as the claims use them, and their claim-language text.

The numbers, and how the tables are read, are in `logca.numeric.paper`. Units as printed, taken
literally: o in cycles; L in cycles, which section 4 makes cycles per offload on chip and cycles per
byte on the discrete GPU and the APU; C in cycles per byte, which the model reads as cycles/B**beta
with the granularity in bytes.
"""

from dataclasses import dataclass

from logca.numeric.paper.devices import Device, devices
from logca.numeric.paper.platforms import kernels

__all__ = [
    "COMPLEXITY",
    "EXPONENTS",
    "LARGEST",
    "ON_CHIP",
    "ROWS",
    "PrintedRow",
    "affine",
    "idle",
    "pays",
    "region",
    "step",
    "table5",
    "values",
]

EXPONENTS = ("beta=1", "beta=1.01")
"""Of linear kernels such as AES: in the text of section 5, and in Table 4."""

SMALLEST, LARGEST = 16, 2**25
"""Least and greatest granularity that the paper measures [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """A row of Table 5."""

    # device, kernel: the accelerator and what it computes
    device: str
    kernel: str
    latency: str  # "constant" or "linear", by section 4
    L: int  # latency [cycles] per offload, or [cycles/B]
    o: int  # overhead [cycles]
    C: int  # computational index [cycles/B**beta]
    A: int  # acceleration [1]


def _row_of(device: Device) -> PrintedRow:
    return PrintedRow(
        device=device.device_title,
        kernel=device.kernel_title,
        latency=device.latency,
        L=_whole(device.L),
        o=_whole(device.o),
        C=_whole(device.C),
        A=_whole(device.A),
    )


def _whole(value: float) -> int:
    """A number that is text of a claim; a float would not be exact there."""
    if not isinstance(value, int):
        raise TypeError(f"Table 5 has whole numbers only, not {value!r}")
    return value


ROWS: tuple[PrintedRow, ...] = tuple(map(_row_of, devices()))
"""Table 5."""

ON_CHIP = tuple(row for row in ROWS if row.latency == "constant")
"""The rows with granularity-independent latency, by section 4."""

COMPLEXITY: dict[str, tuple[str, str]] = {
    kernel.title: (str(kernel.beta), str(kernel.beta_table4)) for kernel in kernels()
}
"""Exponent beta [1] in the text of section 5, and in Table 4."""


def _row(device: str, kernel: str) -> PrintedRow:
    return next(row for row in ROWS if (row.device, row.kernel) == (device, kernel))


def table5(device: str, kernel: str, *symbols: str) -> tuple[str, ...]:
    """A row as hypotheses: the form of latency and the parameters, or only those named.

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
    """A row as the arguments of a quantity, its latency in the form that the claim fixes.

    Examples
    --------
    >>> values("Sandy Bridge", "AES")
    'o=10, L=3, C=35, A=6'
    """
    row = _row(device, kernel)
    return f"o={row.o}, L={row.L}, C={row.C}, A={row.A}"


def affine(device: str, kernel: str) -> str:
    """A row as the arguments of a quantity with affine latency, to compare both forms.

    Examples
    --------
    >>> affine("APU", "AES")
    'o=400000000, L0=0, L1=15, C=174, A=7'
    """
    row = _row(device, kernel)
    latency = f"L0={row.L}, L1=0" if row.latency == "constant" else f"L0=0, L1={row.L}"
    return f"o={row.o}, {latency}, C={row.C}, A={row.A}"


def pays(parameter: str, at: str) -> str:
    """That a tenfold improvement of a parameter gains at least 20 percent there.

    Examples
    --------
    >>> pays("o", "g=16")
    'gain_o(r=10, g=16) >= 6/5'
    """
    return f"gain_{parameter}({', '.join(filter(None, ('r=10', at)))}) >= 6/5"


def idle(parameter: str, at: str) -> str:
    """That a tenfold improvement of a parameter gains less than 20 percent there.

    Examples
    --------
    >>> idle("A", "")
    'gain_A(r=10) < 6/5'
    """
    return pays(parameter, at).replace(">=", "<")


def step(parameter: str, inside: int, outside: int, at: str = "") -> tuple[str, ...]:
    """That the gain crosses 20 percent between two granularities [B], at both exponents of AES."""
    ends = (pays, inside), (idle, outside)
    return tuple(
        gain(parameter, ", ".join(filter(None, (at, f"g={size}, {beta}"))))
        for beta in EXPONENTS
        for gain, size in ends
    )


def region(label: str, at: str) -> tuple[str, ...]:
    """That the parameters of the label are the bottlenecks there, and no others."""
    return tuple(pays(p, at) if p in label else idle(p, at) for p in ("o", "L", "C", "A"))
