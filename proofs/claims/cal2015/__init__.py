"""Claims of the letter: altaf2015, IEEE Computer Architecture Letters."""
