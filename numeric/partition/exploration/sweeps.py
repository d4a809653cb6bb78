"""Parameters that kenter2010 varies in its Figs. 2 to 6, as lists of settings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from logca.numeric.partition.exploration.explorer import Setting, Value, differing
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.links import INTERFACE, links, scaled
from logca.numeric.partition.problem.platform import Platform, PlatformError

__all__ = ["COMPARED", "SWEEPS", "KenterSweep", "SweepPoint", "settings_of", "steps_of"]

COMPARED = ("greedy", "optimal")
"""Methods that are compared: the paper's own, and the best partitions there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KenterSweep:
    """A parameter or named choices to vary, and the values to take."""

    name: str  # what it is called
    # title, axis: a heading, and what the axis says, with its unit
    title: str
    axis: str
    # what is taken if nothing else is asked for; none of what is named, not counted
    values: tuple[Fraction, ...] = ()
    figure: int = 0  # the figure of kenter2010 that shows it; 0 if none does [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """A place on the axis of a sweep."""

    label: str  # what it is called
    value: Fraction | None  # where it is; None if it has a name and no number [unit of the axis]
    design: str  # how the accelerator is attached to the memory
    penalised: bool = False  # whether the shared cache takes longer for being shared
    changes: tuple[tuple[str, Value], ...] = ()  # keys of the platform that have another value


SWEEPS = {
    each.name: each
    for each in (
        KenterSweep(name="default", title="Speedups", axis="speedup [1]", figure=2),
        KenterSweep(name="design", title="Memory integrations", axis="design point", figure=3),
        KenterSweep(
            name="area",
            title="Sizes of the accelerator",
            axis="size of the accelerator [instructions]",
            values=tuple(Fraction(1 << power) for power in range(4, 14)),
            figure=4,
        ),
        KenterSweep(
            name="efficiency",
            title="Execution efficiencies of the accelerator",
            axis="cycles of an instruction on the accelerator [cycles]",
            values=tuple(Fraction(tenths, 10) for tenths in range(9, 0, -1)),
            figure=5,
        ),
        KenterSweep(
            name="latency",
            title="Latencies of the interface",
            axis="factor on control, push and pull [1]",
            values=tuple(Fraction(2) ** power for power in range(-4, 11)),
            figure=6,
        ),
        KenterSweep(name="link", title="Links of today", axis="link"),
    )
}
"""All sweeps, by name."""


def steps_of(
    sweep: str,
    platform: Platform,
    *,
    design: str = "SL2+",
    penalised: bool = False,
    values: Sequence[Fraction] | None = None,
    clock_GHz: Fraction | None = None,
) -> tuple[SweepPoint, ...]:
    """The places on the axis of a sweep.

    Examples
    --------
    >>> from logca.numeric.partition.problem.platform import platform
    >>> [step.label for step in steps_of("design", platform("kenter2010"))][:3]
    ['SL1', 'SL1, penalty', 'SL2+']
    >>> steps_of("latency", platform("kenter2010"), values=[Fraction(1, 2)])[0].changes
    (('control', Fraction(1, 1)), ('push', Fraction(1, 2)), ('pull', Fraction(3, 2)))
    """
    if sweep not in SWEEPS:
        raise PlatformError(f"there is no sweep {sweep!r}; known: {', '.join(SWEEPS)}")
    if sweep == "design":
        return tuple(
            SweepPoint(
                label=f"{name}, penalty" if slow else name, value=None, design=name, penalised=slow
            )
            for name in DESIGNS
            for slow in (False, True)
        )
    places: list[tuple[str, Fraction | None, Mapping[str, Value]]] = []
    if sweep == "default":
        places = [("default", None, {})]
    elif sweep == "link":
        for name, link in links(clock_GHz=clock_GHz).items():
            places.append((name, None, {way: getattr(link, way) for way in INTERFACE}))
    else:
        taken = SWEEPS[sweep].values if values is None else values
        places = [(_label(value), value, _changes(sweep, value, platform)) for value in taken]
    return tuple(
        SweepPoint(
            label=label,
            value=value,
            design=design,
            penalised=penalised,
            changes=differing(platform, changes),
        )
        for label, value, changes in places
    )


def settings_of(
    steps: Iterable[SweepPoint], programs: Iterable[str], methods: Iterable[str] = COMPARED
) -> list[Setting]:
    """All programs by all methods at all places."""
    names, ways = tuple(programs), tuple(methods)
    return [
        Setting(
            program=name,
            method=way,
            design=step.design,
            penalised=step.penalised,
            changes=step.changes,
        )
        for name in names
        for step in steps
        for way in ways
    ]


def _changes(sweep: str, value: Fraction, platform: Platform) -> Mapping[str, Value]:
    if value < 0:
        raise PlatformError(f"sweep {sweep}: values must not be negative, not {value}")
    if sweep == "area":
        if value.denominator != 1:
            raise PlatformError(f"sweep area: values must be whole numbers, not {_label(value)}")
        return {"area": int(value)}
    if sweep == "efficiency":
        return {"accelerator_cycles": value}
    return scaled(platform, value)


def _label(value: Fraction) -> str:
    """A number as it is read best: whole, decimal if that is short, or a fraction."""
    if value.denominator == 1:
        return str(int(value))
    text = str(Decimal(value.numerator) / Decimal(value.denominator))
    return text if len(text) < 8 else str(value)
