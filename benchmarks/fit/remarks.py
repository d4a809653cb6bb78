"""What is to be said of the built-in experiments, whatever the numbers of a run are."""

__all__ = ["GPU", "REMARKS"]

REMARKS = {
    "aes": (
        "The paper finds A = 6 for AES-NI on Sandy Bridge (altaf2017, table 5), with o = 10 and "
        "L = 3 cycles. Both paths are loops over blocks of which each waits for the one before, so "
        "that both times are proportional to the size: instructions have next to no overhead, and "
        "there is no break-even among the sizes that a cipher of 16 B blocks has.",
        "With beta = 1 a latency for each byte and the accelerated computation add up to one "
        "slope: only the greatest speedup is identifiable, not A and L separately.",
    ),
    "sha256": (
        "Each call hashes a block of padding after the data. A fit takes the cost of a call to be "
        "the same on both paths; here it is work, which the instructions do faster too. So o is "
        "nothing, and the curve misses the smallest sizes. The paper sees its curve leave the "
        "measured one below 64 B for the same reason (section 5.1).",
    ),
    "aes-pipe": (
        "The constant cost of the pipe is two changes of the running process and some calls of the "
        "system; its cost for each byte is copying data in and the result out. Both processes "
        "share a core and never compute at the same time, as in the model.",
        "A pipe holds 64 KiB. Larger data go through in pieces, with two more changes of process "
        "for each, and are copied more slowly where they leave a cache: a cost for each byte that "
        "small data do not have. The model has one latency for all sizes, and so misses some.",
    ),
    "sha256-pipe": (
        "Here only data go in; what comes back are 32 B.",
        "As for aes-pipe, bytes above 64 KiB cost more than the first ones.",
    ),
    "numpy-loop": (
        "Calling the loop's function and growing its list has a constant cost on the host, a good "
        "part of the time of the few numbers at which NumPy breaks even; the fit finds it. Beyond "
        "128 KiB, which are not measured here, the objects of the list leave the cache and the "
        "host is slower than any power law says.",
    ),
    "numpy-threads": (
        "Two threads on two cores can at best double the speed, if both cores are free: this "
        "experiment feels every other program. The overhead is waking a thread that sleeps, which "
        "scatters with what the system does meanwhile.",
    ),
}
GPU = """## GPU experiments

`logca measure gemm` (and `fft`, `sort`, `search`) compare NumPy with a GPU through CuPy, torch or
JAX. No GPU was at hand: torch and JAX were run on the CPU only (`--set device=cpu`), which shows
that both paths compute the same and that calls are timed until their end, and says nothing about
GPUs. The way through CuPy was not run at all.
"""
