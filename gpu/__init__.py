"""CGPredict: the time of a single-threaded C kernel on a GPU, one stage a file."""
