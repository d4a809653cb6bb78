"""Answers in words, for offloads whose times are made up."""

import json
from io import StringIO

import pytest
from offloads import made
from rich.console import Console

from logca.common.json_output import to_json
from logca.common.tables import text
from logca.common.terminal import drawn
from logca.show.offload.data import offload_data
from logca.show.offload.tables import offload_tables
from logca.show.offload.words import offload_answer

# two copies at 10 us and one microsecond of launching beside what is computed


def test_it_pays_from_a_size_on() -> None:
    answer = offload_answer(made(lambda n: 1.0 * n, lambda n: 5.0))
    assert answer.startswith(
        "Worth it from N = 26 on (208 B; 25 to 26 with 95 %), at most 40.4x at N = 1024 "
        "(1.82x for the whole program)."
    )
    assert "Bottleneck: starts of copies, 79.9 % at N = 64." in answer
    assert answer.endswith("With a, <b> resident: at every size.")


@pytest.mark.parametrize(
    ("host", "kernels", "spread", "begins"),
    [
        (1000.0, 1.0, 1.1, "Worth it at every size from N = 16 to 1024, at most 47.6x at"),
        (1.0, 500.0, 1.1, "Not worth it up to N = 1024, at most 0.00192x at N = 16."),
        (100.0, 79.0, 1.5, "Whether it pays cannot be told from N = 16 on: it is predicted to,"),
        (100.0, 81.0, 1.5, "Whether it pays cannot be told from N = 16 on: it is not predicted"),
    ],
)
def test_it_pays_always_or_never_or_that_cannot_be_told(
    host: float, kernels: float, spread: float, begins: str
) -> None:
    found = made(lambda n: host, lambda n: kernels, spread=spread)
    assert offload_answer(found).startswith(begins)


def test_it_pays_between_two_sizes() -> None:
    # 25 us: where powers of the size through 1 and 100 us are as long
    found = made(lambda n: 100.0 if n in (64, 256) else 1.0, lambda n: 5.0)
    assert offload_answer(found).startswith("Worth it only from N = 43 to 387, at most 4x")


def test_a_dependence_is_told_with_the_answer() -> None:
    found = made(lambda n: 1.0 * n, lambda n: 5.0, against=("file.c:7 carries a",))
    assert offload_answer(found).startswith(
        "Not as it is written: file.c:7 carries a. If that could be removed: worth it "
    )


def test_tables_say_what_stays_and_what_was_not_timed() -> None:
    tables = {table.title: text([table]) for table in offload_tables(made(float, lambda n: 5.0))}
    assert "10.0 %: which only writes: it prepares data" in tables["Not offloaded"]
    written = StringIO()
    console = Console(width=100, file=written)
    console.print(drawn(offload_tables(made(float, lambda n: 5.0)), 100))
    assert "which only writes: it prepares data" in written.getvalue()
    assert "~1.02 ms" in tables["Both paths"]
    assert tables["What would help"].splitlines()[2].startswith("as asked for")


def test_data_are_json_and_the_program_is_sped_up_less_than_its_loops() -> None:
    found = made(float, lambda n: 5.0)
    data = json.loads(to_json(offload_data(found)))
    assert [size["size"] for size in data["sizes"]] == [16, 64, 256, 1024]
    for size in data["sizes"]:
        assert sum(size["parts_s"].values()) == pytest.approx(size["accelerated_s"])
    # half of the program is in the loops: Amdahl
    speedup = data["sizes"][2]["speedup"]
    assert data["sizes"][2]["program_speedup"] == pytest.approx(1 / (0.5 + 0.5 / speedup))
    assert data["sizes"][3]["program_speedup"] is None
