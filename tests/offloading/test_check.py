"""Predicted and measured break-evens, with cores as the accelerator."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from offloads import checked

from logca.common.errors import TraceError
from logca.offloading.break_even import PayingRange, last_range
from logca.offloading.check import check


def least(ranges: Sequence[PayingRange]) -> float:
    found = last_range(ranges)
    assert found is not None
    assert found.least is not None
    return found.least


def test_break_evens_of_curves_that_cross_at_known_sizes() -> None:
    found = checked([8.0] * 5, [4.0] * 5)
    assert least(found.predicted) == pytest.approx(4 / 1.005, rel=1e-2)
    assert least(found.measured) == pytest.approx(8, rel=6e-2)
    assert found.apart == pytest.approx(2, rel=0.06)
    assert least(found.bracket) > least(found.measured)
    assert checked([99.0] * 5, [4.0] * 5).apart is None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_a_product_is_checked_on_two_threads(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "polybench" / "gemm.c"
    found = check(source, size="N=8:192", threads=2)
    assert [point.size for point in found.points][:: len(found.points) - 1] == [8, 192]
    assert all(point.same for point in found.points)
    assert found.compiler.threads == 2
    # one core twice as long as two, where a parallel loop's overhead is nothing beside it
    last = found.points[-1]
    assert last.predicted_s == pytest.approx(last.host.value / 2 + found.compiler.first_s, rel=1e-9)


def test_one_core_cannot_be_checked(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }")
    with pytest.raises(TraceError, match="one core"):
        check(source, threads=1)
