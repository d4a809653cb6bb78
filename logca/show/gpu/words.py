"""Meaning of a prediction, in words."""

from collections.abc import Iterator, Sequence
from math import isfinite, prod

from logca.common.readable_numbers import count, duration, number_text, percent, prefix_of
from logca.common.sizes import amount
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.prediction.result import Copies, KernelPrediction, Prediction
from logca.gpu.stages.blocks_and_occupancy import Layout
from logca.gpu.stages.unit_bounds import BOUNDS
from logca.trace.profiling.names import short_names

__all__ = [
    "bandwidth_words",
    "bound_words",
    "combining_words",
    "copies_words",
    "dependence_words",
    "file_names",
    "headline",
    "interval_words",
    "kernel_headline",
    "launch_words",
    "residence_words",
    "shape",
    "unit_words",
]


def shape(numbers: Sequence[int]) -> str:
    """Extents by directions, without the directions that are not used.

    Examples
    --------
    >>> shape((32, 32, 1)), shape((256, 1, 1)), shape((1, 1, 1)), shape((1, 4))
    ('32 x 32', '256', '1', '1 x 4')
    """
    kept = list(numbers)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return " x ".join(map(str, kept))


def headline(prediction: Prediction) -> str:
    """Sentences: how long which loops take on which device, and what stays on the host.

    With the share of the executed instructions that they are, what bounds them, and the model. If
    their order matters the time is only one that they could take; if the model leaves out many of
    their accesses it is the least.
    """
    verb = "could take" if prediction.against_dependences else "take"
    on = f"{verb} {_time(prediction)} on {prediction.device}"
    longest, several = prediction.longest, len(prediction.kernels) > 1
    if several:
        share = percent(longest.time_s, prediction.time_s)
        on += f", {share} % of it at line {longest.line or '?'}"
    parts = [f"model {prediction.model}"]
    work, traced = prediction.work_size, prediction.trace_size
    if work:
        parts.append(", ".join(f"{name} = {size}" for name, size in work.items()))
    moved = {name: size for name, size in traced.items() if work.get(name) != size}
    if moved:
        sizes = ", ".join(f"{name} = {size}" for name, size in moved.items())
        parts[-1] += f" (traced at {sizes})"
    loops = f"{_loops(prediction)}, {percent(prediction.share, 1)} % of the executed instructions,"
    bound = f"bound by {longest.bound}{_condition(prediction)}"
    return f"{loops} {on}, {bound}; {', '.join(parts)}.{_left_out(prediction)}"


def interval_words(time_s: float, interval_s: tuple[float, float] | None) -> str:
    """A time, with the interval in which the measured one is expected, if there is one.

    Examples
    --------
    >>> interval_words(1.8e-3, (1.31e-3, 2.47e-3)), interval_words(9.6e-4, (8e-4, 1.1e-3))
    ('1.8 ms (1.3 to 2.5)', '960 µs (800 to 1100)')
    >>> interval_words(2e-3, None)
    '2 ms'
    """
    if interval_s is None:
        return duration(time_s)
    number, unit = duration(time_s, 3).split()
    scale = prefix_of(float(f"{time_s:.3g}"))
    low, high = (f"{each / scale:.2g}" for each in interval_s)
    return f"{number} {unit} ({float(low):g} to {float(high):g})"


def _time(found: Prediction | KernelPrediction) -> str:
    """The time; where the model leaves out many accesses that it is the least, and what it has."""
    if not found.understated:
        return interval_words(found.time_s, found.interval_s)
    share = f"{percent(found.counted, 1)} % of the accesses to memory"
    return f"at least {duration(found.time_s)} (innermost loops only, {share})"


def _condition(prediction: Prediction) -> str:
    """Condition under which the time is that of the program; empty if there is none."""
    told = [kernel for kernel in prediction.kernels if kernel.against]
    if not told:
        return ""
    more = sum(len(kernel.against) for kernel in told) - 1
    others = "" if not more else f" and {more} {'other' if more == 1 else 'others'}"
    return (
        f", if line {told[0].line or '?'} did not carry {told[0].against[0]}{others}: as written "
        "its iterations wait for each other"
    )


def _left_out(prediction: Prediction) -> str:
    """Sentence on the largest part that stays on the host; empty if there is none."""
    parts = prediction.left_out
    if not parts:
        return ""
    first, rest = parts[0], len(parts) - 1
    which = "hottest loop, at" if first.share > prediction.share else "loop at"
    what = f"the {which} {first.place}" if first.line else first.place
    more = f", and {rest} other{'s' if rest > 1 else ''}" if rest else ""
    return f" On the host stays {what} ({percent(first.share, 1)} %){more}."


