"""Runtime and speedup of programs partitioned between CPU and accelerator (kenter2010)."""
