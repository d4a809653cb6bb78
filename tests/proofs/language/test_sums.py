"""Sums over sequences: one term is a number, more are refused."""

import pytest

from logca.derive.core.catalogue import PARTITION, all_formulas
from logca.proofs.engine.judge import settle
from logca.proofs.language.parser import parse
from logca.proofs.language.syntax import ClaimSyntaxError


@pytest.mark.parametrize(
    ("total", "term"),
    [
        ("program_memory_cycles(basic_blocks=1)", "block_memory_cycles"),
        ("pull_cycles(consumers=1)", "blocks_apart*consumer_executions*pull_latency"),
        ("mapped_area(basic_blocks=1, mapped=1)", "block_area"),
        ("block_hits(references=1)", "0"),
    ],
)
def test_one_term_is_what_the_sum_adds(total: str, term: str) -> None:
    assert settle((f"{total} == {term}",), ())[0].status == "proved"
    assert settle((f"{total} == {term} + 1",), ())[0].status == "refuted"


@pytest.mark.parametrize("text", ["flows=2", "flows=n", "control_latency=1", ""])
def test_more_terms_are_refused_with_the_way_out(text: str) -> None:
    instance = f"({text})" if text else ""
    with pytest.raises(ClaimSyntaxError, match=r"control_transfer_cycles\(flows=1\)"):
        parse(f"control_transfer_cycles{instance} == 0", "constant")


def test_every_sum_of_partitions_has_its_term() -> None:
    sums = [each for each in all_formulas(PARTITION) if "Sum(" in str(each.expr)]
    assert len(sums) == 8
    for each in sums:
        length = str(each.expr).rpartition(", ")[2].rstrip(")")
        parse(f"{each.name}({length}=1) >= 0", "constant")
