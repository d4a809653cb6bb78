"""A program as data, and the analyses of LLVM's assembly that fill it."""
