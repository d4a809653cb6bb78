"""Titles and introductions of the pages in docs/ that programs write, which have none."""

INTRODUCTIONS = {
    "cgpredict-tables": """# CGPredict's tables, row by row

Every row of Tables 4 to 7 of wang2017: what was measured on a Jetson TK1, what the paper estimated,
and what two models give from the C sources. `make reproduce` writes this page. What it amounts to,
and why some rows are off, is said in [CGPredict, reproduced from C](cgpredict.md).

""",
    "kenter-tables": """# Kenter's conclusions and figures, in numbers

The ledger of what kenter2010 concludes, by its greedy algorithm and by proven optima, and the
numbers behind Figures 2 to 6. `make reproduce` writes this page; [the discussion](kenter.md) says
what to make of it.

""",
    "kenter-flips": """# Two conclusions under 384 sets of assumptions

Which of two conclusions of kenter2010 are artefacts of its greedy algorithm? Each was decided for
all combinations of sizes, write-back costs, lines and readings. `make flips` writes this page;
[the discussion](kenter.md#the-two-flips) says what follows.

""",
}
"""By the name of the page, as Markdown."""
