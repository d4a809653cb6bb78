"""Advice on a program: the bottleneck of each kernel, and remedies, as candidates and tried."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from logca.common import results
from logca.gpu.advice.bottleneck import Binding
from logca.gpu.bounds.widened import Widened
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.result import AccessReport, KernelPrediction, Prediction
from logca.gpu.stages.launches_in_sequence import Launch

__all__ = [
    "Advice",
    "KernelAdvice",
    "PartLaunches",
    "Remedy",
    "RemedyCandidate",
    "access_words",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLaunches:
    """A part of a kernel's body as a kernel of its own."""

    loops: tuple[int, ...]  # loops that are threads, outermost first [1]
    times: Mapping[int, float]  # how often a thread executes each of its blocks [1]
    launches: tuple[Launch, ...]  # those that were sampled


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyCandidate:
    """A remedy, not yet predicted."""

    name: str  # what kind it is
    array: str  # what it changes; empty if no array
    accesses: tuple[int, ...]  # static accesses at which it aims [1]
    what: str  # what is to be done
    conditions: tuple[str, ...]  # what must hold, or be accepted
    # its threads in other blocks, or its loops exchanged; None if they stay
    arranged: Callable[[NestSample], NestSample] | None = None
    # a launch of it with other accesses; None if they stay
    change: Callable[[Launch], Launch] | None = None
    # the launches of the kernels that take its place; None if it stays one
    parts: Callable[[NestSample], tuple[PartLaunches, ...]] | None = None
    # several elements for each thread; None if it has one. Only model bounds knows what that gains
    widened: Widened | None = None

    def launches(self, sample: NestSample) -> Iterator[Launch]:
        """The launches with the remedy, from the kernel as it is."""
        if self.parts is not None:
            return (launch for part in self.parts(sample) for launch in part.launches)
        launches = (sample if self.arranged is None else self.arranged(sample)).launches()
        return launches if self.change is None else map(self.change, launches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """Something that could be done, and what the kernel would then take.

    Parameters
    ----------
    name : str
        "distributed loops", "transposed layout", "shared-memory tiles", "other blocks", "longer
        rows", "interchanged loops", "vectorised accesses" or "more work a thread".
    array : str
        The array at which it aims; empty if none.
    line : int
        Line of the first access at which it aims; 0 if none [1].
    what : str
        What is to be done.
    time_s : float
        Predicted time of all launches of the kernel then [s].
    gain : float
        Its time now, over that [1].
    bound : str
        What bounds the launch that takes longest then.
    mwp, cwp : float or None
        Memory and computation warp parallelism then; None by model bounds [1].
    changes : tuple of str
        What it does to accesses.
    conditions : tuple of str
        What must hold, or be accepted.
    """

    name: str
    array: str
    line: int
    what: str
    time_s: float
    gain: float
    bound: str
    mwp: float | None
    cwp: float | None
    changes: tuple[str, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelAdvice:
    """Advice on a kernel.

    Parameters
    ----------
    kernel : KernelPrediction
        The kernel.
    share : float
        Its share of the time of all kernels [1].
    looked_at : bool
        Whether remedies were tried; not where it takes less than a hundredth of all time.
    bound : Binding
        Its bottleneck.
    access : AccessReport or None
        The access that costs most of that.
    remedies : tuple of Remedy
        What makes it faster, the best first.
    others : tuple of Remedy
        What applies but does not, the slowest last.
    """

    kernel: KernelPrediction
    share: float
    looked_at: bool
    bound: Binding
    access: AccessReport | None
    remedies: tuple[Remedy, ...]
    others: tuple[Remedy, ...]

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Advice on a program.

    Parameters
    ----------
    prediction : Prediction
        What it takes as it is.
    kernels : tuple of KernelAdvice
        In program order.
    """

    prediction: Prediction
    kernels: tuple[KernelAdvice, ...]

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """Of all kernels, what saves most time first."""
        pairs = [(each, own.kernel.time_s) for own in self.kernels for each in own.remedies]
        return tuple(each for each, _ in sorted(pairs, key=lambda pair: pair[0].time_s - pair[1]))

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def _lines(advice: Advice) -> Iterator[str]:
    found = advice.prediction
    yield results.answer(found)
    yield from (f"  left out: {part.note}" for part in found.left_out)
    for each in advice.kernels:
        kernel = each.kernel
        yield (
            f"  {kernel.file}:{kernel.line} {kernel.function}: {kernel.time_s * 1e3:.6g} ms, "
            f"bound by {each.bound.words}"
        )
        if each.access is not None:
            yield f"    {access_words(each)}"
        for remedy in each.remedies:
            yield (
                f"    {remedy.gain:.3g} times as fast, {remedy.time_s * 1e3:.6g} ms: {remedy.what}"
            )
            yield from (f"      {words}" for words in (*remedy.changes, *remedy.conditions))
        if each.others:
            yield "    no gain: " + ", ".join(
                f"{remedy.name}{f' of {remedy.array}' if remedy.array else ''} ({remedy.gain:.3g})"
                for remedy in each.others
            )


def access_words(advice: KernelAdvice) -> str:
    """The access that costs most, in words."""
    access, bound = advice.access, advice.bound
    if access is None:
        return ""
    what = "store to" if access.store else "load of"
    apart = f"{abs(access.stride):,} B" if access.regular else "no fixed distance"
    if access.regular and access.size and access.stride % access.size == 0:
        elements = abs(access.stride) // access.size
        apart += f" ({elements:,} {'element' if elements == 1 else 'elements'})"
    where = f"line {access.line}, {what} {access.array or '?'}"
    return (
        f"{where}: {access.pattern}, neighbouring threads {apart} apart; "
        f"{bound.share:.0%} of the {bound.of}"
    )
