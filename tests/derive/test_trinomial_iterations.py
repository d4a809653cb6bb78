"""The iteration for a root of the trinomial ends, however many digits are wanted."""

import mpmath
import pytest

from logca.derive import trinomial


@pytest.mark.parametrize("beta", ["1/7", "1/2", "9/10", "11/10", "3/2", "3"])
@pytest.mark.parametrize("precision", [64, 512, 2000])
def test_few_steps_at_every_precision(
    beta: str, precision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    exponential = mpmath.exp

    def counted(value: object) -> object:
        nonlocal steps
        steps += 1
        return exponential(value)

    monkeypatch.setattr(trinomial.mpmath, "exp", counted)
    with mpmath.workprec(precision):
        exponent = mpmath.fdiv(*map(int, (*beta.split("/"), "1")[:2]))
        k, c, l = mpmath.mpf(7) / 3, mpmath.mpf(5) / 11, mpmath.mpf(2) / 9
        for root in trinomial.crossings(k, c, l, exponent).values():
            residual = k * root**exponent / (l * root + c) - 1
            assert mpmath.isnan(root) or abs(residual) < mpmath.ldexp(1, 20 - precision)
        against = trinomial.crossings(k, c, -l, exponent)[True]
        residual = (k * against**exponent + l * against) / c - 1
        assert abs(residual) < mpmath.ldexp(1, 20 - precision)
    assert steps < 120
