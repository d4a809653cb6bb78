"""Loop nests as kernels: loops that become threads, accesses, loop-carried dependences."""
