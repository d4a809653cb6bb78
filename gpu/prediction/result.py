"""Results of a prediction: of the program, of each of its kernels, of each of their accesses."""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.common import results
from logca.gpu.loops.host_parts import HostPart
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.stages import Rows
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy
from logca.gpu.stages.timing import Timing
from logca.gpu.stages.unit_bounds import LaunchBounds

__all__ = [
    "AccessReport",
    "KernelPrediction",
    "Prediction",
    "ReachedArray",
    "ReductionReport",
    "understated",
]

_UNCOUNTED = 0.25
"""Accesses that a model leaves out matter from this share of all on [1]."""


def understated(counted: float) -> bool:
    """True if a time that counts this share of the accesses to memory is too short."""
    return 1 - counted > _UNCOUNTED


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReport:
    """A static access as the warps of a kernel make it.

    Parameters
    ----------
    file, line, column : str, int, int
        Its place in the source; 0 if unknown [text, 1, 1].
    array : str
        What it reaches; empty if unknown.
    store : bool
        Whether it writes.
    size : int
        What a thread reads or writes at a time [B].
    executions : float
        How often a thread executes it in a launch, at the work size [1].
    pattern : str
        "constant", "coalesced" or "uncoalesced", what most of its warp instructions are.
    share : float
        Share of its warp instructions that are [1].
    stride : int
        Between neighbouring threads, that of most warp instructions [B].
    transactions : float
        L2 transactions of a warp instruction, from the addresses [1].
    dram : float
        Those of them that go on to main memory [1].
    shared : bool
        Whether it reaches an array in shared memory, and so no cache.
    stride_share : float
        Share of its warp instructions that have this stride [1].
    """

    file: str
    line: int
    column: int
    array: str
    store: bool
    size: int
    executions: float
    pattern: str
    share: float
    stride: int
    transactions: float
    dram: float
    shared: bool = False
    stride_share: float = 1.0

    @property
    def regular(self) -> bool:
        """True if at least half of its warp instructions have the same stride."""
        return self.stride_share >= 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class ReductionReport:
    """A value that the threads of a kernel gather, or elements of an array that they update.

    Parameters
    ----------
    name, operation : str
        What the source calls it, and how values are combined: "sum", "product", "minimum",
        "maximum", "extreme" for one of both, "and", "or", "xor".
    how : str
        How the threads do it, in words.
    hottest_share : float
        Share of the updates that reach the same element, of the one that most of them reach, as
        seen in the first accesses; 0 of a single value, which each thread gathers by itself [1].
    """

    name: str
    operation: str
    how: str
    hottest_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelPrediction:
    """A loop nest as a kernel.

    Parameters
    ----------
    function, file, line : str, str, int
        Where its outermost loop stands [text, text, 1].
    calls : tuple of str
        ``file:line`` of the calls that lead to it, innermost first, where the same loop is reached
        from several; ``file:line:column`` where their lines do not tell them apart.
    collapse : int
        Loops that become threads [1].
    reason : str
        Why these.
    launches : int
        How often it is launched [1].
    layout : Layout
        Grid and blocks of a launch, the largest if they differ.
    occupancy : Occupancy
        How full the device is then.
    timing : Timing or None
        How long that launch's threads take; None by model bounds.
    bound : str
        What decides the time of that launch: "memory", "computation", "bandwidth", "launch
        overhead", or what is most of a kernel in tiles; by model bounds one of its units.
    time_s : float
        Time of all launches [s].
    cycles : float
        The same [cycles].
    counted : float
        Share of the accesses to memory by its threads that this time counts: model paper leaves out
        those outside of innermost loops [1].
    bandwidth : float
        Bytes to and from main memory, over that time [B/s].
    bandwidth_share : float
        Its share of the device's bandwidth [1].
    accesses : tuple of AccessReport
        In program order.
    dependences : tuple of Carried
        Between threads, which would make their order matter.
    against : tuple of str
        What the loops that become threads carry, in registers and through memory: with any of
        these the time is that of a kernel that would have to be written otherwise.
    reduction : tuple of ReductionReport
        What its threads gather; mostly nothing.
    notes : tuple of str
        What a reader should know.
    stages : mapping of str to rows
        What each stage found, for that launch.
    compiled_files : frozenset of str
        The program's files whose lines are shown: those that the compiler read.
    bounds : LaunchBounds or None
        How long each unit of the GPU takes at least for that launch; None by other models than
        bounds.
    interval_s : tuple of float or None
        Times of all launches between which the measured one is expected, of 95 % of kernels; None
        by other models than bounds [s].
    """

    function: str
    file: str
    line: int
    calls: tuple[str, ...]
    collapse: int
    reason: str
    launches: int
    layout: Layout
    occupancy: Occupancy
    timing: Timing | None
    bound: str
    time_s: float
    cycles: float
    counted: float
    bandwidth: float
    bandwidth_share: float
    accesses: tuple[AccessReport, ...]
    dependences: tuple[Carried, ...]
    against: tuple[str, ...]
    reduction: tuple[ReductionReport, ...]
    notes: tuple[str, ...]
    stages: Mapping[str, Rows]
    compiled_files: frozenset[str]
    bounds: LaunchBounds | None = None
    interval_s: tuple[float, float] | None = None

    @property
    def understated(self) -> bool:
        """True if the time is at least that, as the model leaves out many accesses to memory."""
        return understated(self.counted)

    @property
    def of_warps(self) -> Timing:
        """The timing by MWP and CWP; not of model bounds."""
        assert self.timing is not None
        return self.timing

    @property
    def mwp(self) -> float | None:
        """Memory warp parallelism [1] (wang2017, eq. 13); None by model bounds."""
        return None if self.timing is None else self.timing.mwp

    @property
    def cwp(self) -> float | None:
        """Computation warp parallelism [1] (wang2017, eq. 14); None by model bounds."""
        return None if self.timing is None else self.timing.cwp

    @property
    def batches(self) -> float:
        """Number of times that a launch fills the device [1] (wang2017, eq. 15)."""
        return self.occupancy.batches

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedArray:
    """An array as a kernel reaches it."""

    name: str  # what the source calls it
    read: bool  # whether the kernel reads it, or writes it only in part
    written: bool  # whether it writes it
    range: float  # from the first to the last byte that it reaches [B]
    pieces: int = 1  # pieces of memory that it lies in, each of which is copied by itself [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedArray:
    """An array that is copied for the kernels of a program."""

    name: str  # what the source calls it
    # to_gpu, to_host: bytes that are copied before the first kernel, after the last; 0: none [B]
    to_gpu: float
    to_host: float
    pieces: int = 1  # copies, one for each piece of memory that the array lies in [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Copies between host and GPU that a program's kernels need, once for all of them."""

    # of each array the range that the kernels reach; it stays on the GPU between kernels
    arrays: tuple[CopiedArray, ...]
    time_s: float  # time of all copies, one after the other, which is in no other time [s]
    link_bandwidth: float  # bandwidth of the link, one way [B/s]
    link_latency_s: float  # time of a copy besides its bytes [s]
    reached: tuple[tuple[ReachedArray, ...], ...] = ()  # the arrays of each kernel, in order

    @property
    def to_gpu(self) -> float:
        """Bytes that are copied to the GPU [B]."""
        return sum(array.to_gpu for array in self.arrays)

    @property
    def to_host(self) -> float:
        """Bytes that are copied to the host [B]."""
        return sum(array.to_host for array in self.arrays)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The time of a program's loops on a GPU.

    Parameters
    ----------
    device, model : str
        The GPU, and the model.
    kernels : tuple of KernelPrediction
        In program order.
    trace_size, work_size : mapping of str to int
        Macros at the size that was traced and at the size that is predicted; empty if the program
        was traced as it is [1].
    notes : tuple of str
        What a reader should know.
    share : float
        Share of the instructions that the program executes, at the work size, in these kernels [1].
    counted : float
        Share of the accesses to memory by the kernels' threads that the time counts: model paper
        leaves out those outside of innermost loops [1].
    left_out : tuple of HostPart
        What stays on the host and has at least a hundredth of the instructions, largest first.
    copies : Copies or None
        Copies that the kernels need, in no other time; None by other models than bounds.
    """

    device: str
    model: str
    kernels: tuple[KernelPrediction, ...]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    notes: tuple[str, ...]
    share: float
    counted: float
    left_out: tuple[HostPart, ...]
    copies: Copies | None = None

    @property
    def understated(self) -> bool:
        """True if the time is at least that, as the model leaves out many accesses to memory."""
        return understated(self.counted)

    @property
    def against_dependences(self) -> tuple[str, ...]:
        """Dependences that kernels carry and are predicted in spite of; mostly none."""
        return tuple(
            f"{kernel.file}:{kernel.line} carries {what}"
            for kernel in self.kernels
            for what in kernel.against
        )

    @property
    def longest(self) -> KernelPrediction:
        """The kernel that takes most of the time."""
        return max(self.kernels, key=lambda kernel: kernel.time_s)

    @property
    def time_s(self) -> float:
        """Time of all launches of all kernels [s]."""
        return sum(kernel.time_s for kernel in self.kernels)

    @property
    def interval_s(self) -> tuple[float, float] | None:
        """Times between which the measured one is expected; None by other models than bounds [s].

        Kernels are taken to be off in the same direction.
        """
        ends = [kernel.interval_s for kernel in self.kernels if kernel.interval_s is not None]
        if len(ends) < len(self.kernels):
            return None
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    @property
    def cycles(self) -> float:
        """Sum of the kernels' cycles [cycles]."""
        return sum(kernel.cycles for kernel in self.kernels)

    @property
    def mwp(self) -> float | None:
        """Memory warp parallelism of the longest kernel [1]; None by model bounds."""
        return self.longest.mwp

    @property
    def cwp(self) -> float | None:
        """Computation warp parallelism of the longest kernel [1]; None by model bounds."""
        return self.longest.cwp

    @property
    def batches(self) -> float:
        """Number of times that a launch of the longest kernel fills the device [1]."""
        return self.longest.batches

    @property
    def accesses(self) -> tuple[AccessReport, ...]:
        """Of all kernels."""
        return tuple(access for kernel in self.kernels for access in kernel.accesses)

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def _lines(prediction: Prediction) -> list[str]:
    found = [results.answer(prediction)]
    for kernel in prediction.kernels:
        shape = " x ".join(map(str, kernel.layout.shape[: len(kernel.layout.extents)]))
        warps = "" if kernel.timing is None else f"MWP {kernel.mwp:.4g}, CWP {kernel.cwp:.4g}, "
        found.append(
            f"  {kernel.file}:{kernel.line} {kernel.function}: {kernel.time_s * 1e3:.6g} ms, "
            f"{kernel.launches} x ({shape} threads), {warps}bound by {kernel.bound}"
        )
        found += [
            f"    line {access.line}: {'store' if access.store else 'load'} {access.array or '?'} "
            f"{access.pattern}, {access.transactions:.3g} transactions, {access.dram:.3g} DRAM"
            for access in kernel.accesses
        ]
        found += [f"    note: {note}" for note in kernel.notes]
    return found + [f"  note: {note}" for note in prediction.notes]
