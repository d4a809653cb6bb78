"""The content of the handbook: notation, formulas with their derivations, the ledger."""

from collections.abc import Iterator, Mapping, Sequence

import sympy as sp

from logca.api.formulas import Quantity, topic
from logca.book.blocks import (
    Block,
    CodeSpan,
    Document,
    Equation,
    FactsBlock,
    Heading,
    Inline,
    LineBreak,
    Math,
    Paragraph,
    Spans,
    StepsBlock,
    Symbol,
    TableBlock,
    VerdictMark,
)
from logca.derive.algebra.trinomial import LowerRoot, TrinomialRoot
from logca.derive.core.catalogue import MODULES, formula
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, TABLE, L, beta, g
from logca.derive.notation.layout import in_order
from logca.derive.notation.text_latex_python import abbreviated, conditions, equation
from logca.proofs.claims import claim as ledger_claim
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Record
from logca.proofs.ledger.check import by_paper

__all__ = ["handbook"]

_PAPERS = (
    ("altaf2015", "M. S. B. Altaf and D. A. Wood, LogCA: A Performance Model for Hardware "
     "Accelerators. IEEE Computer Architecture Letters 14(2), 2015."),
    ("altaf2017", "M. S. B. Altaf and D. A. Wood, LogCA: A High-Level Performance Model for "
     "Hardware Accelerators. ISCA 2017."),
    ("wang2017", "S. Wang, G. Zhong and T. Mitra, CGPredict: Embedded GPU Performance Estimation "
     "from Single-Threaded Applications. ACM TECS 16(5s), 2017."),
    ("hong2009", "S. Hong and H. Kim, An Analytical Model for a GPU Architecture with Memory-level "
     "and Thread-level Parallelism Awareness. ISCA 2009."),
    ("kenter2010", "T. Kenter, M. Platzner, C. Plessl and M. Kauschke, Performance Estimation for "
     "the Exploration of CPU-Accelerator Architectures. WARP 2010."),
    ("logca2026", "The statement is our own; its derivation or proof is in this document."),
)  # fmt: skip
_MEANINGS = {
    "PROVED": "true on the whole stated domain, by an argument valid on all of it",
    "CORRECTED": "false as printed, with a counterexample; the true statement beside it is proved",
    "REFUTED": "false, with a counterexample in exact numbers",
    "EVIDENCE": "sampled only, and so no proof",
    "UNDECIDED": "none of these, with the reason",
}


def handbook(claims: Sequence[Claim], records: Mapping[str, Record]) -> Document:
    """The whole document."""
    return Document(
        title="LogCA, derived and proved",
        subtitle="Every formula of the LogCA model of hardware accelerators with its derivation, "
        "every statement of the papers with its verdict, and the equations of CGPredict "
        "and of Kenter and others",
        blocks=(*_introduction(), *_notation(), *_formulas(), *_ledger(claims, records)),
    )


def _introduction() -> Iterator[Block]:
    k, c, l = sp.symbols("k c l", positive=True)
    yield Heading(1, ("How to read this",), "reading", listed=True)
    yield Paragraph((
        "A host offloads ", Symbol("g"), " bytes to an accelerator. That takes an overhead ",
        Symbol("o"), ", a latency, and a computation that is ", Symbol("A"),
        " times faster than the host's, whose time is ", Math(formula("T0").expr),
        ". Every formula below is derived once, for the affine latency ", Math(L0 + L1 * g),
        ". The papers' constant latency is its instance ", Math(sp.Eq(L0, L, evaluate=False)), ", ",
        Math(sp.Eq(L1, 0, evaluate=False)), "; their linear latency is ",
        Math(sp.Eq(L0, 0, evaluate=False)), ", ", Math(sp.Eq(L1, L, evaluate=False)), ".",
    ))  # fmt: skip
    yield Paragraph((
        "Granularities with a given speedup are roots of a trinomial, for which there is no "
        "closed form in general. The root at which the left side rises through the right side "
        "is written ", Math(LowerRoot(k, c, l, beta)),
        ", and with a falling arrow the one at which it falls below. From the rising root on "
        "offloading pays; for an exponent below 1 it stops to pay at the falling one.",
    ))  # fmt: skip
    yield Paragraph((
        "Further topics hold the equations of CGPredict, a model of the execution time of a "
        "kernel on a GPU. Where it was printed otherwise than its own results follow from it, both "
        "readings are here; the symbols are those of a warp and of one multiprocessor.",
    ))  # fmt: skip
    yield Paragraph((
        "The last topics hold the runtime of a program whose basic blocks are divided between a "
        "CPU and an accelerator, as estimated by Kenter et al. In sums, what stands before a "
        "bracketed index is a sequence: values of the symbol or quantity of that name.",
    ))  # fmt: skip
    yield Paragraph(("Sources are named by these keys:",))
    yield FactsBlock(tuple((key, (text,)) for key, text in _PAPERS))


def _notation() -> Iterator[Block]:
    yield Heading(1, ("Notation",), "notation", listed=True)
    rows = [
        (
            (Symbol(name),),
            (CodeSpan(name),),
            (entry.meaning,),
            (str(entry.unit),),
            (CodeSpan(entry.domain),),
        )
        for name, entry in TABLE.items()
    ]
    head = (("symbol",), ("in claims",), ("meaning",), ("unit",), ("domain",))
    yield TableBlock(head, tuple(rows))


def _formulas() -> Iterator[Block]:
    yield Heading(1, ("Formulas and derivations",), "formulas", listed=True)
    for module, members in MODULES.items():
        yield Heading(2, (topic(module),), f"topic-{module.rpartition('.')[2]}", listed=True)
        for name in members:
            yield from _formula(formula(name))


