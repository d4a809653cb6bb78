"""The paper's figures against its Table 5, with the proved ledger as the other opinion."""

from math import nan

import pytest

from logca.numeric.paper.figures import (
    KINDS,
    FigureAgreement,
    PrintedFact,
    compare,
    comparisons,
    printed_facts,
)
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim

CLAIMS: dict[str, Claim] = {claim.id: claim for claim in all_claims()}
ROWS = comparisons()
NAMES = [f"{row.fact.figure}{row.fact.panel}: {row.fact.says}" for row in ROWS]

PRINTED = {  # as in the text of the paper, §3.2 and §5.4
    ("fig6", "", "acceleration pays from"): ("2 KB", FigureAgreement.AGREES, 1463.4),
    ("fig6", "", "overhead pays up to"): ("32 KB", FigureAgreement.AGREES, 26621.1),
    ("fig6", "", "index pays up to"): ("32 KB", FigureAgreement.AGREES, 28331.1),
    ("fig6", "", "region oC from 16 B up to"): ("2 KB", FigureAgreement.AGREES, 1463.4),
    ("fig6", "", "region A up to 32 MB from"): ("32 KB", FigureAgreement.AGREES, 28331.1),
    ("fig10", "a", "PCIe card: overhead pays up to"): ("256 KB", FigureAgreement.UNKNOWN, nan),
    ("fig10", "b", "UltraSPARC T2: overhead pays up to"): (
        "32 KB",
        FigureAgreement.AGREES,
        26621.1,
    ),
    ("fig10", "d", "SPARC T4: number of regions"): ("3", FigureAgreement.DIFFERS, 4),
    ("fig10", "d", "SPARC T4: overhead pays up to"): ("512 B", FigureAgreement.AGREES, 530.25),
    ("fig10", "d", "SPARC T4: acceleration pays from"): ("32 B", FigureAgreement.DIFFERS, 79.69),
    ("fig10", "e", "crypto instructions: number of regions"): ("2", FigureAgreement.AGREES, 2),
    ("fig10", "e", "crypto instructions: overhead pays up to"): (
        "128 B",
        FigureAgreement.AGREES,
        181.65,
    ),
    ("fig10", "e", "crypto instructions: acceleration pays from"): (
        "16 B",
        FigureAgreement.AGREES,
        9.801,
    ),
    ("fig11", "a", "discrete GPU: overhead pays up to"): ("32 KB", FigureAgreement.DIFFERS, 258108),
    ("fig11", "a", "discrete GPU: acceleration pays from"): (
        "256 KB",
        FigureAgreement.DIFFERS,
        618998,
    ),
    ("fig11", "a", "discrete GPU: number of regions"): ("4", FigureAgreement.AGREES, 4),
    ("fig11", "b", "APU: latency pays up to"): ("512 KB", FigureAgreement.DIFFERS, nan),
    ("fig11", "b", "APU: acceleration pays from"): ("64 KB", FigureAgreement.AGREES, 100586),
    ("fig11", "c", "HSA GPU: overhead pays up to"): ("8 KB", FigureAgreement.UNKNOWN, nan),
}


