"""A link by its name, from a file, or by its bandwidth and latency."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf, isclose
from os import PathLike, fspath
from types import MappingProxyType
from typing import Annotated

from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import (
    UNITS,
    Format,
    Key,
    keys_of,
    packaged,
    packaged_names,
    parsed,
    text_of,
)
from logca.gpu.devices.file_format import checked_number
from logca.gpu.devices.parameters import GpuDevice

__all__ = ["INTEGRATED", "CopyLink", "copy_link", "copy_links", "link_of_device"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyLink:
    """A link between the memories of host and accelerator."""

    # name, title: what options call it, and what it is
    name: str
    title: str
    # to or from page-locked memory of the host, one way; infinite where both have one memory [B/s]
    bandwidth: Annotated[
        float, Key(unit="B/s", low=1e6, high=1e14, meaning="bandwidth, one way, of pinned memory")
    ]
    # of memory as `malloc` gives it [B/s]
    pageable_bandwidth: Annotated[
        float,
        Key(
            unit="B/s",
            low=1e6,
            high=1e14,
            meaning="bandwidth of memory that is not pinned",
            default_key="bandwidth",
        ),
    ]
    # time of a copy besides its bytes [s]
    latency: Annotated[float, Key(unit="s", low=0, high=1, meaning="time of a copy of no bytes")]
    # where each number is from
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def pageable(self) -> "CopyLink":
        """The link as memory of the host reaches it that is not page-locked."""
        title = f"{self.title}, pageable memory"
        return replace(self, title=title, bandwidth=self.pageable_bandwidth)


INTEGRATED = CopyLink(
    name="integrated",
    title="one memory of host and accelerator, no copies",
    bandwidth=inf,
    pageable_bandwidth=inf,
    latency=0.0,
)
"""The link of an accelerator that has its memory in common with the host."""

_FORMAT = Format(keys=keys_of(CopyLink), number=checked_number)
_BY_NUMBERS = re.compile(r"\s*([0-9.eE+]+)\s*([A-Za-z]*/s)\s*(?:,\s*([0-9.eE+-]+)\s*([a-z]+)\s*)?")
_USUAL_LATENCY = "10 us"


def copy_links() -> tuple[str, ...]:
    """Names of the links that come with the package, as `copy_link` takes them.

    Examples
    --------
    >>> copy_links()
    ('integrated', 'nvlink-c2c', 'pcie3', 'pcie4', 'pcie5')
    """
    return tuple(sorted([INTEGRATED.name, *packaged_names(__package__)]))


def copy_link(name: str | PathLike[str]) -> CopyLink:
    """A link by its name, of a TOML file, or by bandwidth and latency: by default 10 us.

    Examples
    --------
    >>> copy_link("pcie4").bandwidth, copy_link("20 GB/s, 5us").bandwidth
    (25200000000.0, 20000000000.0)
    """
    text = fspath(name)
    if text == INTEGRATED.name:
        return INTEGRATED
    if text in packaged_names(__package__):
        return _described(packaged(__package__, f"{text}.toml"), f"{text}.toml", text)
    if text.endswith(".toml"):
        return _described(parsed(text_of(text), text), text, text)
    if found := _BY_NUMBERS.fullmatch(text):
        rate, unit, time, unit_of_time = found.groups()
        latency = f"{time} {unit_of_time}" if time else _USUAL_LATENCY
        data = {"title": f"{rate} {unit}", "bandwidth": f"{rate} {unit}", "latency": latency}
        return _described(data, f"link {text}", text)
    near = did_you_mean(text.lower(), copy_links(), before=" ")
    raise FileError(
        f"there is no link {text!r};{near} known: {', '.join(copy_links())}; or give bandwidth and "
        f"latency, such as 20GB/s,5us ({', '.join(UNITS['B/s'])}), or a TOML file"
    )


def link_of_device(device: GpuDevice) -> CopyLink | None:
    """The link that the file of a GPU has; None if it has none."""
    rates = device.rates
    if rates is None or rates.link_bandwidth is None or rates.link_latency is None:
        return None
    known = map(copy_link, copy_links())
    same = next(
        (each for each in known if isclose(each.bandwidth, rates.link_bandwidth, rel_tol=1e-3)),
        None,
    )
    return CopyLink(
        name=same.name if same else "link",
        title=same.title if same else f"the link of {device.title}",
        bandwidth=rates.link_bandwidth,
        pageable_bandwidth=same.pageable_bandwidth if same else rates.link_bandwidth,
        latency=rates.link_latency,
        sources={
            "bandwidth": device.sources.get("link_bandwidth", ""),
            "latency": device.sources.get("link_latency", ""),
        },
    )


def _described(data: Mapping[str, object], file: str, name: str) -> CopyLink:
    found = _FORMAT.described(data, file)
    return CopyLink(name=name, title=found.title, sources=found.sources, **found.values)
