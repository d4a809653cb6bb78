"""A file of samples, as `logca measure` writes it: what it says, and its text, line by line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import index
from typing import Any

from logca.common.errors import FileError
from logca.common.sizes import format_size

__all__ = [
    "FORMAT",
    "PATHS",
    "Failed",
    "Header",
    "Line",
    "Recorded",
    "TimingSample",
    "UnmeasuredSize",
    "complete",
    "is_samples",
    "notes_of",
    "parsed",
    "sizes_of_both",
    "written",
]

PATHS = ("host", "accelerated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Header of a file of samples: what is measured, how, and where."""

    # experiment, title: its name with all that changes what is measured, and a line for readers
    experiment: str
    title: str
    sizes: tuple[int, ...]  # the sizes that were planned, ascending [B]
    step: int  # all sizes are multiples of it [B]
    how: Mapping[str, Any]  # how it is measured, such as whether the process is tied to a core
    machine: Mapping[str, Any]  # facts about the machine
    resolution: float  # smallest step of the clock [s]
    begun: str = ""  # date of the first sample, in UTC
    notes: tuple[str, ...] = ()  # what the reader of the timings should know
    # times spent once before the first call [s]
    once: Mapping[str, float] = field(default_factory=dict)
    programs: str = ""  # digest of the programs that are timed; empty if it is none of programs


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingSample:
    """A time."""

    size: int  # size of the data [B]
    path: str  # host or accelerated
    seconds: float  # time of one call [s]
    calls: int  # calls that were timed together [1]
    round: int  # in which round, from 0 on [1]
    spent: float  # how much of the budget was spent after it [s]
    in_flight: int = 1  # requests at the same time; the time is that of all over their number [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A size at which a run failed."""

    size: int  # size of the data [B]
    path: str  # host or accelerated
    message: str  # why
    in_flight: int = 1  # requests at the same time [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmeasuredSize:
    """A size that was not measured."""

    size: int  # size of the data [B]
    message: str  # why
    in_flight: int = 1  # requests at the same time [1]


Line = Header | TimingSample | Failed | UnmeasuredSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """All that a file of samples says."""

    header: Header  # what is measured
    samples: tuple[TimingSample, ...] = ()  # times, in the order in which they were taken
    failed: tuple[Failed, ...] = ()  # sizes at which the last run failed
    left_out: tuple[UnmeasuredSize, ...] = ()  # sizes that were not measured, and have no samples

    def of(self, in_flight: int) -> "Recorded":
        """Lines of the file with so many requests in flight."""
        return replace(
            self,
            samples=tuple(each for each in self.samples if each.in_flight == in_flight),
            failed=tuple(each for each in self.failed if each.in_flight == in_flight),
            left_out=tuple(each for each in self.left_out if each.in_flight == in_flight),
        )


FORMAT, VERSION = "logca-samples", 1


def is_samples(text: str) -> bool:
    """True if a text is a file of samples.

    Examples
    --------
    >>> is_samples('{"format": "logca-samples", "version": 1}')
    True
    >>> is_samples('{"benchmarks": []}')
    False
    """
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT


def written(line: Line) -> str:
    """A line of the file.

    Examples
    --------
    >>> written(UnmeasuredSize(size=4096, message="too long"))
    '{"left_out": 4096, "message": "too long"}'
    """
    found: dict[str, Any]
    match line:
        case Header():
            found = {"format": FORMAT, "version": VERSION} | asdict(line)
        case TimingSample():
            found = asdict(line)
        case Failed():
            found = {"failed": line.size, "path": line.path, "message": line.message}
        case UnmeasuredSize():
            found = {"left_out": line.size, "message": line.message}
    if not isinstance(line, Header):
        found.pop("in_flight", None)
        found |= {"in_flight": line.in_flight} if line.in_flight != 1 else {}
    return json.dumps(found)


def complete(text: str) -> int:
    r"""Length of a text less a last line of which a part is missing [1].

    Examples
    --------
    >>> complete('{"a": 1}\n{"b": 2}'), complete('{"a": 1}\n{"b": ')
    (17, 9)
    """
    whole = text.rfind("\n") + 1
    try:
        json.loads(text[whole:])
    except (ValueError, RecursionError):
        return whole
    return len(text)


