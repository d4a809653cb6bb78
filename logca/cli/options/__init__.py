"""Options that several verbs share: accelerators, C programs, platforms, design sweeps."""
