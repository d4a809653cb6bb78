"""Which launches and threads of a nest are looked at, and the accesses kept of them."""
