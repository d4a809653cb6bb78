"""Curves in the terminal: where the marks are is where the numbers are."""

from math import log2

import pytest

import logca
from logca.plots.terminal import terminal_curve


def test_the_break_even_is_where_the_curve_crosses_one() -> None:
    lines = terminal_curve(logca.Accelerator(o=1000, L=0, C=10, A=20), width=80).splitlines()
    assert len({len(line) for line in lines[:-1]}) == 1
    one = next(line for line in lines if line.lstrip().startswith("1x├"))
    left, right = one.index("├") + 1, one.index("┤")
    [crossing] = [at for at in range(left, right) if lines[0][at] == "┬"]
    share = (log2(1000 / (10 * (1 - 1 / 20))) - 4) / (25 - 4)
    assert crossing - left == pytest.approx(share * (right - left), abs=1.5)
    assert any(ord(letter) > 0x2800 for letter in one[crossing - 3 : crossing + 4])


def test_without_a_break_even_there_is_no_line_for_one() -> None:
    lines = terminal_curve(logca.Accelerator(o=1e6, L=0, C=1, A=20), high=65536.0).splitlines()
    assert "┬" not in lines[0]
    assert any(line.lstrip().startswith("1x├") for line in lines)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_it_is_as_wide_as_it_is_asked_to_be(width: int) -> None:
    drawn = terminal_curve(logca.device("apu", "gemm"), width=width)
    assert max(map(len, drawn.splitlines())) <= width
    assert "\x1b" not in drawn