def _formula(entry: Formula) -> Iterator[Block]:
    yield Heading(3, (Symbol(entry.name), "   ", CodeSpan(entry.name)), entry.name)
    yield Paragraph((entry.meaning[0].upper() + entry.meaning[1:] + ".",))
    yield Equation(equation(entry))
    if "altaf" in entry.source and entry.expr.free_symbols & {L0, L1}:
        for latency in ("constant", "linear"):
            if _exists(entry, latency):
                yield Equation(equation(entry, latency), f"{latency} latency")
    rooted = entry.expr.has(TrinomialRoot)
    where = Quantity(entry.name).shown_conditions() if rooted else entry.domain
    rows: list[tuple[str, Spans]] = [("unit", (str(entry.unit),))]
    if where:
        rows.append(("where", _conditions(where)))
    if entry.status.value != "exact":
        rows.append(("status", (entry.status.value,)))
    rows.append(("source", (entry.source,)))
    yield FactsBlock(tuple(rows))
    steps = entry.derivation.steps
    if len(steps) > 1:
        yield StepsBlock(tuple((step.name, abbreviated(step.relation)) for step in steps))


def _exists(entry: Formula, latency: str) -> bool:
    """True if it exists for some values under a form of latency."""
    if sp.false in conditions(entry, latency):
        return False
    return not entry.expr.has(TrinomialRoot) or Quantity(entry.name, latency).exists_at_all()


def _conditions(given: Sequence[sp.Basic]) -> Spans:
    """Conditions that a line may break between; the cases of an "or" each on a line."""
    plain = [each for each in given if not isinstance(each, sp.Or)]
    found = _all_of(plain)
    for choice in (each for each in given if isinstance(each, sp.Or)):
        found = (*found, " and either" if found else "either")
        for number, case in enumerate(in_order(choice.args)):
            parts = _all_of(in_order(sp.And.make_args(case)))
            found = (*found, LineBreak(), *(["or "] * bool(number)), *parts)
    return found


def _all_of(parts: Sequence[sp.Basic]) -> Spans:
    spans: list[Spans] = [
        ("(", Math(part), ")") if isinstance(part, sp.Or) else (Math(part),) for part in parts
    ]
    return _joined(spans, " and ") if spans else ()


def _joined(parts: list[Spans], between: Inline = ", ") -> Spans:
    found: Spans = parts[0]
    for part in parts[1:]:
        found = (*found, between, *part)
    return found


def _ledger(claims: Sequence[Claim], records: Mapping[str, Record]) -> Iterator[Block]:
    yield Heading(1, ("The ledger",), "ledger", listed=True)
    yield Paragraph((
        "Every statement of the papers that has a truth value, and our own theorems, in a "
        "language in which they can be decided. All assertions must hold for all values of the "
        "symbols in their domains for which all hypotheses hold; that the quantities exist there "
        "is part of what is proved.",
    ))  # fmt: skip
    present = [name for name in _MEANINGS if any(r.verdict == name for r in records.values())]
    yield FactsBlock(tuple((name, (_MEANINGS[name],)) for name in present))
    yield _summary(claims, records, present)
    for number, (title, group) in enumerate(by_paper(claims).items()):
        yield Heading(2, (title,), f"claims-{number}", listed=True)
        for claim in group:
            yield from _claim(claim, records[claim.id])


def _summary(
    claims: Sequence[Claim], records: Mapping[str, Record], present: Sequence[str]
) -> TableBlock:
    rows: list[tuple[Spans, ...]] = []
    for title, group in [*by_paper(claims).items(), ("all", list(claims))]:
        counts = [sum(records[c.id].verdict == name for c in group) for name in present]
        rows.append(((title,), *((str(count),) for count in (*counts, len(group)))))
    head: tuple[Spans, ...] = (("",), *((VerdictMark(name),) for name in present), ("claims",))
    return TableBlock(head, tuple(rows), numeric=frozenset(range(1, len(head))))


def _claim(claim: Claim, record: Record) -> Iterator[Block]:
    yield Heading(3, (CodeSpan(claim.id), "   ", VerdictMark(record.verdict)), claim.id)
    yield Paragraph((claim.statement,))
    rows: list[tuple[str, Spans]] = [("source", (claim.source,))]
    rows += _formal(claim.given, claim.asserts)
    if claim.argument:
        rows.append(("argument", (claim.argument,)))
    if record.counterexample:
        point = dict(record.counterexample)
        latency = point.pop("latency", "")
        numbers = ", ".join(f"{name} = {value}" for name, value in point.items())
        where = f" under {latency} latency" if latency else ""
        rows.append(("counterexample", (CodeSpan(numbers), f"{where}")))
    elif record.failing:
        rows.append(("open", (CodeSpan(record.failing),)))
    if claim.corrected is not None:
        rows.append(("true is", (claim.corrected.statement,)))
        rows += _formal(claim.corrected.given, claim.corrected.asserts)
    if record.methods:
        rows.append(("decided by", ("; ".join(record.methods),)))
    yield FactsBlock(tuple(rows))


def _formal(given: Sequence[str], asserts: Sequence[str]) -> list[tuple[str, Spans]]:
    rows: list[tuple[str, Spans]] = []
    for heading, texts in (("given", given), ("asserts", asserts)):
        if texts:
            rows.append((heading, _joined([(CodeSpan(text),) for text in texts], LineBreak())))
    return rows


assert set(_MEANINGS) == {verdict.name for verdict in ledger_claim.Verdict}
