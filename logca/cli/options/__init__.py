"""Options that several verbs share: accelerators, C programs, platforms, explorations."""
