"""Examples for the documentation of CGPredict's functions, with values of the formulas themselves.

The numbers are those of Jetson TK1 (wang2017, Tables 1 and 3) and of a kernel like its GEMM: 1024
iterations with one coalesced and one constant load each, every 64th of the latter a miss.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from logca.derive.formula import Formula
from logca.derive.symbols import TABLE

__all__ = ["example"]

_LOADS = 1024
_GEMM = {
    "frequency": Fraction(852_000_000),
    "bandwidth": Fraction(17_000_000_000),
    "dram_bytes": Fraction(8_000_000),
    "launch_overhead": Fraction(1, 50_000),
    "cycles_per_instruction": Fraction(1, 2),
    "latency_L2": Fraction(164),
    "latency_dram": Fraction(332),
    "latency_shared": Fraction(67),
    "latency_load_shared": Fraction(506),
    "delay_L2": Fraction(2),
    "delay_dram": Fraction(10),
    "cache_size": Fraction(128 * 1024),
    "cache_line": Fraction(64),
    "associativity": Fraction(16),
    "transactions": Fraction(2),
    "dram_transactions": Fraction(1, 4),
    "share_dram": Fraction(1, 8),
    "transactions_hit": Fraction(2),
    "miss_rate": Fraction(1, 10),
    "latency_coalesced": Fraction(166),
    "latency_uncoalesced": Fraction(226),
    "latency_constant": Fraction(164) + Fraction(332, 64),
    "delay_coalesced": Fraction(4),
    "delay_uncoalesced": Fraction(64),
    "delay_constant": Fraction(2) + Fraction(10, 64),
    "instructions_coalesced": Fraction(_LOADS),
    "instructions_uncoalesced": Fraction(0),
    "instructions_constant": Fraction(_LOADS),
    "bank_ways_coalesced": Fraction(1),
    "bank_ways_uncoalesced": Fraction(16),
    "bank_ways_constant": Fraction(1),
    "conflict_set_size": Fraction(3),
    "reference": Fraction(2),
    "instructions_memory": Fraction(2 * _LOADS),
    "instructions_total": Fraction(10 * _LOADS),
    "instructions_load_shared": Fraction(64),
    "instructions_synchronisation": Fraction(64),
    "blocks": Fraction(1024),
    "active_blocks": Fraction(2),
    "active_warps": Fraction(64),
    "latency_mean": Fraction(168),
    "delay_mean": Fraction(3),
    "cycles_memory": Fraction(343_232),
    "cycles_computation": Fraction(5120),
    "cycles_shared": Fraction(137_216),
    "cycles_load_shared": Fraction(32_384),
    "cycles_synchronisation": Fraction(100_000),
    "cycles_total": Fraction(206_640_000),
    "mwp": Fraction(56),
    "cwp": Fraction(64),
    "batch": Fraction(512),
    "period_memory": Fraction(168),
    "period_computation": Fraction(5, 2),
}
_OTHERS = (
    _GEMM | {"dram_transactions": Fraction(16), "transactions": Fraction(32)},
    _GEMM | {"cwp": Fraction(8)},
)
_SEQUENCES = {
    "conflict_set_size": (0, 3, 15, 16, 2),
    "block_hits": (4, 0, 7),
    "set_hits": (11, 30),
}


def example(entry: Formula, arguments: tuple[str, ...], sequence: str) -> Iterator[str]:
    """Lines of an example: the call, and the value of the formula to six digits.

    Parameters
    ----------
    entry : Formula
        The formula.
    arguments : tuple of str
        Names of the function's arguments [text].
    sequence : str
        Which of them is a sequence, or "" [text].

    Raises
    ------
    LookupError
        If the formula is not defined at any of the points known here.
    """
    values = next(
        (each for each in (_GEMM, *_OTHERS) if all(_at(c, each) == sp.true for c in entry.domain)),
        None,
    )
    if values is None:
        raise LookupError(f"no example fits {entry.name}: add one")
    given = [f"{name}={_number(values[name])}" for name in arguments if name != sequence]
    if sequence:
        given.insert(0, f"[{', '.join(map(str, _SEQUENCES[sequence]))}]")
    yield f'>>> print(f"{{{entry.name}({", ".join(given)}):.6g}}")'
    yield f"{float(_value(entry.expr, sequence, values)):.6g}"


def _value(expr: sp.Expr, sequence: str, values: dict[str, Fraction]) -> sp.Expr:
    if not sequence:
        return _at(expr, values).evalf(30)
    ((index, first, _),) = expr.limits
    taken = sp.Function(sequence)(index)
    terms = (
        expr.function.xreplace({taken: sp.Integer(each), index: first + place})
        for place, each in enumerate(_SEQUENCES[sequence])
    )
    return sp.Add(*(_at(sp.simplify(term), values) for term in terms))


def _at(expr: sp.Basic, values: dict[str, Fraction]) -> sp.Basic:
    exact = {
        TABLE[name].symbol: sp.Rational(v.numerator, v.denominator) for name, v in values.items()
    }
    return expr.subs(exact, simultaneous=True)


def _number(value: Fraction) -> str:
    return str(value).replace("/", " / ")
