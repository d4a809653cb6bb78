"""Titles of columns, read by a grammar: a label of free words, one unit, and nothing else.

A title is LABEL UNIT, LABEL [UNIT], LABEL, UNIT, LABEL in UNIT, LABEL / UNIT (ISO 80000-1), or a
unit with words of a path or of time behind it. With anything left over it is in doubt, and who
wants the column says its unit: nothing is guessed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from logca.common.readable_numbers import TIMES
from logca.numeric.timings.benchmark_runs import ACCELERATED, HOST, SIZES
from logca.numeric.timings.rates import CALLS, UNIT, Rate, is_call, normal, rate_in
from logca.numeric.timings.units import bytes_in

__all__ = [
    "DEVIATION",
    "REPETITION",
    "RUNS",
    "TIME_WORDS",
    "VARIANCE",
    "Title",
    "counts",
    "read_title",
    "read_titles",
]

TIME_WORDS = frozenset(
    {"time", "times", "seconds", "duration", "elapsed", "runtime", "latency"}
) | {
    *("wall", "mean", "median", "avg", "average"),
}
DEVIATION = frozenset({"std", "stddev", "stdev", "sd", "dev", "deviation"})
VARIANCE = frozenset({"var", "variance"})
RUNS = frozenset({"n", "runs", "samples", "repeats", "reps", "repetitions"})
REPETITION = frozenset({"run", "rep", "repetition", "repeat", "trial", "sample", "measurement"})
_PATHS = HOST | ACCELERATED | {"device", "acc", "path"}
_MEASURED = TIME_WORDS | DEVIATION | VARIANCE | {"t", "total", "real", "user", "sys", "clock"}
_KNOWN = _PATHS | _MEASURED | RUNS | REPETITION

_OTHER = re.compile(
    r"min|max|lower|upper|sum|cum(?:ulative)?|iqr|ci|err|errors?|stderr|sem|se|cv"
    r"|percent|pct|rel|relative|log|ln|lg|speedup|ratio|percentile|quartile|quantile|[pq]\d+"
)
"""Figures of several calls that are no time of one."""
_BESIDE = re.compile(
    r"gain|diff|difference|delta|saved|savings?|overhead|launch|cop(?:y|ies)|transfers?|memcpy|[hd]2[hd]"
    r"|upload|download|setup|init|idle|wait(?:ing)?|warmup|compil(?:e|ation)"
)
"""Times that are of less than a call."""
_WITH = frozenset({"with", "w", "incl", "including", "inclusive", "plus", "and"})
"""Before these, and behind what is none of them: times of a whole call."""
_WITHOUT = frozenset({"without", "wo", "excl", "excluding", "exclusive", "except", "minus", "no"})
_RATES = re.compile(
    r"rates?|throughputs?|bandwidths?|bw|speeds?|frequency|[kmg]?hz|[fqrt]ps|iops|inverse|reciprocal"
)
_INVERSE = re.compile("inverse|reciprocal")
_WORK = re.compile(
    r"[kmgt]?(?:flops?|ops?|calls?|requests?|i?b|bits?|elem(?:ent)?s?|items?|points?)"
)
"""Words that, before a unit of time, may be what is done in it."""
_SCALES = re.compile(
    r"(?:hundred|thousand|million|billion|trillion|dozen)s?|two|three|four|five|six|seven|eight|nine"
    r"|ten|sixteen|half|kilo|mega|giga|tera|milli|micro|nano|pico|x\d+"
)
_LINKS = frozenset({"a", "an", "each", "every", "of", "over", "by", "times", "x", "for", "to"})
"""Beside a unit they make it one of something."""
_OF_MEANS = re.compile(
    r"(?:of[\W_]+(?:the[\W_]+)?|(?:std|sd|st?dev|stddev|deviation)[\W_]+)(?:mean|avg|average)", re.I
)
"""A deviation of these is a standard error."""
_PER_CALL = re.compile(rf"(?<=time|ency|tion|psed) ?/ ?{CALLS}(?![^\W_])", re.I)
"""A time, latency, duration, or what elapsed, of a call."""
_TOKEN = re.compile(r"[^\W\d_][^\W_]*|\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_PARTS = ("\N{PLUS-MINUS SIGN}", "+", "-", "%")
"""Signs of a deviation, a bound, a sum, a difference or a part."""
_EDGE = " _.,:;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A title, in the parts that are read of it."""

    label: tuple[str, ...]  # words and numbers besides the unit, in small letters
    unit: str | None = None  # of times or sizes, or the text of the rate
    rate: Rate | None = None
    doubt: str = ""  # what of it is not read, in or beside the unit
    other: str = ""  # the word for another figure than a time, a rate or a size
    run: int | None = None  # number of a repetition, if it may be one
    stem: tuple[str, ...] = ()  # the label without it
    beside: bool = False  # True if it may be a number of the unit
    device: bool = False  # True if it may be one of the path, as in gpu0

    @property
    def words(self) -> frozenset[str]:
        """Words of the label without numbers."""
        return frozenset(re.findall(r"[^\W\d_]+", " ".join(self.label)))


