"""Rows of costs that no other row dominates, in an array of any length."""

from typing import Any

import numpy as np

__all__ = ["non_dominated", "not_dominated_by"]

Rows = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

_FEW = 128
_PAIRS = 4_000_000
_SAMPLE = 1_000
_MANY = 20 * _SAMPLE
_STRONG = 16


def non_dominated(costs: Rows) -> Mask:
    """For each row of costs whether no other row is at most as dear in all and dearer in none.

    Rows that are the same do not dominate each other. Rows are sorted and halved again and again;
    a row of the first half is not dominated by one of the second, so that only the second half's
    survivors are compared with the first's, in one dimension less. For up to three costs that takes
    sorting only, even if all rows survive; for more, the time grows with the square of the rows
    that survive.

    Parameters
    ----------
    costs : array, n by k
        One row for each point, smaller is better, no NaN [any].

    Examples
    --------
    >>> non_dominated(np.array([[1.0, 5.0], [2.0, 2.0], [2.0, 3.0], [5.0, 1.0]])).tolist()
    [True, True, False, True]
    """
    if len(costs) == 0:
        return np.zeros(0, dtype=np.bool_)
    if len(costs) > _MANY and costs.shape[1] > 2:
        sample = _sample(costs)
        left = not_dominated_by(costs, sample[non_dominated(sample)])
        left[left] = _survivors(costs[left])
        return left
    return _survivors(costs)


def not_dominated_by(costs: Rows, by: Rows) -> Mask:
    """For each row of costs whether none of some other rows dominates it: of up to 32 of them.

    A few rows that lie apart dominate most of what is ever dominated, and are quickly tried.

    Parameters
    ----------
    costs : array, n by k
        One row for each point [any].
    by : array, m by k
        Other rows [any].
    """
    columns, places = costs.T.copy(), np.arange(len(costs))
    for strong in by[np.lexsort(by.T[::-1])][:: max(1, len(by) // _STRONG)]:
        worse = np.ones(len(places), dtype=np.bool_)
        for column, value in zip(columns, strong, strict=True):
            worse &= column >= value
        worse[worse] = (strong < columns[:, worse].T).any(axis=1)
        if worse.any():
            columns, places = columns[:, ~worse], places[~worse]
    found = np.zeros(len(costs), dtype=np.bool_)
    found[places] = True
    return found


def _survivors(costs: Rows) -> Mask:
    # Costs with few values first: of rows that differ in the last one only, the first one is left.
    few_first = np.argsort([len(np.unique(column)) for column in _sample(costs).T], kind="stable")
    costs = costs[:, few_first]
    order = np.lexsort(costs.T[::-1])
    rows = costs[order]
    leads = np.ones(len(rows), dtype=np.bool_)
    leads[1:] = (rows[1:, :-1] != rows[:-1, :-1]).any(axis=1)
    leading, group = rows[leads], np.cumsum(leads) - 1
    survives = np.zeros(len(leading), dtype=np.bool_)
    survives[_front(leading, np.arange(len(leading)))] = True
    found = np.empty(len(rows), dtype=np.bool_)
    found[order] = survives[group] & (rows[:, -1] == leading[group, -1])
    return found


def _sample(costs: Rows) -> Rows:
    """Some of many rows, the same ones every time."""
    if len(costs) <= _SAMPLE:
        return costs
    return costs[np.random.default_rng(0).integers(0, len(costs), _SAMPLE)]


def _front(rows: Rows, places: Any) -> Any:
    """Of some places in sorted, distinct rows those of rows that no other of them dominates."""
    if rows.shape[1] == 2:
        second = rows[places, 1]
        least = np.minimum.accumulate(second)
        return places[np.concatenate([[True], second[1:] < least[:-1]])]
    if len(places) <= _FEW:
        few = rows[places]
        worse: Mask = np.triu(np.all(few[:, None, :] <= few[None, :, :], axis=2), 1)
        return places[~worse.any(axis=0)]
    half = len(places) // 2
    first, second = _front(rows, places[:half]), _front(rows, places[half:])
    # Sorted, the first cost of the first half's rows is never the larger one.
    return np.concatenate([first, second[~_dominated(rows[second, 1:], rows[first, 1:])]])


def _dominated(rows: Rows, by: Rows) -> Mask:
    """For each row whether one of the others is nowhere larger."""
    dimensions = rows.shape[1]
    if dimensions == 0:
        return np.ones(len(rows), dtype=np.bool_)
    if dimensions == 1:
        least: Mask = rows[:, 0] >= by[:, 0].min()
        return least
    if dimensions == 2:
        order = np.argsort(by[:, 0])
        below = np.minimum.accumulate(by[order, 1])
        count = np.searchsorted(by[order, 0], rows[:, 0], side="right")
        found: Mask = (count > 0) & (below[np.maximum(count, 1) - 1] <= rows[:, 1])
        return found
    step = max(1, _PAIRS // (len(by) * dimensions))
    parts = [
        np.any(np.all(by[None, :, :] <= rows[start : start + step, None, :], axis=2), axis=1)
        for start in range(0, len(rows), step)
    ]
    return np.concatenate(parts)
