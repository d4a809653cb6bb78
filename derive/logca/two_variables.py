"""LogCA with bytes and work apart: g1 becomes a boundary between shapes.

Both paths take a time for each call, each item, each byte, and for a power of the work. The paper's
model is the case in which the host has only the last of these, and bytes and work are the same.

What an offload loses, whatever its work, grows with its bytes; what it gains grows with its work.
So with d bytes and k items

- it pays for work beyond `work_boundary` if it loses something and computes faster than the host;
- for every work if it loses nothing and computes at least as fast;
- for no work if it loses something and computes no faster;
- for work below `work_boundary` if it loses nothing, but computes more slowly.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, CYCLES, Dimension
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.shape_symbols import (
    byte_time_accelerated,
    byte_time_host,
    call_time_accelerated,
    call_time_host,
    data_bytes,
    item_time_accelerated,
    item_time_host,
    items,
    work,
    work_time_accelerated,
    work_time_host,
)
from logca.derive.core.symbols import beta

__all__ = [
    "BYTES_BOUNDARY",
    "FORMULAS",
    "INTENSITY_BOUNDARY",
    "SHAPE_LOSS",
    "SHAPE_SPEEDUP",
    "SHAPE_SPEEDUP_LARGE_BYTES",
    "SHAPE_SPEEDUP_LARGE_WORK",
    "SHAPE_TIME_ACCELERATED",
    "SHAPE_TIME_HOST",
    "WORK_BOUNDARY",
    "WORK_BOUNDARY_LEAST",
]

_SOURCE = "logca2026 (altaf2017, §2, with bytes and work apart)"
_GAIN = work_time_host - work_time_accelerated

SHAPE_TIME_HOST = Formula(
    name="shape_time_host",
    meaning="time on the host of a call with so many items, bytes and so much work",
    source=_SOURCE,
    unit=CYCLES,
    latex="T_0(d, w)",
    derivation=begin(
        "a call, its items, its bytes and a power of its work, one after the other",
        "shape_time_host",
        call_time_host
        + item_time_host * items
        + byte_time_host * data_bytes
        + work_time_host * work**beta,
    ),
)

SHAPE_TIME_ACCELERATED = Formula(
    name="shape_time_accelerated",
    meaning="time of the same call when it is offloaded",
    source=_SOURCE,
    unit=CYCLES,
    latex="T_1(d, w)",
    derivation=SHAPE_TIME_HOST.derivation.substitute(
        "the same parts, each with its time on the other path",
        call_time_host=call_time_accelerated,
        item_time_host=item_time_accelerated,
        byte_time_host=byte_time_accelerated,
        work_time_host=work_time_accelerated,
    ).rename("name it", sp.Symbol("shape_time_accelerated")),
)

SHAPE_SPEEDUP = Formula(
    name="shape_speedup",
    meaning="speedup of offloading a call with so many items, bytes and so much work",
    source=_SOURCE,
    latex="S(d, w)",
    domain=(SHAPE_TIME_ACCELERATED.expr > 0,),
    derivation=begin(
        "host time over accelerated time",
        "shape_speedup",
        SHAPE_TIME_HOST.expr / SHAPE_TIME_ACCELERATED.expr,
    ),
)

SHAPE_LOSS = Formula(
    name="shape_loss",
    meaning="time that offloading loses whatever the work; negative where it gains",
    source=_SOURCE,
    unit=CYCLES,
    latex=r"\Delta(d)",
    derivation=begin(
        "accelerated time less host time",
        "loss",
        SHAPE_TIME_ACCELERATED.expr - SHAPE_TIME_HOST.expr,
    )
    .substitute("no work", work=0)
    .rename("name it", sp.Symbol("shape_loss")),
)

_EQUAL = (
    begin("both times are equal", SHAPE_TIME_HOST.expr, SHAPE_TIME_ACCELERATED.expr)
    .add("subtract the host time", -SHAPE_TIME_HOST.expr)
    .rewrite("collect what depends on the work", rhs=SHAPE_LOSS.expr - _GAIN * work**beta)
)

WORK_BOUNDARY = Formula(
    name="work_boundary",
    meaning="work from which on offloading pays, with so many bytes and items; up to which it pays "
    "where the host computes faster",
    source=_SOURCE,
    latex=r"w_1",
    domain=(SHAPE_LOSS.expr * _GAIN > 0,),
    derivation=_EQUAL.isolate("solve for the power of the work", work**beta)
    .raise_to("take the root", 1 / beta)
    .rewrite("write it by what is lost and gained", rhs=(SHAPE_LOSS.expr / _GAIN) ** (1 / beta))
    .rename("name it", sp.Symbol("work_boundary")),
)

WORK_BOUNDARY_LEAST = Formula(
    name="work_boundary_least",
    meaning="work from which on offloading pays with next to no bytes",
    source=_SOURCE,
    status=Exactness.LIMIT,
    latex=r"w_1(0)",
    domain=(SHAPE_LOSS.expr.subs(data_bytes, 0) * _GAIN > 0,),
    derivation=WORK_BOUNDARY.derivation.substitute("no bytes", data_bytes=0).rename(
        "name it", sp.Symbol("work_boundary_least")
    ),
)

BYTES_BOUNDARY = Formula(
    name="bytes_boundary",
    meaning="bytes up to which offloading pays, with so much work and so many items; beyond which "
    "it pays where the host is slower with each byte",
    source=_SOURCE,
    unit=BYTES,
    latex=r"d_1",
    domain=(sp.Ne(byte_time_accelerated, byte_time_host),),
    derivation=begin("both times are equal", SHAPE_TIME_HOST.expr, SHAPE_TIME_ACCELERATED.expr)
    .solve("solve for the bytes", data_bytes)
    .rename("name it", sp.Symbol("bytes_boundary")),
)

INTENSITY_BOUNDARY = Formula(
    name="intensity_boundary",
    meaning="power of the work for each byte with which offloading pays, however many the bytes",
    source=_SOURCE,
    unit=Dimension(bytes=sp.Integer(-1)),
    status=Exactness.LIMIT,
    latex=r"I_1",
    domain=(work_time_host > work_time_accelerated, byte_time_accelerated > byte_time_host),
    derivation=_EQUAL.isolate("solve for the power of the work", work**beta)
    .scale("for each byte", 1 / data_bytes)
    .limit("large data", data_bytes, sp.oo, sp.Symbol("intensity_boundary")),
)

SHAPE_SPEEDUP_LARGE_WORK = Formula(
    name="shape_speedup_large_work",
    meaning="limit of the speedup as the work grows without bound: the acceleration",
    source=_SOURCE,
    status=Exactness.LIMIT,
    latex=r"S(w \to \infty)",
    domain=(work_time_host > 0, work_time_accelerated > 0),
    derivation=SHAPE_SPEEDUP.derivation.limit(
        "only the work counts", work, sp.oo, sp.Symbol("shape_speedup_large_work")
    ),
)

SHAPE_SPEEDUP_LARGE_BYTES = Formula(
    name="shape_speedup_large_bytes",
    meaning="limit of the speedup as the bytes grow without bound, with the work held",
    source=_SOURCE,
    status=Exactness.LIMIT,
    latex=r"S(d \to \infty)",
    domain=(byte_time_host > 0, byte_time_accelerated > 0),
    derivation=SHAPE_SPEEDUP.derivation.limit(
        "only the bytes count", data_bytes, sp.oo, sp.Symbol("shape_speedup_large_bytes")
    ),
)

FORMULAS = (
    SHAPE_TIME_HOST,
    SHAPE_TIME_ACCELERATED,
    SHAPE_SPEEDUP,
    SHAPE_LOSS,
    WORK_BOUNDARY,
    WORK_BOUNDARY_LEAST,
    BYTES_BOUNDARY,
    INTENSITY_BOUNDARY,
    SHAPE_SPEEDUP_LARGE_WORK,
    SHAPE_SPEEDUP_LARGE_BYTES,
)
