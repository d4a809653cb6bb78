"""Theorems of ours: granularities within a window, parameters known within a factor."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_WINDOW_SOURCE = "logca2026, windows"
_ERROR_SOURCE = "logca2026, uncertainty"
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

CLAIMS: tuple[Claim, ...] = (*_WINDOW, *_ERROR, *_EXPONENT)