def parsed(text: str, file: str) -> Recorded:
    """Contents of a file; a last line that is not complete does not count."""
    if not is_samples(text):
        raise FileError(f"{file} is no file of samples that `logca measure` has written")
    lines = text[: complete(text)].split("\n")
    header = _header(json.loads(lines[0]), file)
    samples, left_out = [], []
    failed: dict[tuple[int, str, int], Failed] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            found = _line(json.loads(line))
        except (ArithmeticError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise FileError(
                f"{file}: line {number} is no sample: {line[:60]!r}; mend it or remove the line"
            ) from None
        match found:
            case TimingSample():
                samples.append(found)
                failed.pop((found.size, found.path, found.in_flight), None)
            case Failed():
                failed[found.size, found.path, found.in_flight] = found
            case UnmeasuredSize():
                left_out.append(found)
    measured = {(each.size, each.in_flight) for each in samples}
    never = {at: each for each in left_out if (at := (each.size, each.in_flight)) not in measured}
    return Recorded(
        header=header,
        samples=tuple(samples),
        failed=tuple(failed.values()),
        left_out=tuple(never.values()),
    )


def _header(data: dict[str, Any], file: str) -> Header:
    if data.get("version") != VERSION:
        raise FileError(
            f"{file} is of version {data.get('version')!r}; this logca reads version {VERSION}"
        )
    try:
        header = Header(
            experiment=str(data["experiment"]),
            title=str(data["title"]),
            sizes=tuple(_whole(size) for size in data["sizes"]),
            step=_whole(data["step"]),
            how=dict(data["how"]),
            machine=dict(data["machine"]),
            resolution=_number(data["resolution"]),
            begun=str(data.get("begun", "")),
            notes=tuple(str(note) for note in data["notes"]),
            once={str(name): _number(value) for name, value in data["once"].items()},
            programs=str(data.get("programs", "")),
        )
    except (ArithmeticError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileError(f"{file}: line 1, the header, lacks or garbles {error}") from None
    sizes = header.sizes and min(header.sizes) > 0 and header.step > 0
    if not sizes or not 0 < header.resolution < float("inf"):
        raise FileError(f"{file}: line 1, the header, garbles sizes, step or resolution")
    return header


_LARGEST = 2**63 - 1  # of a size, or a number of calls [B or 1]
_LONGEST = 1e9  # of a time, or of what was spent: thirty years [s]


def _whole(value: Any) -> int:
    """A whole number of a file; a TypeError or a ValueError if it is none."""
    if isinstance(value, bool):
        raise TypeError(f"{value!r}, which is no number")
    if abs(index(value)) > _LARGEST:
        raise ValueError("a number that is too large")
    return index(value)


def _number(value: Any) -> float:
    """A number of a file; a TypeError if it is none."""
    if isinstance(value, bool | str):
        raise TypeError(f"{value!r}, which is no number")
    return float(value)


def _line(data: dict[str, Any]) -> TimingSample | Failed | UnmeasuredSize:
    in_flight = _whole(data.get("in_flight", 1))
    if in_flight < 1:
        raise ValueError
    if "failed" in data:
        return Failed(
            size=_whole(data["failed"]),
            path=str(data["path"]),
            message=str(data["message"]),
            in_flight=in_flight,
        )
    if "left_out" in data:
        return UnmeasuredSize(
            size=_whole(data["left_out"]), message=str(data["message"]), in_flight=in_flight
        )
    found = TimingSample(
        size=_whole(data["size"]),
        path=str(data["path"]),
        seconds=_number(data["seconds"]),
        calls=_whole(data["calls"]),
        round=_whole(data["round"]),
        spent=_number(data.get("spent", 0.0)),
        in_flight=in_flight,
    )
    sound = found.size > 0 and found.calls > 0 and 0 < found.seconds < _LONGEST
    # what was spent goes on in the next run, as do the rounds
    goes_on = found.round >= 0 and 0 <= found.spent < _LONGEST
    if not (sound and goes_on) or found.path not in PATHS:
        raise ValueError
    return found


def sizes_of_both(recorded: Recorded) -> frozenset[int]:
    """Sizes that have times of both paths [B]."""
    host, accelerated = (
        {each.size for each in recorded.samples if each.path == path} for path in PATHS
    )
    return frozenset(host & accelerated)


def notes_of(recorded: Recorded) -> tuple[str, ...]:
    """Notes of the experiment, on what happened once, and on what failed or is left out."""
    both = sizes_of_both(recorded)
    notes = list(recorded.header.notes)
    notes += [
        f"{name}: {seconds:.3g} s, once, not in any of the times"
        for name, seconds in recorded.header.once.items()
    ]
    for failed in recorded.failed:
        ended = "not repeated from then on" if failed.size in both else "left out"
        notes.append(f"{format_size(failed.size)} {ended}: {failed.path} failed: {failed.message}")
    return (*notes, *_left_out(sorted(recorded.left_out, key=lambda each: each.size)))


def _left_out(sizes: Sequence[UnmeasuredSize]) -> Iterator[str]:
    """One note for all sizes that the budget did not allow."""
    if sizes:
        first, last = format_size(sizes[0].size), format_size(sizes[-1].size)
        which = first if len(sizes) == 1 else f"{len(sizes)} sizes from {first} to {last}"
        yield f"{which} left out: {sizes[0].message}; give a larger budget or fewer points"
