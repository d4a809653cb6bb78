"""Numbers of the code at several sizes, on code written by hand."""

from logca.gpu.code_numbers import code_change, code_of
from logca.gpu.scaling import size_grid

GRID = size_grid({"N": 32}, {"N": 1024}, degree=2)


def ir(limit: int, *, line: int = 7, extra: str = "") -> str:
    return f"""\
@a = internal global [{limit} x float] zeroinitializer, align {16 if limit > 40 else 4}, !dbg !0
define i32 @main() #{limit} !dbg !{limit} {{
entry:  ; preds = %for.inc{limit}
  %i16 = icmp slt i32 %j.20, {limit}, !dbg !5
  %x = getelementptr inbounds [{limit} x [64 x float]], ptr @a, i64 0, i64 -3, !dbg !6
  %y = fmul double %x, {1 / limit:.6e}, !dbg !6
  %z = load float, ptr %x, align {16 if limit > 40 else 4}, !dbg !6, !tbaa !{limit}
{extra}  ret i32 0
}}
!5 = !DILocation(line: {line}, column: 3, scope: !33)
"""


def small() -> list[str]:
    return [ir(size["N"]) for size in GRID.sizes]


def change(large: str) -> str:
    return code_change([code_of(each) for each in small()], code_of(large), GRID)


def test_numbers_and_their_lines() -> None:
    code = code_of(ir(48))
    assert code.numbers == (48, 48, 64, 0, -3, 0)
    assert code.lines == (7, 0, 0, 0, 0, 0)


def test_the_law_of_the_small_sizes_holds() -> None:
    assert not change(ir(1024))


def test_a_number_that_stays_behind() -> None:
    assert change(ir(256)) == "the number 256 in line 7 where the small sizes lead to 1024"


def test_another_constant() -> None:
    told = change(ir(1024).replace("i64 -3", "i64 -4"))
    assert told == "the number -4 where the small sizes lead to -3"


def test_other_instructions() -> None:
    assert change(ir(1024, extra="  %w = fneg float %z\n")).startswith("other instructions")


def test_small_sizes_that_differ_tell_nothing() -> None:
    codes = [code_of(text) for text in small()]
    codes[1] = code_of(ir(64, extra="  %w = fneg float %z\n"))
    assert code_change(codes, code_of(ir(256)), GRID) == ""


def test_numbers_that_follow_no_polynomial_are_not_looked_at() -> None:
    codes = [code_of(ir(2**place)) for place in range(len(GRID.points))]
    assert code_change(codes, code_of(ir(5)), GRID) == ""
