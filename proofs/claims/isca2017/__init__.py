"""Claims of the paper: altaf2017, ISCA."""
