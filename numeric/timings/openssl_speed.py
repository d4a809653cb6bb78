"""Timings from `openssl speed`: rates of ciphers and digests over sizes of blocks.

Fields: openssl/openssl, apps/speed.c (print_message, main): tables in 1000s of bytes per second
("57102.53k", or without k below 10 000 bytes per second), and with -mr lines +H and +F.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import number, size_of

__all__ = ["is_openssl_speed", "openssl_speed_runs"]

_HEAD = re.compile(r"type\s+((?:\d+ bytes\s*)+)")
_MACHINE = "+H:"
_ASKED = re.compile(r"Doing .* for (\d+)s on \d+ .*blocks: \d+ .* in ([\d.]+)s")
_LEAST = 0.8  # of the seconds asked for that a busy machine leaves to a process [1]
_K = 1000.0


def is_openssl_speed(text: str) -> bool:
    """True if a text has a table of `openssl speed`."""
    return any(
        _HEAD.fullmatch(line.strip()) or line.startswith(_MACHINE) for line in text.splitlines()
    )


def openssl_speed_runs(text: str, file: str) -> Runs:
    """Runs of a text: a rate is the size over the time of one call."""
    rows = list(_rows(text))
    notes = ["rates are taken as times of a call: the size over the rate", *_clock(text, file)]
    several = len(re.findall(r"^Forked child \d+", text, re.M))
    kind = f"{several} processes side by side (-multi)" if several > 1 else ""
    if kind:
        notes.append(f"rates are those of {kind}: a time is that of a call over {several}")
    tables = _tables([(name, sizes) for _, sizes, name, _, _ in rows])
    samples = []
    for (line, sizes, _, rates, k), path in zip(rows, tables, strict=True):
        where = f"{file}: line {line}: {path}"
        if len(rates) != len(sizes):
            raise TimingsError(
                f"{where}: {len(rates)} rates, and the header has {len(sizes)} sizes: was the "
                "line cut?"
            )
        for size, rate in zip(sizes, rates, strict=True):
            written = rate.removesuffix("k") if k else rate
            found = number(written, where) * (_K if rate.endswith("k") and k else 1.0)
            if found <= 0:
                raise TimingsError(f"{where}: rate {rate!r} must be above 0: measure it again")
            bytes_ = size_of(size, "B", where)
            samples.append(
                TimedRun(
                    name=path,
                    granularity=bytes_,
                    seconds=(bytes_ / found,),
                    where=f"line {line}",
                    kind=kind,
                )
            )
    return Runs(samples=samples, notes=notes)


def _clock(text: str, file: str) -> list[str]:
    """Notes on the clock of the rates; without -elapsed they leave out waiting for a device."""
    known = "elapsed time instead of user CPU time" in text
    for line, each in enumerate(text.splitlines(), start=1):
        if (found := _ASKED.match(each.strip())) is None:
            continue
        known = True
        if float(found[2]) < _LEAST * float(found[1]):
            raise TimingsError(
                f"{file}: line {line}: {found[2]} s of CPU time in {found[1]} s: the rates leave "
                "out waiting for an accelerator; run openssl speed again with -elapsed"
            )
    return [] if known else ["rates without -elapsed leave out waiting for an accelerator"]


def _tables(rows: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Names of the rows' paths: a name whose sizes come again is another run of it.

    With `-bytes` each size is a table of its own.
    """
    found: list[tuple[str, int]] = []
    seen: dict[tuple[str, int], set[str]] = {}
    for name, sizes in rows:
        run = next(each for each in count(1) if not seen.get((name, each), set()) & {*sizes})
        seen.setdefault((name, run), set()).update(sizes)
        found.append((name, run))
    return [f"{name}, table {run}" if (name, 2) in seen else name for name, run in found]


def _rows(text: str) -> Iterator[tuple[int, list[str], str, list[str], bool]]:
    """Line, sizes, name and rates, and whether rates may end with k, of each row of all tables."""
    sizes: list[str] = []
    human = False
    for line, each in enumerate(text.splitlines(), start=1):
        cells = each.split()
        if head := _HEAD.fullmatch(each.strip()):
            sizes, human = re.findall(r"\d+", head[1]), True
        elif each.startswith(_MACHINE):
            sizes, human = each.strip().split(":")[1:], False
        elif each.startswith("+F:") and sizes and not human:
            _, _, name, *rates = each.strip().split(":")
            yield line, sizes, name, rates, False
        elif human and sizes and cells:
            rates = [cell for cell in cells if re.fullmatch(r"\d+\.\d+k?", cell)]
            if rates and cells[-len(rates) :] == rates:
                yield line, sizes, " ".join(cells[: -len(rates)]), rates, True
            else:
                sizes = []  # a table of another kind, such as sign/s
