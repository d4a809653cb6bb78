"""Partition between CPU and accelerator: what it gains and could gain (kenter2010, §III-A).

The theoretical speedup is a baseline, not a bound that can be reached: all instructions are on the
accelerator, its area and the communication are neglected, and memory takes as long as on the CPU.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, ONE
from logca.derive.core.formula import Formula
from logca.derive.core.partition_symbols import (
    cycles_cpu_only,
    cycles_program,
    cycles_program_execution_accelerator,
    cycles_program_execution_cpu,
    cycles_program_memory_cpu,
    cycles_theoretical,
    speedup_partition,
    speedup_theoretical,
)
from logca.derive.partition.runtime import PROGRAM_CYCLES

__all__ = [
    "CPU_ONLY_CYCLES",
    "FORMULAS",
    "PARTITION_SPEEDUP",
    "RELATIVE_SPEEDUP",
    "RELATIVE_SPEEDUP_OF_CYCLES",
    "THEORETICAL_CYCLES",
    "THEORETICAL_SPEEDUP",
]


CPU_ONLY_CYCLES = Formula(
    name="cpu_only_cycles",
    meaning="runtime of a program with all blocks on the CPU",
    source="kenter2010, §II-A, t without transfers",
    unit=CYCLES,
    latex=r"t_{\mathrm{CPU}}",
    derivation=PROGRAM_CYCLES.derivation.substitute(
        "nothing is transferred",
        cycles_program_execution=cycles_program_execution_cpu,
        cycles_program_memory=cycles_program_memory_cpu,
        cycles_control_transfer=0,
        cycles_register_transfer=0,
    ).rename("name it", sp.Symbol("cpu_only_cycles")),
)

THEORETICAL_CYCLES = Formula(
    name="theoretical_cycles",
    meaning="runtime of a program with everything on an accelerator that nothing limits",
    source="kenter2010, §III-A, baseline of the relative speedup",
    unit=CYCLES,
    latex=r"t_{\mathrm{theoretical}}",
    derivation=PROGRAM_CYCLES.derivation.substitute(
        "everything is on the accelerator, nothing is transferred, memory is that of the CPU",
        cycles_program_execution=cycles_program_execution_accelerator,
        cycles_program_memory=cycles_program_memory_cpu,
        cycles_control_transfer=0,
        cycles_register_transfer=0,
    ).rename("name it", sp.Symbol("theoretical_cycles")),
)

PARTITION_SPEEDUP = Formula(
    name="partition_speedup",
    meaning="speedup of a partitioned program over the CPU alone",
    source="kenter2010, §III-A",
    unit=ONE,
    latex=r"S_{\mathrm{part}}",
    derivation=begin(
        "the ratio of the runtimes", "partition_speedup", cycles_cpu_only / cycles_program
    ),
)

THEORETICAL_SPEEDUP = Formula(
    name="theoretical_speedup",
    meaning="speedup of a program with everything on an accelerator that nothing limits",
    source="kenter2010, §III-A, theoretical speedup",
    unit=ONE,
    domain=(THEORETICAL_CYCLES.expr > 0,),
    latex=r"S_{\mathrm{theoretical}}",
    derivation=begin(
        "the ratio of the runtimes", "theoretical_speedup", cycles_cpu_only / cycles_theoretical
    ).substitute(
        "both in their parts",
        cycles_cpu_only=CPU_ONLY_CYCLES.expr,
        cycles_theoretical=THEORETICAL_CYCLES.expr,
    ),
)

RELATIVE_SPEEDUP = Formula(
    name="relative_speedup",
    meaning="share of the theoretical gain that a partition achieves",
    source="kenter2010, §III-A, achieved percentage of the theoretical speedup, gains being "
    "speedups less 1",
    unit=ONE,
    domain=(speedup_theoretical > 1,),
    latex=r"S_{\mathrm{rel}}",
    derivation=begin(
        "gain over theoretical gain",
        "relative_speedup",
        (speedup_partition - 1) / (speedup_theoretical - 1),
    ),
)

RELATIVE_SPEEDUP_OF_CYCLES = Formula(
    name="relative_speedup_of_cycles",
    meaning="share of the theoretical gain that a partition achieves, from runtimes",
    source="kenter2010, §III-A, achieved percentage of the theoretical speedup, gains being "
    "speedups less 1",
    unit=ONE,
    domain=(cycles_cpu_only > cycles_theoretical,),
    latex=r"S_{\mathrm{rel}}",
    derivation=RELATIVE_SPEEDUP.derivation.substitute(
        "speedups are ratios of runtimes",
        speedup_partition=PARTITION_SPEEDUP.expr,
        speedup_theoretical=cycles_cpu_only / cycles_theoretical,
    )
    .rename("name it", sp.Symbol("relative_speedup_of_cycles"))
    .simplify("collect"),
)

FORMULAS = (
    CPU_ONLY_CYCLES,
    THEORETICAL_CYCLES,
    PARTITION_SPEEDUP,
    THEORETICAL_SPEEDUP,
    RELATIVE_SPEEDUP,
    RELATIVE_SPEEDUP_OF_CYCLES,
)
