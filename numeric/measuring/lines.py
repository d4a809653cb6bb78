"""A file of samples as text, line by line.

The first line is the header: what is measured, and on which machine. Every other line is a sample,
``{"size": B, "path": "host" or "accelerated", "seconds": s of a call, "calls": number that were
timed together, "round": number, "spent": s of the budget}``, a size that failed, ``{"failed": B,
"path": ..., "message": ...}``, or one that was left out, ``{"left_out": B, "message": ...}``.
"""

import json
from dataclasses import asdict
from math import isfinite
from operator import index
from typing import Any

from logca.numeric.measuring.records import PATHS, Failed, Header, LeftOut, Line, Recorded, Sample

__all__ = ["FORMAT", "RecordedError", "complete", "is_samples", "parsed", "written"]

FORMAT, VERSION = "logca-samples", 1


class RecordedError(ValueError):
    """A file of samples cannot be read; the message names the line."""


def is_samples(text: str) -> bool:
    """Whether a text is a file of samples.

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
    """A line of the file [text].

    Examples
    --------
    >>> written(LeftOut(size=4096, message="too long"))
    '{"left_out": 4096, "message": "too long"}'
    """
    found: dict[str, Any]
    match line:
        case Header():
            found = {"format": FORMAT, "version": VERSION} | asdict(line)
        case Sample():
            found = asdict(line)
        case Failed():
            found = {"failed": line.size, "path": line.path, "message": line.message}
        case LeftOut():
            found = {"left_out": line.size, "message": line.message}
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
    """What a file says; a last line that is not complete does not count.

    Parameters
    ----------
    text : str
        Contents of the file [text].
    file : str
        Its name, for messages [text].

    Raises
    ------
    RecordedError
        If it is no file of samples, or a line is not one of its lines.
    """
    if not is_samples(text):
        raise RecordedError(f"{file} is no file of samples that `logca measure` has written")
    lines = text[: complete(text)].split("\n")
    header = _header(json.loads(lines[0]), file)
    samples, left_out = [], []
    failed: dict[tuple[int, str], Failed] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            found = _line(json.loads(line))
        except (ArithmeticError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise RecordedError(
                f"{file}: line {number} is no sample: {line[:60]!r}; mend it or remove the line"
            ) from None
        match found:
            case Sample():
                samples.append(found)
                failed.pop((found.size, found.path), None)
            case Failed():
                failed[found.size, found.path] = found
            case LeftOut():
                left_out.append(found)
    measured = {each.size for each in samples}
    never = {each.size: each for each in left_out if each.size not in measured}
    return Recorded(
        header=header,
        samples=tuple(samples),
        failed=tuple(failed.values()),
        left_out=tuple(never.values()),
    )


def _header(data: dict[str, Any], file: str) -> Header:
    if data.get("version") != VERSION:
        raise RecordedError(
            f"{file} is of version {data.get('version')!r}; this logca reads version {VERSION}"
        )
    try:
        header = Header(
            experiment=str(data["experiment"]),
            title=str(data["title"]),
            sizes=tuple(index(size) for size in data["sizes"]),
            step=index(data["step"]),
            how=dict(data["how"]),
            machine=dict(data["machine"]),
            resolution=float(data["resolution"]),
            begun=str(data.get("begun", "")),
            notes=tuple(str(note) for note in data["notes"]),
            once={str(name): float(value) for name, value in data["once"].items()},
        )
    except (ArithmeticError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordedError(f"{file}: line 1, the header, lacks or garbles {error}") from None
    if not header.sizes or not 0 < header.resolution < float("inf"):
        raise RecordedError(f"{file}: line 1, the header, garbles sizes or resolution")
    return header


def _line(data: dict[str, Any]) -> Sample | Failed | LeftOut:
    if "failed" in data:
        return Failed(
            size=index(data["failed"]), path=str(data["path"]), message=str(data["message"])
        )
    if "left_out" in data:
        return LeftOut(size=index(data["left_out"]), message=str(data["message"]))
    found = Sample(
        size=index(data["size"]),
        path=str(data["path"]),
        seconds=float(data["seconds"]),
        calls=index(data["calls"]),
        round=index(data["round"]),
        spent=float(data.get("spent", 0.0)),
    )
    sound = found.size > 0 and found.calls > 0 and isfinite(found.seconds) and found.seconds > 0
    if not sound or found.path not in PATHS:
        raise ValueError
    return found
