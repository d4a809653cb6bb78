"""Batches, applications, energy and uncertain parameters of an accelerator: words and numbers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.parameter_ranges import DomainError, check
from logca.numeric.fit.hysteresis_thresholds import exactly

__all__ = ["Extension", "extensions"]


class Extension(NamedTuple):
    """An answer about an accelerator beside one offload: a sentence, and numbers for JSON."""

    name: str  # batch, application, energy or within
    text: str
    data: dict[str, Any]


def extensions(
    accelerator: Accelerator,
    size: float,
    *,
    anywhere: bool = True,
    batch: int | None = None,
    fraction: float | None = None,
    power: tuple[float, float, float, float] | None = None,
    within: float | None = None,
) -> Iterator[Extension]:
    """Each that is asked; without break-evens if the parameters are not those of all sizes."""
    if batch is not None:
        again = accelerator.batch(batch)
        start = f"With {batch:g} items of {format_size(size)} in one offload it is"
        text = f"{start} {_speedup(again, size)} times as fast{_where(again, anywhere)}."
        yield Extension("batch", text, {"items": batch, **_data(again, size, anywhere)})
    if fraction is not None:
        again = accelerator.application(fraction)
        start = f"The application, of which the kernel takes {100 * fraction:g} % of the host time,"
        text = f"{start} becomes {_speedup(again, size)} times as fast{_where(again, anywhere)}."
        yield Extension("application", text, {"fraction": fraction, **_data(again, size, anywhere)})
    if power is not None:
        yield _energy(accelerator, size, power, anywhere)
    if within is not None:
        yield _within(accelerator, size, within, anywhere)


def _energy(
    accelerator: Accelerator,
    size: float,
    power: tuple[float, float, float, float],
    anywhere: bool,
) -> Extension:
    given = dict(zip(("host", "overhead", "link", "accelerator"), power, strict=True))
    try:
        again = accelerator.energy(**given)
    except DomainError as error:
        return Extension("energy", f"Energy: {error}.", {"power": given})
    gain = float(again.speedup(size))
    saved = f"saves energy, by a factor {gain:.4g}" if gain > 1 else "costs energy"
    if gain <= 1:
        saved += f", {1 / gain:.4g} times that of the host"
    text = f"Offloading {format_size(size)} {saved}{_where(again, anywhere)}."
    return Extension("energy", text, {"power": given, **_data(again, size, anywhere)})


def _within(accelerator: Accelerator, size: float, factor: float, anywhere: bool) -> Extension:
    start = f"If o, L, C and A are known within a factor {check('rho', factor):g},"
    try:
        worst, best = accelerator.known_within(factor)
    except DomainError as error:
        return Extension("within", f"{start} {error}.", {"factor": factor})
    text = f"{start} it is {_speedup(worst, size)} to {_speedup(best, size)} times as fast"
    if anywhere:
        text += f"; at worst {_pays(worst)}, at best {_pays(best)}"
    ends = {"worst": _data(worst, size, anywhere), "best": _data(best, size, anywhere)}
    return Extension("within", f"{text}.", {"factor": factor, **ends})


def _speedup(accelerator: Accelerator, size: float) -> str:
    return f"{float(accelerator.speedup(size)):.4g}"


def _where(accelerator: Accelerator, anywhere: bool) -> str:
    return f"; {_pays(accelerator)}" if anywhere else ""


def _pays(accelerator: Accelerator) -> str:
    found = exactly(accelerator)
    return where_it_pays(found.above, found.below, accelerator.break_even().reason)


def _data(accelerator: Accelerator, size: float, anywhere: bool) -> dict[str, Any]:
    """Speedup, and between which sizes it pays."""
    found: dict[str, Any] = {"speedup": float(accelerator.speedup(size))}
    return found | {"break_even": list(accelerator.break_even())} if anywhere else found
