"""Which launches and threads of a nest are sampled, and the accesses kept of them."""
