"""From a C program to a problem: pieces, flows and values, trace, pins, source lines."""
