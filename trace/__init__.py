"""C programs, run and watched: control flow, counts of blocks and edges, every memory access."""
