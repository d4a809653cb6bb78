"""Theorems of ours: where a sublinear kernel's speedup peaks, and where it saves most time."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, existence"
_SUBLINEAR = ("beta < 1", "L1 > 0", "o + L0 > 0")

_PEAK = (
    Claim(
        id="ext-peak",
        source=_SOURCE,
        statement="A sublinear kernel with a latency per byte has its greatest speedup at "
        "beta*(o + L0)/((1 - beta)*L1), and only there.",
        given=_SUBLINEAR,
        asserts=(
            "g_peak == beta*(o + L0)/((1 - beta)*L1)",
            "speedup <= speedup_peak",
            "iff(speedup == speedup_peak, g == g_peak)",
        ),
        touch=("g_peak",),
        argument="Neither C nor A occurs in g_peak.",
    ),
    Claim(
        id="ext-peak-slope",
        source=_SOURCE,
        statement="Below that granularity the speedup rises, above it falls.",
        given=_SUBLINEAR,
        asserts=(
            "iff(diff(speedup, g) > 0, g < g_peak)",
            "iff(diff(speedup, g) == 0, g == g_peak)",
        ),
    ),
    Claim(
        id="ext-peak-value",
        source=_SOURCE,
        statement="The greatest speedup of a sublinear kernel is A*P/(A + P), with P that of an "
        "infinitely fast accelerator.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite_peak == speedup_infinite(g=g_peak)",
            "speedup_peak == A*speedup_infinite_peak/(A + speedup_infinite_peak)",
            "speedup_peak == speedup(g=g_peak)",
        ),
    ),
    Claim(
        id="ext-peak-shares",
        source=_SOURCE,
        statement="At the peak latency and overhead are as beta to 1 - beta.",
        given=_SUBLINEAR,
        asserts=("(1 - beta)*L1*g_peak == beta*(o + L0)",),
    ),
    Claim(
        id="ext-peak-none",
        source=_SOURCE,
        statement="From linear complexity on the speedup has no peak: it keeps rising.",
        given=("beta >= 1", "o + L0 > 0"),
        asserts=("diff(speedup, g) > 0",),
    ),
)

_SAVINGS = (
    Claim(
        id="ext-savings",
        source=_SOURCE,
        statement="A sublinear kernel saves most time at g_saving; the saving there is "
        "(1 - beta)/beta*L1*g_saving - o - L0.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=(
            "g_saving == (beta*C*(1 - 1/A)/L1)**(1/(1 - beta))",
            "T0 - T1 <= saving_peak",
            "iff(T0 - T1 == saving_peak, g == g_saving)",
            "saving_peak == (1 - beta)/beta*L1*g_saving - o - L0",
            "saving_peak == T0(g=g_saving) - T1(g=g_saving)",
        ),
    ),
    Claim(
        id="ext-savings-slope",
        source=_SOURCE,
        statement="For a sublinear kernel every further byte saves time below g_saving, and costs "
        "time above.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=(
            "iff(diff(T0 - T1, g) > 0, g < g_saving)",
            "iff(diff(T0 - T1, g) == 0, g == g_saving)",
        ),
    ),
    Claim(
        id="ext-savings-positive",
        source=_SOURCE,
        statement="Some time can be saved if, and only if, the most is saved beyond the peak; "
        "then offloading breaks even twice.",
        given=(*_SUBLINEAR, "A > 1"),
        asserts=(
            "iff(saving_peak > 0, g_saving > g_peak)",
            "iff(g_saving > g_peak, speedup_peak > 1)",
            "iff(g_saving >= g_peak, exists(g1_upper))",
        ),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-savings-interlacing",
        source=_SOURCE,
        statement="The four granularities then interlace: lower break-even, peak, most time "
        "saved, upper break-even.",
        given=("latency == affine", "g_saving > g_peak"),
        asserts=("g1 < g_peak < g_saving < g1_upper",),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-savings-denominator",
        source=_SOURCE,
        statement="For a sublinear kernel the condition on the denominator of Eq. 11 says that "
        "the most is saved beyond one byte.",
        given=("beta < 1", "L1 > 0", "A > 1"),
        asserts=("iff(C*beta*(A - 1) - A*L1 > 0, g_saving > 1)",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_PEAK, *_SAVINGS)
