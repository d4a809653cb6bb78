"""Sizes and offsets of LLVM's types, as LLVM itself has them."""

import llvmlite.binding as llvm
import pytest

from logca.trace.ir import types
from logca.trace.ir.assembly import Structures

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
TYPES = [
    *("i1", "i8", "i16", "i32", "i64", "i128", "half", "float", "double", "x86_fp80", "ptr"),
    "[3 x i16]",
    "[4 x [5 x double]]",
    "<4 x float>",
    "<2 x i64>",
    "{ i8, i32, i8 }",
    "{ i8, [3 x i16], double }",
    "<{ i8, i32 }>",
    "{ ptr, { i8, i64 }, i8 }",
    "[2 x { i8, x86_fp80 }]",
    "{ i8, <4 x float> }",
    "{ i128, i8 }",
    "{ i8, [0 x double] }",
]


@pytest.fixture(scope="module")
def sizes() -> dict[str, int]:
    data = llvm.create_target_data(LAYOUT)
    text = "".join(f"@g{n} = global {type_} zeroinitializer\n" for n, type_ in enumerate(TYPES))
    module = llvm.parse_assembly(f'target datalayout = "{LAYOUT}"\n{text}')
    return {
        type_: data.get_abi_size(variable.global_value_type)
        for type_, variable in zip(TYPES, module.global_variables, strict=True)
    }


@pytest.mark.parametrize("type_", TYPES)
def test_sizes_are_those_of_llvm(type_: str, sizes: dict[str, int]) -> None:
    assert types.size_of(type_, {}) == sizes[type_]


def test_offsets_are_those_of_llvm() -> None:
    text = (
        f'target datalayout = "{LAYOUT}"\n%struct.S = type {{ i8, double, i16, [3 x i32], ptr }}\n'
    )
    module = llvm.parse_assembly(text + "@g = global %struct.S zeroinitializer\n")
    data = llvm.create_target_data(LAYOUT)
    type_ = module.get_global_variable("g").global_value_type
    structures = {"%struct.S": "{ i8, double, i16, [3 x i32], ptr }"}
    assert [types.offset_of("%struct.S", n, structures) for n in range(5)] == [
        data.get_element_offset(type_, n) for n in range(5)
    ]


def test_a_structure_with_a_name_is_looked_up() -> None:
    structures = {"%struct.P": "{ i32, %struct.Q }", "%struct.Q": "{ double }"}
    assert types.size_of("[2 x %struct.P]", structures) == 32


@pytest.mark.parametrize(("type_", "bits"), [("i1", 1), ("ptr", 64), ("void", 0), ("i24", 24)])
def test_widths(type_: str, bits: int) -> None:
    assert types.bits_of(type_, {}) == bits


def test_a_type_is_taken_apart_once_for_each_module(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    found = types.new_layout
    monkeypatch.setattr(
        types, "new_layout", lambda type_, all_: taken.append(type_) or found(type_, all_)
    )
    structures = Structures({"%struct.P": "{ i32, %struct.Q }", "%struct.Q": "{ double }"})
    for _ in range(3):
        assert types.size_of("[2 x %struct.P]", structures) == 32
    assert sorted(taken) == ["%struct.P", "%struct.Q", "[2 x %struct.P]", "double", "i32"]
