"""What `logca fit` says: tables, words, and plain data for JSON; its report shows the tables."""
