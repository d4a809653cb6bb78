"""The ledger for Coq's kernel: statements, proof scripts, and what the kernel accepted."""
