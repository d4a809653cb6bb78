"""Claims as data: the letter of 2015, the paper of 2017, theorems of ours.

Folders, lowest first: cal2015, isca2017, ours, gpu_bounds.
"""
