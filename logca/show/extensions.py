"""Sentences on batches, applications, energy and uncertain parameters of an accelerator."""

from collections.abc import Iterator

from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import exceeding
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.parameter_ranges import DomainError

__all__ = ["extension_lines"]


def extension_lines(
    accelerator: Accelerator,
    size: float,
    *,
    batch: float | None = None,
    fraction: float | None = None,
    power: tuple[float, float, float, float] | None = None,
    within: float | None = None,
) -> Iterator[str]:
    """A sentence for each that is asked."""
    if batch is not None:
        again = accelerator.batch(batch)
        start = f"With {batch:g} items of {format_size(size)} in one offload"
        yield f"{start} it is {_speedup(again, size)} times as fast; {_where(again)}."
    if fraction is not None:
        start = f"The application, of which the kernel takes {100 * fraction:g} % of the host time,"
        again = accelerator.application(fraction)
        yield f"{start} becomes {_speedup(again, size)} times as fast; {_where(again)}."
    if power is not None:
        yield _energy(accelerator, size, power)
    if within is not None:
        worst, best = accelerator.known_within(within)
        yield (
            f"If o, L, C and A are known within a factor {within:g}, it is "
            f"{_speedup(worst, size)} to {_speedup(best, size)} times as fast; at worst "
            f"{_where(worst)}, at best {_where(best)}."
        )


def _energy(accelerator: Accelerator, size: float, power: tuple[float, float, float, float]) -> str:
    names = ("host", "overhead", "link", "accelerator")
    try:
        again = accelerator.energy(**dict(zip(names, power, strict=True)))
    except DomainError as error:
        return f"Energy: {error}."
    gain = float(again.speedup(size))
    saved = f"saves energy, by a factor {gain:.4g}" if gain > 1 else "costs energy"
    if gain <= 1:
        saved += f", {1 / gain:.4g} times that of the host"
    return f"Offloading {format_size(size)} {saved}; {_where(again)}."


def _speedup(accelerator: Accelerator, size: float) -> str:
    return f"{float(accelerator.speedup(size)):.4g}"


def _where(accelerator: Accelerator) -> str:
    found = accelerator.break_even()
    above, below = exceeding(found, float(accelerator.speedup(1.0)))
    return where_it_pays(above, below, found.reason)
