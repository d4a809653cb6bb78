"""A program to be partitioned: what its blocks execute, and what passes between them."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.common.errors import LogcaError

__all__ = ["OUTSIDE", "Block", "Flow", "Problem", "ProblemError", "Value"]

OUTSIDE = "outside"
"""The block that stands for whatever calls the program from outside, and is on the CPU."""


class ProblemError(LogcaError, ValueError):
    """A description that is no program; the message says what is wrong, and at which block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of a program that runs on one core or the other."""

    name: str  # what it is called; no two blocks are called the same
    executions: int  # how often it is executed, n(B) [1]
    operations: int  # instructions of it that only work on registers, casts not among them [1]
    # integer_casts, real_casts: casts between whole numbers and addresses, and those from or to
    # real numbers [1]
    integer_casts: int = 0
    real_casts: int = 0
    area: int = 0  # what it takes of the accelerator, in instructions [1]
    # memory accesses of all its executions that L1, L2 and the memory serve, whatever core it is
    # on; of a program that was traced its signatures say more, and these are 0 [1]
    accesses: tuple[int, int, int] = (0, 0, 0)
    pinned: str = ""  # why it must stay on the CPU; empty if it need not
    # function, file: where it comes from; empty if unknown
    function: str = ""
    file: str = ""
    # first_line, last_line: its lines there; 0 if unknown [1]
    first_line: int = 0
    last_line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Control that passes from one block to another."""

    # source, target: the blocks [1]
    source: int
    target: int
    executions: int  # how often, n(B_l, B_m) [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A register that one block writes and others read."""

    name: str  # what it is called
    producer: int  # the block that writes it [1]
    sent: int  # how often it would be sent: the executions of that block [1]
    # the other blocks that read it, and how often they would fetch it [1, 1]
    consumers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A program to be partitioned."""

    name: str  # what it is called
    blocks: tuple[Block, ...]  # its blocks
    flows: tuple[Flow, ...]  # where control passes between them, each pair once
    values: tuple[Value, ...]  # registers that cross from block to block
    # the blocks of each loop and of each function, which are worth moving together [1]
    loops: tuple[tuple[int, ...], ...] = ()
    notes: tuple[str, ...] = ()  # what a reader should know

    def __post_init__(self) -> None:
        names = set()
        for block in self.blocks:
            if block.name in names:
                raise ProblemError(f"two blocks are called {block.name!r}")
            names.add(block.name)
            for what in ("executions", "operations", "integer_casts", "real_casts", "area"):
                if getattr(block, what) < 0:
                    raise ProblemError(
                        f"block {block.name!r}: {what} must be at least 0, "
                        f"not {getattr(block, what)}"
                    )
        for flow in self.flows:
            self._check_blocks("flow", (flow.source, flow.target))
            if flow.executions < 0:
                raise ProblemError(
                    f"flow from {self.blocks[flow.source].name!r} to "
                    f"{self.blocks[flow.target].name!r}: executions must be at least 0, "
                    f"not {flow.executions}"
                )
        for value in self.values:
            self._check_blocks(
                f"value {value.name!r}", (value.producer, *(block for block, _ in value.consumers))
            )

    def _check_blocks(self, what: str, blocks: Sequence[int]) -> None:
        for block in blocks:
            if not 0 <= block < len(self.blocks):
                raise ProblemError(
                    f"{what}: there is no block {block}; there are {len(self.blocks)}, from 0 on"
                )
