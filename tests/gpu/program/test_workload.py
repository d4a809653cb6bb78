"""Entries and iterations of loops, against what the programs themselves count."""

from collections.abc import Iterator

import pytest

from logca.gpu.program.workload import Trips, trips
from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run

PROGRAM = r"""
#include <stdio.h>

static int entries[64], bodies[64];

#define ENTER entries[__LINE__ - FIRST]++
#define BODY bodies[__LINE__ - FIRST]++
#define FIRST 12

static void loops(int n, int skip)
{
    ENTER; for (int i = 0; i < n; i++) { BODY; if (i == skip) continue;
        ENTER; for (int j = 0; j < i; j += 2) { BODY; }
        ENTER; int k = i; do { BODY; } while (k-- > 3);
        ENTER; while (k < 9) { BODY; if (k == skip) break; k++; }
        ENTER; for (;;) { BODY; if (k++ > 4) break; }
        ENTER; for (int a = 0, b = 9; a < b && b != skip; a++, b--) { BODY; }
        ENTER; for (int j = n; j < i; j++) { BODY; }
    }
}

int main(void)
{
    loops(7, 5);
    loops(0, 5);
    loops(12, 8);
    for (int line = 0; line < 64; line++)
        if (entries[line])
            printf("%d %d %d\n", line + FIRST, entries[line], bodies[line]);
    return 0;
}
"""


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[Trips, Trips]]:
    """For each line with a loop what `trips` says and what the program prints."""
    source = tmp_path_factory.mktemp("trips") / "program.c"
    source.write_text(PROGRAM, encoding="utf-8")
    compiled = compile_program([source], inline=True)
    ran = run(compiled, nests=())
    assert ran.ending == "exit"

    def pairs() -> Iterator[tuple[int, tuple[Trips, Trips]]]:
        for text in ran.stdout.decode().splitlines():
            line, entries, bodies = map(int, text.split())
            loops = [loop for loop in compiled.program.loops if loop.line == line]
            told = [trips(compiled.program, loop, ran.edge_counts.tolist()) for loop in loops]
            entered = sum(each.entries for each in told)
            iterated = sum(each.iterations for each in told)
            yield (
                line,
                (
                    Trips(entries=entered, iterations=iterated),
                    Trips(entries=entries, iterations=bodies),
                ),
            )

    return dict(pairs())


def test_all_loops_are_there(counts: dict[int, tuple[Trips, Trips]]) -> None:
    assert sorted(counts) == list(range(12, 19))


@pytest.mark.parametrize("line", range(12, 19))
def test_trips_are_what_the_program_counts(
    counts: dict[int, tuple[Trips, Trips]], line: int
) -> None:
    found, expected = counts[line]
    assert found == expected


def test_mean_of_a_loop_that_is_never_entered() -> None:
    assert Trips(entries=0, iterations=0).mean == 0.0
    assert Trips(entries=4, iterations=6).mean == 1.5
