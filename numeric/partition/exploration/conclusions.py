"""Conclusions of kenter2010, and verdicts on them by each method under each assumption.

Words of the paper such as "much lower" have a number here, which the statement of the conclusion
names.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from logca.numeric.partition.exploration.assumptions import ASSUMPTIONS, Assumption, Results
from logca.numeric.partition.exploration.explorer import Explorer, Point, Setting
from logca.numeric.partition.exploration.sweeps import COMPARED

__all__ = [
    "CONCLUSIONS",
    "Conclusion",
    "ConclusionVerdict",
    "conclusion",
    "needed",
    "verdicts",
    "view_of",
]

Answer = tuple[bool | None, str]
"""True if a conclusion holds, None if nothing can be said of it; and the numbers as text."""


class Conclusion(NamedTuple):
    """Something that the paper concludes from its figures."""

    # id, place: what it is called, and where it stands
    id: str
    place: str
    check: Callable[[Results], Answer]  # whether it holds in what was found, and what was found
    statement: str  # what it says, with a number where the paper has a word


AREAS = tuple(1 << power for power in range(5, 13))
"""Sizes of the accelerator that are compared [1]."""

_CRYPTO = ("aes", "md5")
_UNCACHED = ("SL2-", "SMM-")
_ALL = ("SL1", "SL2+", "SL2-", "SMM+", "SMM-")
_LITTLE = 0.01


def _crypto_is_poor(view: Results) -> Answer:
    found = {each: view.at(each).speedup - 1 for each in view.programs}
    others = [gain for name, gain in found.items() if name not in _CRYPTO]
    crypto = {name: found[name] for name in _CRYPTO}
    said = f"{_listed(crypto)}; others from {_percent(min(others))}"
    return max(crypto.values()) < min(others), said


def _crypto_is_memory_bound(view: Results) -> Answer:
    points = {name: view.at(name) for name in view.programs}
    found = {name: float(point.cpu_tm / point.cpu_te) for name, point in points.items()}
    others = [share for name, share in found.items() if name not in _CRYPTO]
    least = min(found[name] for name in _CRYPTO)
    said = ", ".join(f"{name} {found[name]:.2f}" for name in _CRYPTO)
    return least > max(others), f"tm/te {said}; others up to {max(others):.2f}"


def _aes_needs_area(view: Results) -> Answer:
    small, large = view.at("aes").relative, view.at("aes", area=2048).relative
    return large > max(2 * small, _LITTLE), f"{_percent(small)}; at 2048: {_percent(large)}"


def _best_is_shared_l1(view: Results) -> Answer:
    found = {name: view.mean(name) for name in _ALL}
    return found["SL1"] == max(found.values()), _listed(found)


def _shared_l1_is_sensitive(view: Results) -> Answer:
    first, second = _kept(view, "SL1"), _kept(view, "SL2+")
    return first < second, f"keeps {_percent(first)}; SL2+ {_percent(second)}"


def _shared_l2_is_robust(view: Results) -> Answer:
    kept = _kept(view, "SL2+")
    return kept > 0.5, f"keeps {_percent(kept)}"


def _best_with_penalty(view: Results) -> Answer:
    found = {name: view.mean(name, penalised=True) for name in _ALL}
    return found["SL2+"] == max(found.values()), _listed(found)


def _uncached_are_low(view: Results) -> Answer:
    found = {name: view.mean(name) for name in ("SL2+", *_UNCACHED)}
    return max(found[name] for name in _UNCACHED) < found["SL2+"] / 2, _listed(found)


def _smm_is_no_better(view: Results) -> Answer:
    found = {name: view.mean(name) for name in ("SMM+", *_UNCACHED)}
    bare = max(found[name] for name in _UNCACHED)
    return found["SMM+"] < 2 * max(bare, _LITTLE), _listed(found)


def _smm_is_low(view: Results) -> Answer:
    found = {name: view.mean(name) for name in ("SL2+", "SMM+")}
    return found["SMM+"] < found["SL2+"] / 2, _listed(found)


def _caches_matter(view: Results) -> Answer:
    cached = min(view.mean("SL1"), view.mean("SL2+"))
    bare = max(view.mean(name) for name in _UNCACHED)
    return cached > 2 * bare, f"at least {_percent(cached)}; without at most {_percent(bare)}"


def _useful_size_varies(view: Results) -> Answer:
    found = {}
    for name in view.programs:
        curve = _over_area(view, name)
        found[name] = next(area for area in AREAS if curve[area] >= 0.9 * max(curve.values()))
    said = ", ".join(f"{name} {area}" for name, area in found.items())
    return max(found.values()) >= 4 * min(found.values()), said


def _some_do_not_saturate(view: Results) -> Answer:
    half, full = AREAS[-2], AREAS[-1]
    growing = [
        name
        for name in view.programs
        if view.at(name, area=full).relative > 1.02 * view.at(name, area=half).relative
    ]
    return bool(growing), ", ".join(growing) or "none"


def _moderate_efficiency(view: Results) -> Answer:
    found = [view.at(name, accelerator_cycles=Fraction(9, 10)).gains for name in view.programs]
    return sum(found) > len(found) / 2, f"{sum(found)} of {len(found)} programs"


def _jpeg_falls(view: Results) -> Answer:
    slow, fast = (view.at("jpeg", accelerator_cycles=Fraction(k, 10)).relative for k in (9, 2))
    return fast < slow, f"{_percent(slow)} at 0.9; {_percent(fast)} at 0.2"


def _casts_are_why(view: Results) -> Answer:
    falls, said = [], []
    for free, name in (("all", "free"), ("none", "at a cost")):
        slow, fast = (
            view.at("jpeg", accelerator_cycles=Fraction(k, 10), free_casts=free).relative
            for k in (9, 2)
        )
        falls.append(slow - fast)
        said.append(f"casts {name}: {_percent(slow)} at 0.9; {_percent(fast)} at 0.2")
    if falls[0] <= 0:
        return None, f"no fall to explain: {said[0]}"
    share = _percent(1 - falls[1] / falls[0]) if falls[1] > 0 else "all"
    said.append(f"casts explain {share} of the fall")
    return falls[1] < falls[0] / 2, "; ".join(said)


def _jpeg_keeps(view: Results) -> Answer:
    near, far = (view.at("jpeg", factor=factor) for factor in (Fraction(1, 2), Fraction(64)))
    same = _alike(near, far)
    said = f"{_percent(near.relative)}, then {_percent(far.relative)}; {_percent(same)} of blocks"
    return far.relative > near.relative / 2 and same > 0.5, said


def _jpeg_leaps(view: Results) -> Answer:
    nearer, near = (view.at("jpeg", factor=Fraction(1, k)).relative for k in (4, 2))
    return nearer > 1.5 * near, f"{_percent(near)} at 1/2; {_percent(nearer)} at 1/4"


def _slow_interface(view: Results) -> Answer:
    found = {name: view.at(name, factor=Fraction(64)).relative for name in view.programs}
    gaining = [name for name, relative in found.items() if relative > _LITTLE]
    return bool(gaining), ", ".join(gaining) or "none"


def _more(view: Results, where: str, **optimistic: Any) -> Answer:
    """True if the mean speedup less 1 is half as much again where a parameter is optimistic."""
    before, after = (
        [view.at(name, **changes) for name in view.programs] for changes in ({}, optimistic)
    )
    gains = [sum(point.speedup - 1 for point in each) / len(each) for each in (before, after)]
    moved = sum(a.mapped != b.mapped for a, b in zip(before, after, strict=True))
    said = f"speedups {_percent(gains[0])}; {where}: {_percent(gains[1])}"
    return gains[1] > 1.5 * gains[0], f"{said}, {moved} of {len(before)} partitions differ"


def _needs_low_latency(view: Results, program: str) -> Answer:
    """Next to nothing where JPEG is said to keep its gain, and more at a sixteenth."""
    far, near = (view.at(program, factor=f).relative for f in (Fraction(64), Fraction(1, 16)))
    said = f"{_percent(far)} at 64; at 1/16: {_percent(near)}"
    return far < _LITTLE < near, said


def _has_nothing_yet(view: Results, program: str) -> Answer:
    now = view.at(program).relative
    return now < _LITTLE, _percent(now)


def _steep(view: Results, program: str, low: int, high: int) -> Answer:
    curve = _over_area(view, program)
    gained, most = curve[high] - curve[low], max(curve.values())
    return gained > most / 2 > 0, f"from {_percent(curve[low])} to {_percent(curve[high])}"


def _over_area(view: Results, program: str) -> dict[int, float]:
    return {area: view.at(program, area=area).relative for area in AREAS}


def _kept(view: Results, design: str) -> float:
    """Share of the mean relative speedup that is left with the penalty [1]."""
    before = view.mean(design)
    return view.mean(design, penalised=True) / before if before > 0 else 0.0


def _alike(first: Point, second: Point) -> float:
    """Blocks that both have, of those that one has [1]."""
    either = {*first.mapped} | {*second.mapped}
    return len({*first.mapped} & {*second.mapped}) / len(either) if either else 1.0


def _listed(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {_percent(share)}" for name, share in found.items())


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


CONCLUSIONS = (
    Conclusion("crypto-poor", "III-A", _crypto_is_poor,
        "AES and MD5 gain less than each other program."),
    Conclusion("crypto-memory", "III-A", _crypto_is_memory_bound,
        "AES and MD5 have more memory time for their execution time than the others."),
    Conclusion("aes-area", "III-A", _aes_needs_area,
        "AES suffers from too small an accelerator: 2048 instructions give twice as much."),
    Conclusion("sl1-best", "III-B", _best_is_shared_l1,
        "Without a penalty a shared L1 is best."),
    Conclusion("sl1-sensitive", "III-B", _shared_l1_is_sensitive,
        "A shared L1 loses a larger share to the penalty than a shared L2 with private L1s."),
    Conclusion("sl2-robust", "III-B", _shared_l2_is_robust,
        "A shared L2 with private L1s keeps more than half of its gain under the penalty."),
    Conclusion("sl2-best", "III-B, IV", _best_with_penalty,
        "With the penalty a shared L2 with private L1s is best."),
    Conclusion("uncached-low", "III-B", _uncached_are_low,
        "Without a cache of the accelerator's own there is less than half of what SL2+ gives."),
    Conclusion("smm-no-better", "III-B", _smm_is_no_better,
        "Shared memory with private caches is like no cache: less than twice as good."),
    Conclusion("smm-low", "III-B", _smm_is_low,
        "Shared memory with private caches gives less than half of what SL2+ gives."),
    Conclusion("caches-matter", "III-B, IV", _caches_matter,
        "A cache near the accelerator gives more than twice what none gives."),
    Conclusion("size-varies", "III-C", _useful_size_varies,
        "The size that gives 90 % of the most depends on the program: at least fourfold."),
    Conclusion("aes-steep", "III-C", partial(_steep, program="aes", low=512, high=2048),
        "AES gains more than half of its most between 512 and 2048 instructions."),
    Conclusion("fft-steep", "III-C", partial(_steep, program="fft", low=32, high=128),
        "FFT gains more than half of its most between 32 and 128 instructions."),
    Conclusion("no-saturation", "III-C", _some_do_not_saturate,
        "Some programs gain more than 2 % of their gain again from 2048 to 4096 instructions."),
    Conclusion("moderate-efficiency", "III-D, IV", _moderate_efficiency,
        "Even with 0.9 cycles an instruction most programs gain."),
    Conclusion("jpeg-falls", "III-D", _jpeg_falls,
        "JPEG's relative speedup falls from 0.9 to 0.2 cycles an instruction."),
    Conclusion("casts-why", "III-D", _casts_are_why,
        "That is because of casts: where they cost as much as others, less than half of the "
        "fall is left."),
    Conclusion("jpeg-keeps", "III-E", _jpeg_keeps,
        "JPEG keeps more than half of its gain, and of its blocks, from factor 1/2 to 64."),
    Conclusion("jpeg-leaps", "III-E", _jpeg_leaps,
        "JPEG gains at least half as much again at a factor of 1/4 instead of 1/2."),
    Conclusion("aes-default", "III-E", partial(_has_nothing_yet, program="aes"),
        "AES needs a very low latency to gain at all: less than 1 % at the default one."),
    Conclusion("fft-default", "III-E", partial(_has_nothing_yet, program="fft"),
        "FFT needs a very low latency to gain at all: less than 1 % at the default one."),
    Conclusion("aes-latency", "III-E", partial(_needs_low_latency, program="aes"),
        "The same of AES, weaker: less than 1 % at a factor of 64, more at a sixteenth."),
    Conclusion("fft-latency", "III-E", partial(_needs_low_latency, program="fft"),
        "The same of FFT, weaker: less than 1 % at a factor of 64, more at a sixteenth."),
    Conclusion("slow-interface", "IV", _slow_interface,
        "Some programs gain over a slow interface: more than 1 % at a factor of 64."),
    Conclusion("optimism-latency", "IV",
        partial(_more, where="at a factor of 1/16", factor=Fraction(1, 16)),
        "A faster interface gives much more: half as much again at a factor of a sixteenth."),
    Conclusion("optimism-efficiency", "IV",
        partial(_more, where="with 0.1 cycles", accelerator_cycles=Fraction(1, 10)),
        "A faster accelerator gives much more: half as much again with 0.1 cycles an instruction."),
    Conclusion("optimism-area", "IV", partial(_more, where=f"with {AREAS[-1]}", area=AREAS[-1]),
        "A larger accelerator gives much more: half as much again with 4096 instructions."),
)  # fmt: skip
"""The conclusions of sections III and IV."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConclusionVerdict:
    """Verdict on a conclusion by one method under one assumption."""

    conclusion: str  # its id
    method: str  # by which method
    assumption: str  # under which assumption
    holds: bool | None  # whether it holds; None if there is nothing that it could be said of
    found: str  # what was found
    unproven: int  # points that it rests on that may not be optimal, of method ``optimal`` [1]