def _loops(prediction: Prediction) -> str:
    """Which loops are predicted: their line, or their file, if they are in one."""
    names = file_names(prediction)
    files = dict.fromkeys(names[kernel.file] or "the program" for kernel in prediction.kernels)
    where = " and ".join(files) if len(files) < 3 else f"{len(files)} files"
    if len(prediction.kernels) == 1:
        where = f"line {prediction.longest.line or '?'} of {where}"
        return f"The loops at {where}"
    return f"The loops of {where}"


def file_names(prediction: Prediction) -> dict[str, str]:
    """Files of kernels and accesses by their paths, as short as they can be told apart."""
    files = [kernel.file for kernel in prediction.kernels]
    return short_names([*files, *(access.file for access in prediction.accesses)])


def kernel_headline(kernel: KernelPrediction) -> str:
    """Sentence: how long a kernel takes, where it is, and what bounds it."""
    where = f"line {kernel.line or '?'} of {kernel.function}"
    verb = "could take" if kernel.against else "take"
    return f"The loops at {where} {verb} {_time(kernel)}, bound by {kernel.bound}."


def launch_words(kernel: KernelPrediction) -> str:
    """Threads, and the grid of blocks that they form."""
    grid = kernel.layout
    threads = f"{grid.threads:,} {'thread' if grid.threads == 1 else 'threads'}"
    if len(grid.extents) > 1:
        threads += f" ({' x '.join(map(str, grid.shape[: len(grid.extents)]))})"
    several = f"{count(kernel.launches)} launches, the slowest sampled one with"
    return f"{'1 launch of' if kernel.launches == 1 else several} {threads} in {_blocks(grid)}"


def _blocks(grid: Layout) -> str:
    of = f"of {shape(grid.block)}"
    if grid.blocks == 1:
        return f"1 block {of}"
    arranged = f" ({shape(grid.grid)})" if prod(grid.grid) != grid.grid[0] else ""
    return f"{grid.blocks:,} blocks{arranged} {of}"


def residence_words(kernel: KernelPrediction) -> str:
    """Blocks and warps that run at a time, what limits them, and the batches."""
    full = kernel.occupancy
    limit = "the grid has no more" if full.limit == "grid" else f"limited by {full.limit}"
    active = "1 block" if full.active_blocks == 1 else f"{full.active_blocks} blocks"
    warps = "1 warp" if full.active_warps == 1 else f"{full.active_warps} warps"
    batches = "1 batch" if kernel.batches == 1 else f"{number_text(kernel.batches)} batches"
    return f"{active} = {warps} at a time on a multiprocessor ({limit}), {batches}"


def combining_words(kernel: KernelPrediction) -> Iterator[str]:
    """Words on what gathering values takes; none of a kernel that gathers none."""
    if kernel.timing is not None and kernel.timing.cycles_combining:
        share = percent(kernel.timing.cycles_combining, kernel.timing.cycles)
        blocks = kernel.occupancy.concurrent_blocks
        every = count(blocks * kernel.layout.threads_per_block)
        strided = (
            f", in {blocks} blocks of which each thread takes every {every}th iteration"
            if kernel.layout.blocks > blocks
            else ""
        )
        yield (
            f"{count(round(kernel.timing.cycles_combining))} cycles of a launch, {share} %"
            f"{strided}; wang2017 has no such kernels"
        )
    for each in kernel.reduction:
        if each.hottest_share:
            yield (
                f"{percent(each.hottest_share, 1)} % of the updates of {each.name or 'memory'} "
                "reach the same element, and wait for each other"
            )


def bandwidth_words(kernel: KernelPrediction) -> str:
    """Bytes to and from main memory over the time, and their share of what the device can do."""
    share = percent(kernel.bandwidth_share, 1) if kernel.bandwidth_share <= 1 else ""
    told = f"{number_text(kernel.bandwidth / 1e9)} GB/s to and from main memory, "
    if share:
        return f"{told}{share} % of the peak"
    return (
        f"{told}{number_text(kernel.bandwidth_share)} times the peak: this model does not limit "
        "it, model logca does"
    )