def read_title(title: str) -> Title:
    """A title, read by the grammar.

    Examples
    --------
    >>> read_title("cpu time [ms]").unit, read_title("cpu_GB/s").rate.text, read_title("n").unit
    ('ms', 'GB/s', None)
    >>> read_title("cpu_images_s").doubt, read_title("gpu [1/s]").doubt, read_title("2^x B").doubt
    ('images s', '/s', 'x B')
    """
    text = normal(title)
    if VARIANCE & {_bare(word) for word in _tokens(text)}:
        text = re.sub(r"(?<=s)(?:\^2|\u00b2|2)(?![^\W_])", "", text)
    spans = list(UNIT.finditer(text))
    if not spans:
        return _told(title, head=text, tail="", unit=None, rate=None, doubt="", loose=True)
    head, unit, tail, rate, doubt = _parted(text, spans[-1])
    if len({_worth(each) for each in spans}) > 1:
        doubt = " and ".join(each[0] for each in spans)
    closed = re.search(r"[\[(]\s*$", head) and re.match(r"[\s.]*[\])]", tail)
    if closed:
        head, tail = head.rstrip()[:-1], tail.lstrip(" .")[1:]
    bare = re.sub(r"(?:^|(?<=[\s_]))in[\s_]*$", "", head)
    head, loose = bare, bool(closed) or bare != head or bare.rstrip()[-1:] in (",", ":")
    head = _PER_CALL.sub("", head)
    if head.rstrip().endswith("/"):
        head, loose = _before_stroke(head.rstrip(), unit), True
        doubt = doubt or ("" if head else f"/{unit}")
    return _told(title, head=head, tail=tail, unit=unit, rate=rate, doubt=doubt, loose=loose)


def read_titles(titles: Sequence[str]) -> list[Title]:
    """Titles of one table: numbers beside units are in doubt unless they count repetitions.

    Examples
    --------
    >>> [title.doubt for title in read_titles(["cpu_1_us", "cpu_2_us", "gpu_100_us"])]
    ['', '', '100 us']
    """
    read = [read_title(title) for title in titles]
    runs: dict[tuple[object, ...], list[int]] = {}
    for each in read:
        if each.run is not None:
            runs.setdefault((each.stem, each.unit), []).append(each.run)
    told = []
    for each in read:
        alike = runs.get((each.stem, each.unit), [])
        if counts(alike):
            told.append(each)
        elif each.beside and len(alike) == 1 and not each.doubt:
            told.append(replace(each, doubt=f"{each.run} {each.unit}"))
        else:
            told.append(replace(each, stem=each.label))
    return told


def counts(runs: Sequence[int]) -> bool:
    """True of the numbers of repetitions, from 0 or 1 on."""
    return sorted(runs) in (list(range(len(runs))), list(range(1, len(runs) + 1)))


