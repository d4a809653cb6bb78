"""Terms of the data on figures stand for what they say, computed here by hand."""

from math import isnan, sqrt

import pytest

from logca.numeric.paper.devices import device
from logca.numeric.paper.figure_terms import explanation_of, value_of, visible_regions

_T2 = "ultrasparc-t2 aes"


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (f"g1 of {_T2}", 19 / 18 * 30500 / 90),
        (f"gA2 of {_T2}", 19 * 30500 / 90),
        (f"granularity for 0.9A of {_T2}", 9 * 19 * 30500 / 90),
        (f"end o of {_T2}", 239590 / 9),  # these three: isca2017-fig6-... in the ledger
        (f"end C of {_T2}", 254980 / 9),
        (f"start A of {_T2}", 144875 / 99),
        (f"oC end of {_T2}", 144875 / 99),
        (f"CA start of {_T2}", 239590 / 9),
        (f"speedup at 1 KiB of {_T2}", 90 * 1024 / (30500 + 90 * 1024 / 19)),
        (f"infinite speedup at 1 KiB of {_T2}", 90 * 1024 / 30500),
        (f"gain L at 1 KiB of {_T2}", (30500 + 92160 / 19) / (29150 + 92160 / 19)),
        (f"greatest of {_T2}", 90 * 2**25 / (30500 + 90 * 2**25 / 19)),
        (f"limit of {_T2}", 19),
        (f"A of {_T2}", 19),
        (f"L of {_T2}", 1500),
        ("C/L of apu aes", 174 / 15),
        ("A/beta of apu fft", 7 / 1.2),
        ("limit of discrete-gpu aes", 174 / (3000 + 174 / 30)),
        ("g1 of discrete-gpu aes constant", 30 / 29 * (2e8 + 3000) / 174),
        ("end o of sparc-t4 aes with L=0", 22 / 5 * 12 * 435 / 32),
        (f"g1 of {_T2} with beta=2", sqrt(19 / 18 * 30500 / 90)),
        ("peak granularity of apu binary-search", 0.14 / 0.86 * 4e8 / 15),
        (f"regions of {_T2}", 3),
        ("regions with L of sparc-t4 aes", 2),
        ("16 B", 16),
        ("1 MiB", 2**20),
        ("1.2", 1.2),
    ],
)
def test_a_term_has_the_value_that_it_says(term: str, value: float) -> None:
    assert value_of(term).value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "term", ["g1 of discrete-gpu aes", f"start L of {_T2}", f"LCA start of {_T2}"]
)
def test_what_does_not_exist_is_none(term: str) -> None:
    assert isnan(value_of(term).value)
    assert value_of(term).text == "none"


@pytest.mark.parametrize(
    "term", ["", "g1", "g2 of apu aes", "16 of", "g1 of apu aes cubic", "16 Kib"]
)
def test_what_is_no_term_is_refused(term: str) -> None:
    with pytest.raises(ValueError, match=r"no term|no measure|no device|no kernel|several"):
        value_of(term)


def test_terms_within_a_sentence() -> None:
    text = explanation_of("From {start A of sparc-t4 aes} on; {A of sparc-t4 aes} is A.")
    assert text == "From 79.69 B on; 12 is A."


def test_regions_without_a_power_of_two_are_not_visible() -> None:
    accelerator = device("ultrasparc-t2", "aes")
    every = [region.label for region in accelerator.regions(low=16, high=2**25).regions]
    assert every == ["oC", "oCA", "CA", "A"]
    assert [region.label for region in visible_regions(accelerator)] == ["oC", "oCA", "A"]
