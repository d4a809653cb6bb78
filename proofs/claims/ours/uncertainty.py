"""Theorems of ours: sizes within a window, parameters known within a factor, or by chance."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_WINDOW_SOURCE = "logca2026, windows"
_ERROR_SOURCE = "logca2026, uncertainty"
_CHANCE_SOURCE = "logca2026, chance"
_SUBLINEAR = ("beta < 1", "L1 > 0", "o + L0 > 0")
_FACTORS = tuple(
    side for name in ("m", "n", "r", "q", "f") for side in (f"{name} <= rho", f"{name}*rho >= 1")
)
_PERTURBED = "o=m*o, L0=n*L0, L1=r*L1, C=q*C, A=f*A"

_WINDOW = (
    Claim(
        id="ext-window-place",
        source=_WINDOW_SOURCE,
        statement="The best granularity of a window lies in it, and is its upper end for at "
        "least linear complexity or no latency per byte.",
        given=("g_low <= g_high", "o + L0 > 0"),
        asserts=(
            "g_low <= window_best <= g_high",
            "implies(beta >= 1 or L1 == 0, window_best == g_high)",
        ),
    ),
    Claim(
        id="ext-window-peak",
        source=_WINDOW_SOURCE,
        statement="For sublinear complexity it is the peak, moved to the nearer end if outside.",
        given=("g_low <= g_high", "beta < 1", "L1 > 0", "o + L0 > 0"),
        asserts=("window_best == max(g_low, min(g_high, g_peak))",),
    ),
    Claim(
        id="ext-window-greatest",
        source=_WINDOW_SOURCE,
        statement="No granularity of a window has a larger speedup than the best one: a target "
        "is reached there if, and only if, speedup_window is at least as large.",
        given=("o + L0 > 0", "g_low <= g", "g <= g_high"),
        asserts=("speedup <= speedup_window", "speedup_window == speedup(g=window_best)"),
        argument="A target between speedup_window_floor and speedup_window is a value of the "
        "continuous speedup on the window.",
    ),
    Claim(
        id="ext-window-least",
        source=_WINDOW_SOURCE,
        statement="The least speedup of a window is at one of its ends.",
        given=("g_low <= g", "g <= g_high", "latency == affine"),
        asserts=(
            "speedup >= speedup_window_floor",
            "speedup_window_floor == min(speedup(g=g_low), speedup(g=g_high))",
        ),
    ),
)

_ERROR = (
    Claim(
        id="ext-error-bound-speedup",
        source=_ERROR_SOURCE,
        statement="If overhead, latencies, computational index and acceleration are known within "
        "a factor rho, the speedup lies between speedup_low and speedup_high.",
        given=_FACTORS,
        asserts=(
            f"speedup_low <= speedup({_PERTURBED})",
            f"speedup({_PERTURBED}) <= speedup_high",
        ),
    ),
    Claim(
        id="ext-error-bound-reached",
        source=_ERROR_SOURCE,
        statement="Both are reached, with every parameter at its end.",
        given=("rho >= 1",),
        asserts=(
            "speedup_low == speedup(o=rho*o, L0=rho*L0, L1=rho*L1, C=C/rho, A=A/rho)",
            "speedup_high == speedup(o=o/rho, L0=L0/rho, L1=L1/rho, C=rho*C, A=rho*A)",
        ),
    ),
    Claim(
        id="ext-error-bound-share",
        source=_ERROR_SOURCE,
        statement="The speedup is off by at most rho**2, and upwards by that over "
        "1 + (rho - 1)*S/A.",
        given=("rho >= 1", "latency == affine"),
        asserts=(
            "speedup_low >= speedup/rho**2",
            "speedup_high == speedup*rho**2/(1 + (rho - 1)*speedup/A)",
        ),
    ),
    Claim(
        id="ext-error-bound-spread",
        source=_ERROR_SOURCE,
        statement="The ends are a factor of rho**2 to rho**4 apart.",
        given=("rho >= 1", "latency == affine"),
        asserts=(
            "speedup_spread == speedup_high/speedup_low",
            "rho**2 <= speedup_spread <= rho**4",
        ),
    ),
    Claim(
        id="ext-error-bound-granularity-low",
        source=_ERROR_SOURCE,
        statement="Below g_s_low, where the optimistic speedup is s, not even that is as large.",
        given=("exists(g_s_low)", "latency == affine"),
        asserts=("speedup_high(g=g_s_low) == s", "implies(g < g_s_low, speedup_high < s)"),
        argument="The speedup is at most speedup_high: ext-error-bound-speedup with factors one.",
    ),
    Claim(
        id="ext-error-bound-granularity-high",
        source=_ERROR_SOURCE,
        statement="At g_s_high, where the pessimistic speedup is s, the speedup is at least s.",
        given=("exists(g_s_high)", "latency == affine"),
        asserts=(
            "speedup_low(g=g_s_high) == s",
            "speedup(g=g_s_high) >= s",
            "implies(g < g_s_high, speedup_low < s)",
        ),
    ),
)

_EXPONENT = (
    Claim(
        id="ext-exponent-error",
        source=_ERROR_SOURCE,
        statement="If the exponent is known but for s, the host time that it gives from one "
        "granularity to another strays by the factor (y/x)**s, and with the best index by no less "
        "than the share (q - 1)/(q + 1) of it, q being that factor, at one of the two.",
        given=("x < y",),
        asserts=(
            "T0(g=y, beta=beta + s)/T0(g=x, beta=beta + s) == (y/x)**s*T0(g=y)/T0(g=x)",
            "(y/x)**s > 1",
            "max(abs(C*x**s - 1), abs(C*y**s - 1)) >= ((y/x)**s - 1)/((y/x)**s + 1)",
            "1 - 2/(x**s + y**s)*x**s == ((y/x)**s - 1)/((y/x)**s + 1)",
            "2/(x**s + y**s)*y**s - 1 == ((y/x)**s - 1)/((y/x)**s + 1)",
        ),
        argument="C*g**s is the host time by the wrong exponent, with any index, over the right "
        "one. The best one is 2/(x**s + y**s), by the last two.",
    ),
)

# These are about numbers, not about random ones: the speedup exceeds a target exactly where another
# quantity does, and that is a product of powers of the parameters. Logarithms of log-normal numbers
# are normal, and so is their sum; that part is no claim.
_MARGIN = (
    Claim(
        id="ext-chance-margin",
        source=_CHANCE_SOURCE,
        statement="The speedup exceeds a target exactly if the margin exceeds one: the speedup "
        "with infinite acceleration exceeds speedup_infinite_for.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=(
            "iff(speedup > s, margin > 1)",
            "iff(speedup > s, speedup_infinite > speedup_infinite_for)",
            "margin == speedup_infinite/speedup_infinite_for",
        ),
        argument="So the probability of a greater speedup is that of a positive logarithm of the "
        "margin.",
    ),
    Claim(
        id="ext-chance-margin-none",
        source=_CHANCE_SOURCE,
        statement="A target from the acceleration on is never exceeded, whatever the rest is.",
        given=("A <= s", "latency == affine"),
        asserts=("speedup <= s",),
        argument="So the probability that it is exceeded at some granularity is at most that of a "
        "greater acceleration; under constant latency it is that (ext-existence-constant).",
    ),
    Claim(
        id="ext-chance-margin-product",
        source=_CHANCE_SOURCE,
        statement="If overhead and latency are off by one factor and the index by another, so is "
        "the margin: of log-normal ones it is log-normal.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=("margin(o=m*o, L0=m*L0, L1=m*L1, C=q*C) == margin*q/m",),
        argument="That is so where either overhead or latency is zero, or both are certain.",
    ),
    Claim(
        id="ext-chance-margin-sum",
        source=_CHANCE_SOURCE,
        statement="It is no product where both are there and only one of them is off.",
        given=("s < A", "o > 0", "L0 + L1 > 0", "m > 1", "latency == affine"),
        asserts=("margin/m < margin(o=m*o) < margin",),
        argument="The factor on the margin then depends on the share of the overhead, so that a "
        "log-normal overhead makes no log-normal margin.",
    ),
    Claim(
        id="ext-chance-speedup-quantile",
        source=_CHANCE_SOURCE,
        statement="The speedup grows with the margin: its quantiles are those of the margin's.",
        given=("s < A", "o + L0 + L1 > 0", "latency == affine"),
        asserts=(
            "diff(speedup_quantile, deviation) > 0",
            "speedup_quantile(deviation=1) == speedup",
            "speedup_quantile(deviation=1/margin) == s",
        ),
    ),
)

_GRANULARITY = (
    Claim(
        id="ext-chance-granularity",
        source=_CHANCE_SOURCE,
        statement="Where the speedup never falls, a granularity has more than the target exactly "
        "if g_s is below it: both have one probability.",
        given=("exists(g_s)", "o + L0 > 0", "L1 == 0 or beta >= 1"),
        asserts=("iff(speedup > s, g > g_s)",),
    ),
    Claim(
        id="ext-chance-granularity-product",
        source=_CHANCE_SOURCE,
        statement="Without latency per byte g_s is a product of powers: of log-normal o + L0 and C "
        "it is log-normal, with the spread of the margin over beta.",
        given=("s < A", "o + L0 > 0", "L1 == 0"),
        asserts=(
            "overhead_root(o=m*o, L0=m*L0, C=q*C) == overhead_root*(m/q)**(1/beta)",
            "g_s_quantile == overhead_root*deviation**(-1/beta)",
            "speedup(g=g_s_quantile, C=deviation*C) == s",
        ),
    ),
)

_EXISTENCE = (
    Claim(
        id="ext-chance-reached",
        source=_CHANCE_SOURCE,
        statement="A sublinear kernel reaches a target exactly if the margin at its best "
        "granularity is at least one.",
        given=(*_SUBLINEAR, "s < A"),
        asserts=(
            "margin_peak == margin(g=g_peak)",
            "iff(speedup_peak >= s, margin_peak >= 1)",
            "margin <= margin(g=g_peak)",
        ),
    ),
    Claim(
        id="ext-chance-reached-product",
        source=_CHANCE_SOURCE,
        statement="That is a product of powers of overhead, latency and index, each with a factor "
        "of its own: of log-normal ones it is log-normal.",
        given=(*_SUBLINEAR, "s < A", "latency == affine"),
        asserts=(
            "margin_peak(o=m*o, L0=m*L0, L1=n*L1, C=q*C) == margin_peak*q*m**(beta - 1)*n**(-beta)",
        ),
    ),
    Claim(
        id="ext-chance-reached-linear",
        source=_CHANCE_SOURCE,
        statement="A linear kernel with a latency per byte reaches a target exactly if "
        "C/L1 exceeds speedup_infinite_for.",
        given=("beta == 1", "s < A", "o + L0 > 0", "L1 > 0"),
        asserts=("iff(exists(g_s), C/L1 > speedup_infinite_for)",),
    ),
    Claim(
        id="ext-chance-reached-up-to",
        source=_CHANCE_SOURCE,
        statement="No granularity up to a given one has a greater margin than that, or than the "
        "peak if it comes first: so g_s is at most so large as often as the margin there is one.",
        given=(*_SUBLINEAR, "s < A", "x <= y"),
        asserts=(
            "margin(g=x) <= margin(g=min(y, g_peak))",
            "g_peak(C=q*C) == g_peak",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (*_WINDOW, *_ERROR, *_EXPONENT, *_MARGIN, *_GRANULARITY, *_EXISTENCE)