def _parted(text: str, found: re.Match[str]) -> tuple[str, str, str, Rate | None, str]:
    """The text before a unit, the unit, the text behind it, its rate, and a doubt of it."""
    head, tail = text[: found.start()], text[found.end() :]
    amount, over = found["amount"], found["over"]
    rate = rate_in(found[0])
    measured = amount and not (isinstance(rate, Rate) and rate.of_bytes)
    if measured and (_is_known(amount.lower()) or (is_call(amount) and head.endswith("/"))):
        return f"{head}{amount}/", over, tail, None, ""
    if isinstance(rate, str):
        return head, rate, tail, None, rate
    if rate:
        return head, rate.text, tail, rate, ""
    if found["size"]:
        size = _size_unit(found["size"])
        return head, size, tail, None, "" if bytes_in(size) else size
    return head, found["each"] or found["time"], tail, None, ""


def _worth(found: re.Match[str]) -> object:
    """A unit in s or B; of others its text."""
    return TIMES.get(found[0]) or (_size_unit(found["size"]) if found["size"] else found[0])


def _size_unit(word: str) -> str:
    return "B" if re.fullmatch("n?[bB]ytes?", word) else word


def _before_stroke(head: str, unit: str) -> str:
    """The quantity before a stroke and a unit, as in "cpu / ms"; none if that may be a rate."""
    head = head[:-1].rstrip()
    word = (re.findall(r"[^\W\d_]+\d*$", head) or [""])[0].lower()
    if unit not in TIMES:
        return head if _bare(word) in SIZES else ""
    # "cpu /s" and "t/s" are more often calls and tokens in a second
    sure = _MEASURED - {"t"} if TIMES[unit] == 1 else _KNOWN
    return head if _bare(word) in sure else ""


def _told(
    title: str,
    *,
    head: str,
    tail: str,
    unit: str | None,
    rate: Rate | None,
    doubt: str,
    loose: bool,
) -> Title:
    """A title from its parts; `loose` if nothing before the unit can belong to it."""
    before, after = _tokens(head), _tokens(tail)
    label = (*before, *after)
    place = _place_of_run(before, after)
    stem, run, device, number, beside = list(label), None, False, False, False
    if place is not None:
        word = _bare(label[place])
        run, device, number = int(label[place].removeprefix(word)), word in _PATHS, not word
        stem[place : place + 1] = [word] if word else []
        beside = number and (place >= len(before) or (place == len(before) - 1 and not loose))
    left = _left_over(head) or _left_over(tail, behind=True)
    if unit and not doubt:
        doubt = _at_unit(before, unit, rate, loose=loose, number=number)
        doubt = doubt or _behind(after, unit, number=number) or left or _counted(label)
    known = _INVERSE if rate else _RATES
    doubt = doubt or left or next((word for word in label if known.fullmatch(word)), "")
    sizes = unit is not None and not rate and unit not in TIMES
    return Title(
        label=label,
        unit=unit,
        rate=rate,
        doubt=doubt,
        other=_other(title, label, left, sizes=sizes),
        run=run,
        stem=tuple(stem),
        beside=beside,
        device=device,
    )


def _tokens(text: str) -> list[str]:
    found: list[str] = _TOKEN.findall(text.lower())
    return found


def _bare(word: str) -> str:
    return word.rstrip("0123456789")


def _is_known(word: str) -> bool:
    bare = _bare(word)
    return bare in _KNOWN or bare.removesuffix("s") in _KNOWN


def _is_plural(word: str) -> bool:
    """True of an unknown word that may be of several things: "images", and not "pass" or "blas"."""
    return len(word) > 3 and re.search(r"[^aisu\W\d]s$", word) is not None and not _is_known(word)


def _place_of_run(before: Sequence[str], after: Sequence[str]) -> int | None:
    """The place in a label of a number that may be of a repetition: after a word that is known."""
    label = [*before, *after]
    for place in reversed(range(len(label))):
        word = label[place]
        ends = place + 1 in (len(before), len(label)) or _is_known(label[place + 1])
        if word.isdecimal():
            first = place == len(before)
            known = first or (place > 0 and _is_known(label[place - 1]))
        else:
            known = word != _bare(word) and _bare(word) in _PATHS | REPETITION
        if ends and known:
            return place
    return None


