"""All claims run, verdicts kept on disk, and the ledger itself tested: idle hypotheses, mutants."""
