"""Distributions as tables: strides of each access, reuse distances of a region."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from logca.trace.findings import AccessFindings
from logca.trace.report import by_line
from logca.trace.sheets import Part, Sheet, amount, percent
from logca.trace.wording import stride_of

if TYPE_CHECKING:
    from logca.trace.profiling import Profile

__all__ = ["reuse", "strides"]

_MOST_STRIDES = 8
_BAR = 24


def strides(profile: "Profile") -> tuple[Sheet, ...]:
    """Address differences of each access as each loop goes on, the most frequent first.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    return (
        Sheet(
            title="Strides: how addresses change from one iteration of a loop to the next",
            headings=("", "array", "loop", "stride [B]", "times", "%"),
            parts=by_line(profile, profile.lines, _differences),
            notes=(
                "outside: loops of callers, or around the region; call: another call in the same"
                " iteration",
            ),
            right=frozenset({3, 4, 5}),
        ),
    )


def _differences(profile: "Profile", found: AccessFindings) -> Iterator[tuple[str, ...]]:
    program = profile.program
    access = program.accesses[found.access]
    kind = f"      {'store' if access.store else 'load'}"
    for each in found.strides:
        loop = stride_of(each, program).partition(":")[0]
        for stride, times in each.common[:_MOST_STRIDES]:
            told = f"{stride:+,}" if stride else "0"
            share = percent(times, each.count)
            yield kind, access.array or "?", loop, told, f"{times:,}", share
        rest = each.count - sum(times for _, times in each.common[:_MOST_STRIDES])
        if rest:
            share = percent(rest, each.count)
            yield kind, access.array or "?", loop, "others", f"{rest:,}", share


def reuse(profile: "Profile") -> tuple[Sheet, ...]:
    """Reuse distances of the whole region, by powers of two.

    Parameters
    ----------
    profile : Profile
        The profile.
    """
    found = profile.reuse
    rows = [
        (
            _range(power),
            f"{times:,}",
            percent(times, found.touches),
            _bar(times, found.touches),
            amount(64 << power),
            percent(found.misses(1 << power), found.touches),
        )
        for power, times in enumerate(found.powers)
    ]
    rows.append(
        (
            "first touch",
            f"{found.first:,}",
            percent(found.first, found.touches),
            _bar(found.first, found.touches),
            "",
            "",
        )
    )
    return (
        Sheet(
            title="Reuse distances: other lines of 64 B touched since the same one was",
            headings=("distance", "touches", "%", "", "LRU cache of", "misses %"),
            parts=(Part(rows=tuple(rows)),),
            notes=(f"{found.touches:,} touches of {found.first:,} lines",),
            right=frozenset({0, 1, 2, 4, 5}),
            heat=frozenset({5}),
            spare=(3,),
        ),
    )


def _range(power: int) -> str:
    """The distances whose binary numbers have so many digits [text]."""
    if power < 2:
        return str(power)
    return f"{1 << power - 1:,} to {(1 << power) - 1:,}"


def _bar(part: int, whole: int) -> str:
    eighths = round(8 * _BAR * part / whole) if whole else 0
    full, rest = divmod(max(eighths, 1 if part else 0), 8)
    return "█" * full + " ▏▎▍▌▋▊▉"[rest].strip()
