"""Theorems of ours: when and how often a target is reached, and from which threshold on."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, existence"
_SUBLINEAR = ("beta < 1", "L1 > 0", "o + L0 > 0")

_CASES = (
    Claim(
        id="ext-existence-constant",
        source=_SOURCE,
        statement="Without latency per byte every target below the acceleration is reached at "
        "exactly one granularity.",
        given=("L1 == 0", "o + L0 > 0", "s < A"),
        asserts=(
            "iff(speedup == s, g == overhead_root)",
            "iff(speedup > s, g > overhead_root)",
            "exists(g_s) and g_s == overhead_root",
        ),
    ),
    Claim(
        id="ext-existence-superlinear",
        source=_SOURCE,
        statement="A superlinear kernel reaches every target below the acceleration, with any "
        "latency.",
        given=("beta > 1", "s < A", "o + L0 > 0", "L1 > 0"),
        asserts=("trinomial(g=root_floor) < 0 <= trinomial(g=root_ceiling)", "exists(g_s)"),
        argument="By the intermediate value theorem the continuous trinomial vanishes in "
        "between; by ext-target-equivalence-index the speedup is s there. Without overhead or "
        "latency: ext-existence-constant and ext-edge-cases-no-overhead.",
    ),
    Claim(
        id="ext-existence-superlinear-unique",
        source=_SOURCE,
        statement="At one granularity only, beyond which the speedup is larger.",
        given=("beta >= 1", "o + L0 > 0", "x < y", "speedup(g=x) >= s"),
        asserts=("speedup(g=y) > s",),
        argument="So a second granularity with speedup s, the larger of two, cannot exist.",
    ),
    Claim(
        id="ext-existence-linear",
        source=_SOURCE,
        statement="A linear kernel reaches the target if, and only if, the effective index "
        "exceeds the latency per byte; then at (o + L0)/(a_s - L1), and only there.",
        given=("beta == 1", "o + L0 > 0", "effective_index > L1"),
        asserts=(
            "iff(speedup == s, g == (o + L0)/(effective_index - L1))",
            "exists(g_s) and g_s == (o + L0)/(effective_index - L1)",
        ),
    ),
    Claim(
        id="ext-existence-linear-none",
        source=_SOURCE,
        statement="Otherwise its speedup stays below the target.",
        given=("beta == 1", "o + L0 > 0", "effective_index <= L1"),
        asserts=("speedup < s", "not exists(g_s)"),
    ),
    Claim(
        id="ext-existence-linear-break-even",
        source=_SOURCE,
        statement="A linear kernel breaks even if, and only if, C/L1 > A/(A - 1).",
        given=("beta == 1", "A > 1", "o + L0 > 0", "L1 > 0"),
        asserts=("iff(exists(g1), computational_intensity > A/(A - 1))",),
    ),
    Claim(
        id="ext-existence-sublinear-rise",
        source=_SOURCE,
        statement="A sublinear kernel's speedup rises up to the peak granularity.",
        given=("latency == affine", "x < y", "y <= g_peak"),
        asserts=("speedup(g=x) < speedup(g=y)",),
    ),
    Claim(
        id="ext-existence-sublinear-fall",
        source=_SOURCE,
        statement="And falls from there on.",
        given=("latency == affine", "g_peak <= x", "x < y"),
        asserts=("speedup(g=x) > speedup(g=y)",),
    ),
    Claim(
        id="ext-existence-sublinear-two",
        source=_SOURCE,
        statement="It has the target speedup at two granularities, one on each side of the peak, "
        "if the effective index exceeds the threshold.",
        given=("latency == affine", "effective_index > index_threshold"),
        asserts=(
            "trinomial(g=g_peak) > 0",
            "lower_root_floor < g_peak < upper_root_ceiling",
            "trinomial(g=lower_root_floor) < 0",
            "trinomial(g=upper_root_ceiling) < 0",
            "exists(g_s) and exists(g_s_upper)",
            "g_s < g_peak < g_s_upper",
        ),
        touch=("g_peak",),
        argument="Intermediate value theorem on each side; ext-existence-sublinear-rise and "
        "-fall leave no more than one granularity on each.",
    ),
    Claim(
        id="ext-existence-sublinear-one",
        source=_SOURCE,
        statement="At the threshold the peak is the only one.",
        given=("latency == affine", "effective_index == index_threshold"),
        asserts=("iff(speedup == s, g == g_peak)", "exists(g_s)", "exists(g_s_upper)"),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-existence-sublinear-none",
        source=_SOURCE,
        statement="Below the threshold the target is never reached.",
        given=("latency == affine", "effective_index < index_threshold"),
        asserts=("speedup < s", "not exists(g_s)", "not exists(g_s_upper)"),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-existence-sublinear-interval",
        source=_SOURCE,
        statement="Between the two granularities, and only there, the speedup exceeds the target.",
        given=("latency == affine", "exists(g_s)", "exists(g_s_upper)"),
        asserts=("iff(speedup >= s, g_s <= g and g <= g_s_upper)",),
    ),
)

_THRESHOLDS = (
    Claim(
        id="ext-entropy-threshold",
        source=_SOURCE,
        statement="The speedup of an infinitely fast accelerator never exceeds its peak, for a "
        "sublinear kernel the bound of weighted means on overhead and latency.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite <= speedup_infinite_peak",
            "iff(speedup_infinite == speedup_infinite_peak, g == g_peak)",
            "o + L0 + L1*g >= ((o + L0)/(1 - beta))**(1 - beta)*(L1*g/beta)**beta",
        ),
        touch=("g_peak",),
    ),
    Claim(
        id="ext-entropy-threshold-value",
        source=_SOURCE,
        statement="That peak is C*exp(-H)/((o + L0)**(1 - beta)*L1**beta), with H the natural "
        "binary entropy of the exponent.",
        given=_SUBLINEAR,
        asserts=(
            "speedup_infinite_peak == C*exp(-entropy)/((o + L0)**(1 - beta)*L1**beta)",
            "entropy == -beta*log(beta) - (1 - beta)*log(1 - beta)",
            "kappa_threshold == exp(entropy)",
            "kappa_threshold == beta**-beta*(1 - beta)**(beta - 1)",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-range",
        source=_SOURCE,
        statement="The exponential of the entropy lies between one and two, two only for "
        "beta = 1/2.",
        given=("beta < 1",),
        asserts=(
            "1 < kappa_threshold <= 2",
            "iff(kappa_threshold == 2, beta == 1/2)",
            "entropy > 0",
        ),
        touch=("2*beta", "2*(1 - beta)"),
    ),
    Claim(
        id="ext-entropy-threshold-kappa",
        source=_SOURCE,
        statement="One number decides: in units of (o + L0)/L1 the equation is "
        "kappa*xi**beta = 1 + xi.",
        given=("s < A", "L1 > 0", "o + L0 > 0"),
        asserts=(
            "kappa == effective_index*(o + L0)**(beta - 1)*L1**-beta",
            "trinomial(g=x*(o + L0)/L1) == (o + L0)*(kappa*x**beta - 1 - x)",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-equivalent",
        source=_SOURCE,
        statement="For a sublinear kernel thresholds of scaled index, effective index, intensity "
        "and peak all say the same.",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "kappa/kappa_threshold == effective_index/index_threshold",
            "computational_intensity/intensity_threshold == effective_index/index_threshold",
            "speedup_infinite_peak*(1/s - 1/A) == effective_index/index_threshold",
            "index_threshold == ((o + L0)/(1 - beta))**(1 - beta)*(L1/beta)**beta",
            "iff(effective_index >= index_threshold, speedup_peak >= s)",
            "iff(effective_index >= index_threshold, exists(g_s))",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-intensity",
        source=_SOURCE,
        statement="The least intensity is exp(H)*((o + L0)/L1)**(1 - beta)*s*A/(A - s).",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "intensity_threshold == exp(entropy)*((o + L0)/L1)**(1 - beta)*s*A/(A - s)",
            "iff(computational_intensity >= intensity_threshold, exists(g_s))",
        ),
    ),
    Claim(
        id="ext-entropy-threshold-half",
        source=_SOURCE,
        statement="For beta = 1/2 the target is reached if, and only if, a_s**2 >= 4*(o + L0)*L1.",
        given=("beta == 1/2", "s < A", "o + L0 > 0"),
        asserts=("iff(exists(g_s), effective_index**2 >= 4*(o + L0)*L1)",),
    ),
)

_FEW = "logca2026, measured sizes"

_MEASURED = (
    Claim(
        id="ext-few-sizes-slope",
        source=_FEW,
        statement="The slope of the speedup on logarithmic scales does not rise as data grow.",
        given=("latency == affine", "x < y"),
        asserts=("e_g(g=x) >= e_g(g=y)",),
        argument="By the mean value theorem the speedup at smaller sizes lies on or below the line "
        "through two sizes, on logarithmic scales: if offloading pays at both, and more at the "
        "larger one, it pays at no size up to that at which the line is at one.",
    ),
    Claim(
        id="ext-few-sizes-below",
        source=_FEW,
        statement="Below a size at which offloading does not pay, while it pays at a larger one, "
        "it does not pay.",
        given=(
            "latency == affine",
            "g < x",
            "x < y",
            "speedup(g=x) <= 1",
            "speedup(g=y) > 1",
        ),
        asserts=("speedup < 1",),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_CASES, *_THRESHOLDS, *_MEASURED)
