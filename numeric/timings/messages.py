"""Timings of messages over sizes: tables of nccl-tests (rccl-tests) and OSU's micro-benchmarks.

Fields: NVIDIA/nccl-tests, src/common.cu (header, BenchTime): sizes in bytes, times in microseconds,
algbw the size over the time in GB/s, once out of place and once in place. OSU: "# Size" and
"Latency (us)", "Avg Latency(us)" or "Bandwidth (MB/s)", of 10**6 bytes.
"""

import re
from collections.abc import Iterator, Sequence

from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import agree, number, size_of, time_of

__all__ = ["is_nccl_tests", "is_osu", "nccl_tests_runs", "osu_runs"]

_NCCL = re.compile(r"#\s+size\s+count\s+.*\btime\s+algbw\s+busbw")
_OSU = re.compile(r"#\s*Size\s+(?:(?:Avg )?Latency|Bandwidth|Overall)\s*\(|#\s*Size\s+MB/s")
_ALONE = "Pure Comm.(us)"  # of a non-blocking collective, without the computation beside it
_TOGETHER = {"Bi-Directional": ", both ways", "Multiple": ", of several pairs"}
_SEVERAL = ("type", "redop", "root")  # by which rows of one size differ, as with -d all
_PLACES = ("out-of-place", "in-place")


def is_nccl_tests(text: str) -> bool:
    """True if a text has a table of nccl-tests."""
    return any(_NCCL.match(line.strip()) for line in text.splitlines())


def is_osu(text: str) -> bool:
    """True if a text has a table of OSU's micro-benchmarks."""
    return any(_OSU.match(line.strip()) for line in text.splitlines())


def nccl_tests_runs(text: str, file: str) -> Runs:
    """Runs out of place and in place, with the collective's name if the text has it."""
    samples: list[TimedRun] = []
    none = 0
    rows = list(_nccl_rows(text, file))
    values: dict[tuple[str, str], set[str]] = {}
    for _, table, titles, cells in rows:
        for title in _SEVERAL:
            if title in titles:
                values.setdefault((table, title), set()).add(cells[titles.index(title)])
    for line, table, titles, cells in rows:
        where = f"{file}: line {line}"
        if cells[0] == "0":
            none += 1
            continue
        apart = "".join(
            f" {title if title == 'root' else ''}{cells[titles.index(title)]}"
            for title in _SEVERAL
            if len(values.get((table, title), ())) > 1
        )
        size = size_of(cells[0], "B", f"{where}: size")
        places = [at for at, title in enumerate(titles) if title == "time"]
        for name, at in zip(_PLACES, places, strict=False):
            if cells[at] in ("N/A", "-"):
                continue
            seconds = time_of(cells[at], "us", f"{where}: time")
            rate = cells[at + 1]
            agree(
                (cells[at], "time", seconds),
                (rate, "algbw", size / (number(rate, f"{where}: algbw") * 1e9 or 1e-300)),
                where,
            )
            samples.append(
                TimedRun(
                    name=table.format(f"{name}{apart}"),
                    granularity=size,
                    seconds=(seconds,),
                    where=f"line {line}",
                )
            )
    return Runs(samples=samples, notes=_left_out(none))


def _nccl_rows(text: str, file: str) -> Iterator[tuple[int, str, list[str], list[str]]]:
    """Line, table with a place for its paths' names, titles and cells of each row."""
    titles: list[str] = []
    seen: list[str] = []
    collective = table = ""
    for line, each in enumerate(text.splitlines(), start=1):
        stripped = each.strip()
        if told := re.search(r"Collective test starting: (\w+?)(?:_perf)?$", stripped):
            collective = f"{told[1]} "
        if _NCCL.match(stripped):
            titles, table = stripped.removeprefix("#").split(), f"{collective}{{}}"
            seen.append(table)
            if seen.count(table) > 1:
                table = f"{table}, table {seen.count(table)}"
        cells = stripped.split()
        if not titles or not cells or not cells[0].isdecimal():
            continue
        if len(cells) != len(titles):
            raise TimingsError(
                f"{file}: line {line}: {len(cells)} values, and the header has {len(titles)}; was "
                "it cut?"
            )
        yield line, table, titles, cells


def osu_runs(text: str, file: str) -> Runs:
    """Runs of all tests of a text, named by their titles."""
    samples, none, rated = [], 0, False
    for line, name, titles, cells in _osu_rows(text):
        where = f"{file}: line {line}"
        if len(titles) == 1:
            raise TimingsError(f"{where}: the header of the table above names no time; was it cut?")
        if len(cells) < len(titles):
            raise TimingsError(
                f"{where}: {len(cells)} values, and the header has {len(titles)}; was it cut?"
            )
        if cells[0] == "0":
            none += 1
            continue
        size = size_of(cells[0], "B", f"{where}: size")
        kind = "one message at a time"
        if _ALONE in titles or "Latency" in titles[1]:
            at = titles.index(_ALONE) if _ALONE in titles else 1
            seconds = time_of(cells[at], "us", f"{where}: {titles[at]}")
        else:
            kind = "messages in flight together"
            kind += next((each for test, each in _TOGETHER.items() if test in name), "")
            rate = number(cells[1], f"{where}: {titles[1]}")
            if rate <= 0:
                raise TimingsError(f"{where}: rate {cells[1]!r} must be above 0: measure it again")
            seconds, rated = size / (rate * 1e6), True
        samples.append(
            TimedRun(
                name=name, granularity=size, seconds=(seconds,), where=f"line {line}", kind=kind
            )
        )
    notes = _left_out(none)
    if rated:
        notes.append("rates are taken as times of a message: the size over the rate")
    return Runs(samples=samples, notes=notes)


def _osu_rows(text: str) -> Iterator[tuple[int, str, Sequence[str], list[str]]]:
    """Line, test, titles and cells of each row."""
    titles: list[str] = []
    seen: list[str] = []
    test = buffers = ""
    for line, each in enumerate(text.splitlines(), start=1):
        stripped = each.strip()
        if told := re.fullmatch(r"#\s*(OSU .*?)(?: v[\d.]+)?", stripped):
            test, titles, buffers = told[1], [], ""
        elif "Buffer on" in stripped:
            found = re.findall(r"Buffer on (\w+)", stripped)
            buffers = f" {' to '.join(found).lower()}"
        elif _OSU.match(stripped):
            rest = stripped.lstrip("# ").removeprefix("Size").strip()
            titles = ["Size", *re.findall(r"[A-Z][^()]*?(?:\(\S+\)|(?=\s{2}|$))", rest)]
            name = f"{test}{buffers}".strip() or "message"
            seen.append(name)
            if seen.count(name) > 1:
                name = f"{name}, table {seen.count(name)}"
        elif titles and re.match(r"\d", stripped):
            yield line, name, titles, stripped.split()


def _left_out(none: int) -> list[str]:
    return ["size 0 is left out: the model has no such size"] if none else []
