"""An instrumented program linked and run: its process, its end, and its decoded records."""
