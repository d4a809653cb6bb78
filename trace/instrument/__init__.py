"""What a program records and where, its text with counters, and the memory it shares."""
