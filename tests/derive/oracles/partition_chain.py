"""The chain of formulas of a partitioned program, one after the other, on exact numbers."""

from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from partition_oracle import ACC, CPU, Machine, Program
from sympy.core.function import AppliedUndef

from logca.derive.core.catalogue import formula

NUMBERS = st.fractions(0, 40, max_denominator=6)
CLASSES = ("integer", "real", "cast")
LEVELS = ("L1", "L2", "MEM")


@cache
def _term(name: str) -> tuple[Any, tuple[str, ...]]:
    """The formula, or what its sum adds, as a function of exact numbers; and its arguments."""
    expr = formula(name).expr
    term = expr.function if isinstance(expr, sp.Sum) else expr
    term = term.xreplace(
        {each: sp.Symbol(each.func.__name__, real=True) for each in term.atoms(AppliedUndef)}
    )
    symbols = sorted(term.free_symbols, key=str)
    function = sp.lambdify(symbols, term, [{"Min": min, "Max": max}, "math"])
    return function, tuple(map(str, symbols))


def at(name: str, **values: Any) -> Fraction:
    """The formula's exact value; of a sum, sequences are lists."""
    function, arguments = _term(name)
    assert set(values) == set(arguments), name
    if not isinstance(formula(name).expr, sp.Sum):
        return Fraction(function(**values))
    ((_, first, _),) = formula(name).expr.limits
    assert first == 1
    sequences = {key for key, value in values.items() if isinstance(value, list)}
    (length,) = {len(values[key]) for key in sequences}
    rows = (
        {key: value[place] if key in sequences else value for key, value in values.items()}
        for place in range(length)
    )
    return sum((Fraction(function(**row)) for row in rows), Fraction(0))


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    eps = {(core, each): draw(NUMBERS) for core in (CPU, ACC) for each in CLASSES}
    if draw(st.booleans()):
        eps[ACC, "cast"] = Fraction(0)
    return Machine(
        eps=eps,
        lambda_m={level: draw(NUMBERS) for level in LEVELS},
        lambda_c=draw(NUMBERS),
        push=draw(NUMBERS),
        pull=draw(NUMBERS),
        shared=draw(NUMBERS),
        write_back=draw(NUMBERS),
    )


@st.composite
def programs(draw: st.DrawFn) -> tuple[Program, list[str]]:
    """A program, and a core for each of its blocks."""
    blocks = draw(st.integers(1, 5))
    block = st.integers(0, blocks - 1)

    def lists(each: st.SearchStrategy[Any], most: int = 5) -> list[list[Any]]:
        return [draw(st.lists(each, max_size=most)) for _ in range(blocks)]

    access = st.tuples(st.sampled_from(LEVELS), st.booleans(), st.booleans())
    users = st.lists(block, min_size=1, max_size=4, unique=True)
    program = Program(
        n=[draw(st.integers(0, 30)) for _ in range(blocks)],
        operations=lists(st.sampled_from(CLASSES)),
        accesses=lists(access, 6),
        edges=draw(st.lists(st.tuples(block, block, st.integers(0, 20)), max_size=6)),
        registers=draw(st.lists(st.tuples(block, users), max_size=5)),
    )
    return program, [draw(st.sampled_from([CPU, ACC])) for _ in range(blocks)]


def block_cycles(program: Program, machine: Machine, core: str) -> list[Fraction]:
    return [
        at(
            "block_execution_cycles",
            block_executions=times,
            class_operations=[operations.count(each) for each in CLASSES],
            operation_cycles=[machine.eps[core, each] for each in CLASSES],
        )
        for times, operations in zip(program.n, program.operations, strict=True)
    ]


def execution(program: Program, machine: Machine, p: list[str]) -> Fraction:
    return at(
        "program_execution_cycles",
        mapped=[int(core == ACC) for core in p],
        block_cycles_cpu=block_cycles(program, machine, CPU),
        block_cycles_accelerator=block_cycles(program, machine, ACC),
    )


def memory(program: Program, machine: Machine) -> Fraction:
    found = [
        at(
            "block_memory_cycles",
            accesses_L1=sum(level == "L1" for level, _, _ in accesses),
            accesses_L2=sum(level == "L2" for level, _, _ in accesses),
            accesses_memory=sum(level == "MEM" for level, _, _ in accesses),
            accesses_shared=sum(shared for _, shared, _ in accesses),
            write_backs=sum(written for _, _, written in accesses),
            cache_latency_L1=machine.lambda_m["L1"],
            cache_latency_L2=machine.lambda_m["L2"],
            memory_access_latency=machine.lambda_m["MEM"],
            shared_penalty=machine.shared,
            write_back_penalty=machine.write_back,
        )
        for accesses in program.accesses
    ]
    return at("program_memory_cycles", block_memory_cycles=found)


def apart(p: list[str], l: int, m: int) -> Fraction:
    return at("blocks_apart", mapped_source=int(p[l] == ACC), mapped_target=int(p[m] == ACC))


def control(program: Program, machine: Machine, p: list[str]) -> Fraction:
    return at(
        "control_transfer_cycles",
        blocks_apart=[apart(p, l, m) for l, m, _ in program.edges],
        flow_transfer_cycles=[
            at("flow_transfer_cycles", flow_executions=times, control_latency=machine.lambda_c)
            for _, _, times in program.edges
        ],
    )


def registers(program: Program, machine: Machine, p: list[str]) -> Fraction:
    """Reading `value`."""
    found = []
    for l, users in program.registers:
        pull = [
            at(
                "use_pull_cycles",
                consumer_executions=program.n[m],
                pull_latency=machine.pull,
            )
            for m in users
        ]
        push = at("push_cycles", producer_executions=program.n[l], push_latency=machine.push)
        pulled = at(
            "pull_cycles", blocks_apart=[apart(p, l, m) for m in users], use_pull_cycles=pull
        )
        found.append(at("value_transfer_cycles", cycles_push=push, cycles_pull=pulled))
    return at("register_transfer_cycles", value_transfer_cycles=found)


def pairwise(program: Program, machine: Machine, p: list[str]) -> Fraction:
    """Reading `pair`."""
    pairs = [(l, m) for l, users in program.registers for m in users]
    return at(
        "pairwise_transfer_cycles",
        blocks_apart=[apart(p, l, m) for l, m in pairs],
        pair_transfer_cycles=[
            at(
                "pair_transfer_cycles",
                producer_executions=program.n[l],
                consumer_executions=program.n[m],
                push_latency=machine.push,
                pull_latency=machine.pull,
            )
            for l, m in pairs
        ],
    )
