"""Code that says whether to offload a program's loops at a size, to be shipped with it."""

from collections.abc import Iterator, Sequence
from math import ceil, floor

from logca.common.errors import FileError
from logca.numeric.generate.offload.rule import OffloadRule, SizeRange, printable
from logca.numeric.generate.offload.source import LANGUAGES, source_of_rule
from logca.offloading.break_even import PayingRange
from logca.offloading.result import Offload

__all__ = ["should_offload_source"]


def should_offload_source(found: Offload, language: str, command: str) -> str:
    """A source file with `should_offload(size)` and `should_offload_from(size, offloading)`.

    A size is a value of the program's macro. Who does not offload starts where it pays whatever the
    interval of the prediction allows; who does keeps on as long as it may pay.
    """
    if language not in LANGUAGES:
        raise FileError(
            f"there are no thresholds in {language!r}; known are {', '.join(sorted(LANGUAGES))}"
        )
    if found.against:
        raise FileError(
            f"there is nothing to offload as it is written: {found.against[0]}, so that no code "
            "can say when it pays"
        )
    where = found.break_even
    rule = OffloadRule(
        name="",
        origin=f"Thresholds of {found.macro}, the host timed, the accelerator predicted.",
        variable="LOGCA_OFFLOAD",
        likely=_whole(found, where.ranges),
        staying=_whole(found, where.early),
        starting=_whole(found, where.late),
        facts={name: printable(text) for name, text in _facts(found)},
        notes=tuple(map(printable, found.notes)),
        macro=found.macro,
    )
    return source_of_rule(language, rule, printable(command))


def _whole(found: Offload, ranges: Sequence[PayingRange]) -> tuple[SizeRange, ...]:
    """At least one range, which has no size if there is none; nothing is said of smaller sizes."""
    sizes = tuple(
        SizeRange(
            above=found.sizes[0] - 1 if each.least is None else ceil(each.least) - 1,
            last=None if each.most is None else floor(each.most),
        )
        for each in ranges
    )
    return sizes or (SizeRange(above=None, last=None),)


def _facts(found: Offload) -> Iterator[tuple[str, str]]:
    where = found.break_even
    for name, ranges in (
        ("pays", where.ranges),
        ("start offloading", where.late),
        ("keep offloading", where.early),
    ):
        yield name, " and ".join(_words(found, each) for each in ranges) or "at no size"
    yield "looked at", f"{found.macro} = {found.sizes[0]} to {found.sizes[-1]}"
    loops = ", ".join(f"{file}:{line}" for file, line, _ in found.loops)
    yield from (("loops", loops), ("accelerator", found.device), ("link", found.link.title))
    yield "host", found.host


def _words(found: Offload, each: PayingRange) -> str:
    low = found.sizes[0] if each.least is None else ceil(each.least)
    last = "on" if each.most is None else f"to {floor(each.most)}"
    return f"from {found.macro} = {low} {last}"
