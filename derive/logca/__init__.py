"""Formulas of LogCA and what we derive from it, one subject a file."""
