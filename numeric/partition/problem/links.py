"""Links between CPU and accelerator: what control and registers take, from published figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from logca.common.near_misses import did_you_mean
from logca.common.toml import packaged
from logca.numeric.partition.problem.platform import Platform, PlatformError, changed

__all__ = ["INTERFACE", "Link", "link", "linked", "links", "scaled"]

INTERFACE = ("control", "push", "pull")
"""Keys of a platform that a link decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link, in cycles of the CPU."""

    # name, title: what it is called, and what it is
    name: str
    title: str
    # control, push, pull: passing control to the other core, sending it a register, fetching one
    # from it [cycles]
    control: Fraction
    push: Fraction
    pull: Fraction
    published: str  # the figure as it was published, with its unit
    taken: str  # which of the source's figures that is
    # the least and the greatest figure of the source for ``round_trip`` or keys of `INTERFACE`,
    # in its unit, where it has several
    ranges: Mapping[str, tuple[Fraction, Fraction]]
    # clock of the CPU that made cycles of nanoseconds; None if cycles were published [GHz]
    clock_GHz: Fraction | None
    # source, note: where it is from, and what was assumed
    source: str
    note: str


def links(*, clock_GHz: Fraction | None = None) -> Mapping[str, Link]:
    """All links by their names, from the shortest pull to the longest.

    Examples
    --------
    >>> [link.name for link in links().values()][:3]
    ['on-die', 'riscv-custom', 'chiplet']
    >>> links()["pcie4"].pull, links(clock_GHz=Fraction(2))["pcie4"].pull
    (Fraction(1500, 1), Fraction(1000, 1))
    """
    if clock_GHz is not None and not 0 < clock_GHz <= 100:
        raise PlatformError(f"clock = {float(clock_GHz):g} must be above 0 and at most 100 GHz")
    published = packaged(__package__, "links.toml").items()
    by_length = sorted(
        (_link(name, data, clock_GHz) for name, data in published), key=lambda link: link.pull
    )
    return MappingProxyType({link.name: link for link in by_length})


def link(name: str, *, clock_GHz: Fraction | None = None) -> Link:
    """A link by its name.

    Examples
    --------
    >>> link("on-die").control, link("riscv-custom").control
    (Fraction(2, 1), Fraction(5, 2))
    """
    every = links(clock_GHz=clock_GHz)
    if name not in every:
        hint = did_you_mean(name, every) or f"known: {', '.join(every)}"
        raise PlatformError(f"there is no link {name!r}; {hint}")
    return every[name]


def linked(platform: Platform, chosen: Link) -> Platform:
    """A platform with another link between its cores; all else stays.

    Examples
    --------
    >>> from logca.numeric.partition.problem.platform import platform
    >>> far = linked(platform("kenter2010"), link("pcie4"))
    >>> far.pull, far.latency_memory, far.sources["pull"]
    (Fraction(1500, 1), Fraction(200, 1), 'link pcie4')
    """
    values = {way: getattr(chosen, way) for way in INTERFACE}
    return changed(platform, values, f"link {chosen.name}")


def scaled(platform: Platform, factor: Fraction) -> dict[str, Fraction]:
    """Costs of a platform's link, multiplied [cycles].

    Examples
    --------
    >>> from logca.numeric.partition.problem.platform import platform
    >>> scaled(platform("kenter2010"), Fraction(1, 2))
    {'control': Fraction(1, 1), 'push': Fraction(1, 2), 'pull': Fraction(3, 2)}
    """
    return {way: getattr(platform, way) * factor for way in INTERFACE}


def _link(name: str, data: Mapping[str, Any], clock_GHz: Fraction | None) -> Link:
    timed = data["unit"] == "ns"
    clock = (clock_GHz or Fraction(data["clock_GHz"])) if timed else None
    factor = clock or Fraction(1)
    if "round_trip" in data:
        there_and_back = Fraction(data["round_trip"])
        taken = (there_and_back / 2, there_and_back / 2, there_and_back)
        figures = ["round_trip"]
    else:
        taken = (Fraction(data["control"]), Fraction(data["push"]), Fraction(data["pull"]))
        figures = [*INTERFACE]
    control, push, pull = (figure * factor for figure in taken)
    ranges = {way: (Fraction(a), Fraction(b)) for way, (a, b) in data.get("range", {}).items()}
    said = (
        f"{way.replace('_', ' ')} {_plain(data[way])}"
        + (f" (of {ranges[way][0]} to {ranges[way][1]})" if way in ranges else "")
        for way in figures
    )
    published = f"{', '.join(said)} {data['unit']}"
    return Link(
        name=name,
        title=data["title"],
        control=control,
        push=push,
        pull=pull,
        published=published,
        taken=data["taken"],
        ranges=MappingProxyType(ranges),
        clock_GHz=clock,
        source=data["source"],
        note=data["note"],
    )


def _plain(value: int | Decimal) -> str:
    return f"{value:g}" if isinstance(value, Decimal) else str(value)
