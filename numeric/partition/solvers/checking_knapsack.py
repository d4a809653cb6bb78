"""Whether no choice of blocks within an area gains as much as a limit; in whole numbers.

Let p be any price of area. A block with a surplus s = gain - p area is wanted if s > 0. A choice
that fits gains the surplus of all wanted blocks and p times the area, less |s| for each block that
is chosen unwanted or wanted and not chosen, less p times the area left over. If it gains the limit,
these deductions are at most the slack: the first sum, less the limit. So only blocks whose
deduction is within the slack can differ from what is wanted, and the area of all that differ can
only be so much. For every difference of area up to that the least deduction follows block by block.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.checking_cost import CertificateError

__all__ = ["gains_less"]

Numbers = NDArray[Any]
Group = tuple[int, int, int]
"""Area, deduction, and how many blocks there are of both."""

LARGEST_KNAPSACK = 50_000_000_000
"""How many steps it may take [1]."""


def gains_less(gain: Numbers, area: Numbers, room: int, limit: int, where: str) -> bool:
    """Whether every choice that fits gains less than a limit.

    Parameters
    ----------
    gain, area : array
        What each block gains, more than 0 [scaled cycles / denominator], and takes, at least 0 [1].
    room : int
        The area, at least 0 [1].
    limit : int
        The limit [scaled cycles / denominator].
    where : str
        What is checked, for messages [text].

    Raises
    ------
    CertificateError
        If it would take too many steps.
    """
    kinds = Counter(zip(gain.tolist(), area.tolist(), strict=True))
    total = sum(value * count for (value, _), count in kinds.items())
    if total < limit:
        return True
    if sum(size * count for (_, size), count in kinds.items()) <= room:
        return False
    price, factor = _price(kinds, room, total)
    surplus = [(size, value * factor - size * price, n) for (value, size), n in kinds.items()]
    wanted = [(size, more, count) for size, more, count in surplus if more > 0]
    other = [(size, -more, count) for size, more, count in surplus if more <= 0]
    slack = sum(more * n for _, more, n in wanted) + price * room - limit * factor
    if slack < 0:
        return True
    wanted_area = sum(size * count for size, _, count in wanted)
    wanted, other = (
        [(size, lost, n if not lost else min(n, slack // lost)) for size, lost, n in groups]
        for groups in (wanted, other)
    )
    low, high = _farthest(wanted, slack), _farthest(other, slack)
    steps = (low + high + 1) * (len(wanted) + len(other))
    if steps > LARGEST_KNAPSACK:
        raise CertificateError(f"{where}: a knapsack of this area is too large to check")
    wide = 4 * slack > 2**62
    least = np.full(low + high + 1, slack + 1, np.object_ if wide else np.int64)
    least[low] = 0
    for groups, sign in ((wanted, -1), (other, 1)):
        for size, lost, count in groups:
            for number in _parts(count):
                _moved(least, sign * size * number, lost * number)
    left = room - wanted_area
    first = max(-low, left - slack // price) if price else -low
    return all(
        int(least[low + difference]) + price * (left - difference) > slack
        for difference in range(first, min(left, high) + 1)
    )


def _price(kinds: Counter[tuple[int, int]], room: int, total: int) -> tuple[int, int]:
    """The price at which wanted blocks just fill the area, and a factor that makes it whole."""
    best = sorted(kinds, key=lambda kind: -kind[0] / max(kind[1], 1e-9))
    for value, size in best:
        room -= size * kinds[value, size]
        if room < 0:
            factor = size if total * size < 2**60 else 1
            return value * factor // size, factor
    raise AssertionError("all blocks fit")


def _farthest(groups: list[Group], slack: int) -> int:
    """No less than the area of any blocks of these whose deductions are within the slack."""
    total = sum(size * count for size, _, count in groups)
    left = slack
    for size, lost, count in sorted(groups, key=lambda each: each[1] / max(each[0], 1e-9)):
        left -= lost * count
        if left < 0:
            # a unit of slack is worth size / lost of area, and more only where this says so
            more = sum(max(0, s * lost - size * d) * n for s, d, n in groups)
            return min(total, (size * slack + more) // lost)
    return total


def _parts(count: int) -> list[int]:
    """Numbers whose partial sums are all numbers up to the count."""
    parts, size = [], 1
    while count > 0:
        parts.append(min(size, count))
        count, size = count - size, 2 * size
    return parts


def _moved(least: Numbers, by: int, lost: int) -> None:
    """Let each difference of area be reached from the one that is less by so much."""
    if abs(by) >= len(least):
        return
    if by > 0:
        np.minimum(least[by:], least[:-by] + lost, out=least[by:])
    elif by < 0:
        np.minimum(least[:by], least[-by:] + lost, out=least[:by])
