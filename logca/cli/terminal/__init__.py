"""Ends and output of verbs: exit codes and errors, tables, progress, files."""
