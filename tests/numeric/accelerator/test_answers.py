"""The values that an accelerator answers with."""

import copy
import pickle

import pytest

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import (
    Bound,
    Granularities,
    UnreachableError,
    Window,
    granularities,
)
from logca.numeric.roots.status import MEANINGS, RootStatus

AES = Accelerator(o=29_000, L=1500, C=90, A=19)
RADIX = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")


def test_granularities_are_a_tuple_with_a_reason() -> None:
    found = Granularities([357.716, 2.0**30], RootStatus.TWO)
    assert found == (357.716, 2.0**30)
    assert found[0] == 357.716
    assert len(found) == 2
    assert found.status is RootStatus.TWO
    assert found.reason == MEANINGS[RootStatus.TWO]
    assert str(found) == "357.7 B and 1 GiB"
    assert repr(found) == "Granularities([357.716, 1073741824.0], status=TWO)"
    assert hash(found) == hash((357.716, 2.0**30))


@pytest.mark.parametrize("status", RootStatus)
def test_without_any_the_reason_is_given(status: RootStatus) -> None:
    found = Granularities([], status)
    assert not found
    assert str(found) == f"none: {MEANINGS[status]}"


def test_granularities_are_immutable_and_can_be_sent_away() -> None:
    found = RADIX.break_even()
    assert found.status is RootStatus.TWO
    with pytest.raises(AttributeError, match="immutable"):
        found.status = RootStatus.NEVER
    with pytest.raises(AttributeError, match="immutable"):
        found.other = 1  # type: ignore[attr-defined]
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert again == found
        assert again.status is found.status
        assert type(again) is Granularities


def test_what_the_root_finder_found_is_in_order_and_each_once() -> None:
    nan = float("nan")
    assert granularities(3.0, 5.0, RootStatus.TWO) == (3.0, 5.0)
    assert granularities(4.0, 4.0, RootStatus.DOUBLE) == (4.0,)
    assert granularities(nan, 5.0, RootStatus.UPPER_ONLY) == (5.0,)
    assert granularities(nan, nan, RootStatus.NEVER) == ()


def test_a_window_is_shown() -> None:
    window = AES.window("16 B", "32 MiB")
    assert str(window) == "16 B to 32 MiB: speedup 0.0471 to 19, best at 32 MiB"
    assert window.break_even == AES.break_even()
    assert window.break_even.status is RootStatus.ONE


@pytest.mark.parametrize(
    ("accelerator", "low", "high"), [(AES, "1 KiB", "1 MiB"), (RADIX, 1, 2), (AES, 1, 2)]
)
def test_a_window_without_break_even_does_not_say_that_it_is_reached(
    accelerator: Accelerator, low: str | int, high: str | int
) -> None:
    window = accelerator.window(low, high)
    assert window.break_even == ()
    assert "reached at" not in str(window.break_even)


def test_a_bound_is_shown() -> None:
    assert str(Bound(kind="latency", limit=2.0, reason="why")) == "latency-bound: why"
    assert str(RADIX.bound()).startswith("latency-bound: latency grows faster than computation")
    assert str(AES.bound()).startswith("compute-bound: ")


def test_answers_are_values() -> None:
    window = AES.window(1, 2)
    assert window == AES.window(1, 2)
    assert isinstance(window, Window)
    with pytest.raises(AttributeError):
        window.low = 0.0  # type: ignore[misc]
    assert AES.peak()._fields == ("granularity", "speedup", "attained")
    assert AES.shares(1)._fields == ("overhead", "latency", "computation")
    assert AES.elasticity(1)._fields == ("o", "L", "C", "A", "beta", "g")
    assert issubclass(UnreachableError, ValueError)