def _at_unit(
    before: Sequence[str], unit: str, rate: Rate | None, *, loose: bool, number: bool
) -> str:
    """The word before a unit if it may belong to it, or make it one of something else."""
    if not before:
        return ""
    word, timed = before[-1], unit in TIMES
    doubtful = _SCALES.fullmatch(word) or (word in _LINKS)
    if not timed and not rate:  # elements, doubles
        doubtful = doubtful or (word not in SIZES and (_WORK.fullmatch(word) or _is_plural(word)))
        doubtful = doubtful or "in" in before or (word[0].isdecimal() and not loose)
    elif not loose and word[0].isdecimal():
        doubtful = not number
    elif not loose and timed:
        doubtful = doubtful or (
            word not in ("b", "t") and (_WORK.fullmatch(word) or len(word) == 1)
        )
        doubtful = doubtful or _is_plural(word)
        if unit in ("s", "sec"):
            doubtful = doubtful or (len(before) > 1 and not _is_known(word))
    elif timed and unit in ("s", "sec"):
        doubtful = doubtful or _WORK.fullmatch(word) or _is_plural(word)
    return f"{word} {unit}" if doubtful else ""


def _behind(after: Sequence[str], unit: str, *, number: bool) -> str:
    """A word behind a unit that may belong to it."""
    for place, word in enumerate(after):
        last = place == len(after) - 1
        if word[0].isdecimal() and not (last and number):
            return f"{unit} {word}"
        if word in _LINKS or _SCALES.fullmatch(word) or (not place and _is_plural(word)):
            return f"{unit} {word}"
    sizes = unit not in TIMES and bytes_in(unit)
    first = after[0] if after and not sizes else "n"
    return "" if _is_known(first) or first[0].isdecimal() else f"{unit} {first}"


def _counted(label: Sequence[str]) -> str:
    """A number of calls, of which a time may be the sum."""
    for one, two in pairwise(label):
        if (one[0].isdecimal() and is_call(two)) or (one in ("x", "of") and two[0].isdecimal()):
            return f"{one} {two}"
    return ""


def _left_over(text: str, *, behind: bool = False) -> str:
    """A sign that no label has; of brackets those that are open or nested."""
    text = text.strip(_EDGE)
    if not behind:
        text = re.sub(r"(?<=[^\W_])-$", "", text)
    flat = re.sub(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]", r" \1\2 ", text)
    for place, sign in enumerate(flat):
        near = flat[place + 1 : place + 2].isalnum() and flat[max(place - 1, 0)] not in " _"
        if sign.isalpha() or sign in "0123456789 _.,:;'" or (sign == "-" and near):
            continue
        return sign
    return ""


def _is_whole(title: str, label: Sequence[str]) -> bool:
    """True of a time with something beside it: "gpu with transfers", not "copy and transfer"."""
    if not _WITHOUT.isdisjoint(label):
        return False
    first = next((place for place, word in enumerate(label) if word in _WITH), None)
    before = _tokens(title.partition("+")[0]) if first is None and "+" in title else label[:first]
    joined = first is not None or "+" in title
    return joined and not any(map(_BESIDE.fullmatch, before))


def _other(title: str, label: Sequence[str], left: str, *, sizes: bool) -> str:
    """The word or sign of another figure, or the words of both paths."""
    # "cpu +" is a bound, and "GPU + transfers" a time of a whole call
    if left and left in _PARTS and not any(map(_BESIDE.fullmatch, label)):
        return left
    whole = sizes or _is_whole(title, label)
    for word in label:
        if any(
            _OTHER.fullmatch(each) or (not whole and _BESIDE.fullmatch(each))
            for each in (word, _bare(word))
        ):
            return word
    for one, two in pairwise(label):
        if one[0].isdecimal() and (two == "th" or two in DEVIATION):
            return f"{one} {two}"
    found = [
        next((word for word in label if _bare(word) in known), "")
        for known in (HOST, ACCELERATED | {"device"})
    ]
    if _OF_MEANS.search(title):
        return "of mean"
    return " and ".join(found) if all(found) else ""
