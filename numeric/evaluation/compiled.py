"""Operations left at every point of a grid, fused into one loop and compiled with numba.

NumPy passes over a block once for each operation. Compiled, all operations are done at once and
the result is written once; that pays for grids that are evaluated again and again, or so large that
the compilation (about half a second for each form of a grid) does not matter.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from logca.common.extras import require
from logca.numeric.arrays.blocks import Rest
from logca.numeric.arrays.tape import OPERATORS, Operation

__all__ = ["evaluate_compiled", "is_compilable", "is_later"]

_INDENT = "    "
_LARGE = 4096  # elements: a smaller array is computed once and stays in the cache for the loop


def is_compilable(rest: Rest) -> bool:
    """True if only arithmetic is left; NumPy's powers and logarithms are faster than numba's."""
    return all(operation.name in OPERATORS for operation in rest.tape.operations)


def is_later(operation: Operation, size: int) -> bool:
    """True if an operation is better done in the compiled loops, however few axes it has."""
    return operation.name in OPERATORS and size > _LARGE


def evaluate_compiled(rest: Rest, *, workers: int = 1) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The result of what is left to do [unit of the function]."""
    patterns = tuple(tuple(length != 1 for length in leaf.shape) for leaf in rest.leaves)
    kernel = _kernel(rest.tape.operations, patterns, len(rest.merged))
    result = np.empty(rest.merged)
    if not result.size:
        return result.reshape(rest.shape)
    cuts = [slice(part[0], part[-1] + 1) for part in _parts(rest.merged[0], workers)]
    if len(cuts) == 1:
        kernel(result, *rest.leaves)
    else:
        with ThreadPoolExecutor(workers) as pool:
            jobs = [
                pool.submit(kernel, result[cut], *(_cut(leaf, cut) for leaf in rest.leaves))
                for cut in cuts
            ]
            for job in jobs:
                job.result()
    return result.reshape(rest.shape)


def _parts(length: int, workers: int) -> Sequence[Any]:
    return np.array_split(np.arange(length), max(1, min(workers, length)))


def _cut(leaf: Any, cut: slice) -> Any:
    return leaf[cut] if leaf.shape[0] != 1 else leaf


@cache
def _kernel(
    operations: tuple[Operation, ...], patterns: tuple[tuple[bool, ...], ...], axes: int
) -> Callable[..., None]:
    numba = require("numba", "fast")
    scope: dict[str, Any] = {}
    exec(_source(operations, patterns, axes), scope)  # our own text, from a tape of our own
    compiled: Callable[..., None] = numba.njit(error_model="numpy", nogil=True)(scope["kernel"])
    return compiled


def _source(
    operations: tuple[Operation, ...], patterns: tuple[tuple[bool, ...], ...], axes: int
) -> str:
    """Nested loops, everything done where the last index that it depends on is known.

    Examples
    --------
    >>> add = Operation(name="add", operands=(0, 1))
    >>> print(_source((add,), ((True, False), (False, True)), 2))
    def kernel(out, x0, x1):
        for i0 in range(out.shape[0]):
            v0 = x0[i0, 0]
            for i1 in range(out.shape[1]):
                v1 = x1[0, i1]
                v2 = v0 + v1
                out[i0, i1] = v2
    """
    depth = [_depth(pattern) for pattern in patterns]
    statements = []
    for leaf, pattern in enumerate(patterns):
        index = ", ".join(f"i{axis}" if varies else "0" for axis, varies in enumerate(pattern))
        statements.append((depth[leaf], f"v{leaf} = x{leaf}[{index}]"))
    for operation in operations:
        places = [each for each in operation.operands if isinstance(each, int)]
        operands = [f"v{each}" if each in places else repr(each) for each in operation.operands]
        text = OPERATORS[operation.name].format(*operands)
        statements.append((max(depth[each] for each in places), f"v{len(depth)} = {text}"))
        depth.append(max(depth[each] for each in places))
    index = ", ".join(f"i{axis}" for axis in range(axes))
    statements.append((axes, f"out[{index}] = v{len(depth) - 1}"))
    lines = [f"def kernel(out, {', '.join(f'x{leaf}' for leaf in range(len(patterns)))}):"]
    for level in range(axes + 1):
        if level:
            lines.append(f"{_INDENT * level}for i{level - 1} in range(out.shape[{level - 1}]):")
        lines += [f"{_INDENT * (level + 1)}{text}" for at, text in statements if at == level]
    return "\n".join(lines)


def _depth(pattern: tuple[bool, ...]) -> int:
    """Inside how many loops all indices are known of which a value depends [1]."""
    return max((axis + 1 for axis, varies in enumerate(pattern) if varies), default=0)
