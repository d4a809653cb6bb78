"""The kernels of the tables of wang2017, as C programs."""
