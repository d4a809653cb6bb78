"""What the papers claim, and whether it is so.

Folders, lowest first: terms, language, numbers, claims, provers, engine, ledger.
"""
