"""Theorems of ours: the bounds together, between the slowest unit and one after the other."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, model of bounds"
_UNITS = ("time_main_memory", "time_l2", "time_l1", "time_issue", "time_latency")
_WITHIN = ("time_l2_slices", "time_stores", "time_pipes")
_SHARPER = ("sharpness >= 1",)


def _of_units(*changed: str) -> str:
    """The time of a launch with one bound a unit, some of them changed."""
    return f"time_bounds({', '.join((*changed, *(f'{each}=0' for each in _WITHIN)))})"


_FASTER = _of_units(*(f"{each}={each}/r" for each in _UNITS[1:]))
_FASTER_ALONE = _of_units("time_main_memory=0", *(f"{each}={each}/r" for each in _UNITS[1:]))


def _beside(name: str, *of_its_unit: str) -> str:
    """That powers of a unit's time and of what the others take together add up."""
    others = f"time_bounds({', '.join(f'{each}=0' for each in (name, *of_its_unit))})"
    return (
        f"(time_bounds - launch_overhead)**(5/2)"
        f" == {name}**(5/2) + ({others} - launch_overhead)**(5/2)"
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-bounds-each",
        source=_SOURCE,
        statement="A launch takes no less than its overhead and any one of the bounds.",
        asserts=tuple(
            f"(time_bounds - launch_overhead)**(5/2) >= {each}**(5/2)"
            for each in (*_UNITS, *_WITHIN)
        ),
        argument="A number grows with its powers.",
    ),
    Claim(
        id="ext-bounds-slowest",
        source=_SOURCE,
        statement="It takes no less than if all units worked at once, and at most 5**(2/5), "
        "1.904, times the slowest of the five.",
        asserts=(
            "time_bounds >= time_slowest_unit",
            "(time_bounds - launch_overhead)**(5/2)"
            " <= 5*(time_slowest_unit - launch_overhead)**(5/2)",
        ),
    ),
    Claim(
        id="ext-bounds-apart",
        source=_SOURCE,
        statement="It takes no more than if they worked one after the other.",
        given=_SHARPER,
        asserts=(
            "time_bounds_sharp <= time_bounds_apart",
            "time_bounds_sharp(sharpness=5/2) == time_bounds",
        ),
        argument="However sharp it is, and so at 5/2 too.",
    ),
    Claim(
        id="ext-bounds-equal-units",
        source=_SOURCE,
        statement="Where five units take the same time it is 5**(2/5), 1.904, times as long.",
        asserts=(
            "time_bounds(time_main_memory=y, time_l2=y, time_l2_slices=0, time_stores=0, "
            "time_l1=y, time_issue=y, time_pipes=0, time_latency=y) "
            "== launch_overhead + 5**(2/5)*y",
        ),
    ),
    Claim(
        id="ext-bounds-within-units",
        source=_SOURCE,
        statement="Of each unit the longest bound counts, as if there were no other.",
        asserts=(
            "time_bounds == time_bounds(time_l2=max(time_l2, max(time_l2_slices, time_stores)),"
            " time_l2_slices=0, time_stores=0, time_issue=max(time_issue, time_pipes),"
            " time_pipes=0)",
        ),
        argument="So what follows is said of launches with one bound a unit.",
    ),
    Claim(
        id="ext-bounds-longer",
        source=_SOURCE,
        statement="No bound that grows shortens the launch.",
        asserts=tuple(
            f"({_of_units(f'{each}={each} + x')} - launch_overhead)**(5/2)"
            f" >= ({_of_units()} - launch_overhead)**(5/2)"
            for each in _UNITS
        ),
        argument="A number grows with its powers. With what the bounds do with rates and counts: a "
        "launch on a GPU with a faster unit takes no longer, and one with more to do no less.",
    ),
    Claim(
        id="ext-bounds-faster-clock",
        source=_SOURCE,
        statement="With r times the clock the time after the launch is at least an r-th of what "
        "it was, and no longer: main memory does not gain.",
        given=("r >= 1",),
        asserts=(
            f"r**(5/2)*({_FASTER} - launch_overhead)**(5/2)"
            f" >= ({_of_units()} - launch_overhead)**(5/2)",
            f"({_FASTER} - launch_overhead)**(5/2) <= ({_of_units()} - launch_overhead)**(5/2)",
        ),
        argument="A number grows with its powers.",
    ),
    Claim(
        id="ext-bounds-faster-clock-alone",
        source=_SOURCE,
        statement="Without main memory it is that r-th.",
        asserts=(
            f"r*({_FASTER_ALONE} - launch_overhead)"
            f" == {_of_units('time_main_memory=0')} - launch_overhead",
        ),
    ),
    Claim(
        id="ext-bounds-never-zero",
        source=_SOURCE,
        statement="No launch takes no time.",
        given=("launch_overhead > 0",),
        asserts=("time_bounds > 0", "time_slowest_unit > 0"),
    ),
    Claim(
        id="ext-bounds-instructions-take-time",
        source=_SOURCE,
        statement="Nor does one without overhead that executes an instruction.",
        given=("instructions > 0",),
        asserts=("time_bounds(time_issue=bound_issue) > 0",),
    ),
    Claim(
        id="ext-bounds-dominant",
        source=_SOURCE,
        statement="Where one unit takes ever longer than all others, it alone is the time: the "
        "ratio goes to 1.",
        asserts=(
            *map(_beside, ("time_main_memory", "time_l1", "time_latency")),
            "limit(y**(5/2)/x**(5/2), x, oo) == 0",
        ),
        argument="With x the unit's time and y what the others take together, the time after the "
        "launch is x*(1 + (y/x)**(5/2))**(2/5).",
    ),
    Claim(
        id="ext-bounds-dominant-l2",
        source=_SOURCE,
        statement="So does L2, whose longest bound counts.",
        given=("time_l2 >= time_l2_slices", "time_l2 >= time_stores"),
        asserts=(_beside("time_l2", "time_l2_slices", "time_stores"),),
    ),
    Claim(
        id="ext-bounds-dominant-instructions",
        source=_SOURCE,
        statement="So do the instructions.",
        given=("time_issue >= time_pipes",),
        asserts=(_beside("time_issue", "time_pipes"),),
    ),
    Claim(
        id="ext-bounds-sharpness",
        source=_SOURCE,
        statement="Whatever the sharpness, the time lies between the slowest unit and one after "
        "the other.",
        given=_SHARPER,
        asserts=(
            "time_bounds_sharp >= time_slowest_unit",
            "time_bounds_sharp <= time_bounds_apart",
        ),
    ),
    Claim(
        id="ext-bounds-sharpness-instances",
        source=_SOURCE,
        statement="Sharpness 1 is one after the other, and 5/2 the model.",
        asserts=(
            "time_bounds_sharp(sharpness=1) == time_bounds_apart",
            "time_bounds_sharp(sharpness=5/2) == time_bounds",
        ),
    ),
    Claim(
        id="ext-bounds-sharpness-endless",
        source=_SOURCE,
        statement="Ever sharper, it is the slowest unit.",
        given=_SHARPER,
        asserts=(
            "(time_bounds_sharp - launch_overhead)**sharpness"
            " <= 5*(time_slowest_unit - launch_overhead)**sharpness",
            "5**(1/sharpness) <= 1 + 4/sharpness",
            "limit(4/sharpness, sharpness, oo) == 0",
        ),
        argument="So it is at most 1 + 4/sharpness times the slowest unit, and never below it.",
    ),
)
