"""Claims of the papers, and the verdicts on them.

Folders, lowest first: terms, language, numbers, claims, provers, engine, ledger.
"""