def fact(**changed: object) -> PrintedFact:
    """A fact like others, but for what is given."""
    made = dict(
        figure="fig6", panel="", says="", printed="", kind="size", terms=("1 KiB",), remark="",
        where="§0", claims=(),
    )  # fmt: skip
    return PrintedFact(**{**made, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(("place", "expected"), PRINTED.items(), ids=map(str, PRINTED))
def test_what_the_paper_prints(
    place: tuple[str, str, str], expected: tuple[str, FigureAgreement, float]
) -> None:
    [row] = [r for r in ROWS if (r.fact.figure, r.fact.panel, r.fact.says) == place]
    printed, agreement, value = expected
    assert row.fact.printed == printed
    assert row.agreement is agreement
    if row.values:
        assert row.values[0] == pytest.approx(value, rel=1e-4, nan_ok=True)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_verdicts_are_those_of_the_ledger(row: object) -> None:
    assert isinstance(row, type(ROWS[0]))
    claims = [CLAIMS[name] for name in row.fact.claims]
    for claim in claims:
        if row.agreement is FigureAgreement.UNKNOWN:
            assert not claim.asserts
        elif len(claims) == 1:
            assert (claim.corrected is None) == (row.agreement is FigureAgreement.AGREES)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_what_differs_says_why(row: object) -> None:
    assert isinstance(row, type(ROWS[0]))
    if row.agreement in (FigureAgreement.DIFFERS, FigureAgreement.IN_RANGE):
        assert len(row.remark.split()) > 3
    assert "{" not in row.remark
    assert row.fact.where
    assert row.fact.kind in KINDS
    assert bool(row.fact.terms) == (row.fact.kind != "unknown")


def test_every_figure_has_facts_and_every_fact_is_said_once() -> None:
    assert {row.fact.figure for row in ROWS} == {
        f"fig{each}" for each in ("1b", "3", "4", "5", "6", "7", "8", "9", "10", "11")
    }
    assert len({(row.fact.figure, row.fact.panel, row.fact.says) for row in ROWS}) == len(ROWS)
    assert printed_facts("fig6") == tuple(f for f in printed_facts() if f.figure == "fig6")


@pytest.mark.parametrize(
    ("size", "agrees"),
    [("1025 B", True), ("2047 B", True), ("4095 B", True), ("1 KiB", False), ("4 KiB", False)],
)
def test_sizes_agree_within_a_factor_of_two(size: str, agrees: bool) -> None:
    found = compare(fact(printed="2 KB", terms=(size,))).agreement
    assert found is (FigureAgreement.AGREES if agrees else FigureAgreement.DIFFERS)


@pytest.mark.parametrize(
    ("kind", "terms", "agreement", "exact"),
    [
        ("none", ("g1 of discrete-gpu aes",), FigureAgreement.AGREES, "none"),
        ("none", ("gA2 of apu aes",), FigureAgreement.IN_RANGE, "38.7 MiB"),
        ("none", ("16 B", "64 MiB"), FigureAgreement.DIFFERS, "16 B, 64 MiB"),
        ("exists", ("64 MiB",), FigureAgreement.DIFFERS, "64 MiB"),
        ("exists", ("16 B", "g1 of discrete-gpu aes"), FigureAgreement.DIFFERS, "16 B, none"),
        ("exists", ("16 B",), FigureAgreement.AGREES, "16 B"),
        ("ascending", ("1", "2", "3"), FigureAgreement.AGREES, "1 < 2 < 3"),
        ("ascending", ("1", "1"), FigureAgreement.DIFFERS, "1 = 1"),
        ("ascending", ("3", "2", "g1 of apu gemm"), FigureAgreement.DIFFERS, "3 > 2 < 81.82 KiB"),
        ("ascending", ("3", "g1 of discrete-gpu aes"), FigureAgreement.DIFFERS, "3, none"),
        ("equal", ("1", "1"), FigureAgreement.AGREES, "1 = 1"),
        ("comparable", ("1", "9"), FigureAgreement.AGREES, "1, 9"),
        ("comparable", ("1", "11"), FigureAgreement.DIFFERS, "1, 11"),
        ("comparable", ("g1 of discrete-gpu aes", "1"), FigureAgreement.DIFFERS, "none, 1"),
        ("unknown", (), FigureAgreement.UNKNOWN, "no parameters are printed"),
    ],
)
def test_rules(kind: str, terms: tuple[str, ...], agreement: FigureAgreement, exact: str) -> None:
    found = compare(fact(kind=kind, terms=terms))
    assert (found.agreement, found.exact) == (agreement, exact)


def test_fig_10d_holds_without_latency() -> None:
    """What the remark says: with L = 0 the three regions, 512 B and 32 B would hold."""
    for row in ROWS:
        if row.fact.figure != "fig10" or row.fact.panel != "d" or not row.fact.printed:
            continue
        if row.fact.printed != "128 B":
            terms = tuple(f"{term} with L=0" for term in row.fact.terms)
            changed = compare(fact(printed=row.fact.printed, kind=row.fact.kind, terms=terms))
            assert changed.agreement is FigureAgreement.AGREES
