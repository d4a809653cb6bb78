"""Partition between CPU and accelerator: register values that cross over (kenter2010, §II-A, tr).

There are two readings. As printed, every pair of a producer and a consumer on different cores is
paid for (`pair`); in the other, one push serves all consumers (`value`). The second never exceeds
the first: the lesser of a push and of a sum of pulls is at most the sum of the lesser of the push
and of each pull.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.partition import BLOCKS_APART, each
from logca.derive.partition_symbols import (
    consumer_executions,
    consumers,
    cycles_pull,
    cycles_push,
    producer_executions,
    pull_latency,
    push_latency,
    register_pairs,
    register_values,
)

__all__ = [
    "FORMULAS",
    "PAIRWISE_TRANSFER_CYCLES",
    "PAIR_TRANSFER_CYCLES",
    "PULL_CYCLES",
    "PUSH_CYCLES",
    "REGISTER_TRANSFER_CYCLES",
    "USE_PULL_CYCLES",
    "VALUE_TRANSFER_CYCLES",
]

_CYCLES = Dimension(cycles=sp.Integer(1))
_i, _j = (sp.Symbol(name, integer=True, positive=True) for name in "ij")

PUSH_CYCLES = Formula(
    name="push_cycles",
    meaning="cycles to send a register value whenever it is produced",
    source="kenter2010, §II-A, first argument of the minimum in t_r",
    unit=_CYCLES,
    latex=r"c_{\mathrm{push}}",
    derivation=begin("a latency for each time", "push_cycles", producer_executions * push_latency),
)

USE_PULL_CYCLES = Formula(
    name="use_pull_cycles",
    meaning="cycles to fetch a register value whenever one of its consumers is executed",
    source="kenter2010, §II-A, second argument of the minimum in t_r",
    unit=_CYCLES,
    latex=r"c_{\mathrm{use}}",
    derivation=begin(
        "a latency for each time", "use_pull_cycles", consumer_executions * pull_latency
    ),
)

PULL_CYCLES = Formula(
    name="pull_cycles",
    meaning="cycles to fetch a register value wherever it is used on the other core",
    source="kenter2010, §II-A, second argument of the minimum in t_r, for several consumers",
    unit=_CYCLES,
    latex=r"c_{\mathrm{pull}}",
    derivation=begin(
        "add the consumers that are apart from the producer",
        "pull_cycles",
        sp.Sum(each(BLOCKS_APART, _j) * each(USE_PULL_CYCLES, _j), (_j, 1, consumers)),
    ),
)

VALUE_TRANSFER_CYCLES = Formula(
    name="value_transfer_cycles",
    meaning="cycles to transfer a register value to its consumers on the other core",
    source="kenter2010, §II-A, t_r, where one push serves all consumers (reading `value`)",
    unit=_CYCLES,
    latex=r"c_{\mathrm{value}}",
    derivation=begin(
        "the cheaper of sending it once and of fetching it everywhere",
        "value_transfer_cycles",
        sp.Min(cycles_push, cycles_pull),
    ),
)

PAIR_TRANSFER_CYCLES = Formula(
    name="pair_transfer_cycles",
    meaning="cycles to transfer a register value to one consumer on the other core",
    source="kenter2010, §II-A, a term of t_r",
    unit=_CYCLES,
    latex=r"c_{\mathrm{pair}}",
    derivation=VALUE_TRANSFER_CYCLES.derivation.substitute(
        "there is one consumer",
        cycles_push=PUSH_CYCLES.expr,
        cycles_pull=USE_PULL_CYCLES.expr,
    ).rename("name it", sp.Symbol("pair_transfer_cycles")),
)

REGISTER_TRANSFER_CYCLES = Formula(
    name="register_transfer_cycles",
    meaning="register value transfer time of a program, where one push serves all consumers "
    "(reading `value`, the default; as printed: pairwise_transfer_cycles)",
    source="kenter2010, §II-A, t_r, where one push serves all consumers (reading `value`)",
    unit=_CYCLES,
    latex=r"t_{\mathrm{r}}",
    derivation=begin(
        "add the values",
        "register_transfer_cycles",
        sp.Sum(each(VALUE_TRANSFER_CYCLES, _i), (_i, 1, register_values)),
    ),
)

PAIRWISE_TRANSFER_CYCLES = Formula(
    name="pairwise_transfer_cycles",
    meaning="register value transfer time of a program, every pair of producer and consumer paid "
    "for (reading `pair`; the default is register_transfer_cycles)",
    source="kenter2010, §II-A, t_r as printed (reading `pair`)",
    unit=_CYCLES,
    latex=r"t_{\mathrm{r}}^{\mathrm{pair}}",
    derivation=begin(
        "add the pairs that are apart",
        "pairwise_transfer_cycles",
        sp.Sum(each(BLOCKS_APART, _i) * each(PAIR_TRANSFER_CYCLES, _i), (_i, 1, register_pairs)),
    ),
)

FORMULAS = (
    PUSH_CYCLES,
    USE_PULL_CYCLES,
    PULL_CYCLES,
    VALUE_TRANSFER_CYCLES,
    PAIR_TRANSFER_CYCLES,
    REGISTER_TRANSFER_CYCLES,
    PAIRWISE_TRANSFER_CYCLES,
)
