"""Which basic blocks of a program an accelerator should take over from the CPU (kenter2010)."""
