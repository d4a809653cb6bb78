"""Ranges of sizes: asked for, proposed by sources, and refused."""

from pathlib import Path

import pytest

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.gpu.program.running import Sources
from logca.offloading.break_even import PayingRange
from logca.offloading.sizes import MacroRange, size_range


def sources(folder: Path, text: str, arguments: tuple[str, ...] = (), **defines: object) -> Sources:
    path = folder / "program.c"
    path.write_text(text)
    return Sources(
        paths=(path,),
        defines=defines,
        includes=(),
        flags=(),
        arguments=arguments,
        stdin=b"",
        limits=Limits(),
    )


LOOP = "static int a[9]; for (int i = 0; i < 9; i++) a[i] = i; return a[3] > 5;"
GIVEN = "#ifndef N\n#define N 100 // points\n#endif\nint main(void) { return N; }\n"


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        (GIVEN, "N=64:8192", (64, 8192, 100)),
        (GIVEN, " N = 64 : 8192 ", (64, 8192, 100)),
        (GIVEN, None, (12, 800, 100)),
        (f"#pragma logca work(N=4000)\n{GIVEN}", None, (12, 4000, 100)),
        (f"#pragma logca size(N = 8:64)\n{GIVEN}", None, (8, 64, 100)),
        (f"#pragma logca size(N=8:64)\n{GIVEN}", "N=4:16", (4, 16, 100)),
        (f"#define M 5\n#pragma logca size(N)\n{GIVEN}", None, (12, 800, 100)),
    ],
)
def test_a_range(text: str, asked: str | None, found: tuple[int, int, int], tmp_path: Path) -> None:
    low, high, written = found
    assert size_range(sources(tmp_path, text), asked) == MacroRange(
        name="N", low=low, high=high, written={"N": written}
    )


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        (
            GIVEN,
            "N",
            "write the macro that holds it and its values, whole numbers from 1 on",
        ),
        (GIVEN, "N=0:4", "write the macro"),
        (GIVEN, "N=8:8", "the first value must be less than the last"),
        (GIVEN, "N=9", "the first value must be less than the last"),
        (GIVEN, "M=8:64", "macro M of the work size is defined nowhere"),
        (GIVEN.replace("#ifndef N", "").replace("#endif", ""), "N=8:64", "N stays 100"),
        (f"int main(void) {{ {LOOP} }}", None, "the source defines none"),
        (f"#define N 100\nint main(void) {{ {LOOP} }}", None, "between `#ifndef N` and `#endif`"),
        (GIVEN, "arg0=8:64", "the first argument of the program is arg1"),
        (GIVEN, "N=8:64:0", "behind the last value may stand 16"),
        (GIVEN, "N=8:64:16", "the first one too"),
        (GIVEN, "N=8:64:x1", "or x2 for powers"),
        (GIVEN.replace("#ifndef", "#ifndef M\n#define M 3\n#endif\n#ifndef"), None, "none of M, N"),
    ],
)
def test_what_is_no_range(text: str, asked: str | None, message: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=message):
        size_range(sources(tmp_path, text), asked)


def test_other_macros_of_the_pragma_have_their_values_there(tmp_path: Path) -> None:
    text = f"#ifndef T\n#define T 5\n#endif\n#pragma logca work(N=4000, T=500)\n{GIVEN}"
    assert size_range(sources(tmp_path, text), None).at(70) == {"T": 500, "N": 70}
    assert size_range(sources(tmp_path, text), "N=8:16").at(9) == {"T": 500, "N": 9}
    assert size_range(sources(tmp_path, text), "T=8:16").at(9) == {"N": 4000, "T": 9}
    assert size_range(sources(tmp_path, text, T=7), None).at(70) == {"N": 70}


def test_macros_of_the_same_value_go_together(tmp_path: Path) -> None:
    text = f"#ifndef M\n#define M 5\n#endif\n#pragma logca work(N=4000, M=4000)\n{GIVEN}"
    found = size_range(sources(tmp_path, text), None)
    assert found.at(70) == {"M": 70, "N": 70}
    assert found.written == {"N": 100, "M": 5}


def test_a_macro_that_is_given_is_not_proposed(tmp_path: Path) -> None:
    text = f"#ifndef M\n#define M 5\n#endif\n{GIVEN}"
    assert size_range(sources(tmp_path, text, M=7), None).name == "N"


@pytest.mark.parametrize("text", ["09", "٣", "9" * 5000])
def test_a_macro_that_is_no_whole_number_is_not_proposed(tmp_path: Path, text: str) -> None:
    text = f"#ifndef MONTH\n#define MONTH {text}\n#endif\n{GIVEN}"
    found = size_range(sources(tmp_path, text, arguments=("9" * 5000,)), None)
    assert (found.name, found.written) == ("N", {"N": 100})


def test_values_are_spread_evenly_and_hold_both_ends() -> None:
    values = MacroRange(name="N", low=10, high=1000, written={}).spread(5)
    assert values == (10, 32, 100, 316, 1000)
    assert MacroRange(name="N", low=1, high=3, written={}).spread(8) == (1, 2, 3)


def test_an_argument_of_the_program_is_a_size(tmp_path: Path) -> None:
    found = size_range(sources(tmp_path, GIVEN, arguments=("8", "fast")), "arg1=100:10000")
    assert (found.name, found.argument, found.written) == ("arg1", 1, {})
    assert found.at(70) == {}
    assert found.arguments(("8", "fast"), 70) == ("70", "fast")
    chosen = found.to_choose_by(sources(tmp_path, GIVEN, arguments=("8", "fast")))
    assert chosen.arguments == ("1000", "fast")
    with pytest.raises(TraceError, match="the program is given 2 arguments, so that arg4"):
        size_range(sources(tmp_path, GIVEN, arguments=("8", "fast")), "arg4=1:8")


WORKS = """
#include <stdlib.h>
#ifndef STEPS
#define STEPS 3
#endif
#ifndef N
#define N 20
#endif
#define FIXED 1000
int a[N];
int main(int argc, char **argv) {
  int times = argc > 1 ? atoi(argv[1]) : 1;
  for (int t = 0; t < STEPS * times; t++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) a[i] += j;
  return 0;
}
"""


def test_the_size_is_what_the_work_grows_by_most(tmp_path: Path) -> None:
    found = size_range(sources(tmp_path, WORKS), None)
    assert (found.name, found.low, found.high) == ("N", 2, 160)
    squared = WORKS.replace("STEPS * times", "times * times * times")
    found = size_range(sources(tmp_path, squared, ("4",)), None)
    assert (found.name, found.low, found.high) == ("arg1", 1, 32)


def test_sizes_are_multiples_or_powers_where_they_must_be(tmp_path: Path) -> None:
    found = size_range(sources(tmp_path, GIVEN), "N=16:500:16")
    assert all(size % 16 == 0 for size in found.spread(9))
    assert (found.spread(9)[0], found.spread(9)[-1]) == (16, 496)
    assert found.finer([16, 480], [PayingRange(least=50.0, most=None)]) == [48, 160]
    found = size_range(sources(tmp_path, GIVEN), "N=16:500:x2")
    assert found.spread(20) == (16, 32, 64, 128, 256)
