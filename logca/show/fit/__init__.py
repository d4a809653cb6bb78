"""Output of `logca fit`: tables, words, and plain data for JSON; its report shows the tables."""
