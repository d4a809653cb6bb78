"""Link presets: figures with sources, cycles by the clock, and only the interface changes."""

from dataclasses import fields
from fractions import Fraction

import pytest

from logca.numeric.partition.problem.links import link, linked, links
from logca.numeric.partition.problem.platform import PlatformError, platform

KENTER = platform("kenter2010")


def test_the_links_that_were_asked_for_are_there() -> None:
    wanted = {"on-die", "chiplet", "cxl-cache", "pcie4", "pcie5", "axi-fpga-soc", "riscv-custom"}
    assert wanted <= set(links())


def test_every_link_has_a_source_and_positive_latencies() -> None:
    for each in links().values():
        assert each.source
        assert each.note
        assert 0 < each.push <= each.pull
        assert each.control > 0


def test_on_die_is_table_1() -> None:
    """kenter2010, Table I."""
    found = link("on-die")
    assert (found.control, found.push, found.pull, found.clock_GHz) == (2, 1, 3, None)


def test_nanoseconds_become_cycles_by_the_clock() -> None:
    slow, fast = (link("axi-fpga-soc", clock_GHz=Fraction(each)) for each in (1, 2))
    assert (slow.push, slow.pull) == (41, 96)  # as published, in ns
    assert (fast.push, fast.pull) == (82, 192)


def test_the_clock_does_not_change_what_was_published_in_cycles() -> None:
    assert link("riscv-custom", clock_GHz=Fraction(7)) == link("riscv-custom")


def test_a_round_trip_is_twice_the_way() -> None:
    found = link("pcie4")
    assert found.pull == 2 * found.push == 2 * found.control


def test_what_is_taken_lies_in_the_range_of_its_source_and_is_the_least_if_it_says_so() -> None:
    for each in links().values():
        clock = each.clock_GHz or 1
        assert each.taken
        for way, (least, most) in each.ranges.items():
            taken = each.pull if way == "round_trip" else getattr(each, way)
            assert least <= taken / clock <= most
        least_of_all = all(
            (each.pull if way == "round_trip" else getattr(each, way)) == least * clock
            for way, (least, _) in each.ranges.items()
        )
        if each.ranges and not each.taken.startswith("the figure of pcie4"):
            assert each.taken.startswith("the least of the range") == least_of_all
    assert link("axi-fpga-soc").published == (
        "control 41, push 41 (of 11 to 43), pull 96 (of 84 to 144) ns"
    )
    assert link("pcie5").published == link("pcie4").published


def test_only_the_interface_changes() -> None:
    other = linked(KENTER, link("cxl-cache"))
    changed = {
        each.name
        for each in fields(KENTER)
        if getattr(other, each.name) != getattr(KENTER, each.name)
    }
    assert changed == {"control", "push", "pull", "sources"}
    assert other.sources["pull"] == "link cxl-cache"
    assert other.sources["line"] == KENTER.sources["line"]


def test_unknown_links_and_clocks_are_refused() -> None:
    with pytest.raises(PlatformError, match="did you mean 'pcie5'"):
        link("pcie-5")
    for clock in (0, -1, 101):
        with pytest.raises(PlatformError, match=r"clock = .* must be above 0"):
            links(clock_GHz=Fraction(clock))
