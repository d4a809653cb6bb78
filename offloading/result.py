"""The answer of `logca.offload`, with all that it rests on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from logca.common import results
from logca.gpu.loops.host_parts import HostPart
from logca.numeric.fit.fit import Fit
from logca.numeric.generated import application, energy, gpu_bounds
from logca.offloading.array_flows import HOST, OUTSIDE
from logca.offloading.beside_caches import BesideCaches
from logca.offloading.break_even import PayingRange, interpolated, last_range, paying_ranges
from logca.offloading.gpu_times import GpuTime
from logca.offloading.links.copy_link import CopyLink

__all__ = [
    "Alternative",
    "BestLoops",
    "BreakEven",
    "Offload",
    "SizePoint",
    "break_even",
]


_VALUE = 8.0
"""Bytes of a value that a loop gathers [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePoint:
    """Both paths at one size."""

    size: int  # value of the macro [1]
    host_runs_s: tuple[float, ...]  # times of the loops on the host; one if not measured [s]
    measured: bool  # whether the host was measured, or its time goes on from smaller sizes
    host_loops_s: tuple[float, ...]  # of each loop in the fastest run; empty if not known [s]
    program_s: float | None  # time of the whole program on the host, where it was measured [s]
    gpu: GpuTime  # the kernels on the GPU

    @property
    def host_s(self) -> float:
        """Least of the times on the host, as whatever else runs there only adds to it [s]."""
        return min(self.host_runs_s)

    @property
    def bytes(self) -> float:
        """Granularity: the data of the loops, each array once [B]."""
        return sum(max(array.to_gpu, array.to_host) for array in self.gpu.arrays)

    @property
    def array_bytes(self) -> Mapping[str, float]:
        """Bytes of each array that is copied, and of each value that a loop gathers [B]."""
        gathered = dict.fromkeys((flow.array for flow in self.gpu.flows), _VALUE)
        arrays = {array.name: max(array.to_gpu, array.to_host) for array in self.gpu.arrays}
        return gathered | arrays

    @property
    def pieces(self) -> Mapping[str, int]:
        """Pieces of memory that arrays lie in, each of which is copied by itself [1]."""
        return {array.name: array.pieces for array in self.gpu.arrays}

    def copy_s(self, array: str, link: CopyLink) -> float:
        """Time of one copy of an array, in all of its pieces [s]."""
        return _copies_s(self.pieces.get(array, 1), self.array_bytes[array], link)

    def copied(
        self, resident: Collection[str] = (), loops: Collection[int] | None = None
    ) -> tuple[int, float]:
        """Copies that are made, and their bytes, where some arrays stay on the GPU [1, B]."""
        sizes, pieces = self.array_bytes, self.pieces
        every = range(len(self.gpu.kernels)) if loops is None else loops
        number, moved = 0, 0.0
        for flow in self.gpu.flows:
            there = {*every, OUTSIDE} if flow.array in resident else {*every}
            times = flow.copies(there)
            number += times * pieces.get(flow.array, 1)
            moved += times * sizes[flow.array]
        return number, moved

    def directions(self, resident: Collection[str] = ()) -> Mapping[str, Sequence[str]]:
        """Which ways each array is copied, in or out, where some arrays stay on the GPU."""
        every = {*range(len(self.gpu.kernels))}
        found: dict[str, set[str]] = {}
        for flow in self.gpu.flows:
            there = every | ({OUTSIDE} if flow.array in resident else set())
            if flow.copies(there):
                found.setdefault(flow.array, set()).add("out" if flow.writer in there else "in")
        return {name: sorted(ways) for name, ways in found.items()}

    @property
    def between(self) -> frozenset[str]:
        """Arrays, and values that loops gather, that the host reaches again and again."""
        return frozenset(
            flow.array
            for flow in self.gpu.flows
            if flow.times > 1 and (flow.writer == HOST or HOST in flow.readers)
        )

    def starting_s(self, link: CopyLink, resident: Collection[str] = ()) -> float:
        """Time that starting the copies takes, without their bytes [s]."""
        number, _ = self.copied(resident)
        return _copies_s(number, 0, link)

    def copies_s(
        self,
        link: CopyLink,
        resident: Collection[str] = (),
        loops: Collection[int] | None = None,
    ) -> float:
        """Time of the copies; with `loops` if only these are offloaded, by their places [s]."""
        return _copies_s(*self.copied(resident, loops), link)


def _copies_s(number: int, moved: float, link: CopyLink) -> float:
    return float(
        gpu_bounds.time_copies(
            copies=number,
            copied_bytes=moved,
            link_bandwidth=link.bandwidth,
            link_latency=link.latency,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Something that could be done, and the time of the accelerated path with it."""

    name: str  # what it is, in words
    # accelerated_s, interval_s: for each size the time, and the ends of its interval [s]
    accelerated_s: tuple[float, ...]
    interval_s: tuple[tuple[float, float], ...]
    power_w: float | None = None  # of a device's board, at most, if it is about a device [W]

    @property
    def energy_j(self) -> float | None:
        """Energy of the device at the largest size, at most: all along at its full power [J]."""
        if self.power_w is None:
            return None
        # of the model of eq. 1 only the whole time counts here; it is half of C, as A = 2
        return float(
            energy.energy_accelerated(
                1.0,
                o=0.0,
                L=0.0,
                C=2 * self.accelerated_s[-1],
                A=2.0,
                p_overhead=self.power_w,
                p_link=self.power_w,
                p_accelerator=self.power_w,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BestLoops:
    """The loops that are best offloaded together at one size; at least one."""

    loops: tuple[int, ...]  # their places among the loops that could be [1]
    pays: bool  # whether that takes less time than to offload none
    time_s: float  # of all loops, here and there, with the copies between them [s]
    proven: bool  # whether a certificate proves that no other choice of loops takes less


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """From which size on an offload pays, of one way to do it."""

    ranges: tuple[PayingRange, ...]  # sizes at which it pays, as predicted
    # early, late: the same if the GPU is as fast, or as slow, as its interval allows
    early: tuple[PayingRange, ...]
    late: tuple[PayingRange, ...]
    best: float  # greatest speedup at one of the sizes [1]
    best_size: int  # at this size [1]

    @property
    def lasting(self) -> PayingRange | None:
        """The range up to the largest size; None if it does not pay there."""
        return last_range(self.ranges)

    @property
    def least(self) -> float | None:
        """The size from which on it pays; None if at all sizes, or not at the largest [1]."""
        found = self.lasting
        return None if found is None else found.least

    @property
    def certain(self) -> bool:
        """True if it pays at the largest size, or does not, whatever the interval allows."""
        return (last_range(self.early) is None) == (last_range(self.late) is None)


def break_even(points: Collection[SizePoint], way: Alternative) -> BreakEven:
    """Where a way to offload pays."""
    sizes = [point.size for point in points]
    host = [point.host_s for point in points]
    speedups = [own / other for own, other in zip(host, way.accelerated_s, strict=True)]
    best = max(range(len(sizes)), key=speedups.__getitem__)
    fast, slow = zip(*way.interval_s, strict=True)
    return BreakEven(
        ranges=paying_ranges(sizes, host, way.accelerated_s),
        early=paying_ranges(sizes, [median(point.host_runs_s) for point in points], fast),
        late=paying_ranges(sizes, host, slow),
        best=speedups[best],
        best_size=sizes[best],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Offload:
    """Sizes at which it pays to offload the loops of a program, and what would help.

    Parameters
    ----------
    device : str
        The accelerator.
    link : CopyLink
        How it is reached.
    host : str
        The host that it is compared with.
    macro : str
        The macro that sets the size.
    loops : tuple of (str, int, int)
        File, first and last line of the offloaded loops.
    compiled_files : frozenset of str
        The program's files whose lines are shown: those that the compiler read.
    share : float
        Their share of the instructions that the program executes, at the size of the source [1].
    resident : tuple of str
        Arrays that are taken to be on the GPU before and after.
    points : tuple of SizePoint
        Both paths, size by size.
    way : Alternative
        The accelerated path as it was asked for.
    alternatives : tuple of Alternative
        What could be done instead.
    together : tuple of BestLoops
        For each point the loops that are best offloaded together, with copies between them and the
        rest: the exact optimum. None of a single loop.
    beside_caches : tuple of BesideCaches
        The best partitions for a reconfigurable accelerator; none if that was not asked for.
    against : tuple of str
        Dependences that kernels carry and are predicted in spite of; mostly none.
    left_out : tuple of HostPart
        What stays on the host, and why.
    fits : tuple of Fit
        LogCA fitted to both curves, over the bytes of the data; then to those of a GPU that is as
        fast, and as slow, as the interval of its prediction allows. None where there are too few
        sizes, or the data do not grow.
    notes : tuple of str
        What a reader should know.
    """

    device: str
    link: CopyLink
    host: str
    macro: str
    loops: tuple[tuple[str, int, int], ...]
    compiled_files: frozenset[str]
    share: float
    resident: tuple[str, ...]
    points: tuple[SizePoint, ...]
    way: Alternative
    alternatives: tuple[Alternative, ...]
    together: tuple[BestLoops, ...]
    beside_caches: tuple[BesideCaches, ...]
    against: tuple[str, ...]
    left_out: tuple[HostPart, ...]
    fits: tuple[Fit, ...]
    notes: tuple[str, ...]

    @property
    def fitted(self) -> Fit | None:
        """LogCA fitted to both curves; None if there is no fit."""
        return self.fits[0] if self.fits else None

    def interval(self, name: str) -> tuple[float, float]:
        """Interval of a parameter, with the error of the prediction in it [unit of it].

        Parameters
        ----------
        name : str
            o, L, C, A, beta, g1, g1_upper, gA2 or peak.

        Raises
        ------
        FitError
            If there is no such quantity.
        """
        ends = [each.interval(name) for each in self.fits]
        return min(low for low, _, _ in ends), max(high for _, high, _ in ends)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Values of the macro [1]."""
        return tuple(point.size for point in self.points)

    @property
    def break_even(self) -> BreakEven:
        """Where it pays as it was asked for."""
        return break_even(self.points, self.way)

    def program_speedup(self, place: int) -> float | None:
        """Speedup of the whole program at one of the sizes [1]; None where it was not timed.

        The rest of it stays on the host (isca2017, eq. 4).
        """
        point = self.points[place]
        if point.program_s is None:
            return None
        return float(
            application.application_ceiling(
                A=point.host_s / self.way.accelerated_s[place],
                f=min(1.0, point.host_s / point.program_s),
            )
        )

    def together_from(self, loop: int) -> float | None:
        """The first size from which on a loop is among the best together; None if not at last [1].

        By its place among the kernels.
        """
        first: float | None = None
        for point, best in zip(self.points, self.together, strict=True):
            first = first or point.size if best.pays and loop in best.loops else None
        return first

    def of(self, way: Alternative) -> BreakEven:
        """Where it pays in another way."""
        return break_even(self.points, way)

    def bytes_at(self, size: float) -> float:
        """Bytes of the data at a size [B]."""
        data = [point.bytes for point in self.points]
        return interpolated(self.sizes, data, size) if all(data) else 0.0

    def parts_at(self, place: int) -> Mapping[str, float]:
        """Parts of the accelerated time at one of the sizes, by their names [s]."""
        point = self.points[place]
        starting = point.starting_s(self.link, self.resident)
        return {
            "launches": point.gpu.launching_s,
            "starts of copies": starting,
            "bytes of copies": point.copies_s(self.link, self.resident) - starting,
            "kernels": point.gpu.time_s - point.gpu.launching_s,
        }

    def __str__(self) -> str:
        return results.answer(self)

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame
