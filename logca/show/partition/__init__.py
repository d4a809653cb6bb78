"""What `logca partition` says: words, tables, the annotated source, pictures of control flow."""
