"""Rates in titles and options: bytes or calls in a time, or a time for each byte."""

import math
import re
from typing import NamedTuple

from logca.common.readable_numbers import TIMES
from logca.common.sizes import parse_size
from logca.common.toml import shown
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import bytes_in, number

__all__ = ["Rate", "rate_in"]


class Rate(NamedTuple):
    """Unit of a rate: bytes or calls in a time; or its inverse, a time for each byte."""

    text: str  # as it is written
    amount: float  # bytes [B/s], or calls [1/s], of one unit; of an inverse the time [s/B]
    of_bytes: bool  # or else of calls
    inverse: bool = False

    def seconds(self, value: object, size: float, where: str) -> float:
        """Time of a call for a size [B] at a rate in this unit [s]."""
        rate = number(value, where)
        if rate <= 0:
            raise TimingsError(
                f"{where}: rate {shown(value, 60)} must be above 0; measure it again, or delete "
                "the entry"
            )
        amount = rate * self.amount
        if self.inverse:
            return size * amount
        # of two numbers above 0 the product may be none
        return (size if self.of_bytes else 1.0) / amount if amount else math.inf


_UNIT = "|".join(sorted(TIMES, key=len, reverse=True))
_END = r"(?![^\W_])"
_OVER = r"(?:(?P<stroke>\s*/\s*)|[ _]per[ _])"
_INVERTED = re.compile(r"[\s\u00b7*._]*\b([^\W\d_]+)\s*(?:\^?\(?-1\b\)?|\u207b\u00b9)")  # s^-1
_RATE = re.compile(rf"(?P<amount>[^\W\d_]+){_OVER}(?P<time>{_UNIT}){_END}")  # GB/s, calls per ms
_SHORT = re.compile(r"(?P<amount>[kKMGT]i?[Bb])ps" + _END)
_JOINED = re.compile(rf"(?P<amount>[^\W\d_]+)[ _](?P<time>{_UNIT}){_END}")  # MB_s
_PREFIXED = re.compile(r"[kMGT](?:i?B|b|[bB]its?|[bB]ytes?)")
_INVERSE = re.compile(rf"(?<![^\W_])(?P<time>{_UNIT}|cycles?){_OVER}(?P<amount>[^\W\d_]+)")
_JOINED_INVERSE = re.compile(rf"(?<![^\W_])(?:{_UNIT}|cycles?)[ _](?P<amount>[^\W\d_]+){_END}")
_CALLS = re.compile(
    r"([kMG]?)(?:ops?|operations?|calls?|it(?:er)?s?|iterations?|req(?:uest)?s?|messages?|msgs?"
    r"|launch(?:es)?|runs?|rep(?:etition)?s?|loops?|transfers?|transactions?|quer(?:y|ies)"
    r"|invocations?|executions?|kernels?|tasks?|jobs?|steps?|images?|frames?)",
    re.I,
)
_WORK = re.compile(
    r"[kmgt]?(?:flops?|ops?|calls?|requests?|bytes?|i?b|bits?|elem(?:ent)?s?|items?|points?)"
    r"|rate|throughput|bandwidth|bw|speed",
    re.I,
)
"""Words beside a unit of time that make it doubtful whether the column has times."""
_QUANTITIES = frozenset({"time", "times", "t", "duration", "runtime", "elapsed", "latency"})
_MEASURED = (
    HOST
    | ACCELERATED
    | _QUANTITIES
    | {
        *("mean", "median", "avg", "average", "min", "max", "total", "wall", "real", "user", "sys"),
        *("clock", "device", "acc", "std", "stddev", "stdev", "sd", "dev", "deviation", "var"),
    }
)
"""Before a stroke and a unit they are what is measured in it, as in "cpu / ms" (ISO 80000-1)."""
_THOUSANDS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}


def rate_in(title: str) -> Rate | str | None:
    """The unit of a rate that a title has, its text if it is of something else, or None.

    Examples
    --------
    >>> rate_in("gpu_kops/s")
    Rate(text='kops/s', amount=1000.0, of_bytes=False, inverse=False)
    >>> rate_in("GFLOP/ms"), rate_in("host_s"), rate_in("us/call"), rate_in("time / ms")
    ('GFLOP/ms', None, None, None)
    """
    title = _INVERTED.sub(r"/\1", title)
    if found := _RATE.search(title) or _SHORT.search(title):
        return _rate(found, title)
    if found := _INVERSE.search(title):
        calls, amount = _CALLS.fullmatch(found["amount"]), _bytes_of(found["amount"])
        if calls and not calls[1]:
            return None
        if amount and found["time"] in TIMES:
            return Rate(found[0], TIMES[found["time"]] / amount, of_bytes=True, inverse=True)
        return found[0]
    for found in _JOINED.finditer(title):
        if _PREFIXED.fullmatch(found["amount"]):
            each = TIMES[found["time"]]
            return Rate(found[0], _bytes_of(found["amount"]) / each, of_bytes=True)
        if _is_doubtful(found["amount"]):
            return found[0]
    found = _JOINED_INVERSE.search(title)
    if found and _is_doubtful(found["amount"]) and not _CALLS.fullmatch(found["amount"]):
        return found[0]
    return None


def _is_doubtful(word: str) -> bool:
    # a small b is a name more often than bits
    return word != "b" and _WORK.fullmatch(word) is not None


def _rate(found: re.Match[str], title: str) -> Rate | str | None:
    """The rate of an amount over a time."""
    unit, parts = found["amount"], found.groupdict()
    each = TIMES[parts["time"]] if "time" in parts else 1.0
    if amount := _bytes_of(unit):
        return Rate(found[0].strip(), amount / each, of_bytes=True)
    before = {word.lower() for word in re.findall(r"[^\W\d_]+", title[: found.start()])}
    if parts.get("stroke") and (unit.lower() in _MEASURED or before & _QUANTITIES):
        return None
    if (calls := _CALLS.fullmatch(unit)) and calls[1] in _THOUSANDS:
        return Rate(found[0].strip(), _THOUSANDS[calls[1]] / each, of_bytes=False)
    return found[0].strip()


def _bytes_of(unit: str) -> float:
    """Bytes of one unit of bytes or bits; 0 of another [B]."""
    if bits := re.fullmatch(r"([kMGT]?)(?:b|[bB]its?)", unit):
        return parse_size(f"1 {bits[1]}B") / 8
    if octets := re.fullmatch(r"([kMGT]?)[bB]ytes?", unit):
        return parse_size(f"1 {octets[1]}B")
    return bytes_in(unit)
