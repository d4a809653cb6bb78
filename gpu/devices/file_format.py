"""Files of GPUs: their keys, what their architecture says for them, and what follows."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import UNITS, Key, packaged, packaged_names, shown

__all__ = [
    "PROVENANCES",
    "architectures",
    "bytes_key",
    "check_together",
    "checked_number",
    "complete",
    "count_key",
    "cycles_key",
    "provenance_of",
    "with_architecture",
]

_ARCHITECTURES = "architectures"

PROVENANCES = ("measured", "documented", "estimated")
"""Where a number can be from, the most certain first: with what its source begins."""


def cycles_key(
    meaning: str, low: float = 0.0, default_key: str = "", *, optional: bool = False
) -> Key:
    """A key of a time in cycles."""
    return Key(
        unit="cycles",
        low=low,
        high=1e5,
        meaning=meaning,
        default_key=default_key,
        optional=optional,
    )


def count_key(high: float, meaning: str, low: float = 1) -> Key:
    """A key of a whole number."""
    return Key(unit="1", low=low, high=high, meaning=meaning, whole=True)


def bytes_key(
    high: float, meaning: str, *, power_of_two: bool = False, default_key: str = ""
) -> Key:
    """A key of a size in bytes."""
    return Key(
        unit="B",
        low=1,
        high=high,
        meaning=meaning,
        whole=True,
        power_of_two=power_of_two,
        default_key=default_key,
    )


def architectures() -> tuple[str, ...]:
    """Names of the architectures that a file can name.

    Examples
    --------
    >>> architectures()[:3]
    ('ada', 'ampere-ga100', 'ampere-ga10x')
    """
    return packaged_names(__package__, _ARCHITECTURES)


def with_architecture(data: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The contents of a file with what its architecture says where it says nothing itself."""
    own = {key: value for key, value in data.items() if key != "architecture"}
    if "architecture" not in data:
        return own
    name = data["architecture"]
    if name not in architectures():
        near = did_you_mean(str(name).lower(), architectures(), before=" ")
        raise FileError(
            f"{file}: there is no architecture {shown(name)};{near} known: "
            f"{', '.join(architectures())}"
        )
    base = f"{name}.toml"
    shared = with_architecture(packaged(__package__, f"{_ARCHITECTURES}/{base}"), base)
    sources = data.get("sources", {})
    if isinstance(sources, dict):
        # the architecture's source is none of a number that the file gives itself
        inherited = {key: said for key, said in shared["sources"].items() if key not in data}
        own["sources"] = inherited | sources
    return shared | own


_Values = Mapping[str, Any]

_FOLLOWS: dict[str, tuple[str, Callable[[_Values], float]]] = {
    "cycles_per_instruction": (
        "warp_size / fp32_lanes",
        lambda key: key["warp_size"] / key["fp32_lanes"],
    ),
    "latency_load_shared": (
        "latency_L2 + latency_dram + latency_shared",
        lambda key: key["latency_L2"] + key["latency_dram"] + key["latency_shared"],
    ),
    "delay_L2": (
        "l2_sector / l2_bandwidth",
        lambda key: key["l2_sector"] / key["l2_bandwidth"],
    ),
    "delay_dram": (
        "l2_sector * multiprocessors * frequency / bandwidth",
        lambda key: key["l2_sector"] * key["multiprocessors"] * key["frequency"] / key["bandwidth"],
    ),
    "delay_dram_uncoalesced": ("delay_dram", lambda key: key["delay_dram"]),
}
"""Keys of wang2017 that the file of a current GPU need not have: how they follow from others."""


def provenance_of(source: str) -> str:
    """Where a number with this source is from: one of `PROVENANCES`."""
    said = source.partition(":")[0]
    return said if said in PROVENANCES else "estimated"


def complete(
    values: dict[str, Any], sources: Mapping[str, str], file: str, *, current: bool
) -> dict[str, str]:
    """Sources, also of what is put in for keys left out; `values` gets it [unit of the key].

    Only a file with the keys of a current GPU can leave them out. What follows from several
    numbers is from where the least certain of them is.
    """
    missing = [key for key in _FOLLOWS if values[key] is None]
    unknown = [key for key in missing if key != "delay_dram_uncoalesced"]
    if unknown and not current:
        raise FileError(f"{file}: missing {', '.join(unknown)}")
    said = dict(sources)
    for key in missing:
        how, value = _FOLLOWS[key]
        values[key] = value(values)
        from_where = {provenance_of(said.get(part, file)) for part in re.findall(r"\w+", how)}
        said[key] = f"{max(from_where, key=PROVENANCES.index)}: {how}"
    return said


def check_together(values: _Values, file: str) -> None:
    """Refuse parameters that contradict each other."""
    lines = values["l2_size"] // values["l2_line"]
    if values["l2_size"] % values["l2_line"] or lines % values["l2_ways"]:
        raise FileError(
            f"{file}: l2_size must be a multiple of l2_line * l2_ways = "
            f"{values['l2_line'] * values['l2_ways']} B, not {values['l2_size']} B"
        )
    for small, large, of in (
        ("l2_sector", "l2_line", ""),
        ("max_threads_per_block", "max_threads", " of a multiprocessor"),
        ("bandwidth", "peak_bandwidth", ""),
        ("shared_memory", "l1_size", ", which holds L1 and shared memory together"),
    ):
        if large in values and values[small] > values[large]:
            raise FileError(
                f"{file}: {small} = {values[small]} exceeds {large} = {values[large]}{of}"
            )


def checked_number(
    value: object, written: tuple[str, float] | None, name: str, key: Key, file: str
) -> float:
    """The number that a key's value stands for, in its range [unit of the key]."""
    number = _number(value, written)
    if number is None:
        raise FileError(f"{file}: {name} must be {_wanted(key)}, not {shown(value)}")
    if key.whole and number != int(number):
        unit = "" if key.unit == "1" else f" of {key.unit}"
        raise FileError(
            f"{file}: {name} must be a whole number{unit} from {key.low:g} to {key.high:g}, "
            f"not {shown(value)}"
        )
    if not key.low <= number <= key.high:
        raise FileError(
            f"{file}: {name} = {shown(value)} is out of range: "
            f"{key.low:g} to {key.high:g} [{key.unit}]"
        )
    if key.power_of_two and int(number) & (int(number) - 1):
        raise FileError(f"{file}: {name} must be a power of two, not {shown(value)}")
    return int(number) if key.whole else float(number)


def _number(value: object, written: tuple[str, float] | None) -> float | None:
    """The number in the base unit [unit of the key]; None if it is none."""
    if written is not None:
        try:
            return float(written[0]) * written[1]
        except ValueError:
            return None
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _wanted(key: Key) -> str:
    units = ", ".join(UNITS.get(key.unit, {}))
    text = f" or a text with one of the units {units}" if units else ""
    return f"a number [{key.unit}]{text}"
