"""Machines and kernels of altaf2017: Tables 2, 3 and 4, and the text of section 5."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from logca.common.toml import packaged

__all__ = [
    "Kernel",
    "PaperPlatform",
    "kernels",
    "platforms",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPlatform:
    """A machine that the paper describes."""

    devices: tuple[str, ...]  # names of its accelerators here
    title: str  # heading of its column
    # "constant" or "linear" by section 4, if the paper prints no other parameter of it
    latency: str | None
    facts: tuple[tuple[str, str], ...]  # labels and cells of its column, numbers with their units
    # source, reading: the table, and how it is read
    source: str
    reading: str


@cache
def platforms() -> tuple[PaperPlatform, ...]:
    """The machines of Table 2, then those of Table 3.

    Examples
    --------
    >>> platforms()[1].title, platforms()[1].facts[1]
    ('UltraSPARC T2', ('Frequency', '1.16 GHz'))
    """
    return (*_of("table2.toml"), *_of("table3.toml"))


def _of(name: str) -> tuple[PaperPlatform, ...]:
    table = packaged(__package__, name)
    return tuple(
        PaperPlatform(
            devices=tuple(entry.get("devices", [slug])),
            title=entry["title"],
            latency=entry.get("latency"),
            facts=tuple(
                (label, f"{cell} {table['units'].get(label, '')}".rstrip())
                for label, cell in entry["facts"].items()
            ),
            source=table["source"],
            reading="\n".join(table["readings"][text] for text in entry["reading"]),
        )
        for slug, entry in table["platforms"].items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel of the paper."""

    kernel: str  # its name here, such as "radix-sort"
    # title, full_title: its name in Table 5 and in Table 4
    title: str
    full_title: str
    complexity: str  # operations as a function of the number of elements n, by Table 4
    # exponent of the granularity that the text of section 5 works with, exactly as printed [1]
    beta: Decimal
    beta_table4: Decimal  # exponent of the granularity in Table 4, exactly as printed [1]
    # source, reading: where `beta` is from, and why it and not the other is the default
    source: str
    reading: str


@cache
def kernels() -> tuple[Kernel, ...]:
    """The kernels in the order of Table 4.

    Examples
    --------
    >>> [(kernel.title, str(kernel.beta), str(kernel.beta_table4)) for kernel in kernels()[:2]]
    [('AES', '1', '1.01'), ('SHA', '1', '0.97')]
    """
    table = packaged(__package__, "table4.toml")
    return tuple(
        Kernel(
            kernel=name,
            title=entry["title"],
            full_title=entry["full_title"],
            complexity=entry["complexity"],
            beta=Decimal(entry["beta"]),
            beta_table4=Decimal(entry["beta_table4"]),
            source=f"{entry['beta_source']}",
            reading="\n".join(table["readings"][text] for text in entry["reading"]),
        )
        for name, entry in table["kernels"].items()
    )
