"""Records of a program and their places, its text with counters, and the memory it shares."""
