"""Which calls can lead to recorded code, and how deep loops nest on the way.

A function outside of the program can call back only what the program gave it the address of.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from logca.trace.ir.program import Block, Instruction, Program

__all__ = ["CALLS", "CallGraph", "call_graph", "is_call"]

# `callbr`, assembly code that jumps, ends a block and calls nothing of the program
CALLS = frozenset({"call", "invoke"})
MAX_DEPTH = 16
MENTION = re.compile(r'@("[^"]*"|[-\w.$]+)(\(?)')


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGraph:
    """What calls lead to."""

    recording: frozenset[str]  # functions that record something, or call one that does
    defined: frozenset[str]  # all functions with a body
    callbacks: bool  # whether a function that is called by address may record something
    # most loops around an access from the start of a function on, at most 16 [1]
    depth: dict[str, int]

    def may_record(self, call: Instruction) -> bool:
        """Whether something may be recorded before the call returns."""
        if call.callee in self.defined:
            return call.callee in self.recording
        return self.callbacks


def is_call(instruction: Instruction) -> bool:
    """Whether it passes control to a function, or to assembly code."""
    return instruction.opcode in CALLS and not instruction.callee.startswith("llvm.")


def address_taken(ir: str, defined: Collection[str]) -> set[str]:
    """Functions whose address the program uses for something else than a direct call."""
    found = {name.strip('"') for name, call in MENTION.findall(ir) if not call}
    return found.intersection(defined)


def call_graph(
    program: Program, ir: str, recorded: Collection[str], level: Mapping[int, int]
) -> CallGraph:
    """Follow the calls of a program."""
    defined = frozenset(function.name for function in program.functions)
    taken = address_taken(ir, defined)
    calls = [
        (block, instruction)
        for block in program.blocks
        for instruction in block.instructions
        if is_call(instruction)
    ]
    recording = set(recorded)
    growing = True
    while growing:
        before = len(recording)
        callbacks = not recording.isdisjoint(taken)
        recording.update(
            block.function
            for block, call in calls
            if (call.callee in recording if call.callee in defined else callbacks)
        )
        growing = len(recording) > before
    found = CallGraph(
        recording=frozenset(recording),
        defined=defined,
        callbacks=not recording.isdisjoint(taken),
        depth={},
    )
    found.depth.update(depths(program, found, calls, taken, level))
    return found


def depths(
    program: Program,
    found: CallGraph,
    calls: list[tuple[Block, Instruction]],
    taken: set[str],
    level: Mapping[int, int],
) -> dict[str, int]:
    """Most loops around an access below each function [1], from the innermost function outwards.

    Recursion inside a loop has no bound: it stops at `MAX_DEPTH`.
    """
    depth = {function.name: 0 for function in program.functions}
    for block in program.blocks:
        depth[block.function] = max(depth[block.function], level.get(block.id, 0))
    growing = True
    while growing:
        growing = False
        unknown = max((depth[name] for name in taken & found.recording), default=0)
        for block, call in calls:
            if found.may_record(call):
                inner = depth.get(call.callee, unknown)
                deeper = min(MAX_DEPTH, level.get(block.id, 0) + inner)
                if deeper > depth[block.function]:
                    depth[block.function] = deeper
                    growing = True
    return depth
