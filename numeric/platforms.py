"""Machines of altaf2017: Tables 2 and 3."""

from dataclasses import dataclass
from functools import cache

from logca.numeric.toml_files import packaged

__all__ = ["Platform", "platforms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A machine that the paper describes.

    Parameters
    ----------
    devices : tuple of str
        Names of its accelerators here [text].
    title : str
        Heading of its column [text].
    latency : str or None
        "constant" or "linear" by section 4, if the paper prints no other parameter of it [text].
    facts : tuple of (str, str)
        Labels and cells of its column, numbers with their units [text].
    source, reading : str
        The table, and how it is read [text].
    """

    devices: tuple[str, ...]
    title: str
    latency: str | None
    facts: tuple[tuple[str, str], ...]
    source: str
    reading: str


@cache
def platforms() -> tuple[Platform, ...]:
    """The machines of Table 2, then those of Table 3.

    Examples
    --------
    >>> platforms()[1].title, platforms()[1].facts[1]
    ('UltraSPARC T2', ('Frequency', '1.16 GHz'))
    """
    return (*_of("table2.toml"), *_of("table3.toml"))


def _of(name: str) -> tuple[Platform, ...]:
    table = packaged(name)
    return tuple(
        Platform(
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
