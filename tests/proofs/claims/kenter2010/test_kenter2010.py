"""The sentences of Kenter et al., by brute force over small programs in exact fractions."""

from fractions import Fraction
from itertools import product

HALF = Fraction(1, 2)


def relative(cpu: Fraction, theoretical: Fraction, partition: Fraction) -> Fraction:
    """(S - 1)/(S_theoretical - 1)."""
    return (cpu / partition - 1) / (cpu / theoretical - 1)


def share(memory: int, operations: int, moved: int, transfers: int, cycles: Fraction) -> Fraction:
    """The relative speedup of a partition without casts, at so many cycles an operation."""
    cpu = Fraction(memory + operations)
    partition = memory + operations - moved + cycles * moved + transfers
    return relative(cpu, memory + cycles * operations, partition)


def test_an_overestimated_memory_time_draws_the_speedup_towards_one() -> None:
    for cpu, partition, more in product(range(1, 8), repeat=3):
        before, after = Fraction(cpu, partition), Fraction(cpu + more, partition + more)
        assert abs(after - 1) <= abs(before - 1)
        assert (after > before) == (before < 1)


def test_the_relative_speedup_falls_without_casts() -> None:
    steps = [Fraction(9, 10), Fraction(7, 10), HALF, Fraction(2, 10)]
    for memory, operations in product((1, 10, 100), (4, 10)):
        for moved in range(1, operations):
            shares = [share(memory, operations, moved, 0, cycles) for cycles in steps]
            assert shares == sorted(shares, reverse=True)
            assert len(set(shares)) == len(shares)
    assert share(100, 10, 9, 2, Fraction(7, 10)) < share(100, 10, 9, 2, Fraction(2, 10))


def test_one_push_for_two_consumers() -> None:
    for push, one, other in product(range(1, 7), repeat=3):
        together, apart = min(push, one + other), min(push, one) + min(push, other)
        assert together <= apart <= 2 * together
        assert (together == apart) == (one + other <= push)


def test_a_value_is_pushed_unless_it_is_produced_three_times_as_often() -> None:
    for produced, used in product(range(10), repeat=2):
        assert (min(produced * 1, used * 3) == produced * 1) == (produced <= 3 * used)


def test_a_cycle_more_on_a_shared_cache() -> None:
    for l1, l2, memory in product((0, 1, 5, 100), repeat=3):
        time = 3 * l1 + 15 * l2 + 200 * memory
        assert time + l1 + l2 + memory <= Fraction(4, 3) * time
        assert time + l2 + memory <= Fraction(16, 15) * time
