"""What `import logca` offers beyond the rooms: formulas, claims, and proofs of one's own."""
