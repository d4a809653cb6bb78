"""Which basic blocks of a program an accelerator should take over from the CPU (kenter2010).

Folders, lowest first: memory, problem, program, solvers, answer, exploration.
"""
