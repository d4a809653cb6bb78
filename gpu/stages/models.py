"""The models: the one that wang2017 prints, the simple one that it compares with, and ours.

Model logca is CGPredict with its counts and launches mended; model bounds is for current GPUs.
"""

from dataclasses import dataclass, replace
from typing import Literal

from logca.common.errors import LogcaError

__all__ = ["MODELS", "Model", "ModelError", "Transactions", "model_named"]

Transactions = Literal["rule", "sectors"]
"""Count of transactions: by the rule of section 3.3.3, or by what L2 delivers of the
lines that the real addresses touch."""


class ModelError(LogcaError, ValueError):
    """There is no such model; the message says which exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A way from a trace to a time."""

    name: str  # "paper", "baseline", "logca" or "bounds"
    transactions: Transactions  # how L2 transactions are counted, see `Transactions`
    # whether the L2 cache sees pages scattered over physical memory and hashes their addresses,
    # rather than virtual addresses by the device's index
    scattered: bool
    simple_cache: bool  # whether one miss rate stands for the cache (section 4.2)
    # whether of a thread that loops only its innermost loops count. The paper's does: it gives
    # SYRK's threads 2048 memory instructions at a work size of 1024, two in each iteration and
    # none for the element that they produce (section 4.4.1)
    innermost_only: bool
    # whether a warp executes what any of its threads does, rather than what one does on average
    divergent: bool
    # whether a launch has an overhead and takes no less than the device's bandwidth allows
    beyond_the_kernel: bool
    # whether the accesses of the work size are used where they can be known, rather than
    # those of the traced size
    at_work_size: bool
    # whether each unit of the GPU has its own rate, and the slowest bounds the time
    bounds: bool = False


_PAPER = Model(
    name="paper",
    transactions="rule",
    scattered=False,
    simple_cache=False,
    innermost_only=True,
    divergent=False,
    beyond_the_kernel=False,
    at_work_size=False,
)
_OURS = Model(
    name="logca",
    transactions="sectors",
    scattered=True,
    simple_cache=False,
    innermost_only=False,
    divergent=True,
    beyond_the_kernel=True,
    at_work_size=True,
)
_BASELINE = replace(_PAPER, name="baseline", simple_cache=True)
_BOUNDS = replace(_OURS, name="bounds", bounds=True)
MODELS = {model.name: model for model in (_PAPER, _BASELINE, _OURS, _BOUNDS)}


def model_named(name: str) -> Model:
    """The model of that name.

    Examples
    --------
    >>> model_named("paper").transactions
    'rule'
    """
    if name not in MODELS:
        raise ModelError(f"there is no model {name!r}; known: {', '.join(MODELS)}")
    return MODELS[name]
