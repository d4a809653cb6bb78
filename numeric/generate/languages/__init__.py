"""Syntax of the languages that programs are written in: one module each, one for C's variants."""
