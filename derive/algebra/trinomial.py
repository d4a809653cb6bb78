r"""The positive roots of ``k x**beta = c + l x`` as SymPy functions.

Every granularity of the model (break-even, half-peak, any target speedup) is such a root; for
general real beta there is no closed form in elementary functions, so the root itself is the
object: it substitutes, differentiates (implicit function theorem) and evaluates to any precision.
"""

from typing import Any

import mpmath
import sympy as sp

from logca.derive.algebra.dimension import Dimension, DimensionError

__all__ = ["LowerRoot", "TrinomialRoot", "UpperRoot", "crossing_cases", "crossings"]


class TrinomialRoot(sp.Function):
    """A positive root x [B] of ``k*x**beta = c + l*x``.

    Arguments are ``k`` [cycles/B**beta], ``c`` [cycles], ``l`` [cycles/B], ``beta`` [1].
    """

    nargs = (4,)
    upward = True

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Derivative with respect to an argument, by the implicit function theorem.

        The slope ``beta*k*x**(beta-1) - l`` [cycles/B] is written with ``k*x**beta = c + l*x``
        inserted, as ``(beta*c + (beta-1)*l*x)/x``.
        """
        _, c, l, b = self.args
        slope = (b * c + (b - 1) * l * self) / self
        residual_gradient = {
            1: self**b,
            2: -sp.S.One,
            3: -self,
            4: (c + l * self) * sp.log(self),
        }[argindex]
        return -residual_gradient / slope

    def dimension(self, parts: list[Dimension]) -> Dimension:
        """Dimension [B] of the root; an error if the equation is not homogeneous."""
        k, c, l, _ = parts
        root = c.times(l.power(sp.Integer(-1))) if self.args[2] != 0 else None
        root = root or c.times(k.power(sp.Integer(-1))).power(1 / self.args[3])
        if not k.times(root.power(self.args[3])).equals(c):
            raise DimensionError(f"k*x**beta and c have different dimensions in {self}")
        return root

    def _eval_is_positive(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> sp.Expr:
        values = [arg.evalf(mpmath.libmp.prec_to_dps(prec) + 10) for arg in self.args]
        if not all(value.is_Float or value.is_Rational for value in values):
            return self.func(*values)
        with mpmath.workprec(prec + 40):
            roots = crossings(*(mpmath.mpf(value) for value in values))
            return sp.Float(roots[self.upward], precision=prec)


class LowerRoot(TrinomialRoot):
    """The root x [B] at which ``k*x**beta`` rises above ``c + l*x``: from x on it is the larger.

    It is the only crossing for beta >= 1, the lower of two for beta < 1. For beta < 1 and c = 0
    there is none: the power is larger from the start.

    Examples
    --------
    >>> from sympy.abc import k, c, l
    >>> LowerRoot(k, c, l, 1)
    c/(k - l)
    """

    @classmethod
    def eval(cls, k: Any, c: Any, l: Any, b: Any) -> sp.Expr | None:
        """Closed forms [B] where the equation has two terms, or beta = 1."""
        if l == 0:
            return (c / k) ** (1 / b)
        if b == 1:
            return c / (k - l)
        return None


class UpperRoot(TrinomialRoot):
    """The root x [B] at which ``k*x**beta`` falls below ``c + l*x``; only for beta < 1, l > 0."""

    upward = False

    @classmethod
    def eval(cls, k: Any, c: Any, l: Any, b: Any) -> sp.Expr | None:
        """Closed form [B] where the constant term vanishes."""
        return (l / k) ** (1 / (b - 1)) if c == 0 else None


def _at_the_peak(k: Any, c: Any, l: Any, b: Any) -> tuple[Any, Any]:
    """Two sides of which, for b < 1 and c > 0, the left is not less iff there are crossings.

    Weighted means: (c + l*x)/x**b is never less than (c/(1 - b))**(1 - b) * (l/b)**b.
    """
    return k * b**b * (1 - b) ** (1 - b) * c**b, c * l**b


def crossing_cases(
    k: sp.Expr, c: sp.Expr, l: sp.Expr, b: sp.Expr, *, upward: bool
) -> tuple[tuple[sp.Basic, sp.Basic], ...]:
    """When ``k*x**b = c + l*x`` has a crossing, for k > 0 and l > 0: cases of b, conditions [1].

    For l = 0 there is the upward one if c > 0, and no other. The ledger proves all of it under the
    ids that begin with ``ext-existence``.

    Examples
    --------
    >>> from logca.derive.core.symbols import C, L, beta, o
    >>> [case for case, condition in crossing_cases(C, o, L, beta, upward=True)]
    [beta < 1, Eq(beta, 1), beta > 1]
    """
    reached: sp.Basic = sp.false
    if not (b.is_Rational and b >= 1):
        left, right = _at_the_peak(k, c, l, b)
        reached = left >= right
    if not upward:
        return ((b < 1, sp.Or(sp.Eq(c, 0), reached)),)
    return (
        (b < 1, sp.And(c > 0, reached)),
        (sp.Eq(b, 1), sp.And(c > 0, k > l)),
        (b > 1, c >= 0),
    )


def crossings(k: Any, c: Any, l: Any, b: Any) -> dict[bool, Any]:
    """Upward (True) and downward (False) crossing [B] of ``k*x**b = c + l*x``; NaN where none.

    Newton's method in t = ln x on the convex function ln(c + l e**t) - b t - ln k starts where
    the function is nonnegative and so converges monotonically: a value of the other sign is only
    rounding, and ends the iteration. For l < 0 there is one crossing if
    c > 0, and the convex function is ln(k e**(b t) - l e**t) - ln c.
    """
    upward = downward = mpmath.nan
    if k <= 0 or c < 0 or (c == 0 and l <= 0):
        pass
    elif l == 0:
        upward = (c / k) ** (1 / b)
    elif b == 1:
        upward = c / (k - l) if k > l and c > 0 else upward
    elif l < 0:
        upward = _newton_sum(k, c, -l, b, min(mpmath.log(c / k) / b, mpmath.log(-c / l)))
    elif c == 0 and b > 1:
        upward = (l / k) ** (1 / (b - 1))
    elif c == 0:
        downward = (l / k) ** (1 / (b - 1))
    else:
        level, steep = mpmath.log(c / k) / b, mpmath.log(l / k) / (b - 1)
        if b > 1:
            upward = _newton(k, c, l, b, max(level, steep))
        else:
            left, right = _at_the_peak(k, c, l, b)
            if left >= right:
                upward, downward = _newton(k, c, l, b, level), _newton(k, c, l, b, steep)
    return {True: upward, False: downward}


def _newton(k: Any, c: Any, l: Any, b: Any, t: Any) -> Any:
    """Root [B] from a start t where the convex function is nonnegative."""
    tolerance = mpmath.mpf(2) ** (4 - mpmath.mp.prec)
    # near tangency steps only halve, and rounding may keep them from getting small: bounded
    for _ in range(20 * mpmath.mp.prec):
        moved = l * mpmath.exp(t)
        value = mpmath.log(c + moved) - b * t - mpmath.log(k)
        step = value / (moved / (c + moved) - b)
        t -= step
        if value <= 0 or abs(step) <= tolerance * (1 + abs(t)):
            break
    return mpmath.exp(t)


def _newton_sum(k: Any, c: Any, l: Any, b: Any, t: Any) -> Any:
    """Root [B] of ``k*x**b + l*x = c`` from a start t where the left side is at least c."""
    tolerance = mpmath.mpf(2) ** (4 - mpmath.mp.prec)
    for _ in range(20 * mpmath.mp.prec):
        power, line = k * mpmath.exp(b * t), l * mpmath.exp(t)
        value = mpmath.log((power + line) / c)
        step = value * (power + line) / (b * power + line)
        t -= step
        if value <= 0 or abs(step) <= tolerance * (1 + abs(t)):
            break
    return mpmath.exp(t)
