"""The ground that every room stands on: errors, arguments, files, numbers, tables.

Imports nothing of ours.
"""