def conclusion(name: str) -> Conclusion:
    """The conclusion of this id.

    Examples
    --------
    >>> conclusion("smm-no-better").place
    'III-B'
    """
    return next(each for each in CONCLUSIONS if each.id == name)


def needed(
    explorer: Explorer,
    conclusions: Iterable[Conclusion] = CONCLUSIONS,
    assumptions: Sequence[Assumption] = ASSUMPTIONS,
    methods: Sequence[str] = COMPARED,
) -> list[Setting]:
    """The settings that verdicts rest on, found by asking for them without an answer."""
    asked: dict[Setting, None] = {}

    def record(setting: Setting) -> Point:
        asked[setting] = None
        return _NOTHING

    for assumption, method, each in product(assumptions, methods, conclusions):
        each.check(view_of(explorer, record, method, assumption))
    return list(asked)


def verdicts(
    explorer: Explorer,
    look: Callable[[Setting], Point],
    conclusions: Iterable[Conclusion] = CONCLUSIONS,
    assumptions: Sequence[Assumption] = ASSUMPTIONS,
    methods: Sequence[str] = COMPARED,
) -> tuple[ConclusionVerdict, ...]:
    """Verdicts on conclusions by each method under each assumption."""
    found = []
    for each, method, assumption in product(conclusions, methods, assumptions):
        seen: dict[Setting, Point] = {}

        def remember(setting: Setting, seen: dict[Setting, Point] = seen) -> Point:
            seen[setting] = look(setting)
            return seen[setting]

        holds, said = each.check(view_of(explorer, remember, method, assumption))
        unproven = sum(not point.proven for point in seen.values()) if method == "optimal" else 0
        found.append(
            ConclusionVerdict(
                conclusion=each.id,
                method=method,
                assumption=assumption.name,
                holds=holds,
                found=said,
                unproven=unproven,
            )
        )
    return tuple(found)


def view_of(
    explorer: Explorer, look: Callable[[Setting], Point], method: str, assumption: Assumption
) -> Results:
    """Results by one method under one assumption."""
    return Results(
        look=look,
        programs=tuple(explorer.programs),
        platform=explorer.platform,
        method=method,
        assumption=assumption,
    )


_NOTHING = Point(
    setting=Setting(program=""), speedup=1.0, theoretical=2.0, relative=0.5, gap=0.0,
    proven=True, traced=True, area=0,
    te=Fraction(1), tm=Fraction(1), tc=Fraction(0), tr=Fraction(0), cpu_te=Fraction(1),
    cpu_tm=Fraction(1), mapped=(), elapsed_s=0.0,
)  # fmt: skip
"""Stands for every point while it is only asked which are needed."""
