"""Partitions in words."""

from fractions import Fraction
from math import isfinite

from logca.common.readable_numbers import count, duration, number_text, percent
from logca.numeric.partition.answer.associativity import Associativity
from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.findings import PartitionReport
from logca.numeric.partition.answer.reasons_to_stay import Staying
from logca.numeric.partition.answer.remedies import PartitionRemedy
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.blocks import OUTSIDE
from logca.numeric.partition.program.locations import SourceRegion
from logca.numeric.partition.solvers.certificates.format import CoupledLeaf, Leaf

__all__ = [
    "PARTS",
    "associativity_words",
    "certificate_words",
    "design_words",
    "executed_blocks",
    "headline",
    "larger_words",
    "leaves",
    "machine_words",
    "optimum_words",
    "region_words",
    "remedy_words",
    "speedup_words",
    "staying_words",
    "times_words",
]

PARTS = {"te": "execution", "tm": "memory", "tc": "control", "tr": "registers"}
"""Names of the parts of the runtime."""

_LARGEST = {
    "te": "instructions; a faster accelerator (--set accelerator_cycles=...) or more area helps",
    "tm": "memory accesses; another --design, or larger or faster caches help",
    "tc": "passing control between the cores; a faster link (--set control=...) helps",
    "tr": "passing registers between the cores; a faster link (--set push=... pull=...) helps",
}
_NAMED = 3


def headline(found: Partition) -> str:
    """Sentence: what is on the accelerator, how much that gains, how far from the optimum it is."""
    case = found.case
    machine = f"design {case.design.name}, area {case.instance.capacity:,}"
    name, executed = case.problem.name, executed_blocks(found)
    if not found.mapped.any():
        return (
            f"No block of {name}, which has {executed:,}, moves to the accelerator; "
            f"{optimum_words(found)} ({machine})."
        )
    blocks = "block" if executed == 1 else "blocks"
    return (
        f"{name} with {len(found.blocks):,} of {executed:,} {blocks} on the accelerator is "
        f"{times_words(found.speedup)} times as fast as on the CPU alone; {optimum_words(found)} "
        f"({machine})."
    )


def executed_blocks(found: Partition) -> int:
    """Blocks that are executed, on either core [1]."""
    blocks = found.case.problem.blocks
    return sum(1 for block in blocks if block.executions and block.pinned != OUTSIDE)


def speedup_words(found: Partition) -> str:
    """The speedup beside what would be possible without area and communication."""
    share = found.relative_speedup
    reached = f"; {100 * share:.1f} % of that gain is reached" if isfinite(share) else ""
    theoretical = times_words(found.theoretical_speedup)
    return (
        f"{times_words(found.speedup)}, and {theoretical} with all instructions on the "
        f"accelerator, without communication{reached}"
    )


def times_words(speedup: float) -> str:
    """Factor of a speedup as text; "infinitely many" where no time is left.

    Examples
    --------
    >>> from math import inf, nan
    >>> times_words(1.25), times_words(inf), times_words(nan)
    ('1.25', 'infinitely many', 'infinitely many')
    """
    return number_text(speedup) if isfinite(speedup) else "infinitely many"


def optimum_words(found: Partition) -> str:
    """Largest distance from the optimum, in words."""
    if found.proven:
        return "proven optimal"
    by = "" if found.found.proof == "certificate" else ", by a bound of HiGHS, no proof"
    if not found.gap:
        return f"optimal{by}"
    late = "; out of time, another run may find a better one" if found.found.out_of_time else ""
    return f"at most {_percentage(found.gap)} % of its time above the optimum{by}{late}"


def certificate_words(findings: PartitionReport) -> str:
    """Size of the proof of the bound, and that it was checked."""
    found = findings.partition
    size, ends = len(_nodes(found)), leaves(found)
    tree = f"{size:,} {'node' if size == 1 else 'nodes'}, {ends:,} of them leaves"
    took = f"checked independently in {duration(findings.checked_s)}"
    if findings.proved:
        return f"{tree}; {took}"
    return f"{tree}; partition, time and tree {took}, but the bound above it is HiGHS's"


def leaves(found: Partition) -> int:
    """Leaves of the proof of its bound [1]."""
    return sum(isinstance(node, Leaf | CoupledLeaf) for node in _nodes(found))


def _nodes(found: Partition) -> tuple[object, ...]:
    return tuple(found.found.certificate.nodes)


def associativity_words(found: Associativity) -> str:
    """Change that set-associative caches would make."""
    one, two = found.ways
    longer, alone = (_longer(each) for each in (found.error, found.cpu_alone.error))
    return (
        f"with {one} and {two} ways and LRU (simulated) {times_words(found.speedup)} times as fast "
        f"as the CPU with the same; direct-mapped ones take {longer} for memory, {alone} on the "
        "CPU alone"
    )


