"""Conclusions of kenter2010, and verdicts on them by each method under each assumption."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from logca.numeric.partition.exploration import conclusion_checks as checks
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """Something that the paper concludes from its figures."""

    # id, place: what it is called, and where it stands
    id: str
    place: str
    statement: str  # what it says, with a number where the paper has a word
    check: Callable[
        [Results], checks.Answer
    ]  # whether it holds in what was found, and what was found


@dataclass(frozen=True, slots=True, kw_only=True)
class ConclusionVerdict:
    """Verdict on a conclusion by one method under one assumption."""

    conclusion: str  # its id
    method: str  # by which method
    assumption: str  # under which assumption
    holds: bool | None  # whether it holds; None if there is nothing that it could be said of
    found: str  # what was found
    unproven: int  # points that it rests on that may not be optimal, of method ``optimal`` [1]


def _entry(
    name: str, place: str, check: Callable[[Results], checks.Answer], statement: str
) -> Conclusion:
    return Conclusion(id=name, place=place, statement=statement, check=check)


CONCLUSIONS = (
    _entry("crypto-poor", "III-A", checks.crypto_is_poor,
           "AES and MD5 gain less than each other program."),
    _entry("crypto-memory", "III-A", checks.crypto_is_memory_bound,
           "AES and MD5 have more memory time for their execution time than the others."),
    _entry("aes-area", "III-A", checks.aes_needs_area,
           "AES suffers from too small an accelerator: 2048 instructions give twice as much."),
    _entry("sl1-best", "III-B", checks.best_is_shared_l1,
           "Without a penalty a shared L1 is best."),
    _entry("sl1-sensitive", "III-B", checks.shared_l1_is_sensitive,
           "A shared L1 loses a larger share to the penalty than a shared L2 with private L1s."),
    _entry("sl2-robust", "III-B", checks.shared_l2_is_robust,
           "A shared L2 with private L1s keeps more than half of its gain under the penalty."),
    _entry("sl2-best", "III-B, IV", checks.best_with_penalty,
           "With the penalty a shared L2 with private L1s is best."),
    _entry("uncached-low", "III-B", checks.uncached_are_low,
           "Without a cache of the accelerator's own there is less than half of what SL2+ gives."),
    _entry("smm-no-better", "III-B", checks.smm_is_no_better,
           "Shared memory with private caches is like no cache: less than twice as good."),
    _entry("smm-low", "III-B", checks.smm_is_low,
           "Shared memory with private caches gives less than half of what SL2+ gives."),
    _entry("caches-matter", "III-B, IV", checks.caches_matter,
           "A cache near the accelerator gives more than twice what none gives."),
    _entry("size-varies", "III-C", checks.useful_size_varies,
           "The size that gives 90 % of the most depends on the program: at least fourfold."),
    _entry("aes-steep", "III-C", checks.aes_is_steep,
           "AES gains more than half of its most between 512 and 2048 instructions."),
    _entry("fft-steep", "III-C", checks.fft_is_steep,
           "FFT gains more than half of its most between 32 and 128 instructions."),
    _entry("no-saturation", "III-C", checks.some_do_not_saturate,
           "Some programs gain more than 2 % of their gain again from 2048 to 4096 instructions."),
    _entry("moderate-efficiency", "III-D, IV", checks.moderate_efficiency,
           "Even with 0.9 cycles an instruction most programs gain."),
    _entry("jpeg-falls", "III-D", checks.jpeg_falls,
           "JPEG's relative speedup falls from 0.9 to 0.2 cycles an instruction."),
    _entry("casts-why", "III-D", checks.casts_are_why,
           "That is because of casts: where they cost as much as others, less than half of the "
           "fall is left."),
    _entry("jpeg-keeps", "III-E", checks.jpeg_keeps,
           "JPEG keeps more than half of its gain, and of its blocks, from factor 1/2 to 64."),
    _entry("jpeg-leaps", "III-E", checks.jpeg_leaps,
           "JPEG gains at least half as much again at a factor of 1/4 instead of 1/2."),
    _entry("aes-default", "III-E", checks.aes_has_nothing_yet,
           "AES needs a very low latency to gain at all: less than 1 % at the default one."),
    _entry("fft-default", "III-E", checks.fft_has_nothing_yet,
           "FFT needs a very low latency to gain at all: less than 1 % at the default one."),
    _entry("aes-latency", "III-E", checks.aes_needs_low_latency,
           "The same of AES, weaker: less than 1 % at a factor of 64, more at a sixteenth."),
    _entry("fft-latency", "III-E", checks.fft_needs_low_latency,
           "The same of FFT, weaker: less than 1 % at a factor of 64, more at a sixteenth."),
    _entry("slow-interface", "IV", checks.slow_interface,
           "Some programs gain over a slow interface: more than 1 % at a factor of 64."),
    _entry("optimism-latency", "IV", checks.optimistic_latency_pays,
           "A faster interface gives much more: half as much again at a factor of a sixteenth."),
    _entry("optimism-efficiency", "IV", checks.optimistic_efficiency_pays,
           "A faster accelerator gives much more: half as much again with 0.1 cycles an "
           "instruction."),
    _entry("optimism-area", "IV", checks.optimistic_area_pays,
           "A larger accelerator gives much more: half as much again with 4096 instructions."),
)  # fmt: skip
"""The conclusions of sections III and IV."""


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

    every = list(conclusions)
    for assumption in assumptions:
        for method in methods:
            for each in every:
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
    every = list(conclusions)
    for each in every:
        for method in methods:
            for assumption in assumptions:
                seen: dict[Setting, Point] = {}

                def remember(setting: Setting, seen: dict[Setting, Point] = seen) -> Point:
                    seen[setting] = look(setting)
                    return seen[setting]

                holds, said = each.check(view_of(explorer, remember, method, assumption))
                found.append(
                    ConclusionVerdict(
                        conclusion=each.id,
                        method=method,
                        assumption=assumption.name,
                        holds=holds,
                        found=said,
                        unproven=0
                        if method != "optimal"
                        else sum(not point.proven for point in seen.values()),
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
