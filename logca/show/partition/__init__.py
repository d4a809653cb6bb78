"""Output of `logca partition`: words, tables, the annotated source, pictures of control flow."""
