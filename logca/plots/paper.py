"""The figures of altaf2017 as data: what is drawn in each, from Table 5, with captions of ours."""

from collections.abc import Callable

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.paper.devices import find_device
from logca.plots.drawing import Drawing, Panel

__all__ = ["FIGURES", "paper_figure"]

_NO_POINTS = "The measured points of the paper are printed nowhere as numbers and are not drawn."
_CARD = "The PCIe crypto card has an empty frame, because the paper prints no parameters of it."
_HSA = "The HSA GPU has an empty frame, because the paper prints no parameters of it."
_EMPTY = "no parameters\nare printed"
_MARKS = "Filled marks are break-even points g1, open ones half-peak points gA/2."
_ONCE = (
    "The discrete GPU is drawn with the latency of Table 5 for every byte, as section 4 has it, "
    "and once per offload, with which the paper's sentences on it hold."
)
_FOUR = {"column": 2, "page": 4}


def paper_figure(name: str) -> Drawing:
    """A figure of the paper.

    Examples
    --------
    >>> paper_figure("Fig. 1b").name
    'fig1b'
    """
    letters = "".join(each for each in name.lower() if each.isalnum())
    return FIGURES[f"fig{letters.removeprefix('figure').removeprefix('fig')}"]()


def _of(device: str, kernel: str, latency: str | None = None) -> Accelerator:
    return find_device(device, kernel).accelerator(latency=latency)


def _one(
    letter: str,
    title: str,
    device: str,
    kernel: str,
    kind: str = "speedup",
    speedups: tuple[float, float] | None = None,
) -> Panel:
    shown = (_of(device, kernel),)
    return Panel(kind=kind, accelerators=shown, title=title, letter=letter, speedups=speedups)


def _fig1b() -> Drawing:
    return Drawing(
        name="fig1b",
        title="Speedup of AES on different accelerators",
        caption=f"The same kernel breaks even at different granularities. {_MARKS} {_ONCE} "
        f"{_NO_POINTS}",
        panels=(
            Panel(
                kind="speedup",
                accelerators=(
                    _of("ultrasparc-t2", "aes"),
                    _of("sparc-t4", "aes"),
                    _of("sparc-t4-instructions", "aes"),
                    _of("discrete-gpu", "aes"),
                    _of("discrete-gpu", "aes", "constant"),
                ),
                names=(
                    "UltraSPARC T2",
                    "SPARC T4",
                    "SPARC T4 instr.",
                    "GPU, L per byte",
                    "GPU, L per offload",
                ),
                speedups=(1e-3, 1e2),
            ),
        ),
    )


def _fig3() -> Drawing:
    return Drawing(
        name="fig3",
        title="The performance metrics",
        caption="Break-even g1, where the speedup is 1, and half-peak gA/2, where it is half of "
        "the acceleration A that it tends to. The paper's figure is a sketch; this is AES on "
        "UltraSPARC T2.",
        panels=(_one("", "UltraSPARC T2, AES", "ultrasparc-t2", "aes", "metrics"),),
    )


def _fig4() -> Drawing:
    return Drawing(
        name="fig4",
        title="Compute-bound and latency-bound kernels",
        caption="(a) With constant latency the speedup tends to the acceleration A. (b) With "
        "latency per byte a linear kernel stays below C/L as well. The paper's figure is a "
        "sketch; these are AES on UltraSPARC T2 and on the discrete GPU.",
        panels=(
            _one("a", "compute-bound", "ultrasparc-t2", "aes", "bounds", (1e-2, 1e2)),
            _one("b", "latency-bound", "discrete-gpu", "aes", "bounds", (1e-5, 1e3)),
        ),
        columns={"column": 2, "page": 2},
    )


def _fig5() -> Drawing:
    t2 = _of("ultrasparc-t2", "aes")
    headings = {"L": "latency", "o": "overhead", "C": "index", "A": "acceleration"}
    return Drawing(
        name="fig5",
        title="Gain from a tenfold improvement of each parameter",
        caption="AES on UltraSPARC T2. Shaded is where the speedup gains at least 20 percent; a "
        "dotted line is the cut-off granularity.",
        panels=tuple(
            Panel(
                kind="sensitivity", accelerators=(t2,), title=title, letter=letter, parameter=name
            )
            for letter, (name, title) in zip("abcd", headings.items(), strict=True)
        ),
        columns=_FOUR,
    )


