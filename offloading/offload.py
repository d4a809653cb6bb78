"""From C source to the decision: which loops pay on an accelerator, from which size on, and why."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike

from logca.common.errors import FileError, LogcaError, TraceError
from logca.common.extras import MissingLibraryError, require
from logca.common.limits import Limits
from logca.common.near_misses import did_you_mean
from logca.common.readable_numbers import number_text
from logca.common.sizes import amount
from logca.gpu.devices import DEFAULT_DEVICE
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.devices.parameters import device as device_named
from logca.gpu.prediction.predict import Request, Source
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.timings.machine import machine_facts
from logca.numeric.timings.timings import LEAST_SIZES, Timings
from logca.offloading.beside_caches import beside_caches
from logca.offloading.given_accelerator import GivenAccelerator, given_accelerator
from logca.offloading.given_host import GivenHost, given_host, peak_rate
from logca.offloading.gpu_times import best_remedies
from logca.offloading.links.copy_link import CopyLink, copy_link, copy_links, link_of_device
from logca.offloading.result import Alternative, BestLoops, Offload, SizePoint, break_even
from logca.offloading.sizes import size_range
from logca.offloading.specifications import by_specification
from logca.offloading.study import Study, study_of
from logca.offloading.together import best_way
from logca.offloading.ways import (
    batched_way,
    packed_way,
    pipelined_way,
    remedied_way,
    way_to_offload,
)

__all__ = ["offload"]

_POINTS = 8
"""Sizes that are looked at first [1]."""
_CURVE_IS_OFF = 1.5
"""Times by which a fitted curve may miss a speedup before that is said [1]."""
_CALLS = 8
"""Calls that go together where it is told what that would gain [1]."""


def offload(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    size: str | None = None,
    device: str | PathLike[str] | GpuDevice = DEFAULT_DEVICE,
    others: Sequence[str | PathLike[str] | GpuDevice] = (),
    link: str | PathLike[str] | CopyLink | None = None,
    pageable: bool = False,
    resident: Collection[str] = (),
    advise: bool = False,
    host: str | None = None,
    accelerator: str | None = None,
    from_specs: bool = False,
    defines: Mapping[str, object] | None = None,
    args: Sequence[str] = (),
    stdin: bytes = b"",
    includes: Sequence[Source] = (),
    flags: Sequence[str] = (),
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Offload:
    """Decide if it pays to offload a C program's loops, from which size on, and what would help.

    The loops are those of `logca.gpu.predict`. On the host they are timed: compiled for this
    machine as by ``clang -O3 -march=native``, in their program, on one core. On the GPU they are
    predicted by model bounds. What is copied follows from the trace.

    Parameters
    ----------
    source : path or sequence of paths
        C files, one of them with `main`.
    function : str, optional
        Take only loops that are written in this function.
    size : str, optional
        The macro that holds the size, or the argument, and from which value to which, as
        "N=64:8192" or "arg1=64:8192"; only multiples of 16 as "N=64:8192:16", only powers of 2 as
        "N=64:8192:x2". By default what the source proposes.
    device : str, path or GpuDevice
        A GPU by name, or a TOML file; by default rtx-4090. Or numbers of any other accelerator, as
        "A=20,o=5us": how many times as fast as the host it computes [1], and its overhead for a
        launch [s].
    others : sequence
        Further devices of these kinds, to compare it with.
    link : str, path or CopyLink, optional
        A link by name, as "pcie4", by its numbers, as "20GB/s,5us", or a TOML file; by default
        that of each device, or pcie4.
    pageable : bool
        Whether memory of the host is copied as `malloc` gives it, and not page-locked.
    resident : collection of str
        Arrays that are on the GPU before and after, and are not copied.
    advise : bool
        Whether to try the remedies of `logca.gpu.advise` at the largest size.
    host : str, optional
        "cores" for all cores of this machine, through OpenMP; or another host by numbers, as
        "cores=16,speed=1.5,peak=90": its cores, how many times as fast as one of this machine each
        is [1], and its peak rate [GFLOP/s]. By default one core of this machine.
    accelerator : str, optional
        "reconfigurable" partitions the program for an accelerator beside the caches too
        (kenter2010).
    from_specs : bool
        Whether to add what LogCA says if A is the ratio of peak rates (altaf2017, section 4).
    defines : mapping, optional
        Macros for the compiler; None as value defines one without.
    args : sequence of str
        Arguments of the program.
    stdin : bytes
        Its standard input.
    includes, flags : sequence
        Folders of headers; further flags of the compiler.
    limits : Limits, optional
        Time, memory and output that a run of the program may take.
    progress : callable, optional
        Called with the name of each step.

    Raises
    ------
    TraceError
        If the program cannot be compiled or run, has no loop to offload, or the size changes
        nothing; its message says why.
    FileError
        If there is no such device, link, host or accelerator, or the program has no array of a
        name in `resident`.
    MissingCompilerError, MissingLibraryError
        If the extra `trace` is not installed.
    """
    given, on = given_accelerator(device), given_host(host)
    if accelerator not in (None, "reconfigurable"):
        raise FileError(
            f"accelerator {accelerator!r}: reconfigurable is the only other kind; --device names "
            "GPUs, or takes numbers such as A=20,o=5us"
        )
    request = Request.checked(
        source,
        function,
        device=device if given is None else DEFAULT_DEVICE,
        model="bounds",
        defines=defines,
        args=args,
        stdin=stdin,
        work={},
        includes=includes,
        flags=flags,
        limits=limits,
    )
    if accelerator:
        require("ortools", "partition")
    if from_specs:
        _check_specifications(given, on)
    way = _link(request.device, link)
    if pageable:
        way = way.pageable
    try:
        sizes = size_range(request.sources, size)
    except TraceError:
        request.sources.executable({})  # what the compiler says of the program matters more
        raise
    compared = [_compared(other) for other in others]
    study = study_of(request, sizes, given, on, progress)
    _check_resident(resident, study.arrays)
    points = study.measured(sizes.spread(_POINTS))
    _check_size(points, sizes.name)
    names = {array.name for point in points for array in point.gpu.arrays if array.name}
    _check_resident(resident, names)
    so_far = break_even(points, way_to_offload("", points, way, resident))
    points = study.measured(sizes.finer([point.size for point in points], so_far.ranges))
    asked = replace(
        way_to_offload("as asked for", points, way, resident),
        power_w=_power(request.device if given is None else given),
    )
    last = points[-1].gpu
    places = dict.fromkeys((each.file, each.line) for each in last.kernels)
    title = request.device.title if given is None else given.title
    host_words = on.words(str(machine_facts()["cpu"]))
    provenance = {
        "program": ", ".join(map(str, request.sources.paths)),
        "accelerator": f"{title}, predicted",
        "link": way.title,
        "host": host_words,
    }
    fits, why_not = _fits(points, asked, provenance)
    best, together, alone = _together(points, way, resident)
    beside, why_not_beside = (
        beside_caches(request, sizes, [point.size for point in points], progress)
        if accelerator
        else ((), "")
    )
    return Offload(
        device=title,
        link=way,
        host=host_words,
        macro=sizes.name,
        loops=tuple((file, line, study.ends.get((file, line), line)) for file, line in places),
        compiled_files=study.program.compiled_files,
        share=last.share,
        resident=tuple(dict.fromkeys(resident)),
        points=points,
        way=asked,
        together=together,
        beside_caches=beside,
        alternatives=(
            *best,
            *_alternatives(points, way, resident, names),
            *(_remedied(study, points, way, resident) if advise and given is None else ()),
            *(
                _by_specification(study, points, request.device, way, resident)
                if from_specs
                else ()
            ),
            *(
                _other_device(study, points, other, way if link else None, pageable, resident)
                for other in compared
            ),
        ),
        against=last.against,
        left_out=last.left_out,
        fits=fits,
        notes=tuple(
            dict.fromkeys(
                filter(
                    None,
                    [*study.notes(points), *why_not, alone, why_not_beside, *last.notes],
                )
            )
        ),
    )


def _compared(device: str | PathLike[str] | GpuDevice) -> GpuDevice | GivenAccelerator:
    """Another device, which is known before anything is measured."""
    given = given_accelerator(device)
    if given is not None:
        return given
    found = device_named(device)
    unit_rates(found)
    return found


def _check_specifications(given: GivenAccelerator | None, on: GivenHost) -> None:
    """Refuse to take A from specifications that there are not."""
    if given is not None:
        raise FileError(
            "an accelerator by its numbers has no specification: leave --from-specs out, or name a "
            "GPU first"
        )
    if peak_rate(on, 8) is None:
        raise FileError(
            "the specification of this machine's cores cannot be read: give GFLOP/s of one of "
            "them, such as --host peak=90"
        )


def _together(
    points: Sequence[SizePoint], link: CopyLink, resident: Collection[str]
) -> tuple[Sequence[Alternative], tuple[BestLoops, ...], str]:
    """The way to offload the best loops only, if not all are; these; and why there are none."""
    if len(points[-1].gpu.kernels) == 1:
        return (), (), ""
    try:
        require("ortools", "partition")
    except MissingLibraryError as error:
        return (), (), f"it is not told which loops are best offloaded together: {error}"
    way, best = best_way(points, link, resident)
    parted = any(len(each.loops) < len(points[-1].gpu.kernels) for each in best)
    return [way] if parted else [], best, ""


def _by_specification(
    study: Study,
    points: Sequence[SizePoint],
    device: GpuDevice,
    link: CopyLink,
    resident: Collection[str],
) -> Iterator[Alternative]:
    """The accelerated path by LogCA alone, with A from specifications."""
    first = points[0].gpu
    launch = first.launching_s / max(1, first.launches)
    found = by_specification(device, study.on, study.program, study.choice, launch)
    name = f"by specifications alone (altaf2017, section 4), A = {number_text(found.A)}"
    yield way_to_offload(name, study.with_numbers(found), link, resident)


def _remedied(
    study: Study, points: Sequence[SizePoint], link: CopyLink, resident: Collection[str]
) -> Iterator[Alternative]:
    """The kernels with the remedies that gain most, as they do at the largest size."""
    largest = points[-1].size
    study.progress(f"trying remedies, {study.sizes.name} = {largest}")
    found = best_remedies(study.arguments, study.sizes, largest)
    if found is not None:
        names, left = found
        name = f"{names} (kernels {1 / left:.3g} times as fast at {study.sizes.name} = {largest})"
        yield remedied_way(name, left, points, link, resident)


def _other_device(
    study: Study,
    points: Sequence[SizePoint],
    device: GpuDevice | GivenAccelerator,
    link: CopyLink | None,
    pageable: bool,
    resident: Collection[str],
) -> Alternative:
    """The accelerated path on another device, at the same sizes."""
    if isinstance(device, GivenAccelerator):
        own, others = link or copy_link("pcie4"), study.with_numbers(device)
    else:
        its = link or _link(device, None)
        own = its.pageable if pageable and link is None else its
        others = study.on_device(device, [point.size for point in points])
    found = way_to_offload(f"device {device.title}, link {own.name}", others, own, resident)
    return replace(found, power_w=_power(device))


def _power(device: GpuDevice | GivenAccelerator) -> float | None:
    """Power of a device at most; None if its file has none [W]."""
    rates = device.rates if isinstance(device, GpuDevice) else None
    return None if rates is None else rates.power


def _link(device: GpuDevice, asked: str | PathLike[str] | CopyLink | None) -> CopyLink:
    if isinstance(asked, CopyLink):
        return asked
    if asked is not None:
        return copy_link(asked)
    found = link_of_device(device)
    if found is None:
        raise FileError(
            f"the file of {device.title} has no link_bandwidth and link_latency: give a link, "
            f"such as {copy_links()[-2]}"
        )
    return found


def _check_size(points: Sequence[SizePoint], name: str) -> None:
    if len({(point.bytes, point.gpu.time_s) for point in points}) == 1:
        raise TraceError(
            f"{name} changes nothing that the loops do: name the macro that sets how much they "
            f"compute, such as --size N=64:8192"
        )


def _check_resident(resident: Collection[str], names: Collection[str]) -> None:
    for each in resident:
        if each not in names:
            near = did_you_mean(each, names, before=" ")
            raise FileError(
                f"the loops reach no array {each!r} that would be copied;{near} known: "
                f"{', '.join(sorted(names))}"
            )


def _alternatives(
    points: Sequence[SizePoint],
    way: CopyLink,
    resident: Collection[str],
    names: set[str],
) -> Iterator[Alternative]:
    """Other ways to offload, by the times that are known."""
    shared = {name for point in points for name in point.between}
    arrays = sorted(names - {*resident} - shared)
    if any(number > 1 for point in points for number in point.pieces.values()):
        yield packed_way(points, way, resident)
    if len(arrays) > 1:
        for name in arrays:
            yield way_to_offload(f"{name} resident", points, way, {*resident, name})
    if arrays:
        yield way_to_offload(f"{', '.join(arrays)} resident", points, way, {*resident, *arrays})
        if not shared:  # else the host has to wait for each launch
            yield pipelined_way(points, way, resident)
            yield batched_way(points, way, resident, _CALLS)
        for other in map(copy_link, copy_links()):
            if other.bandwidth > 1.01 * way.bandwidth:
                yield way_to_offload(f"link {other.name}: {other.title}", points, other, resident)


def _fits(
    points: Sequence[SizePoint], asked: Alternative, provenance: Mapping[str, str]
) -> tuple[tuple[Fit, ...], Sequence[str]]:
    """Parameters of LogCA over the bytes of the data, of the times as predicted and of both ends.

    None, and a note why, if there are none.
    """
    rows = [
        # the least time of several runs, as everywhere here: whatever else runs only adds to it
        (point.bytes, point.host_s, (time, *ends))
        for point, time, ends in zip(points, asked.accelerated_s, asked.interval_s, strict=True)
        if point.measured
    ]
    rows = [row for n, row in enumerate(rows) if n == 0 or row[0] > rows[n - 1][0]]
    if len(rows) < LEAST_SIZES:
        return (), [
            f"no parameters of LogCA are fitted: that takes {LEAST_SIZES} sizes at which the host "
            f"was timed and the data grow, and there are {len(rows)}"
        ]
    try:
        fits = tuple(
            fit(
                Timings(
                    granularity=[row[0] for row in rows],
                    host=[row[1] for row in rows],
                    accelerated=[row[2][which] for row in rows],
                ),
                provenance=provenance,
            )
            for which in range(3)
        )
    except LogcaError as error:
        return (), [f"no parameters of LogCA are fitted: {error}"]
    off = [max(by := row[1] / row[2][0] / fits[0].speedup(row[0]), 1 / by) for row in rows]
    worst = max(range(len(rows)), key=off.__getitem__)
    if off[worst] < _CURVE_IS_OFF:
        return fits, ()
    return fits, [
        "the curve of LogCA's parameters does not describe the times well, up to "
        f"{number_text(float(f'{off[worst]:.2g}'))} times off at {amount(round(rows[worst][0]))}: "
        "go by the times"
    ]
