"""From C sources to a `Program`, and from LLVM's assembly to machine code."""
