"""The sizes at which a program is looked at: values of a macro, or of an argument."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log

from logca.common.errors import TraceError
from logca.gpu.program.running import Sources
from logca.offloading.break_even import PayingRange
from logca.offloading.proposed_size import proposed_size
from logca.trace.source.compiler import preprocessed
from logca.trace.source.macros import traced_sizes
from logca.trace.source.pragmas import pragma_lines, size_in, work_in

__all__ = ["MacroRange", "size_range"]

_GIVEN = re.compile(
    r"\s*([A-Za-z_]\w*)\s*=\s*(\d{1,18})\s*(?::\s*(\d{1,18})\s*)?(?::\s*(x?)(\d{1,9})\s*)?",
    re.ASCII,
)
_ARGUMENT = re.compile(r"arg([1-9]\d?)")
_SPAN = 8
"""Times that sizes go below and above that of the source, where none are given [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroRange:
    """A macro, or an argument, that holds a size, and from which value to which it is looked at."""

    name: str  # the macro
    low: int  # least value [1]
    high: int  # largest value [1]
    # the value in the source of it and of the other macros of `#pragma logca work`, where small
    # runs are made [1]
    written: Mapping[str, int]
    same: tuple[str, ...] = ()  # macros that the pragma gives the same value: they go with it
    # other macros of the pragma, and the values that they have there [1]
    fixed: Mapping[str, int] = field(default_factory=dict)
    # place among the program's arguments, from 1 on, if it is one of these and no macro [1]
    argument: int = 0
    multiple: int = 1  # all sizes are multiples of it [1]
    ratio: int = 0  # all sizes are the least one times a power of it, if it is not 0 [1]

    def at(self, size: int) -> dict[str, int]:
        """All macros at a size [1].

        Examples
        --------
        >>> MacroRange(name="N", low=1, high=9, written={"N": 4}, fixed={"T": 500}).at(7)
        {'T': 500, 'N': 7}
        """
        names = () if self.argument else (*self.same, self.name)
        return {**self.fixed, **dict.fromkeys(names, size)}

    def arguments(self, given: Sequence[str], size: int) -> tuple[str, ...]:
        """Arguments of the program at a size.

        Examples
        --------
        >>> found = MacroRange(name="arg1", low=8, high=64, written={}, argument=1)
        >>> found.arguments(("N", "fast"), 16), found.at(16)
        (('16', 'fast'), {})
        """
        if not self.argument:
            return tuple(given)
        return (*given[: self.argument - 1], str(size), *given[self.argument :])

    def to_choose_by(self, sources: Sources) -> Sources:
        """The program with the size at which its loops are chosen: as written, or in the middle."""
        if not self.argument:
            return sources
        middle = self.spread(3)[1]
        return replace(sources, arguments=self.arguments(sources.arguments, middle))

    def spread(self, number: int) -> tuple[int, ...]:
        """So many values between the ends, evenly in logarithms, ends included [1].

        Examples
        --------
        >>> MacroRange(name="N", low=64, high=8192, written={"N": 128}).spread(8)
        (64, 128, 256, 512, 1024, 2048, 4096, 8192)
        """
        steps = max(1, number - 1)
        way = log(self.high / self.low)
        values = (exp(log(self.low) + way * step / steps) for step in range(steps + 1))
        return tuple(sorted({self._allowed(value) for value in (self.low, self.high, *values)}))

    def finer(self, sizes: Sequence[int], ranges: Iterable[PayingRange]) -> list[int]:
        """Sizes that part those between which ranges begin or end into three, in logarithms [1].

        Examples
        --------
        >>> found = MacroRange(name="N", low=4, high=512, written={"N": 4})
        >>> found.finer([4, 64, 512], [PayingRange(least=100.0, most=None)])
        [128, 256]
        >>> found.finer([4, 5], [PayingRange(least=4.5, most=None)])
        []
        """
        found = []
        for each in ranges:
            for end in (each.least, each.most):
                if end is not None:
                    place = max(1, next(n for n, size in enumerate(sizes) if size >= end))
                    low, high = sizes[place - 1], sizes[place]
                    inside = (
                        self._allowed(low * (high / low) ** share) for share in (1 / 3, 2 / 3)
                    )
                    found += [size for size in inside if low < size < high]
        return sorted({*found})

    def _allowed(self, value: float) -> int:
        """The size next to a value that the program may have [1].

        Examples
        --------
        >>> MacroRange(name="N", low=16, high=99, written={}, multiple=16)._allowed(99)
        96
        >>> MacroRange(name="N", low=16, high=100, written={}, ratio=2)._allowed(100)
        64
        """
        if self.ratio:
            power = round(log(value / self.low) / log(self.ratio))
            return int(
                self.low * self.ratio ** (power - (self.low * self.ratio**power > self.high))
            )
        size = max(1, round(value / self.multiple)) * self.multiple
        return size - self.multiple if size > self.high else size


def size_range(sources: Sources, given: str | None) -> MacroRange:
    """The range that was asked for, such as ``N=64:8192``, or one that the source proposes.

    A source proposes the macro of ``#pragma logca size(N)``, maybe with values; else the first one
    of ``#pragma logca work(N=...)``, or what `proposed_size` finds.
    Sizes then go from an eighth of the value that it has to eight times as
    much, and to that of the pragma. Other macros of the pragma go with it if they have its value
    there; else they have the values that it says.
    """
    texts = preprocessed(
        sources.paths, defines=sources.defines, includes=sources.includes, flags=sources.flags
    )
    lines = [*pragma_lines(texts)]
    work = {name: size for name, size in work_in(lines).items() if name not in sources.defines}
    told = size_in(lines)
    if given is None and told is not None and "=" in told:
        given = told
    if given is not None:
        found = _GIVEN.fullmatch(given)
        if found is None or not int(found[2]):
            raise TraceError(
                f"size {given!r}: write the macro that holds it and its values, whole numbers from "
                "1 on, such as N=64:8192"
            )
        name, low = found[1], int(found[2])
        place = _ARGUMENT.fullmatch(name)
        if place is None and name == "arg0":
            raise TraceError(f"size {given!r}: the first argument of the program is arg1")
        high = int(found[3]) if found[3] else low
        if low >= high:
            raise TraceError(
                f"size {given!r}: the first value must be less than the last, such as N=64:8192"
            )
        multiple = 1 if found[4] or not found[5] else int(found[5])
        ratio = int(found[5]) if found[4] else 0
        if not multiple or low % multiple or (found[4] and ratio < 2):
            raise TraceError(
                f"size {given!r}: behind the last value may stand 16, of which all sizes are "
                "multiples, the first one too, or x2 for powers, such as N=64:8192:x2"
            )
        if place is not None:
            number = int(place[1])
            if number > len(sources.arguments) + 1:
                raise TraceError(
                    f"size {given!r}: the program is given {len(sources.arguments)} arguments, so "
                    f"that {name} would leave one out: give those before it with --arg"
                )
            written = _written(sources, work) if work else {}
            return MacroRange(
                name=name,
                low=low,
                high=high,
                written=written,
                fixed=work,
                argument=number,
                multiple=multiple,
                ratio=ratio,
            )
        between = _with_others(sources, work, name, low, high)
        return replace(between, multiple=multiple, ratio=ratio)
    name = told or next(iter(work), None)
    if name is None:
        name, value = proposed_size(sources)
        return size_range(sources, f"{name}={max(1, value // _SPAN)}:{_SPAN * value}")
    value = _written(sources, {name: work.get(name, 0) or 1})[name]
    return _with_others(
        sources, work, name, max(1, value // _SPAN), max(_SPAN * value, work.get(name, 0))
    )


def _with_others(
    sources: Sources, work: Mapping[str, int], name: str, low: int, high: int
) -> MacroRange:
    """The range of a macro, with the other ones of the pragma."""
    others = {other: size for other, size in work.items() if other != name}
    same = tuple(other for other, size in others.items() if size == work.get(name))
    fixed = {other: size for other, size in others.items() if other not in same}
    written = _written(sources, {**fixed, **dict.fromkeys(same, high), name: high})
    return MacroRange(name=name, low=low, high=high, written=written, same=same, fixed=fixed)


def _written(sources: Sources, sizes: Mapping[str, int]) -> dict[str, int]:
    """The values of macros in the source, which others must be able to replace [1]."""
    return traced_sizes(
        sources.paths,
        sizes,
        defines=sources.defines,
        includes=sources.includes,
        flags=sources.flags,
    )
