"""Claims as data: the papers on LogCA, CGPredict, Kenter et al., and theorems of ours.

Folders, lowest first: cal2015, isca2017, wang2017, kenter2010, ours, gpu_bounds.
"""
