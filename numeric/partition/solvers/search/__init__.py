"""Branch and bound, with and without coupling of memory, and the certificates that it writes."""
