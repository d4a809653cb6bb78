"""C sources before they are a program: the compiler, macros, and what pragmas ask for."""