def _fig6() -> Drawing:
    return Drawing(
        name="fig6",
        title="Optimization regions of AES on UltraSPARC T2",
        caption="Each region is labelled with the parameters of which a tenfold improvement gains "
        "at least 20 percent; arrows show the range of each, bars its cut-off granularities.",
        panels=(_one("", "UltraSPARC T2, AES", "ultrasparc-t2", "aes", "regions"),),
    )


def _fig7() -> Drawing:
    devices = (
        ("Discrete GPU", "discrete-gpu"),
        ("APU", "apu"),
        ("UltraSPARC T2", "ultrasparc-t2"),
        ("SPARC T3", "sparc-t3"),
        ("SPARC T4", "sparc-t4"),
        ("SPARC T4 instr.", "sparc-t4-instructions"),
        ("Sandy Bridge", "sandy-bridge"),
    )
    return Drawing(
        name="fig7",
        title="Speedup of AES on all accelerators",
        caption=f"{_MARKS} The dashed line is the acceleration A. {_CARD} {_NO_POINTS}",
        panels=(
            Panel(kind="missing", title="PCIe crypto card", letter="a", note=_EMPTY),
            *(
                _one(letter, title, device, "aes", speedups=(1e-3, 1e2))
                for letter, (title, device) in zip("bcdefgh", devices, strict=True)
            ),
        ),
        columns=_FOUR,
    )


def _fig8() -> Drawing:
    devices = (
        ("UltraSPARC T2", "ultrasparc-t2"),
        ("SPARC T3", "sparc-t3"),
        ("SPARC T4", "sparc-t4"),
        ("SPARC T4 instr.", "sparc-t4-instructions"),
    )
    return Drawing(
        name="fig8",
        title="Speedup of SHA on the on-chip accelerators",
        caption=f"{_MARKS} The dashed line is the acceleration A. {_NO_POINTS} They deviate below "
        "64 B, the size of a block of SHA.",
        panels=tuple(
            _one(letter, title, device, "sha", speedups=(1e-2, 1e2))
            for letter, (title, device) in zip("abcd", devices, strict=True)
        ),
        columns=_FOUR,
    )


def _fig9() -> Drawing:
    kernels = (
        ("Radix sort", "radix-sort", (1e-3, 1e2)),
        ("GEMM", "gemm", (1e-3, 1e2)),
        ("FFT", "fft", (1e-3, 1e2)),
        ("Binary search", "binary-search", (1e-8, 1e-5)),
    )
    return Drawing(
        name="fig9",
        title="Speedup of four kernels on the discrete GPU and the APU",
        caption=f"{_MARKS} Latency is per byte. {_NO_POINTS}",
        panels=tuple(
            Panel(
                kind="speedup",
                accelerators=(_of("discrete-gpu", kernel), _of("apu", kernel)),
                names=("GPU", "APU"),
                title=title,
                letter=letter,
                speedups=speedups,
            )
            for letter, (title, kernel, speedups) in zip("abcd", kernels, strict=True)
        ),
        columns=_FOUR,
    )


def _fig10() -> Drawing:
    return Drawing(
        name="fig10",
        title="Optimization regions of AES on five crypto accelerators",
        caption=f"Drawn as Fig. 6. {_CARD}",
        panels=(
            Panel(kind="missing", title="PCIe crypto card", letter="a", note=_EMPTY),
            _one("b", "UltraSPARC T2", "ultrasparc-t2", "aes", "regions"),
            _one("c", "SPARC T3", "sparc-t3", "aes", "regions"),
            _one("d", "SPARC T4", "sparc-t4", "aes", "regions"),
            _one("e", "SPARC T4 instr.", "sparc-t4-instructions", "aes", "regions"),
        ),
        columns={"column": 2, "page": 3},
    )


def _fig11() -> Drawing:
    return Drawing(
        name="fig11",
        title="Optimization regions of matrix multiplication on three GPUs",
        caption=f"Drawn as Fig. 6. {_HSA}",
        panels=(
            _one("a", "Discrete GPU", "discrete-gpu", "gemm", "regions"),
            _one("b", "APU", "apu", "gemm", "regions"),
            Panel(kind="missing", title="HSA GPU", letter="c", note=_EMPTY),
        ),
        columns={"column": 2, "page": 3},
    )


FIGURES: dict[str, Callable[[], Drawing]] = {
    made.__name__.removeprefix("_"): made
    for made in (_fig1b, _fig3, _fig4, _fig5, _fig6, _fig7, _fig8, _fig9, _fig10, _fig11)
}
"""The figures that can be redrawn, by name."""
