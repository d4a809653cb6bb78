"""Copies of structures, against what a thread has to copy: members that something reads."""

from collections.abc import Callable

import pytest

from logca.trace.compile.driver import Compiled

Compile = Callable[..., Compiled]

SOURCE = """
struct body { double at[3]; double mass; double cost; long name; char kind; };
struct option { float price; char kind; float paid; };
struct pair { struct body one; int n; };
struct body bodies[9]; struct option options[9]; struct pair pairs[9];
static double apart(struct body a, struct body b) {
  double s = 0; for (int k = 0; k < 3; k++) s += a.at[k] - b.at[k]; return s * a.mass; }
static double heavy(struct body a) { return a.mass; }
static double again(struct body a) { return heavy(a); }
static struct option made(int i) { return (struct option){i, 'c', 0}; }
static long kept(struct pair p) { struct body *of = &p.one; return of[p.n].name; }
int main(void) {
  for (int i = 0; i < 9; i++) bodies[i].cost = apart(bodies[i], bodies[7]);
  for (int i = 0; i < 9; i++) bodies[i].cost = again(bodies[i]);
  for (int i = 0; i < 9; i++) options[i] = made(i);
  for (int i = 0; i < 9; i++) options[i].price = options[8 - i].paid;
  for (int i = 0; i < 9; i++) bodies[i].name = kept(pairs[i]);
}
"""
FIRST = next(number for number, line in enumerate(SOURCE.splitlines(), 1) if "apart(b" in line)


@pytest.fixture
def reached(compiled: Compile) -> Callable[[int], list[tuple[str, bool, int]]]:
    """Array, whether it is written, and size of the accesses to global arrays in one loop."""
    program = compiled(SOURCE, inline=True, by_elements=True).program

    def of(number: int) -> list[tuple[str, bool, int]]:
        loop = next(loop.id for loop in program.loops if loop.line == FIRST + number)
        return [
            (each.array, each.store, each.size)
            for each in program.accesses_of[loop]
            if each.array in {"bodies", "options", "pairs"}
        ]

    return of


Reached = Callable[[int], list[tuple[str, bool, int]]]


def test_only_members_that_are_read_are_copied(reached: Reached) -> None:
    """Two positions, in loops over them, and one mass; the cost is only written."""
    loads = [each for each in reached(0) if not each[1]]
    assert loads == [("bodies", False, 8)] * 3
    assert [each for each in reached(0) if each[1]] == [("bodies", True, 8)]


def test_a_copy_of_a_copy_needs_what_the_last_one_is_read_for(reached: Reached) -> None:
    assert reached(1) == [("bodies", False, 8), ("bodies", True, 8)]


def test_gaps_between_members_are_not_copied(reached: Reached) -> None:
    assert sorted(size for _, store, size in reached(2) if store) == [1, 4, 4]
    assert not [each for each in reached(2) if not each[1]]


def test_where_an_address_is_taken_all_is_copied(reached: Reached) -> None:
    sizes = [size for array, store, size in reached(4) if (array, store) == ("pairs", False)]
    assert sorted(sizes) == [1, 4, 8, 8, 8, 8]


def test_names_in_quotes_are_names(compiled: Compile) -> None:
    """Of a variable that is no element, as LLVM writes names that are not of ASCII."""
    text = """
    struct body { double at[3]; double mass; double cost; } last, all[9];
    static double heavy(struct body a) { return a.mass; }
    int main(void) { for (int i = 0; i < 9; i++) all[i].cost = heavy(last); }
    """

    def reached(name: str) -> list[tuple[int, str, bool, int]]:
        program = compiled(text.replace("last", name), inline=True, by_elements=True).program
        return [(each.id, each.array, each.store, each.size) for each in program.accesses]

    assert (0, "last", False, 8) in reached("last")
    assert reached("größe") == [
        (number, array.replace("last", "größe"), *rest) for number, array, *rest in reached("last")
    ]