def _longer(error: float) -> str:
    return f"{100 * abs(error):.1f} % {'less' if error < 0 else 'more'}"


def machine_words(case: Case) -> str:
    """The platform, and what was changed of it."""
    rows = case.platform.rows()
    links = dict.fromkeys(str(row["source"]) for row in rows if row["source"] != "--set")
    changed = [each for each in links if each.startswith("link ")]
    changed += [f"{row['parameter']} = {row['value']}" for row in rows if row["source"] == "--set"]
    return f"{case.platform.title}{', with ' + ', '.join(changed) if changed else ''}"


def design_words(case: Case) -> str:
    """Who has which caches."""
    design = case.design
    levels = ("no cache", "an L1", "L1 and L2")
    first = {1: "L1, L2 and memory", 2: "L2 and memory", 3: "memory only"}[design.shared]
    if design.shared == 1:
        own = "nothing of its own on either side"
    elif design.cpu == design.accelerator:
        own = f"{levels[design.cpu]} for each core"
    else:
        own = f"{levels[design.cpu]} for the CPU, {levels[design.accelerator]} for the accelerator"
    penalty = ", the shared cache slower because it is shared" if case.penalised else ""
    plain = "" if case.coupling is not None else "; without a trace, memory time is the same in all"
    return f"{design.name}: {own}; shared: {first}{penalty}{plain}"


def region_words(region: SourceRegion, case: Case) -> str:
    """Which lines of the source, or which blocks."""
    kind = "loop " if region.loop else ""
    if region.first_line:
        lines = str(region.first_line)
        if region.last_line > region.first_line:
            lines += f"-{region.last_line}"
        return f"{kind}{lines}"
    names = [case.problem.blocks[each].name for each in region.blocks]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{kind}{', '.join(names[:_NAMED])}{more}"


def staying_words(staying: Staying, share: float, found: Partition) -> str:
    """Why something stays on the CPU."""
    said = [f"{percent(share, 1)} %"]
    part = len(staying.blocks) < len(staying.region.blocks)
    if part:
        said.append(f"{len(staying.blocks)} of {len(staying.region.blocks)} blocks")
    if staying.reasons:
        shown = ", ".join(staying.reasons[:_NAMED])
        more = f" and {len(staying.reasons) - _NAMED} more" if len(staying.reasons) > _NAMED else ""
        said.append(f"must stay: {shown}{more}")
    if staying.change is not None:
        what = "the rest" if staying.reasons else "it"
        said.append(_change_words(staying, what, found.time.total))
    return "; ".join(said)


def _change_words(staying: Staying, what: str, whole: Fraction) -> str:
    change = staying.change
    if change is None or not change.total:
        return f"moving {what} would change nothing"
    share = _percentage(abs(float(change.total / whole))) if whole else "many"
    if change.total > 0:
        parts = ", ".join(
            f"{name} {_signed(getattr(change, key))}"
            for key, name in PARTS.items()
            if getattr(change, key)
        )
        return f"moving {what} would cost {share} % more ({parts} cycles)"
    gain = f"moving {what} as well would save {share} %"
    if staying.area > staying.free:
        left = f"{staying.free:,} are" if staying.free > 1 else f"{staying.free or 'none'} is"
        return f"no room: {gain}, but needs area {staying.area:,}, and {left} left"
    return gain


def remedy_words(remedy: PartitionRemedy) -> str:
    """Gain of a change, in words."""
    speedup = times_words(remedy.speedup)
    if remedy.kind == "area":
        return f"{remedy.area:,} instructions: speedup {speedup} or more"
    if remedy.kind == "pin":
        return f"without {remedy.what}: speedup {speedup} or more"
    return f"if {remedy.what!r} were no reason to stay: speedup {speedup} or more"


def larger_words(found: Partition) -> str:
    """The largest part of the time that is left, and what helps against it."""
    key = max(PARTS, key=lambda each: getattr(found.time, each))
    part = getattr(found.time, key)
    if not found.time.total:
        return "none: no time is left"
    share = percent(float(part), float(found.time.total))
    return f"{share} % of the remaining time is {_LARGEST[key]}"


def _signed(cycles: Fraction) -> str:
    rounded = round(cycles)
    return f"{'+' if rounded > 0 else ''}{count(rounded)}"


def _percentage(share: float) -> str:
    return f"{100 * share:.2g}" if share < 0.1 else f"{100 * share:.1f}"
