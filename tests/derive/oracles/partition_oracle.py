"""The runtime of kenter2010, §II-A and §III, a second time, instruction by instruction.

Works on Fractions. Nothing here comes from the package.
"""

from dataclasses import dataclass, field
from fractions import Fraction

CPU, ACC = "CPU", "ACC"


@dataclass(kw_only=True)
class Machine:
    """Latencies and efficiencies in cycles, under the paper's names."""

    eps: dict[tuple[str, str], Fraction]
    """By core and class of operation."""
    lambda_m: dict[str, Fraction]
    """By level."""
    lambda_c: Fraction
    push: Fraction
    pull: Fraction
    shared: Fraction
    write_back: Fraction


@dataclass(kw_only=True)
class Program:
    """Blocks are numbers; an access is its level, whether at a slower cache, and written back."""

    n: list[int]
    operations: list[list[str]]
    accesses: list[list[tuple[str, bool, bool]]]
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    registers: list[tuple[int, list[int]]] = field(default_factory=list)


def te(program: Program, machine: Machine, p: list[str]) -> Fraction:
    time = Fraction(0)
    for block, classes in enumerate(program.operations):
        for instruction in classes:
            time += program.n[block] * machine.eps[p[block], instruction]
    return time


def tm(program: Program, machine: Machine) -> Fraction:
    """Every single execution of every load and store."""
    time = Fraction(0)
    for accesses in program.accesses:
        for level, at_shared_cache, written_back in accesses:
            time += machine.lambda_m[level]
            if at_shared_cache:
                time += machine.shared
            if written_back:
                time += machine.write_back
    return time


def tc(program: Program, machine: Machine, p: list[str]) -> Fraction:
    return sum(
        (machine.lambda_c for l, m, times in program.edges if p[l] != p[m] for _ in range(times)),
        Fraction(0),
    )


def tr_pair(program: Program, machine: Machine, p: list[str]) -> Fraction:
    time = Fraction(0)
    for l, users in program.registers:
        for m in users:
            if p[l] != p[m]:
                time += min(program.n[l] * machine.push, program.n[m] * machine.pull)
    return time


def tr_value(program: Program, machine: Machine, p: list[str]) -> Fraction:
    """For each value either of two ways: all users on the other core pull, or it is pushed."""
    time = Fraction(0)
    for l, users in program.registers:
        there = [m for m in users if p[m] != p[l]]
        if there:
            ways = [sum(program.n[m] for m in there) * machine.pull, program.n[l] * machine.push]
            time += min(ways)
    return time
