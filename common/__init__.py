"""The ground that every room stands on: errors, arguments, files, sizes, tables.

Imports nothing of ours.
"""
