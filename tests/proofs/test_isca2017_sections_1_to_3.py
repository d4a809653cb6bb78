"""Verdicts on sections 1 to 3 of ISCA 2017, fixed from the paper and the notes by hand."""

import pytest

from logca.proofs import (
    isca2017_bounds,
    isca2017_conditions,
    isca2017_granularity,
    isca2017_half_peak,
    isca2017_latency,
    isca2017_model,
    isca2017_sensitivity,
)
from logca.proofs.claims import BOOKS
from logca.proofs.judge import settle

MODULES = (
    isca2017_model,
    isca2017_granularity,
    isca2017_latency,
    isca2017_conditions,
    isca2017_half_peak,
    isca2017_bounds,
    isca2017_sensitivity,
)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}

PROVED = """
sec1-underperform sec1-threshold sec1-break-even-points table1-acceleration sec2-host-time
sec2-complexity-range sec2-accelerated-time-constant sec2-accelerated-time-linear
sec2-acceleration eq1 sec2-logarithm-no-power eq2 sec2-depends-on-latency
sec2-depends-on-overhead sec2-depends-on-index sec2-depends-on-acceleration sec2-kernel-fusion
sec2.1-increases-with-granularity sec2.1-bounded-by-acceleration eq3 eq4-bound eq4-amdahl
sec2.1-overheads-dominate
sec2.2-break-even sec2.2-break-even-least eq5 implication1 implication1-interface implication2
implication2-profound implication2-beta-0.5 implication2-beta-1 implication2-beta-2
sec2.2-half-peak eq6 eq7 implication3 implication3-pronounced implication3-beta-0.5
implication3-beta-1 implication3-beta-2 sec2.2-acceleration-raises-half-peak sec2.2-dilemma
sec2.2-complex-interface sec2.2-distant-accelerator
eq8 eq9-bound eq9-sublinear eq9-linear eq9-superlinear sec2.3-approaches-sublinear
sec2.3-linear-limited-by-intensity sec2.3-limit-superlinear sec2.3-limit-sublinear
implication4 implication4-latency-exceeds-computation implication4-deceleration
implication4-contrast eq10-like-eq4 eq10-overheads eq11-linear
sec2.3-linear-at-least-1 sec2.3-superlinear-below-1 sec2.3-superlinear-small-index
eq12-linear sec2.3-half-peak-linear-at-least-A sec2.3-half-peak-superlinear-below-A
implication6-sublinear-time sec2.3-example-linear sec2.3-example-superlinear
sec2.3-hypothetical-accelerator eq13-linear sec2.3-eq13-like-eq12 sec2.3-gA-equals-gA2
sec2.3-peak-at-half-peak sec2.3-gA-not-achievable implication7-interface
sec3.1-bounds sec3.1-compute-bound-constant sec3.1-compute-bound-superlinear
sec3.1-latency-bound-linear sec3.1-latency-bound-sublinear sec3.1-compute-bound-investment
sec3.2-bottleneck-overhead sec3.2-bottleneck-latency sec3.2-bottleneck-index
sec3.2-bottleneck-acceleration fig5a-negligible fig5b-setup-cost fig5b-small fig5b-large
fig5b-bottleneck fig5c-gains fig5c-decrease fig5c-computation-time fig5d-small fig5d-large
fig5d-setup-cost fig5d-only-large fig6-cutoff-overhead fig6-cutoff-latency fig6-cutoff-index
fig6-cutoff-acceleration fig6-high-cutoff
"""

CORRECTED = """
sec1-gpu-breaks-even table1-index sec2-logarithm-slowest sec2-pipelined-interface sec2-intensity
sec2-accelerator-intensity eq4
sec2.2-half-peak-after-break-even sec2.2-low-break-even-low-overheads
eq9 sec2.3-approaches-linear sec2.3-approaches-superlinear
sec2.3-linear-instead-of-acceleration implication4-cause eq10 eq11 eq11-superlinear
eq11-sublinear
eq11-positive-necessary eq11-positive-sufficient eq11-exists-necessary eq11-exists-sufficient
sec2.3-linear-at-least-1-sufficient sec2.3-sublinear-above-1 implication5
implication5-sufficient eq12-positive-necessary eq12-positive-sufficient eq12-exists-necessary
eq12-exists-sufficient
eq12 sec2.3-half-peak-linear-at-least-A-sufficient sec2.3-half-peak-sublinear-above-A
implication6 implication6-sufficient implication6-superlinear-time sec2.3-example-sublinear
eq13 sec2.3-half-peak-not-achievable implication7
sec3.1-latency-bound sec3.1-latency-bound-investment-linear
fig5a-independent fig5c-setup-cost
sec3.1-latency-bound-investment-sublinear sec3.1-latency-bound-investment-linear-overhead
table1-latency
"""

EXPECTED = {f"isca2017-{name}": "proved" for name in PROVED.split()} | {
    f"isca2017-{name}": "corrected" for name in CORRECTED.split()
}


def test_every_statement_of_these_sections_is_expected_and_in_the_ledger() -> None:
    assert set(EXPECTED) == set(CLAIMS)
    assert {module.__name__.rpartition(".")[2] for module in MODULES} <= set(BOOKS)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_verdict(name: str) -> None:
    claim = CLAIMS[name]
    status = settle(claim.asserts, claim.given, claim.touch, thorough=False)[0].status
    if EXPECTED[name] == "proved":
        assert status == "proved"
        assert claim.corrected is None
        return
    assert status == "refuted"
    true = claim.corrected
    assert true is not None
    assert settle(true.asserts, true.given, true.touch, thorough=False)[0].status == "proved"
