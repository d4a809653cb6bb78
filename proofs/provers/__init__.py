"""Independent methods that decide one problem: algebra, lemmas with Z3 and cvc5, boxes."""