def copies_words(copies: Copies) -> str:
    """Bytes that go over the link before and after the kernels, and the time that takes."""
    ways = []
    for name, words, total in (
        ("to_gpu", "to the GPU", copies.to_gpu),
        ("to_host", "to the host", copies.to_host),
    ):
        arrays = [each.name for each in copies.arrays if getattr(each, name)]
        if arrays:
            ways.append(f"{amount(round(total))} {words} ({', '.join(arrays)})")
    if not ways:
        return "none: the kernels reach no memory of the host"
    return (
        f"{duration(copies.time_s)}, not in the time above: {' and '.join(ways)}, over a link of "
        f"{number_text(copies.link_bandwidth / 1e9)} GB/s with {duration(copies.link_latency_s)} a "
        "copy"
    )


def bound_words(kernel: KernelPrediction) -> str:
    """Bound that decides the time, and its meaning.

    The cases are those of hong2009, from which wang2017 has eqs 16 and 17.
    """
    timing = kernel.timing
    if kernel.bound == "launch overhead":
        return "the launch itself, which takes longer than the kernel"
    if kernel.bound == "bandwidth":
        return "bandwidth of main memory: its bytes take longer than all else"
    if timing is None:
        return _unit_bound_words(kernel)
    mwp, cwp, warps = number_text(timing.mwp), number_text(timing.cwp), timing.active_warps
    if kernel.bound == "atomic updates":
        return "atomic updates of the same element, which go one after another"
    if kernel.bound == "combining":
        return "combining partial results, which takes longer than the iterations"
    if timing.bound not in ("memory", "computation"):
        return f"{timing.bound}, which take most of a warp's time"
    if not isfinite(timing.mwp_full):
        return "computation: the model counts no access to memory through the L2 cache"
    if timing.bound == "computation":
        return (
            "computation: while a warp waits for memory the others have enough to compute, as CWP "
            f"{cwp} is below MWP {mwp}"
        )
    if timing.mwp >= warps:
        return (
            f"memory latency: all {warps} active warps can wait at once (MWP is N), and memory "
            "could serve more of them; more warps, or more to compute for each access, would hide "
            "the wait"
        )
    return (
        f"memory: {mwp} of the {warps} active warps have an access under way at a time (MWP), and "
        f"computation (CWP {cwp}) is hidden behind them"
    )


_UNITS = {
    "main_memory": "its bytes to and from main memory",
    "l2": "sectors that cross between L2 and a multiprocessor",
    "l2_slices": "sectors that L2 takes, where one stored in part costs several",
    "stores": "sectors that a multiprocessor stores",
    "l1": "accesses in their pipe",
    "issue": "what its schedulers issue",
    "pipes": "the busiest pipe of arithmetic",
    "latency": "waiting for loads, arithmetic and barriers, in one wave of blocks after another",
}


def _unit_bound_words(kernel: KernelPrediction) -> str:
    """The unit that bounds a kernel by model bounds, and by how much."""
    found = kernel.bounds
    if found is None or kernel.bound not in BOUNDS.values():
        return f"{kernel.bound}, which takes longer than all else"
    name = next(each for each, known in BOUNDS.items() if known == kernel.bound)
    longer = (
        f", {number_text(found.margin)} times as long as the next bound, {found.next}"
        if found.next
        else ""
    )
    return f"{kernel.bound}: {duration(found.bounds[name])} for {_UNITS[name]}{longer}"


def unit_words(kernel: KernelPrediction) -> Iterator[str]:
    """Least time of each unit for a launch, longest first; none by other models than bounds."""
    if kernel.bounds is None:
        return
    found = kernel.bounds
    told = sorted(found.bounds.items(), key=lambda pair: -pair[1])
    parts = [f"{BOUNDS[name]} {duration(time)}" for name, time in told if time]
    yield ", ".join([*parts, f"launch {duration(found.overhead_s)}"])


def dependence_words(found: Carried, collapse: int) -> str:
    """Which thread depends on which, and through what."""
    first, second = (_thread(each, collapse) for each in found.iterations)
    what = found.sink.array or found.source.array or "memory"
    source, sink = found.source.line, found.sink.line
    here = "there" if source == sink else f"in line {source}"
    said = {
        "flow": f"{second} reads {what} in line {sink} after {first} wrote it {here}",
        "anti": f"{second} writes {what} in line {sink} after {first} read it {here}",
        "output": f"{second} writes {what} in line {sink} after {first} wrote it {here}",
    }[found.kind]
    often = "once" if found.count == 1 else f"{count(found.count)} times"
    return f"{said}; {'at least ' if found.partly else ''}{often}"


def _thread(iterations: Sequence[int], collapse: int) -> str:
    thread = ", ".join(map(str, iterations[:collapse]))
    inside = ", ".join(map(str, iterations[collapse:]))
    return f"thread ({thread}){f', iteration ({inside}),' if inside else ''}"
