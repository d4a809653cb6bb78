"""Units in titles and options: times, sizes, bytes or calls in a time, or a time for each byte."""

import math
import re
from typing import NamedTuple

from logca.common.readable_numbers import TIMES
from logca.common.sizes import parse_size
from logca.common.toml import shown
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import bytes_in, number

__all__ = ["CALLS", "SIZE", "TIME", "UNIT", "Rate", "is_call", "normal", "rate_in"]


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


TIME = "|".join(sorted(TIMES, key=len, reverse=True))
SIZE = r"(?:[kKMGTPE]i?)?B|n?[bB]ytes?|[kKMGT][bB]ytes?"
CALLS = (
    r"(?:ops?|operations?|calls?|it(?:er)?s?|iterations?|req(?:uest)?s?|messages?|msgs?"
    r"|launch(?:es)?|runs?|rep(?:etition)?s?|loops?|transfers?|transactions?|quer(?:y|ies)"
    r"|invocations?|executions?|kernels?|tasks?|jobs?|steps?|images?|frames?)"
)
_WORD = r"[^\W\d_]+"
_START, _END = r"(?<![^\W\d_'])", r"(?![^\W_])"
_PREFIXED = r"[kMGT](?:i?B|b|[bB]its?|[bB]ytes?)"
_DOTS = r"[ .*\u00b7]*"
UNIT = re.compile(
    rf"{_START}(?:"
    rf"(?P<amount_of>{_WORD}){_DOTS}(?P<of_time>{TIME})\^-1"  # MB s^-1
    rf"|(?P<time_of>{TIME}){_DOTS}(?P<of_amount>{_WORD})\^-1"  # ns B^-1
    rf"|(?P<each>{TIME}|cycles?) ?/ ?(?P<what>{_WORD})"  # ns/B, us/call
    rf"|(?P<amount>{_WORD}) ?/ ?(?P<over>{TIME})"  # GB/s, calls/ms; cpu / ms, of ISO 80000-1
    rf"|(?P<short>[kKMGT]i?[Bb])ps"
    rf"|(?P<prefixed>{_PREFIXED})[ _](?P<joined>{TIME})"  # MB_s
    rf"|(?P<time>{TIME})|(?P<size>{SIZE})(?: ?/ ?{CALLS})?){_END}"
)
"""A unit in a text in normal form. The groups say of which form it is."""
_NORMAL = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        ("[\u2215\u2044\u00f7]", "/"),
        ("[\u2010-\u2015\u2212\ufe63\uff0d]", "-"),
        ("\u207b\u00b9", "^-1"),
        ("[${}]", ""),
        (r"['\u2019]s(?![^\W_])", ""),  # cpu's
        (r"\*\*", "^"),
        (
            r"(?:\\(?:text)?mu[ _]?|(?<![^\W_])(?:mu|micro)[ _-])(?:s|secs?|seconds?)(?![^\W_])",
            "\N{MICRO SIGN}s",
        ),
        (rf"{_START}({TIME}|{SIZE}|bits?)\^?\(?-1(?!\d)\)?", r"\1^-1"),
        (r"[\s_-]*(?<![^\W_])per(?![^\W_])[\s_-]*", "/"),
        (r"\s+", " "),
    )
)
_THOUSANDS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}


def normal(text: str) -> str:
    r"""A text with one way of writing for what units have several of.

    Examples
    --------
    >>> normal("GB per s"), normal("[B s\u207b\u00b9]"), normal(r"$\mu$s"), normal("ops\u2215s")
    ('GB/s', '[B s^-1]', '\xb5s', 'ops/s')
    """
    for pattern, replacement in _NORMAL:
        text = pattern.sub(replacement, text)
    return text.strip()


def is_call(word: str) -> bool:
    """True of a word for one call, or for several."""
    return re.fullmatch(CALLS, word, re.I) is not None


def rate_in(text: str) -> Rate | str | None:
    """The rate that a unit is; its text if it is one of something else; None of a time or size.

    Examples
    --------
    >>> rate_in("kops/s")
    Rate(text='kops/s', amount=1000.0, of_bytes=False, inverse=False)
    >>> rate_in("GFLOP/ms"), rate_in("s"), rate_in("us/call")
    ('GFLOP/ms', None, None)
    """
    found = UNIT.fullmatch(normal(text))
    if found is None or found["time"] or found["size"]:
        return None
    written = found[0]
    time, amount = found["each"] or found["time_of"], found["what"] or found["of_amount"]
    if time:
        if is_call(amount) and found["what"]:
            return None if time in TIMES else written
        if time in TIMES and (octets := _bytes_of(amount)):
            return Rate(written, TIMES[time] / octets, of_bytes=True, inverse=True)
        return written
    unit = next(
        each
        for each in (found["amount"], found["amount_of"], found["short"], found["prefixed"])
        if each
    )
    each = TIMES.get(found["over"] or found["of_time"] or found["joined"] or "", 1.0)
    if octets := _bytes_of(unit):
        return Rate(written, octets / each, of_bytes=True)
    calls = re.fullmatch(rf"([kKMG]?){CALLS}", unit) or re.fullmatch(rf"(){CALLS}", unit, re.I)
    if calls:
        return Rate(written, _THOUSANDS[calls[1]] / each, of_bytes=False)
    return written


def _bytes_of(unit: str) -> float:
    """Bytes of one unit of bytes or bits; 0 of another [B]."""
    if bits := re.fullmatch(r"([kMGT]?)(?:b|[bB]its?)", unit):
        return parse_size(f"1 {bits[1]}B") / 8
    if octets := re.fullmatch(r"([kMGT]?)[bB]ytes?", unit):
        return parse_size(f"1 {octets[1]}B")
    return bytes_in(unit)
